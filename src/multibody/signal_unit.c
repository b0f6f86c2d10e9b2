// SPDX-License-Identifier: Apache-2.0
// Units of the coordinates of joints and rods. A coordinate of a lumped joint is an angle, a length
// or a part of a quaternion; one of a rod multiplies a mode of a strain, and has its unit.
#include "multibody/model.h"
#include "multibody/signal_source.h"
#include "rod/rod.h"

// whether coordinate i of a joint (of its configuration, or of its velocities) is a length
static bool is_length(const ElvNodeInfo* node, bool is_configuration, int i) {
    switch (node->joint) {
    case ELV_JOINT_PRISMATIC:
        return true;
    case ELV_JOINT_CYLINDRICAL:
    case ELV_JOINT_PLANAR:
        return i >= 1;
    case ELV_JOINT_FREE:
        return i >= (is_configuration ? 4 : 3);
    default:
        return false;
    }
}

static bool is_quaternion(const ElvNodeInfo* node, int i) {
    return i < 4 && (node->joint == ELV_JOINT_SPHERICAL || node->joint == ELV_JOINT_FREE);
}

// whether coordinate i of a rod belongs to stretch or shear
static bool is_linear_strain(const ElvRod* rod, int i) {
    for (int e = 0; e < rod->n_element; e++) {
        const ElvRodElement* element = &rod->element[e];
        for (int k = ELV_STRAIN_STRETCH; k < ELV_N_STRAIN; k++) {
            int first = element->column[k];
            if (i >= first && i < first + element->basis[k].n_mode) {
                return true;
            }
        }
    }
    return false;
}

static const char* rod_unit(const ElvSignalSource* source, int i) {
    const ElvRod* rod = (const ElvRod*)source->model->node[source->i_node].joint;
    bool is_linear = is_linear_strain(rod, i);
    switch (source->kind) {
    case ELV_SIGNAL_Q:
        return is_linear ? "-" : "rad/m";
    case ELV_SIGNAL_V:
        return is_linear ? "1/s" : "rad/m/s";
    case ELV_SIGNAL_A:
        return is_linear ? "1/s^2" : "rad/m/s^2";
    default:
        return is_linear ? "N m" : "N m^2";
    }
}

const char* elv_signal_coordinate_unit(const ElvSignalSource* source, int i) {
    if (source->node.is_rod) {
        return rod_unit(source, i);
    }
    bool is_linear = is_length(&source->node, source->kind == ELV_SIGNAL_Q, i);
    switch (source->kind) {
    case ELV_SIGNAL_Q:
        return is_quaternion(&source->node, i) ? "-" : (is_linear ? "m" : "rad");
    case ELV_SIGNAL_V:
        return is_linear ? "m/s" : "rad/s";
    case ELV_SIGNAL_A:
        return is_linear ? "m/s^2" : "rad/s^2";
    default:
        return is_linear ? "N" : "N m";
    }
}
