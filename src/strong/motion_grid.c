// SPDX-License-Identifier: Apache-2.0
// The grid of shooting in time: as fine as variations grow, cut into segments, and the nodes that hold the past.
#include "strong/motion.h"

#include <math.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE, PROBE_STEPS = 4, LEAST_STEPS = 8 };

// growth over one step along the chain that its order resolves well
static const double EXPONENT_PER_STEP = 0.25;

// growth over a segment beyond which rounding at its start outweighs the residual at its end
static const double CRITICAL_EXPONENT = 20.0;

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// ---- growth

static double
exponent_at(const ElvStrongStation* at, const ElvStrongPiece* piece, double a, double b) {
    double most = 0.0;
    for (int k = 0; k < piece->n_free; k++) {
        int strain = piece->free[k];
        double stiffness = at->H.m[strain][strain] + a * at->D.m[strain][strain];
        double inertia = strain == 0 ? at->M.m[0][0] : at->mass;
        bool bends = strain == 1 || strain == 2;
        if (stiffness > 0.0) {
            double wave = sqrt(b * inertia / stiffness);
            most = fmax(most, bends ? sqrt(0.5 * wave) : wave);
        }
    }
    return most;
}

double elv_motion_exponent(const ElvShotGrid* grid, double a, double b) {
    double sum = 0.0;
    for (int i = 0; i < grid->n_step; i++) {
        const ElvShotStep* step = &grid->step[i];
        const ElvStrongPiece* piece = &grid->chain->rod[step->i_rod].strong.piece[step->i_piece];
        for (int k = 0; k < NODE; k++) {
            sum += step->h * ELV_RK8_WEIGHT[k] * exponent_at(&step->node[k].station, piece, a, b);
        }
    }
    return sum;
}

// coefficients of the scheme for a step
static void coefficients(const ElvMotionShooting* s, double dt, double* a, double* b) {
    double zero[6] = {0.0}, f[6], h[6];
    ElvState state = {.aux = zero, .w_past = zero, .nu_past = zero};
    if (s->motion.is_local) {
        *a = 1.0 / (s->scheme.gamma * dt);
        *b = *a * *a;
    } else {
        elv_scheme_begin(&s->scheme, 6, dt, &state, zero, zero, a, b, f, h);
    }
}

double elv_motion_critical(const ElvMotionShooting* s) {
    double least = 1e-12;
    double most = 1e6;
    // the exponent falls with the step
    while (most > 1.001 * least) {
        double middle = sqrt(least * most);
        double a, b;
        coefficients(s, middle, &a, &b);
        bool is_hard = elv_motion_exponent(&s->grid, a, b) > CRITICAL_EXPONENT * s->cut.n_segment;
        *(is_hard ? &least : &most) = middle;
    }
    return most;
}

// ---- steps and segments

// the length of the chain, and the moment that bends (stretches, where nothing bends) it by one
static void set_units(ElvMotionShooting* s) {
    double bend = 0.0;
    double stretch = 0.0;
    s->length = 0.0;
    for (int i = 0; i < s->grid.n_step; i++) {
        const ElvShotStep* step = &s->grid.step[i];
        const ElvStrongPiece* piece = &s->chain.rod[step->i_rod].strong.piece[step->i_piece];
        for (int k = 0; k < piece->n_free; k++) {
            int strain = piece->free[k];
            double H = step->node[0].station.H.m[strain][strain];
            double softness = H > 0.0 ? step->h / H : 0.0;
            *(strain < ELV_STRAIN_STRETCH ? &bend : &stretch) += softness / piece->n_free;
        }
        s->length += step->h;
    }
    s->moment = bend > 0.0 ? 1.0 / bend : stretch > 0.0 ? s->length * s->length / stretch : 1.0;
}

// segments of about equal length that end where steps do
static bool cut_segments(ElvMotionShooting* s) {
    int n = s->grid.n_step;
    double at = 0.0;
    int k = 1;
    s->cut.first[0] = 0;
    for (int i = 0; i < n && k < s->cut.n_segment; i++) {
        at += s->grid.step[i].h;
        bool is_far = at >= s->length * k / s->cut.n_segment - 1e-9 * s->length;
        bool must_end = n - 1 - i == s->cut.n_segment - k;
        if (is_far || must_end) {
            s->cut.first[k++] = i + 1;
        }
    }
    s->cut.first[s->cut.n_segment] = n;
    return n >= s->cut.n_segment && k == s->cut.n_segment;
}

static ElvStatus choose_steps(ElvMotionShooting* s, int* steps, ElvError* error) {
    ElvShotGrid probe;
    double a, b;
    ElvStatus status = elv_shot_grid_create(&s->chain, PROBE_STEPS, 1, 1, &probe, error);
    coefficients(s, s->head.options.step > 0.0 ? s->head.options.step : 0.01, &a, &b);
    if (status == ELV_OK) {
        s->exponent = elv_motion_exponent(&probe, a, b);
        double n = ceil(s->exponent / (EXPONENT_PER_STEP * s->chain.n_rod));
        *steps = n > LEAST_STEPS ? (int)fmin(n, ELV_SHOOT_STEPS_MAX) : LEAST_STEPS;
    }
    elv_shot_grid_free(&probe);
    return status;
}

