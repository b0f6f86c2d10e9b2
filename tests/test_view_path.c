// SPDX-License-Identifier: Apache-2.0
// Tendons, chambers and muscles of a view: their points lie in the sections where the model file puts them, the length
// of the line that they make goes to the length that the model measures, and their colours are tensions, pressures,
// activations.
#include "view_case.h"

#include "model_sample.h"

static double line_length(const Seen* seen, const ElvViewPath* path) {
    const double* p = seen->value + path->i_points;
    double sum = 0.0;
    for (int i = 1; i < path->n_point; i++) {
        sum += array_distance(p + 3 * i, p + 3 * (i - 1), 3);
    }
    return sum;
}

// |line - length| for a number of stations
static double defect(const char* text, const char* name, int stations) {
    char signal[64];
    double length;
    Seen seen = see(robot_of_text(text), stations);
    shake(&seen.robot, 11, 0.4);
    look(&seen);
    (void)snprintf(signal, sizeof signal, "tendon.%s.length", name);
    signal_now(&seen, signal, 1, &length);
    double line = line_length(&seen, path_named(&seen, name));
    CHECK_TRUE(line > 0.0);
    // chords are shorter than arcs
    double error = length - line;
    CHECK_TRUE(error > -1e-12);
    see_free(&seen);
    return error;
}

// chords of a smooth curve: the defect falls with the square of their length
static void check_length(const char* text, const char* name) {
    double coarse = defect(text, name, 17);
    double fine = defect(text, name, 33);
    double finest = defect(text, name, 65);
    CHECK_TRUE(coarse < 1e-3);
    CHECK_NEAR(coarse / fine, 4.0, 0.4);
    CHECK_NEAR(fine / finest, 4.0, 0.4);
}

static const char WOUND[] =
    "elver: 1\n"
    "tree:\n"
    "  - rod: rod\n"
    "    length: 1\n"
    "    section: {circle: {radius: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.3}\n"
    "    strain: {reissner: 4}\n"
    "  - rod: end\n"
    "    parent: rod.tip\n"
    "    length: 0.5\n"
    "    section: {circle: {radius: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.3}\n"
    "    strain: {kirchhoff: 3}\n"
    "actuators:\n"
    "  - {tendon: straight, path: {rod: rod, y: 0.01}, tension: 1}\n"
    "  - {tendon: led, path: [{at: world, point: [-0.2, 0.1, 0]}, {rod: rod, from: 0.2, z: 0.01},\n"
    "     {rod: end, z: 0.01}, {rod: end, from: 1, to: 0.5, y: -0.01}], tension: \"2 + t\"}\n"
    "  - {tendon: wound, path: {rod: rod, y: \"0.01*sin(6*pi*s)\", z: \"0.01*cos(6*pi*s)\"},\n"
    "     pull: 0.01, stiffness: 1e3}\n";

static void test_length(void** context) {
    (void)context;
    check_length(WOUND, "straight");
    check_length(WOUND, "led");
    // a winding is drawn by points of its own: twice the stations do not always double these
    double coarse = defect(WOUND, "wound", 5);
    CHECK_TRUE(coarse < 1e-2);
    CHECK_TRUE(defect(WOUND, "wound", 129) < 0.1 * coarse);
}

// ends of a path in the frames of the model
static void test_ends(void** context) {
    (void)context;
    Seen seen = see(robot_of_text(WOUND), 0);
    const Robot* robot = &seen.robot;
    shake(&seen.robot, 5, 0.4);
    look(&seen);
    const ElvViewPath* path = path_named(&seen, "led");
    const double* p = seen.value + path->i_points;
    const double start[3] = {-0.2, 0.1, 0.0};
    CHECK_ARRAY_NEAR(p, start, 3, 1e-12);
    // the strand leads to s = 0.2 of the rod, which the model does not know as a frame, and the path goes through its tip
    ElvPose tip = elv_frame_pose(robot->model, robot->data, frame_of(robot, "rod.tip"));
    ElvVec3 at = elv_pose_apply(tip, elv_vec3(0.0, 0.0, 0.01));
    double nearest = 1.0;
    for (int i = 0; i < path->n_point; i++) {
        const double there[3] = {at.x, at.y, at.z};
        nearest = fmin(nearest, array_distance(p + 3 * i, there, 3));
    }
    CHECK_NEAR(nearest, 0.0, 1e-9);
    // the end, at s = 0.5 on the way back, lies where the section is
    ElvPose middle;
    elv_rod_section(robot->model, robot->data, robot->state, seen.view->rod[1].i_node, 0.5, &middle,
                    NULL, NULL);
    at = elv_pose_apply(middle, elv_vec3(0.0, -0.01, 0.0));
    const double end[3] = {at.x, at.y, at.z};
    CHECK_ARRAY_NEAR(p + 3 * (path->n_point - 1), end, 3, 1e-12);
    // no point twice
    for (int i = 1; i < path->n_point; i++) {
        CHECK_TRUE(array_distance(p + 3 * i, p + 3 * (i - 1), 3) > 1e-6);
    }
    see_free(&seen);
}

static double colour(const Seen* seen, const char* name) {
    return seen->value[path_named(seen, name)->i_value];
}

static void test_colours(void** context) {
    (void)context;
    static const double PI = 3.14159265358979323846;
    Seen seen = see(robot_of_text(sample_actuators), 0);
    double t = 0.3, tension, activation;
    seen.robot.state->t = t;
    for (int i = 0; i < elv_model_nz(seen.robot.model); i++) {
        seen.robot.state->z[i] = 0.1 + 0.01 * i;
    }
    look(&seen);
    CHECK_NEAR(colour(&seen, "left"), 5.0 + 2.0 * sin(5.0 * PI * t), 1e-12);
    CHECK_NEAR(colour(&seen, "long"), 0.9, 1e-12);
    CHECK_NEAR(colour(&seen, "bellow"), 3e3, 1e-9);
    CHECK_NEAR(colour(&seen, "bag"), 5e3, 1e-9);
    // in the middle of its path, s = 1/2
    CHECK_NEAR(colour(&seen, "dorsal"), 0.5 + 0.5 * sin(2.0 * PI * (t - 0.5)), 1e-12);
    CHECK_NEAR(colour(&seen, "ventral"), 0.25, 1e-12);
    signal_now(&seen, "tendon.drum.tension", 1, &tension);
    signal_now(&seen, "muscle.flexor.activation", 1, &activation);
    CHECK_NEAR(colour(&seen, "drum"), tension, 1e-12);
    CHECK_NEAR(colour(&seen, "flexor"), activation, 1e-12);
    CHECK_TRUE(tension > 0.0 && activation != 0.0);
    // units, and widths to draw with: a chamber has its own, 2e-5 m^2
    assert_string_equal(path_named(&seen, "left")->unit, "N");
    assert_string_equal(path_named(&seen, "bag")->unit, "Pa");
    assert_string_equal(path_named(&seen, "dorsal")->unit, "-");
    CHECK_NEAR(path_named(&seen, "bag")->width, 2.0 * sqrt(2e-5 / PI), 1e-12);
    see_free(&seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
