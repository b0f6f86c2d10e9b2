// SPDX-License-Identifier: Apache-2.0
// Inside of linear models: what is fed in, and what is measured.
//
// The form is M d_w_dot + D d_w + K d_nu + B d_z + U d_u = 0 with the equations of z (linearize.h), kept apart
// from its solution. The state is x = (y, w_y, z): the coordinates that rigid constraints leave, their rates,
// and what devices remember. Everything else follows from x and u: nu = Z y, w = Z w_y, and by the solution
// w_dot and all z.
#ifndef ELVER_SOLVE_LINEAR_MODEL_H
#define ELVER_SOLVE_LINEAR_MODEL_H

#include "base/pool.h"
#include "elver/analysis.h"
#include "multibody/model.h"
#include "solve/linearize.h"

typedef enum {
    ELV_INPUT_EFFORT,      // i: velocity component
    ELV_INPUT_LOAD,        // i: point load; k: moment 0-2, force 3-5
    ELV_INPUT_TARGET,      // i: node; k: component
    ELV_INPUT_TARGET_RATE, // the same
    ELV_INPUT_COMMAND      // i: device; k: law
} ElvInputKind;

typedef struct {
    ElvInputKind kind;
    int i, k;
} ElvInput;

typedef struct {
    ElvLinearModel form; // first: what the caller sees
    ElvPool pool;
    const ElvModel* model;
    const char* const* output; // as asked for                         (n_output)
    int n_output;
    ElvData* data;
    ElvState* base;  // the state, with accelerations of its dynamics
    ElvState* trial; // beside it
    ElvMatrices matrices;
    ElvInput* input; // (n_input)
    ElvSignals* signals;
    double* U;                   // d_residual/d_u                     (nv x n_input)
    double* V;                   // d_c/d_u                            (nz x n_input)
    double* w_dot_of;            // by x and u                         (n x (n_state + n_input))
    double* z_of;                // by x and u                         (nz x (n_state + n_input))
    double *nu, *w, *w_dot, *z;  // of the trial                       (nv, nz)
    double *w_base, *w_dot_base; // of the base                        (nv)
    double *low, *high, *near;   // signals                            (n_output)
    double* step;                // of the coordinates                 (nv)
    ElvPointLoad* point;         // the model's and one more           (n_point + 1)
    ElvLaw* one;
} ElvLinearizer;

/// Component k of coordinate i in the motion of free coordinate k: Z, or 1.
static inline double elv_linear_basis(const ElvLinearizer* l, size_t i, size_t k) {
    const ElvBorder* border = &l->matrices.border;
    return border->n_rigid > 0 ? border->Z[i * (size_t)border->n_free + k] : i == k ? 1.0 : 0.0;
}

/// Resolve the inputs (NULL: all drives and actuators) into input and form.input_name; after elv_matrices_fill.
ELV_NODISCARD ElvStatus elv_linear_inputs(ElvLinearizer* linearizer,
                                          const char* const* name,
                                          int n_name,
                                          ElvError* error);

/// Effort at the joint for a unit of an input ELV_INPUT_EFFORT, the law of its motor.
double elv_linear_gear(const ElvLinearizer* linearizer, const ElvInput* input);

/// Variation of residual (nv) and equations (nz) per unit of an input, after elv_matrices_fill
/// (linear_feed.c).
ELV_NODISCARD ElvStatus elv_linear_feed_one(ElvLinearizer* linearizer,
                                            const ElvInput* input,
                                            double* residual,
                                            double* d_c,
                                            ElvError* error);

/// U and V, what follows eliminated; after elv_matrices_fill.
ELV_NODISCARD ElvStatus elv_linear_feed(ElvLinearizer* linearizer, ElvError* error);

/// A, B, w_dot_of and z_of (linear_form.c).
ELV_NODISCARD ElvStatus elv_linear_form(ElvLinearizer* linearizer, ElvError* error);

/// C and D, with A and B done (linear_output.c).
ELV_NODISCARD ElvStatus elv_linear_outputs(ElvLinearizer* linearizer, ElvError* error);

/// Signals at a point beside the base: l->nu, w, w_dot, z.
void elv_linear_evaluate(ElvLinearizer* linearizer,
                         const ElvModel* model,
                         ElvSignals* signals,
                         double* value);

/// Derivative of the signals by a law of the model, everything else held, in l->high
/// (linear_variant.c).
ELV_NODISCARD ElvStatus elv_linear_vary_law(ElvLinearizer* linearizer,
                                            const ElvInput* input,
                                            ElvError* error);

#endif
