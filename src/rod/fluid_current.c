// SPDX-License-Identifier: Apache-2.0
// The current. Laws of t give one that is uniform, evaluated once for an instant; laws of the place
// or a callback give a field U(x, t), with G = grad U and
//     DU/Dt = dU/dt + G U,   grad DU/Dt = d G/dt + (grad G) U + G G.
// The factor on loads multiplies U; where t is a load, laws have no rates.
#include "law/law_field.h"
#include "rod/fluid_load.h"

#include <string.h>

ElvFluidNow
elv_fluid_now(const ElvFluid* fluid, double t, double load, bool is_static, ElvVec3 origin) {
    ElvFluidNow now;
    memset(&now, 0, sizeof now);
    now.fluid = fluid;
    now.t = t;
    now.load = load;
    now.is_static = is_static;
    now.origin = origin;
    if (!fluid->is_field) {
        double velocity[3];
        double rate[3];
        for (int k = 0; k < 3; k++) {
            ElvJet jet = elv_law_eval(fluid->current[k], t, 0.0);
            velocity[k] = load * jet.v;
            rate[k] = is_static ? 0.0 : load * jet.d;
        }
        now.current.velocity = elv_vec3(velocity[0], velocity[1], velocity[2]);
        now.current.acceleration = elv_vec3(rate[0], rate[1], rate[2]);
    }
    return now;
}

// by the laws
static ElvCurrent field_at(const ElvFluidNow* now, ElvVec3 x) {
    ElvFieldJet jet[3];
    double U[3];
    double rate[3];
    ElvCurrent current;
    memset(&current, 0, sizeof current);
    for (int i = 0; i < 3; i++) {
        jet[i] = elv_law_eval_field(now->fluid->current[i], now->t, x);
        U[i] = now->load * jet[i].v;
    }
    double changes = now->is_static ? 0.0 : now->load;
    for (int i = 0; i < 3; i++) {
        rate[i] = changes * jet[i].d[0];
        for (int k = 0; k < 3; k++) {
            current.gradient.m[i][k] = now->load * jet[i].d[1 + k];
            rate[i] += now->load * jet[i].d[1 + k] * U[k];
            current.rise.m[i][k] = changes * jet[i].dd[0][1 + k];
            for (int j = 0; j < 3; j++) {
                current.rise.m[i][k] += now->load * jet[i].dd[1 + j][1 + k] * U[j];
            }
        }
    }
    current.velocity = elv_vec3(U[0], U[1], U[2]);
    current.acceleration = elv_vec3(rate[0], rate[1], rate[2]);
    current.rise = elv_mat3_add(current.rise, elv_mat3_mul(current.gradient, current.gradient));
    return current;
}

ElvCurrent elv_fluid_current(const ElvFluidNow* now, ElvVec3 x) {
    const ElvFluid* fluid = now->fluid;
    if (!fluid->is_field) {
        return now->current;
    }
    ElvVec3 at = elv_vec3_add(now->origin, x);
    if (!fluid->callback) {
        return field_at(now, at);
    }
    ElvCurrent current;
    memset(&current, 0, sizeof current);
    fluid->callback(fluid->user, now->t, at, &current);
    current.velocity = elv_vec3_scale(now->load, current.velocity);
    current.gradient = elv_mat3_scale(now->load, current.gradient);
    current.acceleration = elv_vec3_scale(now->load, current.acceleration);
    current.rise = elv_mat3_scale(now->load, current.rise);
    return current;
}
