// SPDX-License-Identifier: Apache-2.0
// Searches for equilibria that the caller stops at every call, one after the other: the status says so, states and
// rows are as if the next one had not been begun, and another search from there finds what an undisturbed one does.
#include "stop_case.h"

#include "elver/analysis.h"
#include "elver/inverse.h"
#include "elver/strong.h"

enum { MAX_ROW = 256 };

// ---- one equilibrium

// the way from a state to load t, by the method of the model
static void check_solve(ModelCase* c, double t) {
    ElvStaticsDef options = elv_model_statics(c->model);
    ElvStaticsReport report;
    ElvError error;
    ElvState* start = copy_of(c);
    StopAt never = {0, 0};
    options.stop = stop_by(&never);
    CHECK_STATUS(elv_statics_solve(c->model, c->state, t, &options, &report, &error), &error);
    CHECK_TRUE(never.n_call >= 2);
    ElvState* found = copy_of(c);
    for (int at = 1; at <= never.n_call; at = next_stop(at, never.n_call)) {
        StopAt own = {0, at};
        options.stop = stop_by(&own);
        elv_state_copy(c->state, start);
        ElvStatus status = elv_statics_solve(c->model, c->state, t, &options, &report, &error);
        check_stopped(status, &error, &own);
        CHECK_TRUE(is_same_state(c->state, start) && report.n_load == 0);
        options.stop.is_stopped = NULL;
        CHECK_STATUS(elv_statics_solve(c->model, c->state, t, &options, &report, &error), &error);
        CHECK_TRUE(is_same_state(c->state, found));
    }
    elv_state_free(start);
    elv_state_free(found);
    case_close(c);
}

static const char CANTILEVER[] =
    "tree:\n"
    "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1, 1, 1], nodes: 30,\n"
    "     inertia: [1, 1, 1, 1, 1, 1], strain: {bend_z: 14}}\n"
    "loads:\n"
    "  - {force: [0, \"t\", 0], at: rod.tip}\n"
    "statics: %s\n";

static const char PENDULUM[] = "gravity: [0, 0, -9.81]\n"
                               "tree:\n"
                               "  - {body: bob, joint: {revolute: {axis: y, position: 3.1}}, "
                               "mass: 1, center: [0, 0, -1], inertia: [0.1, 0.1, 0.1]}\n"
                               "statics: {method: %s}\n";

// at once, along a path, with all loads raised from none, sliding down, and away from a saddle
static void test_one_equilibrium(void** unused) {
    (void)unused;
    static const double LOAD[] = {1.0, 30.0, 300.0};
    static const char* const METHOD[] = {"newton", "relaxation"};
    for (int i = 0; i < 3; i++) {
        ModelCase c = case_open(CANTILEVER, "{}");
        check_solve(&c, LOAD[i]);
        // no equilibrium at its own load
        c = case_open(CANTILEVER, "{}");
        c.state->t = 2.0;
        check_solve(&c, LOAD[i]);
    }
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open(PENDULUM, METHOD[i]);
        check_solve(&c, 0.0);
    }
}

// loops that are mounted, closed, projected on; a layout moved out of its symmetry
static void test_loops(void** unused) {
    (void)unused;
    static const char* const NAME[] = {"cpr", "twist-push", "four-bar"};
    static const char* const METHOD[] = {"newton", "relaxation", "projective"};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const ElvOverride set = {"statics.method", METHOD[k]};
            ModelCase c = open_model(NAME[i], &set, 1);
            StopAt own = {0, 1};
            ElvStaticsDef options = elv_model_statics(c.model);
            ElvError error;
            options.stop = stop_by(&own);
            ElvState* start = copy_of(&c);
            for (own.at = 1; own.at < 60; own.at += 1 + own.at / 4) {
                own.n_call = 0;
                elv_state_copy(c.state, start);
                ElvStatus status = elv_statics_solve(c.model, c.state, 1.2, &options, NULL, &error);
                if (own.n_call < own.at) {
                    break;
                }
                check_stopped(status, &error, &own);
                CHECK_TRUE(is_same_state(c.state, start));
            }
            CHECK_TRUE(own.at >= 2);
            elv_state_free(start);
            case_close(&c);
        }
    }
}

// ---- rows

typedef struct {
    int n;
    double row[MAX_ROW][2];
    ElvContinuationKind kind[MAX_ROW];
} Rows;

