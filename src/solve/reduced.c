// SPDX-License-Identifier: Apache-2.0
// Constraints as dense rows (reduced.h): life cycle, and the rows at a configuration.
#include "solve/reduced.h"

#include "multibody/loop.h"
#include "multibody/wheel.h"
#include "rod/rod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Directions of J that are smaller than this, relative to the largest, are lost: accelerations
/// along them would be made of rounding errors.
static const double LOST = 1e-8;

// ---- life cycle

static ElvStatus check_device(const ElvDevice* device, ElvError* error) {
    bool is_known = device->n_z == 0 || device->is_differential || device->ops->resolve;
    if (!is_known && !device->ops->motion) {
        return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                             "the force of '%s' does not follow from the motion at once: give it a "
                             "stiffness, or use an implicit method",
                             device->name);
    }
    if (device->ops == &ELV_LOOP_OPS && device->ops->is_loose(device, 0)) {
        return elv_error_set(error, ELV_ERROR_INPUT, device->name, "closure",
                             "an explicit method closes '%s' exactly: take 'closure: exact', or an "
                             "implicit method for springs",
                             device->name);
    }
    return ELV_OK;
}

bool elv_reduced_is_wanted(const ElvModel* model) {
    bool is_driven = model->is_active;
    bool is_possible = model->is_constrained;
    for (int i = 0; i < model->nv; i++) {
        is_driven = is_driven || model->is_driven[i];
    }
    for (int i = 0; i < model->n_device; i++) {
        is_possible = is_possible && check_device(model->device[i], NULL) == ELV_OK;
    }
    return is_driven && is_possible;
}

bool elv_reduced_is_velocity_only(const ElvModel* model) {
    bool is_only = elv_reduced_is_wanted(model);
    for (int i = 0; i < model->n_device && is_only; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->motion; k++) {
            bool is_loose = device->ops->is_loose && device->ops->is_loose(device, k);
            is_only = is_only && (is_loose || !model->is_held[device->i_z + k]);
        }
    }
    return is_only;
}

static void count(const ElvModel* model, ElvReduced* r) {
    for (int i = 0; i < model->nv; i++) {
        r->n += !model->is_driven[i];
    }
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->motion; k++) {
            r->n_row += model->is_held[device->i_z + k];
            r->n_force += model->is_held[device->i_z + k] - model->is_place[device->i_z + k];
        }
        r->n_most = device->n_z > r->n_most ? device->n_z : r->n_most;
    }
}

static void layout(ElvReduced* r, ElvArena* arena) {
    size_t n = (size_t)r->n, rows = (size_t)r->n_row, most = (size_t)r->n_most;
    size_t nv = (size_t)r->model->nv, nz = (size_t)r->model->nz, forces = (size_t)r->n_force;
    const struct {
        double** part;
        size_t n;
    } parts[] = {
        {&r->scale, nv},        {&r->reach, nv},    {&r->usual, rows},    {&r->J, rows * n},
        {&r->H, n * n},         {&r->c, nz},        {&r->d_z, nz},        {&r->d_c, nz},
        {&r->d_nu, nv},         {&r->residual, nv}, {&r->w, 3 * nv},      {&r->defect, rows},
        {&r->step, n},          {&r->MH, n * n},    {&r->HMH, n * n},     {&r->u, n * rows},
        {&r->limit, n * n},     {&r->g, 3 * n},     {&r->D, most * most}, {&r->y, 2 * most},
        {&r->N, forces * most}, {&r->B, most * nv}, {&r->BN, n * forces}, {&r->lambda, n + forces},
        {&r->preload, forces},  {&r->HT, n * n},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i].part = elv_arena_take(arena, parts[i].n, sizeof(double));
    }
    r->coordinate = elv_arena_take(arena, n, sizeof(int));
    r->row = elv_arena_take(arena, rows, sizeof(int));
    r->active = elv_arena_take(arena, rows, sizeof(int));
    r->is_position = elv_arena_take(arena, rows, sizeof(bool));
    r->is_motor = elv_arena_take(arena, rows, sizeof(bool));
    r->is_turn = elv_arena_take(arena, rows, sizeof(bool));
    elv_row_space_layout(&r->space, r->n_row, r->n, arena);
    elv_row_space_layout(&r->lost, r->n, r->n, arena);
    elv_row_space_layout(&r->block, r->n_most, r->n_most, arena);
    elv_row_space_layout(&r->reaction, r->n, r->n_force, arena);
}

