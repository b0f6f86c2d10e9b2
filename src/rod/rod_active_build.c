// SPDX-License-Identifier: Apache-2.0
// Tables of a rod's internal actuation: strain at rest and fibres at the nodes, the basis
// differentiated along the rod for friction, gains of the controllers and their generalised matrices,
//     integral of Phi^T kp Phi dX,  integral of Phi^T kd Phi dX.                           [OCP (92)]
#include "rod/rod_active.h"

#include "linalg/barycentric.h"
#include "rod/rod_segment.h"

#include <assert.h>

static ElvStatus no_memory(const ElvRod* rod, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, rod->name, "", "out of memory");
}

// strain at rest at the nodes, and its derivative by X
static bool init_rest(const ElvRod* rod, ElvRodActive* active, ElvPool* pool) {
    size_t n = (size_t)rod->n_node;
    ElvTwist* xi_o = elv_pool_take(pool, n, sizeof *xi_o);
    ElvTwist* xi_o_ds = elv_pool_take(pool, n, sizeof *xi_o_ds);
    if (!xi_o || !xi_o_ds) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        double value[ELV_N_STRAIN], slope[ELV_N_STRAIN];
        for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
            ElvJet jet = elv_law_eval_s(rod->reference[strain], 0.0, rod->s[i]);
            value[strain] = jet.v;
            slope[strain] = jet.d / rod->length;
        }
        xi_o[i] = elv_twist_from_array(value);
        xi_o_ds[i] = elv_twist_from_array(slope);
    }
    active->xi_o = xi_o;
    active->xi_o_ds = xi_o_ds;
    return true;
}

// derivatives of the columns of one segment by the polynomials through its nodes
static void
differentiate(const ElvRodSegment* seg, double* derivative, double* phi_ds /* n_node x n_col */) {
    int n = seg->n_node;
    elv_barycentric_derivative(n, seg->x, derivative);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < seg->n_col; k++) {
                phi_ds[i * seg->n_col + k] +=
                    derivative[i * n + j] * seg->phi[j * seg->n_col + k] / seg->h;
            }
        }
    }
}

static bool init_derivatives(const ElvRod* rod, ElvRodActive* active, ElvPool* pool) {
    size_t* begin = elv_pool_take(pool, (size_t)rod->n_segment, sizeof *begin);
    size_t n = 0;
    size_t largest = 0;
    for (int i = 0; i < rod->n_segment && begin; i++) {
        size_t n_node = (size_t)rod->segment[i].n_node;
        begin[i] = n;
        n += n_node * (size_t)rod->segment[i].n_col;
        largest = n_node > largest ? n_node : largest;
    }
    double* phi_ds = elv_pool_take(pool, n, sizeof *phi_ds);
    double* derivative = elv_pool_take(pool, largest * largest, sizeof *derivative);
    if (!begin || !phi_ds || !derivative) {
        return false;
    }
    for (int i = 0; i < rod->n_segment; i++) {
        differentiate(&rod->segment[i], derivative, phi_ds + begin[i]);
    }
    active->phi_ds = phi_ds;
    active->i_phi_ds = begin;
    return true;
}

static ElvStatus init_fibres(ElvRod* rod, ElvRodActive* active, ElvPool* pool, ElvError* error) {
    const ElvRodFields* fields = &active->fields;
    ElvFibre* fibre = elv_pool_take(pool, (size_t)fields->n_fibre, sizeof *fibre);
    int* fibre_of = elv_pool_take(pool, (size_t)fields->n_fibre, sizeof *fibre_of);
    bool has_friction = false;
    if (!fibre || !fibre_of) {
        return no_memory(rod, error);
    }
    for (int i = 0; i < fields->n_fibre; i++) {
        const ElvRodFibre* def = &fields->fibre[i];
        ElvStatus status = elv_fibre_init(&fibre[i], def, rod, active->xi_o, pool, error);
        if (status != ELV_OK) {
            return status;
        }
        // channels are numbered from 0, one fibre each
        assert(def->channel >= 0 && def->channel < fields->n_fibre);
        fibre_of[def->channel] = i;
        rod->joint.n_channel++;
        has_friction = has_friction || def->friction != 0.0;
    }
    active->fibre = fibre;
    active->fibre_of = fibre_of;
    return has_friction && !init_derivatives(rod, active, pool) ? no_memory(rod, error) : ELV_OK;
}

