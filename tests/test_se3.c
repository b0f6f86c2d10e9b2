// SPDX-License-Identifier: Apache-2.0
// Rigid displacements: exp and log against 60-digit values (1e-13 of the operand's size), and the
// algebra of Ad, ad and power on random input.
#include "elver/lie.h"

#include "lie_reference.h"
#include "lie_sample.h"

static const double tol = 1e-13;

#define CHECK_TWIST_NEAR(actual, expected, ang_tol, lin_tol)                                       \
    do {                                                                                           \
        ElvTwist check_a_ = (actual), check_e_ = (expected);                                       \
        CHECK_VEC3_NEAR(check_a_.ang, check_e_.ang, ang_tol);                                      \
        CHECK_VEC3_NEAR(check_a_.lin, check_e_.lin, lin_tol);                                      \
    } while (0)
#define CHECK_WRENCH_NEAR(actual, expected, tolerance)                                             \
    do {                                                                                           \
        ElvWrench check_a_ = (actual), check_e_ = (expected);                                      \
        CHECK_VEC3_NEAR(check_a_.mom, check_e_.mom, tolerance);                                    \
        CHECK_VEC3_NEAR(check_a_.frc, check_e_.frc, tolerance);                                    \
    } while (0)
#define CHECK_POSE_NEAR(actual, expected, R_tol, p_tol)                                            \
    do {                                                                                           \
        ElvPose check_a_ = (actual), check_e_ = (expected);                                        \
        CHECK_MAT3_NEAR(check_a_.R, check_e_.R, R_tol);                                            \
        CHECK_VEC3_NEAR(check_a_.p, check_e_.p, p_tol);                                            \
    } while (0)

static ElvPose reference_pose(const LieReference* r) {
    ElvPose g;
    memcpy(g.R.m, r->R, sizeof(g.R.m));
    g.p = elv_vec3(r->p[0], r->p[1], r->p[2]);
    return g;
}

static void test_exp_and_log_match_reference(void** state) {
    (void)state;
    for (int i = 0; i < N_LIE_REFERENCE; i++) {
        const LieReference* r = &lie_reference[i];
        ElvTwist x = elv_twist_from_array(r->x);
        ElvPose g = reference_pose(r);
        double size = sample_largest(r->x + 3, 3);
        CHECK_POSE_NEAR(elv_se3_exp(x), g, tol, tol * size);
        CHECK_POSE_NEAR(elv_se3_exp(elv_se3_log(g)), g, tol, tol * size);
        // at pi itself there are two logarithms: the line above covers it
        if (fabs(elv_vec3_norm(x.ang) - sample_pi) > 1e-13) {
            CHECK_TWIST_NEAR(elv_se3_log(g), elv_twist_from_array(r->log),
                             tol * sample_largest(r->log, 3), tol * sample_largest(r->log + 3, 3));
        }
    }
}

static void test_log_inverts_exp(void** state) {
    (void)state;
    CheckRandom random = check_random(21);
    const double angles[] = {0.0, 1e-20, 1e-9, 1e-3, 1.0, 3.0, 3.14, 3.1415926};
    for (int i = 0; i < 100; i++) {
        for (size_t j = 0; j < sizeof(angles) / sizeof(angles[0]); j++) {
            ElvVec3 ang = sample_axis(&random, angles[j]);
            ElvTwist x = elv_twist(ang, sample_axis(&random, 10.0));
            CHECK_TWIST_NEAR(elv_se3_log(elv_se3_exp(x)), x, tol * angles[j], tol * 10.0);
        }
        ElvPose g = sample_pose(&random, 10.0);
        CHECK_POSE_NEAR(elv_se3_exp(elv_se3_log(g)), g, tol, tol * 10.0);
    }
}

// exp((s + t) x) = exp(s x) exp(t x), and exp(-x) is the inverse
static void test_exp_is_a_one_parameter_group(void** state) {
    (void)state;
    CheckRandom random = check_random(22);
    for (int i = 0; i < 200; i++) {
        ElvTwist x = elv_twist(sample_vec3(&random, 6.0), sample_vec3(&random, 10.0));
        ElvPose a = elv_se3_exp(elv_twist_scale(0.3, x)), b = elv_se3_exp(elv_twist_scale(0.7, x));
        ElvPose g = elv_se3_exp(x);
        CHECK_POSE_NEAR(elv_pose_compose(a, b), g, tol, tol * 10.0);
        CHECK_POSE_NEAR(elv_pose_inverse(g), elv_se3_exp(elv_twist_scale(-1.0, x)), tol,
                        tol * 10.0);
    }
}

static void test_pose_algebra(void** state) {
    (void)state;
    CheckRandom random = check_random(23);
    for (int i = 0; i < 200; i++) {
        ElvPose a = sample_pose(&random, 5.0), b = sample_pose(&random, 5.0);
        ElvVec3 x = sample_vec3(&random, 5.0);
        CHECK_VEC3_NEAR(elv_pose_apply(elv_pose_compose(a, b), x),
                        elv_pose_apply(a, elv_pose_apply(b, x)), tol * 15.0);
        CHECK_POSE_NEAR(elv_pose_compose(a, elv_pose_inverse(a)), elv_pose_identity(), tol,
                        tol * 5.0);
    }
}

