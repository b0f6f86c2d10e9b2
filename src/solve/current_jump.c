// SPDX-License-Identifier: Apache-2.0
// Currents that jump. Where the current U changes at once by dU, added inertia and pressure hand
// (M_a + rho V) dU of momentum to what they act on, which would move on by a jump of its own.
// Methods know forces alone: such a law is refused, at the breakpoint where it jumps. Drag and
// resistance take a jump as it is.
#include "solve/current_jump.h"

#include "law/law_field.h"
#include "rod/fluid_load.h"
#include "rod/rod.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BREAKPOINT = 512 };

static bool is_pushed(const ElvFluidShape* shape) {
    double added = 0.0;
    for (int i = 0; i < 9; i++) {
        added += fabs(shape->added.M.m[i / 3][i % 3]) + fabs(shape->added.H.m[i / 3][i % 3]);
    }
    return shape->volume > 0.0 || added > 0.0;
}

// the first element that a jump would give an impulse; NULL: there is none
static const char* pushed_element(const ElvModel* model) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvRod* rod = node->info.is_rod ? (const ElvRod*)node->joint : NULL;
        const ElvFluidShape* body = model->port[node->i_port].fluid;
        if (body && is_pushed(body)) {
            return node->name;
        }
        for (int i = 0; rod && rod->fluid && i < rod->n_node; i++) {
            if (is_pushed(&rod->fluid[i])) {
                return node->name;
            }
        }
    }
    return NULL;
}

// by how much a law jumps at a breakpoint: more than its rates and rounding explain. One of the
// place is tried at the origin and at points around it.
static double jump_at(const ElvLaw* law, double t) {
    static const double place[7] = {0.0, 1.0, -0.7, 0.3, 5.1, -23.0, 0.01};
    double h = 1e-12 * (1.0 + fabs(t));
    int n = elv_law_depends_on_place(law) ? 7 : 1;
    for (int i = 0; i < n; i++) {
        ElvVec3 x = elv_vec3(place[i], place[(i + 2) % n], place[(i + 3) % n]);
        ElvFieldJet before = elv_law_eval_field(law, t - h, x);
        ElvFieldJet after = elv_law_eval_field(law, t + h, x);
        double allowed = 1e-9 * (1.0 + fabs(before.v) + fabs(after.v)) +
                         4.0 * h * (fabs(before.d[0]) + fabs(after.d[0]));
        if (fabs(after.v - before.v) > allowed) {
            return after.v - before.v;
        }
    }
    return 0.0;
}

ElvStatus elv_current_check(const ElvModel* model, double t_begin, double t_end, ElvError* error) {
    const char* name = model->fluid && !model->fluid->callback ? pushed_element(model) : NULL;
    double found[MAX_BREAKPOINT];
    for (int k = 0; k < 3 && name; k++) {
        const ElvLaw* law = model->fluid->current[k];
        size_t n =
            law ? elv_law_breakpoints(law, ELV_VARIABLE_T, t_begin, t_end, found, MAX_BREAKPOINT)
                : 0;
        for (size_t i = 0; i < n && i < MAX_BREAKPOINT; i++) {
            double jump = found[i] > 0.0 ? jump_at(law, found[i]) : 0.0;
            if (jump != 0.0) {
                return elv_error_set(
                    error, ELV_ERROR_INPUT, "fluid", "current",
                    "the current jumps by %.3g m/s along %c at t = %.9g: the added mass or "
                    "buoyancy of '%s' would get an impulse; let it rise within some steps, for "
                    "instance by smooth(t, %.6g, %.6g)",
                    jump, "xyz"[k], found[i], name, found[i], found[i] + 0.1);
            }
        }
    }
    return ELV_OK;
}
