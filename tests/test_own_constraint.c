// SPDX-License-Identifier: Apache-2.0
// Constraints written in C: tangents and derivatives against differences, the same motion as constraints of
// the library, a distance that a law of time stretches, and what is refused.
#include "constraint_case.h"

#include "elver/statics.h"
#include "multibody/spec.h"

// ---- constraints

// two frames and a joint: a velocity that depends on poses, twists, the joint and t; a distance
static void mixed(void* user, const ElvConstraintInput* in, double* phi, double* J) {
    (void)user;
    ElvVec3 d = elv_vec3_sub(in->g[1].p, in->g[0].p);
    double c = cos(in->t + in->q[0]);
    phi[0] = d.x * in->eta[0].lin.y + c * in->v[0] + in->eta[1].ang.z - 0.2;
    phi[1] = elv_vec3_dot(d, d) - 1.0 - 0.1 * sin(in->t) - 0.3 * in->q[0];
    if (J) {
        memset(J, 0, (size_t)2 * 13 * sizeof *J);
        J[4] = d.x;
        J[6 + 2] = 1.0;
        J[12] = c;
        // displacements of the origins in the frames' own axes
        ElvVec3 on_first = elv_mat3_apply_transpose(in->g[0].R, elv_vec3_scale(-2.0, d));
        ElvVec3 on_second = elv_mat3_apply_transpose(in->g[1].R, elv_vec3_scale(2.0, d));
        const double row[6] = {on_first.x,  on_first.y,  on_first.z,
                               on_second.x, on_second.y, on_second.z};
        for (int k = 0; k < 3; k++) {
            J[13 + 3 + k] = row[k];
            J[13 + 9 + k] = row[3 + k];
        }
        J[13 + 12] = -0.3;
    }
}

// a blade: no velocity across
static void blade(void* user, const ElvConstraintInput* in, double* phi, double* J) {
    (void)user;
    phi[0] = in->eta[0].lin.y;
    if (J) {
        memset(J, 0, 6 * sizeof *J);
        J[4] = 1.0;
    }
}

// the distance of a frame from the origin is 1 + t^2/4
static void leash(void* user, const ElvConstraintInput* in, double* phi, double* J) {
    (void)user;
    ElvVec3 p = in->g[0].p;
    double r = 1.0 + 0.25 * in->t * in->t;
    phi[0] = 0.5 * (elv_vec3_dot(p, p) - r * r);
    if (J) {
        ElvVec3 own = elv_mat3_apply_transpose(in->g[0].R, p);
        memset(J, 0, 6 * sizeof *J);
        J[3] = own.x;
        J[4] = own.y;
        J[5] = own.z;
    }
}

// a model file with one more constraint
static ModelCase open_with(const char* text, const ElvConstraintDef* def) {
    ModelCase c = {0};
    ElvError error;
    ElvSpec* spec = NULL;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_add_constraint(spec, def, &error), &error);
    CHECK_STATUS(elv_spec_compile(spec, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    elv_spec_free(spec);
    return c;
}

// ---- tangents

static const char robot[] =
    "elver: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: raft, joint: free, mass: 3, inertia: [0.3, 0.2, 0.4]}\n"
    "  - {body: flap, parent: raft, pose: {xyz: [0.3, 0, 0.1]}, joint: {revolute: {axis: y}}, "
    "mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  - rod: arm\n"
    "    parent: flap\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
    "    strain: {kirchhoff: 2}\n"
    "  - {body: buoy, pose: {xyz: [1, 0, 0.2]}, joint: free, mass: 2, inertia: [0.2, 0.2, 0.2]}\n";

static ElvConstraintDef mixed_def(void) {
    ElvConstraintDef def = elv_constraint_def_default();
    def.name = "mixed";
    def.n_frame = 2;
    def.frame[0] = "buoy";
    def.frame[1] = "arm.tip";
    def.n_joint = 1;
    def.joint[0] = "flap";
    def.n_row = 2;
    def.is_velocity[0] = true;
    def.callback = mixed;
    return def;
}

// differences within differences: not finer than their steps allow
static bool is_asked(int level, int k) {
    return (level == 1 && k == 0) || (level < 2 && k == 1);
}

static void test_tangent(void** unused) {
    (void)unused;
    ElvConstraintDef def = mixed_def();
    ModelCase c = open_with(robot, &def);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_tangent(&c, seed);
    }
    case_close(&c);
}

