// SPDX-License-Identifier: Apache-2.0
// The joint at the root in time by the pair of Dormand and Prince of orders 5 and 4, with steps chosen by rel_tol and
// abs_tol of the model. A quaternion counts by its direction alone, and its rate keeps its length; it is
// made unit after each step. No step crosses a breakpoint of a law.
#include "strong/root_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGE = ELV_ROOT_STAGE, SIZE = ELV_ROOT_SIZE };

/// A motion that asks for steps below this fraction of the duration runs away.
static const double SMALLEST_STEP = 1e-10;

static const double C[STAGE] = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
static const double A[STAGE][STAGE - 1] = {
    {0.0},
    {0.2},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
// fifth order less fourth
static const double E[STAGE] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

static const ElvJoint* joint_of(const ElvRootMotion* motion) {
    return motion->riccati->chain.joint ? &motion->riccati->chain.joint->joint : NULL;
}

// nothing to integrate: no joint, or one whose motion is imposed
static bool is_led(const ElvRootMotion* motion) {
    const ElvJoint* joint = joint_of(motion);
    return !joint || joint->is_motion_driven;
}

// ---- rates

// inverse dynamics at y, with unit quaternions; rate may be NULL
static ElvStatus solve_at(ElvRootMotion* m, double t, const double* y, double* rate, ElvError* e) {
    const ElvJoint* joint = joint_of(m);
    double q[7], v[6], a[6];
    memcpy(q, y, (size_t)joint->n_q * sizeof *q);
    memcpy(v, y + joint->n_q, (size_t)joint->n_v * sizeof *v);
    joint->ops->impose(joint, t, q, v, a);
    ElvStatus status = elv_riccati_solve_imposed(m->riccati, t, false, q, v, e);
    if (status == ELV_OK && rate) {
        joint->ops->rate(joint, y, v, rate);
        memcpy(rate + joint->n_q, m->riccati->root.a, (size_t)joint->n_v * sizeof *rate);
    }
    return status;
}

// laws are seen from within the interval between two breakpoints
static double inside(const ElvRootMotion* m, double t) {
    t = t < m->t_stop ? t : nextafter(m->t_stop, -INFINITY);
    return t > m->t_begin ? t : nextafter(m->t_begin, INFINITY);
}

// ---- steps

// y after a step of length h, and its error against the tolerances
static ElvStatus try_step(ElvRootMotion* m, double h, double* next, double* size, ElvError* error) {
    const ElvSimulateDef* options = &m->head.options;
    int n = joint_of(m)->n_q + joint_of(m)->n_v;
    for (int i = m->has_first ? 1 : 0; i < STAGE; i++) {
        memcpy(next, m->y, sizeof m->y);
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < n; k++) {
                next[k] += h * A[i][j] * m->k[j][k];
            }
        }
        ElvStatus status = solve_at(m, inside(m, m->t + C[i] * h), next, m->k[i], error);
        if (status != ELV_OK) {
            return status;
        }
    }
    m->has_first = true;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        double error_k = 0.0;
        for (int i = 0; i < STAGE; i++) {
            error_k += h * E[i] * m->k[i][k];
        }
        double tol = options->abs_tol + options->rel_tol * fmax(fabs(m->y[k]), fabs(next[k]));
        sum += error_k * error_k / (tol * tol);
    }
    *size = sqrt(sum / n);
    return isfinite(*size) ? ELV_OK : ELV_ERROR_NUMERIC;
}

static void accept(ElvRootMotion* m, double t, const double* next) {
    const ElvJoint* joint = joint_of(m);
    double a[6];
    memcpy(m->y, next, sizeof m->y);
    joint->ops->impose(joint, t, m->y, m->y + joint->n_q, a);
    // the last stage is the first one of the next step, but for the length of a quaternion
    joint->ops->rate(joint, m->y, m->y + joint->n_q, m->k[STAGE - 1]);
    memcpy(m->k[0], m->k[STAGE - 1], sizeof m->k[0]);
    m->t = t;
    m->n_step++;
}

static ElvStatus too_small(const ElvRootMotion* m, double h, ElvError* error) {
    const char* name = m->riccati->chain.model->node[m->riccati->chain.i_joint].name;
    return elv_error_set(
        error, ELV_ERROR_STEP, name, "",
        "no step meets the tolerance at t = %.9g (last step %.3g s): the motion of "
        "'%s' runs away there, or a law is not smooth; loosen simulate.rel_tol",
        m->t, h, name);
}

// one accepted step, not beyond t_limit
static ElvStatus step(ElvRootMotion* m, double t_limit, ElvError* error) {
    m->t_stop = elv_integrator_breakpoint(&m->head, m->t, t_limit);
    double t_end = fmin(t_limit, m->t_stop);
    double least = SMALLEST_STEP * fmax(m->head.options.duration, fabs(t_end));
    for (;;) {
        double next[SIZE];
        double size = INFINITY;
        bool is_last = m->h <= 0.0 || m->t + 1.0000001 * m->h >= t_end;
        double h = is_last ? t_end - m->t : m->h;
        // an interval shorter than that was asked for
        bool is_short = h <= least;
        ElvStatus status = try_step(m, h, next, &size, error);
        if (status != ELV_OK && (status != ELV_ERROR_NUMERIC || is_short)) {
            return status;
        }
        double factor = size > 0.0 ? fmin(5.0, fmax(0.2, 0.9 * pow(size, -0.2))) : 5.0;
        if (size <= 1.0) {
            // a step that was cut short says little of the next
            m->h = is_last && h < m->h ? fmax(m->h, h * factor) : h * factor;
            accept(m, is_last ? t_end : m->t + h, next);
            break;
        }
        if (is_short) {
            return too_small(m, h, error);
        }
        m->h = h * factor;
    }
    if (m->t >= m->t_stop) {
        m->t_begin = m->t;
        m->has_first = false;
    }
    return ELV_OK;
}

// ---- the motion

ElvStatus
elv_root_motion_start(ElvRootMotion* motion, ElvRiccati* riccati, double t, ElvError* error) {
    const ElvModel* model = riccati->chain.model;
    memset(motion, 0, sizeof *motion);
    motion->riccati = riccati;
    motion->t = t;
    motion->t_begin = t;
    if (!is_led(motion)) {
        const ElvJoint* joint = joint_of(motion);
        joint->ops->initial(joint, motion->y, motion->y + joint->n_q);
    }
    return elv_integrator_init(&motion->head, NULL, model, &model->simulate, error);
}

void elv_root_motion_free(ElvRootMotion* motion) {
    free(motion->head.breakpoint);
    motion->head.breakpoint = NULL;
}

ElvStatus elv_root_motion_to(ElvRootMotion* motion, double t, ElvError* error) {
    if (is_led(motion)) {
        motion->t = t;
        return elv_riccati_solve_imposed(motion->riccati, t, false, NULL, NULL, error);
    }
    while (motion->t < t) {
        if (elv_brake_ask(&motion->head.brake)) {
            return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                                 "stopped by the caller at t = %.9g", motion->t);
        }
        // laws are searched one duration ahead, and no step goes further
        ElvStatus status = step(motion, fmin(t, motion->t + motion->head.options.duration), error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return solve_at(motion, t, motion->y, NULL, error);
}
