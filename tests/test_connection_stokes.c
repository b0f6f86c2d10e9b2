// SPDX-License-Identifier: Apache-2.0
// Swimmers in Stokes flow: shapes that move a robot and shapes that do not. The oracle is plain
// trigonometry of planar links.
#include "connection_case.h"

typedef struct {
    double x, y, angle; // centre and direction
    double along, across, turn;
} Link;

// force, moment about the origin and dissipation of links on hinges, by their motion over a tiny
// time
static void add_drag(const Link* link, const double rate[3], double sum[3], double* power) {
    double c = cos(link->angle), s = sin(link->angle);
    double u = c * rate[0] + s * rate[1], w = c * rate[1] - s * rate[0];
    double f_u = -link->along * u, f_w = -link->across * w, m = -link->turn * rate[2];
    double f_x = c * f_u - s * f_w, f_y = s * f_u + c * f_w;
    sum[0] += f_x;
    sum[1] += f_y;
    sum[2] += m + link->x * f_y - link->y * f_x;
    *power -= f_u * u + f_w * w + m * rate[2];
}

// q = (angle, x, y, left, right) of three-link-swimmer
static void swimmer_drag(const double* q, const double* v, double sum[3], double* power) {
    double c = cos(q[0]), s = sin(q[0]);
    sum[0] = sum[1] = sum[2] = *power = 0.0;
    for (int i = 0; i < 3; i++) {
        double side = i - 1.0;
        double turn = i == 0 ? q[3] : i == 2 ? q[4] : 0.0;
        double rate = i == 0 ? v[3] : i == 2 ? v[4] : 0.0;
        double angle = q[0] + turn, spin = v[0] + rate;
        Link link = {.x = q[1] + side * 0.5 * (c + cos(angle)),
                     .y = q[2] + side * 0.5 * (s + sin(angle)),
                     .angle = angle,
                     .along = 1.0,
                     .across = 2.0,
                     .turn = 1.0 / 6.0};
        double motion[3] = {v[1] - side * 0.5 * (s * v[0] + sin(angle) * spin),
                            v[2] + side * 0.5 * (c * v[0] + cos(angle) * spin), spin};
        if (i == 1) {
            link.x = q[1];
            link.y = q[2];
            motion[0] = v[1];
            motion[1] = v[2];
        }
        add_drag(&link, motion, sum, power);
    }
}

typedef struct {
    double worst_force, worst_power;
    int n;
} Watch;

// no force, no moment, and all work of the hinges is dissipated
static bool watch_swimmer(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Watch* watch = user;
    double sum[3], dissipated, effort[5];
    swimmer_drag(state->q, state->v, sum, &dissipated);
    elv_drive_efforts(model, data, state, effort);
    double power = effort[3] * state->v[3] + effort[4] * state->v[4];
    for (int k = 0; k < 3; k++) {
        watch->worst_force = fmax(watch->worst_force, fabs(sum[k]));
        watch->worst_force = fmax(watch->worst_force, fabs(effort[k]));
    }
    watch->worst_power = fmax(watch->worst_power, fabs(power - dissipated));
    watch->n++;
    return true;
}

static void test_three_links(void** unused) {
    (void)unused;
    ElvModel* model = example("three-link-swimmer");
    ElvState* state = NULL;
    ElvError error;
    Watch watch = {0};
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.record = watch_swimmer;
    options.user = &watch;
    CHECK_STATUS(elv_simulate(model, state, &options, NULL, &error), &error);
    CHECK_TRUE(watch.n == 51);
    CHECK_NEAR(watch.worst_force, 0.0, 1e-12);
    CHECK_NEAR(watch.worst_power, 0.0, 1e-12);
    // it does not return, but keeps its heading by symmetry of the circle
    CHECK_TRUE(hypot(state->q[1], state->q[2]) > 0.05);
    CHECK_NEAR(state->q[0], 0.0, 1e-10);
    elv_state_free(state);
    elv_model_free(model);
}

static const char links_text[] =
    "elver: 1\nname: links\ngravity: [0, 0, 0]\ntree:\n"
    "  - body: middle\n    joint: {planar: {axis: z}}\n    mass: 0\n"
    "    resistance: [0, 0, 0.166666666666666667, 1, 2, 2]\n"
    "  - body: left\n    parent: middle\n    pose: {xyz: [-0.5, 0, 0]}\n"
    "    joint: {revolute: {axis: z, motion: \"%g*cos(2*pi*t)\"}}\n    mass: 0\n"
    "    center: [-0.5, 0, 0]\n    resistance: [0, 0, 0.166666666666666667, 1, 2, 2]\n"
    "  - body: right\n    parent: middle\n    pose: {xyz: [0.5, 0, 0]}\n"
    "    joint: {revolute: {axis: z, motion: \"%g*sin(2*pi*t)\"}}\n    mass: 0\n"
    "    center: [0.5, 0, 0]\n    resistance: [0, 0, 0.166666666666666667, 1, 2, 2]\n"
    "simulate: {method: connection, connection: stokes, duration: 1}\n"
    "record: {signals: [middle.q]}\n%s";

