// SPDX-License-Identifier: Apache-2.0
// Inertias: against clouds of point masses, whose momentum and energy need no inertia at all, and
// the invariance of kinetic energy under changes of frame. Tolerance: 1e-13 of the operands' size.
#include "elver/lie.h"

#include "lie_sample.h"

static const double tol = 1e-13;

enum { N_POINT = 7 };

typedef struct {
    double mass[N_POINT];
    ElvVec3 at[N_POINT];
} PointCloud;

static PointCloud sample_cloud(CheckRandom* random) {
    PointCloud cloud;
    for (int i = 0; i < N_POINT; i++) {
        cloud.mass[i] = check_uniform(random, 0.1, 1.0);
        cloud.at[i] = sample_vec3(random, 2.0);
    }
    return cloud;
}

// mass, centre and inertia about the centre, entry by entry: J_ij = sum m (r.r d_ij - r_i r_j)
static ElvInertia cloud_inertia(const PointCloud* cloud) {
    double mass = 0.0;
    ElvVec3 center = elv_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < N_POINT; i++) {
        mass += cloud->mass[i];
        center = elv_vec3_add_scaled(center, cloud->mass[i], cloud->at[i]);
    }
    center = elv_vec3_scale(1.0 / mass, center);
    ElvMat3 J = elv_mat3_zero();
    for (int k = 0; k < N_POINT; k++) {
        ElvVec3 d = elv_vec3_sub(cloud->at[k], center);
        double r[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                double square = i == j ? elv_vec3_dot(d, d) : 0.0;
                J.m[i][j] += cloud->mass[k] * (square - r[i] * r[j]);
            }
        }
    }
    return elv_inertia_rigid(mass, center, J);
}

// momentum of the cloud in a body that moves with twist v
static ElvWrench cloud_momentum(const PointCloud* cloud, ElvTwist v) {
    ElvWrench sum = elv_wrench_zero();
    for (int i = 0; i < N_POINT; i++) {
        ElvVec3 velocity = elv_vec3_add(v.lin, elv_vec3_cross(v.ang, cloud->at[i]));
        ElvVec3 linear = elv_vec3_scale(cloud->mass[i], velocity);
        sum = elv_wrench_add(sum, elv_wrench(elv_vec3_cross(cloud->at[i], linear), linear));
    }
    return sum;
}

static void check_inertia(ElvInertia actual, ElvInertia expected, double tolerance) {
    CHECK_MAT3_NEAR(actual.J, expected.J, tolerance);
    CHECK_MAT3_NEAR(actual.H, expected.H, tolerance);
    CHECK_MAT3_NEAR(actual.M, expected.M, tolerance);
}

static ElvInertia sample_inertia(CheckRandom* random) {
    // a general symmetric one, with an anisotropic mass
    ElvInertia I;
    I.J = sample_positive(random);
    I.M = sample_positive(random);
    I.H = elv_mat3_sub(sample_positive(random), elv_mat3_hat(sample_vec3(random, 1.0)));
    return I;
}

static void test_rigid_matches_point_cloud(void** state) {
    (void)state;
    CheckRandom random = check_random(41);
    for (int i = 0; i < 100; i++) {
        PointCloud cloud = sample_cloud(&random);
        ElvTwist v = sample_twist(&random, 2.0);
        ElvWrench actual = elv_inertia_apply(cloud_inertia(&cloud), v);
        ElvWrench expected = cloud_momentum(&cloud, v);
        // sizes: mass 7, arm 3.5, speed 10
        CHECK_VEC3_NEAR(actual.mom, expected.mom, 300.0 * tol);
        CHECK_VEC3_NEAR(actual.frc, expected.frc, 100.0 * tol);
    }
}

static void test_rigid_formula(void** state) {
    (void)state;
    ElvVec3 c = elv_vec3(1.0, 2.0, 3.0);
    ElvInertia I = elv_inertia_rigid(2.0, c, elv_mat3_diag(0.1, 0.2, 0.3));
    // J = J_c + m (c.c 1 - c c^T), by hand
    ElvMat3 J = {{{26.1, -4.0, -6.0}, {-4.0, 20.2, -12.0}, {-6.0, -12.0, 10.3}}};
    ElvMat3 H = {{{0.0, -6.0, 4.0}, {6.0, 0.0, -2.0}, {-4.0, 2.0, 0.0}}};
    ElvInertia expected = {J, H, elv_mat3_diag(2.0, 2.0, 2.0)};
    check_inertia(I, expected, 1e-14);
}

