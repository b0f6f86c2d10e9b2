// SPDX-License-Identifier: Apache-2.0
// Phi = V_1 M_a zeta - (0; T_f E_1) of a section [OCP (90)]: its derivatives against differences,
// in a current that varies in place, and the power that it takes.
#include "check.h"

#include "rod/fluid_load.h"

static void shear_current(void* user, double t, ElvVec3 x, ElvCurrent* current) {
    (void)user;
    current->velocity = elv_vec3(0.3 + 0.2 * x.y * x.z, -0.2 * t + 0.4 * x.x, 0.1 * x.x * x.x);
    current->gradient =
        (ElvMat3){{{0.0, 0.2 * x.z, 0.2 * x.y}, {0.4, 0.0, 0.0}, {0.2 * x.x, 0.0, 0.0}}};
}

typedef struct {
    ElvFluid fluid;
    ElvFluidNow now;
    ElvInertia added;
    ElvPose g;
    ElvTwist eta;
} FluxCase;

static ElvTwist random_twist(CheckRandom* r) {
    double x[6];
    for (int k = 0; k < 6; k++) {
        x[k] = check_uniform(r, -1.0, 1.0);
    }
    return elv_twist_from_array(x);
}

static FluxCase flux_case(uint64_t seed) {
    CheckRandom r = check_random(seed);
    FluxCase c = {.fluid = {.density = 1000.0, .is_field = true, .callback = shear_current}};
    c.g = elv_se3_exp(random_twist(&r));
    c.eta = random_twist(&r);
    // about a point that is not the centre
    ElvInertia own = elv_inertia_zero();
    own.J = elv_mat3_diag(0.3, 0.1, 0.2);
    own.M = elv_mat3_diag(0.5, 2.0, 3.0);
    c.added = elv_inertia_transform(elv_se3_exp(random_twist(&r)), own);
    return c;
}

static void flux_at(FluxCase* c, ElvTwist d_zeta, ElvTwist d_eta, double flux[6]) {
    ElvFluidNow now = elv_fluid_now(&c->fluid, 0.7, 1.0, false, elv_vec3(0.2, -0.1, 0.3));
    ElvPose g = elv_pose_compose(c->g, elv_se3_exp(d_zeta));
    elv_wrench_to_array(
        elv_fluid_flux(&c->added, &now, &g, elv_twist_add(c->eta, d_eta), NULL, NULL), flux);
}

// largest difference between the derivatives and central differences of step h
static double flux_error(FluxCase* c, double h, const ElvMat6* by_pose, const ElvMat6* by_eta) {
    double worst = 0.0;
    for (int k = 0; k < 12; k++) {
        double unit[6] = {0.0}, plus[6], minus[6];
        unit[k % 6] = h;
        ElvTwist d = elv_twist_from_array(unit);
        ElvTwist none = elv_twist_zero();
        flux_at(c, k < 6 ? d : none, k < 6 ? none : d, plus);
        d = elv_twist_scale(-1.0, d);
        flux_at(c, k < 6 ? d : none, k < 6 ? none : d, minus);
        const ElvMat6* exact = k < 6 ? by_pose : by_eta;
        for (int i = 0; i < 6; i++) {
            worst = fmax(worst, fabs((plus[i] - minus[i]) / (2.0 * h) - exact->m[i][k % 6]));
        }
    }
    return worst;
}

static void test_flux_derivatives(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        FluxCase c = flux_case(seed);
        ElvMat6 by_pose, by_eta;
        ElvFluidNow now = elv_fluid_now(&c.fluid, 0.7, 1.0, false, elv_vec3(0.2, -0.1, 0.3));
        elv_fluid_flux(&c.added, &now, &c.g, c.eta, &by_pose, &by_eta);
        double coarse = flux_error(&c, 1e-2, &by_pose, &by_eta);
        double fine = flux_error(&c, 2.5e-3, &by_pose, &by_eta);
        CHECK_TRUE(coarse / fine > 14.0 && coarse / fine < 18.0);
        // h^2 times third derivatives, and rounding 1e-16/h of numbers about 10
        CHECK_TRUE(flux_error(&c, 1e-5, &by_pose, &by_eta) < 1e-8);
    }
}

// Phi^T zeta = V_1 T_f
static void test_flux_power(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        FluxCase c = flux_case(seed);
        c.fluid.callback = NULL;
        c.fluid.is_field = false;
        ElvFluidNow now = elv_fluid_now(&c.fluid, 0.0, 1.0, false, elv_vec3(0.0, 0.0, 0.0));
        ElvWrench flux = elv_fluid_flux(&c.added, &now, &c.g, c.eta, NULL, NULL);
        double T_f = 0.5 * elv_power(c.eta, elv_inertia_apply(c.added, c.eta));
        CHECK_NEAR(elv_power(c.eta, flux), c.eta.lin.x * T_f, 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flux_derivatives),
        cmocka_unit_test(test_flux_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
