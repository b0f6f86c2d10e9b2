// SPDX-License-Identifier: Apache-2.0
// Ideal contacts of rods: rows and their derivatives against differences in time along a motion,
// for anchorages that are locked and that sweep, and for rings that stand, move and slide on an
// obstacle that moves; the power of reactions; the stress on both sides of a contact; tangents of
// those at constant stations; switching; what ends a run; what files say of them.
#include "constraint_case.h"
#include "multibody/rod_contact.h"
#include "multibody/spec.h"

// everything moves by laws: a state follows from the time
static const char moving[] =
    "tree:\n"
    "  - {body: cart, joint: {prismatic: {axis: [1, 2, 0], motion: \"0.3*sin(t)\"}}, mass: 1}\n"
    "  - {body: turn, parent: cart, joint: {revolute: {axis: [1, 2, 3], motion: \"sin(2*t)\"}},\n"
    "     mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
    "  - rod: worm\n"
    "    parent: turn\n"
    "    pose: {xyz: [0.1, 0.2, 0.3], rpy: [0.3, 0.2, 0.1]}\n"
    "    length: 0.8\n"
    "    inertia: [1e-3, 2e-3, 3e-3, 1, 1, 1]\n"
    "    strain: {twist: 4, bend_y: 8, bend_z: 8, stretch: 6, shear_y: 4}\n"
    "    motion:\n"
    "      twist: \"s*sin(t)\"\n"
    "      bend_y: \"2*cos(3*s - t)\"\n"
    "      bend_z: \"3*sin(2*s + 2*t)\"\n"
    "      stretch: \"1 + 0.3*sin(2*s - t)\"\n"
    "      shear_y: \"0.2*s*cos(t)\"\n"
    "  - {body: wall, pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: [0, 1, 1], motion: "
    "\"0.4*cos(t)\"}}, mass: 1}\n"
    "  - {body: peg, parent: wall, pose: {xyz: [0, 0.3, 0]}, joint: {prismatic: {axis: x, motion: "
    "\"0.2*sin(3*t)\"}}, mass: 1}\n"
    "constraints:\n"
    "  - {contact: locked, rod: worm, type: anchor, station: 0.3}\n"
    "  - {contact: hoop, rod: worm, type: ring, station: 0.6}\n"
    "  - {contact: carried, rod: worm, type: anchor, station: 0.45, on: peg}\n"
    "  - {contact: sweep, rod: worm, type: anchor, station: \"0.5 + 0.2*sin(t)\", on: wall}\n"
    "  - {contact: along, rod: worm, type: ring, station: \"0.4 + 0.1*t^2\", on: peg}\n"
    "  - {contact: slide, rod: worm, type: ring, station: 0.5, slides: true, on: peg}\n";

enum { N_CONTACT = 6, N_ROW_MOST = 28, I_STATION = 27 };

static ElvScene scene_of(ModelCase* c) {
    return (ElvScene){c->model, c->data, c->state, NULL};
}

static void put(ModelCase* c, double t) {
    c->state->t = t;
    elv_state_impose(c->model, c->state);
    elv_kinematics(c->model, c->data, c->state);
}

static const ElvRodContact* contact_at(const ModelCase* c, int i) {
    return (const ElvRodContact*)c->model->device[i];
}

static ElvPose section(ModelCase* c, double s) {
    ElvPose g;
    elv_rod_section(c->model, c->data, c->state, contact_at(c, 0)->i_node, s, &g, NULL, NULL);
    return g;
}

static ElvPose obstacle(ModelCase* c, int i) {
    static const char* const name[N_CONTACT] = {"world", "world", "peg", "wall", "peg", "peg"};
    return elv_frame_pose(c->model, c->data, case_frame(c, name[i]));
}

static double slide_rate(ModelCase* c, double t, double s) {
    ElvScene scene = scene_of(c);
    const ElvDevice* station = c->model->device[N_CONTACT];
    double rate, size;
    c->state->z[I_STATION] = s;
    put(c, t);
    station->ops->equation(station, &scene, &rate, &size);
    return rate;
}

