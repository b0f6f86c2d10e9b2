// SPDX-License-Identifier: Apache-2.0
// Laws behind sliders and the mouse: what the file says, or a target that is approached smoothly. They change
// between two steps of the integrator alone; within one they are functions of time like any other.
#include "live.h"

#include <math.h>

// value and derivatives of the filter
static ElvJet follow(const LiveLaw* law, double t) {
    double tau = fmax(t - law->t, 0.0);
    double w = law->rate;
    double e = law->x - law->target;
    double c = law->d + w * e;
    double decay = exp(-w * tau);
    ElvJet jet;
    jet.v = law->target + (e + c * tau) * decay;
    jet.d = (c - w * (e + c * tau)) * decay;
    jet.dd = (w * w * (e + c * tau) - 2.0 * w * c) * decay;
    return jet;
}

static ElvJet own_jet(const LiveLaw* law, double t, double s) {
    return elv_law_eval(law->own, t, s);
}

void live_law_eval(void* user, double t, double s, ElvJet* jet) {
    const LiveLaw* law = user;
    if (!law->is_taken) {
        *jet = own_jet(law, t, s);
        return;
    }
    ElvJet x = follow(law, t);
    if (law->is_scale) {
        ElvJet y = own_jet(law, t, s);
        ElvJet product = {x.v * y.v, x.d * y.v + x.v * y.d,
                          x.dd * y.v + 2.0 * x.d * y.d + x.v * y.dd};
        x = product;
    }
    *jet = x;
}

void live_law_take(LiveLaw* law, double t, double target) {
    ElvJet now = {1.0, 0.0, 0.0};
    if (law->is_taken) {
        now = follow(law, t);
    } else if (!law->is_scale) {
        now = own_jet(law, t, 0.5);
    }
    law->is_taken = true;
    law->t = t;
    law->x = isfinite(now.v) ? now.v : target;
    law->d = isfinite(now.d) ? now.d : 0.0;
    law->target = target;
    // with x - lower = u, target - lower = T and the rate -w u:
    //     x(t + tau) - lower = T (1 - (1 + w tau) exp(-w tau)) + u exp(-w tau) >= 0
    if (law->is_bounded) {
        law->target = fmin(fmax(target, law->lower), law->upper);
        law->x = fmin(fmax(law->x, law->lower), law->upper);
        law->d = fmax(law->d, -law->rate * (law->x - law->lower));
        law->d = fmin(law->d, law->rate * (law->upper - law->x));
    }
}

double live_law_break(const LiveLaw* law, double t, double t_end) {
    if (!law->own || (law->is_taken && !law->is_scale)) {
        return INFINITY;
    }
    enum { N_BREAK = 64 };
    double found[N_BREAK];
    size_t n = elv_law_breakpoints(law->own, ELV_VARIABLE_T, t, t_end, found, N_BREAK);
    n = n < N_BREAK ? n : N_BREAK;
    for (size_t i = 0; i < n; i++) {
        if (found[i] > t) {
            return found[i];
        }
    }
    return INFINITY;
}
