// SPDX-License-Identifier: Apache-2.0
// The two sides of a loop's joint in motion: the second end, and the joint frame that moves on the first
// by laws of time. While a loop is mounted, the joint frame stands aside by what is left of the gap that
// was there at the start.
#include "multibody/loop.h"

#include "joint/rpy_motion.h"

#include <math.h>

// the pose that laws of roll, pitch, yaw and, of six, x, y, z give, with its body twist and the rate of that
static ElvPose
imposed(const ElvLaw* const* law, int n, const ElvScene* scene, ElvTwist* eta, ElvTwist* rate) {
    ElvJet jet[6] = {{0.0, 0.0, 0.0}};
    for (int k = 0; k < n; k++) {
        jet[k] = elv_law_eval(law[k], scene->state->t, 0.0);
        // in statics t is a load
        jet[k].d = scene->data->is_static ? 0.0 : jet[k].d;
        jet[k].dd = scene->data->is_static ? 0.0 : jet[k].dd;
    }
    ElvRpyMotion turn = elv_rpy_motion(jet);
    ElvMat3 R = elv_quat_to_matrix(turn.quat);
    ElvVec3 v = elv_mat3_apply_transpose(R, elv_vec3(jet[3].d, jet[4].d, jet[5].d));
    ElvVec3 a = elv_mat3_apply_transpose(R, elv_vec3(jet[3].dd, jet[4].dd, jet[5].dd));
    *eta = elv_twist(turn.omega, v);
    *rate = elv_twist(turn.omega_dot, elv_vec3_sub(a, elv_vec3_cross(turn.omega, v)));
    return elv_pose(R, elv_vec3(jet[3].v, jet[4].v, jet[5].v));
}

// a frame fixed to a port
static ElvMotion end_motion(const ElvData* data, const ElvFrame* frame) {
    ElvMotion motion = data->port[frame->port];
    motion.g = elv_pose_compose(motion.g, frame->pose);
    return motion;
}

// carry a motion on by a pose that laws impose
static void carry_on(const ElvLaw* const* law, int n, const ElvScene* scene, ElvMotion* motion) {
    ElvTwist eta, rate;
    ElvPose pose = imposed(law, n, scene, &eta, &rate);
    motion->g = elv_pose_compose(motion->g, pose);
    ElvTwist relative = elv_twist_transform(motion->g, eta);
    motion->A = elv_twist_add(motion->A, elv_twist_transform(motion->g, rate));
    motion->A = elv_twist_add(motion->A, elv_twist_bracket(motion->V, relative));
    motion->V = elv_twist_add(motion->V, relative);
}

// the joint frame on the first end
static ElvMotion joint_motion(const ElvLoop* loop, const ElvScene* scene) {
    ElvMotion motion = end_motion(scene->data, &loop->end[0]);
    if (loop->has_pose) {
        carry_on(loop->pose, 6, scene, &motion);
    }
    if (loop->has_turn) {
        carry_on(loop->turn, 3, scene, &motion);
    }
    return motion;
}

// how far a law of an angle goes
static double stride(const ElvLaw* law, double from, double to) {
    return law ? fabs(elv_law_value(law, to, 0.0) - elv_law_value(law, from, 0.0)) : 0.0;
}

double elv_loop_swing(const ElvDevice* device, double from, double to) {
    const ElvLoop* loop = (const ElvLoop*)device;
    double swing = 0.0;
    for (int k = 0; k < 3; k++) {
        swing += loop->has_pose ? stride(loop->pose[k], from, to) : 0.0;
        swing += loop->has_turn ? stride(loop->turn[k], from, to) : 0.0;
    }
    for (int k = 0; k < 6; k++) {
        const ElvLoopRow* row = &loop->row[k];
        bool turns = row->kind == ELV_ROW_PIVOT && row->is_driven;
        swing += turns ? stride(row->law, from, to) : 0.0;
    }
    return swing;
}

ElvPose elv_loop_joint_frame(const ElvLoop* loop, const ElvScene* scene) {
    return joint_motion(loop, scene).g;
}

ElvLoopSides elv_loop_sides(const ElvLoop* loop, const ElvScene* scene) {
    const ElvData* data = scene->data;
    const double* z = scene->state->z + loop->device.i_z;
    ElvLoopSides sides;
    sides.side[0] = joint_motion(loop, scene);
    sides.side[1] = end_motion(data, &loop->end[1]);
    double open = 1.0 - data->closure;
    if (open != 0.0) {
        ElvTwist gap = elv_twist_scale(open, data->gap[loop->i_gap]);
        ElvPose aside = elv_pose(elv_so3_exp(gap.ang), gap.lin);
        sides.side[0].g = elv_pose_compose(sides.side[0].g, aside);
    }
    // from the world's origin to that of the one frame
    sides.W = elv_wrench_from_array(z);
    sides.W.mom = elv_vec3_sub(sides.W.mom, elv_vec3_cross(data->origin, sides.W.frc));
    return sides;
}

ElvLoopVariation elv_loop_vary_sides(const ElvLoop* loop,
                                     const ElvScene* scene,
                                     const ElvLoopSides* sides,
                                     const double* d_z) {
    const ElvData* data = scene->data;
    bool is_motion = scene->rule && scene->rule->is_motion;
    ElvLoopVariation v;
    for (int i = 0; i < 2; i++) {
        const double* x = data->x + (size_t)loop->end[i].port * ELV_N_VARIATION;
        // accelerations move constraints as displacements do
        v.Z[i] = elv_twist_from_array(is_motion ? x + 12 : x);
        v.d_V[i] = elv_twist_add(elv_twist_from_array(is_motion ? x + 12 : x + 6),
                                 elv_twist_bracket(v.Z[i], sides->side[i].V));
    }
    v.d_W = elv_wrench_from_array(d_z + loop->device.i_z);
    v.d_W.mom = elv_vec3_sub(v.d_W.mom, elv_vec3_cross(data->origin, v.d_W.frc));
    return v;
}