static void keep(Rows* rows, const ElvState* state) {
    CHECK_TRUE(rows->n < MAX_ROW);
    rows->row[rows->n][0] = state->t;
    rows->row[rows->n++][1] = state->q[0];
}

static bool on_row(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    (void)model;
    (void)data;
    keep(user, state);
    return true;
}

// rows are the first ones of an undisturbed run
static void check_first(const Rows* rows, const Rows* all) {
    CHECK_TRUE(rows->n <= all->n);
    CHECK_TRUE(memcmp(rows->row, all->row, (size_t)rows->n * sizeof rows->row[0]) == 0);
}

static void test_rows_are_kept(void** unused) {
    (void)unused;
    static const char* const METHOD[] = {"newton", "relaxation", "shooting"};
    for (int i = 0; i < 3; i++) {
        char statics[64];
        snprintf(statics, sizeof statics, "{method: %s, loads: [1, 2, 3, 9]}", METHOD[i]);
        ModelCase c = case_open(CANTILEVER, statics);
        ElvStaticsOptions options = elv_statics_options_default(c.model);
        ElvStaticsReport report;
        ElvError error;
        static Rows all, rows;
        all.n = 0;
        options.record = on_row;
        options.user = &all;
        StopAt never = {0, 0};
        options.method.stop = stop_by(&never);
        CHECK_STATUS(elv_statics_run(c.model, c.state, &options, &report, &error), &error);
        CHECK_TRUE(all.n == 4);
        int most = 0;
        for (int at = 1; at <= never.n_call; at++) {
            StopAt own = {0, at};
            rows.n = 0;
            options.user = &rows;
            options.method.stop = stop_by(&own);
            elv_state_reset(c.model, c.state);
            ElvStatus status = elv_statics_run(c.model, c.state, &options, &report, &error);
            check_stopped(status, &error, &own);
            check_first(&rows, &all);
            CHECK_TRUE(report.n_load == rows.n);
            CHECK_TRUE(c.state->t == (rows.n > 0 ? rows.row[rows.n - 1][0] : 0.0));
            CHECK_TRUE(rows.n >= most);
            most = rows.n;
        }
        CHECK_TRUE(most == 3);
        case_close(&c);
    }
}

static bool on_point(void* user,
                     const ElvModel* model,
                     ElvData* data,
                     const ElvState* state,
                     const ElvContinuationPoint* point) {
    (void)model;
    (void)data;
    Rows* rows = user;
    keep(rows, state);
    rows->kind[rows->n - 1] = point->kind;
    return true;
}

// through a bifurcation, onto the branch; the state ends as the last regular point
static void test_continuation(void** unused) {
    (void)unused;
    ModelCase c = open_model("euler-buckling", NULL, 0);
    ElvContinuationOptions options = elv_continuation_options_default(c.model);
    ElvContinuationReport report;
    ElvError error;
    static Rows all, rows;
    StopAt never = {0, 0};
    all.n = 0;
    options.branch = 1;
    options.record = on_point;
    options.user = &all;
    options.method.stop = stop_by(&never);
    CHECK_STATUS(elv_statics_continue(c.model, c.state, &options, &report, &error), &error);
    CHECK_TRUE(report.has_branched && never.n_call > all.n);
    options.user = &rows;
    for (int at = 1; at <= never.n_call; at++) {
        StopAt own = {0, at};
        rows.n = 0;
        options.method.stop = stop_by(&own);
        elv_state_reset(c.model, c.state);
        ElvStatus status = elv_statics_continue(c.model, c.state, &options, &report, &error);
        check_stopped(status, &error, &own);
        check_first(&rows, &all);
        CHECK_TRUE(report.n_point == rows.n && report.end == ELV_CONTINUATION_LOST);
        int last = rows.n - 1;
        while (last >= 0 && rows.kind[last] != ELV_POINT_REGULAR) {
            last--;
        }
        CHECK_TRUE(c.state->t == (last >= 0 ? rows.row[last][0] : 0.0));
        CHECK_TRUE(c.state->q[0] == (last >= 0 ? rows.row[last][1] : 0.0));
    }
    case_close(&c);
}

// ---- shooting

