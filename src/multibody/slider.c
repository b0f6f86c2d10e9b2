// SPDX-License-Identifier: Apache-2.0
// Sliders as devices (slider.h): the wrench on rod and frame, its seven equations (six where the station is
// driven), and the exact rows and columns of both in the bordered tangent.
//
// Positions are compared in world axes. Where motions are closed (is_motion) the rows stand along the rod and
// across it: along it a slider that is not driven holds nothing, and that row keeps the station.
#include "multibody/slider.h"

#include "base/number_text.h"

#include <math.h>
#include <string.h>

/// Rows: the gap, the moment about the point, the force along the rod; the station is the last unknown.
enum { GAP_ROW, MOMENT_ROW = 3, FORCE_ROW = 6, STATION = 6 };

/// Stations beyond the ends by no more than this are at the ends.
static const double END_SLACK = 1e-9;

static const ElvSlider* as_slider(const ElvDevice* device) {
    return (const ElvSlider*)device;
}

static ElvSliderWork* work_of(const ElvDevice* device, const ElvScene* scene) {
    return scene->data->device_work[device->i_device];
}

static void write_vector(ElvVec3 x, double* value) {
    value[0] = x.x;
    value[1] = x.y;
    value[2] = x.z;
}

// components along the rod and across
static void write_local(const ElvSliding* sliding, ElvVec3 x, double* value) {
    for (int i = 0; i < 3; i++) {
        value[i] = elv_vec3_dot(sliding->e[i], x);
    }
}

// ---- forces

// what drives the point towards the tip
static double push_of(const ElvSlider* slider, const ElvScene* scene) {
    return scene->data->load * elv_law_value(slider->law, scene->state->t, 0.0);
}

static ElvVec3 moment_of(const ElvSliding* sliding) {
    return elv_vec3_sub(sliding->W.mom, elv_vec3_cross(sliding->p, sliding->W.frc));
}

// force of the rod on the point, along the rod
static double effort_of(const ElvSliding* sliding) {
    return -elv_vec3_dot(sliding->e[0], sliding->W.frc);
}

// the rows of the wrench
static void
wrench_rows(const ElvSlider* slider, const ElvScene* scene, const ElvSliding* sliding, double* c) {
    write_vector(moment_of(sliding), c + MOMENT_ROW);
    if (!slider->is_driven) {
        c[FORCE_ROW] = effort_of(sliding) - push_of(slider, scene) +
                       slider->damping * elv_slider_speed(sliding);
    }
}

// ---- operations

static void* layout(const ElvDevice* device, const ElvModel* model, ElvArena* arena) {
    const ElvNode* node = &model->node[as_slider(device)->i_node];
    size_t n = (size_t)node->joint->n_v;
    ElvSliderWork* work = elv_arena_take(arena, 1, sizeof *work);
    ElvSliderWork w = {0};
    elv_rod_point_layout((const ElvRod*)node->joint, arena, &w.at);
    w.d_speed = elv_arena_take(arena, n, sizeof *w.d_speed);
    w.H = elv_arena_take(arena, n * (n + 6), sizeof *w.H);
    if (work) {
        *work = w;
    }
    return work;
}

static void initial(const ElvDevice* device, double* z) {
    if (device->n_z > STATION) {
        z[STATION] = as_slider(device)->station;
    }
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    const ElvSlider* slider = as_slider(device);
    ElvWrench W = elv_slider_wrench(scene->data, scene->state->z + device->i_z);
    ElvWrench* on_rod = &scene->data->W[scene->model->node[slider->i_node].parent_port];
    ElvWrench* on_point = &scene->data->W[slider->point.port];
    *on_rod = elv_wrench_sub(*on_rod, W);
    *on_point = elv_wrench_add(*on_point, W);
}

