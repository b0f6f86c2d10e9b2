// SPDX-License-Identifier: Apache-2.0
// The algebra in four lanes against the plain one, lane by lane: same formulas, hence the same numbers
// but for a few roundings; groups of fewer than four; the exponential on both sides of its limit, and that of a step.
#include "check.h"
#include "lie/so3_exp4.h"
#include "lie/so3_map.h"
#include "rod/magnus.h"

enum { N_CASE = 100, N = 7 };

static const double TOLERANCE = 2e-15;

static ElvVec3 random_vec3(CheckRandom* r) {
    return elv_vec3(check_uniform(r, -1.0, 1.0), check_uniform(r, -1.0, 1.0),
                    check_uniform(r, -1.0, 1.0));
}

static ElvTwist random_twist(CheckRandom* r) {
    return elv_twist(random_vec3(r), random_vec3(r));
}

static ElvWrench as_wrench(ElvTwist v) {
    return elv_wrench(v.ang, v.lin);
}

// every pair of a transfer and its counterpart, over seven sections: the last group repeats one
static void test_transfers(void** state) {
    (void)state;
    CheckRandom r = check_random(1);
    ElvPose g[N];
    ElvTwist v[N], w[N], actual[5][N], expected[5][N];
    for (int i = 0; i < N; i++) {
        g[i] = elv_pose(elv_so3_exp(random_vec3(&r)), random_vec3(&r));
        v[i] = random_twist(&r);
        w[i] = random_twist(&r);
        expected[0][i] = elv_twist_transform(g[i], v[i]);
        expected[1][i] = elv_twist_transform_inv(g[i], v[i]);
        expected[2][i] = elv_twist_bracket(v[i], w[i]);
        ElvWrench f = elv_wrench_transform(g[i], as_wrench(v[i]));
        expected[3][i] = elv_twist(f.mom, f.frc);
        f = elv_wrench_sub(elv_wrench_transform_inv(g[i], as_wrench(v[i])),
                           elv_twist_coad(w[i], as_wrench(v[i])));
        expected[4][i] = elv_twist(f.mom, f.frc);
    }
    for (int i = 0; i < N; i += 4) {
        ElvQuad quad = elv_quad(i, N);
        ElvPose4 pose = elv_pose4_load(g, &quad);
        ElvTwist4 a = elv_twist4_load(v, &quad);
        ElvTwist4 b = elv_twist4_load(w, &quad);
        ElvWrench4 f = {a.ang, a.lin};
        elv_twist4_store(elv_twist4_transform(&pose, a), actual[0], &quad);
        elv_twist4_store(elv_twist4_transform_inv(&pose, a), actual[1], &quad);
        elv_twist4_store(elv_twist4_bracket(a, b), actual[2], &quad);
        ElvWrench4 moved = elv_wrench4_transform(&pose, f);
        elv_twist4_store((ElvTwist4){moved.mom, moved.frc}, actual[3], &quad);
        moved = elv_wrench4_sub(elv_wrench4_transform_inv(&pose, f), elv_twist4_coad(b, f));
        elv_twist4_store((ElvTwist4){moved.mom, moved.frc}, actual[4], &quad);
    }
    CHECK_ARRAY_NEAR(&actual[0][0].ang.x, &expected[0][0].ang.x, 5 * N * 6, TOLERANCE);
}

// angles up to 0.6 rad stay below the limit of the series; up to 6 rad most groups do not
static void test_exp(void** state) {
    (void)state;
    CheckRandom r = check_random(2);
    for (int i = 0; i < N_CASE; i++) {
        double size = i % 2 == 0 ? 0.35 : 3.5;
        ElvVec3 theta[4];
        ElvMat3 actual[4];
        ElvQuad quad = elv_quad(0, 4);
        for (int k = 0; k < 4; k++) {
            theta[k] = elv_vec3_scale(size, random_vec3(&r));
        }
        elv_so3_exp4(elv_vec3x4_load(&theta->x, 3, &quad), actual);
        for (int k = 0; k < 4; k++) {
            ElvMat3 expected = elv_so3_exp(theta[k]);
            CHECK_ARRAY_NEAR(&actual[k].m[0][0], &expected.m[0][0], 9, TOLERANCE);
        }
    }
}

