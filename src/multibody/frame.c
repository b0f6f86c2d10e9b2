// SPDX-License-Identifier: Apache-2.0
// Motion and Jacobian of frames, and sections of rods.
#include "multibody/field_source.h"
#include "multibody/rod_contact.h"
#include "multibody/section.h"
#include "multibody/slider.h"
#include "rod/rod.h"
#include "rod/rod_segment.h"

#include <assert.h>
#include <string.h>

// pose in the one frame
static ElvPose local_pose(const ElvData* data, const ElvFrame* frame) {
    return elv_pose_compose(data->port[frame->port].g, frame->pose);
}

ElvPose elv_frame_pose(const ElvModel* model, const ElvData* data, ElvFrame frame) {
    (void)model;
    ElvPose g = local_pose(data, &frame);
    g.p = elv_vec3_add(g.p, data->origin);
    return g;
}

ElvTwist elv_frame_twist(const ElvModel* model, const ElvData* data, ElvFrame frame) {
    (void)model;
    return elv_twist_transform_inv(local_pose(data, &frame), data->port[frame.port].V);
}

ElvTwist elv_frame_twist_dot(const ElvModel* model, const ElvData* data, ElvFrame frame) {
    (void)model;
    return elv_twist_transform_inv(local_pose(data, &frame), data->port[frame.port].A);
}

void elv_frame_jacobian(
    const ElvModel* model, ElvData* data, const ElvState* state, ElvFrame frame, double* J) {
    size_t nv = (size_t)model->nv;
    elv_idm_forward_pass(model, data, state);
    elv_screw_pass(model, data);
    memset(J, 0, 6 * nv * sizeof *J);
    ElvPose g = local_pose(data, &frame);
    // climb from port to port: every joint on the way adds its screws at that port
    for (int p = frame.port; p != 0;) {
        const ElvNode* node = &model->node[model->port[p].i_node];
        size_t n_v = (size_t)node->joint->n_v;
        const ElvTwist* screw = data->screw + node->i_screw + (size_t)(p - node->i_port) * n_v;
        for (size_t k = 0; k < n_v; k++) {
            double column[6];
            elv_twist_to_array(elv_twist_transform_inv(g, screw[k]), column);
            for (size_t i = 0; i < 6; i++) {
                J[i * nv + (size_t)node->i_v + k] = column[i];
            }
        }
        p = node->parent_port;
    }
}

ElvWrench elv_rod_wrench_at(
    const ElvModel* model, ElvData* data, const ElvState* state, int i_node, double s, ElvPose g) {
    const ElvRod* rod = (const ElvRod*)model->node[i_node].joint;
    // the sweep does not know of what moves along the rod
    ElvWrench beyond = elv_wrench_add(elv_slider_wrench_beyond(model, data, state, i_node, s),
                                      elv_rod_contact_beyond(model, data, state, i_node, s));
    ElvWrench own = elv_rod_stress_at(rod, data->work[i_node], g, s);
    return elv_wrench_add(own, elv_wrench_transform_inv(g, beyond));
}

void elv_rod_section(const ElvModel* model,
                     ElvData* data,
                     const ElvState* state,
                     int i_node,
                     double s,
                     ElvPose* pose,
                     ElvTwist* strain,
                     ElvWrench* lam) {
    const ElvNode* node = &model->node[i_node];
    assert(node->info.is_rod);
    if (data->source) {
        data->source->section(data->source->owner, i_node, s, pose, strain, lam);
        return;
    }
    const ElvRod* rod = (const ElvRod*)node->joint;
    const ElvRodWork* work = data->work[i_node];
    const double* q = state->q + node->i_q;
    ElvPose g = pose || lam ? elv_rod_pose_at(rod, work, q, s) : elv_pose_identity();
    if (strain) {
        *strain = elv_rod_strain_at(rod, q, s);
    }
    if (lam) {
        *lam = elv_rod_wrench_at(model, data, state, i_node, s, g);
    }
    if (pose) {
        *pose = g;
        pose->p = elv_vec3_add(g.p, data->origin);
    }
}

// strain rate of the modes, or of the method without
static ElvTwist
rate_at(const ElvModel* model, const ElvData* data, const ElvState* state, int i_node, double s) {
    const ElvNode* node = &model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    if (data->source) {
        return data->source->rate ? data->source->rate(data->source->owner, i_node, s)
                                  : elv_twist_zero();
    }
    return elv_rod_strain_rate_at(rod, state->v + node->i_v, s);
}

void elv_rod_actuation(const ElvModel* model,
                       ElvData* data,
                       const ElvState* state,
                       int i_node,
                       double s,
                       double stress[6]) {
    const ElvRod* rod = (const ElvRod*)model->node[i_node].joint;
    const ElvRodElement* element = &rod->element[elv_rod_element_at(rod, s)];
    ElvTwist strain;
    ElvWrench lam;
    ElvMat6 H, M, D;
    double xi[ELV_N_STRAIN], xi_dot[ELV_N_STRAIN];
    elv_rod_section(model, data, state, i_node, s, NULL, &strain, &lam);
    elv_wrench_to_array(lam, stress);
    elv_twist_to_array(strain, xi);
    elv_twist_to_array(rate_at(model, data, state, i_node, s), xi_dot);
    // the section was good at the nodes around it
    if (elv_cross_section_eval(rod->section, rod->name, s, &H, &M, &D, NULL) != ELV_OK) {
        memset(&H, 0, sizeof H);
        memset(&D, 0, sizeof D);
    }
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        for (int j = 0; j < ELV_N_STRAIN; j++) {
            double rest = elv_law_value(rod->reference[j], 0.0, s);
            stress[k] -= H.m[k][j] * (xi[j] - rest) + D.m[k][j] * xi_dot[j];
        }
        stress[k] = element->basis[k].n_mode > 0 ? stress[k] : 0.0;
    }
}