static void effort(const ElvDevice* device, const ElvScene* scene, double* upsilon) {
    const ElvSlider* slider = as_slider(device);
    const ElvNode* node = &scene->model->node[slider->i_node];
    ElvWrench W = elv_slider_wrench(scene->data, scene->state->z + device->i_z);
    elv_slider_place(slider, scene);
    const ElvTwist* J = work_of(device, scene)->at.J;
    for (int k = 0; k < node->joint->n_v; k++) {
        double Q = elv_power(J[k], W);
        upsilon[node->i_v + k] += Q;
        scene->data->effort[node->i_v + k] += fabs(Q);
    }
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvSlider* slider = as_slider(device);
    elv_slider_place(slider, scene);
    ElvSliding sliding = elv_slider_look(slider, scene, false);
    double force = elv_vec3_norm(sliding.W.frc);
    write_vector(sliding.gap, c + GAP_ROW);
    wrench_rows(slider, scene, &sliding, c);
    for (int i = 0; i < device->n_z; i++) {
        size[i] = i < MOMENT_ROW ? slider->length * elv_closure_resolution(scene)
                                 : force * slider->length + elv_vec3_norm(moment_of(&sliding));
    }
    if (!slider->is_driven) {
        size[FORCE_ROW] = force + fabs(push_of(slider, scene)) +
                          slider->damping * fabs(elv_slider_speed(&sliding));
    }
}

static bool is_effort(const ElvDevice* device, int k) {
    (void)device;
    return k >= MOMENT_ROW;
}

// whether the nearest station is an end, and the point lies beyond it
static bool is_at_end(const ElvSlider* slider, const ElvSliding* sliding) {
    double along = elv_vec3_dot(sliding->e[0], sliding->gap);
    double slack = END_SLACK * fmin(1.0, slider->length);
    return !slider->is_driven &&
           ((sliding->s.v <= 0.0 && along < -slack) || (sliding->s.v >= 1.0 && along > slack));
}

static void motion(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c) {
    const ElvSlider* slider = as_slider(device);
    elv_slider_place(slider, scene);
    ElvSliding sliding = elv_slider_look(slider, scene, level == 2);
    work_of(device, scene)->is_at_end = level == 0 && is_at_end(slider, &sliding);
    memset(c, 0, (size_t)device->n_z * sizeof *c);
    if (level == 0) {
        write_local(&sliding, sliding.gap, c);
        return;
    }
    if (level == 1) {
        ElvVec3 drift = elv_vec3_sub(sliding.p_dot, sliding.v);
        write_local(&sliding, elv_vec3_add_scaled(drift, -sliding.s.d, sliding.t), c);
        return;
    }
    ElvVec3 bend = elv_vec3_add_scaled(sliding.bend, -sliding.s.dd, sliding.t);
    wrench_rows(slider, scene, &sliding, c);
    if (h > 0.0) {
        write_vector(elv_vec3_scale(h * h, bend), c);
        return;
    }
    write_local(&sliding, bend, c);
    c[GAP_ROW] = slider->is_driven ? c[GAP_ROW] : 0.0;
}

static void open_gap(const ElvDevice* device, const ElvScene* scene) {
    const ElvSlider* slider = as_slider(device);
    elv_slider_place(slider, scene);
    ElvSliding sliding = elv_slider_look(slider, scene, false);
    scene->data->gap[slider->i_gap] =
        elv_twist(elv_vec3(0.0, 0.0, 0.0), elv_vec3_sub(sliding.p, sliding.r));
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    const ElvSlider* slider = as_slider(device);
    const ElvNode* node = &scene->model->node[slider->i_node];
    const ElvSliderWork* work = work_of(device, scene);
    bool is_motion = scene->rule && scene->rule->is_motion;
    if (k == STATION) {
        // J' ends where the rod does
        ElvWrench W = elv_slider_wrench(scene->data, scene->state->z + device->i_z);
        for (int j = 0; j < node->joint->n_v && !is_motion && work->s == work->at.s; j++) {
            residual[node->i_v + j] -= elv_power(work->at.J_ds[j], W);
        }
        return;
    }
    double unit[6] = {0.0};
    double W[6];
    unit[k] = 1.0;
    ElvWrench about = elv_slider_wrench(scene->data, unit);
    elv_wrench_to_array(about, W);
    double* on_rod = scene->data->e + (size_t)node->parent_port * 6;
    double* on_point = scene->data->e + (size_t)slider->point.port * 6;
    for (int i = 0; i < 6; i++) {
        on_rod[i] -= W[i];
        on_point[i] += W[i];
    }
    for (int j = 0; j < node->joint->n_v; j++) {
        residual[node->i_v + j] -= elv_power(work->at.J[j], about);
    }
}