// How far modes of a rod move it, at least: they may leave the ends of the rod alone. Integrals of
// Legendre polynomials P_m, and of other modes in that order, over an element of length l are about
// l/(2 m + 1).
static void set_reach(const ElvRod* rod, double size, double* reach) {
    for (int e = 0; e < rod->n_element; e++) {
        const ElvRodElement* element = &rod->element[e];
        double l = (element->s1 - element->s0) * rod->length;
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            for (int m = 0; m < element->basis[i].n_mode; m++) {
                double own = (i < 3 ? size : 1.0) * l / (2.0 * m + 1.0);
                reach[element->column[i] + m] = fmax(reach[element->column[i] + m], own);
            }
        }
    }
}

static void list(const ElvModel* model, ElvReduced* r) {
    int n = 0, n_row = 0;
    for (int i = 0; i < model->nv; i++) {
        if (!model->is_driven[i]) {
            r->coordinate[n++] = i;
        }
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        if (node->info.is_rod) {
            set_reach((const ElvRod*)node->joint, model->size, r->reach + node->i_v);
        }
    }
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->motion; k++) {
            bool is_loose = device->ops->is_loose && device->ops->is_loose(device, k);
            if (model->is_held[device->i_z + k]) {
                bool is_wheel = elv_device_is_wheel(device);
                r->is_motor[n_row] = is_wheel && elv_wheel_is_rolling((const ElvWheel*)device, k);
                r->is_turn[n_row] = device->ops->is_turn && device->ops->is_turn(device, k);
                r->is_position[n_row] = !is_loose;
                r->n_position += !is_loose;
                r->row[n_row++] = device->i_z + k;
            }
        }
    }
}

ElvStatus elv_reduced_create(const ElvModel* model, ElvReduced** reduced, ElvError* error) {
    *reduced = NULL;
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_device && status == ELV_OK; i++) {
        status = check_device(model->device[i], error);
    }
    if (status != ELV_OK) {
        return status;
    }
    ElvReduced* r = calloc(1, sizeof *r);
    if (!r) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    r->model = model;
    r->from = -INFINITY;
    r->to = INFINITY;
    count(model, r);
    ElvArena arena = {0};
    layout(r, &arena);
    size_t size = arena.size + ELV_ARENA_ALIGN;
    arena = (ElvArena){.base = aligned_alloc(ELV_ARENA_ALIGN, size)};
    if (!arena.base) {
        free(r);
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    memset(arena.base, 0, size);
    layout(r, &arena);
    list(model, r);
    status = elv_state_create(model, &r->trial, error);
    if (status != ELV_OK) {
        elv_reduced_free(r);
        return status;
    }
    *reduced = r;
    return ELV_OK;
}

void elv_reduced_free(ElvReduced* reduced) {
    if (reduced) {
        // the first part of the block
        free(reduced->scale);
        elv_state_free(reduced->trial);
        free(reduced);
    }
}

// ---- rows

// how far the ports of a joint move by velocity component k
static double
reach_of_ports(const ElvModel* model, const ElvData* data, const ElvNode* node, int k) {
    double reach = 0.0;
    for (int p = 0; p < node->joint->n_port; p++) {
        ElvTwist S = data->screw[node->i_screw + (size_t)(p * node->joint->n_v + k)];
        ElvVec3 at = data->port[node->i_port + p].g.p;
        ElvVec3 v = elv_vec3_add(S.lin, elv_vec3_cross(S.ang, at));
        reach = fmax(reach, model->size * elv_vec3_norm(S.ang) + elv_vec3_norm(v));
    }
    return reach;
}

// units of the velocities of all joints, and what devices take for unknowns: accelerations
static void set_scales(ElvReduced* r, ElvData* data) {
    const ElvModel* model = r->model;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvJoint* joint = node->joint;
        data->unknown[j] = (ElvUnknown){.b = 1.0};
        for (int k = 0; k < joint->n_v; k++) {
            double reach = r->reach[node->i_v + k];
            reach = elv_has_free_screws(node) ? fmax(reach, reach_of_ports(model, data, node, k))
                                              : reach;
            r->scale[node->i_v + k] = reach > 0.0 ? model->size / reach : 1.0;
        }
    }
}

