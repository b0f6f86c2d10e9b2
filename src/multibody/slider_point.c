// SPDX-License-Identifier: Apache-2.0
// Kinematics of sliders (slider.h): the point and the section of the rod beneath it, their rates and
// variations. With s held the centreline moves by v = V.lin + V.ang x r; with s free
//     p_dot  = v + t s_dot
//     p_ddot = a + 2 t_dot s_dot + t_ds s_dot^2 + t s_ddot.
#include "multibody/slider.h"

#include <math.h>
#include <string.h>

/// Cosine of the angle between the tangent and an axis of the section up to which that axis is across the rod.
static const double MOST_SHEAR = 0.9;

static const ElvRod* rod_of(const ElvSlider* slider, const ElvScene* scene) {
    return (const ElvRod*)scene->model->node[slider->i_node].joint;
}

static ElvSliderWork* work_of(const ElvSlider* slider, const ElvScene* scene) {
    return scene->data->device_work[slider->device.i_device];
}

// velocity of a point, or its variation, under a spatial twist
static ElvVec3 move(ElvTwist V, ElvVec3 p) {
    return elv_vec3_add(V.lin, elv_vec3_cross(V.ang, p));
}

// ---- the section

// the law of the station
static ElvJet drive_of(const ElvSlider* slider, const ElvScene* scene) {
    ElvJet jet = elv_law_eval(slider->law, scene->state->t, 0.0);
    // in statics t is a load
    if (scene->data->is_static) {
        jet.d = jet.dd = 0.0;
    }
    return jet;
}

static void place_at(const ElvSlider* slider, const ElvScene* scene, double s) {
    const ElvNode* node = &scene->model->node[slider->i_node];
    ElvSliderWork* work = work_of(slider, scene);
    work->s = s;
    elv_rod_point_place(rod_of(slider, scene), scene->data->work[slider->i_node],
                        scene->state->q + node->i_q, s, &work->at);
}

void elv_slider_place(const ElvSlider* slider, const ElvScene* scene) {
    double s = slider->is_driven ? drive_of(slider, scene).v
                                 : scene->state->z[slider->device.i_z + slider->device.n_z - 1];
    place_at(slider, scene, s);
}

ElvWrench elv_slider_wrench(const ElvData* data, const double* z) {
    ElvWrench W = elv_wrench_from_array(z);
    W.mom = elv_vec3_sub(W.mom, elv_vec3_cross(data->origin, W.frc));
    return W;
}

// ---- motion

// shape of the centreline
static void look_at_line(const ElvSliderWork* work, ElvSliding* sliding) {
    const ElvRodPoint* at = &work->at;
    sliding->beyond = work->s - at->s;
    sliding->t = at->tangent;
    sliding->t_ds = sliding->beyond == 0.0 ? at->tangent_ds : elv_vec3(0.0, 0.0, 0.0);
    sliding->r = elv_vec3_add_scaled(at->g.p, sliding->beyond, at->tangent);
    sliding->stretch = elv_vec3_norm(at->tangent);
    sliding->e[0] = elv_vec3_scale(1.0 / sliding->stretch, at->tangent);
    // across: axes of the section, which turn smoothly with it
    ElvVec3 y = elv_mat3_apply(at->g.R, elv_vec3(0.0, 1.0, 0.0));
    double along = elv_vec3_dot(y, sliding->e[0]);
    if (fabs(along) > MOST_SHEAR) {
        y = elv_mat3_apply(at->g.R, elv_vec3(0.0, 0.0, 1.0));
        along = elv_vec3_dot(y, sliding->e[0]);
    }
    ElvVec3 across = elv_vec3_add_scaled(y, -along, sliding->e[0]);
    sliding->e[1] = elv_vec3_scale(1.0 / elv_vec3_norm(across), across);
    sliding->e[2] = elv_vec3_cross(sliding->e[0], sliding->e[1]);
}

