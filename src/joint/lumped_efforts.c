// SPDX-License-Identifier: Apache-2.0
// Internal efforts of lumped joints and the energies that go with them              [P23 (23)]:
//     Upsilon = gear x drive law + controllers - damping v - spring - friction + stops.
#include "joint/lumped.h"

#include <math.h>

static const ElvLumped* as_lumped(const ElvJoint* joint) {
    return (const ElvLumped*)joint;
}

// adds the spring's effort, returns its energy
static double spring(const ElvLumped* lumped, const double* q, double* effort) {
    if (lumped->type->spring) {
        return lumped->type->spring(lumped, q, effort);
    }
    double energy = 0.0;
    for (int k = 0; k < lumped->type->n_v; k++) {
        double stretch = q[k] - lumped->rest[k];
        effort[k] -= lumped->stiffness[k] * stretch;
        energy += 0.5 * lumped->stiffness[k] * stretch * stretch;
    }
    return energy;
}

void elv_lumped_drive(const ElvJoint* joint, const ElvJointInput* in, double* effort) {
    const ElvLumped* lumped = as_lumped(joint);
    for (int k = 0; k < joint->n_v; k++) {
        bool is_driven = lumped->drive == ELV_DRIVE_FORCE;
        effort[k] = is_driven
                        ? in->load * lumped->gear[k] * elv_law_value(lumped->law[k], in->t, 0.0)
                        : 0.0;
    }
    elv_joint_control_drive(&lumped->control, in, effort);
}

void elv_lumped_efforts(
    const ElvJoint* joint, void* work, const ElvJointInput* in, double* upsilon, double* size) {
    const ElvLumped* lumped = as_lumped(joint);
    (void)work;
    elv_lumped_drive(joint, in, upsilon);
    for (int k = 0; k < joint->n_v; k++) {
        size[k] = fabs(upsilon[k]);
        upsilon[k] -= lumped->damping[k] * in->v[k];
    }
    spring(lumped, in->q, upsilon);
    elv_joint_control_resist(&lumped->control, in, upsilon);
    for (int k = 0; k < joint->n_v; k++) {
        size[k] = fmax(size[k], fabs(upsilon[k]));
    }
}

void elv_lumped_measure(const ElvJoint* joint,
                        void* work,
                        const ElvJointInput* in,
                        ElvMeasure* sum) {
    const ElvLumped* lumped = as_lumped(joint);
    (void)work;
    double effort[6] = {0.0};
    sum->elastic += spring(lumped, in->q, effort);
    sum->elastic += elv_joint_control_energy(&lumped->control, in->q);
    // rotors: 1/2 J v^2, in step with the diagonal of the mass matrix
    for (int k = 0; k < joint->n_v; k++) {
        sum->kinetic += 0.5 * lumped->rotor_inertia[k] * in->v[k] * in->v[k];
    }
}

void elv_lumped_power(const ElvJoint* joint,
                      void* work,
                      const ElvJointInput* in,
                      ElvJointPower* sum) {
    const ElvLumped* lumped = as_lumped(joint);
    (void)work;
    double effort[6] = {0.0};
    elv_lumped_drive(joint, in, effort);
    for (int k = 0; k < joint->n_v; k++) {
        sum->actuators += effort[k] * in->v[k];
        sum->dissipated += lumped->damping[k] * in->v[k] * in->v[k];
    }
    sum->dissipated += elv_joint_control_loss(&lumped->control, in);
}

void elv_lumped_channel(
    const ElvJoint* joint, void* work, const ElvJointInput* in, int i, ElvChannel* channel) {
    (void)work;
    elv_joint_control_channel(&as_lumped(joint)->control, in, i, channel);
}

const ElvLaw* elv_lumped_integral(const ElvJoint* joint, int i, int* component) {
    const ElvJointControl* control = &as_lumped(joint)->control;
    *component = control->component[i];
    return control->target[*component];
}