// Ad_(ab) = Ad_a Ad_b, in operator and matrix form; inverses undo
static void test_adjoint_of_product(void** state) {
    (void)state;
    CheckRandom random = check_random(24);
    for (int i = 0; i < 200; i++) {
        ElvPose a = sample_pose(&random, 5.0), b = sample_pose(&random, 5.0);
        ElvPose ab = elv_pose_compose(a, b);
        ElvTwist v = sample_twist(&random, 2.0);
        ElvWrench f = sample_wrench(&random, 2.0);
        // sizes: two arms of length 9 and a twist of length 4
        double size = 80.0 * tol;
        CHECK_TWIST_NEAR(elv_twist_transform(ab, v),
                         elv_twist_transform(a, elv_twist_transform(b, v)), size, size);
        CHECK_WRENCH_NEAR(elv_wrench_transform(ab, f),
                          elv_wrench_transform(a, elv_wrench_transform(b, f)), size);
        CHECK_TWIST_NEAR(elv_twist_transform_inv(a, elv_twist_transform(a, v)), v, size, size);
        CHECK_WRENCH_NEAR(elv_wrench_transform_inv(a, elv_wrench_transform(a, f)), f, size);
        CHECK_TWIST_NEAR(elv_twist_transform_inv(a, v), elv_twist_transform(elv_pose_inverse(a), v),
                         size, size);
        CHECK_MAT6_NEAR(elv_mat6_mul(elv_pose_adjoint(a), elv_pose_adjoint(b)),
                        elv_pose_adjoint(ab), size);
        CHECK_TWIST_NEAR(elv_mat6_apply(elv_pose_adjoint(a), v), elv_twist_transform(a, v), size,
                         size);
    }
}

static void test_power_is_invariant(void** state) {
    (void)state;
    CheckRandom random = check_random(25);
    for (int i = 0; i < 200; i++) {
        ElvPose g = sample_pose(&random, 5.0);
        ElvTwist v = sample_twist(&random, 2.0);
        ElvWrench f = sample_wrench(&random, 2.0);
        double size = 100.0 * tol;
        CHECK_NEAR(elv_power(elv_twist_transform(g, v), elv_wrench_transform(g, f)),
                   elv_power(v, f), size);
        CHECK_NEAR(elv_power(elv_twist_transform_inv(g, v), elv_wrench_transform_inv(g, f)),
                   elv_power(v, f), size);
        // Ad_g^T is the transpose of Ad_g
        CHECK_NEAR(elv_power(elv_twist_transform(g, v), f),
                   elv_power(v, elv_wrench_transform_inv(g, f)), size);
    }
}

static void test_bracket_and_coad(void** state) {
    (void)state;
    CheckRandom random = check_random(26);
    for (int i = 0; i < 200; i++) {
        ElvTwist u = sample_twist(&random, 2.0), v = sample_twist(&random, 2.0);
        ElvTwist w = sample_twist(&random, 2.0);
        ElvWrench f = sample_wrench(&random, 2.0);
        double size = 100.0 * tol;
        // power(ad_v w, f) = power(w, ad_v^T f)
        CHECK_NEAR(elv_power(elv_twist_bracket(v, w), f), elv_power(w, elv_twist_coad(v, f)), size);
        CHECK_TWIST_NEAR(elv_mat6_apply(elv_twist_adjoint(v), w), elv_twist_bracket(v, w), size,
                         size);
        // Jacobi: [u, [v, w]] + [v, [w, u]] + [w, [u, v]] = 0
        ElvTwist sum = elv_twist_bracket(u, elv_twist_bracket(v, w));
        sum = elv_twist_add(sum, elv_twist_bracket(v, elv_twist_bracket(w, u)));
        sum = elv_twist_add(sum, elv_twist_bracket(w, elv_twist_bracket(u, v)));
        CHECK_TWIST_NEAR(sum, elv_twist_zero(), size, size);
        // Ad_g [v, w] = [Ad_g v, Ad_g w]
        ElvPose g = sample_pose(&random, 1.0);
        CHECK_TWIST_NEAR(elv_twist_transform(g, elv_twist_bracket(v, w)),
                         elv_twist_bracket(elv_twist_transform(g, v), elv_twist_transform(g, w)),
                         size, size);
    }
}

// d/dt Ad_exp(t v) w = ad_v w at t = 0: errors of central differences fall by 4
static void test_bracket_is_the_derivative_of_the_adjoint(void** state) {
    (void)state;
    CheckRandom random = check_random(27);
    for (int i = 0; i < 50; i++) {
        ElvTwist v = sample_twist(&random, 1.0), w = sample_twist(&random, 1.0);
        double error[2];
        for (int k = 0; k < 2; k++) {
            double h = k == 0 ? 2e-3 : 1e-3;
            ElvTwist plus = elv_twist_transform(elv_se3_exp(elv_twist_scale(h, v)), w);
            ElvTwist minus = elv_twist_transform(elv_se3_exp(elv_twist_scale(-h, v)), w);
            ElvTwist quotient = elv_twist_scale(0.5 / h, elv_twist_sub(plus, minus));
            double x[6];
            elv_twist_to_array(elv_twist_sub(quotient, elv_twist_bracket(v, w)), x);
            error[k] = sample_largest(x, 6);
        }
        CHECK_NEAR(error[0] / error[1], 4.0, 0.1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_and_log_match_reference),
        cmocka_unit_test(test_log_inverts_exp),
        cmocka_unit_test(test_exp_is_a_one_parameter_group),
        cmocka_unit_test(test_pose_algebra),
        cmocka_unit_test(test_adjoint_of_product),
        cmocka_unit_test(test_power_is_invariant),
        cmocka_unit_test(test_bracket_and_coad),
        cmocka_unit_test(test_bracket_is_the_derivative_of_the_adjoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
