// SPDX-License-Identifier: Apache-2.0
// Where a rod meets an obstacle (rod_contact.h): the section of a contact, and its motion against
// what it touches.
//
// In the one frame, with U = V - V_c and the frame of the section moving along the rod by
// V_tot = V + Ad_g xi C_dot,
//     d/dt Ad_g^-1 U = Ad_g^-1 (A + V' C_dot - A_c - ad_(V_tot) U),
//     d/dt (xi C_dot) = (xi_dot + xi' C_dot) C_dot + xi C_ddot.                        [ALI (5.37)]
#include "multibody/rod_contact.h"

#include <string.h>

const ElvRod* elv_contact_rod(const ElvRodContact* contact, const ElvModel* model) {
    return (const ElvRod*)model->node[contact->i_node].joint;
}

ElvRodPoint* elv_contact_point(const ElvRodContact* contact, const ElvScene* scene) {
    return scene->data->device_work[contact->device.i_device];
}

bool elv_contact_is_active(const ElvRodContact* contact, double t) {
    return elv_law_value(contact->when, t, 0.0) != 0.0;
}

bool elv_device_is_off(const ElvDevice* device, double t) {
    bool is_contact =
        device->ops == &ELV_ROD_CONTACT_OPS || device->ops == &ELV_ROD_CONTACT_POINT_OPS;
    return is_contact && !elv_contact_is_active((const ElvRodContact*)device, t);
}

ElvJet elv_contact_station(const ElvRodContact* contact, const ElvScene* scene) {
    ElvJet s = {0.0, 0.0, 0.0};
    if (contact->i_station >= 0) {
        s.v = scene->state->z[contact->i_station];
    } else {
        s = elv_law_eval(contact->station, scene->state->t, 0.0);
    }
    // in statics t is a load
    if (scene->data->is_static) {
        s.d = s.dd = 0.0;
    }
    return s;
}

static void place(const ElvRodContact* contact, const ElvScene* scene, double s) {
    const ElvNode* node = &scene->model->node[contact->i_node];
    elv_rod_point_place(elv_contact_rod(contact, scene->model), scene->data->work[contact->i_node],
                        scene->state->q + node->i_q, s, elv_contact_point(contact, scene));
}

// second derivatives of the rows: with C held, and what the motion of C adds
static ElvTwist
second_of(const ElvMeeting* meeting, const ElvMotion* on, ElvTwist A, ElvTwist V_ds, double s_dot) {
    ElvTwist total = elv_twist_add(meeting->V, elv_twist_transform(meeting->g, meeting->swept));
    ElvTwist U = elv_twist_sub(meeting->V, on->V);
    ElvTwist sum = elv_twist_add_scaled(elv_twist_sub(A, on->A), s_dot, V_ds);
    sum = elv_twist_sub(sum, elv_twist_bracket(total, U));
    return elv_twist_transform_inv(meeting->g, sum);
}

static ElvMeeting meet_at_port(const ElvRodContact* contact, const ElvScene* scene) {
    const ElvMotion* port = &scene->data->port[contact->at.port];
    const ElvMotion* on = &scene->data->port[contact->on.port];
    ElvMeeting meeting;
    memset(&meeting, 0, sizeof meeting);
    meeting.g = elv_pose_compose(port->g, contact->at.pose);
    meeting.V = port->V;
    meeting.rel = elv_twist_transform_inv(meeting.g, elv_twist_sub(port->V, on->V));
    meeting.second = second_of(&meeting, on, port->A, elv_twist_zero(), 0.0);
    return meeting;
}

double elv_contact_slide_rate(const ElvMeeting* meeting, double length) {
    return -meeting->rel.lin.x / (meeting->stretch * length);
}

static ElvMeeting
meet_at_point(const ElvRodContact* contact, const ElvScene* scene, bool has_second) {
    const ElvNode* node = &scene->model->node[contact->i_node];
    const ElvRod* rod = elv_contact_rod(contact, scene->model);
    const ElvMotion* on = &scene->data->port[contact->on.port];
    const double* q = scene->state->q + node->i_q;
    const double* v = scene->state->v + node->i_v;
    ElvJet s = elv_contact_station(contact, scene);
    ElvTwist A = elv_twist_zero(), V_ds = elv_twist_zero();
    ElvMeeting meeting;
    memset(&meeting, 0, sizeof meeting);
    place(contact, scene, s.v);
    const ElvRodPoint* point = elv_contact_point(contact, scene);
    ElvTwist xi = elv_rod_strain_at(rod, q, point->s);
    elv_rod_point_motion(rod, scene->data->work[contact->i_node], point, v,
                         scene->state->a + node->i_v, &meeting.V, has_second ? &A : NULL);
    for (int k = 0; k < node->joint->n_v; k++) {
        V_ds = elv_twist_add_scaled(V_ds, v[k], point->J_ds[k]);
    }
    meeting.g = point->g;
    meeting.stretch = xi.lin.x;
    meeting.rel = elv_twist_transform_inv(meeting.g, elv_twist_sub(meeting.V, on->V));
    s.d = contact->i_station >= 0 ? elv_contact_slide_rate(&meeting, rod->length) : s.d;
    // frames that move along the rod turn by xi C_dot, also those of rings; anchorages hold their
    // place there                                                             [ALI (5.36)-(5.38)]
    meeting.swept = elv_twist_scale(rod->length * s.d, xi);
    if (has_second) {
        meeting.second = second_of(&meeting, on, A, V_ds, s.d);
    }
    if (has_second && contact->sweeps) {
        // (xi_dot + xi' C_dot) C_dot + xi C_ddot, with V_ds = l Ad_g xi_dot and C = l s
        ElvTwist change = elv_twist_transform_inv(meeting.g, V_ds);
        ElvTwist slope = elv_rod_strain_slope_at(rod, q, point->s);
        change = elv_twist_add_scaled(change, rod->length * rod->length * s.d, slope);
        change = elv_twist_scale(s.d, change);
        change = elv_twist_add_scaled(change, rod->length * s.dd, xi);
        meeting.second = elv_twist_add(meeting.second, change);
    }
    return meeting;
}

ElvMeeting elv_contact_meet(const ElvRodContact* contact, const ElvScene* scene, bool has_second) {
    return contact->is_port ? meet_at_port(contact, scene)
                            : meet_at_point(contact, scene, has_second);
}

ElvPose elv_contact_pose(const ElvRodContact* contact, const ElvScene* scene) {
    if (contact->is_port) {
        return elv_pose_compose(scene->data->port[contact->at.port].g, contact->at.pose);
    }
    place(contact, scene, elv_contact_station(contact, scene).v);
    return elv_contact_point(contact, scene)->g;
}
