// SPDX-License-Identifier: Apache-2.0
// Natural modes against closed forms: Euler-Bernoulli beams, clamped and free; the Timoshenko cantilever,
// whose frequency equation is solved here; pendulums, damped oscillators of every kind; rigid modes at
// zero; shapes that are orthogonal.
#include "model_case.h"

#include "beam_roots.h"
#include "elver/analysis.h"

static const double PI = 3.14159265358979323846;

static ModelCase open_example(const char* name) {
    char file[512];
    ElvError error;
    ModelCase c = {0};
    snprintf(file, sizeof file, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(file, NULL, 0, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

static ElvModes* find_modes(const ModelCase* c) {
    ElvModes* modes = NULL;
    ElvError error;
    CHECK_STATUS(elv_modes_create(c->model, c->state, &modes, &error), &error);
    return modes;
}

// of a wire of 1 m and 1 mm, steel: sqrt(EI / rho A) = d/4 sqrt(E/rho)
static double wire_frequency(double z) {
    return z * z / (2.0 * PI) * 0.25e-3 * sqrt(2.1e11 / 7800.0);
}

static void test_cantilever(void** unused) {
    (void)unused;
    ModelCase c = open_example("modes-cantilever");
    ElvModes* modes = find_modes(&c);
    CHECK_TRUE(modes->n_mode == 12 && modes->n_rigid == 0 && modes->n_unstable == 0);
    CHECK_TRUE(!modes->is_damped);
    for (int i = 0; i < 5; i++) {
        double exact = wire_frequency(beam_root(beam_cantilever, NULL, 0.1, 0.1, i));
        // rotary inertia slows the n-th mode by about z^2 d^2/32 L^2: 7e-6 for the fifth
        CHECK_NEAR(modes->mode[i].frequency, exact, 1e-5 * exact);
        CHECK_NEAR(modes->mode[i].damping, 0.0, 0.0);
    }
    elv_modes_free(modes);
    case_close(&c);
}

static void test_free_wire(void** unused) {
    (void)unused;
    ModelCase c = open_example("modes-free");
    ElvModes* modes = find_modes(&c);
    CHECK_TRUE(modes->n_mode == 30 && modes->n_rigid == 6 && modes->n_unstable == 0);
    for (int i = 0; i < 6; i++) {
        CHECK_TRUE(modes->mode[i].is_rigid);
        CHECK_TRUE(modes->mode[i].frequency <= 1e-6 * modes->mode[6].frequency);
    }
    for (int i = 0; i < 8; i++) {
        double exact = wire_frequency(beam_root(beam_free, NULL, 1.0, 0.1, i / 2));
        CHECK_NEAR(modes->mode[6 + i].frequency, exact, 1e-5 * exact);
    }
    elv_modes_free(modes);
    case_close(&c);
}

// with damping of the material the rigid modes stay at zero and the others get ratios mu omega / 2
static void test_damped_wire(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - rod: rod\n"
                            "    joint: free\n"
                            "    length: 1\n"
                            "    section: {circle: {diameter: 0.01}}\n"
                            "    material: {density: 1000, young: 1e8, damping: 1e-3}\n"
                            "    strain: {bend_y: 5, bend_z: 5}\n");
    ModelCase d = case_open("tree:\n"
                            "  - rod: rod\n"
                            "    joint: free\n"
                            "    length: 1\n"
                            "    section: {circle: {diameter: 0.01}}\n"
                            "    material: {density: 1000, young: 1e8}\n"
                            "    strain: {bend_y: 5, bend_z: 5}\n");
    ElvModes* damped = find_modes(&c);
    ElvModes* modes = find_modes(&d);
    CHECK_TRUE(damped->is_damped && !modes->is_damped);
    CHECK_TRUE(damped->n_rigid == 6 && modes->n_rigid == 6 && damped->n_unstable == 0);
    for (int i = 6; i < 12; i++) {
        double omega = 2.0 * PI * modes->mode[i].frequency;
        CHECK_NEAR(damped->mode[i].frequency, modes->mode[i].frequency,
                   1e-10 * modes->mode[i].frequency);
        CHECK_NEAR(damped->mode[i].damping, 0.5e-3 * omega, 1e-9);
    }
    elv_modes_free(damped);
    elv_modes_free(modes);
    case_close(&c);
    case_close(&d);
}

// ---- Timoshenko

typedef struct {
    double EI, kGA, mass, rotary; // per unit length; length 1
} Timoshenko;

// determinant of the conditions at the ends of a cantilever at omega. Deflection e^(a s): a^4 + (kr + ks) a^2
// - (c - kr ks) = 0 with kr = rotary w^2/EI, ks = mass w^2/kGA, c = mass w^2/EI, rotation psi = (a + ks/a) w
static double timoshenko_cantilever(const void* user, double omega) {
    const Timoshenko* beam = user;
    double w2 = omega * omega;
    double kr = beam->rotary * w2 / beam->EI;
    double ks = beam->mass * w2 / beam->kGA;
    double c = beam->mass * w2 / beam->EI;
    double half = 0.5 * (kr + ks);
    double root = sqrt(half * half + c - kr * ks);
    double a = sqrt(root - half); // below the cut-off
    double b = sqrt(root + half);
    // w = A ch + B sh + C cos + D sin; psi = A p sh + B p ch + C q sin - D q cos, p = a + ks/a,
    // q = (ks - b^2)/b with psi = C q sin - D q cos
    double p = (a * a + ks) / a;
    double q = (ks - b * b) / b;
    // clamped: C = -A, and B p = D q. Free: psi' = 0, w' - psi = 0
    double ch = cosh(a);
    double sh = sinh(a);
    double co = cos(b);
    double si = sin(b);
    // unknowns A, B with D = B p / q
    double moment_A = p * a * ch - q * b * co;
    double moment_B = p * a * sh + p / q * q * b * si;
    double shear_A = (a - p) * sh + b * si + q * si;
    double shear_B = (a - p) * ch + p / q * (b * co + q * co);
    return (moment_A * shear_B - moment_B * shear_A) / (ch * ch);
}

static void test_timoshenko(void** unused) {
    (void)unused;
    const Timoshenko beam = {2.0, 400.0, 3.0, 0.02};
    ModelCase c =
        case_open("tree:\n"
                  "  - {rod: rod, length: 1, stiffness: [1, 1, 2, 1, 400, 1],\n"
                  "     inertia: [1, 1, 0.02, 3, 3, 3], strain: {bend_z: 15, shear_y: 15}}\n");
    ElvModes* modes = find_modes(&c);
    CHECK_TRUE(modes->n_mode == 30 && !modes->is_damped);
    for (int i = 0; i < 4; i++) {
        double exact = beam_root(timoshenko_cantilever, &beam, 0.01, 0.05, i);
        CHECK_NEAR(2.0 * PI * modes->mode[i].frequency, exact, 1e-8 * exact);
    }
    elv_modes_free(modes);
    case_close(&c);
}

// ---- a single mass

static void check_single(double k, double d, double re, double im) {
    ModelCase c = case_open("tree:\n"
                            "  - {body: mass, joint: {prismatic: {axis: x, stiffness: %.17g, "
                            "damping: %.17g}}, mass: 2}\n",
                            k, d);
    ElvModes* modes = find_modes(&c);
    CHECK_TRUE(modes->n_mode >= 1);
    CHECK_NEAR(modes->mode[0].re, re, 1e-12);
    CHECK_NEAR(modes->mode[0].im, im, 1e-12);
    double size = hypot(re, im);
    CHECK_NEAR(modes->mode[0].frequency, size / (2.0 * PI), 1e-12);
    CHECK_NEAR(modes->mode[0].damping, size > 0.0 ? -re / size : 0.0, 1e-12);
    elv_modes_free(modes);
    case_close(&c);
}

static void test_single_mass(void** unused) {
    (void)unused;
    check_single(18.0, 0.0, 0.0, 3.0);
    // 2 x_ddot + 4 x_dot + 20 x = 0: -1 +- 3 i
    check_single(20.0, 4.0, -1.0, 3.0);
    // 2 x_ddot + 10 x_dot + 8 x = 0: -1 and -4
    check_single(8.0, 10.0, -1.0, 0.0);
    // free, but slowed down: 0 and -2
    check_single(0.0, 4.0, 0.0, 0.0);
    check_single(0.0, 0.0, 0.0, 0.0);
}

// upside down: grows by sqrt(g m l / I)
static void test_unstable(void** unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("gravity: [0, 0, -10]\n"
                                "tree:\n"
                                "  - {body: bob, joint: {revolute: {axis: y, damping: %g}},\n"
                                "     mass: 2, center: [0, 0, 0.5], inertia: [0.5, 0.5, 0.5]}\n",
                                i == 0 ? 0.0 : 0.5);
        ElvModes* modes = find_modes(&c);
        CHECK_TRUE(modes->n_unstable == 1);
        const ElvMode* mode = modes->mode[0].is_unstable ? &modes->mode[0] : &modes->mode[1];
        // x_ddot + i/2 x_dot - 10 x = 0
        double d = 0.25 * i;
        CHECK_NEAR(mode->re, sqrt(d * d + 10.0) - d, 1e-12);
        CHECK_NEAR(mode->im, 0.0, 0.0);
        CHECK_NEAR(mode->damping, -1.0, 1e-12);
        elv_modes_free(modes);
        case_close(&c);
    }
}

// a spinning top: precession and nutation are not oscillations of a matrix without gyroscopic terms
static void test_spinning_body(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - {body: top, joint: {spherical: {velocity: [0, 0, 7]}},\n"
                            "     mass: 1, inertia: [1, 1, 1.5]}\n");
    ElvModes* modes = find_modes(&c);
    // Euler's equations about the axis: omega_n = (C - A)/A Omega = 3.5 rad/s
    double found = 0.0;
    for (int i = 0; i < modes->n_mode; i++) {
        double im = modes->mode[i].im;
        found = fabs(im - 3.5) < 1e-9 ? im : found;
        CHECK_TRUE(modes->mode[i].re <= 1e-6);
    }
    CHECK_NEAR(found, 3.5, 1e-9);
    elv_modes_free(modes);
    case_close(&c);
}

// ---- shapes

static void test_shapes_are_orthogonal(void** unused) {
    (void)unused;
    ModelCase c = open_example("modes-free");
    ElvModes* modes = find_modes(&c);
    size_t n = (size_t)c.nv;
    double* M = calloc(n * n, sizeof *M);
    CHECK_TRUE(M != NULL);
    elv_mass_matrix(c.model, c.data, c.state, M);
    for (int i = 0; i < modes->n_mode; i++) {
        for (int k = 0; k < modes->n_mode; k++) {
            double sum = 0.0;
            for (size_t a = 0; a < n; a++) {
                for (size_t b = 0; b < n; b++) {
                    sum += modes->shape[(size_t)i * n + a] * M[a * n + b] *
                           modes->shape[(size_t)k * n + b];
                }
            }
            CHECK_NEAR(sum, i == k ? 1.0 : 0.0, 1e-6);
        }
    }
    free(M);
    elv_modes_free(modes);
    case_close(&c);
}

// driven joints stay: a pendulum on a driven cart has the frequency of one on a fixed cart
static void test_driven_components_are_fixed(void** unused) {
    (void)unused;
    ModelCase c = case_open("gravity: [0, 0, -10]\n"
                            "tree:\n"
                            "  - {body: cart, joint: {prismatic: {axis: x, motion: 0}}, mass: 1}\n"
                            "  - {body: bob, parent: cart, joint: {revolute: {axis: y}},\n"
                            "     mass: 2, center: [0, 0, -0.5], inertia: [0.5, 0.5, 0.5]}\n");
    ElvModes* modes = find_modes(&c);
    CHECK_TRUE(modes->n_mode == 1);
    CHECK_NEAR(modes->mode[0].im, sqrt(10.0), 1e-12);
    CHECK_NEAR(modes->shape[0], 0.0, 0.0);
    elv_modes_free(modes);
    case_close(&c);
}

// two driven hubs before an arm: shapes have their velocities at the arm's components alone. The arm is a
// spherical joint on springs of its own, so that its three frequencies are sqrt(k / I)
static void test_driven_hubs_come_first(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: low, joint: {revolute: {axis: z, motion: 0}}, mass: 1, inertia: [1, 1, 1]}\n"
        "  - {body: high, parent: low, joint: {prismatic: {axis: x, motion: 0.3}}, mass: 1}\n"
        "  - {body: arm, parent: high, joint: {spherical: {stiffness: 18}}, mass: 2,\n"
        "     inertia: [8, 4.5, 4]}\n");
    ElvModes* modes = find_modes(&c);
    CHECK_TRUE(c.nv == 5 && modes->n_mode == 3 && modes->nv == 5);
    static const double inertia[] = {8.0, 4.5, 4.0};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(modes->mode[i].im, sqrt(18.0 / inertia[i]), 1e-12);
        for (int k = 0; k < 5; k++) {
            // unit modal mass: I v^2 = 1
            double exact = k == i + 2 ? 1.0 / sqrt(inertia[i]) : 0.0;
            CHECK_NEAR(modes->shape[i * 5 + k], exact, 1e-12);
        }
    }
    elv_modes_free(modes);
    case_close(&c);
}

// nothing but dampers: every coordinate has a rigid mode and one that decays
static void test_dampers_alone(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: a, joint: {prismatic: {axis: x, damping: 1}}, mass: 1}\n"
                  "  - {body: b, parent: a, joint: {prismatic: {axis: y, damping: 1e4}},\n"
                  "     mass: 1e-3}\n"
                  "  - {body: c, parent: b, joint: {prismatic: {axis: z, damping: 1e-4}},\n"
                  "     mass: 10}\n");
    ElvModes* modes = find_modes(&c);
    CHECK_TRUE(modes->n_rigid == 3 && modes->n_mode <= 9);
    elv_modes_free(modes);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_free_wire),
        cmocka_unit_test(test_damped_wire),
        cmocka_unit_test(test_timoshenko),
        cmocka_unit_test(test_single_mass),
        cmocka_unit_test(test_unstable),
        cmocka_unit_test(test_spinning_body),
        cmocka_unit_test(test_shapes_are_orthogonal),
        cmocka_unit_test(test_driven_components_are_fixed),
        cmocka_unit_test(test_driven_hubs_come_first),
        cmocka_unit_test(test_dampers_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