// the station that slides, a time h after it was s, by one step of Runge and Kutta: errors of h^5
static double slide(ModelCase* c, double t, double s, double h) {
    double k1 = slide_rate(c, t, s);
    double k2 = slide_rate(c, t + 0.5 * h, s + 0.5 * h * k1);
    double k3 = slide_rate(c, t + 0.5 * h, s + 0.5 * h * k2);
    double k4 = slide_rate(c, t + h, s + h * k3);
    return s + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

static double station_of(ModelCase* c, int i, double t, double slid) {
    return i == 5 ? slid : elv_law_value(contact_at(c, i)->station, t, 0.0);
}

// ---- rows against differences of poses, rates of rows against differences of rows

enum { N_STEP = 4 };

static const double step_at[N_STEP] = {-2.0, -1.0, 1.0, 2.0};
static const double step_weight[N_STEP] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};

/// Twists by differences of poses, in the axes of the section.
typedef struct {
    ElvTwist section;  // station held
    ElvTwist place;    // station as it moves
    ElvTwist obstacle; //
} Differences;

static Differences difference_poses(ModelCase* c, int i, double t, double s, double h) {
    Differences d = {elv_twist_zero(), elv_twist_zero(), elv_twist_zero()};
    put(c, t);
    ElvPose g = section(c, s), on = obstacle(c, i);
    for (int k = 0; k < N_STEP; k++) {
        double to = t + step_at[k] * h, weight = step_weight[k] / h;
        double there = station_of(c, i, to, i == 5 ? slide(c, t, s, step_at[k] * h) : 0.0);
        put(c, to);
        ElvPose held = elv_pose_compose(elv_pose_inverse(g), section(c, s));
        ElvPose moved = elv_pose_compose(elv_pose_inverse(g), section(c, there));
        ElvPose beside = elv_pose_compose(obstacle(c, i), elv_pose_inverse(on));
        d.section = elv_twist_add_scaled(d.section, weight, elv_se3_log(held));
        d.place = elv_twist_add_scaled(d.place, weight, elv_se3_log(moved));
        d.obstacle = elv_twist_add_scaled(d.obstacle, weight,
                                          elv_twist_transform_inv(g, elv_se3_log(beside)));
    }
    return d;
}

static void check_first(ModelCase* c, int i, double t, double s, const double* row, double tol) {
    static const int ring[] = {0, 4, 5};
    Differences d = difference_poses(c, i, t, s, 2e-3);
    bool is_ring = i == 1 || i >= 4;
    double rel[6];
    elv_twist_to_array(elv_twist_sub(i == 3 ? d.place : d.section, d.obstacle), rel);
    for (int k = 0; k < (is_ring ? 3 : 6); k++) {
        CHECK_NEAR(row[contact_at(c, i)->device.i_z + k], rel[is_ring ? ring[k] : k], tol);
    }
    // a ring that slides stays beside its obstacle
    if (i == 5) {
        CHECK_NEAR(d.place.lin.x, d.obstacle.lin.x, tol);
    }
}

static void test_rows(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", moving);
    assert_int_equal(c.model->nz, N_ROW_MOST);
    assert_int_equal(contact_at(&c, 5)->i_station, I_STATION);
    const double h = 2e-3;
    for (int n = 0; n < 4; n++) {
        double t = 0.2 + 0.4 * n, s = 0.35 + 0.1 * n;
        double first[N_ROW_MOST], second[N_ROW_MOST], rate[N_ROW_MOST] = {0.0};
        for (int k = 0; k < N_STEP; k++) {
            double moved = slide(&c, t, s, step_at[k] * h);
            c.state->z[I_STATION] = moved;
            put(&c, t + step_at[k] * h);
            elv_border_motion(c.model, c.data, c.state, 1, 0.0, first);
            for (int j = 0; j < N_ROW_MOST; j++) {
                rate[j] += step_weight[k] / h * first[j];
            }
        }
        c.state->z[I_STATION] = s;
        put(&c, t);
        elv_border_motion(c.model, c.data, c.state, 2, 0.0, second);
        elv_border_motion(c.model, c.data, c.state, 1, 0.0, first);
        // differences of the fourth order: h^4 / 30 = 5e-13 times fifth derivatives, at most 3^5 of
        // these motions
        CHECK_ARRAY_NEAR(second, rate, I_STATION, 1e-8);
        for (int i = 0; i < N_CONTACT; i++) {
            // poses between nodes and their rates agree to 1e-9 (rod_point.h)
            check_first(&c, i, t, station_of(&c, i, t, s), first, 1e-8);
        }
    }
    case_close(&c);
}

