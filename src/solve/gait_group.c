// SPDX-License-Identifier: Apache-2.0
// The group of net motions, from the freedoms of a model: joints from the world on that are free
// and follow each other without a branch span a group where their twists are closed under the
// bracket. Subalgebras of se(3) are told apart by their dimension n and by that of their rotations,
// w. Translations have to be freedoms of their own: three parallel hinges span se(2) as well, but
// reach a part of the plane alone and carry bodies of their own on the way.
#include "solve/gait.h"

#include "multibody/velocity_rows.h"

#include <math.h>

/// Shares of a twist or bracket below this are not new.
static const double NEW_TWIST = 1e-9;

// free twists of a chain and orthonormal directions of them, and of their rotations
typedef struct {
    int n, n_turn, n_slide;
    ElvTwist twist[6];
    double direction[7][6];
    double turn[7][6];
} Span;

// whether all velocities of a joint are free
static bool is_free(const ElvModel* model, const ElvNode* node) {
    bool is_it = !node->info.is_rod;
    for (int k = 0; k < node->joint->n_v; k++) {
        is_it = is_it && !model->is_driven[node->i_v + k];
    }
    return is_it;
}

// the only joint on a body; or NULL
static const ElvNode* only_child(const ElvModel* model, const ElvNode* node) {
    const ElvNode* child = NULL;
    for (int j = 0; j < model->n_node; j++) {
        if (model->node[j].parent_port == node->i_port) {
            if (child) {
                return NULL;
            }
            child = &model->node[j];
        }
    }
    return child;
}

static double share_of(ElvTwist twist, double (*direction)[6], int n) {
    double row[6];
    elv_twist_to_array(twist, row);
    return elv_velocity_row_reduce(row, direction, n);
}

// add a twist; false: it is not new
static bool add_twist(Span* span, ElvTwist twist) {
    ElvTwist turn = {.ang = twist.ang};
    if (span->n == 6 || !(share_of(twist, span->direction, span->n) > NEW_TWIST)) {
        return false;
    }
    span->twist[span->n++] = twist;
    if (elv_vec3_norm(twist.ang) > 0.0) {
        span->n_turn += span->n_turn < 3 && share_of(turn, span->turn, span->n_turn) > NEW_TWIST;
    } else {
        span->n_slide++;
    }
    return true;
}

static double size_of(ElvTwist twist) {
    return hypot(elv_vec3_norm(twist.ang), elv_vec3_norm(twist.lin));
}

static bool is_closed(Span* span) {
    for (int i = 0; i < span->n; i++) {
        for (int j = i + 1; j < span->n && span->n < 6; j++) {
            ElvTwist a = span->twist[i], b = span->twist[j], c = elv_twist_bracket(a, b);
            double size = size_of(c);
            bool is_zero = size <= NEW_TWIST * size_of(a) * size_of(b);
            if (!is_zero && share_of(c, span->direction, span->n) > NEW_TWIST) {
                return false;
            }
        }
    }
    return true;
}

// whether a twist that turns goes along its axis
static bool is_helical(const Span* span) {
    for (int i = 0; i < span->n; i++) {
        ElvTwist a = span->twist[i];
        double turn = elv_vec3_norm(a.ang);
        if (fabs(elv_vec3_dot(a.ang, a.lin)) > NEW_TWIST * turn * size_of(a)) {
            return true;
        }
    }
    return false;
}

// name of the group of a span; or ""
static const char* name_of(Span* span) {
    int n = span->n, w = span->n_turn;
    if (n == 0 || span->n_slide != n - w || !is_closed(span)) {
        return "";
    }
    if (w == 0) {
        return n == 1 ? "R" : n == 2 ? "R^2" : "R^3";
    }
    if (w == 3) {
        return n == 3 ? "SO(3)" : "SE(3)";
    }
    if (n == 1) {
        return is_helical(span) ? "R" : "SO(2)";
    }
    if (n == 3) {
        return is_helical(span) ? "" : "SE(2)";
    }
    return n == 2 ? "R x SO(2)" : "SE(2) x R";
}

const ElvNode*
elv_gait_group(const ElvModel* model, ElvData* data, const ElvState* state, const char** group) {
    const ElvNode* root = elv_gait_root(model);
    Span span = {0};
    bool goes_on = root != NULL;
    *group = "";
    if (root) {
        elv_kinematics(model, data, state);
        elv_screw_pass(model, data);
    }
    for (const ElvNode* node = root; node && goes_on; node = only_child(model, node)) {
        goes_on = is_free(model, node);
        for (int k = 0; k < node->joint->n_v && (goes_on || node == root); k++) {
            bool is_driven = model->is_driven[node->i_v + k];
            if (!is_driven && !add_twist(&span, data->screw[node->i_screw + (size_t)k])) {
                return root;
            }
        }
        // joints that do not move carry nothing
        const char* name = (goes_on || node == root) && node->joint->n_v > 0 ? name_of(&span) : "";
        if (name[0]) {
            root = node;
            *group = name;
        }
    }
    return root;
}