// gains at the nodes of one controller, added to the generalised matrices
static bool init_control(const ElvRod* rod,
                         const ElvRodControl* control,
                         ElvPool* pool,
                         const ElvControlNode** gain,
                         double* K,
                         double* D) {
    ElvControlNode* node = elv_pool_take(pool, (size_t)rod->n_node, sizeof *node);
    if (!node) {
        return false;
    }
    ElvRodSpan span = elv_rod_span(rod, control->from, control->to);
    for (int i_segment = span.begin; i_segment < span.end; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            ElvMat6 kp = {{{0.0}}};
            ElvMat6 kd = {{{0.0}}};
            for (int k = 0; k < ELV_N_STRAIN; k++) {
                node[i_node].kp[k] = kp.m[k][k] =
                    elv_law_value(control->kp[k], 0.0, rod->s[i_node]);
                node[i_node].kd[k] = kd.m[k][k] =
                    elv_law_value(control->kd[k], 0.0, rod->s[i_node]);
            }
            elv_rod_add_generalised(seg, i, rod->joint.n_v, rod->weight[i_node], &kp, K);
            elv_rod_add_generalised(seg, i, rod->joint.n_v, rod->weight[i_node], &kd, D);
        }
    }
    *gain = node;
    return true;
}

static bool init_controls(const ElvRod* rod, ElvRodActive* active, ElvPool* pool) {
    const ElvRodFields* fields = &active->fields;
    size_t n_v = (size_t)rod->joint.n_v;
    const ElvControlNode** gain = elv_pool_take(pool, (size_t)fields->n_control, sizeof *gain);
    double* K = elv_pool_take(pool, n_v * n_v, sizeof *K);
    double* D = elv_pool_take(pool, n_v * n_v, sizeof *D);
    if (!gain || !K || !D) {
        return false;
    }
    for (int i = 0; i < fields->n_control; i++) {
        if (!init_control(rod, &fields->control[i], pool, &gain[i], K, D)) {
            return false;
        }
    }
    active->gain = gain;
    active->K = K;
    active->D = D;
    return true;
}

ElvStatus
elv_rod_active_build(ElvRod* rod, const ElvRodFields* fields, ElvPool* pool, ElvError* error) {
    if (fields->n_stress + fields->n_fibre + fields->n_control + fields->n_law == 0) {
        return ELV_OK;
    }
    ElvRodActive* active = elv_pool_take(pool, 1, sizeof *active);
    if (!active) {
        return no_memory(rod, error);
    }
    active->fields = *fields;
    active->needs_strains = fields->n_fibre > 0 || fields->n_law > 0;
    if (!init_rest(rod, active, pool)) {
        return no_memory(rod, error);
    }
    if (fields->n_control > 0 && !init_controls(rod, active, pool)) {
        return no_memory(rod, error);
    }
    rod->active = active;
    return fields->n_fibre > 0 ? init_fibres(rod, active, pool, error) : ELV_OK;
}

ElvRodActiveWork* elv_rod_active_layout(const ElvRod* rod, ElvArena* arena) {
    if (!rod->active) {
        return NULL;
    }
    size_t n = (size_t)rod->n_node;
    size_t most_nodes = 0;
    size_t most_columns = 0;
    for (int i = 0; i < rod->n_segment && rod->active->phi_ds; i++) {
        size_t n_node = (size_t)rod->segment[i].n_node;
        size_t n_col = (size_t)rod->segment[i].n_col;
        most_nodes = n_node > most_nodes ? n_node : most_nodes;
        most_columns = n_col > most_columns ? n_col : most_columns;
    }
    ElvRodActiveWork* work = elv_arena_take(arena, 1, sizeof *work);
    ElvRodActiveWork w = {0};
    w.xi = elv_arena_take(arena, n, sizeof *w.xi);
    w.xi_dot = elv_arena_take(arena, n, sizeof *w.xi_dot);
    w.stress = elv_arena_take(arena, n * ELV_N_STRAIN, sizeof *w.stress);
    w.stiffness = elv_arena_take(arena, n, sizeof *w.stiffness);
    if (rod->active->phi_ds) {
        w.xi_ds = elv_arena_take(arena, n, sizeof *w.xi_ds);
        w.omega = elv_arena_take(arena, n, sizeof *w.omega);
        w.theta = elv_arena_take(arena, n, sizeof *w.theta);
        w.omega_dq = elv_arena_take(arena, most_nodes * most_columns, sizeof *w.omega_dq);
        w.force = elv_arena_take(arena, most_nodes * most_columns, sizeof *w.force);
        w.row = elv_arena_take(arena, most_columns, sizeof *w.row);
        w.theta_dq = elv_arena_take(arena, (size_t)rod->joint.n_v, sizeof *w.theta_dq);
    }
    if (work) {
        *work = w;
    }
    return work;
}
