// SPDX-License-Identifier: Apache-2.0
// The error that steps along the chain make within a step in time: pairs of them are taken once more, as two and as one.
// Both see the past on one polynomial that is fitted to it over the pair. For accelerations are remembered with errors
// from node to node that no step feels, as they cancel in its sum, but a longer one would. What both ways differ by,
// over all pairs, is some hundred times the error of the two.
#include "strong/motion.h"

#include <math.h>
#include <string.h>

enum {
    NODE = ELV_RK8_NODE,
    PAIR = 2 * NODE - 1, // nodes of two steps
    DEGREE = 5,          // of the polynomial
    BATCH = 2,           // pairs at a time: four lanes, six steps
    STEP = 3 * BATCH
};

// what halving the steps leaves of an error: 1/255 by a method of order 8, more where steps are coarse
static const double RICHARDSON = 1.0 / 100.0;

struct ElvMotionCheck {
    ElvShotGrid grid;
    ElvMotionGrid motion;
    ElvShotStep step[STEP]; // those that are one, then those that are two
    ElvMotionPast past[STEP * NODE];
    // nodes of those that are one
    ElvShotNode node[BATCH][NODE];
    ElvFibreNode* fibre[BATCH * NODE];
    double* tension[BATCH * NODE];
    // value of the polynomial per value at a node of the pair: at the nodes of the one, at those of the pair
    double one[NODE][PAIR], two[PAIR][PAIR];
};

// ---- the polynomial

// powers of x, made normal to each other on the nodes of a pair
typedef struct {
    double at[PAIR];
    double value[DEGREE + 1][PAIR];      // at the nodes
    double term[DEGREE + 1][DEGREE + 1]; // of powers
} Basis;

static void make_basis(Basis* basis) {
    memset(basis, 0, sizeof *basis);
    for (int k = 0; k < PAIR; k++) {
        double at = k < NODE ? ELV_RK8_AT[k] : 1.0 + ELV_RK8_AT[k - NODE + 1];
        basis->at[k] = at - 1.0;
    }
    for (int i = 0; i <= DEGREE; i++) {
        basis->term[i][i] = 1.0;
        for (int k = 0; k < PAIR; k++) {
            basis->value[i][k] = pow(basis->at[k], i);
        }
        for (int j = 0; j <= i; j++) {
            double dot = 0.0;
            for (int k = 0; k < PAIR; k++) {
                dot += basis->value[i][k] * basis->value[j][k];
            }
            double factor = j < i ? 1.0 : 1.0 / sqrt(dot);
            double less = j < i ? dot : 0.0;
            for (int k = 0; k < PAIR; k++) {
                basis->value[i][k] = factor * (basis->value[i][k] - less * basis->value[j][k]);
            }
            for (int k = 0; k <= DEGREE; k++) {
                basis->term[i][k] = factor * (basis->term[i][k] - less * basis->term[j][k]);
            }
        }
    }
}

// weights of the nodes of a pair at x, from -1 to 1
static void set_weights(const Basis* basis, double x, double weight[PAIR]) {
    memset(weight, 0, PAIR * sizeof *weight);
    for (int i = 0; i <= DEGREE; i++) {
        double value = 0.0;
        for (int k = DEGREE; k >= 0; k--) {
            value = value * x + basis->term[i][k];
        }
        for (int k = 0; k < PAIR; k++) {
            weight[k] += value * basis->value[i][k];
        }
    }
}

