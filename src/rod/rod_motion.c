// SPDX-License-Identifier: Apache-2.0
// Imposed strains of rods [ALI (5.11)-(5.13)]: their modes are coordinates like any others, but
// follow a law.
//
// The points of an element are Gauss points, as many as a polynomial basis has modes, so that T
// interpolates; other bases have more points than modes, and T fits them by least squares, T =
// (Phi^T W Phi)^-1 Phi^T W.
#include "rod/rod_motion.h"

#include "base/number_text.h"
#include "linalg/cholesky.h"
#include "linalg/quadrature.h"
#include "rod/rod_segment.h"

#include <math.h>
#include <stdio.h>

// points on each piece of a basis beyond its degree
enum { POINTS_MORE = 2 };

static ElvStatus no_memory(const ElvRod* rod, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, rod->name, "motion", "out of memory");
}

// ---- building

ElvStatus elv_rod_motion_laws(ElvRod* rod, const ElvRodDef* def, ElvLawSet* laws, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int strain = 0; strain < ELV_N_STRAIN && status == ELV_OK; strain++) {
        if (def->has_motion[strain]) {
            char field[32];
            snprintf(field, sizeof field, "motion.%s", elv_strain_name((ElvStrain)strain));
            status = elv_law_set_add(laws, &def->motion[strain], ELV_LAW_OF_T | ELV_LAW_OF_S,
                                     rod->name, field, &rod->motion[strain], error);
        }
        if (status == ELV_OK && rod->motion[strain]) {
            elv_rod_motion_measure(rod, strain);
        }
    }
    return status;
}

// pieces of an element on which the basis is smooth, and Gauss points on each
static void count_points(const ElvStrainBasis* basis, int* n_piece, int* n_each) {
    *n_piece = elv_strain_basis_pieces(basis);
    *n_each = elv_strain_basis_degree(basis) + 1;
    if (basis->kind == ELV_BASIS_TABLE) {
        *n_each = ELV_MAX_QUADRATURE;
    } else if (*n_piece > 1) {
        *n_each += POINTS_MORE;
    }
}

// Phi^T W by points in T (n_point x n_mode), and Phi^T W Phi
static void fill_products(const ElvStrainBasis* basis,
                          int n_piece,
                          int n_each,
                          const double* s,
                          const ElvRodElement* element,
                          const double* w,
                          double* T,
                          double* gram) {
    size_t n = (size_t)basis->n_mode;
    for (int i = 0; i < n_piece * n_each; i++) {
        double* phi = T + (size_t)i * n;
        double weight = w[i % n_each] / n_piece;
        elv_strain_basis_eval(basis, (s[i] - element->s0) / (element->s1 - element->s0), phi);
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < n; k++) {
                gram[j * n + k] += weight * phi[j] * phi[k];
            }
        }
        for (size_t k = 0; k < n; k++) {
            phi[k] *= weight;
        }
    }
}

static ElvStatus init_drive(ElvRodDrive* drive,
                            const ElvRod* rod,
                            int i_element,
                            int strain,
                            ElvPool* pool,
                            ElvError* error) {
    const ElvRodElement* element = &rod->element[i_element];
    const ElvStrainBasis* basis = &element->basis[strain];
    int n_piece = 0;
    int n_each = 0;
    double x[ELV_MAX_QUADRATURE];
    double w[ELV_MAX_QUADRATURE];
    count_points(basis, &n_piece, &n_each);
    size_t n = (size_t)basis->n_mode;
    size_t n_point = (size_t)n_piece * (size_t)n_each;
    double* s = elv_pool_take(pool, n_point, sizeof *s);
    double* rest = elv_pool_take(pool, n_point, sizeof *rest);
    double* T = elv_pool_take(pool, n_point * n, sizeof *T);
    double* gram = elv_pool_take(pool, n * n, sizeof *gram);
    if (!s || !rest || !T || !gram) {
        return no_memory(rod, error);
    }
    elv_gauss_legendre(n_each, x, w);
    for (size_t i = 0; i < n_point; i++) {
        size_t piece = i / (size_t)n_each;
        double u = ((double)piece + x[i % (size_t)n_each]) / n_piece;
        s[i] = element->s0 + (element->s1 - element->s0) * u;
        rest[i] = elv_law_value(rod->reference[strain], 0.0, s[i]);
    }
    fill_products(basis, n_piece, n_each, s, element, w, T, gram);
    int bad = elv_cholesky_factor(basis->n_mode, gram);
    if (bad >= 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, rod->name, "basis",
                             "mode %d of the imposed %s depends on the modes before it: use fewer "
                             "modes, or a Legendre basis",
                             bad, elv_strain_name((ElvStrain)strain));
    }
    for (size_t i = 0; i < n_point; i++) {
        elv_cholesky_solve(basis->n_mode, gram, T + i * n);
    }
    *drive = (ElvRodDrive){.strain = strain,
                           .i_element = i_element,
                           .column = element->column[strain],
                           .n_mode = basis->n_mode,
                           .n_point = (int)n_point,
                           .s = s,
                           .rest = rest,
                           .T = T};
    return ELV_OK;
}

