// SPDX-License-Identifier: Apache-2.0
// The integral of a joint's controller as a device: its equation, its row and its column against
// differences of the bordered residual, and the motion of a PID servo against its closed form.
#include "multibody/integral_control.h"

#include "elver/integrate.h"
#include "model_case.h"
#include "multibody/border.h"
#include "multibody/tidm.h"

enum { NV = 4, NZ = 2 };

// two joints of which three components are controlled, two of them with an integral
static const char* const text =
    "elver: 1\n"
    "gravity: [1, 2, -9.81]\n"
    "tree:\n"
    "  - body: upper\n"
    "    joint: {cylindrical: {axis: y, kp: [4, 3], kd: 0.5, ki: [0, 6], target: [0.1, "
    "\"sin(2*t)\"],\n"
    "                          max_effort: [.inf, 5]}}\n"
    "    mass: 2\n"
    "    center: [0.1, 0.2, 0]\n"
    "    inertia: [0.1, 0.1, 0.1]\n"
    "  - body: lower\n"
    "    parent: upper\n"
    "    pose: {xyz: [0.3, 0, 0]}\n"
    "    joint: {universal: {axis: z, axis2: x, kp: [2, 0], ki: [1.5, 0], target: [\"t\", 0]}}\n"
    "    mass: 1\n"
    "    center: [0.1, 0, 0.1]\n"
    "    inertia: [0.1, 0.1, 0.1]\n";

/// The residual (R; c) of a step at (nu, z): v = a nu + f, a = b nu, z by the trapezoidal rule.
typedef struct {
    ModelCase c;
    double q_n[NV], f[NV], z_n[NZ], rate_n[NZ];
    double a, b;
    ElvBorderRule rule;
} Step;

static void place(Step* step, const double* x) {
    ElvState* state = step->c.state;
    for (int i = 0; i < NV; i++) {
        state->q[i] = step->q_n[i] + x[i];
        state->v[i] = step->a * x[i] + step->f[i];
        state->a[i] = step->b * x[i];
    }
    memcpy(state->z, x + NV, NZ * sizeof(double));
}

static void residual(Step* step, const double* x, double* r) {
    double size[NZ];
    place(step, x);
    elv_residual(step->c.model, step->c.data, step->c.state, r);
    elv_border_equation(step->c.model, step->c.data, step->c.state, &step->rule, r + NV, size);
}

static void check_devices(const ElvModel* model) {
    CHECK_TRUE(elv_integral_control_count(&model->node[0]) == 1);
    CHECK_TRUE(elv_integral_control_count(&model->node[1]) == 1);
    CHECK_TRUE(model->nz == NZ && model->n_device == NZ);
    for (int i = 0; i < NZ; i++) {
        const ElvDevice* device = model->device[i];
        CHECK_TRUE(device->ops == &ELV_INTEGRAL_CONTROL_OPS && device->n_z == 1 &&
                   device->is_differential && device->i_z == i);
    }
}

// the device of each integral, in a model that was compiled without
static void attach(ElvModel* model) {
    model->device = elv_pool_take(&model->pool, NZ, sizeof *model->device);
    CHECK_TRUE(model->device != NULL);
    for (int j = 0; j < model->n_node; j++) {
        for (int i = 0; i < elv_integral_control_count(&model->node[j]); i++) {
            ElvIntegralControl* control = elv_pool_take(&model->pool, 1, sizeof *control);
            CHECK_TRUE(control && model->nz < NZ);
            elv_integral_control_init(control, model, j, i);
            control->device.i_z = model->nz++;
            model->device[model->n_device++] = &control->device;
        }
    }
}

static ModelCase open_case(void) {
    ModelCase c = {0};
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &c.model, &error),
                 &error);
    if (c.model->nz == 0) {
        attach(c.model);
    }
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    return c;
}

static Step open_step(uint64_t seed) {
    Step step = {.c = open_case(), .a = 2.0, .b = 4.0};
    CheckRandom random = check_random(seed);
    check_devices(step.c.model);
    step.c.state->t = 0.3;
    for (int i = 0; i < NV; i++) {
        step.q_n[i] = check_uniform(&random, -0.5, 0.5);
        step.f[i] = check_uniform(&random, -1.0, 1.0);
    }
    for (int i = 0; i < NZ; i++) {
        step.z_n[i] = check_uniform(&random, -0.5, 0.5);
        step.rate_n[i] = check_uniform(&random, -0.5, 0.5);
    }
    return step;
}

