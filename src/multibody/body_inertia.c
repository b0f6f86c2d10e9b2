// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass and inertia of a body.
//
// Shapes are homogeneous solids centred on their frame, so their inertia is diagonal there: the
// mean squares (k_y + k_z, ...) of the coordinates over the volume, times the mass. A given inertia
// must be one that some distribution of positive mass has: symmetric, its principal moments not
// negative, and none of them greater than the sum of the other two.
#include "multibody/body_inertia.h"

#include "multibody/spec_check.h"

#include <math.h>
#include <stdio.h>

// relative tolerance of symmetry, definiteness and the triangle inequality: numbers rounded to ten
// digits pass
static const double inertia_tol = 1e-9;

static const double pi = 3.14159265358979323846;

// ---- shapes

// mean squares of x, y, z over a solid of revolution about x: cylinder with or without round ends
static ElvVec3 mean_squares_round(double radius, double length, bool has_caps, double* volume) {
    double v_cylinder = pi * radius * radius * length;
    double v_caps = has_caps ? 4.0 / 3.0 * pi * radius * radius * radius : 0.0;
    *volume = v_cylinder + v_caps;
    // shares rather than volumes, which could overflow or vanish
    double caps = has_caps ? 4.0 * radius / (4.0 * radius + 3.0 * length) : 0.0;
    double cylinder = 1.0 - caps;
    // caps: a sphere cut in two, its halves moved apart by the length
    double xx_caps = radius * radius / 5.0 + 3.0 / 8.0 * radius * length + length * length / 4.0;
    double xx = cylinder * length * length / 12.0 + caps * xx_caps;
    double yy = cylinder * radius * radius / 4.0 + caps * radius * radius / 5.0;
    return elv_vec3(xx, yy, yy);
}

// mean squares of x, y, z over the shape, in its own axes
static ElvVec3 mean_squares(const ElvShapeDef* shape, double* volume) {
    double a = shape->size[0];
    double b = shape->size[1];
    double c = shape->size[2];
    switch (shape->kind) {
    case ELV_SHAPE_SPHERE:
        *volume = 4.0 / 3.0 * pi * a * a * a;
        return elv_vec3(a * a / 5.0, a * a / 5.0, a * a / 5.0);
    case ELV_SHAPE_BOX:
        *volume = a * b * c;
        return elv_vec3(a * a / 12.0, b * b / 12.0, c * c / 12.0);
    case ELV_SHAPE_CYLINDER:
        return mean_squares_round(a, b, false, volume);
    case ELV_SHAPE_CAPSULE:
        return mean_squares_round(a, b, true, volume);
    case ELV_SHAPE_ELLIPSOID:
        *volume = 4.0 / 3.0 * pi * a * b * c;
        return elv_vec3(a * a / 5.0, b * b / 5.0, c * c / 5.0);
    case ELV_SHAPE_NONE:
    case ELV_N_SHAPE:
        break;
    }
    *volume = 0.0;
    return elv_vec3(0.0, 0.0, 0.0);
}

double elv_shape_volume(const ElvShapeDef* shape) {
    double volume = 0.0;
    (void)mean_squares(shape, &volume);
    return volume;
}

// inertia per mass about the shape's centre, in body axes
static ElvMat3 shape_inertia(const ElvShapeDef* shape, double* volume) {
    ElvVec3 k = mean_squares(shape, volume);
    ElvMat3 own = elv_mat3_diag(k.y + k.z, k.z + k.x, k.x + k.y);
    ElvMat3 R = shape->pose.R;
    return elv_mat3_mul(elv_mat3_mul(R, own), elv_mat3_transpose(R));
}

