// SPDX-License-Identifier: Apache-2.0
// The wrench of a fluid on one section or body: derivatives against differences, load by load, in a
// current that varies in place and time and in the middle of a surface; and what each load is, in
// closed form.
#include "fluid_case.h"
#include "rod/fluid_drag.h"
#include "rod/fluid_surface.h"

#include <stdlib.h>

typedef struct {
    ElvFluid fluid;
    ElvFluidNow now;
    ElvFluidShape shape;
    ElvPose g;
    ElvTwist eta;
    FluidField field;
} Case;

// the field of a case is where its callback finds it
static Case* new_case(uint64_t seed, bool is_section, FluidLoad load, bool has_surface) {
    CheckRandom r = check_random(seed);
    Case* c = calloc(1, sizeof *c);
    CHECK_TRUE(c != NULL);
    c->field = fluid_field(&r);
    c->fluid.density = 1.3;
    c->fluid.callback = fluid_field_eval;
    c->fluid.is_field = true;
    c->fluid.user = &c->field;
    c->fluid.up = sample_axis(&r, 1.0);
    c->fluid.gravity = 2.0;
    c->now = elv_fluid_now(&c->fluid, 0.7, 0.9, false, sample_vec3(&r, 1.0));
    c->shape = fluid_shape(&r, is_section, load);
    c->g = sample_pose(&r, 1.0);
    c->eta = sample_twist(&r, 1.5);
    // sections of cells that reach out of the water, by little or by much
    c->shape.reach = is_section && seed % 3 > 0 ? (seed % 3 == 1 ? 0.15 : 1.5) : 0.0;
    if (has_surface) {
        // the centre lies within half a radius of the surface
        ElvVec3 x = elv_vec3_add(c->now.origin, elv_pose_apply(c->g, c->shape.center));
        c->fluid.has_surface = true;
        c->fluid.surface = elv_vec3_dot(c->fluid.up, x) + check_uniform(&r, -0.2, 0.2);
    }
    return c;
}

static void wrench_at(const Case* c, const double zeta[6], const double d_eta[6], double F[6]) {
    ElvPose g = elv_pose_compose(c->g, elv_se3_exp(elv_twist_from_array(zeta)));
    ElvTwist eta = elv_twist_add(c->eta, elv_twist_from_array(d_eta));
    elv_wrench_to_array(elv_fluid_wrench(&c->shape, &c->now, &g, eta, NULL, NULL), F);
}

// largest difference between both derivatives and central differences of step h
static double difference(const Case* c, double h) {
    ElvMat6 by_pose, by_eta;
    double worst = 0.0;
    (void)elv_fluid_wrench(&c->shape, &c->now, &c->g, c->eta, &by_pose, &by_eta);
    for (int k = 0; k < 12; k++) {
        double step[12] = {0.0};
        double plus[6], minus[6];
        step[k] = h;
        wrench_at(c, step, step + 6, plus);
        step[k] = -h;
        wrench_at(c, step, step + 6, minus);
        for (int i = 0; i < 6; i++) {
            double exact = k < 6 ? by_pose.m[i][k] : by_eta.m[i][k - 6];
            double error = fabs((plus[i] - minus[i]) / (2.0 * h) - exact);
            worst = error <= worst ? worst : error;
        }
    }
    return worst;
}

// central differences err by h^2; at h = 1e-5 what is left is 1e-10 and the rounding of wrenches of
// size ten, 1e-15 / h. Loads that are quadratic or linear are met at once.
static void check_derivatives(uint64_t seed, bool is_section, FluidLoad load, bool has_surface) {
    Case* c = new_case(seed, is_section, load, has_surface);
    double coarse = difference(c, 2e-3);
    double fine = difference(c, 5e-4);
    double last = difference(c, 1e-5);
    bool has_slope = coarse < 1e-8 || (coarse / fine > 15.0 && coarse / fine < 17.0);
    if (!has_slope || !(last < 5e-9)) {
        print_error("seed %llu, section %d, load %d, surface %d: %.3g %.3g %.3g\n",
                    (unsigned long long)seed, is_section, load, has_surface, coarse, fine, last);
        CHECK_TRUE(false);
    }
    free(c);
}

static void test_derivatives(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        for (int load = 0; load < N_FLUID_LOAD; load++) {
            for (int k = 0; k < 4; k++) {
                check_derivatives(seed, k % 2 == 0, (FluidLoad)load, k / 2 == 0);
            }
        }
    }
}