// p_ddot - a - 2 t_dot s_dot - t_ds s_dot^2
static ElvVec3 bend_of(const ElvSliding* sliding, const ElvMotion* frame, ElvTwist A) {
    ElvVec3 turn = elv_vec3_cross(frame->V.ang, sliding->p_dot);
    ElvVec3 p_ddot = elv_vec3_add(move(frame->A, sliding->p), turn);
    turn = elv_vec3_cross(sliding->V.ang, sliding->v);
    ElvVec3 a = elv_vec3_add(move(A, sliding->r), turn);
    double s_dot = sliding->s.d;
    ElvVec3 bend = elv_vec3_sub(p_ddot, a);
    bend = elv_vec3_add_scaled(bend, -2.0 * s_dot, sliding->t_dot);
    return elv_vec3_add_scaled(bend, -s_dot * s_dot, sliding->t_ds);
}

ElvSliding elv_slider_look(const ElvSlider* slider, const ElvScene* scene, bool has_bend) {
    const ElvData* data = scene->data;
    const ElvNode* node = &scene->model->node[slider->i_node];
    const ElvSliderWork* work = work_of(slider, scene);
    const double* v = scene->state->v + node->i_v;
    const ElvMotion* frame = &data->port[slider->point.port];
    ElvSliding sliding;
    ElvTwist A;
    memset(&sliding, 0, sizeof sliding);
    sliding.work = work;
    look_at_line(work, &sliding);
    sliding.p = elv_pose_apply(frame->g, slider->point.pose.p);
    sliding.p_dot = move(frame->V, sliding.p);
    elv_rod_point_motion(rod_of(slider, scene), data->work[slider->i_node], &work->at, v,
                         scene->state->a + node->i_v, &sliding.V, has_bend ? &A : NULL);
    for (int k = 0; k < node->joint->n_v; k++) {
        sliding.V_ds = elv_twist_add_scaled(sliding.V_ds, v[k], work->at.J_ds[k]);
    }
    sliding.t_dot = elv_rod_point_tangent_rate(&work->at, sliding.V, sliding.V_ds);
    sliding.v = elv_vec3_add_scaled(move(sliding.V, work->at.g.p), sliding.beyond, sliding.t_dot);
    sliding.s = slider->is_driven ? drive_of(slider, scene) : (ElvJet){work->s, 0.0, 0.0};
    if (!slider->is_driven) {
        sliding.s.d = elv_slider_speed(&sliding) / sliding.stretch;
    }
    if (has_bend) {
        sliding.bend = bend_of(&sliding, frame, A);
    }
    double open = 1.0 - data->closure;
    sliding.gap = elv_vec3_sub(sliding.p, sliding.r);
    if (open != 0.0) {
        sliding.gap = elv_vec3_add_scaled(sliding.gap, -open, data->gap[slider->i_gap].lin);
    }
    sliding.W = elv_slider_wrench(data, scene->state->z + slider->device.i_z);
    return sliding;
}

double elv_slider_speed(const ElvSliding* sliding) {
    return elv_vec3_dot(sliding->e[0], elv_vec3_sub(sliding->p_dot, sliding->v));
}

double elv_slider_nearest(const ElvSlider* slider, const ElvScene* scene, double guess) {
    enum { MAX_ITERATION = 60 };
    const ElvMotion* frame = &scene->data->port[slider->point.port];
    const ElvRodPoint* at = &work_of(slider, scene)->at;
    ElvVec3 p = elv_pose_apply(frame->g, slider->point.pose.p);
    double s = fmin(1.0, fmax(0.0, guess));
    place_at(slider, scene, s);
    ElvVec3 d = elv_vec3_sub(at->g.p, p);
    for (int i = 0; i < MAX_ITERATION; i++) {
        // slope and curvature of half the squared distance
        double size = elv_vec3_dot(at->tangent, at->tangent);
        double curve = size + elv_vec3_dot(at->tangent_ds, d);
        double step = -elv_vec3_dot(at->tangent, d) / (curve > 0.1 * size ? curve : size);
        double before = elv_vec3_dot(d, d);
        double from = s;
        // not farther away, and no farther than the ends
        for (int cut = 0; cut < 30; cut++, step *= 0.5) {
            s = fmin(1.0, fmax(0.0, from + step));
            place_at(slider, scene, s);
            d = elv_vec3_sub(at->g.p, p);
            if (!(elv_vec3_dot(d, d) > before) || fabs(step) < 1e-12) {
                break;
            }
        }
        if (!(fabs(s - from) > 1e-15)) {
            break;
        }
    }
    return s;
}

