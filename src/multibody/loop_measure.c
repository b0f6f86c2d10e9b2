// SPDX-License-Identifier: Apache-2.0
// What signals tell of a loop: how far it is open and how fast it parts, its wrench about the origin of the
// second side, and the coordinates and efforts of its joint.
#include "multibody/loop.h"

#include <math.h>

static const char* const label_gap[] = {"angle", "distance"};
static const char* const unit_gap[] = {"rad", "m"};
static const char* const unit_drift[] = {"rad/s", "m/s"};
static const char* const label_wrench[] = {"moment.x", "moment.y", "moment.z",
                                           "force.x",  "force.y",  "force.z"};
static const char* const unit_wrench[] = {"N m", "N m", "N m", "N", "N", "N"};
static const char* const unit_coordinate[] = {"rad or m"};
static const char* const unit_effort[] = {"N m or N"};

enum { GAP, DRIFT, WRENCH, WRENCH_FIRST, WRENCH_SECOND, COORDINATE, EFFORT };

const ElvDeviceQuantity elv_loop_quantity[ELV_LOOP_QUANTITIES] = {
    {"gap", 2, label_gap, unit_gap},
    {"drift", 2, label_gap, unit_drift},
    {"wrench", 6, label_wrench, unit_wrench},
    {"wrench_first", 6, label_wrench, unit_wrench},
    {"wrench_second", 6, label_wrench, unit_wrench},
    {"coordinate", 0, NULL, unit_coordinate},
    {"effort", 0, NULL, unit_effort},
};

static bool is_freedom(const ElvLoopRow* row) {
    return row->kind == ELV_ROW_SLIDE || row->kind == ELV_ROW_PIVOT || row->kind == ELV_ROW_BALL;
}

int elv_loop_count(const ElvDevice* device, int i) {
    const ElvLoop* loop = (const ElvLoop*)device;
    int n = 0;
    for (int k = 0; k < 6; k++) {
        n += is_freedom(&loop->row[k]);
    }
    return i == COORDINATE || i == EFFORT ? n : 0;
}

// norms of the defects of turns and shifts, or of their rates
static void
measure_defects(const ElvLoop* loop, const ElvScene* scene, bool is_rate, double* value) {
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    double sum[2] = {0.0, 0.0};
    for (int k = 0; k < 6; k++) {
        const ElvLoopRow* row = &loop->row[k];
        bool is_linear = row->kind == ELV_ROW_SHIFT || row->kind == ELV_ROW_SLIDE;
        is_linear = is_linear || (row->kind == ELV_ROW_TWIST && row->coefficient[0] == 0.0 &&
                                  row->coefficient[1] == 0.0 && row->coefficient[2] == 0.0);
        if (elv_loop_row_holds(row)) {
            ElvJet defect = elv_loop_defect(row, scene, &sides);
            double one = is_rate ? defect.d : defect.v;
            sum[is_linear] += one * one;
        }
    }
    value[0] = sqrt(sum[0]);
    value[1] = sqrt(sum[1]);
}

static void measure_freedoms(const ElvLoop* loop, const ElvScene* scene, int i, double* value) {
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    for (int k = 0; k < 6; k++) {
        const ElvLoopRow* row = &loop->row[k];
        if (is_freedom(row)) {
            *value++ =
                i == EFFORT ? elv_loop_row_wrench(row, &sides) : elv_loop_row_motion(row, &sides).v;
        }
    }
}

static void measure_wrench(const ElvLoop* loop, const ElvScene* scene, int i, double* value) {
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    // about the second origin, in the axes asked for
    ElvPose g = elv_pose(elv_mat3_identity(), sides.side[1].g.p);
    g.R = i == WRENCH ? g.R : sides.side[i == WRENCH_FIRST ? 0 : 1].g.R;
    elv_wrench_to_array(elv_wrench_transform_inv(g, sides.W), value);
}

void elv_loop_measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvLoop* loop = (const ElvLoop*)device;
    if (i == GAP || i == DRIFT) {
        measure_defects(loop, scene, i == DRIFT, value);
    } else if (i == COORDINATE || i == EFFORT) {
        measure_freedoms(loop, scene, i, value);
    } else {
        measure_wrench(loop, scene, i, value);
    }
}
