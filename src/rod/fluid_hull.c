// SPDX-License-Identifier: Apache-2.0
// Hulls cut by the plane up . x + height = 0, wet where that is negative. Moments of what is wet are
// sums of pyramids over its faces, with their tip on the plane, so that the waterplane has none; a
// box has tetrahedra. A cylinder along x is cut across: at v = r sin(phi), v normal to its axis and
// to up, it is a rectangle of half width r cos(phi), which the plane cuts along a chord. Moments of
// both are polynomials in cos(phi) between the angles at which the chord meets a corner, of degree
// four at most: Gauss's rule of 12 points is exact there to 1e-17. Caps of a capsule are cut into
// half discs likewise, to 1e-9. An ellipsoid is a sphere in axes that are stretched.
#include "rod/fluid_hull.h"

#include <math.h>
#include <string.h>

enum { N_GAUSS = 6 };

static const double PI = 3.14159265358979323846;

bool elv_hull_is_clipped(ElvShapeKind kind) {
    return kind == ELV_SHAPE_BOX || kind == ELV_SHAPE_CYLINDER || kind == ELV_SHAPE_CAPSULE ||
           kind == ELV_SHAPE_ELLIPSOID;
}

// to += s x x^T
static void add_square(ElvMat3* to, double s, ElvVec3 x) {
    const double v[3] = {x.x, x.y, x.z};
    for (int i = 0; i < 9; i++) {
        to->m[i / 3][i % 3] += s * v[i / 3] * v[i % 3];
    }
}

static void scale(ElvClip* clip, double s) {
    clip->share *= s;
    clip->moment = elv_vec3_scale(s, clip->moment);
    clip->area *= s;
    clip->lever = elv_vec3_scale(s, clip->lever);
    clip->spread = elv_mat3_scale(s, clip->spread);
}

// ---- boxes

// a point that is over the surface by d
typedef struct {
    ElvVec3 x;
    double d;
} Corner;

// the tetrahedron of a tip and a triangle
static void add_tetrahedron(ElvClip* clip, ElvVec3 tip, ElvVec3 a, ElvVec3 b, ElvVec3 c) {
    ElvVec3 u = elv_vec3_sub(a, tip);
    ElvVec3 v = elv_vec3_sub(b, tip);
    ElvVec3 w = elv_vec3_sub(c, tip);
    double volume = elv_vec3_dot(u, elv_vec3_cross(v, w)) / 6.0;
    ElvVec3 sum = elv_vec3_add(elv_vec3_add(tip, a), elv_vec3_add(b, c));
    clip->share += volume;
    clip->moment = elv_vec3_add_scaled(clip->moment, 0.25 * volume, sum);
}

// the triangle of the waterplane between a point of it and an edge a b
static void add_triangle(ElvClip* clip, ElvVec3 up, ElvVec3 tip, ElvVec3 a, ElvVec3 b) {
    ElvVec3 normal = elv_vec3_cross(elv_vec3_sub(a, tip), elv_vec3_sub(b, tip));
    double area = 0.5 * elv_vec3_dot(up, normal);
    ElvVec3 sum = elv_vec3_add(tip, elv_vec3_add(a, b));
    clip->area += area;
    clip->lever = elv_vec3_add_scaled(clip->lever, area / 3.0, sum);
    add_square(&clip->spread, area / 12.0, tip);
    add_square(&clip->spread, area / 12.0, a);
    add_square(&clip->spread, area / 12.0, b);
    add_square(&clip->spread, area / 12.0, sum);
}

// a face, its corners in order about its outward normal
static void add_face(ElvClip* clip, ElvVec3 up, ElvVec3 tip, const Corner corner[4]) {
    ElvVec3 wet[6];
    ElvVec3 edge[2]; // where the face comes out of the water, and where it dips in again
    int n = 0;
    int n_cut = 0;
    for (int i = 0; i < 4; i++) {
        const Corner* p = &corner[i];
        const Corner* q = &corner[(i + 1) % 4];
        bool is_wet = p->d <= 0.0;
        if (is_wet) {
            wet[n++] = p->x;
        }
        if (is_wet != (q->d <= 0.0)) {
            ElvVec3 cut = elv_vec3_sub(elv_vec3_scale(q->d, p->x), elv_vec3_scale(p->d, q->x));
            cut = elv_vec3_scale(1.0 / (q->d - p->d), cut);
            edge[is_wet ? 0 : 1] = wet[n++] = cut;
            n_cut++;
        }
    }
    for (int i = 1; i + 1 < n; i++) {
        add_tetrahedron(clip, tip, wet[0], wet[i], wet[i + 1]);
    }
    // the waterplane goes round the other way
    if (n_cut == 2) {
        add_triangle(clip, up, tip, edge[1], edge[0]);
    }
}

