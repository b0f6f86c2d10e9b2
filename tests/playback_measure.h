// SPDX-License-Identifier: Apache-2.0
// How far two motions of a robot are apart, in what coordinates move: rad and m. Mode k of a strain
// of an element of length l, a Legendre polynomial, turns or shifts its sections by l / (2 k + 1)
// and leaves its ends alone: of short limp modes strains are large where motions are not.
#ifndef ELVER_TESTS_PLAYBACK_MEASURE_H
#define ELVER_TESTS_PLAYBACK_MEASURE_H

#include "multibody/model.h"
#include "rod/rod.h"

#include <math.h>

/// What one unit of a coordinate moves, and whether that is a length or a turn.
typedef struct {
    double reach;
    bool is_length;
} Measure;

static inline Measure measure_mode(const ElvRod* rod, int column) {
    for (int e = 0; e < rod->n_element; e++) {
        const ElvRodElement* element = &rod->element[e];
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            int k = column - element->column[i];
            if (k >= 0 && k < element->basis[i].n_mode) {
                double l = (element->s1 - element->s0) * rod->length;
                return (Measure){l / (2.0 * k + 1.0), i >= 3};
            }
        }
    }
    return (Measure){0};
}

/// Velocity component k of a node.
static inline Measure measure_of(const ElvNode* node, int k) {
    if (node->info.is_rod) {
        return measure_mode((const ElvRod*)node->joint, k);
    }
    ElvJointType type = node->info.joint;
    bool is_length = type == ELV_JOINT_PRISMATIC || (type == ELV_JOINT_PLANAR && k > 0) ||
                     (type == ELV_JOINT_FREE && k > 2);
    return (Measure){1.0, is_length};
}

/// Largest turn (rad, and per s or s^2) and length (m) so far.
typedef struct {
    double turn, length;
} Extent;

static inline void extent_take(Extent* extent, Measure measure, double value) {
    double* most = measure.is_length ? &extent->length : &extent->turn;
    double size = measure.reach * fabs(value);
    // not a number counts
    *most = size <= *most ? *most : size;
}

/// Of x - y, velocities or accelerations (nv); y may be NULL.
static inline void
extent_rates(Extent* extent, const ElvModel* model, const double* x, const double* y) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = 0; k < node->joint->n_v; k++) {
            int i = node->i_v + k;
            extent_take(extent, measure_of(node, k), y ? x[i] - y[i] : x[i]);
        }
    }
}

/// Of the configurations x - y (nq): quaternions turn by twice their change.
static inline void
extent_places(Extent* extent, const ElvModel* model, const double* x, const double* y) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int n = node->joint->n_q, n_more = n - node->joint->n_v;
        for (int k = 0; k < n; k++) {
            int i = node->i_q + k;
            bool is_quaternion = n_more > 0 && k < 4;
            Measure measure = is_quaternion ? (Measure){2.0, false} : measure_of(node, k - n_more);
            extent_take(extent, measure, x[i] - y[i]);
        }
    }
}

/// Errors relative to sizes, the larger of turns and lengths. What the robot hardly does, less than
/// a thousandth, is measured by the other of the two, over the size of the robot.
static inline double extent_relative(Extent error, Extent size, double l) {
    double turn = size.turn > 1e-3 * size.length / l ? size.turn : size.length / l;
    double length = size.length > 1e-3 * size.turn * l ? size.length : size.turn * l;
    return fmax(error.turn / turn, error.length / length);
}

#endif
