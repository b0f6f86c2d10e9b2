// SPDX-License-Identifier: Apache-2.0
// Loops as devices [P23 (2)-(7), (36)-(38), (45)]: their wrench on both ends, six equations, and the
// exact rows and columns of both in the bordered tangent.
#include "multibody/loop.h"

#include "base/number_text.h"
#include "multibody/device_command.h"

#include <math.h>

static const double PI = 3.141592653589793238463;

static const ElvLoop* as_loop(const ElvDevice* device) {
    return (const ElvLoop*)device;
}

// an angle in (-pi, pi]
static double wrap(double angle) {
    return angle - 2.0 * PI * ceil((angle - PI) / (2.0 * PI));
}

// ---- what a row asks for

// the law of a row: a coordinate, a rate or an effort
static ElvJet law_of(const ElvLoopRow* row, const ElvScene* scene) {
    ElvJet jet = row->law ? elv_law_eval(row->law, scene->state->t, 0.0) : (ElvJet){0.0, 0.0, 0.0};
    if (scene->data->is_static) {
        jet.d = jet.dd = 0.0;
    }
    return jet;
}

ElvJet elv_loop_defect(const ElvLoopRow* row, const ElvScene* scene, const ElvLoopSides* sides) {
    ElvJet motion = elv_loop_row_motion(row, sides);
    ElvJet law = law_of(row, scene);
    if (row->kind == ELV_ROW_TWIST) {
        return (ElvJet){0.0, motion.d - law.v, motion.dd - law.d};
    }
    ElvJet defect = {motion.v - law.v, motion.d - law.d, motion.dd - law.dd};
    defect.v = row->kind == ELV_ROW_PIVOT ? wrap(defect.v) : defect.v;
    return defect;
}

// how far the spring of a free row is stretched
static double reach_of(const ElvLoopRow* row, double value) {
    double reach = value - row->rest;
    return row->kind == ELV_ROW_PIVOT ? wrap(reach) : reach;
}

// effort of spring, damper and motor along a free row
static double effort_of(const ElvLoop* loop,
                        const ElvLoopRow* row,
                        const ElvScene* scene,
                        const ElvLoopSides* sides) {
    ElvJet motion = elv_loop_row_motion(row, sides);
    double push = row->law ? scene->data->load * law_of(row, scene).v : 0.0;
    push += row->kind == ELV_ROW_BALL ? elv_loop_ball_moment(loop, row, sides) : 0.0;
    return push - row->stiffness * reach_of(row, motion.v) - row->damping * motion.d;
}

static double compliance_of(const ElvLoop* loop, const ElvLoopRow* row) {
    bool is_linear = row->kind == ELV_ROW_SHIFT || row->kind == ELV_ROW_SLIDE;
    return loop->closure == ELV_CLOSURE_EXACT ? 0.0 : loop->compliance[is_linear];
}

// What the tangent of Newton lets a closure give. One that is exact in the end gives little beside what inertia
// leaves to it in a step: Newton gains two digits with each iteration.
static double newton_compliance(const ElvLoop* loop, const ElvLoopRow* row, const ElvScene* scene) {
    double give = compliance_of(loop, row);
    double step = scene->rule ? scene->rule->step : 0.0;
    if (loop->closure == ELV_CLOSURE_AUGMENTED && step > 0.0) {
        bool is_linear = row->kind == ELV_ROW_SHIFT || row->kind == ELV_ROW_SLIDE;
        double arm = is_linear ? 1.0 : loop->length;
        give = fmin(give, 0.01 * step * step / (loop->mass * arm * arm));
    }
    return give;
}

// ---- sizes

static double size_of(const ElvLoop* loop,
                      const ElvLoopRow* row,
                      const ElvScene* scene,
                      const ElvLoopSides* sides) {
    double force = elv_vec3_norm(sides->W.frc);
    double moment =
        elv_vec3_norm(elv_vec3_sub(sides->W.mom, elv_vec3_cross(sides->side[1].g.p, sides->W.frc)));
    double wrench = moment + force * loop->length;
    switch (row->kind) {
    case ELV_ROW_TWIST:
        return loop->length / (scene->rule && scene->rule->step > 0.0 ? scene->rule->step : 1.0);
    case ELV_ROW_IDLE:
    case ELV_ROW_BALL:
        return wrench;
    case ELV_ROW_SHIFT:
        return loop->length * elv_closure_resolution(scene);
    case ELV_ROW_TURN:
        return elv_closure_resolution(scene);
    case ELV_ROW_SLIDE:
        return row->is_driven ? loop->length * elv_closure_resolution(scene)
                              : wrench / loop->length;
    default:
        return row->is_driven ? elv_closure_resolution(scene) : wrench;
    }
}

// ---- operations

