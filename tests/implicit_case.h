// SPDX-License-Identifier: Apache-2.0
// Runs of example models with chosen methods and steps, and the trajectories of an independent program
// that they are compared with (tests/golden).
#ifndef ELVER_TESTS_IMPLICIT_CASE_H
#define ELVER_TESTS_IMPLICIT_CASE_H

#include "elver/elver.h"
#include "robot.h"

enum { GOLDEN_ROW = 400, GOLDEN_COLUMN = 13, RUN_COLUMN = 13 };

/// Rows (t, values) of tests/golden/NAME.csv.
typedef struct {
    int n_row, n_column;
    double value[GOLDEN_ROW][GOLDEN_COLUMN];
} Golden;

static inline Golden* golden_read(const char* name) {
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/tests/golden/%s.csv", ELVER_SOURCE_DIR, name);
    FILE* file = fopen(path, "r");
    Golden* golden = calloc(1, sizeof *golden);
    CHECK_TRUE(file && golden && fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        CHECK_TRUE(golden->n_row < GOLDEN_ROW);
        double* row = golden->value[golden->n_row++];
        char* at = line;
        golden->n_column = 0;
        for (char* end = at; *at != '\0' && *at != '\n'; at = *end == ',' ? end + 1 : end) {
            CHECK_TRUE(golden->n_column < GOLDEN_COLUMN);
            row[golden->n_column++] = strtod(at, &end);
            CHECK_TRUE(end > at);
        }
    }
    fclose(file);
    return golden;
}

/// One run: what to do, and what it gave.
typedef struct {
    const char* model; // in models/, without ending
    ElvMethod method;
    double step, t_end, every;
    const ElvOverride* overrides;
    int n_override;

    ElvFrame root, tip;
    int n_row;
    double (*row)[RUN_COLUMN]; // t, root, tip, angular and linear momentum
    double* energy;            // kinetic + elastic + gravity            (n_row)
    double* stored;            // kinetic + elastic                      (n_row)
    ElvIntegratorReport report;
} ImplicitRun;

static inline bool
run_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    ImplicitRun* run = user;
    double* row = run->row[run->n_row];
    ElvVec3 root = elv_frame_pose(model, data, run->root).p;
    ElvVec3 tip = elv_frame_pose(model, data, run->tip).p;
    ElvMomentum m = elv_momentum(model, data, state);
    ElvEnergy e = elv_energy(model, data, state);
    const ElvVec3 part[4] = {root, tip, m.angular, m.linear};
    row[0] = state->t;
    for (int k = 0; k < 4; k++) {
        row[1 + 3 * k] = part[k].x;
        row[2 + 3 * k] = part[k].y;
        row[3 + 3 * k] = part[k].z;
    }
    run->stored[run->n_row] = e.kinetic + e.elastic;
    run->energy[run->n_row++] = e.kinetic + e.elastic + e.gravity;
    return true;
}

/// Simulate a model whose only rod is called ROD; everything must succeed.
static inline void run_simulate(ImplicitRun* run, const char* rod) {
    ElvError error;
    char text[512];
    ElvModel* model = NULL;
    snprintf(text, sizeof text, "%s/models/%s.yaml", ELVER_SOURCE_DIR, run->model);
    CHECK_STATUS(elv_model_read_file(text, run->overrides, run->n_override, &model, &error),
                 &error);
    Robot robot = robot_of(model);
    snprintf(text, sizeof text, "%s.root", rod);
    run->root = frame_of(&robot, text);
    snprintf(text, sizeof text, "%s.tip", rod);
    run->tip = frame_of(&robot, text);
    ElvSimulateOptions options = elv_simulate_options_default(model, robot.state);
    options.method.method = run->method;
    options.method.step = run->step;
    options.t_end = run->t_end;
    options.record_every = run->every;
    options.record = run_record;
    options.user = run;
    size_t n = (size_t)(run->t_end / run->every) + 3;
    run->row = calloc(n, sizeof *run->row);
    run->energy = calloc(n, sizeof *run->energy);
    run->stored = calloc(n, sizeof *run->stored);
    run->n_row = 0;
    CHECK_STATUS(elv_simulate(model, robot.state, &options, &run->report, &error), &error);
    robot_free(&robot);
}

static inline void run_free(ImplicitRun* run) {
    free(run->row);
    free(run->energy);
    free(run->stored);
}

/// Newton iterations a step.
static inline double run_iterations(const ImplicitRun* run) {
    return (double)run->report.n_iteration / (double)run->report.n_step;
}

#endif
