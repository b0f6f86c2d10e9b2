// SPDX-License-Identifier: Apache-2.0
// Friction, stops and controllers of lumped joints: efforts and their derivatives (joint_control.h).
//
// The factor s(x) = x + sqrt(1 + x^2) = exp(asinh x) on the push of a stop is 1 + x to first order, the
// damping in proportion to depth of Hunt and Crossley, but stays positive: s(x) s(-x) = 1. Whatever the
// spring, an impact at speed v leaves at the speed w of
//     (1 + c^2 v^2)^(3/2) - c^3 v^3 = (1 + c^2 w^2)^(3/2) + c^3 w^3,   w = v - 2/3 c v^2 + ...
#include "joint/joint_control.h"

#include <math.h>
#include <string.h>

enum { N = 6 };

// ---- stops

/// Push of a stop at depth p, its derivatives by p and p_dot.
typedef struct {
    double push, by_depth, by_rate;
} Stop;

static Stop stop_push(double k, double c, double w, double p, double p_dot) {
    Stop stop = {0.0, 0.0, 0.0};
    if (!(p > 0.0)) {
        return stop;
    }
    double e = p < w ? 0.5 * p * p / w : p - 0.5 * w;
    double slope = p < w ? p / w : 1.0;
    // s(x) without cancellation on either side
    double x = c * p_dot;
    double root = sqrt(1.0 + x * x);
    double s = x > 0.0 ? x + root : 1.0 / (root - x);
    stop.push = k * e * s;
    stop.by_depth = k * slope * s;
    stop.by_rate = k * e * s * c / root;
    return stop;
}

static double stop_energy(double k, double w, double p) {
    if (!(p > 0.0)) {
        return 0.0;
    }
    return k * (p < w ? p * p * p / (6.0 * w) : 0.5 * p * p - 0.5 * w * p + w * w / 6.0);
}

// effort of both stops of component k, with minus its derivatives by q and v
static Stop stop_effort(const ElvJointControl* control, int k, double q, double v) {
    double stiffness = control->stop_stiffness[k];
    double damping = control->stop_damping[k];
    double width = control->stop_width[k];
    Stop above = stop_push(stiffness, damping, width, q - control->upper[k], v);
    Stop below = stop_push(stiffness, damping, width, control->lower[k] - q, -v);
    Stop sum = {below.push - above.push, above.by_depth + below.by_depth,
                above.by_rate + below.by_rate};
    return sum;
}

// ---- controllers

// effort of the controller of component k; slope: of the effort by what it would be without a limit
static double
control_effort(const ElvJointControl* control, const ElvJointInput* in, int k, double* slope) {
    *slope = 1.0;
    if (control->kp[k] == 0.0 && control->kd[k] == 0.0 && control->ki[k] == 0.0) {
        return 0.0;
    }
    // load stepping leads from where the joint starts; in statics t is no time
    ElvJet target = elv_law_eval(control->target[k], in->t, 0.0);
    double q_d = in->load * target.v + (1.0 - in->load) * control->start[k];
    double q_d_dot = in->is_static ? 0.0 : target.d;
    double x = control->kp[k] * (q_d - in->q[k]) + control->kd[k] * (q_d_dot - in->v[k]);
    if (control->channel[k] >= 0) {
        x += control->ki[k] * in->u[control->channel[k]];
    }
    double limit = control->max_effort[k];
    if (!isfinite(limit)) {
        return x;
    }
    double part = tanh(x / limit);
    *slope = (1.0 - part) * (1.0 + part);
    return limit * part;
}

double elv_joint_control_slope(const ElvJointControl* control, const ElvJointInput* in, int k) {
    double slope;
    (void)control_effort(control, in, k, &slope);
    return slope;
}

// ---- efforts

void elv_joint_control_resist(const ElvJointControl* control,
                              const ElvJointInput* in,
                              double* effort) {
    for (int k = 0; k < control->n_v && control->is_active; k++) {
        if (control->friction[k] > 0.0) {
            effort[k] -= control->friction[k] * tanh(in->v[k] / control->friction_speed[k]);
        }
        if (control->is_scalar) {
            effort[k] += stop_effort(control, k, in->q[k], in->v[k]).push;
        }
    }
}

void elv_joint_control_drive(const ElvJointControl* control,
                             const ElvJointInput* in,
                             double* effort) {
    if (!control->is_active) {
        return;
    }
    for (int k = 0; k < control->n_v && control->is_scalar; k++) {
        double slope;
        effort[k] += control_effort(control, in, k, &slope);
    }
    if (control->callback) {
        double more[N] = {0.0};
        control->callback(control->user, in->t, in->q, in->v, more, NULL, NULL);
        for (int k = 0; k < control->n_v; k++) {
            effort[k] += more[k];
        }
    }
}

double elv_joint_control_loss(const ElvJointControl* control, const ElvJointInput* in) {
    double loss = 0.0;
    for (int k = 0; k < control->n_v && control->is_active; k++) {
        double v = in->v[k];
        if (control->friction[k] > 0.0) {
            loss += control->friction[k] * tanh(v / control->friction_speed[k]) * v;
        }
        if (control->is_scalar) {
            // what a stop pushes beside its spring, which pushes so at rest
            double spring = stop_effort(control, k, in->q[k], 0.0).push;
            loss += (spring - stop_effort(control, k, in->q[k], v).push) * v;
        }
    }
    return loss;
}

double elv_joint_control_energy(const ElvJointControl* control, const double* q) {
    double energy = 0.0;
    for (int k = 0; k < control->n_v && control->is_active && control->is_scalar; k++) {
        double stiffness = control->stop_stiffness[k];
        double width = control->stop_width[k];
        energy += stop_energy(stiffness, width, q[k] - control->upper[k]) +
                  stop_energy(stiffness, width, control->lower[k] - q[k]);
    }
    return energy;
}

