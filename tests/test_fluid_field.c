// SPDX-License-Identifier: Apache-2.0
// Currents by laws of the place: their derivatives against differences and by hand, bodies that go
// with them, and what is refused.
#include "model_case.h"

#include "elver/elver.h"
#include "law/law_field.h"
#include "lie_sample.h"
#include "rod/fluid_load.h"

// ---- derivatives

static const char* const formulas[3] = {"sin(2*x + t)*exp(-z^2) + y*z*t",
                                        "x^2*y - cos(3*t)*hypot(y, z + 2)", "0.3*tanh(x*y) + t*z"};

typedef struct {
    ElvLaw* law[3];
    ElvFluid fluid;
} Field;

static Field new_field(void) {
    Field field;
    memset(&field, 0, sizeof field);
    field.fluid.density = 1.0;
    field.fluid.is_field = true;
    for (int k = 0; k < 3; k++) {
        ElvError error;
        CHECK_STATUS(elv_law_field(formulas[k], NULL, 0, &field.law[k], &error), &error);
        CHECK_TRUE(elv_law_depends_on_place(field.law[k]));
        field.fluid.current[k] = field.law[k];
    }
    return field;
}

static void free_field(Field* field) {
    for (int k = 0; k < 3; k++) {
        elv_law_free(field->law[k]);
    }
}

static ElvCurrent current_at(const Field* field, double t, double load, ElvVec3 x) {
    ElvFluidNow now = elv_fluid_now(&field->fluid, t, load, false, elv_vec3(0.1, 0.2, -0.3));
    return elv_fluid_current(&now, x);
}

// gradient, rate and rise by central differences of h = 1e-5: 1e-9 of third derivatives, rounding
// of 1e-11
static void test_derivatives(void** unused) {
    (void)unused;
    const double h = 1e-5;
    CheckRandom r = check_random(3);
    Field field = new_field();
    for (int n = 0; n < 40; n++) {
        double t = check_uniform(&r, -1.0, 1.0);
        double load = n % 2 == 0 ? 1.0 : 0.6;
        ElvVec3 x = sample_vec3(&r, 1.0);
        ElvCurrent at = current_at(&field, t, load, x);
        for (int k = 0; k < 3; k++) {
            double e[3] = {0.0};
            e[k] = h;
            ElvVec3 step = elv_vec3(e[0], e[1], e[2]);
            ElvCurrent plus = current_at(&field, t, load, elv_vec3_add(x, step));
            ElvCurrent minus = current_at(&field, t, load, elv_vec3_sub(x, step));
            for (int i = 0; i < 3; i++) {
                const double* v[2] = {&plus.velocity.x, &minus.velocity.x};
                const double* a[2] = {&plus.acceleration.x, &minus.acceleration.x};
                CHECK_NEAR(at.gradient.m[i][k], (v[0][i] - v[1][i]) / (2.0 * h), 2e-8);
                CHECK_NEAR(at.rise.m[i][k], (a[0][i] - a[1][i]) / (2.0 * h), 2e-8);
            }
        }
        // DU/Dt = dU/dt + G U
        ElvCurrent late = current_at(&field, t + h, load, x);
        ElvCurrent early = current_at(&field, t - h, load, x);
        ElvVec3 rate = elv_vec3_scale(0.5 / h, elv_vec3_sub(late.velocity, early.velocity));
        rate = elv_vec3_add(rate, elv_mat3_apply(at.gradient, at.velocity));
        CHECK_ARRAY_NEAR(&at.acceleration.x, &rate.x, 3, 2e-8);
    }
    free_field(&field);
}

// x^2 y: all second derivatives by hand
static void test_by_hand(void** unused) {
    (void)unused;
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_field("x^2*y + 3*t*x", NULL, 0, &law, &error), &error);
    ElvFieldJet jet = elv_law_eval_field(law, 0.5, elv_vec3(2.0, 3.0, 7.0));
    const double d[4] = {6.0, 12.0 + 1.5, 4.0, 0.0};
    const double dd[16] = {0.0, 3.0, 0.0, 0.0, 3.0, 6.0, 4.0, 0.0,
                           0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    CHECK_NEAR(jet.v, 15.0, 1e-14);
    CHECK_ARRAY_NEAR(jet.d, d, 4, 1e-14);
    CHECK_ARRAY_NEAR(&jet.dd[0][0], dd, 16, 1e-13);
    elv_law_free(law);
}

// ---- bodies

// a sphere like the fluid goes round with a fluid that turns like a rigid body, and a rod that
// turns as it does: all is at rest relative to it
static void test_vortex(void** unused) {
    (void)unused;
    static const char* const method[3] = {"explicit, rel_tol: 1e-13, abs_tol: 1e-13, order: 8",
                                          "newmark, step: 0.01", "newmark, step: 0.005"};
    double miss[3];
    for (int k = 0; k < 3; k++) {
        ElvError error;
        ModelCase c = case_open(
            "parameters: {w: 2}\n"
            "fluid: {density: 1000, current: [\"-w*y\", \"w*x\", 0]}\n"
            "tree:\n"
            "  - {body: b, joint: {free: {position: {xyz: [1, 0, 0]}, velocity: [0, 0, 0, 0, 2, "
            "0]}}, shape: {sphere: {radius: 0.1}}, density: 1000,\n"
            "     fluid: {buoyancy: true, drag: [0.01, 0.01, 0.01], added_mass: 1}}\n"
            "simulate: {method: %s, duration: 1}\n",
            method[k]);
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        ElvVec3 x = case_pose(&c, "b").p;
        miss[k] = hypot(x.x - cos(2.0), x.y - sin(2.0));
        case_close(&c);
    }
    CHECK_NEAR(miss[0], 0.0, 1e-10);
    CHECK_TRUE(miss[1] / miss[2] > 3.8 && miss[1] / miss[2] < 4.2);
}