static ElvStatus build_grid(ElvMotionShooting* s, ElvError* error) {
    int steps = 0;
    ElvStatus status = choose_steps(s, &steps, error);
    int asked = s->head.options.shooting.steps;
    steps = asked > 0 ? asked : steps;
    for (int times = 1; status == ELV_OK; times *= 2) {
        if (s->has_grid) {
            elv_shot_grid_free(&s->grid);
        }
        s->has_grid = true;
        status = elv_shot_grid_create(&s->chain, steps, 1, times, &s->grid, error);
        set_units(s);
        if (status == ELV_OK && cut_segments(s)) {
            return ELV_OK;
        }
    }
    return status;
}

// ---- nodes

static bool starts_piece(const ElvShotGrid* grid, int i) {
    const ElvShotStep* step = &grid->step[i];
    return i == 0 || step[-1].i_rod != step->i_rod || step[-1].i_piece != step->i_piece;
}

// pieces, and the nodes of each: four for a step, one more at the end
static ElvStatus lay_nodes(ElvMotionShooting* s, ElvError* error) {
    int n_piece = 0;
    for (int i = 0; i < s->grid.n_step; i++) {
        n_piece += starts_piece(&s->grid, i);
    }
    s->n_node = (NODE - 1) * s->grid.n_step + n_piece;
    size_t n = (size_t)s->n_node;
    ElvFieldPiece* piece = elv_pool_take(&s->pool, (size_t)n_piece, sizeof *piece);
    double* at = elv_pool_take(&s->pool, n, sizeof *at);
    const ElvStrongStation** station = elv_pool_take(&s->pool, n, sizeof *station);
    if (!piece || !at || !station || !s->i_node) {
        return no_memory(error);
    }
    int i_piece = -1;
    for (int i = 0; i < s->grid.n_step; i++) {
        const ElvShotStep* step = &s->grid.step[i];
        if (starts_piece(&s->grid, i)) {
            int first = i == 0 ? 0 : s->i_node[i - 1] + NODE;
            piece[++i_piece] = (ElvFieldPiece){step->i_rod, step->i_piece, 1, first};
        }
        s->i_node[i] = piece[i_piece].i_node + piece[i_piece].n_node - 1;
        piece[i_piece].n_node += NODE - 1;
        for (int k = 0; k < NODE; k++) {
            at[s->i_node[i] + k] = step->node[k].station.s;
            station[s->i_node[i] + k] = &step->node[k].station;
        }
    }
    return elv_field_view_init(&s->view, &s->chain, piece, n_piece, at, station, &s->pool, error);
}

bool elv_motion_cut_take(ElvMotionCut* cut, ElvPool* pool) {
    size_t n = (size_t)cut->n_segment;
    cut->first = elv_pool_take(pool, n + 1, sizeof *cut->first);
    cut->now.at = elv_pool_take(pool, n, sizeof *cut->now.at);
    cut->trial.at = elv_pool_take(pool, n, sizeof *cut->trial.at);
    cut->end = elv_pool_take(pool, n, sizeof *cut->end);
    return cut->first && cut->now.at && cut->trial.at && cut->end;
}

ElvStatus elv_motion_build(ElvMotionShooting* s, ElvError* error) {
    s->cut.n_segment = s->head.options.shooting.segments;
    if (!elv_motion_cut_take(&s->cut, &s->pool)) {
        return no_memory(error);
    }
    ElvStatus status = build_grid(s, error);
    if (status != ELV_OK) {
        return status;
    }
    size_t n_step = (size_t)s->grid.n_step;
    s->i_node = elv_pool_take(&s->pool, n_step, sizeof *s->i_node);
    s->motion.grid = &s->grid;
    s->motion.past = elv_pool_take(&s->pool, NODE * n_step, sizeof *s->motion.past);
    s->spare.n_segment = s->grid.n_step;
    if (!s->motion.past || !elv_motion_cut_take(&s->spare, &s->pool)) {
        return no_memory(error);
    }
    for (int i = 0; i <= s->grid.n_step; i++) {
        s->spare.first[i] = i;
    }
    status = lay_nodes(s, error);
    if (status != ELV_OK) {
        return status;
    }
    size_t n = (size_t)s->n_node;
    s->field = elv_pool_take(&s->pool, n, sizeof *s->field);
    s->field_past = elv_pool_take(&s->pool, n, sizeof *s->field_past);
    s->memory = elv_pool_take(&s->pool, n, sizeof *s->memory);
    s->memory_next = elv_pool_take(&s->pool, n, sizeof *s->memory_next);
    bool is_whole = s->field && s->field_past && s->memory && s->memory_next;
    return is_whole ? ELV_OK : no_memory(error);
}
