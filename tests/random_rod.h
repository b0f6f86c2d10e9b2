// SPDX-License-Identifier: Apache-2.0
// Random rods for random trees: any subset of strains, every basis, one to three elements, curved
// at rest, sections and matrices that vary along the rod. Thick and soft, so that mass matrices are
// well conditioned and explicit integration is cheap.
#ifndef ELVER_TESTS_RANDOM_ROD_H
#define ELVER_TESTS_RANDOM_ROD_H

#include "robot.h"

enum { ROD_ELEMENT_MAX = 3, TABLE_STATION = 4 };

/// What a random tree may have.
typedef struct {
    int n_element_max;    // bodies and rods: from 1 to this
    int nodes;            // quadrature nodes per smooth piece; 0 = the default
    int piece_nodes;      // the same for rods of several elements; 0 = nodes
    ElvSpaceMethod space; // integration along the rods
    bool is_floating;     // the first joint is free, without spring or damping
    bool is_scalar;       // joints with scalar coordinates alone
    bool is_smooth;       // rods: polynomial bases, smooth sections, one element
    bool has_gravity;
    bool has_loads;             // all of which act while t < 1
    bool has_damping;           // in joints and rods
    bool has_added_mass;        // rods: translational inertia that depends on direction
    bool has_rotors;            // rotor inertias
    bool has_fluid;             // resistance and added inertia of bodies and rods
    const ElvFluidDef* water;   // if given, the fluid, of which all bodies and rods feel something
    bool has_drives;            // force and motion laws
    ElvVec3 origin;             // where everything that hangs on the world is
    double softening;           // rods: divides the stiffness; 0 = 1
    double imposed;             // rods: how likely a strain is imposed
    ElvVec3 extra_gravity;      // added to what is drawn
    const ElvBodyDef* carriage; // if given, stands between the world and the tree
} RandomOptions;

static inline bool flip(CheckRandom* r, double probability) {
    return check_uniform(r, 0.0, 1.0) < probability;
}

static inline ElvVec3 random_vec3(CheckRandom* r, double size) {
    double x = check_uniform(r, -size, size);
    double y = check_uniform(r, -size, size);
    return elv_vec3(x, y, check_uniform(r, -size, size));
}

static inline ElvPose random_pose(CheckRandom* r, double size) {
    ElvVec3 ang = random_vec3(r, 2.0);
    return elv_pose(elv_so3_exp(ang), random_vec3(r, size));
}

/// What a Def points to until it is added.
typedef struct {
    char line[160][96]; // formulas, used in turn
    int n;
    ElvElementDef element[ROD_ELEMENT_MAX];
    double value[ROD_ELEMENT_MAX][ELV_N_STRAIN][2][TABLE_STATION];
} Scratch;

static inline ElvLawDef
formula(Scratch* scratch, const char* format, double a, double b, double c) {
    char* line = scratch->line[scratch->n++ % 160];
    snprintf(line, sizeof scratch->line[0], format, a, b, c);
    return elv_law_def_formula(line);
}

// some coefficients of a fluid are zero
static inline void random_fluid(CheckRandom* r,
                                const RandomOptions* options,
                                double resistance[6],
                                double added_inertia[6]) {
    for (int k = 0; k < 6 && options->has_fluid; k++) {
        resistance[k] = flip(r, 0.7) ? check_uniform(r, 0.0, 1.0) : 0.0;
        added_inertia[k] = flip(r, 0.7) ? check_uniform(r, 0.0, 0.5) : 0.0;
    }
}

// what the section of a rod lets it feel. Tangential drag has a kink where the motion along the rod changes its sign,
// which differences do not like: left out
static inline void random_rod_water(CheckRandom* r, ElvRodDef* def) {
    bool has_widths = def->section.kind <= ELV_SECTION_RECTANGLE;
    def->fluid.is_buoyant = def->section.kind != ELV_SECTION_NONE;
    def->fluid.drag_normal = has_widths ? check_uniform(r, 0.5, 1.5) : 0.0;
    def->fluid.lift = has_widths ? check_uniform(r, 0.1, 0.5) : 0.0;
    def->fluid.added_mass = has_widths ? check_uniform(r, 0.5, 1.0) : 0.0;
    def->fluid.is_slender = has_widths && flip(r, 0.5);
}

static inline void random_body_water(CheckRandom* r, ElvBodyDef* def) {
    def->fluid.is_buoyant = true;
    def->fluid.volume = check_uniform(r, 1e-4, 1e-3);
    def->fluid.drag_area =
        elv_vec3(check_uniform(r, 1e-3, 1e-2), check_uniform(r, 1e-3, 1e-2), 1e-3);
    def->fluid.drag_spin = elv_vec3(1e-4, check_uniform(r, 1e-4, 1e-3), 1e-4);
    def->fluid.lift_area = elv_vec3(0.0, 2e-3, 1e-3);
}

