// SPDX-License-Identifier: Apache-2.0
// Rows of the inverse problems of rods: what both kinds of them share.
#ifndef ELVER_STRONG_INVERSE_ROWS_H
#define ELVER_STRONG_INVERSE_ROWS_H

#include "elver/inverse.h"
#include "strong/riccati.h"

typedef struct {
    const ElvModel* model;
    const ElvInverseOptions* options;
    ElvInverseReport* report; // never NULL
    ElvData* data;
    ElvState* state;
} ElvInverseRows;

/// How many loads there are, and load i.
int elv_inverse_n_load(const ElvModel* model);
double elv_inverse_load(const ElvModel* model, int i);

/// A row is found: data and state are filled, report->row is set. ELV_ERROR_CANCELLED: the caller wants no more.
ELV_NODISCARD ElvStatus elv_inverse_add_row(ElvInverseRows* rows, ElvError* error);

/// All rows of imposed strains (inverse_strains.c), and of a tip (inverse_tip.c).
ELV_NODISCARD ElvStatus elv_inverse_run_strains(ElvInverseRows* rows, ElvError* error);
ELV_NODISCARD ElvStatus elv_inverse_run_tip(ElvInverseRows* rows, ElvError* error);

#endif