// where accelerations alone vary: they move the gap as displacements do, and the station stays
static void motion_rows(const ElvDevice* device,
                        const ElvSliding* sliding,
                        const ElvSlidingVariation* d,
                        const ElvWrench* d_W,
                        double d_s,
                        double* d_c) {
    const ElvSlider* slider = as_slider(device);
    ElvSliding unit = *sliding;
    unit.W = *d_W;
    write_local(sliding, elv_vec3_sub(d->p, d->r), d_c);
    write_vector(moment_of(&unit), d_c + MOMENT_ROW);
    if (!slider->is_driven) {
        // an end holds the point along the rod too, by a force
        bool is_held = sliding->work->is_at_end;
        d_c[GAP_ROW] = is_held ? d_c[GAP_ROW] : d_s;
        d_c[FORCE_ROW] = is_held ? d_s : effort_of(&unit);
    }
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    const ElvSlider* slider = as_slider(device);
    double d_s = slider->is_driven ? 0.0 : d_z[device->i_z + STATION];
    ElvWrench d_W = elv_slider_wrench(scene->data, d_z + device->i_z);
    ElvSliding sliding = elv_slider_look(slider, scene, false);
    ElvSlidingVariation d = elv_slider_vary(slider, scene, &sliding, d_nu, d_s);
    if (scene->rule && scene->rule->is_motion) {
        motion_rows(device, &sliding, &d, &d_W, d_s, d_c);
        return;
    }
    ElvVec3 d_moment = elv_vec3_sub(d_W.mom, elv_vec3_cross(sliding.p, d_W.frc));
    d_moment = elv_vec3_sub(d_moment, elv_vec3_cross(d.p, sliding.W.frc));
    write_vector(elv_vec3_sub(d.p, d.r), d_c + GAP_ROW);
    write_vector(d_moment, d_c + MOMENT_ROW);
    if (!slider->is_driven) {
        d_c[FORCE_ROW] = slider->damping * d.speed - elv_vec3_dot(sliding.e[0], d_W.frc) -
                         elv_vec3_dot(d.e, sliding.W.frc);
    }
}

static void start(const ElvDevice* device, const ElvScene* scene, double* z) {
    const ElvSlider* slider = as_slider(device);
    if (!slider->is_driven) {
        z[STATION] = elv_slider_nearest(slider, scene, z[STATION]);
    }
}

// ---- messages

static bool is_within(double s) {
    return s >= -END_SLACK && s <= 1.0 + END_SLACK;
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    const ElvSlider* slider = as_slider(device);
    const char* field = slider->is_driven ? "drive" : "force";
    char when[ELV_NUMBER_TEXT];
    double value = elv_law_value(slider->law, t, 0.0);
    if (!isfinite(value)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, field,
                             "the '%s' of slider '%s' is not a number %s", field, device->name,
                             elv_time_text(t, when));
    }
    if (slider->is_driven && !is_within(value)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, field,
                             "the drive of slider '%s' leads it off its rod %s: its station is "
                             "%.6g, and a rod goes from 0 to 1",
                             device->name, elv_time_text(t, when), value);
    }
    return ELV_OK;
}