// moving every point of a cloud into frame a gives the transformed inertia
static void test_transform_matches_moved_cloud(void** state) {
    (void)state;
    CheckRandom random = check_random(42);
    for (int i = 0; i < 100; i++) {
        PointCloud cloud = sample_cloud(&random);
        ElvPose g_ab = sample_pose(&random, 3.0);
        ElvInertia moved = elv_inertia_transform(g_ab, cloud_inertia(&cloud));
        for (int k = 0; k < N_POINT; k++) {
            cloud.at[k] = elv_pose_apply(g_ab, cloud.at[k]);
        }
        // size: mass 7 times the square of an arm of 9
        check_inertia(moved, cloud_inertia(&cloud), 500.0 * tol);
    }
}

static void test_transform_keeps_energy(void** state) {
    (void)state;
    CheckRandom random = check_random(43);
    for (int i = 0; i < 200; i++) {
        ElvInertia I_b = sample_inertia(&random);
        ElvPose g_ab = sample_pose(&random, 3.0);
        ElvTwist v_b = sample_twist(&random, 2.0);
        ElvTwist v_a = elv_twist_transform(g_ab, v_b);
        ElvInertia I_a = elv_inertia_transform(g_ab, I_b);
        ElvWrench h_b = elv_inertia_apply(I_b, v_b), h_a = elv_inertia_apply(I_a, v_a);
        // sizes: inertia 200 (arm 5, block 8), twist 20
        CHECK_NEAR(0.5 * elv_power(v_a, h_a), 0.5 * elv_power(v_b, h_b), 200.0 * 400.0 * tol);
        // momentum moves as a wrench
        ElvWrench moved = elv_wrench_transform(g_ab, h_b);
        CHECK_VEC3_NEAR(h_a.mom, moved.mom, 200.0 * 20.0 * tol);
        CHECK_VEC3_NEAR(h_a.frc, moved.frc, 200.0 * 20.0 * tol);
    }
}

static void test_transform_composes(void** state) {
    (void)state;
    CheckRandom random = check_random(44);
    for (int i = 0; i < 100; i++) {
        ElvInertia I = sample_inertia(&random);
        ElvPose a = sample_pose(&random, 3.0), b = sample_pose(&random, 3.0);
        ElvInertia twice = elv_inertia_transform(a, elv_inertia_transform(b, I));
        check_inertia(twice, elv_inertia_transform(elv_pose_compose(a, b), I), 1000.0 * tol);
        ElvInertia back = elv_inertia_transform(elv_pose_inverse(a), elv_inertia_transform(a, I));
        check_inertia(back, I, 1000.0 * tol);
    }
}

static void test_dense_form(void** state) {
    (void)state;
    CheckRandom random = check_random(45);
    for (int k = 0; k < 50; k++) {
        ElvInertia I = elv_inertia_transform(sample_pose(&random, 3.0), sample_inertia(&random));
        ElvMat6 a = elv_inertia_matrix(I);
        // exactly symmetric
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < i; j++) {
                CHECK_TRUE(a.m[i][j] == a.m[j][i]);
            }
        }
        ElvTwist v = sample_twist(&random, 2.0);
        ElvTwist product = elv_mat6_apply(a, v);
        ElvWrench h = elv_inertia_apply(I, v);
        CHECK_VEC3_NEAR(product.ang, h.mom, 1000.0 * tol);
        CHECK_VEC3_NEAR(product.lin, h.frc, 1000.0 * tol);
        // sums and multiples, block by block
        ElvInertia thrice = elv_inertia_add(I, elv_inertia_scale(2.0, I));
        check_inertia(thrice, elv_inertia_scale(3.0, I), 1000.0 * tol);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_matches_point_cloud),
        cmocka_unit_test(test_rigid_formula),
        cmocka_unit_test(test_transform_matches_moved_cloud),
        cmocka_unit_test(test_transform_keeps_energy),
        cmocka_unit_test(test_transform_composes),
        cmocka_unit_test(test_dense_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