// ---- variation

// of the velocity of the point, along a direction
static double vary_point_speed(const ElvMotion* frame, const double* x, ElvVec3 p, ElvVec3 e) {
    ElvTwist Z = elv_twist_from_array(x);
    ElvTwist d_V = elv_twist_add(elv_twist_from_array(x + 6), elv_twist_bracket(Z, frame->V));
    ElvVec3 d = elv_vec3_add(move(d_V, p), elv_vec3_cross(frame->V.ang, move(Z, p)));
    return elv_vec3_dot(e, d);
}

// of the velocity of the section, along e and with e held; d_r: of the centreline
static double vary_section_speed(const ElvSlider* slider,
                                 const ElvScene* scene,
                                 const ElvSliding* sliding,
                                 const double* d_nu,
                                 double d_s,
                                 ElvVec3 d_r) {
    const ElvData* data = scene->data;
    const ElvNode* node = &scene->model->node[slider->i_node];
    const ElvSliderWork* work = sliding->work;
    const ElvUnknown* unknown = &data->unknown[slider->i_node];
    const double* x = data->x + (size_t)node->parent_port * ELV_N_VARIATION;
    // e . (V.lin + V.ang x r) is the power of V on a unit force
    ElvWrench unit = elv_wrench(elv_vec3_cross(sliding->r, sliding->e[0]), sliding->e[0]);
    ElvTwist d_V = elv_twist_bracket(elv_twist_from_array(x), data->port[node->parent_port].V);
    d_V = elv_twist_add(d_V, elv_twist_from_array(x + 6));
    d_V = elv_twist_add_scaled(d_V, d_s, sliding->V_ds);
    double sum = elv_vec3_dot(sliding->e[0], elv_vec3_cross(sliding->V.ang, d_r));
    for (int k = 0; k < node->joint->n_v; k++) {
        d_V = elv_twist_add_scaled(d_V, unknown->a * d_nu[node->i_v + k], work->at.J[k]);
        sum += unknown->c * work->d_speed[k] * d_nu[node->i_v + k];
    }
    for (int i = 0; i < 6; i++) {
        sum += work->d_speed_root[i] * x[i];
    }
    return sum + elv_power(d_V, unit);
}