static ElvPose tip_of(ElvShooting* shooting) {
    ElvPose pose;
    elv_shoot_section(shooting, 0, 1.0, &pose, NULL, NULL);
    return pose;
}

// one solver that is stopped again and again: the last equilibrium stays, and it goes on from there
static void check_shooting(ElvShootSolver solver, int segments, double first, double load) {
    ModelCase c = case_open(CANTILEVER, "{}");
    ElvStaticsDef options = elv_statics_def_default();
    ElvShooting* shooting = NULL;
    ElvError error;
    StopAt own = {0, 0};
    options.shooting.segments = segments;
    options.shooting.solver = solver;
    options.stop = stop_by(&own);
    CHECK_STATUS(elv_shoot_create(c.model, &options, &shooting, &error), &error);
    CHECK_STATUS(elv_shoot_statics(shooting, load, &error), &error);
    ElvPose wanted = tip_of(shooting);
    elv_shoot_free(shooting);
    CHECK_STATUS(elv_shoot_create(c.model, &options, &shooting, &error), &error);
    // before there is any equilibrium
    for (int at = 1; at < 8; at++) {
        own = (StopAt){0, at};
        ElvStatus status = elv_shoot_statics(shooting, load, &error);
        if (status == ELV_OK) {
            break;
        }
        check_stopped(status, &error, &own);
        CHECK_TRUE(elv_shoot_report(shooting).end == ELV_SHOT_STOPPED);
    }
    own.at = 0;
    CHECK_STATUS(elv_shoot_statics(shooting, first, &error), &error);
    ElvPose kept = tip_of(shooting);
    for (int at = 1;; at++) {
        own = (StopAt){0, at};
        ElvStatus status = elv_shoot_statics(shooting, load, &error);
        if (status == ELV_OK) {
            CHECK_TRUE(at > 3);
            break;
        }
        check_stopped(status, &error, &own);
        ElvPose now = tip_of(shooting);
        CHECK_ARRAY_NEAR(&now.p.x, &kept.p.x, 3, 1e-12);
        CHECK_TRUE(elv_shoot_report(shooting).t_reached == first);
    }
    CHECK_TRUE(elv_shoot_report(shooting).end == ELV_SHOT_FOUND);
    ElvPose now = tip_of(shooting);
    CHECK_ARRAY_NEAR(&now.p.x, &wanted.p.x, 3, 1e-8);
    elv_shoot_free(shooting);
    case_close(&c);
}

static void test_shooting(void** unused) {
    (void)unused;
    for (int i = 0; i < ELV_N_SHOOT_SOLVER; i++) {
        check_shooting((ElvShootSolver)i, 1, 0.5, 3.0);
        check_shooting((ElvShootSolver)i, 4, 0.5, 20.0);
    }
}

// a tip led along its law: rows are kept, and none is half found
static void test_tip(void** unused) {
    (void)unused;
    static const char* const BY[] = {"tensions", "wrench"};
    for (int i = 0; i < 2; i++) {
        const ElvOverride set[] = {{"inverse.by", BY[i]}, {"statics.loads", "[0, 0.4, 0.8]"}};
        ModelCase c = open_model("tacr-inverse", set, 2);
        ElvInverseOptions options = elv_inverse_options_default(c.model);
        ElvInverseReport report;
        ElvError error;
        static Rows all, rows;
        StopAt never = {0, 0};
        all.n = 0;
        options.record = on_row;
        options.user = &all;
        options.stop = stop_by(&never);
        CHECK_STATUS(elv_inverse_run(c.model, c.state, &options, &report, &error), &error);
        CHECK_TRUE(all.n == 3 && never.n_call > 20);
        options.user = &rows;
        for (int at = 1; at <= never.n_call; at = next_stop(at, never.n_call)) {
            StopAt own = {0, at};
            rows.n = 0;
            options.stop = stop_by(&own);
            elv_state_reset(c.model, c.state);
            ElvStatus status = elv_inverse_run(c.model, c.state, &options, &report, &error);
            check_stopped(status, &error, &own);
            check_first(&rows, &all);
            CHECK_TRUE(report.n_sample == rows.n && rows.n < 3);
        }
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_equilibrium), cmocka_unit_test(test_loops),
        cmocka_unit_test(test_rows_are_kept),   cmocka_unit_test(test_continuation),
        cmocka_unit_test(test_shooting),        cmocka_unit_test(test_tip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