static ElvVec3 point(const ElvDevice* device, const ElvData* data) {
    const ElvFrame* end = &as_loop(device)->end[1];
    return elv_pose_apply(data->port[end->port].g, end->pose.p);
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    const ElvLoop* loop = as_loop(device);
    ElvWrench W = elv_loop_sides(loop, scene).W;
    ElvWrench* on_first = &scene->data->W[loop->end[0].port];
    ElvWrench* on_second = &scene->data->W[loop->end[1].port];
    *on_second = elv_wrench_sub(*on_second, W);
    *on_first = elv_wrench_add(*on_first, W);
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvLoop* loop = as_loop(device);
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    for (int i = 0; i < 6; i++) {
        const ElvLoopRow* row = &loop->row[i];
        size[i] = size_of(loop, row, scene, &sides);
        if (!elv_loop_row_holds(row)) {
            double effort = effort_of(loop, row, scene, &sides);
            c[i] = elv_loop_row_wrench(row, &sides) - effort;
            size[i] += fabs(effort);
            continue;
        }
        ElvJet defect = elv_loop_defect(row, scene, &sides);
        // nothing moves in statics
        bool is_still = row->kind == ELV_ROW_TWIST && scene->rule && scene->data->is_static;
        c[i] = is_still ? 0.0 : row->kind == ELV_ROW_TWIST ? defect.d : defect.v;
        if (loop->closure == ELV_CLOSURE_PENALTY) {
            c[i] += compliance_of(loop, row) * elv_loop_row_wrench(row, &sides);
        }
    }
}

static bool is_effort(const ElvDevice* device, int k) {
    return !elv_loop_row_holds(&as_loop(device)->row[k]);
}

// derivatives of the constraints; the wrench has something to say of accelerations alone
static void motion(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c) {
    const ElvLoop* loop = as_loop(device);
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    for (int i = 0; i < 6; i++) {
        const ElvLoopRow* row = &loop->row[i];
        if (elv_loop_row_holds(row)) {
            ElvJet defect = elv_loop_defect(row, scene, &sides);
            double weight = h <= 0.0 ? 1.0 : row->kind == ELV_ROW_TWIST ? h : h * h;
            c[i] = level == 0 ? defect.v : level == 1 ? defect.d : weight * defect.dd;
        } else {
            c[i] = level < 2
                       ? 0.0
                       : elv_loop_row_wrench(row, &sides) - effort_of(loop, row, scene, &sides);
        }
    }
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)residual;
    const ElvLoop* loop = as_loop(device);
    double unit[6] = {0.0};
    double W[6];
    unit[k] = 1.0;
    ElvWrench about = elv_wrench_from_array(unit);
    about.mom = elv_vec3_sub(about.mom, elv_vec3_cross(scene->data->origin, about.frc));
    elv_wrench_to_array(about, W);
    double* on_first = scene->data->e + (size_t)loop->end[0].port * 6;
    double* on_second = scene->data->e + (size_t)loop->end[1].port * 6;
    for (int i = 0; i < 6; i++) {
        on_first[i] += W[i];
        on_second[i] -= W[i];
    }
}

// d_c of one row, with the compliance of its closure
static double vary_row(const ElvLoop* loop,
                       const ElvLoopRow* row,
                       const ElvLoopSides* sides,
                       const ElvLoopVariation* variation,
                       double compliance) {
    double d[2];
    elv_loop_row_vary(row, sides, variation, d);
    if (!elv_loop_row_holds(row)) {
        double d_spring = row->kind == ELV_ROW_BALL
                              ? elv_loop_vary_ball_moment(loop, row, sides, variation)
                              : 0.0;
        return elv_loop_row_vary_wrench(row, sides, variation) + row->stiffness * d[0] +
               row->damping * d[1] - d_spring;
    }
    double d_c = row->kind == ELV_ROW_TWIST ? d[1] : d[0];
    if (compliance > 0.0) {
        d_c += compliance * elv_loop_row_vary_wrench(row, sides, variation);
    }
    return d_c;
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    (void)d_nu;
    const ElvLoop* loop = as_loop(device);
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    bool is_motion = scene->rule && scene->rule->is_motion;
    if (is_motion) {
        // only accelerations vary: nothing else moves
        sides.side[0].V = sides.side[1].V = elv_twist_zero();
    }
    ElvLoopVariation variation = elv_loop_vary_sides(loop, scene, &sides, d_z);
    ElvLoopVariation still = {.d_W = variation.d_W};
    // on the way to another equilibrium displacements keep to what is asked of velocities
    bool is_static = !is_motion && scene->rule && scene->data->is_static;
    ElvLoopVariation displaced = variation;
    displaced.d_V[0] = displaced.Z[0];
    displaced.d_V[1] = displaced.Z[1];
    // springs say nothing of accelerations; those of an augmented closure are there for Newton alone
    bool is_newton = scene->rule && (scene->data->is_static || scene->rule->step > 0.0);
    bool gives = !is_motion && (is_newton || loop->closure == ELV_CLOSURE_PENALTY);
    for (int i = 0; i < 6; i++) {
        const ElvLoopRow* one = &loop->row[i];
        bool holds = elv_loop_row_holds(one);
        const ElvLoopVariation* v = holds || !is_motion ? &variation : &still;
        v = is_static && one->kind == ELV_ROW_TWIST ? &displaced : v;
        double compliance = gives && holds ? newton_compliance(loop, one, scene) : 0.0;
        d_c[i] = vary_row(loop, one, &sides, v, compliance);
    }
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    const ElvLoop* loop = as_loop(device);
    for (int k = 0; k < 6; k++) {
        const ElvLaw* law = loop->row[k].law;
        bool is_finite = !loop->has_pose || isfinite(elv_law_value(loop->pose[k], t, 0.0));
        law = loop->has_turn && k < 3 ? loop->turn[k] : law;
        if (!is_finite || (law && !isfinite(elv_law_value(law, t, 0.0)))) {
            const char* field = loop->row[k].kind == ELV_ROW_TWIST ? "equals" : "joint";
            return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, is_finite ? field : "pose",
                                 "a law of '%s' is not a number %s", device->name,
                                 elv_time_text(t, when));
        }
    }
    return ELV_OK;
}

