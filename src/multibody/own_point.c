// SPDX-License-Identifier: Apache-2.0
// The arguments of a constraint written in C, and differences of it. The callback gives the rows
// and their exact derivative J by velocities; all others are central differences along the
// direction that is wanted, which cost four calls each, and are right to about 1e-12 of what
// varies.
#include "multibody/own_point.h"

#include <math.h>
#include <string.h>

/// Central differences of fourth order: step (rad, m or s) and weights of the points at 1, 2, -1
/// and -2 steps.
static const double STEP = 1e-3;
enum { N_POINT = 4 };
static const double PLACE[N_POINT] = {1.0, 2.0, -1.0, -2.0};
static const double WEIGHT[N_POINT] = {8.0 / 12.0, -1.0 / 12.0, -8.0 / 12.0, 1.0 / 12.0};

int elv_own_columns(const ElvOwnConstraint* own) {
    return 6 * own->n_frame + own->n_joint;
}

// ---- where the constraint is asked for

ElvPose elv_own_pose(const ElvOwnConstraint* own, const ElvScene* scene, int f) {
    const ElvFrame* frame = &own->frame[f];
    return elv_pose_compose(scene->data->port[frame->port].g, frame->pose);
}

ElvOwnPoint elv_own_point(const ElvOwnConstraint* own, const ElvScene* scene) {
    ElvOwnPoint point = {.t = scene->state->t};
    for (int i = 0; i < own->n_frame; i++) {
        ElvPose g = elv_own_pose(own, scene, i);
        point.eta[i] = elv_twist_transform_inv(g, scene->data->port[own->frame[i].port].V);
        g.p = elv_vec3_add(g.p, scene->data->origin);
        point.g[i] = g;
    }
    for (int i = 0; i < own->n_joint; i++) {
        const ElvNode* node = &scene->model->node[own->joint[i].i_node];
        point.q[i] = scene->state->q[node->i_q + own->joint[i].component];
        point.v[i] = scene->state->v[node->i_v + own->joint[i].component];
    }
    return point;
}

void elv_own_ask(const ElvOwnConstraint* own, const ElvOwnPoint* point, double* phi, double* J) {
    ElvConstraintInput in = {point->t, point->g, point->eta, point->q, point->v};
    own->callback(own->user, &in, phi, J);
}

static ElvOwnPoint
go(const ElvOwnConstraint* own, const ElvOwnPoint* from, const ElvOwnDirection* d, double h) {
    ElvOwnPoint point = *from;
    point.t += h * d->t;
    for (int i = 0; i < own->n_frame; i++) {
        ElvPose step = elv_se3_exp(elv_twist_scale(h, d->shift[i]));
        point.g[i] = elv_pose_compose(from->g[i], step);
        point.eta[i] = elv_twist_add_scaled(from->eta[i], h, d->d_eta[i]);
    }
    for (int i = 0; i < own->n_joint; i++) {
        point.q[i] += h * d->d_q[i];
        point.v[i] += h * d->d_v[i];
    }
    return point;
}

static double largest(double a, ElvTwist x) {
    double value[6];
    elv_twist_to_array(x, value);
    for (int k = 0; k < 6; k++) {
        a = fmax(a, fabs(value[k]));
    }
    return a;
}

// length of a direction
static double reach(const ElvOwnConstraint* own, const ElvOwnDirection* d) {
    double size = fabs(d->t);
    for (int i = 0; i < own->n_frame; i++) {
        size = largest(largest(size, d->shift[i]), d->d_eta[i]);
    }
    for (int i = 0; i < own->n_joint; i++) {
        size = fmax(size, fmax(fabs(d->d_q[i]), fabs(d->d_v[i])));
    }
    return size;
}