// no positions at level 0
static void test_no_positions(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", moving);
    double row[N_ROW_MOST];
    c.state->z[I_STATION] = 0.4;
    put(&c, 0.3);
    elv_border_motion(c.model, c.data, c.state, 0, 0.0, row);
    CHECK_NEAR(largest(row, N_ROW_MOST), 0.0, 0.0);
    case_close(&c);
}

// ---- reactions: their power is that of their components with the twist of the section against the
// obstacle

static void test_power(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", moving);
    static const int ring[] = {0, 4, 5};
    double with[64], without[64];
    CHECK_TRUE(c.nv <= 64);
    const double t = 0.7, s = 0.55;
    memset(c.state->z, 0, N_ROW_MOST * sizeof(double));
    c.state->z[I_STATION] = s;
    put(&c, t);
    elv_residual(c.model, c.data, c.state, without);
    for (int i = 0; i < N_CONTACT; i++) {
        const ElvDevice* device = c.model->device[i];
        Differences d = difference_poses(&c, i, t, station_of(&c, i, t, s), 2e-3);
        double rel[6];
        elv_twist_to_array(elv_twist_sub(d.section, d.obstacle), rel);
        c.state->z[I_STATION] = s;
        put(&c, t);
        for (int k = 0; k < device->n_z; k++) {
            double power = 0.0;
            c.state->z[device->i_z + k] = 1.0;
            elv_residual(c.model, c.data, c.state, with);
            c.state->z[device->i_z + k] = 0.0;
            for (int j = 0; j < c.nv; j++) {
                power -= (with[j] - without[j]) * c.state->v[j];
            }
            CHECK_NEAR(power, rel[device->n_z == 3 ? ring[k] : k], 1e-8);
        }
    }
    case_close(&c);
}

// Lambda(C+) = Lambda(C-) - F_c in the axes of the section, and nothing at the tip [ALI (5.20)]
static void test_stress(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", moving);
    const double near = 1e-7;
    double tau[64];
    for (int k = 0; k < I_STATION; k++) {
        c.state->z[k] = 1.0 + 0.3 * k;
    }
    c.state->z[I_STATION] = 0.72;
    put(&c, 0.5);
    elv_idm(c.model, c.data, c.state, tau);
    for (int i = 0; i < N_CONTACT; i++) {
        const ElvRodContact* contact = contact_at(&c, i);
        double s = station_of(&c, i, 0.5, 0.72);
        ElvWrench before, after;
        double jump[6], force[6] = {0.0};
        elv_rod_section(c.model, c.data, c.state, contact->i_node, s - near, NULL, NULL, &before);
        elv_rod_section(c.model, c.data, c.state, contact->i_node, s + near, NULL, NULL, &after);
        elv_wrench_to_array(elv_wrench_sub(before, after), jump);
        for (int k = 0; k < contact->device.n_z; k++) {
            force[contact->component[k]] = c.state->z[contact->device.i_z + k];
        }
        // what changes over 2e-7 of the rod, by forces of some 100 N
        CHECK_ARRAY_NEAR(jump, force, 6, 1e-4);
    }
    ElvWrench tip;
    double end[6];
    elv_rod_section(c.model, c.data, c.state, contact_at(&c, 0)->i_node, 1.0, NULL, NULL, &tip);
    elv_wrench_to_array(tip, end);
    CHECK_NEAR(largest(end, 6), 0.0, 1e-10);
    case_close(&c);
}

// ---- constant stations on the world: tangents are exact, and implicit methods go

static const char fixed[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: head, joint: free, mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
    "  - rod: tail\n"
    "    parent: head\n"
    "    pose: {xyz: [0.1, 0, 0.1]}\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    strain: {kirchhoff: 3, stretch: 1}\n"
    "constraints:\n"
    "  - {contact: clamp, rod: tail, type: anchor, station: 1}\n"
    "  - {contact: hoop, rod: tail, type: ring, station: 0.4}\n"
    "  - {contact: off, rod: tail, type: ring, station: 0.7, while: \"t < 0.1\"}\n";

static bool is_asked(int level, int k) {
    return level == 1 && k < 9;
}

static void test_tangents(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", fixed);
    assert_int_equal(c.model->nz, 12);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_tangent(&c, seed);
        constraint_acceleration(&c, seed);
        constraint_levels(&c, seed, is_asked);
    }
    case_close(&c);
}