static void test_levels(void** unused) {
    (void)unused;
    ElvConstraintDef def = mixed_def();
    ModelCase c = open_with(robot, &def);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ElvProblem problem = border_start(c.model, seed);
        double t = problem.state->t;
        for (int level = 0; level < 2; level++) {
            // the difference of the test errs by 1e-4^2, rounding of the callback's by 1e-13 over 1e-4
            CHECK_NEAR(constraint_rate_error(&problem, t, level, 1e-4, is_asked), 0.0, 1e-7);
        }
        elv_problem_free(&problem);
    }
    case_close(&c);
}

// ---- motions

static const char skate[] = "elver: 1\n"
                            "gravity: [3, 0, 0]\n"
                            "tree:\n"
                            "  - {body: skate, joint: {planar: {axis: z, velocity: [2, 0, 0]}}, "
                            "mass: 2, inertia: [0.2, 0.2, 0.3]}\n";

// the same as a velocity constraint of the library, to what Newton leaves
static void test_blade(void** unused) {
    (void)unused;
    static const char* const signal[] = {"skate.q"};
    ElvConstraintDef def = elv_constraint_def_default();
    def.name = "blade";
    def.n_frame = def.n_row = 1;
    def.frame[0] = "skate";
    def.is_velocity[0] = true;
    def.callback = blade;
    ModelCase own = open_with(skate, &def);
    ModelCase known = case_open("%sconstraints:\n  - {velocity: blade, at: skate, direction: y}\n",
                                strchr(skate, '\n') + 1);
    ConstraintRun run[2];
    for (int i = 0; i < 2; i++) {
        run[i] = (ConstraintRun){.method = ELV_METHOD_GENERALIZED_ALPHA,
                                 .step = 0.01,
                                 .t_end = 2.0,
                                 .signal = signal,
                                 .n_signal = 1};
        constraint_run(i == 0 ? own.model : known.model, &run[i]);
    }
    CHECK_TRUE(fabs(run[0].value[1]) > 0.1);
    // differences in second derivatives at the start are right to 1e-12, their own rates to 1e-4 of a step
    CHECK_ARRAY_NEAR(run[0].value, run[1].value, 3, 1e-7);
    case_close(&own);
    case_close(&known);
}

// a mass on a leash that a law lengthens: without gravity and at rest across, it moves with the law
static void test_leash(void** unused) {
    (void)unused;
    static const char* const signal[] = {"ball.position", "constraint.leash.multiplier"};
    ElvConstraintDef def = elv_constraint_def_default();
    def.name = "leash";
    def.n_frame = def.n_row = 1;
    def.frame[0] = "ball";
    def.callback = leash;
    ModelCase c = open_with("elver: 1\n"
                            "tree:\n"
                            "  - {body: ball, joint: {free: {position: {xyz: [0.6, 0.8, 0]}}}, "
                            "mass: 2, inertia: [0.2, 0.2, 0.3]}\n",
                            &def);
    ConstraintRun run = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                         .step = 0.01,
                         .t_end = 1.0,
                         .signal = signal,
                         .n_signal = 2};
    constraint_run(c.model, &run);
    // r = 1 + t^2/4 along (0.6, 0.8, 0); the force r lambda is m r_ddot = 1 N
    CHECK_NEAR(run.value[0], 0.6 * 1.25, 1e-9);
    CHECK_NEAR(run.value[1], 0.8 * 1.25, 1e-9);
    CHECK_NEAR(1.25 * run.value[3], 1.0, 1e-6);
    CHECK_TRUE(run.report.closure.gap < 1e-10);
    case_close(&c);
}

// ---- statics

// a blade at 45 degrees on springs, pushed along x: it gives way along itself alone, and carries the rest
static void test_statics(void** unused) {
    (void)unused;
    ElvConstraintDef def = elv_constraint_def_default();
    def.name = "blade";
    def.n_frame = def.n_row = 1;
    def.frame[0] = "skate";
    def.is_velocity[0] = true;
    def.callback = blade;
    ModelCase c = open_with(
        "elver: 1\n"
        "tree:\n"
        "  - {body: along, joint: {prismatic: {axis: x, stiffness: 10}}, mass: 1}\n"
        "  - {body: across, parent: along, joint: {prismatic: {axis: y, stiffness: 10}}, mass: 1}\n"
        "  - {body: skate, parent: across, pose: {rpy: [0, 0, pi/4]}, mass: 1}\n"
        "loads: [{force: [4, 0, 0], at: skate}]\n",
        &def);
    ElvError error;
    ElvStaticsOptions options = elv_statics_options_default(c.model);
    CHECK_STATUS(elv_statics_run(c.model, c.state, &options, NULL, &error), &error);
    // s = F / (sqrt(2) k) along the blade, F / sqrt(2) across
    CHECK_NEAR(c.state->q[0], 0.2, 1e-10);
    CHECK_NEAR(c.state->q[1], 0.2, 1e-10);
    CHECK_NEAR(c.state->z[0], 4.0 / sqrt(2.0), 1e-8);
    case_close(&c);
}