// c = q_d - q at the components that have a gain
static void test_equation(void** unused) {
    (void)unused;
    Step step = open_step(1);
    double x[NV + NZ] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, c[NZ], size[NZ];
    place(&step, x);
    elv_kinematics(step.c.model, step.c.data, step.c.state);
    elv_channel_pass(step.c.model, step.c.data, step.c.state);
    elv_device_equation(&(ElvScene){step.c.model, step.c.data, step.c.state, NULL}, c, size);
    CHECK_NEAR(c[0], sin(0.6) - step.c.state->q[1], 1e-15);
    CHECK_NEAR(c[1], 0.3 - step.c.state->q[2], 1e-15);
    // the effort that z makes
    double effort[2][NV];
    elv_drive_efforts(step.c.model, step.c.data, step.c.state, effort[0]);
    step.c.state->z[1] += 0.2;
    elv_drive_efforts(step.c.model, step.c.data, step.c.state, effort[1]);
    CHECK_NEAR(effort[1][2] - effort[0][2], 1.5 * 0.2, 1e-14);
    case_close(&step.c);
}

static void test_border(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Step step = open_step(seed);
        step.rule = (ElvBorderRule){.step = 0.25, .z_n = step.z_n, .rate_n = step.rate_n};
        CheckRandom random = check_random(seed + 100);
        double x[NV + NZ], direction[NV + NZ], d[NV + NZ], r[2][NV + NZ], e[2] = {0.0, 0.0};
        for (int i = 0; i < NV + NZ; i++) {
            x[i] = check_uniform(&random, -0.3, 0.3);
            direction[i] = check_uniform(&random, -1.0, 1.0);
        }
        residual(&step, x, r[0]);
        elv_tidm_pass(step.c.model, step.c.data, step.c.state, x, step.a, step.b);
        elv_border_apply(step.c.model, step.c.data, step.c.state, &step.rule, direction,
                         direction + NV, d, d + NV);
        for (int k = 0; k < 2; k++) {
            double h = k == 0 ? 2e-3 : 1e-3;
            for (int side = 0; side < 2; side++) {
                double y[NV + NZ];
                for (int i = 0; i < NV + NZ; i++) {
                    y[i] = x[i] + (side == 0 ? -h : h) * direction[i];
                }
                residual(&step, y, r[side]);
            }
            for (int i = 0; i < NV + NZ; i++) {
                e[k] = fmax(e[k], fabs((r[1][i] - r[0][i]) / (2.0 * h) - d[i]));
            }
        }
        // efforts of some tens with third derivatives of some hundreds: h^2 times that
        CHECK_TRUE(e[1] < 1e-3);
        CHECK_NEAR(e[0] / e[1], 4.0, 0.05);
        case_close(&step.c);
    }
}

// ---- a servo

// I = 2 kg m^2 under a constant torque of 4 N m, with gains that put the poles at -1, -2, -3: the error
// is e = sum of A_k exp(-k t), from rest at e = 1 with e_ddot = -(22 + 4)/2
static const char* const servo_text =
    "tree: [{body: arm, mass: 1, inertia: [2, 2, 2], joint: {revolute: {kp: 22, kd: 12, ki: 12,\n"
    "        target: 1, force: 4}}}]\n";

static double servo_error(double t) {
    // sum A = 1, sum k A = 0, sum k^2 A = -13
    const double A[3] = {-3.5, 10.0, -5.5};
    return A[0] * exp(-t) + A[1] * exp(-2.0 * t) + A[2] * exp(-3.0 * t);
}

static double servo_run(double step, double t) {
    ElvError error;
    ElvIntegratorReport report;
    ModelCase c = case_open("%s", servo_text);
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.method.step = step;
    options.method.spectral_radius = 1.0;
    options.t_end = t;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, &report, &error), &error);
    double e = 1.0 - c.state->q[0];
    case_close(&c);
    return e;
}

static void test_servo(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", servo_text);
    bool has_device = c.model->nz == 1;
    case_close(&c);
    if (!has_device) {
        skip();
    }
    double t = 1.2;
    double coarse = fabs(servo_run(0.02, t) - servo_error(t));
    double fine = fabs(servo_run(0.01, t) - servo_error(t));
    CHECK_TRUE(fine < 1e-3);
    CHECK_NEAR(coarse / fine, 4.0, 0.3);
    // nothing is left of the error under a constant load
    CHECK_NEAR(servo_run(0.02, 20.0), 0.0, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equation),
        cmocka_unit_test(test_border),
        cmocka_unit_test(test_servo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