bool elv_motion_check_take(ElvMotionShooting* s) {
    size_t n_fibre = 0;
    for (int i = 0; i < s->chain.n_rod; i++) {
        size_t own = (size_t)s->chain.rod[i].strong.fields.n_fibre;
        n_fibre = own > n_fibre ? own : n_fibre;
    }
    ElvMotionCheck* check = s->check = elv_pool_take(&s->pool, 1, sizeof *check);
    bool is_whole = check != NULL;
    for (int i = 0; i < BATCH * NODE && is_whole; i++) {
        check->fibre[i] = elv_pool_take(&s->pool, n_fibre, sizeof *check->fibre[i]);
        check->tension[i] = elv_pool_take(&s->pool, n_fibre, sizeof *check->tension[i]);
        is_whole = check->fibre[i] && check->tension[i];
    }
    if (!is_whole) {
        return false;
    }
    Basis basis;
    make_basis(&basis);
    for (int k = 0; k < PAIR; k++) {
        set_weights(&basis, basis.at[k], check->two[k]);
    }
    for (int k = 0; k < NODE; k++) {
        set_weights(&basis, 2.0 * ELV_RK8_AT[k] - 1.0, check->one[k]);
    }
    check->grid = (ElvShotGrid){.chain = &s->chain, .n_step = STEP, .step = check->step};
    return true;
}

// ---- steps

// the past of the pair that begins with step i_step, by weights; and the law there
static bool fill_past(const ElvMotionShooting* s,
                      int i_step,
                      const double* weight,
                      const ElvShotNode* node,
                      ElvMotionPast* past) {
    const ElvStrongRod* strong = &s->chain.rod[s->grid.step[i_step].i_rod].strong;
    memset(past, 0, sizeof *past);
    for (int k = 0; k < PAIR; k++) {
        // the node between the two is the last of the first
        int i = i_step * NODE + (k < NODE ? k : k + 1);
        const ElvMotionPast* from = &s->motion.past[i];
        const ElvFieldNode* field = &s->field[s->i_node[i / NODE] + i % NODE];
        past->p = elv_twist_add_scaled(past->p, weight[k], from->p);
        past->q = elv_twist_add_scaled(past->q, weight[k], from->q);
        past->r = elv_twist_add_scaled(past->r, weight[k], from->r);
        past->xi_0 = elv_twist_add_scaled(past->xi_0, weight[k], field->xi);
    }
    return !strong->is_linear ||
           elv_strong_strain(strong, &node->station, &node->drive, elv_wrench_zero(), s->motion.a,
                             past->p, &past->xi_0, &past->C) == ELV_OK;
}

// the steps i and i + 1 as one
static bool lay_one(ElvMotionShooting* s, int i, int k_pair) {
    ElvMotionCheck* check = s->check;
    const ElvShotStep* first = &s->grid.step[i];
    const ElvStrongRod* strong = &s->chain.rod[first->i_rod].strong;
    ElvShotStep* step = &check->step[k_pair];
    *step = *first;
    step->s1 = first[1].s1;
    step->h = first->h + first[1].h;
    step->node = check->node[k_pair];
    step->body = NULL;
    step->offset = NULL;
    for (int k = 0; k < NODE; k++) {
        int own = k_pair * NODE + k;
        ElvShotNode* node = &step->node[k];
        double at = step->s0 + (step->s1 - step->s0) * ELV_RK8_AT[k];
        if (elv_shot_node(strong, step->i_piece, at, check->fibre[own], check->tension[own], node,
                          NULL) != ELV_OK) {
            return false;
        }
        elv_strong_drive(strong, &node->station, &check->grid.in, node->drive.tension,
                         &node->drive);
        if (!fill_past(s, i, check->one[k], node, &check->past[own])) {
            return false;
        }
    }
    return true;
}

// the same as two
static bool lay_two(ElvMotionShooting* s, int i, int k_pair) {
    ElvMotionCheck* check = s->check;
    for (int j = 0; j < 2; j++) {
        int i_step = BATCH + 2 * k_pair + j;
        ElvShotStep* step = &check->step[i_step];
        *step = s->grid.step[i + j];
        step->body = NULL;
        step->offset = NULL;
        for (int k = 0; k < NODE; k++) {
            if (!fill_past(s, i, check->two[j * (NODE - 1) + k], &step->node[k],
                           &check->past[i_step * NODE + k])) {
                return false;
            }
        }
    }
    return true;
}