static void clip_box(const double size[3], ElvVec3 up, double height, ElvClip* clip) {
    static const double turn[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    ElvVec3 tip = elv_vec3_scale(-height, up);
    for (int f = 0; f < 6; f++) {
        Corner corner[4];
        double side = f < 3 ? 1.0 : -1.0;
        for (int k = 0; k < 4; k++) {
            const double* at = turn[f < 3 ? k : 3 - k];
            double x[3];
            x[f % 3] = 0.5 * side * size[f % 3];
            x[(f + 1) % 3] = 0.5 * at[0] * size[(f + 1) % 3];
            x[(f + 2) % 3] = 0.5 * at[1] * size[(f + 2) % 3];
            corner[k].x = elv_vec3(x[0], x[1], x[2]);
            corner[k].d = elv_vec3_dot(up, corner[k].x) + height;
        }
        add_face(clip, up, tip, corner);
    }
    scale(clip, 1.0 / (size[0] * size[1] * size[2]));
}

// ---- cylinders

// the plane in a section: n[0] x + n[1] w + height = 0
typedef struct {
    double n[2], height;
    double half; // of the length
} Cut;

// a strip of the waterplane from a to b
static void add_chord(ElvClip* clip, double length, ElvVec3 a, ElvVec3 b) {
    ElvVec3 sum = elv_vec3_add(a, b);
    clip->area += length;
    clip->lever = elv_vec3_add_scaled(clip->lever, 0.5 * length, sum);
    add_square(&clip->spread, length / 6.0, a);
    add_square(&clip->spread, length / 6.0, b);
    add_square(&clip->spread, length / 6.0, sum);
}

// moments of the rectangle and of the chord, with a weight, in (x, v, w) at v
static void add_rectangle(ElvClip* clip, const Cut* cut, double v, double width, double weight) {
    static const double turn[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    double tip[2] = {-cut->height * cut->n[0], -cut->height * cut->n[1]};
    double wet[6][2];
    double edge[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    int n = 0;
    for (int i = 0; i < 4; i++) {
        const double p[2] = {turn[i][0] * cut->half, turn[i][1] * width};
        const double q[2] = {turn[(i + 1) % 4][0] * cut->half, turn[(i + 1) % 4][1] * width};
        double d_p = cut->n[0] * p[0] + cut->n[1] * p[1] + cut->height;
        double d_q = cut->n[0] * q[0] + cut->n[1] * q[1] + cut->height;
        bool is_wet = d_p <= 0.0;
        if (is_wet) {
            memcpy(wet[n++], p, sizeof p);
        }
        if (is_wet != (d_q <= 0.0)) {
            for (int k = 0; k < 2; k++) {
                wet[n][k] = edge[is_wet ? 0 : 1][k] = (d_q * p[k] - d_p * q[k]) / (d_q - d_p);
            }
            n++;
        }
    }
    for (int i = 0; i < n; i++) {
        const double* a = wet[i];
        const double* b = wet[(i + 1) % n];
        double area =
            0.5 * weight * ((a[0] - tip[0]) * (b[1] - tip[1]) - (a[1] - tip[1]) * (b[0] - tip[0]));
        clip->share += area;
        clip->moment.x += area * (tip[0] + a[0] + b[0]) / 3.0;
        clip->moment.z += area * (tip[1] + a[1] + b[1]) / 3.0;
    }
    double length = weight * hypot(edge[1][0] - edge[0][0], edge[1][1] - edge[0][1]);
    add_chord(clip, length, elv_vec3(edge[0][0], v, edge[0][1]),
              elv_vec3(edge[1][0], v, edge[1][1]));
}

static const double gauss_node[N_GAUSS] = {0.1252334085114689,  0.36783149899818019,
                                           0.58731795428661745, 0.76990267419430468,
                                           0.90411725637047486, 0.98156063424671925};
static const double gauss_weight[N_GAUSS] = {0.24914704581340277, 0.23349253653835481,
                                             0.20316742672306592, 0.16007832854334622,
                                             0.10693932599531843, 0.047175336386511827};

// point i of 12 between two ends, and its weight
static double gauss_point(int i, double from, double to, double* weight) {
    double half = 0.5 * (to - from);
    *weight = half * gauss_weight[i / 2];
    return 0.5 * (from + to) + (i % 2 == 0 ? half : -half) * gauss_node[i / 2];
}

// sections between two angles
static void add_sections(ElvClip* clip, const Cut* cut, double radius, double from, double to) {
    for (int i = 0; i < 2 * N_GAUSS && to > from; i++) {
        double weight = 0.0;
        double phi = gauss_point(i, from, to, &weight);
        double width = radius * cos(phi);
        add_rectangle(clip, cut, radius * sin(phi), width, weight * width);
    }
}

// the angle at which a corner of the section lies in the surface; 0: at none
static double corner_angle(double distance, double reach) {
    return distance < reach ? acos(distance / reach) : 0.0;
}

// ---- caps of capsules

// a half disc of a cap, centre at (side half, v, 0), whose own x points outwards: arcs and the chord
// bound what is wet, and the diameter, which has no moments about the centre
static void
add_half_disc(ElvClip* clip, const Cut* cut, double side, double v, double rho, double weight) {
    double n[2] = {side * cut->n[0], cut->n[1]};
    double d = cut->height + n[0] * cut->half;
    // dry: within gamma of the direction of n
    double gamma = acos(fmin(1.0, fmax(-1.0, -d / rho)));
    double normal = atan2(n[1], n[0]);
    const double from[2] = {fmax(-0.5 * PI, normal + gamma - 2.0 * PI),
                            fmax(-0.5 * PI, normal + gamma)};
    const double to[2] = {fmin(0.5 * PI, normal - gamma), 0.5 * PI};
    double area = 0.0;
    double moment[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        if (to[i] > from[i]) {
            area += 0.5 * rho * rho * (to[i] - from[i]);
            moment[0] += rho * rho * rho / 3.0 * (sin(to[i]) - sin(from[i]));
            moment[1] += rho * rho * rho / 3.0 * (cos(from[i]) - cos(to[i]));
        }
    }
    // the chord -d n + t (-n_w, n_x), where that is outside
    double lo = -sqrt(fmax(0.0, (rho - d) * (rho + d)));
    double hi = n[1] > 0.0 ? fmin(-lo, -d * n[0] / n[1]) : d * n[0] <= 0.0 ? -lo : lo;
    if (hi > lo) {
        const double p[2] = {-d * n[0] - lo * n[1], -d * n[1] + lo * n[0]};
        const double q[2] = {-d * n[0] - hi * n[1], -d * n[1] + hi * n[0]};
        double triangle = 0.5 * (p[0] * q[1] - p[1] * q[0]);
        area += triangle;
        moment[0] += triangle * (p[0] + q[0]) / 3.0;
        moment[1] += triangle * (p[1] + q[1]) / 3.0;
        add_chord(clip, weight * (hi - lo), elv_vec3(side * (cut->half + p[0]), v, p[1]),
                  elv_vec3(side * (cut->half + q[0]), v, q[1]));
    }
    clip->share += weight * area;
    clip->moment.x += weight * side * (area * cut->half + moment[0]);
    clip->moment.z += weight * moment[1];
}

// Half discs at v: where the plane cuts them v = v_d sin(theta), so that chords are smooth, and
// apart from where they end on the rim of the cap; beyond v_d they are wet or dry.
static void add_cap(ElvClip* clip, const Cut* cut, double radius, double side) {
    double d = fabs(cut->height + side * cut->n[0] * cut->half);
    double v_d = d < radius ? sqrt((radius - d) * (radius + d)) : 0.0;
    double rim = d / fmax(cut->n[1], 1e-300);
    double v_c = rim < radius ? sqrt((radius - rim) * (radius + rim)) : 0.0;
    double theta = v_d > 0.0 ? asin(fmin(1.0, v_c / v_d)) : 0.0;
    double end = v_d > 0.0 ? 0.5 * PI : 0.0;
    // graded towards the ends
    double rest = end - theta;
    const double edge[8] = {
        0.0, 0.6 * theta, 0.9 * theta, theta, theta + 0.6 * rest, theta + 0.9 * rest,
        end, 0.5 * PI};
    for (int i = 0; i < 7 * 2 * N_GAUSS; i++) {
        int k = i / (2 * N_GAUSS);
        double weight = 0.0;
        double from = k < 6 ? edge[k] : asin(v_d / radius);
        double angle = gauss_point(i % (2 * N_GAUSS), from, edge[k + 1], &weight);
        double reach = k < 6 ? v_d : radius;
        double v = reach * sin(angle);
        if (weight > 0.0) {
            add_half_disc(clip, cut, side, v, sqrt((radius - v) * (radius + v)),
                          weight * reach * cos(angle));
        }
    }
}

static void
clip_cylinder(ElvShapeKind kind, const double size[3], ElvVec3 up, double height, ElvClip* clip) {
    double radius = size[0];
    double volume = PI * radius * radius * size[1];
    double lean = hypot(up.y, up.z);
    Cut cut = {{up.x, lean}, height, 0.5 * size[1]};
    double one = corner_angle(fabs(height + up.x * cut.half), radius * lean);
    double other = corner_angle(fabs(height - up.x * cut.half), radius * lean);
    add_sections(clip, &cut, radius, 0.0, fmin(one, other));
    add_sections(clip, &cut, radius, fmin(one, other), fmax(one, other));
    add_sections(clip, &cut, radius, fmax(one, other), 0.5 * PI);
    if (kind == ELV_SHAPE_CAPSULE) {
        volume += 4.0 / 3.0 * PI * radius * radius * radius;
        add_cap(clip, &cut, radius, 1.0);
        add_cap(clip, &cut, radius, -1.0);
    }
    // one half for both: what is odd in v cancels
    scale(clip, 2.0 / volume);
    clip->lever.y = 0.0;
    for (int k = 0; k < 3; k += 2) {
        clip->spread.m[1][k] = clip->spread.m[k][1] = 0.0;
    }
    // from (x, v, w) to the axes of the hull: w along up, across the axis
    double c = lean > 0.0 ? up.z / lean : 1.0;
    double s = lean > 0.0 ? up.y / lean : 0.0;
    ElvMat3 Q = {{{1.0, 0.0, 0.0}, {0.0, c, s}, {0.0, -s, c}}};
    clip->moment = elv_mat3_apply(Q, clip->moment);
    clip->lever = elv_mat3_apply(Q, clip->lever);
    clip->spread = elv_mat3_mul(elv_mat3_mul(Q, clip->spread), elv_mat3_transpose(Q));
}

// ---- ellipsoids

// x = D z, |z| < 1: the plane is m . z = q with m = D up / |D up|, q = -height / |D up|
static void clip_ellipsoid(const double size[3], ElvVec3 up, double height, ElvClip* clip) {
    ElvVec3 stretched = elv_vec3(size[0] * up.x, size[1] * up.y, size[2] * up.z);
    double reach = elv_vec3_norm(stretched);
    ElvVec3 m = elv_vec3_scale(1.0 / reach, stretched);
    double q = -height / reach;
    double disc = (1.0 - q) * (1.0 + q);
    ElvMat3 D = elv_mat3_diag(size[0], size[1], size[2]);
    ElvVec3 axis = elv_mat3_apply(D, m);
    clip->share = 0.25 * (1.0 + q) * (1.0 + q) * (2.0 - q);
    clip->moment = elv_vec3_scale(-0.1875 * disc * disc, axis);
    clip->area = 0.75 * disc / reach;
    clip->lever = elv_vec3_scale(clip->area * q, axis);
    clip->spread = elv_mat3_scale(0.25 * clip->area * disc, elv_mat3_mul(D, D));
    add_square(&clip->spread, clip->area * (q * q - 0.25 * disc), axis);
}

// ---- all

// how far a hull reaches from its centre along up
static double reach_of(ElvShapeKind kind, const double size[3], ElvVec3 up) {
    switch (kind) {
    case ELV_SHAPE_BOX:
        return 0.5 * (fabs(up.x) * size[0] + fabs(up.y) * size[1] + fabs(up.z) * size[2]);
    case ELV_SHAPE_CAPSULE:
        return 0.5 * fabs(up.x) * size[1] + size[0];
    case ELV_SHAPE_CYLINDER:
        return 0.5 * fabs(up.x) * size[1] + hypot(up.y, up.z) * size[0];
    default:
        return elv_vec3_norm(elv_vec3(size[0] * up.x, size[1] * up.y, size[2] * up.z));
    }
}

ElvClip elv_hull_clip(ElvShapeKind kind, const double size[3], ElvVec3 up, double height) {
    ElvClip clip;
    double reach = reach_of(kind, size, up);
    memset(&clip, 0, sizeof clip);
    if (!(height + reach > 0.0)) {
        clip.share = 1.0;
        return clip;
    }
    if (!(height - reach < 0.0)) {
        return clip;
    }
    if (kind == ELV_SHAPE_BOX) {
        clip_box(size, up, height, &clip);
    } else if (kind == ELV_SHAPE_CYLINDER || kind == ELV_SHAPE_CAPSULE) {
        clip_cylinder(kind, size, up, height, &clip);
    } else {
        clip_ellipsoid(size, up, height, &clip);
    }
    return clip;
}