ElvSlidingVariation elv_slider_vary(const ElvSlider* slider,
                                    const ElvScene* scene,
                                    const ElvSliding* sliding,
                                    const double* d_nu,
                                    double d_s) {
    const ElvData* data = scene->data;
    const ElvNode* node = &scene->model->node[slider->i_node];
    const ElvRodPoint* at = &sliding->work->at;
    const ElvUnknown* unknown = &data->unknown[slider->i_node];
    const double* of_frame = data->x + (size_t)slider->point.port * ELV_N_VARIATION;
    const double* of_root = data->x + (size_t)node->parent_port * ELV_N_VARIATION;
    bool is_motion = scene->rule && scene->rule->is_motion;
    int first = is_motion ? 12 : 0;
    ElvTwist Z = elv_twist_from_array(of_root + first);
    ElvTwist Z_ds = elv_twist_zero();
    for (int k = 0; k < node->joint->n_v; k++) {
        double d_q = (is_motion ? unknown->b : unknown->c) * d_nu[node->i_v + k];
        Z = elv_twist_add_scaled(Z, d_q, at->J[k]);
        Z_ds = elv_twist_add_scaled(Z_ds, d_q, at->J_ds[k]);
    }
    ElvSlidingVariation d;
    memset(&d, 0, sizeof d);
    d.p = move(elv_twist_from_array(of_frame + first), sliding->p);
    d.t = elv_rod_point_tangent_rate(at, Z, Z_ds);
    d.r = elv_vec3_add_scaled(move(Z, at->g.p), sliding->beyond, d.t);
    if (is_motion) {
        return d;
    }
    d.r = elv_vec3_add_scaled(d.r, d_s, sliding->t);
    d.t = elv_vec3_add_scaled(d.t, d_s, sliding->t_ds);
    ElvVec3 across = elv_vec3_add_scaled(d.t, -elv_vec3_dot(sliding->e[0], d.t), sliding->e[0]);
    d.e = elv_vec3_scale(1.0 / sliding->stretch, across);
    if (slider->damping > 0.0) {
        d.speed =
            elv_vec3_dot(d.e, elv_vec3_sub(sliding->p_dot, sliding->v)) +
            vary_point_speed(&data->port[slider->point.port], of_frame, sliding->p, sliding->e[0]) -
            vary_section_speed(slider, scene, sliding, d_nu, d_s, d.r);
    }
    return d;
}

// ---- the tangent

// d_speed = v^T d(J^T unit)
static void vary_speed(const ElvSlider* slider, const ElvScene* scene, const ElvSliding* sliding) {
    const ElvNode* node = &scene->model->node[slider->i_node];
    ElvSliderWork* work = work_of(slider, scene);
    size_t n = (size_t)node->joint->n_v;
    const double* v = scene->state->v + node->i_v;
    double* H = work->H;
    double* H_root = H + n * n;
    ElvWrench unit = elv_wrench(elv_vec3_cross(sliding->r, sliding->e[0]), sliding->e[0]);
    memset(H, 0, n * (n + 6) * sizeof *H);
    memset(work->d_speed, 0, n * sizeof *work->d_speed);
    memset(work->d_speed_root, 0, sizeof work->d_speed_root);
    elv_rod_point_force_variation(rod_of(slider, scene), scene->data->work[slider->i_node],
                                  &work->at, unit, H, H_root, NULL);
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < n; j++) {
            work->d_speed[j] += v[k] * H[k * n + j];
        }
        for (size_t i = 0; i < 6; i++) {
            work->d_speed_root[i] += v[k] * H_root[k * 6 + i];
        }
    }
}

void elv_slider_tangent(const ElvDevice* device, const ElvScene* scene) {
    const ElvSlider* slider = (const ElvSlider*)device;
    const ElvNode* node = &scene->model->node[slider->i_node];
    ElvJointTangent* tangent = &scene->data->tangent[slider->i_node];
    ElvSliderWork* work = work_of(slider, scene);
    size_t n = (size_t)node->joint->n_v;
    elv_slider_place(slider, scene);
    if (scene->data->unknown[slider->i_node].c == 0.0) {
        return;
    }
    ElvSliding sliding = elv_slider_look(slider, scene, false);
    if (slider->damping > 0.0) {
        vary_speed(slider, scene, &sliding);
    }
    // the residual has -J^T W
    double* H_root = node->parent_port != 0 ? work->H : NULL;
    memset(work->H, 0, n * 6 * sizeof *work->H);
    elv_rod_point_force_variation(rod_of(slider, scene), scene->data->work[slider->i_node],
                                  &work->at, elv_wrench_scale(-1.0, sliding.W), tangent->Qq, H_root,
                                  NULL);
    for (size_t k = 0; k < n && H_root; k++) {
        for (size_t i = 0; i < 6; i++) {
            tangent->Qx[k * ELV_N_VARIATION + i] += H_root[k * 6 + i];
        }
    }
}
