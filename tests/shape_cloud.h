// SPDX-License-Identifier: Apache-2.0
// Solids as clouds of point masses at quadrature points, the oracle for the inertias of shapes. The
// rules are exact for these solids, so that a cloud has their mass, centre and inertia to rounding.
#ifndef ELVER_TESTS_SHAPE_CLOUD_H
#define ELVER_TESTS_SHAPE_CLOUD_H

#include "elver/spec.h"

static const double cloud_pi = 3.14159265358979323846;

typedef struct {
    double mass;
    ElvVec3 moment; // sum of m x
    ElvMat3 J;      // sum of m (|x|^2 1 - x x^T), about the origin
} Cloud;

static inline void cloud_add(Cloud* cloud, double m, ElvVec3 x) {
    double c[3] = {x.x, x.y, x.z};
    cloud->mass += m;
    cloud->moment = elv_vec3_add_scaled(cloud->moment, m, x);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            cloud->J.m[i][j] += m * ((i == j ? elv_vec3_dot(x, x) : 0.0) - c[i] * c[j]);
        }
    }
}

// five-point Gauss-Legendre rule on [-1, 1], exact to degree 9
static const double cloud_gauss_x[5] = {-0.90617984593866399280, -0.53846931010568309104, 0.0,
                                        0.53846931010568309104, 0.90617984593866399280};
static const double cloud_gauss_w[5] = {0.23692688505618908751, 0.47862867049936646804,
                                        0.56888888888888888889, 0.47862867049936646804,
                                        0.23692688505618908751};

// one slice at x of thickness dx: a box's rectangle, or an ellipse with half-widths b, c, by five
// radii and eight directions (exact for the second moments)
static inline void cloud_add_slice(Cloud* cloud,
                                   const ElvShapeDef* shape,
                                   double density,
                                   double x,
                                   double dx,
                                   double b,
                                   double c) {
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 8; j++) {
            double y, z, area;
            if (shape->kind == ELV_SHAPE_BOX) {
                if (j >= 5) {
                    break;
                }
                y = b * cloud_gauss_x[i];
                z = c * cloud_gauss_x[j];
                area = b * c * cloud_gauss_w[i] * cloud_gauss_w[j];
            } else {
                double rho = 0.5 * (1.0 + cloud_gauss_x[i]);
                double angle = 2.0 * cloud_pi * j / 8.0;
                y = b * rho * cos(angle);
                z = c * rho * sin(angle);
                area = b * c * rho * (0.5 * cloud_gauss_w[i]) * (2.0 * cloud_pi / 8.0);
            }
            cloud_add(cloud, density * area * dx, elv_pose_apply(shape->pose, elv_vec3(x, y, z)));
        }
    }
}

// half-widths of the slice at x
static inline void cloud_slice_widths(const ElvShapeDef* shape, double x, double* b, double* c) {
    const double* size = shape->size;
    *b = *c = size[0];
    if (shape->kind == ELV_SHAPE_SPHERE) {
        *b = *c = sqrt(size[0] * size[0] - x * x);
    } else if (shape->kind == ELV_SHAPE_BOX) {
        *b = 0.5 * size[1];
        *c = 0.5 * size[2];
    } else if (shape->kind == ELV_SHAPE_ELLIPSOID) {
        double k = sqrt(1.0 - x * x / (size[0] * size[0]));
        *b = k * size[1];
        *c = k * size[2];
    } else if (shape->kind == ELV_SHAPE_CAPSULE && fabs(x) > 0.5 * size[1]) {
        double depth = fabs(x) - 0.5 * size[1];
        *b = *c = sqrt(size[0] * size[0] - depth * depth);
    }
}

// the solid, slice by slice along x; squares of the widths are polynomials on each part
static inline Cloud cloud_of_shape(const ElvShapeDef* shape, double density) {
    Cloud cloud = {0.0, elv_vec3(0.0, 0.0, 0.0), elv_mat3_zero()};
    double half = shape->size[0];
    if (shape->kind == ELV_SHAPE_BOX) {
        half = 0.5 * shape->size[0];
    } else if (shape->kind == ELV_SHAPE_CYLINDER || shape->kind == ELV_SHAPE_CAPSULE) {
        half = 0.5 * shape->size[1];
    }
    bool has_caps = shape->kind == ELV_SHAPE_CAPSULE;
    double end = has_caps ? half + shape->size[0] : half;
    double cut[4] = {-end, -half, half, end};
    for (int i_part = 0; i_part < 3; i_part++) {
        double middle = 0.5 * (cut[i_part] + cut[i_part + 1]);
        double radius = 0.5 * (cut[i_part + 1] - cut[i_part]);
        for (int i = 0; i < 5 && radius > 0.0; i++) {
            double x = middle + radius * cloud_gauss_x[i];
            double b, c;
            cloud_slice_widths(shape, x, &b, &c);
            cloud_add_slice(&cloud, shape, density, x, radius * cloud_gauss_w[i], b, c);
        }
    }
    return cloud;
}

#endif