static ElvStatus
range(const ElvDevice* device, const ElvModel* model, const ElvState* state, ElvError* error) {
    const ElvSlider* slider = as_slider(device);
    char when[ELV_NUMBER_TEXT];
    double s = slider->is_driven ? 0.5 : state->z[device->i_z + STATION];
    if (is_within(s)) {
        return ELV_OK;
    }
    return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "rod",
                         "'%s' leaves the rod '%s' at its %s %s: end the run there, or stop it by "
                         "damping, a force or a longer rod",
                         device->name, model->node[slider->i_node].name, s > 1.0 ? "tip" : "root",
                         elv_time_text(state->t, when));
}

// ---- what is measured

static const char* const label_vector[] = {"x", "y", "z"};
static const char* const unit_station[] = {"-"};
static const char* const unit_length[] = {"m"};
static const char* const unit_speed[] = {"m/s"};
static const char* const unit_force[] = {"N", "N", "N"};

enum { STATION_NOW, SPEED, GAP, DRIFT, FORCE, EFFORT, N_QUANTITY };

static const ElvDeviceQuantity quantities[N_QUANTITY] = {
    {"station", 1, NULL, unit_station},     {"speed", 1, NULL, unit_speed},
    {"gap", 1, NULL, unit_length},          {"drift", 1, NULL, unit_speed},
    {"force", 3, label_vector, unit_force}, {"effort", 1, NULL, unit_force},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvSlider* slider = as_slider(device);
    elv_slider_place(slider, scene);
    ElvSliding sliding = elv_slider_look(slider, scene, false);
    ElvVec3 drift = elv_vec3_sub(sliding.p_dot, sliding.v);
    switch (i) {
    case STATION_NOW:
        value[0] = sliding.s.v;
        break;
    case SPEED:
        value[0] = elv_slider_speed(&sliding);
        break;
    case GAP:
        value[0] = elv_vec3_norm(sliding.gap);
        break;
    case DRIFT:
        value[0] = elv_vec3_norm(elv_vec3_add_scaled(drift, -sliding.s.d, sliding.t));
        break;
    case FORCE:
        write_vector(sliding.W.frc, value);
        break;
    default:
        value[0] = effort_of(&sliding);
        break;
    }
}

ElvWrench elv_slider_wrench_beyond(
    const ElvModel* model, const ElvData* data, const ElvState* state, int i_node, double s) {
    ElvWrench sum = elv_wrench_zero();
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops != &ELV_SLIDER_OPS || as_slider(device)->i_node != i_node) {
            continue;
        }
        const ElvSlider* slider = as_slider(device);
        double at = slider->is_driven ? elv_law_value(slider->law, state->t, 0.0)
                                      : state->z[device->i_z + STATION];
        if (at > s) {
            sum = elv_wrench_add(sum, elv_slider_wrench(data, state->z + device->i_z));
        }
    }
    return sum;
}

static ElvVec3 point_now(const ElvDevice* device, const ElvData* data) {
    const ElvFrame* point = &as_slider(device)->point;
    return elv_pose_apply(data->port[point->port].g, point->pose.p);
}

static void
loss(const ElvDevice* device, const ElvScene* scene, double* dissipated, double* stored) {
    (void)stored;
    const ElvSlider* slider = as_slider(device);
    if (slider->damping > 0.0) {
        elv_slider_place(slider, scene);
        ElvSliding sliding = elv_slider_look(slider, scene, false);
        double speed = elv_slider_speed(&sliding);
        *dissipated += slider->damping * speed * speed;
    }
}

const ElvDeviceOps ELV_SLIDER_OPS = {
    .kind = "slider",
    .layout = layout,
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .initial = initial,
    .effort = effort,
    .load = load,
    .loss = loss,
    .equation = equation,
    .point = point_now,
    .is_effort = is_effort,
    .motion = motion,
    .open = open_gap,
    .tangent = elv_slider_tangent,
    .column = column,
    .row = row,
    .start = start,
    .check = check,
    .range = range,
};