static bool check_shape(const ElvBodyDef* def, ElvError* error) {
    // the keys of the sizes
    static const char* const size_keys[ELV_N_SHAPE][3] = {
        [ELV_SHAPE_SPHERE] = {"sphere.radius", NULL, NULL},
        [ELV_SHAPE_BOX] = {"box.size", "box.size", "box.size"},
        [ELV_SHAPE_CYLINDER] = {"cylinder.radius", "cylinder.length", NULL},
        [ELV_SHAPE_CAPSULE] = {"capsule.radius", "capsule.length", NULL},
        [ELV_SHAPE_ELLIPSOID] = {"ellipsoid.radii", "ellipsoid.radii", "ellipsoid.radii"},
    };
    if ((unsigned)def->shape.kind >= ELV_N_SHAPE) {
        return elv_check_fail(error, def->name, "shape", "unknown shape (%d)",
                              (int)def->shape.kind);
    }
    const char* const* keys = size_keys[def->shape.kind];
    for (int i = 0; i < 3 && keys[i]; i++) {
        char field[64];
        snprintf(field, sizeof field, "shape.%s", keys[i]);
        if (!elv_check_positive(def->name, field, def->shape.size[i], "metres", error)) {
            return false;
        }
    }
    return def->shape.kind == ELV_SHAPE_NONE ||
           elv_check_pose(def->name, "shape.pose", &def->shape.pose, error);
}

// ---- principal moments

// rotate rows and columns p, q so that a_pq becomes 0
static void jacobi_rotate(double a[3][3], int p, int q) {
    if (a[p][q] == 0.0) {
        return;
    }
    int r = 3 - p - q;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    // the smaller root of t^2 + 2 theta t - 1; hypot cannot overflow
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(theta, 1.0));
    double c = 1.0 / sqrt(t * t + 1.0);
    double s = t * c;
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    double a_rp = a[r][p];
    double a_rq = a[r][q];
    a[r][p] = a[p][r] = c * a_rp - s * a_rq;
    a[r][q] = a[q][r] = s * a_rp + c * a_rq;
}

static double largest_entry(ElvMat3 a) {
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            largest = fmax(largest, fabs(a.m[i][j]));
        }
    }
    return largest;
}

void elv_principal_moments(ElvMat3 inertia, double moment[3]) {
    // scaled, so that no square overflows or vanishes
    double scale = largest_entry(inertia);
    ElvMat3 a = inertia;
    for (int i = 0; i < 9 && scale > 0.0; i++) {
        a.m[i / 3][i % 3] /= scale;
    }
    // cyclic Jacobi converges quadratically: 3x3 matrices are diagonal to rounding after 5 sweeps
    for (int i_sweep = 0; i_sweep < 10; i_sweep++) {
        jacobi_rotate(a.m, 0, 1);
        jacobi_rotate(a.m, 0, 2);
        jacobi_rotate(a.m, 1, 2);
    }
    // sort
    for (int i = 0; i < 3; i++) {
        double value = scale * a.m[i][i];
        int j = i;
        for (; j > 0 && moment[j - 1] > value; j--) {
            moment[j] = moment[j - 1];
        }
        moment[j] = value;
    }
}

// what rounding may do to moments
static double moment_tol(const double moment[3]) {
    return inertia_tol * fmax(fabs(moment[0]), fabs(moment[2]));
}

bool elv_moments_are_physical(const double moment[3]) {
    return moment[2] <= moment[0] + moment[1] + moment_tol(moment);
}

// ---- given numbers

static bool check_symmetric(const ElvBodyDef* def, ElvError* error) {
    double tol = inertia_tol * largest_entry(def->inertia);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            double lower = def->inertia.m[i][j];
            double upper = def->inertia.m[j][i];
            if (fabs(lower - upper) > tol) {
                return elv_check_fail(error, def->name, "inertia",
                                      "inertia must be symmetric: row %d, column %d is %g, but row "
                                      "%d, column %d is %g",
                                      i + 1, j + 1, lower, j + 1, i + 1, upper);
            }
        }
    }
    return true;
}

