// SPDX-License-Identifier: Apache-2.0
// A robot with a view of it, for the tests of the view: models from text, states at random, numbers by name.
#ifndef ELVER_TESTS_VIEW_CASE_H
#define ELVER_TESTS_VIEW_CASE_H

#include "elver/view.h"
#include "view/view.h"

#include "robot.h"

typedef struct {
    Robot robot;
    ElvView* view;
    double* value; // of the last record    (n_value)
} Seen;

static inline Robot robot_of_text(const char* text) {
    ElvError error;
    ElvModel* model = NULL;
    // beside the files that models of models/ read
    const char* name = ELVER_SOURCE_DIR "/models/test";
    CHECK_STATUS(elv_model_read_text(text, strlen(text), name, NULL, 0, &model, &error), &error);
    return robot_of(model);
}

/// stations 0: the default
static inline Seen see(Robot robot, int stations) {
    ElvError error;
    Seen seen = {.robot = robot};
    ElvViewOptions options = elv_view_options_default();
    options.stations = stations;
    CHECK_STATUS(elv_view_create(robot.model, &options, &seen.view, &error), &error);
    seen.value = new_array(elv_view_n_value(seen.view));
    return seen;
}

/// Numbers of the robot's state.
static inline void look(Seen* seen) {
    Robot* robot = &seen->robot;
    double* tau = new_array(robot->nv);
    // what a view leaves out shows
    for (int i = 0; i < elv_view_n_value(seen->view); i++) {
        seen->value[i] = 1e300;
    }
    elv_idm(robot->model, robot->data, robot->state, tau);
    elv_view_eval(seen->view, robot->model, robot->data, robot->state, seen->value);
    for (int i = 0; i < elv_view_n_value(seen->view); i++) {
        CHECK_TRUE(isfinite(seen->value[i]) && fabs(seen->value[i]) < 1e200);
    }
    free(tau);
}

static inline void see_free(Seen* seen) {
    elv_view_free(seen->view);
    free(seen->value);
    robot_free(&seen->robot);
}

/// Coordinates and velocities about those at the start.
static inline void shake(Robot* robot, uint64_t seed, double size) {
    CheckRandom random = check_random(seed);
    for (int i = 0; i < robot->nq; i++) {
        robot->state->q[i] += check_uniform(&random, -size, size);
    }
    for (int i = 0; i < robot->nv; i++) {
        robot->state->v[i] += check_uniform(&random, -size, size);
        robot->state->a[i] += check_uniform(&random, -size, size);
    }
    elv_state_impose(robot->model, robot->state);
}

/// A pose of a record against one of the model.
static inline void check_pose(const double* value, ElvPose pose, double tol) {
    ElvMat3 R = elv_quat_to_matrix(elv_quat(value[3], value[4], value[5], value[6]));
    CHECK_NEAR(value[0], pose.p.x, tol);
    CHECK_NEAR(value[1], pose.p.y, tol);
    CHECK_NEAR(value[2], pose.p.z, tol);
    CHECK_ARRAY_NEAR(&R.m[0][0], &pose.R.m[0][0], 9, tol);
}

static inline const ElvViewRod* rod_named(const Seen* seen, const char* name) {
    for (int i = 0; i < seen->view->n_rod; i++) {
        if (strcmp(seen->view->rod[i].name, name) == 0) {
            return &seen->view->rod[i];
        }
    }
    fail_msg("no rod %s", name);
    return NULL;
}

static inline const ElvViewPath* path_named(const Seen* seen, const char* name) {
    for (int i = 0; i < seen->view->n_path; i++) {
        if (strcmp(seen->view->path[i].name, name) == 0) {
            return &seen->view->path[i];
        }
    }
    fail_msg("no path %s", name);
    return NULL;
}

/// The k-th arrow of that name, a force or a moment; NULL: there is none.
static inline const ElvViewArrow*
arrow_named(const Seen* seen, const char* name, bool is_moment, int k) {
    for (int i = 0; i < seen->view->n_arrow; i++) {
        const ElvViewArrow* arrow = &seen->view->arrow[i];
        if (strcmp(arrow->name, name) == 0 && arrow->is_moment == is_moment && k-- == 0) {
            return arrow;
        }
    }
    return NULL;
}

/// Columns of one signal, at the state of the last look.
static inline void signal_now(const Seen* seen, const char* name, int n, double* value) {
    ElvError error;
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(seen->robot.model, &name, 1, &signals, &error), &error);
    CHECK_TRUE(elv_signals_n_column(signals) == n);
    elv_signals_eval(signals, seen->robot.model, seen->robot.data, seen->robot.state, value);
    elv_signals_free(signals);
}

#endif