// just below the limit, where the series is cut, against sine and cosine
static void test_exp_at_limit(void** state) {
    (void)state;
    double x = 1.0 - 1e-9;
    ElvMat3 R[4];
    elv_so3_exp4(elv_vec3x4_same(elv_vec3(0.0, 0.0, x)), R);
    const double expected[9] = {cos(x), -sin(x), 0.0, sin(x), cos(x), 0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 4; k++) {
        CHECK_ARRAY_NEAR(&R[k].m[0][0], expected, 9, 3e-16);
    }
}

// T(theta)^-1 k = k + theta x k / 2 + b theta x (theta x k)
static ElvVec3 tangent_inv(ElvVec3 theta, double b, ElvVec3 k) {
    ElvVec3 turn = elv_vec3_cross(theta, k);
    return elv_vec3_add_scaled(elv_vec3_add_scaled(k, 0.5, turn), b, elv_vec3_cross(theta, turn));
}

// rotation and tangent of a step, one and four at a time: up to 0.6 rad by the series, up to 1.9 rad mostly not
static void test_step(void** state) {
    (void)state;
    CheckRandom r = check_random(4);
    for (int i = 0; i < N_CASE; i++) {
        double size = i % 2 == 0 ? 0.35 : 1.1;
        ElvVec3 theta[4];
        ElvQuad quad = elv_quad(0, 4);
        for (int k = 0; k < 4; k++) {
            theta[k] = elv_vec3_scale(size, random_vec3(&r));
        }
        ElvReal4 b4;
        ElvMat3x4 R4 = elv_so3_exp4_lanes(elv_vec3x4_load(&theta->x, 3, &quad), &b4);
        for (int k = 0; k < 4; k++) {
            double b;
            ElvMat3 R = elv_so3_exp_step(theta[k], &b);
            ElvMat3 expected = elv_so3_exp(theta[k]);
            double lane[9];
            for (int m = 0; m < 9; m++) {
                lane[m] = R4.m[m / 3][m % 3][k];
            }
            CHECK_ARRAY_NEAR(lane, &expected.m[0][0], 9, TOLERANCE);
            CHECK_ARRAY_NEAR(&R.m[0][0], &expected.m[0][0], 9, TOLERANCE);
            ElvVec3 v = random_vec3(&r);
            ElvVec3 exact = elv_mat3_apply(elv_so3_tangent_inv(theta[k]), v);
            ElvVec3 one = tangent_inv(theta[k], b, v);
            ElvVec3 four = tangent_inv(theta[k], b4[k], v);
            CHECK_ARRAY_NEAR(&one.x, &exact.x, 3, TOLERANCE);
            CHECK_ARRAY_NEAR(&four.x, &exact.x, 3, TOLERANCE);
        }
    }
}

static void test_magnus(void** state) {
    (void)state;
    CheckRandom r = check_random(3);
    for (int i = 0; i < N_CASE; i++) {
        ElvVec3 a[4][3];
        ElvVec3x4 moment[3];
        ElvQuad quad = elv_quad(0, 4);
        ElvVec3 actual[4];
        for (int k = 0; k < 12; k++) {
            a[k / 3][k % 3] = random_vec3(&r);
        }
        for (int m = 0; m < 3; m++) {
            moment[m] = elv_vec3x4_load(&a[0][m].x, 9, &quad);
        }
        elv_vec3x4_store(elv_magnus_log4(moment), &actual->x, 3, &quad);
        for (int k = 0; k < 4; k++) {
            ElvVec3 expected = elv_magnus_log(a[k]);
            CHECK_ARRAY_NEAR(&actual[k].x, &expected.x, 3, TOLERANCE);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transfers),    cmocka_unit_test(test_exp),
        cmocka_unit_test(test_exp_at_limit), cmocka_unit_test(test_step),
        cmocka_unit_test(test_magnus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