// a pendulum held by a clamp at its root or by a fixed joint: implicit steps are the same
static void test_implicit(void** unused) {
    (void)unused;
    static const char text[] = "gravity: [0, 0, -9.81]\n"
                               "tree:\n"
                               "%s"
                               "    length: 0.5\n"
                               "    section: {circle: {diameter: 0.02}}\n"
                               "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
                               "    strain: {bend_y: 3}\n"
                               "%s"
                               "simulate: {duration: 0.2}\n";
    static const char* const signal[] = {"tail.tip.position"};
    ModelCase held = case_open(text, "  - rod: tail\n", "");
    ModelCase clamped =
        case_open(text,
                  "  - {body: head, joint: free, mass: 1, inertia: [1, 1, 1]}\n"
                  "  - rod: tail\n    parent: head\n",
                  "constraints: [{contact: clamp, rod: tail, type: anchor, station: 0}]\n");
    ConstraintRun run = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                         .step = 0.005,
                         .t_end = 0.2,
                         .signal = signal,
                         .n_signal = 1};
    constraint_run(held.model, &run);
    double tip[3];
    memcpy(tip, run.value, sizeof tip);
    constraint_run(clamped.model, &run);
    CHECK_TRUE(tip[2] < -0.05);
    // velocities vanish at every step, to the tolerance of Newton's method
    CHECK_ARRAY_NEAR(run.value, tip, 3, 1e-8);
    case_close(&held);
    case_close(&clamped);
}

// ---- a contact that is off does nothing

static void test_while(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", fixed);
    double on[32], off[32], row[12];
    case_randomize(&c, 3, 0.3);
    for (int side = 0; side < 2; side++) {
        c.state->t = side == 0 ? 0.0 : 0.2;
        memset(c.state->z, 0, 12 * sizeof(double));
        elv_residual(c.model, c.data, c.state, off);
        c.state->z[10] = 3.0;
        elv_residual(c.model, c.data, c.state, on);
        elv_border_motion(c.model, c.data, c.state, 2, 0.0, row);
        CHECK_TRUE((largest_difference(on, off, (size_t)c.nv) > 1e-3) == (side == 0));
        if (side == 1) {
            // its equation is that there is no force
            CHECK_ARRAY_NEAR(row + 9, ((double[3]){0.0, 3.0, 0.0}), 3, 0.0);
            elv_border_motion(c.model, c.data, c.state, 1, 0.0, row);
            CHECK_NEAR(largest(row + 9, 3), 0.0, 0.0);
        }
    }
    case_close(&c);
}

// ---- runs that end

static const char crawler[] =
    "elver: 1\n"
    "tree:\n"
    "  - {body: head, joint: free, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {rod: worm, parent: head, length: 1, inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1],\n"
    "     motion: {stretch: \"1 + 0.1*sin(t)\"}}\n"
    "  - {body: peg, joint: {prismatic: {axis: x, motion: \"0.2*t\"}}, mass: 1}\n"
    "constraints:\n"
    "  - {contact: %s, rod: worm, %s}\n"
    "simulate: {method: %s, duration: 5}\n";

static ElvStatus
run_crawler(const char* name, const char* contact, const char* method, ElvError* error) {
    char text[1024];
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvIntegratorReport report;
    (void)snprintf(text, sizeof text, crawler, name, contact, method);
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "x", NULL, 0, &model, error), error);
    CHECK_STATUS(elv_state_create(model, &state, error), error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    ElvStatus status = elv_simulate(model, state, &options, &report, error);
    elv_state_free(state);
    elv_model_free(model);
    return status;
}

static void check_end(const char* contact, const char* word) {
    ElvError error;
    assert_int_equal(run_crawler("foot", contact, "explicit", &error), ELV_ERROR_NUMERIC);
    assert_string_equal(error.element, "foot");
    if (!strstr(error.message, word)) {
        print_error("'%s' is not in: %s\n", word, error.message);
        fail();
    }
}

