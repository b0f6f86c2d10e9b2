// SPDX-License-Identifier: Apache-2.0
// A rod of the strong form with everything on it that can act: loads in both axes, stress, fibres of all kinds, a
// controller and a stress law; and a station of it.
#ifndef ELVER_TESTS_STRONG_ROD_CASE_H
#define ELVER_TESTS_STRONG_ROD_CASE_H

#include "rod_case.h"
#include "strong/strong_rod.h"

enum { STRONG_FIBRE = 4 };

// a stress law that depends on strain and rate
static inline void strong_cubic(void* user,
                                double t,
                                double s,
                                const double* xi,
                                const double* xi_dot,
                                double* stress,
                                double* K,
                                double* D) {
    double k = *(const double*)user;
    for (int i = 0; i < 6; i++) {
        double x = xi[i] + 0.2 * xi[(i + 1) % 6] - (i == 3);
        stress[i] = k * (1.0 + 0.1 * t) * (x * x * x + s * xi_dot[i]);
        if (K) {
            K[6 * i + i] = k * (1.0 + 0.1 * t) * 3.0 * x * x;
            K[6 * i + (i + 1) % 6] = k * (1.0 + 0.1 * t) * 3.0 * x * x * 0.2;
            D[6 * i + i] = k * (1.0 + 0.1 * t) * s;
        }
    }
}

typedef struct {
    RodCase c;
    ElvPool pool;
    ElvRodField distributed[2], stress;
    ElvRodFibre fibre[STRONG_FIBRE];
    ElvRodControl control;
    ElvRodLaw law;
    ElvRodFields fields;
    double gain;
    const ElvLaw* input[STRONG_FIBRE];
    ElvStrongRod strong;
} StrongCase;

static inline void
strong_set_field(RodCase* c, ElvRodField* field, ElvAxes axes, double from, double to) {
    static const char* const text[6] = {"0.1*t", "0.2*s", "0.3", "1 + s", "sin(3*s)", "-0.5*t"};
    field->from = from;
    field->to = to;
    field->axes = axes;
    field->when = rod_case_law(c, "t < 5");
    for (int k = 0; k < 6; k++) {
        field->law[k] = rod_case_law(c, text[k]);
    }
}

// tendon, tendon that neglects strain on a part, chamber, muscle
static inline void strong_set_fibres(StrongCase* x) {
    RodCase* c = &x->c;
    for (int i = 0; i < STRONG_FIBRE; i++) {
        x->fibre[i] = (ElvRodFibre){.from = 0.0, .to = 1.0, .sign = 1.0, .channel = i};
        x->fibre[i].y = rod_case_law(c, "0.03*(1 - 0.4*s)");
        x->fibre[i].z = rod_case_law(c, "0.01*sin(5*s)");
    }
    x->fibre[1].to = 0.7;
    x->fibre[1].neglects_strain = true;
    x->fibre[2].sign = -1.0;
    x->fibre[2].profile = rod_case_law(c, "0.2 + 0.1*s");
    x->fibre[3].from = 0.2;
    x->fibre[3].activation = rod_case_law(c, "0.5 + 0.5*sin(3*s - t)");
}

static inline void strong_set_up(StrongCase* x, bool with_active) {
    ElvElementDef element;
    ElvError error;
    rod_case_begin(&x->c);
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, 3, ELV_SPACE_QUADRATURE);
    def.stiffness.entry[1] = elv_law_def_formula("0.5 + 0.3*s*s");
    def.inertia.entry[4] = elv_law_def_formula("1 + s");
    for (int k = 0; k < 6; k++) {
        def.material.damping[k] = 0.01 * (k + 1);
    }
    strong_set_fibres(x);
    strong_set_field(&x->c, &x->distributed[0], ELV_AXES_WORLD, 0.0, 1.0);
    strong_set_field(&x->c, &x->distributed[1], ELV_AXES_LOCAL, 0.3, 1.0);
    strong_set_field(&x->c, &x->stress, ELV_AXES_LOCAL, 0.1, 0.9);
    x->control = (ElvRodControl){.from = 0.0, .to = 0.5};
    for (int k = 0; k < 6; k++) {
        x->control.kp[k] = rod_case_law(&x->c, "0.2 + s");
        x->control.kd[k] = rod_case_law(&x->c, "0.02*(1 + s)");
        x->control.target[k] = k == 2 ? rod_case_law(&x->c, "s + sin(2*t)") : NULL;
    }
    x->gain = 0.05;
    x->law = (ElvRodLaw){0.4, 1.0, strong_cubic, &x->gain};
    x->fields = (ElvRodFields){.distributed = x->distributed, .n_distributed = 2};
    if (with_active) {
        x->fields = (ElvRodFields){.distributed = x->distributed,
                                   .n_distributed = 2,
                                   .stress = &x->stress,
                                   .n_stress = 1,
                                   .fibre = x->fibre,
                                   .n_fibre = STRONG_FIBRE,
                                   .control = &x->control,
                                   .n_control = 1,
                                   .law = &x->law,
                                   .n_law = 1};
    }
    rod_case_build(&x->c, &def, NULL, 0, &x->fields);
    rod_case_randomize(&x->c, 3, 2.0);
    for (int i = 0; i < STRONG_FIBRE; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d + t", i + 1);
        x->input[i] = rod_case_law(&x->c, text);
    }
    memset(&x->pool, 0, sizeof x->pool);
    CHECK_STATUS(elv_strong_rod_init(&x->strong, &x->c.rod, x->input, &x->pool, &error), &error);
}

static inline void strong_tear_down(StrongCase* x) {
    elv_pool_free(&x->pool);
    rod_case_end(&x->c);
}

static inline int strong_piece_at(const ElvStrongRod* strong, double s) {
    int i = 0;
    while (i < strong->n_piece - 1 && s > strong->piece[i].s1) {
        i++;
    }
    return i;
}

static const ElvStrongInput STRONG_INSTANT = {
    .t = 0.7, .load = 0.8, .gravity = {0.3, -2.0, 5.0}, .is_static = false};

// a station with what acts there
typedef struct {
    ElvFibreNode fibre[STRONG_FIBRE];
    double tension[STRONG_FIBRE];
    ElvStrongStation station;
    ElvStrongDrive drive;
} StrongPlace;

static inline void strong_place(StrongPlace* p, const StrongCase* x, double s) {
    ElvError error;
    memset(p, 0xFF, sizeof *p);
    CHECK_STATUS(elv_strong_station(&x->strong, strong_piece_at(&x->strong, s), s, p->fibre,
                                    &p->station, &error),
                 &error);
    elv_strong_drive(&x->strong, &p->station, &STRONG_INSTANT, p->tension, &p->drive);
}

#endif