// a number, tapered by up to a third along the rod if asked
static inline ElvLawDef along(Scratch* scratch, double value, double taper) {
    return taper > 0.0 ? formula(scratch, "%.17g*(1 - %.17g*s)", value, taper, 0.0)
                       : elv_law_def_value(value);
}

// a full positive definite matrix around a diagonal: coupling within Gershgorin's bound
static inline void full_matrix(CheckRandom* r,
                               Scratch* scratch,
                               const double diagonal[6],
                               double taper,
                               ElvMatrixDef* matrix) {
    matrix->n = 36;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) {
            double coupling = i == j ? 1.0 : check_uniform(r, -0.15, 0.15);
            double value = coupling * sqrt(diagonal[i] * diagonal[j]);
            matrix->entry[6 * i + j] = along(scratch, value, taper);
            matrix->entry[6 * j + i] = matrix->entry[6 * i + j];
        }
    }
}

static inline void
random_matrices(CheckRandom* r, Scratch* scratch, const RandomOptions* options, ElvRodDef* def) {
    double taper = flip(r, 0.4) ? check_uniform(r, 0.1, 0.3) : 0.0;
    double stiffness[6], inertia[6], damping[6];
    double mass = check_uniform(r, 1.0, 3.0);
    for (int k = 0; k < 6; k++) {
        stiffness[k] = k < 3 ? check_uniform(r, 0.05, 0.2) : check_uniform(r, 20.0, 60.0);
        inertia[k] = k < 3 ? mass * check_uniform(r, 5e-3, 1e-2) : mass;
        stiffness[k] /= options->softening > 0.0 ? options->softening : 1.0;
        damping[k] = 0.01 * stiffness[k];
    }
    if (options->has_added_mass) {
        inertia[4] *= 1.5;
        inertia[5] *= 2.0;
        full_matrix(r, scratch, inertia, taper, &def->inertia);
    } else {
        // a section whose centre and principal axes are off the rod's: [J H; H^T M] moved
        ElvInertia I = elv_inertia_zero();
        I.J = elv_mat3_diag(inertia[0], inertia[1], inertia[2]);
        I.M = elv_mat3_diag(mass, mass, mass);
        ElvMat6 M = elv_inertia_matrix(elv_inertia_transform(random_pose(r, 0.03), I));
        def->inertia.n = 36;
        for (int k = 0; k < 36; k++) {
            def->inertia.entry[k] = along(scratch, M.m[k / 6][k % 6], taper);
        }
    }
    full_matrix(r, scratch, stiffness, taper, &def->stiffness);
    if (options->has_damping && flip(r, 0.5)) {
        full_matrix(r, scratch, damping, taper, &def->damping);
    }
}

static inline void
random_section(CheckRandom* r, Scratch* scratch, const RandomOptions* options, ElvRodDef* def) {
    static const double s[3] = {0.0, 0.6, 1.0};
    static const double width[3] = {0.14, 0.1, 0.12};
    ElvSectionDef* section = &def->section;
    double taper = flip(r, 0.5) ? check_uniform(r, 0.1, 0.3) : 0.0;
    section->kind = (ElvSectionKind)check_integer(r, ELV_SECTION_EXPLICIT + 1);
    section->outer[0] = along(scratch, check_uniform(r, 0.1, 0.16), taper);
    section->outer[1] = along(scratch, check_uniform(r, 0.1, 0.16), taper);
    if (flip(r, 0.3) && !options->is_smooth) {
        section->outer[0] = elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_LINEAR, s, width, 3);
    }
    if (section->kind == ELV_SECTION_EXPLICIT) {
        section->area = along(scratch, 0.01, taper);
        section->inertia_y = along(scratch, 1.2e-5, taper);
        section->inertia_z = along(scratch, 2e-5, taper);
    } else if (flip(r, 0.3)) {
        section->is_hollow = true;
        section->inner[0] = along(scratch, 0.04, taper);
        section->inner[1] = along(scratch, 0.05, taper);
    }
    if (flip(r, 0.3)) {
        section->has_torsion = true;
        section->torsion = along(scratch, 1e-5, taper);
        section->shear_factor = elv_law_def_value(0.85);
    }
    def->material.density = check_uniform(r, 300.0, 1000.0);
    def->material.young = check_uniform(r, 5e3, 2e4);
    def->material.young /= options->softening > 0.0 ? options->softening : 1.0;
    def->material.poisson = check_uniform(r, 0.0, 0.5);
    for (int k = 0; k < ELV_N_STRAIN && options->has_damping; k++) {
        def->material.damping[k] = check_uniform(r, 0.0, 0.02);
    }
}

