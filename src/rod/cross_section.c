// SPDX-License-Identifier: Apache-2.0
// Stiffness, inertia and damping of a section, per unit length.
//     H = diag(G J, E I_y, E I_z, E A, k G A, k G A)                                      [P20 (3)]
//     M = rho diag(I_y + I_z, I_y, I_z, A, A, A)                                          [P20 (3)]
//     D = diag(mu) H, one Kelvin-Voigt time constant per strain                          [P23 (33)]
// I_y = integral of z^2 dA; J is the torsion constant, the polar moment unless given.
#include "rod/cross_section.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/// Area and second moments of a section.
typedef struct {
    double A, I_y, I_z, J, shear_factor;
} SectionMoments;

static ElvStatus add_law(ElvLawSet* laws,
                         const ElvLawDef* def,
                         const char* rod,
                         const char* field,
                         const ElvLaw** law,
                         ElvError* error) {
    return elv_law_set_add(laws, def, ELV_LAW_OF_S, rod, field, law, error);
}

static ElvStatus init_matrix(ElvLawSet* laws,
                             const ElvMatrixDef* def,
                             const char* rod,
                             const char* field,
                             const ElvLaw** law,
                             ElvError* error) {
    for (int i = 0; i < def->n; i++) {
        ElvStatus status = add_law(laws, &def->entry[i], rod, field, &law[i], error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static ElvStatus init_shape(ElvCrossSection* section,
                            const ElvSectionDef* def,
                            const char* rod,
                            ElvLawSet* laws,
                            ElvError* error) {
    const struct {
        bool used;
        const ElvLawDef* def;
        const ElvLaw** law;
    } part[] = {
        {def->kind <= ELV_SECTION_RECTANGLE, &def->outer[0], &section->outer[0]},
        {def->kind == ELV_SECTION_ELLIPSE || def->kind == ELV_SECTION_RECTANGLE, &def->outer[1],
         &section->outer[1]},
        {def->is_hollow, &def->inner[0], &section->inner[0]},
        {def->is_hollow && def->kind != ELV_SECTION_CIRCLE, &def->inner[1], &section->inner[1]},
        {def->kind == ELV_SECTION_EXPLICIT, &def->area, &section->area},
        {def->kind == ELV_SECTION_EXPLICIT, &def->inertia_y, &section->inertia_y},
        {def->kind == ELV_SECTION_EXPLICIT, &def->inertia_z, &section->inertia_z},
        {def->has_torsion, &def->torsion, &section->torsion},
        {true, &def->shear_factor, &section->shear_factor},
    };
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        if (part[i].used) {
            ElvStatus status = add_law(laws, part[i].def, rod, "section", part[i].law, error);
            if (status != ELV_OK) {
                return status;
            }
        }
    }
    return ELV_OK;
}

// one width at one station: positive, but for the ends, where it may vanish
static ElvStatus
check_width(const ElvLaw* law, const char* what, double s, const char* rod, ElvError* error) {
    double width = elv_law_value(law, 0.0, s);
    bool is_end = s == 0.0 || s == 1.0;
    if (width > 0.0 || (is_end && width == 0.0)) {
        return ELV_OK;
    }
    return elv_error_set(
        error, ELV_ERROR_INPUT, rod, "section",
        "the section's size must be positive, but its %s is %g m at s = %g: raise it there; it may "
        "vanish at the ends of a rod alone",
        what, width, s);
}

// widths between the nodes of the quadrature too: on a fine grid and at the knots of tables
static ElvStatus check_widths(const ElvCrossSection* section, const char* rod, ElvError* error) {
    enum { N = 256 };
    for (int k = 0; k < 2; k++) {
        const ElvLaw* law = section->outer[k];
        const char* what = !section->outer[1] ? "diameter" : k == 0 ? "width y" : "width z";
        const double* knot = NULL;
        size_t n_knot = law ? elv_law_table_data(law, NULL, NULL, &knot, NULL) : 0;
        for (size_t i = 0; law && i < n_knot + N + 1; i++) {
            double s = i < n_knot ? knot[i] : (double)(i - n_knot) / N;
            ElvStatus status = s < 0.0 || s > 1.0 ? ELV_OK : check_width(law, what, s, rod, error);
            if (status != ELV_OK) {
                return status;
            }
        }
    }
    return ELV_OK;
}

ElvStatus elv_cross_section_init(ElvCrossSection* section,
                                 const ElvRodDef* def,
                                 ElvLawSet* laws,
                                 ElvError* error) {
    memset(section, 0, sizeof *section);
    section->kind = def->section.kind;
    section->is_hollow = def->section.is_hollow;
    section->has_torsion = def->section.has_torsion;
    section->material = def->material;
    section->n_stiffness = def->stiffness.n;
    section->n_inertia = def->inertia.n;
    section->n_damping = def->damping.n;
    ElvStatus status = init_shape(section, &def->section, def->name, laws, error);
    if (status == ELV_OK) {
        status = check_widths(section, def->name, error);
    }
    if (status == ELV_OK) {
        status =
            init_matrix(laws, &def->stiffness, def->name, "stiffness", section->stiffness, error);
    }
    if (status == ELV_OK) {
        status = init_matrix(laws, &def->inertia, def->name, "inertia", section->inertia, error);
    }
    if (status == ELV_OK) {
        status = init_matrix(laws, &def->damping, def->name, "damping", section->damping, error);
    }
    return status;
}

// moments of a full shape of widths (b along y, c along z)
static SectionMoments full_shape(ElvSectionKind kind, double b, double c) {
    double factor = kind == ELV_SECTION_RECTANGLE ? 1.0 : PI / 4.0;
    double second = kind == ELV_SECTION_RECTANGLE ? 1.0 / 12.0 : 1.0 / 16.0;
    SectionMoments m = {factor * b * c, 0.0, 0.0, 0.0, 1.0};
    m.I_y = second * m.A * c * c;
    m.I_z = second * m.A * b * b;
    return m;
}

static ElvStatus bad_section(const char* rod, const char* what, double s, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_INPUT, rod, "section", "%s at s = %g", what, s);
}

static ElvStatus eval_moments(
    const ElvCrossSection* section, const char* rod, double s, SectionMoments* m, ElvError* error) {
    if (section->kind == ELV_SECTION_EXPLICIT) {
        m->A = elv_law_value(section->area, 0.0, s);
        m->I_y = elv_law_value(section->inertia_y, 0.0, s);
        m->I_z = elv_law_value(section->inertia_z, 0.0, s);
    } else {
        double b = elv_law_value(section->outer[0], 0.0, s);
        double c = section->outer[1] ? elv_law_value(section->outer[1], 0.0, s) : b;
        if (!(b > 0.0 && c > 0.0)) {
            return bad_section(rod, "the section's size must be positive", s, error);
        }
        *m = full_shape(section->kind, b, c);
        if (section->is_hollow) {
            double b_in = elv_law_value(section->inner[0], 0.0, s);
            double c_in = section->inner[1] ? elv_law_value(section->inner[1], 0.0, s) : b_in;
            if (!(b_in >= 0.0 && c_in >= 0.0 && b_in < b && c_in < c)) {
                return bad_section(rod, "the hole must be smaller than the section", s, error);
            }
            SectionMoments hole = full_shape(section->kind, b_in, c_in);
            m->A -= hole.A;
            m->I_y -= hole.I_y;
            m->I_z -= hole.I_z;
        }
    }
    m->J = section->has_torsion ? elv_law_value(section->torsion, 0.0, s) : m->I_y + m->I_z;
    m->shear_factor = elv_law_value(section->shear_factor, 0.0, s);
    if (!(m->A > 0.0 && m->I_y >= 0.0 && m->I_z >= 0.0 && m->J >= 0.0 && m->shear_factor > 0.0)) {
        return bad_section(rod, "area and shear factor must be positive, moments not negative", s,
                           error);
    }
    return ELV_OK;
}

static void eval_matrix(int n, const ElvLaw* const* law, double s, ElvMat6* m) {
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            if (n == 36) {
                m->m[i][j] = elv_law_value(law[6 * i + j], 0.0, s);
            } else if (i == j) {
                m->m[i][j] = elv_law_value(law[i], 0.0, s);
            }
        }
    }
}