void elv_own_differentiate(const ElvOwnConstraint* own,
                           const ElvOwnPoint* point,
                           const ElvOwnDirection* d,
                           double* d_phi,
                           double* d_J) {
    int n_J = own->n_row * elv_own_columns(own);
    double size = reach(own, d);
    double h = size > 0.0 ? STEP / size : 0.0;
    memset(d_phi, 0, (size_t)own->n_row * sizeof *d_phi);
    memset(d_J, 0, (size_t)n_J * sizeof *d_J);
    for (int k = 0; k < N_POINT && size > 0.0; k++) {
        double phi[ELV_OWN_ROWS_MAX] = {0.0};
        double J[ELV_OWN_MAX_J] = {0.0};
        ElvOwnPoint moved = go(own, point, d, PLACE[k] * h);
        elv_own_ask(own, &moved, phi, J);
        for (int i = 0; i < own->n_row; i++) {
            d_phi[i] += WEIGHT[k] / h * phi[i];
        }
        for (int i = 0; i < n_J; i++) {
            d_J[i] += WEIGHT[k] / h * J[i];
        }
    }
}

// the direction of the motion itself
static ElvOwnDirection
motion_of(const ElvOwnConstraint* own, const ElvScene* scene, const ElvOwnPoint* point) {
    ElvOwnDirection d = {.t = scene->data->is_static ? 0.0 : 1.0};
    for (int i = 0; i < own->n_frame; i++) {
        ElvPose g = elv_own_pose(own, scene, i);
        d.shift[i] = point->eta[i];
        d.d_eta[i] = elv_twist_transform_inv(g, scene->data->port[own->frame[i].port].A);
    }
    for (int i = 0; i < own->n_joint; i++) {
        const ElvNode* node = &scene->model->node[own->joint[i].i_node];
        d.d_q[i] = point->v[i];
        d.d_v[i] = scene->state->a[node->i_v + own->joint[i].component];
    }
    return d;
}

// rate of a row of positions at a point that moves: J (eta; v) and what t does
static double rate_at(const ElvOwnConstraint* own, const ElvOwnPoint* point, double dt, int row) {
    double phi[ELV_OWN_ROWS_MAX] = {0.0};
    double J[ELV_OWN_MAX_J] = {0.0};
    const ElvOwnDirection later = {.t = dt};
    double rate = 0.0;
    elv_own_ask(own, point, phi, J);
    for (int f = 0; f < own->n_frame; f++) {
        double eta[6];
        elv_twist_to_array(point->eta[f], eta);
        for (int k = 0; k < 6; k++) {
            rate += J[row * elv_own_columns(own) + 6 * f + k] * eta[k];
        }
    }
    for (int i = 0; i < own->n_joint; i++) {
        rate += J[row * elv_own_columns(own) + 6 * own->n_frame + i] * point->v[i];
    }
    for (int k = 0; k < N_POINT && dt != 0.0; k++) {
        ElvOwnPoint moved = go(own, point, &later, PLACE[k] * STEP);
        elv_own_ask(own, &moved, phi, NULL);
        rate += WEIGHT[k] / STEP * phi[row];
    }
    return rate;
}

double elv_own_derivative(const ElvOwnConstraint* own,
                          const ElvScene* scene,
                          const ElvOwnPoint* point,
                          int row,
                          int level) {
    double d_phi[ELV_OWN_ROWS_MAX];
    double d_J[ELV_OWN_MAX_J];
    ElvOwnDirection d = motion_of(own, scene, point);
    if (own->is_velocity[row]) {
        elv_own_differentiate(own, point, &d, d_phi, d_J);
        return d_phi[row];
    }
    if (level == 1) {
        return rate_at(own, point, d.t, row);
    }
    // along the motion, with the twists changing as they do
    double h = STEP / fmax(1.0, reach(own, &d));
    double rate = 0.0;
    for (int k = 0; k < N_POINT; k++) {
        ElvOwnPoint moved = go(own, point, &d, PLACE[k] * h);
        rate += WEIGHT[k] / h * rate_at(own, &moved, d.t, row);
    }
    return rate;
}