static void test_ends(void** unused) {
    (void)unused;
    ElvError error;
    check_end("type: anchor, station: \"0.5 + 0.2*t\"", "beyond its rod");
    check_end("type: ring, station: \"0.5 - 0.2*t\"", "beyond its rod");
    check_end("type: ring, slides: true, station: 0.5, on: peg", "slid off");
    check_end("type: ring, station: 0.5, while: \"sqrt(1 - t)\"", "not a number");
    // let go before
    CHECK_STATUS(run_crawler("foot", "type: anchor, station: \"0.5 + 0.2*t\", while: \"t < 2\"",
                             "explicit", &error),
                 &error);
}

// ---- what has no tangents

static void test_refused(void** unused) {
    (void)unused;
    ElvError error;
    assert_int_equal(run_crawler("foot", "type: anchor, station: 0.5, on: peg", "newmark", &error),
                     ELV_ERROR_INPUT);
    assert_string_equal(error.element, "foot");
    CHECK_TRUE(strstr(error.message, "method: explicit"));
    ModelCase c = case_open("%s", moving);
    ElvStaticsDef statics = elv_model_statics(c.model);
    ElvModes* modes = NULL;
    assert_int_equal(elv_statics_solve(c.model, c.state, 0.0, &statics, NULL, &error),
                     ELV_ERROR_INPUT);
    assert_string_equal(error.element, "carried");
    assert_int_equal(elv_modes_create(c.model, c.state, &modes, &error), ELV_ERROR_INPUT);
    assert_string_equal(error.element, "carried");
    case_close(&c);
}

// ---- files

#define CONTACT(line)                                                                              \
    "elver: 1\n"                                                                                   \
    "tree: [{body: box, joint: free, mass: 1}, {rod: arm, parent: box, length: 1, inertia: [1, "   \
    "1, 1, 1, 1, 1], motion: {bend_z: 1}}]\n"                                                      \
    "constraints:\n"                                                                               \
    "  - {" line "}\n"

static void check_message(const char* file, const char* word) {
    ElvError error;
    ElvModel* model = NULL;
    ElvStatus status = elv_model_read_text(file, strlen(file), "x.yaml", NULL, 0, &model, &error);
    assert_int_equal(status, ELV_ERROR_INPUT);
    if (!strstr(error.message, word)) {
        print_error("'%s' is not in: %s\n", word, error.message);
        fail();
    }
    assert_int_equal(error.line, 4);
}

static void test_messages(void** unused) {
    (void)unused;
    check_message(CONTACT("contact: a, type: ring"), "missing key 'rod'");
    check_message(CONTACT("contact: a, rod: arm"), "missing key 'type'");
    check_message(CONTACT("contact: a, rod: arm, type: rnig"), "did you mean 'ring'");
    check_message(CONTACT("contact: a, rod: rm, type: ring"), "did you mean 'arm'");
    check_message(CONTACT("contact: a, rod: box, type: ring"), "box");
    check_message(CONTACT("contact: a, rod: arm, type: ring, station: 1.5"), "from 0");
    check_message(CONTACT("contact: a, rod: arm, type: ring, station: -0.1"), "from 0");
    check_message(CONTACT("contact: a, rod: arm, type: anchor, slides: true"), "does not slide");
    check_message(CONTACT("contact: a, rod: arm, type: ring, slides: true, station: \"t\""),
                  "finds its station");
    check_message(CONTACT("contact: a, rod: arm, type: ring, on: bx"), "did you mean 'box'");
    check_message(CONTACT("contact: a, rod: arm, type: ring, on: arm.tip"), "touches itself");
    check_message(CONTACT("contact: a, rod: arm, type: ring, when: t"), "unknown key 'when'");
    check_message(CONTACT("contact: arm, rod: arm, type: ring"), "unique");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),     cmocka_unit_test(test_no_positions),
        cmocka_unit_test(test_power),    cmocka_unit_test(test_stress),
        cmocka_unit_test(test_tangents), cmocka_unit_test(test_implicit),
        cmocka_unit_test(test_while),    cmocka_unit_test(test_ends),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