static void set_diagonal(ElvMat6* m, const double diagonal[6]) {
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 6; i++) {
        m->m[i][i] = diagonal[i];
    }
}

// symmetric, finite, without negative directions: by elimination with a tolerance for zeros
static bool is_semi_definite(ElvMat6 a) {
    double scale[6];
    for (int i = 0; i < 6; i++) {
        scale[i] = sqrt(fabs(a.m[i][i]));
        for (int j = 0; j < i; j++) {
            if (!(fabs(a.m[i][j] - a.m[j][i]) <= 1e-9 * scale[i] * scale[j])) {
                return false;
            }
        }
    }
    for (int k = 0; k < 6; k++) {
        double tolerance = 1e-10 * scale[k] * scale[k];
        if (!(a.m[k][k] >= -tolerance) || !isfinite(a.m[k][k])) {
            return false;
        }
        for (int i = k + 1; i < 6; i++) {
            if (a.m[k][k] <= tolerance) {
                // a zero pivot: the rest of its column must vanish with it
                if (fabs(a.m[i][k]) > 1e-5 * scale[i] * scale[k]) {
                    return false;
                }
                continue;
            }
            double factor = a.m[i][k] / a.m[k][k];
            for (int j = k + 1; j < 6; j++) {
                a.m[i][j] -= factor * a.m[k][j];
            }
        }
    }
    return true;
}