static bool check_moments(const ElvBodyDef* def, ElvError* error) {
    double j[3] = {0.0};
    elv_principal_moments(def->inertia, j);
    if (j[0] < -moment_tol(j)) {
        return elv_check_fail(error, def->name, "inertia",
                              "inertia is impossible: its principal moments are %g, %g, %g and %g "
                              "is negative; check the signs of the products of inertia (off the "
                              "diagonal: minus the integral of x y dm)",
                              j[0], j[1], j[2], j[0]);
    }
    if (!def->is_unphysical && !elv_moments_are_physical(j)) {
        return elv_check_fail(error, def->name, "inertia",
                              "inertia is impossible: its principal moments are %g, %g, %g and %g "
                              "> %g + %g, but none can exceed the sum of the other two; give the "
                              "moments about the centre of mass in kg m^2",
                              j[0], j[1], j[2], j[2], j[0], j[1]);
    }
    return true;
}

static bool check_inertia(const ElvBodyDef* def, double mass, ElvError* error) {
    if (!elv_check_finite(def->name, "inertia", &def->inertia.m[0][0], 9, error) ||
        !check_symmetric(def, error) || !check_moments(def, error)) {
        return false;
    }
    if (mass == 0.0 && largest_entry(def->inertia) > 0.0) {
        return elv_check_fail(error, def->name, "mass",
                              "a body without mass cannot have inertia: give its mass, or take the "
                              "inertia away");
    }
    return true;
}

static bool check_mass(const ElvBodyDef* def, ElvError* error) {
    if (!elv_check_not_negative(def->name, "mass", &def->mass, 1, "kg", error) ||
        !elv_check_not_negative(def->name, "density", &def->density, 1, "kg/m^3", error) ||
        !elv_check_vec3(def->name, "center", def->center, error)) {
        return false;
    }
    if (def->density > 0.0 && def->shape.kind == ELV_SHAPE_NONE) {
        return elv_check_fail(error, def->name, "density",
                              "density needs a shape: give one, or give mass instead of density");
    }
    if (def->shape.kind != ELV_SHAPE_NONE && def->has_center &&
        (def->density > 0.0 || !def->has_inertia)) {
        return elv_check_fail(error, def->name, "center",
                              "a centre of mass beside a shape goes with 'mass' and 'inertia'");
    }
    return true;
}

static bool is_finite(ElvMat3 a) {
    bool is_right = true;
    for (int i = 0; i < 9; i++) {
        is_right = is_right && isfinite(a.m[i / 3][i % 3]);
    }
    return is_right;
}

static ElvMat3 symmetric_part(ElvMat3 a) {
    return elv_mat3_scale(0.5, elv_mat3_add(a, elv_mat3_transpose(a)));
}

ElvStatus elv_body_inertia(const ElvBodyDef* def, ElvMassProperties* properties, ElvError* error) {
    if (!check_mass(def, error) || !check_shape(def, error)) {
        return ELV_ERROR_INPUT;
    }

    // mass and centre; a shape's inertia per mass
    bool has_shape = def->shape.kind != ELV_SHAPE_NONE;
    double volume = 0.0;
    ElvMat3 per_mass = has_shape ? shape_inertia(&def->shape, &volume) : elv_mat3_zero();
    properties->mass = def->density > 0.0 ? def->density * volume : def->mass;
    properties->center = has_shape && !def->has_center ? def->shape.pose.p : def->center;

    // inertia: given, or from the shape
    ElvMat3 inertia = elv_mat3_scale(properties->mass, per_mass);
    if (def->has_inertia) {
        if (!check_inertia(def, properties->mass, error)) {
            return ELV_ERROR_INPUT;
        }
        inertia = def->inertia;
    }
    properties->inertia = symmetric_part(inertia);

    // sizes and densities that are finite alone may not be so together
    if (!isfinite(properties->mass) || !is_finite(properties->inertia)) {
        elv_check_fail(error, def->name, has_shape ? "shape" : "inertia",
                       "the mass or inertia of '%s' is too large to be computed; check its units",
                       def->name);
        return ELV_ERROR_INPUT;
    }
    return ELV_OK;
}
