// SPDX-License-Identifier: Apache-2.0
// Simulations that start from rest under what acts just before t = 0 (simulate: {start: statics}):
// a shape held until t = 0 and let go.
#include "model_case.h"

#include "elver/statics.h"

enum { MAX_ROW = 64 };

typedef struct {
    int n;
    double t[MAX_ROW], v[MAX_ROW], a[MAX_ROW];
    ElvVec3 tip[MAX_ROW];
    ElvFrame frame;
} Log;

static bool on_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Log* log = user;
    CHECK_TRUE(log->n < MAX_ROW);
    log->t[log->n] = state->t;
    log->v[log->n] = largest(state->v, (size_t)state->nv);
    log->a[log->n] = largest(state->a, (size_t)state->nv);
    log->tip[log->n++] = elv_frame_pose(model, data, log->frame).p;
    return true;
}

static ElvStatus simulate(ModelCase* c, double t_end, Log* log, ElvError* error) {
    log->frame = case_frame(c, "rod.tip");
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.t_end = t_end;
    options.record = on_record;
    options.user = log;
    return elv_simulate(c->model, c->state, &options, NULL, error);
}

// a beam rolled up by 2.3 N m: held by the torque until t = 0, or given the shape of it
static ModelCase open_beam(bool is_held) {
    const char* shape = is_held ? "" : ", initial: {bend_z: \"2.3/(1e8*pi*0.01^4/4)\"}";
    return case_open(
        "tree:\n"
        "  - {rod: rod, length: 1, section: {circle: {radius: 0.01}}, strain: {bend_z: 5},\n"
        "     material: {density: 1000, young: 1e8, damping: 1e-3}%s}\n"
        "loads: [{torque: [0, 0, 2.3], at: rod.tip, while: \"t < 0\"}]\n"
        "simulate: {method: explicit, duration: 0.05, start: %s}\n"
        "record: {every: 0.005}\n",
        shape, is_held ? "statics" : "model");
}

static void test_shape_is_held_and_let_go(void** unused) {
    (void)unused;
    ModelCase held = open_beam(true);
    ModelCase given = open_beam(false);
    Log a = {0};
    Log b = {0};
    ElvError error;
    CHECK_STATUS(simulate(&held, 0.05, &a, &error), &error);
    CHECK_STATUS(simulate(&given, 0.05, &b, &error), &error);
    CHECK_TRUE(a.n == 11 && b.n == 11);
    // at rest at t = 0, but no longer held
    CHECK_NEAR(a.t[0], 0.0, 0.0);
    CHECK_NEAR(a.v[0], 0.0, 0.0);
    CHECK_TRUE(a.a[0] > 1.0);
    for (int i = 0; i < a.n; i++) {
        CHECK_NEAR(a.t[i], b.t[i], 0.0);
        CHECK_NEAR(a.tip[i].x, b.tip[i].x, 1e-7);
        CHECK_NEAR(a.tip[i].y, b.tip[i].y, 1e-7);
    }
    CHECK_TRUE(fabs(a.tip[10].x - a.tip[0].x) > 0.01);
    case_close(&held);
    case_close(&given);
}

// a run that goes on from a later state does not look for an equilibrium again
static void test_only_at_the_beginning(void** unused) {
    (void)unused;
    ModelCase whole = open_beam(true);
    ModelCase parts = open_beam(true);
    Log a = {0};
    Log b = {0};
    ElvError error;
    CHECK_STATUS(simulate(&whole, 0.05, &a, &error), &error);
    CHECK_STATUS(simulate(&parts, 0.025, &b, &error), &error);
    CHECK_STATUS(simulate(&parts, 0.05, &b, &error), &error);
    CHECK_NEAR(parts.state->t, 0.05, 0.0);
    CHECK_NEAR(b.tip[b.n - 1].x, a.tip[a.n - 1].x, 1e-6);
    CHECK_NEAR(b.tip[b.n - 1].y, a.tip[a.n - 1].y, 1e-6);
    case_close(&whole);
    case_close(&parts);
}

// under loads that stay, it stays
static void test_rest_stays_rest(void** unused) {
    (void)unused;
    ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                            "tree:\n"
                            "  - {rod: rod, length: 1, section: {circle: {radius: 0.01}},\n"
                            "     material: {density: 1000, young: 1e8, damping: 1e-3},\n"
                            "     strain: {kirchhoff: 4}, nodes: 20}\n"
                            "simulate: {duration: 0.2, start: statics}\n"
                            "record: {every: 0.02}\n");
    Log log = {0};
    ElvError error;
    CHECK_STATUS(simulate(&c, 0.2, &log, &error), &error);
    CHECK_TRUE(log.n == 11 && log.tip[0].z < -0.1);
    for (int i = 1; i < log.n; i++) {
        CHECK_NEAR(log.tip[i].z, log.tip[0].z, 1e-8);
        CHECK_NEAR(log.tip[i].x, log.tip[0].x, 1e-8);
    }
    case_close(&c);
}

static void test_no_equilibrium_no_start(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\n"
                  "tree:\n"
                  "  - {rod: rod, joint: free, length: 1, section: {circle: {radius: 0.01}},\n"
                  "     material: {density: 1000, young: 1e8}, strain: {kirchhoff: 3}}\n"
                  "simulate: {duration: 0.1, start: statics}\n");
    Log log = {0};
    ElvError error;
    CHECK_TRUE(simulate(&c, 0.1, &log, &error) == ELV_ERROR_SINGULAR);
    CHECK_TRUE(log.n == 0 && strcmp(error.element, "rod.joint") == 0);
    CHECK_NEAR(c.state->t, 0.0, 0.0);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_is_held_and_let_go),
        cmocka_unit_test(test_only_at_the_beginning),
        cmocka_unit_test(test_rest_stays_rest),
        cmocka_unit_test(test_no_equilibrium_no_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