// where the current and its acceleration vanish and their gradients do not
static void test_stagnation_point(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Case* c = new_case(seed, seed % 2 == 0, FLUID_ADDED, false);
        c->field.b = c->field.c = elv_vec3(0.0, 0.0, 0.0);
        c->now.origin = elv_vec3_scale(-1.0, elv_pose_apply(c->g, c->shape.center));
        ElvCurrent at = elv_fluid_current(&c->now, elv_pose_apply(c->g, c->shape.center));
        CHECK_NEAR(elv_vec3_norm(at.velocity), 0.0, 0.0);
        CHECK_NEAR(elv_vec3_norm(at.acceleration), 0.0, 0.0);
        // as in check_derivatives
        CHECK_TRUE(difference(c, 1e-5) < 5e-9);
        free(c);
    }
}

// far above the surface only what a current does to added inertia is left; far below it is not felt
static void test_above_and_below(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double F[6], expected[6];
        double zero[6] = {0.0};
        Case* c = new_case(seed, seed % 2 == 0, FLUID_ALL, false);
        ElvVec3 center = c->shape.center;
        wrench_at(c, zero, zero, expected);
        c->fluid.has_surface = true;
        c->fluid.surface = 100.0;
        wrench_at(c, zero, zero, F);
        CHECK_ARRAY_NEAR(F, expected, 6, 0.0);
        c->fluid.surface = -100.0;
        ElvInertia added = c->shape.added;
        wrench_at(c, zero, zero, F);
        memset(&c->shape, 0, sizeof c->shape);
        c->shape.center = center;
        c->shape.added = added;
        wrench_at(c, zero, zero, expected);
        CHECK_TRUE(elv_vec3_norm(elv_vec3(expected[3], expected[4], expected[5])) > 1e-3);
        CHECK_ARRAY_NEAR(F, expected, 6, 0.0);
        c->shape.added = elv_inertia_zero();
        wrench_at(c, zero, zero, F);
        CHECK_ARRAY_NEAR(F, zero, 6, 0.0);
        free(c);
    }
}

// ---- drag and lift

// by components, from the definitions: rounding of some products
static void test_drag(void** unused) {
    (void)unused;
    CheckRandom r = check_random(3);
    for (int n = 0; n < 50; n++) {
        ElvFluidShape section = fluid_shape(&r, true, FLUID_DRAG);
        ElvFluidShape body = fluid_shape(&r, false, FLUID_DRAG);
        ElvVec3 u = sample_vec3(&r, 2.0);
        ElvMat3 ignored;
        section.tangential = 0.3;
        double normal = hypot(u.y, u.z);
        double k = 0.5 * 1.7;
        ElvVec3 f = elv_fluid_drag(&section, 1.7, u, &ignored);
        CHECK_NEAR(f.x, -k * 0.3 * fabs(u.x) * u.x, 1e-14);
        CHECK_NEAR(f.y, -k * section.normal[0] * normal * u.y, 1e-14);
        CHECK_NEAR(f.z, -k * section.normal[1] * normal * u.z, 1e-14);
        f = elv_fluid_drag(&body, 1.7, u, &ignored);
        CHECK_NEAR(f.y, -k * body.area.y * elv_vec3_norm(u) * u.y, 1e-14);
    }
}

// lift does no work, lies in the plane of axis and motion, is 1/2 rho C_l b u_t |u_n|, and pushes
// back an inclined section
static void test_lift(void** unused) {
    (void)unused;
    CheckRandom r = check_random(5);
    for (int n = 0; n < 50; n++) {
        ElvFluidShape section = fluid_shape(&r, true, FLUID_LIFT);
        ElvVec3 u = sample_vec3(&r, 2.0);
        ElvMat3 ignored;
        ElvVec3 f = elv_fluid_drag(&section, 1.7, u, &ignored);
        double k = 0.5 * 1.7 * 0.7;
        CHECK_NEAR(elv_vec3_dot(f, u), 0.0, 1e-14);
        CHECK_NEAR(f.y * u.z - f.z * u.y, 0.0, 1e-14);
        CHECK_NEAR(elv_vec3_norm(f), k * fabs(u.x) * hypot(u.y, u.z), 1e-14);
        CHECK_TRUE(f.y * u.y + f.z * u.z <= 0.0);
    }
}