// a shear: viscous drag on a body that is held at height z, in closed form
static void test_shear(void** unused) {
    (void)unused;
    ModelCase c = case_open("fluid: {density: 1000, current: [\"0.2*z\", 0, 0]}\n"
                            "tree:\n"
                            "  - {body: b, joint: {prismatic: {axis: x}}, pose: {xyz: [0, 0, "
                            "3]}, mass: 1, resistance: [1, 1, 1, 5, 5, 5]}\n");
    double tau = 0.0;
    elv_idm(c.model, c.data, c.state, &tau);
    CHECK_NEAR(tau, -5.0 * 0.6, 1e-14);
    case_close(&c);
}

// the tangents of a tree with rod and body in a field, at the surface: differences of the inverse
// dynamics, which have nothing of elasticity, so that there is next to none
static void test_tangent(void** unused) {
    (void)unused;
    enum { N = 6 };
    ModelCase c = case_open(
        "gravity: [0, 0, -9.81]\n"
        "fluid: {density: 1000, current: [\"0.3*sin(2*y + t)\", \"0.1*x*z\", \"0.2*cos(x)\"], "
        "surface: 0.1}\n"
        "tree:\n"
        "  - {body: cart, joint: {prismatic: {axis: x}}, mass: 0.1}\n"
        "  - {body: lift, parent: cart, joint: {prismatic: {axis: z}}, mass: 0.1}\n"
        "  - {body: roll, parent: lift, joint: {revolute: {axis: x}}, mass: 0.1}\n"
        "  - {body: b, parent: roll, joint: {revolute: {axis: y}}, shape: {box: {size: [0.4, 0.3, "
        "0.2]}}, density: 900,\n"
        "     fluid: {buoyancy: true, drag: [0.1, 0.2, 0.3], lift: [0, 0.1, 0.2]}}\n"
        "  - {rod: r, parent: b, length: 0.5, section: {circle: {radius: 0.02}}, material: "
        "{density: 1100, young: 1e-3}, strain: {bend_y: 1, bend_z: 1},\n"
        "     fluid: {buoyancy: true, drag: {normal: 1}, added_mass: 1}}\n");
    case_randomize(&c, 5, 0.3);
    c.state->q[1] = 0.08;
    CHECK_TRUE(c.nv == N);
    double matrix[3][N * N], plus[N], minus[N];
    ElvError error;
    CHECK_STATUS(
        elv_tangent_matrices(c.model, c.data, c.state, matrix[0], matrix[1], matrix[2], &error),
        &error);
    const double h = 1e-6;
    for (int j = 0; j < 2 * N; j++) {
        double* x = j < N ? &c.state->q[j] : &c.state->v[j - N];
        const double* exact = matrix[j < N ? 2 : 1];
        double middle = *x;
        *x = middle + h;
        elv_idm(c.model, c.data, c.state, plus);
        *x = middle - h;
        elv_idm(c.model, c.data, c.state, minus);
        *x = middle;
        for (int i = 0; i < N; i++) {
            // forces of some 100 N: rounding 1e-14/h, and h^2 of derivatives of some 1e4
            CHECK_NEAR(exact[i * N + j % N], (plus[i] - minus[i]) / (2.0 * h), 1e-6);
        }
    }
    case_close(&c);
}

// ---- what is refused

static void check_refused(const char* current, const char* message) {
    char text[512];
    ElvError error;
    ElvModel* model = NULL;
    snprintf(text, sizeof text,
             "elver: 1\nparameters: {y: 2}\nfluid: {density: 1, current: [%s, 0, 0]}\n"
             "tree:\n  - {body: b, joint: free, shape: {sphere: {radius: 1}}, density: 1, fluid: "
             "{buoyancy: true}}\nsimulate: {duration: 2}\n",
             current);
    ElvStatus status = elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error);
    if (status == ELV_OK) {
        ElvIntegrator* integrator = NULL;
        ElvSimulateDef def = elv_model_simulate(model);
        status = elv_integrator_create(model, &def, &integrator, &error);
        elv_integrator_free(integrator);
    }
    CHECK_TRUE(status == ELV_ERROR_INPUT);
    if (!strstr(error.message, message)) {
        print_error("%s\n", error.message);
        CHECK_TRUE(false);
    }
    elv_model_free(model);
}

static void test_refused(void** unused) {
    (void)unused;
    check_refused("\"x*y\"", "the parameter 'y' hides the place y");
    check_refused("\"x*u\"", "t, the place x, y, z, pi, e and the parameters");
    check_refused("\"s\"", "may not depend on s");
    check_refused("\"4e8 + x\"", "faster than light at the origin, t = 0");
    // it does not jump at the origin
    check_refused("\"if(t < 1, 0, x)\"", "at t = 1");
    // elsewhere x is no name
    ElvLaw* law = NULL;
    CHECK_TRUE(elv_law_formula("x", NULL, 0, &law, NULL) == ELV_ERROR_INPUT);
    const ElvParameter parameter = {"x", 3.0};
    ElvError error;
    CHECK_STATUS(elv_law_formula("2*x", &parameter, 1, &law, &error), &error);
    CHECK_NEAR(elv_law_value(law, 0.0, 0.0), 6.0, 0.0);
    elv_law_free(law);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_vortex),      cmocka_unit_test(test_shear),
        cmocka_unit_test(test_tangent),     cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