// modes of one strain of one element: at most one or two, or what the basis needs
static inline void random_basis(CheckRandom* r,
                                const RandomOptions* options,
                                ElvElementDef* element,
                                int strain,
                                double value[2][TABLE_STATION]) {
    static const double station[TABLE_STATION] = {0.0, 0.3, 0.6, 1.0};
    ElvBasisKind kind =
        (ElvBasisKind)check_integer(r, options->is_smooth ? ELV_BASIS_CHEBYSHEV + 1 : ELV_N_BASIS);
    int modes = 1 + check_integer(r, 3);
    modes = kind == ELV_BASIS_PIECEWISE_LINEAR ? modes + 1 : modes;
    modes = kind == ELV_BASIS_HERMITE ? 4 : modes;
    modes = kind == ELV_BASIS_TABLE && modes > 2 ? 2 : modes;
    element->basis[strain] = kind;
    element->modes[strain] = modes;
    if (kind == ELV_BASIS_TABLE) {
        // a bump and a slope, perturbed: independent
        for (int i = 0; i < TABLE_STATION; i++) {
            value[0][i] = 1.0 + check_uniform(r, -0.3, 0.3);
            value[1][i] = 2.0 * station[i] - 1.0 + check_uniform(r, -0.2, 0.2);
        }
        element->table[strain] = (ElvBasisTable){TABLE_STATION, modes, station, value[0]};
    }
}

static inline void
random_reference(CheckRandom* r, Scratch* scratch, const RandomOptions* options, ElvRodDef* def) {
    static const double s[3] = {0.0, 0.35, 1.0};
    static const double kink[3] = {0.8, -0.2, 0.6};
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        if (flip(r, 0.5)) {
            continue;
        }
        double size = k < 3 ? 0.8 : 0.1;
        double base = k == ELV_STRAIN_STRETCH ? 1.0 : 0.0;
        double slope = flip(r, 0.5) ? check_uniform(r, -size, size) : 0.0;
        def->reference[k] =
            formula(scratch, "%.17g + %.17g + %.17g*s", base, check_uniform(r, -size, size), slope);
        if (k == ELV_STRAIN_BEND_Y && !options->is_smooth) {
            def->reference[k] = elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_LINEAR, s, kink, 3);
        }
    }
}

// strains that follow a wave, with the modes that they have, or with modes that are chosen
static inline void
random_motion(CheckRandom* r, Scratch* scratch, const RandomOptions* options, ElvRodDef* def) {
    for (int k = 0; k < ELV_N_STRAIN && options->imposed > 0.0; k++) {
        if (flip(r, options->imposed)) {
            double size = k < 3 ? 0.8 : 0.1;
            double base = k == ELV_STRAIN_STRETCH ? 1.0 : 0.0;
            def->has_motion[k] = true;
            def->motion[k] = formula(scratch, "%.17g + %.17g*sin(2*t - %.17g*s)",
                                     base + check_uniform(r, -size, size),
                                     check_uniform(r, -size, size), check_uniform(r, 0.0, 2.0));
        }
    }
}

/// Everything of a rod but its name, place and root joint.
static inline void
random_rod(CheckRandom* r, Scratch* scratch, const RandomOptions* options, ElvRodDef* def) {
    static const double likely[5] = {0.0, 0.3, 0.5, 0.7, 1.0};
    ElvElementDef* element = scratch->element;
    double probability = likely[flip(r, 0.1) ? 0 : 1 + check_integer(r, 4)];
    random_fluid(r, options, def->resistance, def->added_inertia);
    def->space = options->space;
    def->length = check_uniform(r, 0.4, 1.2);
    def->n_element = options->is_smooth || flip(r, 0.6) ? 1 : 2 + check_integer(r, 2);
    def->element = element;
    bool is_cut = def->n_element > 1 && options->piece_nodes > 0;
    for (int i = 0; i < def->n_element; i++) {
        element[i] = elv_element_def_default();
        element[i].nodes = is_cut ? options->piece_nodes : options->nodes;
        double even = (i + 1.0) / def->n_element;
        element[i].to = i + 1 == def->n_element ? 1.0 : even + check_uniform(r, -0.1, 0.1);
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            if (flip(r, probability)) {
                random_basis(r, options, &element[i], k, scratch->value[i][k]);
            }
        }
    }
    random_reference(r, scratch, options, def);
    random_motion(r, scratch, options, def);
    if (flip(r, 0.3)) {
        random_matrices(r, scratch, options, def);
    } else {
        random_section(r, scratch, options, def);
    }
    if (options->water) {
        random_rod_water(r, def);
    }
}

#endif
