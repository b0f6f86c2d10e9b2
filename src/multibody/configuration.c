// SPDX-License-Identifier: Apache-2.0
// Sums and differences of configurations: a displacement d has the components and axes of the velocities, and is what
// a motion of constant velocity d goes through in a unit of time,
//     q + d for vectors,   R exp(d) for spherical joints,   g exp(d) on SE(3) for free ones.
// Joints with a quaternion are those with more coordinates than velocities.
#include "multibody/model.h"

static ElvQuat quat_at(const double* q) {
    return elv_quat(q[0], q[1], q[2], q[3]);
}

static ElvVec3 vector_at(const double* x) {
    return elv_vec3(x[0], x[1], x[2]);
}

static ElvPose pose_at(const double* q) {
    return elv_pose(elv_quat_to_matrix(elv_quat_normalize(quat_at(q))), vector_at(q + 4));
}

// a quaternion, and a position where there are six velocities
static void integrate_group(int n_v, const double* q, const double* d, double* q_end) {
    ElvQuat quat = elv_quat_normalize(elv_quat_mul(quat_at(q), elv_quat_exp(vector_at(d))));
    if (n_v == 6) {
        ElvPose step = elv_se3_exp(elv_twist_from_array(d));
        ElvVec3 p = elv_pose_apply(pose_at(q), step.p);
        q_end[4] = p.x;
        q_end[5] = p.y;
        q_end[6] = p.z;
    }
    q_end[0] = quat.w;
    q_end[1] = quat.x;
    q_end[2] = quat.y;
    q_end[3] = quat.z;
}

void elv_configuration_integrate(const ElvModel* model,
                                 const double* q,
                                 const double* d,
                                 double* q_end) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n_v = node->joint->n_v;
        if (node->joint->n_q > n_v) {
            integrate_group(n_v, q + node->i_q, d + node->i_v, q_end + node->i_q);
            continue;
        }
        for (int k = 0; k < n_v; k++) {
            q_end[node->i_q + k] = q[node->i_q + k] + d[node->i_v + k];
        }
    }
}

// the turn by the quaternions, which tell small ones and those near a half turn apart
static void difference_group(int n_v, const double* q, const double* q_end, double* d) {
    ElvQuat from = elv_quat_normalize(quat_at(q));
    ElvQuat back = elv_quat(from.w, -from.x, -from.y, -from.z);
    ElvVec3 turn = elv_quat_log(elv_quat_normalize(elv_quat_mul(back, quat_at(q_end))));
    d[0] = turn.x;
    d[1] = turn.y;
    d[2] = turn.z;
    if (n_v == 6) {
        ElvVec3 p = elv_mat3_apply_transpose(elv_quat_to_matrix(from),
                                             elv_vec3_sub(vector_at(q_end + 4), vector_at(q + 4)));
        ElvPose step = elv_pose(elv_so3_exp(turn), p);
        elv_twist_to_array(elv_se3_log(step), d);
    }
}

void elv_configuration_difference(const ElvModel* model,
                                  const double* q,
                                  const double* q_end,
                                  double* d) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n_v = node->joint->n_v;
        if (node->joint->n_q > n_v) {
            difference_group(n_v, q + node->i_q, q_end + node->i_q, d + node->i_v);
            continue;
        }
        for (int k = 0; k < n_v; k++) {
            d[node->i_v + k] = q_end[node->i_q + k] - q[node->i_q + k];
        }
    }
}