bool elv_rod_motion_is_whole(const ElvRod* rod, const ElvRodElement* element) {
    bool has_driven = false;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        bool has_modes = element->basis[strain].n_mode > 0;
        if (has_modes && !rod->motion[strain]) {
            return false;
        }
        has_driven = has_driven || has_modes;
    }
    return has_driven;
}

// which coordinates are driven
static ElvStatus mark_driven(ElvRod* rod, ElvPool* pool, ElvError* error) {
    bool* driven = elv_pool_take(pool, (size_t)rod->joint.n_v, sizeof *driven);
    if (!driven) {
        return no_memory(rod, error);
    }
    int n_driven = 0;
    for (int i = 0; i < rod->n_drive; i++) {
        for (int k = 0; k < rod->drive[i].n_mode; k++, n_driven++) {
            driven[rod->drive[i].column + k] = true;
        }
    }
    rod->joint.is_motion_driven = n_driven > 0 && n_driven == rod->joint.n_v;
    rod->joint.driven = n_driven > 0 && n_driven < rod->joint.n_v ? driven : NULL;
    return ELV_OK;
}

ElvStatus elv_rod_motion_build(ElvRod* rod, ElvPool* pool, ElvError* error) {
    size_t room = (size_t)rod->n_element * ELV_N_STRAIN;
    ElvRodDrive* drive = elv_pool_take(pool, room, sizeof *drive);
    if (!drive) {
        return no_memory(rod, error);
    }
    for (int i = 0; i < rod->n_element; i++) {
        for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
            if (!rod->motion[strain]) {
                continue;
            }
            ElvRodDrive* one = &drive[rod->n_drive++];
            ElvStatus status = init_drive(one, rod, i, strain, pool, error);
            if (status != ELV_OK) {
                return status;
            }
            rod->motion_error[strain] =
                fmax(rod->motion_error[strain], elv_rod_motion_error(rod, one));
        }
    }
    rod->drive = drive;
    return mark_driven(rod, pool, error);
}

// ---- evaluation

void elv_rod_drive_eval(
    const ElvRod* rod, const ElvRodDrive* drive, double t, double* q, double* v, double* a) {
    size_t n = (size_t)drive->n_mode;
    for (size_t k = 0; k < n; k++) {
        q[k] = v[k] = a[k] = 0.0;
    }
    for (int i = 0; i < drive->n_point; i++) {
        ElvJet field = elv_law_eval(rod->motion[drive->strain], t, drive->s[i]);
        const double* T = drive->T + (size_t)i * n;
        double value = field.v - drive->rest[i];
        for (size_t k = 0; k < n; k++) {
            q[k] += T[k] * value;
            v[k] += T[k] * field.d;
            a[k] += T[k] * field.dd;
        }
    }
}

void elv_rod_impose(const ElvJoint* joint, double t, double* q, double* v, double* a) {
    const ElvRod* rod = (const ElvRod*)joint;
    for (int i = 0; i < rod->n_drive; i++) {
        const ElvRodDrive* drive = &rod->drive[i];
        elv_rod_drive_eval(rod, drive, t, q + drive->column, v + drive->column, a + drive->column);
    }
}

ElvStatus elv_rod_check(const ElvJoint* joint, double t, ElvError* error) {
    const ElvRod* rod = (const ElvRod*)joint;
    char when[ELV_NUMBER_TEXT];
    for (int i = 0; i < rod->n_drive; i++) {
        const ElvRodDrive* drive = &rod->drive[i];
        const char* name = elv_strain_name((ElvStrain)drive->strain);
        for (int k = 0; k < drive->n_point; k++) {
            ElvJet field = elv_law_eval(rod->motion[drive->strain], t, drive->s[k]);
            if (!isfinite(field.v) || !isfinite(field.d) || !isfinite(field.dd)) {
                return elv_error_set(error, ELV_ERROR_NUMERIC, rod->name, "motion",
                                     "the imposed %s of rod '%s'%s is not a number %s, s = %.4g",
                                     name, rod->name,
                                     isfinite(field.v) ? " has a time derivative that" : "",
                                     elv_time_text(t, when), drive->s[k]);
            }
            if (drive->strain == ELV_STRAIN_STRETCH && !(field.v > 0.0)) {
                return elv_error_set(error, ELV_ERROR_NUMERIC, rod->name, "motion",
                                     "the imposed stretch of rod '%s' is %.6g %s, s = %.4g: it "
                                     "must be above 0, and is 1 where the rod is not stretched",
                                     rod->name, field.v, elv_time_text(t, when), drive->s[k]);
            }
        }
    }
    return ELV_OK;
}
