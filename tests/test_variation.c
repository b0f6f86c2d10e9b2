// SPDX-License-Identifier: Apache-2.0
// Variations of wrenches against central differences of the wrenches themselves. A body's pose, twist
// and acceleration are moved by (Z, Z_dot, Z_ddot) and everything is computed anew in the body frame, so
// that only the definitions of the variations are shared with the code under test.
#include "check.h"
#include "joint/variation.h"

#include <float.h>

/// A body's motion, its own frame.
typedef struct {
    ElvPose g;
    ElvTwist eta, eta_dot;
} Body;

static ElvVec3 random_vector(CheckRandom* r) {
    double x = check_uniform(r, -1.0, 1.0);
    double y = check_uniform(r, -1.0, 1.0);
    return elv_vec3(x, y, check_uniform(r, -1.0, 1.0));
}

static ElvTwist random_twist(CheckRandom* r) {
    ElvVec3 ang = random_vector(r);
    return elv_twist(ang, random_vector(r));
}

static Body random_body(CheckRandom* r) {
    Body body;
    ElvVec3 turn = random_vector(r);
    body.g = elv_pose(elv_so3_exp(elv_vec3_scale(3.0, turn)), random_vector(r));
    body.eta = random_twist(r);
    body.eta_dot = random_twist(r);
    return body;
}

// any symmetric inertia: the translational part may depend on direction
static ElvInertia random_inertia(CheckRandom* r) {
    double m[6][6];
    ElvInertia I = elv_inertia_zero();
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) {
            m[i][j] = m[j][i] = check_uniform(r, -0.3, 0.3) + (i == j ? 2.0 : 0.0);
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            I.J.m[i][j] = m[i][j];
            I.H.m[i][j] = m[i][3 + j];
            I.M.m[i][j] = m[3 + i][3 + j];
        }
    }
    return I;
}

// moved by h times x = (Z, Z_dot, Z_ddot): delta g = hat(Z) g, Ad_g delta eta = Z_dot and
// Ad_g delta eta_dot = Z_ddot - ad_V Z_dot
static Body moved(const Body* body, const double x[18], double h) {
    Body b = *body;
    ElvTwist Z = elv_twist_scale(h, elv_twist_from_array(x));
    ElvTwist Z_dot = elv_twist_scale(h, elv_twist_from_array(x + 6));
    ElvTwist Z_ddot = elv_twist_scale(h, elv_twist_from_array(x + 12));
    ElvTwist V = elv_twist_transform(body->g, body->eta);
    ElvTwist spin = elv_twist_sub(Z_ddot, elv_twist_bracket(V, Z_dot));
    b.g = elv_pose_compose(elv_se3_exp(Z), body->g);
    b.eta = elv_twist_add(body->eta, elv_twist_transform_inv(body->g, Z_dot));
    b.eta_dot = elv_twist_add(body->eta_dot, elv_twist_transform_inv(body->g, spin));
    return b;
}

// ---- wrenches in the one frame

typedef struct {
    ElvInertia inertia; // body frame
    ElvWrench load;     // world axes or body axes
    ElvPose at;         // where it acts, in the body
    double mass;
    ElvVec3 center, gravity;
} Case;

typedef ElvWrench (*WrenchOf)(const Case* c, const Body* body);

static ElvWrench inertial(const Case* c, const Body* body) {
    ElvWrench momentum = elv_inertia_apply(c->inertia, body->eta);
    ElvWrench f = elv_wrench_sub(elv_inertia_apply(c->inertia, body->eta_dot),
                                 elv_twist_coad(body->eta, momentum));
    return elv_wrench_transform(body->g, f);
}

static ElvWrench dead(const Case* c, const Body* body) {
    ElvVec3 x = elv_pose_apply(body->g, c->at.p);
    ElvWrench W = elv_wrench(elv_vec3_cross(x, c->load.frc), c->load.frc);
    return elv_wrench_scale(-1.0, W);
}

static ElvWrench follower(const Case* c, const Body* body) {
    ElvPose g = elv_pose_compose(body->g, c->at);
    return elv_wrench_scale(-1.0, elv_wrench_transform(g, c->load));
}

static ElvWrench weight(const Case* c, const Body* body) {
    ElvVec3 x = elv_pose_apply(body->g, c->center);
    ElvVec3 f = elv_vec3_scale(-c->mass, c->gravity);
    return elv_wrench(elv_vec3_cross(x, f), f);
}

// ---- their variations

static void tangent_of(WrenchOf what, const Case* c, const Body* body, double scale, double* K) {
    if (what == inertial) {
        ElvInertia I = elv_inertia_transform(body->g, c->inertia);
        ElvTwist V = elv_twist_transform(body->g, body->eta);
        ElvTwist A = elv_twist_transform(body->g, body->eta_dot);
        elv_variation_inertia(&I, &V, &A, K);
    } else if (what == dead) {
        elv_variation_dead_force(elv_pose_apply(body->g, c->at.p), c->load.frc, scale, K);
    } else if (what == follower) {
        ElvWrench W = elv_wrench_transform(elv_pose_compose(body->g, c->at), c->load);
        elv_variation_follower(&W, scale, K);
    } else {
        ElvVec3 moment = elv_vec3_scale(c->mass, elv_pose_apply(body->g, c->center));
        elv_variation_weight(c->mass, moment, c->gravity, scale, K);
    }
}

// differences of fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12 h
static void difference(WrenchOf what, const Case* c, const Body* body, const double* x, double* d) {
    const double h = 1e-3;
    double sum[6] = {0.0};
    for (int k = -2; k <= 2; k++) {
        static const double weight_of[5] = {1.0, -8.0, 0.0, 8.0, -1.0};
        Body b = moved(body, x, k * h);
        double W[6];
        elv_wrench_to_array(what(c, &b), W);
        for (int i = 0; i < 6; i++) {
            sum[i] += weight_of[k + 2] * W[i];
        }
    }
    for (int i = 0; i < 6; i++) {
        d[i] = sum[i] / (12.0 * h);
    }
}

static void check_variation(WrenchOf what, uint64_t seed) {
    CheckRandom r = check_random(seed);
    Body body = random_body(&r);
    Case c = {.inertia = random_inertia(&r), .mass = 1.7};
    ElvTwist load = random_twist(&r);
    ElvVec3 turn = random_vector(&r);
    c.load = elv_wrench(load.ang, load.lin);
    c.at = elv_pose(elv_so3_exp(turn), random_vector(&r));
    c.center = random_vector(&r);
    c.gravity = random_vector(&r);
    // a factor for all but the inertia, which overwrites what is there
    double scale = what == inertial ? 1.0 : 0.6;
    double K[108], x[18], expected[6], actual[6] = {0.0};
    for (int i = 0; i < 108; i++) {
        K[i] = what == inertial ? NAN : 0.25 * i;
    }
    tangent_of(what, &c, &body, scale, K);
    for (int i = 0; i < 18; i++) {
        x[i] = check_uniform(&r, -1.0, 1.0);
    }
    difference(what, &c, &body, x, expected);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 18; j++) {
            double start = what == inertial ? 0.0 : 0.25 * (18 * i + j);
            actual[i] += (K[18 * i + j] - start) / scale * x[j];
        }
    }
    // h^4 times fifth derivatives of order 1e2, and rounding over h
    CHECK_ARRAY_NEAR(actual, expected, 6, 1e-10 + 1e3 * DBL_EPSILON / 1e-3);
}

static void test_inertia(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        check_variation(inertial, seed);
    }
}

static void test_loads(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        check_variation(dead, seed);
        check_variation(follower, seed);
        check_variation(weight, seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inertia),
        cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
