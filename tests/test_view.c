// SPDX-License-Identifier: Apache-2.0
// Rods, bodies and frames of a view: poses at stations are those of frames of the model, strains and stresses those of
// its signals, sections have the widths of the model file, and a method without modes is drawn as it records.
#include "view_case.h"

#include "rod/rod.h"

// the same two rods, with and without ports at the quarters of each; basis and space by name
static const char TWO_RODS[] =
    "elver: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - rod: arm\n"
    "    pose: {xyz: [0.1, -0.2, 0.3], rpy: [0.3, -0.2, 0.5]}\n"
    "    joint: {revolute: {axis: [1, 2, 3]}}\n"
    "    length: 0.8\n"
    "    section: {circle: {diameter: \"0.02*(1 - 0.5*s)\"}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.45}\n"
    "    strain: {reissner: 3}\n"
    "    reference: {bend_y: 0.5}\n"
    "    %s\n"
    "  - rod: finger\n"
    "    parent: arm.tip\n"
    "    length: 0.3\n"
    "    section: {rectangle: {y: 0.01, z: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.3}\n"
    "    strain: {kirchhoff: 2}\n"
    "frames: [{name: nail, on: finger.tip, pose: {xyz: [0.01, 0.02, 0], rpy: [0, 0, 1]}}]\n"
    "record: {signals: [%s]}\n";

static const char STATIONS[] =
    "arm.at(0.25).position, arm.at(0.5).position, arm.at(0.75).position, "
    "finger.at(0.25).position, finger.at(0.5).position, finger.at(0.75).position";

static Robot two_rods(const char* space, const char* signals) {
    char text[2048];
    (void)snprintf(text, sizeof text, TWO_RODS, space, signals);
    return robot_of_text(text);
}

// A model that knows the stations gives the poses by its ports; one that does not, by interpolation within segments
// of 1e-9 or better (rod_point.h).
static void check_stations(const char* space, uint64_t seed) {
    static const char* const rods[] = {"arm", "finger"};
    Seen seen = see(two_rods(space, "arm.tip.position"), 5);
    Robot known = two_rods(space, STATIONS);
    double* tau = new_array(known.nv);
    shake(&seen.robot, seed, 0.5);
    shake(&known, seed, 0.5);
    look(&seen);
    elv_idm(known.model, known.data, known.state, tau);
    CHECK_TRUE(seen.view->n_rod == 2);
    for (int r = 0; r < 2; r++) {
        const ElvViewRod* rod = rod_named(&seen, rods[r]);
        CHECK_TRUE(rod->n_station == 5);
        for (int i = 0; i < 5; i++) {
            char reference[32];
            (void)snprintf(reference, sizeof reference, "%s.at(%g)", rods[r], 0.25 * i);
            ElvPose pose = elv_frame_pose(known.model, known.data, frame_of(&known, reference));
            check_pose(seen.value + rod->i_pose + ELV_VIEW_POSE * i, pose, 1e-9);
        }
    }
    // what is fixed to the tip
    ElvPose nail = elv_frame_pose(known.model, known.data, frame_of(&known, "nail"));
    CHECK_TRUE(seen.view->n_frame == 1);
    check_pose(seen.value + seen.view->frame[0].i_pose, nail, 1e-9);
    free(tau);
    robot_free(&known);
    see_free(&seen);
}

static void test_stations(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check_stations("nodes: 12", seed);
        check_stations("space: spectral", seed);
        check_stations("basis: piecewise_linear", seed);
    }
}

// strains and stresses are those that signals give
static void test_fields(void** context) {
    (void)context;
    Seen seen = see(two_rods("nodes: 12", "arm.tip.position"), 5);
    shake(&seen.robot, 7, 0.3);
    look(&seen);
    for (int r = 0; r < 2; r++) {
        const ElvViewRod* rod = &seen.view->rod[r];
        for (int i = 0; i < rod->n_station; i++) {
            double expected[ELV_VIEW_FIELDS];
            char name[64];
            (void)snprintf(name, sizeof name, "%s.strain(%g)", rod->name, 0.25 * i);
            signal_now(&seen, name, 6, expected);
            (void)snprintf(name, sizeof name, "%s.stress(%g)", rod->name, 0.25 * i);
            signal_now(&seen, name, 6, expected + 6);
            for (int k = 0; k < ELV_VIEW_FIELDS; k++) {
                // the finger has bending alone
                bool is_there = r == 0 || k == 1 || k == 2 || k == 0 || k >= 6;
                CHECK_TRUE((rod->i_field[k] >= 0) == is_there);
                if (is_there) {
                    CHECK_NEAR(seen.value[rod->i_field[k] + i], expected[k], 1e-12);
                }
            }
        }
    }
    see_free(&seen);
}

