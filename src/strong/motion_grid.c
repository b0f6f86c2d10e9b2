// SPDX-License-Identifier: Apache-2.0
// The grid of shooting in time: as fine as variations grow, cut into segments, and the nodes that hold the past.
#include "strong/motion.h"

#include "strong/growth.h"

#include <math.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE, PROBE_STEPS = 4, LEAST_STEPS = 8 };

// growth over one step along the chain that its order resolves well
static const double EXPONENT_PER_STEP = 0.25;

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// ---- growth

// over the steps of one rod, or of all (-1)
static double exponent_along(const ElvShotGrid* grid, int i_rod, double a, double b) {
    double sum = 0.0;
    for (int i = 0; i < grid->n_step; i++) {
        const ElvShotStep* step = &grid->step[i];
        const ElvStrongPiece* piece = &grid->chain->rod[step->i_rod].strong.piece[step->i_piece];
        bool is_meant = i_rod < 0 || step->i_rod == i_rod;
        for (int k = 0; k < NODE && is_meant; k++) {
            sum += step->h * ELV_RK8_WEIGHT[k] * elv_growth_at(&step->node[k].station, piece, a, b);
        }
    }
    return sum;
}

double elv_motion_exponent(const ElvShotGrid* grid, double a, double b) {
    return exponent_along(grid, -1, a, b);
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

ElvStatus elv_motion_check_growth(const ElvMotionShooting* s, double dt, ElvError* error) {
    double a, b;
    coefficients(s, dt, &a, &b);
    for (int i_rod = 0; i_rod < s->chain.n_rod; i_rod++) {
        const ElvStrongRod* strong = &s->chain.rod[i_rod].strong;
        double sum = 0.0;
        for (int i = 0; i < s->grid.n_step; i++) {
            const ElvShotStep* step = &s->grid.step[i];
            const ElvStrongPiece* piece = &strong->piece[step->i_rod == i_rod ? step->i_piece : 0];
            bool is_here = step->i_rod == i_rod;
            sum += is_here ? step->h * elv_growth_at(&step->node[0].station, piece, a, b) : 0.0;
        }
        ElvStatus status = elv_growth_check(strong, dt, s->head.options.duration, sum, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static double exponent_of(const void* owner, double dt) {
    const ElvMotionShooting* s = owner;
    double a, b;
    coefficients(s, dt, &a, &b);
    return elv_motion_exponent(&s->grid, a, b);
}

int elv_motion_segments(const ElvMotionShooting* s, double dt) {
    return (int)fmin(ceil(exponent_of(s, dt) / ELV_GROWTH_CRITICAL), 1e6);
}

double elv_motion_critical(const ElvMotionShooting* s) {
    return elv_growth_step(exponent_of, s, s->cut.n_segment);
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
        // all rods have as many steps as the one that needs most
        double exponent = 0.0;
        for (int i = 0; i < s->chain.n_rod; i++) {
            exponent = fmax(exponent, exponent_along(&probe, i, a, b));
        }
        double n = ceil(exponent / EXPONENT_PER_STEP);
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
        elv_shot_grid_free(&s->grid);
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
            at[s->i_node[i] + k] = step->s0 + (step->s1 - step->s0) * ELV_RK8_AT[k];
            station[s->i_node[i] + k] = &step->node[k].station;
        }
    }
    return elv_field_view_init(&s->view, &s->chain, piece, n_piece, at, station, &s->pool, error);
}

static bool cut_take(ElvMotionCut* cut, ElvPool* pool) {
    size_t n = (size_t)cut->n_segment;
    cut->first = elv_pool_take(pool, n + 1, sizeof *cut->first);
    cut->now.at = elv_pool_take(pool, n, sizeof *cut->now.at);
    cut->trial.at = elv_pool_take(pool, n, sizeof *cut->trial.at);
    cut->end = elv_pool_take(pool, n, sizeof *cut->end);
    return cut->first && cut->now.at && cut->trial.at && cut->end;
}

ElvStatus elv_motion_build(ElvMotionShooting* s, ElvError* error) {
    s->cut.n_segment = s->head.options.shooting.segments;
    if (!cut_take(&s->cut, &s->pool)) {
        return no_memory(error);
    }
    ElvStatus status = build_grid(s, error);
    if (status != ELV_OK) {
        return status;
    }
    size_t n_step = (size_t)s->grid.n_step;
    s->i_node = elv_pool_take(&s->pool, n_step, sizeof *s->i_node);
    s->motion.grid = &s->grid;
    s->motion.i_node = s->i_node;
    s->motion.past = elv_pool_take(&s->pool, NODE * n_step, sizeof *s->motion.past);
    s->spare.n_segment = s->grid.n_step;
    if (!s->motion.past || !cut_take(&s->spare, &s->pool)) {
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