// ---- tangent

// K = -d effort / d u, D = -d effort / d v, each (n_v x n_v)
static void
gradients(const ElvJointControl* control, const ElvJointInput* in, double* K, double* D) {
    int n = control->n_v;
    memset(K, 0, N * N * sizeof *K);
    memset(D, 0, N * N * sizeof *D);
    if (control->callback) {
        double effort[N] = {0.0};
        control->callback(control->user, in->t, in->q, in->v, effort, K, D);
    }
    for (int k = 0; k < n; k++) {
        int i = k * n + k;
        if (control->friction[k] > 0.0) {
            double speed = control->friction_speed[k];
            double part = tanh(in->v[k] / speed);
            D[i] += control->friction[k] / speed * (1.0 - part) * (1.0 + part);
        }
        if (control->is_scalar) {
            Stop stop = stop_effort(control, k, in->q[k], in->v[k]);
            double slope;
            (void)control_effort(control, in, k, &slope);
            K[i] += stop.by_depth + slope * control->kp[k];
            D[i] += stop.by_rate + slope * control->kd[k];
        }
    }
}

// variations of coordinates and velocities per unit of one unknown                  [P23 (14)-(15)]
static void vary(const ElvJointControl* control,
                 const ElvJointInput* in,
                 const ElvUnknown* unknown,
                 int column,
                 double u[N],
                 double d_v[N]) {
    int n = control->n_v;
    memset(u, 0, N * sizeof *u);
    memset(d_v, 0, N * sizeof *d_v);
    u[column] = unknown->c;
    d_v[column] = unknown->a;
    for (int k = 0; k < n && unknown->N0; k++) {
        u[k] = unknown->N0[k * n + column];
        d_v[k] = unknown->N1[k * n + column];
    }
    if (control->is_scalar) {
        return;
    }
    // the moving frame turns: d_eta = u_dot + ad_eta u
    double eta[N] = {0.0};
    double turn[N];
    memcpy(eta, in->v, (size_t)n * sizeof *eta);
    elv_twist_to_array(elv_twist_bracket(elv_twist_from_array(eta), elv_twist_from_array(u)), turn);
    for (int k = 0; k < n; k++) {
        d_v[k] += turn[k];
    }
}

void elv_joint_control_tangent(const ElvJointControl* control,
                               const ElvJointInput* in,
                               const ElvUnknown* unknown,
                               double* Qq) {
    if (!control->is_active) {
        return;
    }
    int n = control->n_v;
    double K[N * N];
    double D[N * N];
    gradients(control, in, K, D);
    for (int column = 0; column < n; column++) {
        double u[N];
        double d_v[N];
        vary(control, in, unknown, column, u, d_v);
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                Qq[k * n + column] += K[k * n + i] * u[i] + D[k * n + i] * d_v[i];
            }
        }
    }
}

// ---- the integral

void elv_joint_control_channel(const ElvJointControl* control,
                               const ElvJointInput* in,
                               int i,
                               ElvChannel* channel) {
    int k = control->component[i];
    double slope;
    (void)control_effort(control, in, k, &slope);
    for (int j = 0; j < control->n_v; j++) {
        channel->effort[j] = j == k ? slope * control->ki[k] : 0.0;
        channel->d_value[j] = j == k ? 1.0 : 0.0;
        channel->d_factor[j] = 0.0;
    }
    channel->value = in->q[k];
    channel->rate = in->v[k];
    channel->factor = 1.0;
}

// ---- compilation

static bool has_stop(const ElvJointDef* def, int k) {
    return def->stop_stiffness[k] > 0.0 && (isfinite(def->lower[k]) || isfinite(def->upper[k]));
}

void elv_joint_control_init(ElvJointControl* control,
                            const ElvJointDef* def,
                            int n_v,
                            bool is_scalar,
                            const double* start,
                            const ElvLaw* const target[6]) {
    memset(control, 0, sizeof *control);
    control->n_v = n_v;
    control->is_scalar = is_scalar;
    control->callback = def->callback;
    control->user = def->user;
    control->is_active = def->callback != NULL;
    for (int k = 0; k < n_v; k++) {
        bool is_controlled = is_scalar && def->drive != ELV_DRIVE_MOTION;
        control->friction[k] = def->friction[k];
        control->friction_speed[k] = def->friction_speed[k];
        bool is_stopped = is_scalar && has_stop(def, k);
        control->lower[k] = is_stopped ? def->lower[k] : -INFINITY;
        control->upper[k] = is_stopped ? def->upper[k] : INFINITY;
        control->stop_stiffness[k] = is_stopped ? def->stop_stiffness[k] : 0.0;
        control->stop_damping[k] = def->stop_damping[k];
        control->stop_width[k] = def->stop_width[k];
        control->kp[k] = is_controlled ? def->kp[k] : 0.0;
        control->kd[k] = is_controlled ? def->kd[k] : 0.0;
        control->ki[k] = is_controlled ? def->ki[k] : 0.0;
        control->max_effort[k] = def->max_effort[k];
        control->target[k] = target ? target[k] : NULL;
        control->start[k] = start[k];
        control->channel[k] = control->ki[k] != 0.0 ? control->n_channel : -1;
        if (control->ki[k] != 0.0) {
            control->component[control->n_channel++] = k;
        }
        control->is_active = control->is_active || def->friction[k] > 0.0 || is_stopped ||
                             control->kp[k] != 0.0 || control->kd[k] != 0.0 ||
                             control->ki[k] != 0.0;
    }
}
