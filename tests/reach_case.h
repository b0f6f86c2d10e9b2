// SPDX-License-Identifier: Apache-2.0
// A tip led to a place, for tests of both ways to hold it there.
#ifndef ELVER_TESTS_REACH_CASE_H
#define ELVER_TESTS_REACH_CASE_H

#include "shoot_case.h"

#include "strong/reach.h"

#define PI 3.14159265358979323846

static inline ElvReach* open_reach(const ElvModel* model, ElvReachBy by) {
    ElvReach* reach;
    ElvError error;
    ElvStaticsDef options = elv_model_statics(model);
    options.tolerance = 1e-12;
    options.shooting.space_tol = 1e-12;
    CHECK_STATUS(elv_reach_create(model, &options, by, &reach, &error), &error);
    return reach;
}

static inline ElvReachReport solve(ElvReach* reach, double t, const ElvTipTarget* target) {
    ElvReachReport report;
    ElvError error;
    CHECK_STATUS(elv_reach_solve(reach, t, target, &report, &error), &error);
    return report;
}

static inline ElvTipTarget target_at(double x, double y, double z) {
    ElvTipTarget target = {elv_pose_identity(), false};
    target.pose.p = elv_vec3(x, y, z);
    return target;
}

// a rod without weight that bends in a plane; its bending stiffness
#define PLANE                                                                                      \
    "tree:\n"                                                                                      \
    "  - {rod: rod, length: 0.4, section: {circle: {radius: 2e-3}}, material: {density: 0, "       \
    "young: "                                                                                      \
    "2e9}, strain: {bend_z: 2}}\n"                                                                 \
    "statics: {method: shooting}\n"

static const double PLANE_EI = 2e9 * PI * 16e-12 / 4.0;

#endif
