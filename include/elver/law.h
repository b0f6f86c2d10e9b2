// SPDX-License-Identifier: Apache-2.0
// Laws of time t and of the normalised arc length s: constants, formulas, tables and callbacks.
// A law evaluates to a value with its exact first and second time derivatives; no law allocates
// when it is evaluated, and a compiled law is immutable, so threads may share it.
#ifndef ELVER_LAW_H
#define ELVER_LAW_H

#include "elver/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A value with its first and second derivatives, with respect to time where not said otherwise.
typedef struct {
    double v, d, dd;
} ElvJet;

/// Named constants that formulas may use.
typedef struct {
    const char* name;
    double value;
} ElvParameter;

typedef enum { ELV_LAW_CONSTANT, ELV_LAW_FORMULA, ELV_LAW_TABLE, ELV_LAW_CALLBACK } ElvLawKind;

/// The independent variable of a table.
typedef enum { ELV_VARIABLE_T, ELV_VARIABLE_S } ElvVariable;

/// Interpolation of a table: step holds the value on the left; linear; cubic is the C2 natural
/// spline. Outside its range a table holds its end values.
typedef enum { ELV_TABLE_STEP, ELV_TABLE_LINEAR, ELV_TABLE_CUBIC } ElvTableKind;

/// A law written in C. jet is filled with the value and its time derivatives at (t, s).
typedef void (*ElvLawCallback)(void* user, double t, double s, ElvJet* jet);

typedef struct ElvLaw ElvLaw;

/// Compile a formula of t, s and the given parameters, e.g. "20 + 20*sin(5*pi*t)".
/// On failure *law is NULL and error->column is the 1-based column within text.
ELV_API ELV_NODISCARD ElvStatus elv_law_formula(const char* text,
                                                const ElvParameter* parameters,
                                                size_t n_parameter,
                                                ElvLaw** law,
                                                ElvError* error);

ELV_API ELV_NODISCARD ElvStatus elv_law_constant(double value, ElvLaw** law, ElvError* error);

/// x strictly increasing (step tables may not repeat either); the arrays are copied.
ELV_API ELV_NODISCARD ElvStatus elv_law_table(ElvVariable variable,
                                              ElvTableKind kind,
                                              const double* x,
                                              const double* y,
                                              size_t n,
                                              ElvLaw** law,
                                              ElvError* error);

ELV_API ELV_NODISCARD ElvStatus elv_law_callback(ElvLawCallback callback,
                                                 void* user,
                                                 ElvLaw** law,
                                                 ElvError* error);

ELV_API ELV_NODISCARD ElvStatus elv_law_copy(const ElvLaw* law, ElvLaw** copy, ElvError* error);
ELV_API void elv_law_free(ElvLaw* law);

/// Value and time derivatives at (t, s). Allocates nothing. A NULL law is zero.
ELV_API ElvJet elv_law_eval(const ElvLaw* law, double t, double s);

/// Value and first and second derivative by s at (t, s), time held. Exact, but for callbacks: theirs
/// are those of the quartic through five values 1e-3 apart, all within [0, 1] if s is.
ELV_API ElvJet elv_law_eval_s(const ElvLaw* law, double t, double s);

/// The value alone.
ELV_API double elv_law_value(const ElvLaw* law, double t, double s);

ELV_API ElvLawKind elv_law_kind(const ElvLaw* law);
ELV_API bool elv_law_depends_on_t(const ElvLaw* law);
ELV_API bool elv_law_depends_on_s(const ElvLaw* law);

/// Text of a formula as it was given, or NULL for the other kinds.
ELV_API const char* elv_law_text(const ElvLaw* law);

/// Knots of a table; returns their number, or 0 for the other kinds. Pointers may be NULL.
ELV_API size_t elv_law_table_data(const ElvLaw* law,
                                  ElvVariable* variable,
                                  ElvTableKind* kind,
                                  const double** x,
                                  const double** y);

/// Most breakpoints that one formula reports; a range with more is reported in part.
enum { ELV_MAX_BREAKPOINT = 4096 };

/// Times (variable T) or stations (variable S) at which the law or one of its derivatives jumps:
/// knots of tables, and the switching points of conditionals, abs, min, max, floor that compare an
/// expression of that variable alone, found inside [lo, hi]. Writes at most capacity sorted
/// values to out and returns how many there are.
ELV_API size_t elv_law_breakpoints(
    const ElvLaw* law, ElvVariable variable, double lo, double hi, double* out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