// fins normal to the axes: no work, and each alone in the plane of motion and normal, of the size
// 1/2 rho L |u_n| |u_t|, against the velocity along its normal; together they add up
static void test_fins(void** unused) {
    (void)unused;
    CheckRandom r = check_random(9);
    for (int n = 0; n < 50; n++) {
        ElvVec3 u = sample_vec3(&r, 2.0);
        ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
        ElvFluidShape body = fluid_shape(&r, false, FLUID_LIFT);
        ElvMat3 ignored;
        ElvVec3 all = elv_fluid_drag(&body, 1.7, u, &ignored);
        const double area[3] = {body.fin.x, body.fin.y, body.fin.z};
        for (int k = 0; k < 3; k++) {
            double e[3] = {0.0};
            e[k] = 1.0;
            ElvVec3 normal = elv_vec3(e[0], e[1], e[2]);
            double along = elv_vec3_dot(u, normal);
            double across = sqrt(elv_vec3_dot(u, u) - along * along);
            body.fin = elv_vec3_scale(area[k], normal);
            ElvVec3 f = elv_fluid_drag(&body, 1.7, u, &ignored);
            CHECK_NEAR(elv_vec3_dot(f, u), 0.0, 1e-13);
            CHECK_NEAR(elv_vec3_dot(f, elv_vec3_cross(u, normal)), 0.0, 1e-13);
            CHECK_NEAR(elv_vec3_norm(f), 0.85 * area[k] * fabs(along) * across, 1e-13);
            CHECK_TRUE(elv_vec3_dot(f, normal) * along <= 0.0);
            sum = elv_vec3_add(sum, f);
        }
        CHECK_ARRAY_NEAR(&all.x, &sum.x, 3, 1e-13);
    }
}

static void test_rest(void** unused) {
    (void)unused;
    CheckRandom r = check_random(7);
    for (int k = 0; k < 2; k++) {
        ElvFluidShape shape = fluid_shape(&r, k == 0, FLUID_ALL);
        ElvMat3 by_u;
        ElvVec3 f = elv_fluid_drag(&shape, 1.0, elv_vec3(0.0, 0.0, 0.0), &by_u);
        CHECK_NEAR(elv_vec3_norm(f), 0.0, 0.0);
        for (int i = 0; i < 9; i++) {
            CHECK_NEAR(by_u.m[i / 3][i % 3], 0.0, 0.0);
        }
    }
}

// ---- surface

// midpoint sums over slices: chords of a circle, discs of a sphere; the error of 1e5 slices is
// below 1e-7
static double sliced_share(bool is_section, double x) {
    enum { N = 100000 };
    double below = 0.0;
    double whole = 0.0;
    for (int i = 0; i < N; i++) {
        double y = -1.0 + (i + 0.5) * 2.0 / N;
        double slice = is_section ? sqrt(1.0 - y * y) : 1.0 - y * y;
        whole += slice;
        below += y < -x ? slice : 0.0;
    }
    return below / whole;
}

static void test_share(void** unused) {
    (void)unused;
    // heights at the edges of slices
    static const double height[] = {-0.8, -0.5, 0.0, 0.3, 0.9};
    for (int k = 0; k < 10; k++) {
        double slope = 0.0;
        bool is_section = k % 2 == 0;
        double x = height[k / 2];
        CHECK_NEAR(elv_surface_share(is_section, 2.0, 2.0 * x, &slope), sliced_share(is_section, x),
                   1e-6);
        // the integral has minus the share for slope: differences of order 1e-10
        double h = 1e-5;
        double up = elv_surface_integral(is_section, 2.0, 2.0 * x + h);
        double down = elv_surface_integral(is_section, 2.0, 2.0 * x - h);
        CHECK_NEAR((up - down) / (2.0 * h), -elv_surface_share(is_section, 2.0, 2.0 * x, &slope),
                   1e-9);
    }
}

static void test_share_ends(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double slope = 1.0;
        CHECK_NEAR(elv_surface_share(k == 0, 2.0, -2.0, &slope), 1.0, 0.0);
        CHECK_NEAR(elv_surface_share(k == 0, 2.0, 2.0, &slope), 0.0, 0.0);
        CHECK_NEAR(slope, 0.0, 0.0);
        // continuous: share and slope just inside
        CHECK_NEAR(elv_surface_share(k == 0, 2.0, -2.0 + 1e-12, &slope), 1.0, 1e-15);
        CHECK_NEAR(slope, 0.0, 1e-5);
        CHECK_NEAR(elv_surface_integral(k == 0, 2.0, -2.0 + 1e-12), 2.0, 1e-11);
        CHECK_NEAR(elv_surface_integral(k == 0, 2.0, -5.0), 5.0, 0.0);
    }
}