static ElvStatus
check_matrix(ElvMat6 m, const char* rod, const char* field, double s, ElvError* error) {
    if (!is_semi_definite(m)) {
        return elv_error_set(error, ELV_ERROR_INPUT, rod, field,
                             "the %s matrix must be symmetric without negative directions; at "
                             "s = %g it is not",
                             field, s);
    }
    return ELV_OK;
}

ElvStatus elv_cross_section_eval(const ElvCrossSection* section,
                                 const char* rod,
                                 double s,
                                 ElvMat6* H,
                                 ElvMat6* M,
                                 ElvMat6* D,
                                 ElvError* error) {
    const ElvMaterialDef* mat = &section->material;
    double G = mat->shear > 0.0 ? mat->shear : mat->young / (2.0 * (1.0 + mat->poisson));
    SectionMoments m = {0};
    if (section->kind != ELV_SECTION_NONE) {
        ElvStatus status = eval_moments(section, rod, s, &m, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    double shear = m.shear_factor * G * m.A;
    double E = mat->young;
    double rho = mat->density;
    set_diagonal(H, (double[6]){G * m.J, E * m.I_y, E * m.I_z, E * m.A, shear, shear});
    set_diagonal(M, (double[6]){rho * (m.I_y + m.I_z), rho * m.I_y, rho * m.I_z, rho * m.A,
                                rho * m.A, rho * m.A});
    if (section->n_stiffness > 0) {
        eval_matrix(section->n_stiffness, section->stiffness, s, H);
    }
    if (section->n_inertia > 0) {
        eval_matrix(section->n_inertia, section->inertia, s, M);
    }
    // Kelvin-Voigt: sqrt(mu_i mu_j) keeps a coupled damping matrix symmetric and dissipative
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            D->m[i][j] = sqrt(mat->damping[i] * mat->damping[j]) * H->m[i][j];
        }
    }
    if (section->n_damping > 0) {
        eval_matrix(section->n_damping, section->damping, s, D);
    }
    ElvStatus status = check_matrix(*H, rod, "stiffness", s, error);
    if (status == ELV_OK) {
        status = check_matrix(*M, rod, "inertia", s, error);
    }
    return status == ELV_OK ? check_matrix(*D, rod, "damping", s, error) : status;
}

void elv_cross_section_mass(const ElvMat6* M, ElvInertia* inertia, double* mass, ElvVec3* moment) {
    ElvInertia I;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            I.J.m[i][j] = M->m[i][j];
            I.H.m[i][j] = M->m[i][j + 3];
            I.M.m[i][j] = M->m[i + 3][j + 3];
        }
    }
    *inertia = I;
    // their mean, without rounding where they are the same
    double m = I.M.m[0][0];
    *mass = m + ((I.M.m[1][1] - m) + (I.M.m[2][2] - m)) / 3.0;
    // H = m hat(c)
    *moment = elv_vec3(0.5 * (I.H.m[2][1] - I.H.m[1][2]), 0.5 * (I.H.m[0][2] - I.H.m[2][0]),
                       0.5 * (I.H.m[1][0] - I.H.m[0][1]));
}

size_t elv_cross_section_breakpoints(const ElvCrossSection* section, double* out, size_t capacity) {
    const ElvLaw* law[117];
    size_t n_law = 0;
    const ElvLaw* const shape[] = {section->outer[0],  section->outer[1], section->inner[0],
                                   section->inner[1],  section->area,     section->inertia_y,
                                   section->inertia_z, section->torsion,  section->shear_factor};
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
        law[n_law++] = shape[i];
    }
    for (int i = 0; i < 36; i++) {
        law[n_law++] = section->stiffness[i];
        law[n_law++] = section->inertia[i];
        law[n_law++] = section->damping[i];
    }
    size_t n = 0;
    for (size_t i = 0; i < n_law; i++) {
        if (law[i] && n < capacity) {
            size_t found =
                elv_law_breakpoints(law[i], ELV_VARIABLE_S, 0.0, 1.0, out + n, capacity - n);
            n += found < capacity - n ? found : capacity - n;
        }
    }
    return n;
}