// accelerations of all ports under that of one velocity component of node j
static void move_ports(const ElvModel* model, ElvData* data, int j, int k) {
    memset(data->x, 0, (size_t)model->n_port * ELV_N_VARIATION * sizeof *data->x);
    for (int i = j; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        const double* root = data->x + (size_t)node->parent_port * ELV_N_VARIATION + 12;
        for (int p = 0; p < node->joint->n_port; p++) {
            double* x = data->x + (size_t)(node->i_port + p) * ELV_N_VARIATION + 12;
            if (i == j) {
                size_t at = node->i_screw + (size_t)(p * node->joint->n_v + k);
                elv_twist_to_array(data->screw[at], x);
            } else {
                memcpy(x, root, 6 * sizeof *x);
            }
        }
    }
}

// the column of J of one velocity component
static void set_column(ElvReduced* r, const ElvScene* scene, int column, int i_v) {
    for (int i = 0; i < r->model->n_device; i++) {
        const ElvDevice* device = r->model->device[i];
        if (device->ops->motion && device->n_z > 0) {
            device->ops->row(device, scene, r->d_nu, r->d_z, r->d_c + device->i_z);
        }
    }
    for (int i = 0; i < r->n_row; i++) {
        r->J[(size_t)i * (size_t)r->n + (size_t)column] = r->scale[i_v] * r->d_c[r->row[i]];
    }
}

// J at the configuration of the last forward pass
static void set_rows(ElvReduced* r, ElvData* data, const ElvState* state) {
    const ElvModel* model = r->model;
    ElvBorderRule rule = {.is_motion = true};
    ElvScene scene = {model, data, state, &rule};
    int column = 0;
    elv_screw_free_pass(model, data);
    set_scales(r, data);
    memset(r->d_z, 0, (size_t)model->nz * sizeof *r->d_z);
    memset(r->d_nu, 0, (size_t)model->nv * sizeof *r->d_nu);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = 0; k < node->joint->n_v; k++) {
            int i_v = node->i_v + k;
            if (!model->is_driven[i_v]) {
                move_ports(model, data, j, k);
                r->d_nu[i_v] = 1.0;
                set_column(r, &scene, column++, i_v);
                r->d_nu[i_v] = 0.0;
            }
        }
    }
}

// list rows that are not zero, all or some; returns how many
static int list_active(ElvReduced* r, ElvRowChoice choice) {
    size_t n = (size_t)r->n;
    int n_active = 0;
    for (int i = 0; i < r->n_row; i++) {
        const double* row = r->J + (size_t)i * n;
        bool acts = false;
        for (size_t k = 0; k < n; k++) {
            acts = acts || row[k] != 0.0;
        }
        bool is_chosen = choice == ELV_ROWS_ALL ||
                         (choice == ELV_ROWS_POSITION && r->is_position[i]) ||
                         (choice == ELV_ROWS_PASSIVE && !r->is_motor[i]);
        if (acts && is_chosen) {
            r->active[n_active++] = i;
        }
    }
    return n_active;
}

bool elv_reduced_rows(ElvReduced* reduced,
                      ElvData* data,
                      const ElvState* state,
                      ElvRowChoice choice) {
    elv_kinematics(reduced->model, data, state);
    set_rows(reduced, data, state);
    int n_active = list_active(reduced, choice);
    double* rows = reduced->space.L;
    for (int i = 0; i < n_active; i++) {
        const double* row = reduced->J + (size_t)reduced->active[i] * (size_t)reduced->n;
        memcpy(rows + (size_t)i * (size_t)reduced->n, row, (size_t)reduced->n * sizeof *rows);
    }
    double* usual = reduced->defect;
    for (int i = 0; i < n_active; i++) {
        usual[i] = reduced->usual[reduced->active[i]];
    }
    return elv_row_space_factor(&reduced->space, n_active, rows, usual, LOST);
}

void elv_reduced_remember(ElvReduced* reduced, bool is_first) {
    for (int i = 0; i < reduced->n_row; i++) {
        const double* row = reduced->J + (size_t)i * (size_t)reduced->n;
        double length = 0.0;
        for (int k = 0; k < reduced->n; k++) {
            length = hypot(length, row[k]);
        }
        reduced->usual[i] = is_first ? length : fmax(length, reduced->usual[i]);
    }
}