// sign and size by the area rule at the straight shape, where the next order vanishes by symmetry;
// a cycle the other way around undoes it
static void test_small_cycles(void** unused) {
    (void)unused;
    double relative[2];
    for (int i = 0; i < 2; i++) {
        double radius = i == 0 ? 0.2 : 0.05;
        ElvModel* model = model_with(links_text, radius, radius, "");
        ElvState* state = NULL;
        ElvError error;
        double F[3];
        CHECK_STATUS(elv_state_create(model, &state, &error), &error);
        memset(state->q, 0, 5 * sizeof(double));
        CHECK_STATUS(elv_connection_curvature(model, state, ELV_CONNECTION_STOKES, 0, 1, F, &error),
                     &error);
        ElvGait gait = cycle_of(model, ELV_CONNECTION_STOKES, 0.0);
        CHECK_NEAR(gait.period, 1.0, 1e-9);
        CHECK_NEAR(gait.opening, 0.0, 1e-12);
        double area = 3.14159265358979323846 * radius * radius;
        CHECK_TRUE(fabs(F[1]) > 0.01);
        relative[i] = fabs(gait.net.p.x / (area * F[1]) - 1.0);
        ElvModel* back = model_with(links_text, radius, -radius, "");
        ElvGait reverse = cycle_of(back, ELV_CONNECTION_STOKES, 0.0);
        ElvPose whole = elv_pose_compose(gait.net, reverse.net);
        CHECK_NEAR(elv_vec3_norm(whole.p), 0.0, 1e-9);
        elv_state_free(state);
        elv_model_free(model);
        elv_model_free(back);
    }
    CHECK_TRUE(relative[0] < 0.1);
    CHECK_NEAR(relative[0] / relative[1], 16.0, 2.0);
}

static void test_scallop(void** unused) {
    (void)unused;
    Gait gait = gait_start(example("scallop"), 0.0, 0.0);
    double farthest = 0.0;
    for (int i = 1; i <= 4; i++) {
        gait_go(&gait, 0.5 * i);
        farthest = fmax(farthest, fabs(gait.state->q[1]));
        if (i % 2 == 0) {
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(gait.state->q[k], 0.0, 1e-10);
            }
        }
    }
    CHECK_TRUE(farthest > 0.01);
    gait_free(&gait);
}

// the same shapes at another pace: nothing is gained either, and at equal shapes it stands at equal
// places
static void test_scallop_pace(void** unused) {
    (void)unused;
    // out with jerks and rests, back in a third of the time
    static const ElvOverride pace[] = {
        {"lower.joint.revolute.motion",
         "-1.1 + 0.5*cos(if(t < 0.75, pi*smooth(t, 0, 0.75) + 0.2*sin(8*pi*t/0.75)*t*(0.75 - t), "
         "pi + pi*smooth(t, 0.75, 1)))"}};
    char path[512];
    ElvError error;
    ElvModel* model = NULL;
    (void)snprintf(path, sizeof path, "%s/models/scallop.yaml", ELVER_SOURCE_DIR);
    CHECK_STATUS(elv_model_read_file(path, pace, 1, &model, &error), &error);
    Gait second = gait_start(model, 0.0, 0.0);
    for (int i = 1; i <= 8; i++) {
        gait_go(&second, 0.125 * i);
        // the time at which the first law has this shape, in its first half
        double cosine = (second.state->q[3] + 1.1) / 0.5, lo = 0.0, hi = 0.5;
        for (int k = 0; k < 60; k++) {
            double t = 0.5 * (lo + hi);
            double phase = 2.0 * acos(-1.0) * t;
            *(cos(phase + 0.8 * sin(phase)) > cosine ? &lo : &hi) = t;
        }
        Gait first = gait_start(example("scallop"), 0.0, 0.0);
        gait_go(&first, lo);
        CHECK_ARRAY_NEAR(second.state->q, first.state->q, 3, 1e-8);
        gait_free(&first);
    }
    CHECK_NEAR(second.state->t, 1.0, 0.0);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(second.state->q[k], 0.0, 1e-10);
    }
    gait_free(&second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_links),
        cmocka_unit_test(test_small_cycles),
        cmocka_unit_test(test_scallop),
        cmocka_unit_test(test_scallop_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