// the larger of two; what is no number is worse than any
static double worse(double a, double b) {
    return a >= b || isnan(a) ? a : b;
}

static double size_of(const double* x, double angular, double linear) {
    double most = 0.0;
    for (int i = 0; i < 6; i++) {
        most = worse(most, fabs(x[i]) / (i < 3 ? angular : linear));
    }
    return most;
}

// distance of two sections, in units of the chain; size: of wrenches
static double distance(const ElvMotionShooting* s,
                       double size,
                       const ElvMotionSection* x,
                       const ElvMotionSection* y) {
    double gap[6], d[6];
    elv_twist_to_array(elv_se3_log(elv_pose_compose(elv_pose_inverse(x->g), y->g)), gap);
    double most = size_of(gap, 1.0, s->length);
    elv_twist_to_array(elv_twist_sub(x->eta, y->eta), d);
    most = worse(most, size_of(d, s->motion.a, s->motion.a * s->length));
    if (!s->motion.is_local) {
        elv_twist_to_array(elv_twist_sub(x->eta_dot, y->eta_dot), d);
        most = worse(most, size_of(d, s->motion.b, s->motion.b * s->length));
    }
    elv_wrench_to_array(elv_wrench_sub(x->lam, y->lam), d);
    return worse(most, size_of(d, size, size / s->length));
}

// the next pairs from step *i on: their number, and the step behind them
static int gather(const ElvMotionShooting* s, int* i, int pair[BATCH]) {
    int n = 0;
    while (*i + 1 < s->grid.n_step && n < BATCH) {
        const ElvShotStep* step = &s->grid.step[*i];
        bool is_smooth = step->i_rod == step[1].i_rod && step->i_piece == step[1].i_piece;
        if (is_smooth) {
            pair[n++] = *i;
        }
        *i += is_smooth ? 2 : 1;
    }
    return n;
}

// differences of all pairs in a batch; infinite: there is none
static double compare(ElvMotionShooting* s, int n, const int pair[BATCH], double size) {
    static const int FIRST[2 * BATCH + 1] = {0, 1, 2, 4, 6};
    ElvMotionState y[2 * BATCH];
    double sum = 0.0;
    int lost;
    for (int k = 0; k < BATCH; k++) {
        // lanes that are too many do as the first
        int i = pair[k < n ? k : 0];
        const ElvFieldNode* at = &s->field[s->i_node[i]];
        ElvMotionSection start = {at->g, at->eta, at->eta_dot, at->lam};
        if (!lay_one(s, i, k) || !lay_two(s, i, k)) {
            return INFINITY;
        }
        y[k] = y[BATCH + k] = elv_motion_state_at(&start);
    }
    if (elv_motion_run(&s->check->motion, 2 * BATCH, FIRST, y, NULL, NULL, &lost) != ELV_OK) {
        return INFINITY;
    }
    for (int k = 0; k < n; k++) {
        ElvMotionSection one = elv_motion_section(&y[k]);
        ElvMotionSection two = elv_motion_section(&y[BATCH + k]);
        sum += distance(s, size, &one, &two);
    }
    return sum;
}

double elv_motion_space_error(ElvMotionShooting* s) {
    ElvMotionCheck* check = s->check;
    double sum = 0.0;
    int pair[BATCH];
    // wrenches beside those that bend the chain by one, or move it by one within the step: b mass l^4/EI
    double b = s->motion.is_local ? s->motion.a * s->motion.a : s->motion.b;
    double exponent = elv_motion_exponent(&s->grid, s->motion.a, b);
    double size = s->moment * fmax(fmax(1.0, s->size), 4.0 * pow(exponent, 4.0));
    check->grid.in = s->grid.in;
    check->motion = s->motion;
    check->motion.grid = &check->grid;
    check->motion.past = check->past;
    int i = 0;
    for (int n = gather(s, &i, pair); n > 0; n = gather(s, &i, pair)) {
        sum += compare(s, n, pair, size);
    }
    return RICHARDSON * sum;
}