static void test_options(void** context) {
    (void)context;
    ElvError error;
    ElvView* view = NULL;
    Robot robot = two_rods("nodes: 12", "arm.tip.position");
    ElvViewOptions options = elv_view_options_default();
    CHECK_TRUE(options.has_strain && options.has_stress && options.has_forces);
    CHECK_STATUS(elv_view_create(robot.model, NULL, &view, &error), &error);
    CHECK_TRUE(view->rod[0].n_station == 17);
    // three columns of the record's signal, and no arrows: nothing is loaded
    CHECK_TRUE(view->n_signal == 3 && view->n_arrow == 0);
    elv_view_free(view);

    static const char* const signal[] = {"energy.kinetic"};
    options.has_strain = options.has_stress = false;
    options.stations = 3;
    options.signal = signal;
    options.n_signal = 1;
    CHECK_STATUS(elv_view_create(robot.model, &options, &view, &error), &error);
    CHECK_TRUE(elv_view_n_value(view) == 2 * 3 * 7 + 7 + 1);
    elv_view_free(view);

    static const char* const bad[] = {"arm.tip.positin"};
    options.signal = bad;
    CHECK_TRUE(elv_view_create(robot.model, &options, &view, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(view == NULL && strstr(error.message, "position"));
    options.n_signal = 0;
    options.stations = 1;
    CHECK_TRUE(elv_view_create(robot.model, &options, &view, &error) == ELV_ERROR_INPUT);
    options.stations = ELV_VIEW_STATIONS_MAX + 1;
    CHECK_TRUE(elv_view_create(robot.model, &options, &view, &error) == ELV_ERROR_INPUT);
    robot_free(&robot);
}

// ---- sections

static void test_widths(void** context) {
    (void)context;
    static const char text[] =
        "elver: 1\n"
        "tree:\n"
        "  - {rod: cone, length: 1, section: {circle: {diameter: \"0.04*(1 - 0.5*s)\"}},\n"
        "     material: {density: 1, young: 1}}\n"
        "  - {rod: oval, length: 1, section: {ellipse: {y: 0.02, z: 0.03}},\n"
        "     material: {density: 1, young: 1}}\n"
        "  - {rod: bar, length: 1, section: {rectangle: {y: 0.05, z: \"0.01 + 0.02*s\"}},\n"
        "     material: {density: 1, young: 1}}\n"
        "  - {rod: area, length: 1, section: {explicit: {area: \"pi*1e-4\", inertia_y: 1e-9,\n"
        "     inertia_z: 1e-9}}, material: {density: 1, young: 1}}\n"
        "  - {rod: none, length: 2, stiffness: [1, 1, 1, 1, 1, 1],\n"
        "     inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1]}\n";
    Seen seen = see(robot_of_text(text), 3);
    static const struct {
        const char* name;
        ElvSectionKind section;
        double y[3], z[3];
    } expected[] = {
        {"cone", ELV_SECTION_CIRCLE, {0.04, 0.03, 0.02}, {0.04, 0.03, 0.02}},
        {"oval", ELV_SECTION_ELLIPSE, {0.02, 0.02, 0.02}, {0.03, 0.03, 0.03}},
        {"bar", ELV_SECTION_RECTANGLE, {0.05, 0.05, 0.05}, {0.01, 0.02, 0.03}},
        // the circle of radius 1 cm
        {"area", ELV_SECTION_CIRCLE, {0.02, 0.02, 0.02}, {0.02, 0.02, 0.02}},
        {"none", ELV_SECTION_CIRCLE, {0.04, 0.04, 0.04}, {0.04, 0.04, 0.04}},
    };
    for (size_t i = 0; i < 5; i++) {
        const ElvViewRod* rod = rod_named(&seen, expected[i].name);
        CHECK_TRUE(rod->section == expected[i].section);
        CHECK_ARRAY_NEAR(rod->width[0], expected[i].y, 3, 1e-15);
        CHECK_ARRAY_NEAR(rod->width[1], expected[i].z, 3, 1e-15);
        CHECK_TRUE(rod->i_scale < 0);
    }
    see_free(&seen);
}

// sections that keep their volume: area times stretch is that at rest
static void test_volume(void** context) {
    (void)context;
    static const char text[] =
        "elver: 1\n"
        "tree:\n"
        "  - {rod: worm, length: 1, section: {circle: {diameter: 0.04}}, volume: kept,\n"
        "     material: {density: 1000}, strain: {stretch: 8},\n"
        "     motion: {stretch: \"1 + 0.5*t*s\"}}\n"
        "simulate: {duration: 2}\n";
    Seen seen = see(robot_of_text(text), 5);
    seen.robot.state->t = 1.5;
    elv_state_impose(seen.robot.model, seen.robot.state);
    look(&seen);
    const ElvViewRod* rod = rod_named(&seen, "worm");
    CHECK_TRUE(rod->i_scale >= 0 && rod->i_field[ELV_STRAIN_STRETCH] >= 0);
    for (int i = 0; i < 5; i++) {
        double stretch = 1.0 + 0.75 * (0.25 * i);
        double scale = seen.value[rod->i_scale + i];
        CHECK_NEAR(seen.value[rod->i_field[ELV_STRAIN_STRETCH] + i], stretch, 1e-12);
        CHECK_NEAR(scale * scale * stretch, 1.0, 1e-12);
    }
    see_free(&seen);
}

// ---- bodies

static void test_bodies(void** context) {
    (void)context;
    Seen seen = see(robot_read("models/joint-zoo.yaml"), 0);
    shake(&seen.robot, 3, 0.3);
    look(&seen);
    int n_body = 0;
    for (int i = 0; i < elv_model_n_node(seen.robot.model); i++) {
        ElvNodeInfo info = elv_model_node(seen.robot.model, i);
        if (info.is_rod || strchr(info.name, '.')) {
            continue;
        }
        const ElvViewBody* body = &seen.view->body[n_body++];
        assert_string_equal(body->name, info.name);
        ElvPose pose =
            elv_frame_pose(seen.robot.model, seen.robot.data, frame_of(&seen.robot, info.name));
        check_pose(seen.value + body->i_pose, pose, 1e-12);
    }
    CHECK_TRUE(n_body > 3 && n_body == seen.view->n_body);
    see_free(&seen);
}

// records are left out where there are too many numbers, and any number of records has a stride
static void test_stride(void** context) {
    (void)context;
    Seen seen = see(two_rods("", "arm.tip.position"), 5);
    double n_value = elv_view_n_value(seen.view);
    CHECK_TRUE(elv_view_stride(seen.view, 600.0) == 1);
    CHECK_TRUE(elv_view_stride(seen.view, floor(3e6 / n_value)) == 1);
    CHECK_TRUE(elv_view_stride(seen.view, 3.0 * floor(3e6 / n_value)) == 3);
    static const double many[] = {1e15, 1e30, INFINITY};
    for (int i = 0; i < 3; i++) {
        long stride = elv_view_stride(seen.view, many[i]);
        CHECK_TRUE(stride >= elv_view_stride(seen.view, 1e12) && stride <= 1000000000);
    }
    CHECK_TRUE(elv_view_stride(seen.view, NAN) == 1);
    see_free(&seen);
    // records of more than 5000 numbers: 600 of them are too much already, yet 300 stay of any number
    Seen large = see(two_rods("", "arm.tip.position"), ELV_VIEW_STATIONS_MAX);
    CHECK_TRUE(elv_view_n_value(large.view) > 5000);
    for (long n = 300; n < 20000; n++) {
        long stride = elv_view_stride(large.view, (double)n);
        long n_kept = (n - 1) / stride + 1;
        CHECK_TRUE(n_kept >= 300 && (n <= 600 ? n_kept == n : n_kept <= 600));
    }
    see_free(&large);
}

// quaternions go on: along a rod that is wound up, and while a body turns by more than pi
static void test_signs(void** context) {
    (void)context;
    static const char text[] =
        "elver: 1\n"
        "tree:\n"
        "  - {rod: coil, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
        "     inertia: [1, 1, 1, 1, 1, 1], reference: {bend_z: \"6*pi\"}}\n"
        "  - {body: top, joint: {revolute: {axis: z}}, mass: 1, inertia: [1, 1, 1]}\n";
    Seen seen = see(robot_of_text(text), 65);
    double last[4] = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 100; i++) {
        seen.robot.state->q[0] = 0.2 * i;
        look(&seen);
        const double* top = seen.value + seen.view->body[0].i_pose + 3;
        CHECK_TRUE(array_dot(top, last, 4) > 0.99);
        memcpy(last, top, sizeof last);
        const double* coil = seen.value + seen.view->rod[0].i_pose + 3;
        for (int k = 1; k < 65; k++) {
            CHECK_TRUE(array_dot(coil + 7 * k, coil + 7 * (k - 1), 4) > 0.98);
        }
    }
    see_free(&seen);
}

// ---- methods without modes

typedef struct {
    Seen* seen;
    int n;
    double moved; // of the tip, at most
} Run;

// the root and the tip are ports; the middle is what a signal of strain reads, and lies on the curve of the strains
static bool compare(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Run* run = user;
    const Seen* seen = run->seen;
    const ElvViewRod* rod = &seen->view->rod[0];
    elv_view_eval(seen->view, model, data, state, seen->value);
    ElvPose tip = elv_frame_pose(model, data, frame_of(&seen->robot, "rod.tip"));
    ElvPose middle = elv_frame_pose(model, data, frame_of(&seen->robot, "rod.at(0.5)"));
    const double* pose = seen->value + rod->i_pose;
    check_pose(pose + 7 * (rod->n_station - 1), tip, 1e-12);
    check_pose(pose + 7 * (rod->n_station / 2), middle, 1e-12);
    for (int k = 0; k < 6; k++) {
        // all six are free
        CHECK_TRUE(rod->i_field[k] >= 0);
    }
    run->moved = fmax(run->moved, fabs(tip.p.y));
    run->n++;
    return true;
}

static void check_method(const char* simulate) {
    static const char text[] =
        "elver: 1\n"
        "tree:\n"
        "  - {rod: rod, length: 0.4, section: {circle: {radius: 5e-3}}, strain: {reissner: 4},\n"
        "     material: {density: 1000, young: 1e7, poisson: 0.3, damping: 1e-3}}\n"
        "actuators: [{tendon: wire, path: {rod: rod, y: 0.004}, tension: \"5*t/0.05\"}]\n"
        "loads: [{force: [0, 0, 1], at: rod.at(0.5)}]\n"
        "simulate: {duration: 0.05, step: 0.005, %s}\n"
        "record: {every: 0.01, signals: [rod.tip.position]}\n";
    char full[1024];
    ElvError error;
    (void)snprintf(full, sizeof full, text, simulate);
    Seen seen = see(robot_of_text(full), 9);
    Run run = {.seen = &seen};
    ElvSimulateOptions options = elv_simulate_options_default(seen.robot.model, seen.robot.state);
    options.record = compare;
    options.user = &run;
    ElvState* state = copy_state(&seen.robot, seen.robot.state);
    CHECK_STATUS(elv_simulate(seen.robot.model, state, &options, NULL, &error), &error);
    CHECK_TRUE(run.n == 6 && run.moved > 1e-4);
    // the tendon's tension at the end
    CHECK_NEAR(seen.value[path_named(&seen, "wire")->i_value], 5.0, 1e-9);
    elv_state_free(state);
    see_free(&seen);
}

static void test_methods(void** context) {
    (void)context;
    check_method("method: rkmk, nodes: 21");
    check_method("method: till, nodes: 21");
    check_method("method: shooting");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stations), cmocka_unit_test(test_fields),
        cmocka_unit_test(test_options),  cmocka_unit_test(test_widths),
        cmocka_unit_test(test_volume),   cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_stride),   cmocka_unit_test(test_signs),
        cmocka_unit_test(test_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
