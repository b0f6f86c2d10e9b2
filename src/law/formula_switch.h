// SPDX-License-Identifier: Apache-2.0
// Switches of a formula: the comparisons, hidden in abs, min, floor, if and the like, at which the
// formula or one of its derivatives may jump.
#ifndef ELVER_LAW_FORMULA_SWITCH_H
#define ELVER_LAW_FORMULA_SWITCH_H

#include "law/formula.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ELV_SWITCH_SIGN,   // switches where left = right
    ELV_SWITCH_LATTICE // switches where left is a whole multiple of right
} ElvSwitchKind;

/// left is a sub-expression; right = weight_a a + weight_b b + weight_1, a and b sub-expressions.
/// Sub-expressions are given by their last instruction.
typedef struct {
    const ElvFormula* formula;
    ElvSwitchKind kind;
    size_t i_left;
    size_t i_a;
    size_t i_b;
    double weight_a;
    double weight_b;
    double weight_1;
} ElvSwitch;

enum { ELV_SWITCH_CAPACITY = 3 };

/// Switches of the instruction i; returns their number.
size_t elv_switches_at(const ElvFormula* formula, size_t i, ElvSwitch out[ELV_SWITCH_CAPACITY]);

/// Whether the switch depends on that variable and on no other.
bool elv_switch_depends_only_on(const ElvSwitch* sw, ElvVariable variable);

/// Instructions that one evaluation runs.
size_t elv_switch_cost(const ElvSwitch* sw);

/// Both sides at x, with derivatives with respect to the variable.
void elv_switch_eval(
    const ElvSwitch* sw, ElvVariable variable, double x, ElvJet* left, ElvJet* right);

/// If the switch happens where slope x + offset is zero (sign) or an integer (lattice), and this
/// is clear from the form of its sides, give slope and offset.
bool elv_switch_affine(const ElvSwitch* sw, double* slope, double* offset);

#ifdef __cplusplus
}
#endif

#endif
