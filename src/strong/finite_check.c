// SPDX-License-Identifier: Apache-2.0
// Whether the fields that a step has found can be those of rods. Elements that are too long for their fields may satisfy
// every equation of the grid with a shape that no rod has: a chord longer than its arc, or a curvature that an element
// cannot follow. The program published with [RKMK] knows no such limits, and its switches take them away.
#include "strong/finite.h"

#include <math.h>

// by how much a chord may be longer than the arc over it, for the error of a coarse element
static const double CHORD_SLACK = 0.005;

// largest turn of an element by the mean of the curvatures at its ends, rad: charts end at twice this
static const double TURN_MAX = 3.14159265358979323846;

// chord over the longest arc that the strains at both ends allow
static double stretch_of(const ElvFieldNode* a, const ElvFieldNode* b, double ds) {
    double arc = fmax(elv_vec3_norm(a->xi.lin), elv_vec3_norm(b->xi.lin)) +
                 elv_vec3_norm(elv_vec3_sub(a->xi.lin, b->xi.lin));
    return elv_vec3_norm(elv_vec3_sub(b->g.p, a->g.p)) / (ds * arc);
}

static double turn_of(const ElvFieldNode* a, const ElvFieldNode* b, double ds) {
    return 0.5 * ds * elv_vec3_norm(elv_vec3_add(a->xi.ang, b->xi.ang));
}

static const char HELP[] = "elements are too long for this motion; use more nodes, a longer step, "
                           "or a method with modes";

static ElvStatus check_element(const ElvFinite* self,
                               const ElvFinitePiece* piece,
                               int i,
                               const ElvFieldNode* node,
                               double t,
                               ElvError* error) {
    const ElvFieldNode* a = &node[piece->i_node + i];
    const char* rod = piece->link->strong.name;
    double from = self->grid.s[piece->i_node + i];
    double to = self->grid.s[piece->i_node + i + 1];
    double stretch = stretch_of(a, a + 1, piece->ds);
    double turn = turn_of(a, a + 1, piece->ds);
    if (!(stretch <= 1.0 + CHORD_SLACK)) {
        return elv_error_set(error, ELV_ERROR_STEP, rod, "",
                             "the step to t = %.9g leaves rod '%s' from s = %.3g to %.3g %.2g %% "
                             "longer than its strains: %s",
                             t, rod, from, to, 100.0 * (stretch - 1.0), HELP);
    }
    if (!(turn <= TURN_MAX)) {
        return elv_error_set(error, ELV_ERROR_STEP, rod, "",
                             "the step to t = %.9g turns rod '%s' by %.2g rad from s = %.3g to "
                             "%.3g, in one element: %s",
                             t, rod, turn, from, to, HELP);
    }
    return ELV_OK;
}

ElvStatus
elv_finite_check(const ElvFinite* self, const ElvFieldNode* node, double t, ElvError* error) {
    const ElvFiniteGrid* grid = &self->grid;
    const ElvFiniteProgram* program = &grid->def.program;
    if (program->is_tip_undamped || program->adds_distributed || program->has_euler_joint ||
        program->starts_from_past || program->has_printed_cubic ||
        program->rebuild != ELV_REBUILD_GROUP) {
        return ELV_OK;
    }
    for (int i = 0; i < grid->n_piece; i++) {
        for (int k = 0; k < grid->piece[i].n_element; k++) {
            ElvStatus status = check_element(self, &grid->piece[i], k, node, t, error);
            if (status != ELV_OK) {
                return status;
            }
        }
    }
    return ELV_OK;
}