// the rates of two joints add up to 0.5
static void opposite(void* user, const ElvConstraintInput* in, double* phi, double* J) {
    (void)user;
    phi[0] = in->v[0] + in->v[1] - 0.5;
    if (J) {
        J[0] = J[1] = 1.0;
    }
}

static ElvConstraintDef opposite_def(void) {
    ElvConstraintDef def = elv_constraint_def_default();
    def.name = "opposite";
    def.n_joint = 2;
    def.joint[0] = "left";
    def.joint[1] = "right";
    def.n_row = 1;
    def.is_velocity[0] = true;
    def.callback = opposite;
    return def;
}

// displacements of two joints add up to nothing, and the spring of the one is all that holds the other: k x = F
static void test_joint_statics(void** unused) {
    (void)unused;
    ElvConstraintDef def = opposite_def();
    ModelCase c =
        open_with("elver: 1\n"
                  "tree:\n"
                  "  - {body: left, joint: {prismatic: {axis: x, stiffness: 10}}, mass: 1}\n"
                  "  - {body: right, joint: {prismatic: {axis: x}}, mass: 1}\n"
                  "loads: [{force: [3, 0, 0], at: right}]\n",
                  &def);
    ElvError error;
    ElvStaticsOptions options = elv_statics_options_default(c.model);
    CHECK_STATUS(elv_statics_run(c.model, c.state, &options, NULL, &error), &error);
    CHECK_NEAR(c.state->q[0], -0.3, 1e-10);
    CHECK_NEAR(c.state->q[1], 0.3, 1e-10);
    CHECK_NEAR(c.state->z[0], -3.0, 1e-8);
    case_close(&c);
}

// ---- refusals

static void test_imposed(void** unused) {
    (void)unused;
    const char* text = "elver: 1\n"
                       "tree:\n"
                       "  - {body: left, joint: {prismatic: {axis: x, motion: t}}, mass: 1}\n"
                       "  - {body: right, joint: {prismatic: {axis: x, motion: t}}, mass: 1}\n";
    ElvError error;
    ElvSpec* spec = NULL;
    ElvModel* model = NULL;
    ElvConstraintDef def = opposite_def();
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error), &error);
    def.name = NULL;
    CHECK_TRUE(elv_spec_add_constraint(spec, &def, &error) == ELV_ERROR_INPUT);
    assert_string_equal(error.element, "constraints[0]");
    def.name = "opposite";
    CHECK_STATUS(elv_spec_add_constraint(spec, &def, &error), &error);
    CHECK_TRUE(elv_spec_compile(spec, &model, &error) == ELV_ERROR_INPUT);
    assert_string_equal(error.element, "opposite");
    CHECK_TRUE(strstr(error.message, "nothing is left to tie") != NULL);
    elv_spec_free(spec);
}

static void test_refusals(void** unused) {
    (void)unused;
    ElvError error;
    ElvSpec* spec = NULL;
    CHECK_STATUS(elv_spec_read_text(robot, strlen(robot), "case", NULL, 0, &spec, &error), &error);
    ElvConstraintDef def = mixed_def();
    def.callback = NULL;
    CHECK_TRUE(elv_spec_add_constraint(spec, &def, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "callback") != NULL);
    def = mixed_def();
    def.n_row = 7;
    CHECK_TRUE(elv_spec_add_constraint(spec, &def, &error) == ELV_ERROR_INPUT);
    def = mixed_def();
    def.joint[0] = "flip";
    ElvModel* model = NULL;
    CHECK_STATUS(elv_spec_add_constraint(spec, &def, &error), &error);
    CHECK_TRUE(elv_spec_compile(spec, &model, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "did you mean 'flap'") != NULL);
    char* text = NULL;
    CHECK_TRUE(elv_spec_write_text(spec, &text, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "written in C") != NULL);
    elv_text_free(text);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent), cmocka_unit_test(test_levels),
        cmocka_unit_test(test_blade),   cmocka_unit_test(test_leash),
        cmocka_unit_test(test_statics), cmocka_unit_test(test_joint_statics),
        cmocka_unit_test(test_imposed), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