static bool has_springs(const ElvDevice* device, int k) {
    (void)k;
    return as_loop(device)->closure == ELV_CLOSURE_PENALTY;
}

static bool is_on_velocities(const ElvDevice* device, int k) {
    (void)device;
    (void)k;
    return true;
}

static void open_gap(const ElvDevice* device, const ElvScene* scene) {
    const ElvLoop* loop = as_loop(device);
    const ElvFrame* end = &loop->end[1];
    ElvPose second = elv_pose_compose(scene->data->port[end->port].g, end->pose);
    ElvPose first = elv_loop_joint_frame(loop, scene);
    ElvPose gap = elv_pose_compose(elv_pose_inverse(first), second);
    scene->data->gap[loop->i_gap] = elv_twist(elv_so3_log(gap.R), gap.p);
}

// springs of the joint, and those of a closure that gives
static double energy(const ElvDevice* device, const ElvScene* scene) {
    const ElvLoop* loop = as_loop(device);
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    double sum = elv_loop_ball_energy(loop, &sides);
    for (int i = 0; i < 6; i++) {
        const ElvLoopRow* row = &loop->row[i];
        if (!elv_loop_row_holds(row)) {
            double reach = reach_of(row, elv_loop_row_motion(row, &sides).v);
            sum += 0.5 * row->stiffness * reach * reach;
        } else if (loop->closure == ELV_CLOSURE_PENALTY) {
            double defect = elv_loop_defect(row, scene, &sides).v;
            sum += 0.5 * defect * defect / compliance_of(loop, row);
        }
    }
    return sum;
}

static void
loss(const ElvDevice* device, const ElvScene* scene, double* dissipated, double* stored) {
    const ElvLoop* loop = as_loop(device);
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    for (int i = 0; i < 6; i++) {
        const ElvLoopRow* row = &loop->row[i];
        if (!elv_loop_row_holds(row)) {
            ElvJet motion = elv_loop_row_motion(row, &sides);
            double push = row->kind == ELV_ROW_BALL ? elv_loop_ball_moment(loop, row, &sides) : 0.0;
            *dissipated += row->damping * motion.d * motion.d;
            *stored += (row->stiffness * reach_of(row, motion.v) - push) * motion.d;
        } else if (loop->closure == ELV_CLOSURE_PENALTY && row->kind != ELV_ROW_TWIST) {
            ElvJet defect = elv_loop_defect(row, scene, &sides);
            *stored += defect.v * defect.d / compliance_of(loop, row);
        }
    }
}

// of constraints on velocities: what they measure of the twist
static bool is_turn(const ElvDevice* device, int k) {
    const ElvLoopRow* row = &as_loop(device)->row[k];
    const double* c = row->coefficient;
    bool is_spin = c[3] == 0.0 && c[4] == 0.0 && c[5] == 0.0;
    return row->kind == ELV_ROW_TWIST ? is_spin
                                      : row->kind == ELV_ROW_TURN || row->kind == ELV_ROW_PIVOT ||
                                            row->kind == ELV_ROW_BALL;
}

const ElvDeviceOps ELV_LOOP_OPS = {
    .kind = "loop",
    .quantity = elv_loop_quantity,
    .n_quantity = ELV_LOOP_QUANTITIES,
    .measure = elv_loop_measure,
    .count = elv_loop_count,
    .load = load,
    .equation = equation,
    .point = point,
    .is_effort = is_effort,
    .motion = motion,
    .is_loose = has_springs,
    .is_turn = is_turn,
    .open = open_gap,
    .swing = elv_loop_swing,
    .energy = energy,
    .loss = loss,
    .column = column,
    .row = row,
    .check = check,
    .commands = &ELV_LOOP_COMMANDS,
};

const ElvDeviceOps ELV_VELOCITY_CONSTRAINT_OPS = {
    .kind = "constraint",
    .quantity = elv_loop_quantity,
    .n_quantity = ELV_TWIST_QUANTITIES,
    .measure = elv_loop_measure,
    .load = load,
    .equation = equation,
    .point = point,
    .is_effort = is_effort,
    .motion = motion,
    .is_loose = is_on_velocities,
    .is_turn = is_turn,
    .column = column,
    .row = row,
    .check = check,
};