// means over a cell by midpoint sums: 1e5 slices of functions with slopes of at most 1/radius, the
// error of the means is below 1e-8; narrow spreads and wide ones, from the dry to the wet side
static void test_dip(void** unused) {
    (void)unused;
    enum { N = 100000 };
    static const double height[] = {-2.1, -0.6, 0.0, 0.35, 1.2};
    static const double spread[] = {-2.0, -0.4, -2e-3, -5e-4, 0.0, 3e-4, 1.5e-3, 0.7, 3.0};
    for (int k = 0; k < 45; k++) {
        double h = height[k / 9];
        double y = spread[k % 9];
        double mean[6] = {0.0};
        for (int i = 0; i < N; i++) {
            double slope = 0.0;
            double xi = -1.0 + (2.0 * i + 1.0) / N;
            double share = elv_surface_share(true, 0.5, h + xi * y, &slope);
            const double term[6] = {share,           xi * share,
                                    slope,           xi * slope,
                                    xi * xi * slope, elv_surface_integral(true, 0.5, h + xi * y)};
            for (int j = 0; j < 6; j++) {
                mean[j] += term[j] / N;
            }
        }
        ElvDip dip = elv_surface_dip(true, 0.5, h, y);
        CHECK_NEAR(dip.share, mean[0], 1e-8);
        CHECK_NEAR(dip.arm, mean[1], 1e-8);
        CHECK_NEAR(dip.share_by_height, mean[2], 1e-6);
        CHECK_NEAR(dip.share_by_spread, mean[3], 1e-6);
        CHECK_NEAR(dip.arm_by_spread, mean[4], 1e-6);
        CHECK_NEAR(dip.integral, mean[5], 1e-8);
    }
}

// minus the derivative of the potential is what buoyancy does along each variation of the pose
static void test_potential(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Case* c = new_case(seed, seed % 2 == 0, FLUID_BUOYANCY, seed % 4 < 2);
        double F[6];
        double zero[6] = {0.0};
        memset(&c->field, 0, sizeof c->field);
        c->now.load = 1.0;
        wrench_at(c, zero, zero, F);
        for (int k = 0; k < 6; k++) {
            double energy[2];
            for (int side = 0; side < 2; side++) {
                double step[6] = {0.0};
                step[k] = side == 0 ? -1e-5 : 1e-5;
                ElvPose g = elv_pose_compose(c->g, elv_se3_exp(elv_twist_from_array(step)));
                energy[side] = elv_fluid_potential(&c->shape, &c->now, &g);
            }
            CHECK_NEAR(-(energy[1] - energy[0]) / 2e-5, F[k], 1e-9);
        }
        free(c);
    }
}

// ---- added inertia

// With a uniform current, what the fluid and the added inertia do is what they do in still water at
// the velocity relative to it: -(M eta_dot - ad_eta^T M eta) + F(eta, U) = -(M zeta_dot - ad_zeta^T
// M zeta) + F(zeta, 0) + rho V R^T U_dot.
static void test_change_of_frame(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        CheckRandom r = check_random(seed + 99);
        Case* c = new_case(seed, seed % 2 == 0, FLUID_ALL, false);
        ElvTwist eta_dot = sample_twist(&r, 2.0);
        c->field.A = elv_mat3_zero();
        c->field.c = elv_vec3(0.0, 0.0, 0.0);
        double zero[6] = {0.0};
        double F[6], still[6];
        wrench_at(c, zero, zero, F);
        // the relative twist and the rate of its components
        ElvCurrent U = elv_fluid_current(&c->now, c->g.p);
        ElvVec3 a = elv_mat3_apply_transpose(c->g.R, U.velocity);
        ElvVec3 w = elv_mat3_apply_transpose(c->g.R, U.acceleration);
        ElvVec3 rate = elv_vec3_sub(w, elv_vec3_cross(c->eta.ang, a));
        ElvTwist eta = c->eta;
        ElvTwist zeta = elv_twist(eta.ang, elv_vec3_sub(eta.lin, a));
        ElvTwist zeta_dot = elv_twist(eta_dot.ang, elv_vec3_sub(eta_dot.lin, rate));
        c->field.b = elv_vec3(0.0, 0.0, 0.0);
        c->eta = zeta;
        wrench_at(c, zero, zero, still);
        ElvInertia M = c->shape.added;
        ElvWrench left = elv_wrench_sub(elv_twist_coad(eta, elv_inertia_apply(M, eta)),
                                        elv_inertia_apply(M, eta_dot));
        ElvWrench right = elv_wrench_sub(elv_twist_coad(zeta, elv_inertia_apply(M, zeta)),
                                         elv_inertia_apply(M, zeta_dot));
        ElvVec3 push = elv_vec3_scale(c->fluid.density * c->shape.volume, w);
        right = elv_wrench_add(right, elv_wrench(elv_vec3_cross(c->shape.center, push), push));
        left = elv_wrench_add(left, elv_wrench_from_array(F));
        right = elv_wrench_add(right, elv_wrench_from_array(still));
        CHECK_ARRAY_NEAR(&left.mom.x, &right.mom.x, 6, 1e-13);
        free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_stagnation_point),
        cmocka_unit_test(test_above_and_below),
        cmocka_unit_test(test_drag),
        cmocka_unit_test(test_lift),
        cmocka_unit_test(test_fins),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_share_ends),
        cmocka_unit_test(test_dip),
        cmocka_unit_test(test_potential),
        cmocka_unit_test(test_change_of_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
