// SPDX-License-Identifier: Apache-2.0
// Imposed strains in model files: what is said of bad ones, how many modes are chosen, what may be
// left out of the rod, what is written back, and the signals of their drives.
#define _POSIX_C_SOURCE 200809L

#include "bad_file.h"
#include "cli_process.h"
#include "model_case.h"

#include "elver/integrate.h"
#include "elver/signal.h"

// ---- bad files

// a rod without modulus that ends on line 6
#define BARE                                                                                       \
    HEAD "  - rod: arm\n    length: 1\n    section: {circle: {diameter: 0.1}}\n"                   \
         "    material: {density: 1000}\n"

static void test_bad_files(void** unused) {
    (void)unused;
    const BadFile files[] = {
        {ROD "    motion: {bend: 1}\n", 7, 14,
         "unknown key 'bend', expected twist, bend_y, bend_z"},
        {ROD "    motion: 3\n", 7, 13, "'motion': expected"},
        {ROD "    motion: {bend_z: \"sine(t)\"}\n", 7, 23, "unknown function 'sine'"},
        {ROD "    motion: {bend_z: \"4*(s - t\"}\n", 7, 31, "'bend_z': expected an operator"},
        {ROD "    motion: {bend_z: \"x*t\"}\n", 7, 23, "unknown name 'x'"},
        {ROD "    motion: {bend_z: }\n", 7, 22, "'bend_z': expected a number"},
        {ROD "    motoin: {bend_z: 1}\n", 7, 5, "unknown key 'motoin', did you mean 'motion'?"},
        {ROD "    motion: {bend_z: 1}\n    initial: {bend_z: 1}\n", 8, 23,
         "bend_z of rod 'arm' is imposed by 'motion' from the beginning: leave 'initial' out"},
        {ROD "    motion: {bend_z: 1}\n    initial_rate: {bend_z: \"s\"}\n", 8, 28,
         "leave 'initial_rate' out"},
        {ROD "    motion: {stretch: 0}\n", 7, 23, "it is 1 where the rod is not stretched"},
        {ROD "    motion: {bend_z: \"t\"}\n    strain: {bend_z: 300}\n", 8, 22, "256"},
        {ROD "    motion: {bend_z: \"t\"}\n    strain: {bend_z: 80}\n", 8, 22,
         "a polynomial basis has at most 64 modes"},
        {ROD "    motion: {bend_z: \"t\"}\n    strain: {bend_z: 12}\n    nodes: 8\n", 3, 5,
         "more nodes"},
        // what is free needs a modulus
        {BARE "    motion: {bend_z: \"t\"}\n    strain: {bend_y: 2}\n", 6, 15,
         "the material has no 'young', but the rod has modes of bend_y"},
        {HEAD "  - {rod: arm, length: 1, inertia: [1, 1, 1, 1, 1, 1], motion: {bend_z: 1}, "
              "strain: {bend_y: 1}}\n",
         3, 5, "rod 'arm' has inertia but neither stiffness nor a section"},
        {HEAD "  - {rod: arm, length: 1, inertia: [1, 1, 1, 1, 1, 1]}\n", 3, 5,
         "missing key 'section'"},
        // no drive
        {ROD "    strain: {bend_z: 1}\nrecord: {signals: [arm.effort]}\n", 8, 20,
         "'arm' is a rod and has no drive: 'arm.joint.effort'"},
        {ROD "    strain: {bend_z: 1}\nrecord: {signals: [arm.power]}\n", 8, 20,
         "'arm' is a rod and has no drive: 'arm.joint.power'"},
    };
    CHECK_BAD_FILES(files);
}

// strong methods find the strains of rods: they cannot be told them
static void test_strong_methods(void** unused) {
    (void)unused;
    static const char* const method[3] = {"rkmk", "till", "shooting"};
    for (int i = 0; i < 3; i++) {
        ModelCase c = case_open("tree:\n  - rod: arm\n    length: 1\n"
                                "    section: {circle: {diameter: 0.1}}\n"
                                "    material: {density: 1000, young: 1e6}\n"
                                "    motion: {bend_z: \"t\"}\n"
                                "simulate: {method: %s}\n",
                                method[i]);
        ElvSimulateDef options = elv_model_simulate(c.model);
        ElvIntegrator* integrator = NULL;
        ElvError error;
        assert_int_equal(elv_integrator_create(c.model, &options, &integrator, &error),
                         ELV_ERROR_INPUT);
        assert_null(integrator);
        assert_string_equal(error.element, "arm");
        assert_non_null(strstr(error.message, "imposed strains"));
        case_close(&c);
    }
}

// ---- how many modes

static ElvNodeInfo info_of(const char* motion, const char* more) {
    ModelCase c = case_open("tree:\n  - rod: arm\n    length: 1\n"
                            "    section: {circle: {diameter: 0.1}}\n"
                            "    material: {density: 1000}\n"
                            "    motion: {%s}\n    %s\n"
                            "simulate: {duration: 3}\n",
                            motion, more);
    ElvNodeInfo info = elv_model_node(c.model, 0);
    CHECK_TRUE(info.is_imposed);
    case_close(&c);
    return info;
}

static void test_modes(void** unused) {
    (void)unused;
    // polynomials of s have one mode more than their degree, whatever they do in time
    CHECK_TRUE(info_of("bend_z: 2", "").modes[ELV_STRAIN_BEND_Z] == 1);
    CHECK_TRUE(info_of("bend_z: \"exp(t)\"", "").modes[ELV_STRAIN_BEND_Z] == 1);
    CHECK_TRUE(info_of("bend_y: \"sin(9*t)*s^4 + s\"", "").modes[ELV_STRAIN_BEND_Y] == 5);
    // what is left of the reference counts
    CHECK_TRUE(info_of("twist: \"3 + s^5 + t*s\"", "reference: {twist: \"s^5\"}")
                   .modes[ELV_STRAIN_TWIST] == 2);
    // a shape that comes late is seen
    CHECK_TRUE(info_of("bend_z: \"max(0, t - 2.5)^3*s^7\"", "").modes[ELV_STRAIN_BEND_Z] == 8);
    // the last coefficient of a wave k falls as J_n(k/2): 1e-9 of it at n = 16 for k = 2 pi
    ElvNodeInfo info = info_of("bend_z: \"4*sin(2*pi*(s - t))\"", "");
    CHECK_TRUE(info.modes[ELV_STRAIN_BEND_Z] >= 14 && info.modes[ELV_STRAIN_BEND_Z] <= 18);
    CHECK_TRUE(info.motion_error[ELV_STRAIN_BEND_Z] < 1e-9);
    CHECK_TRUE(info.motion_error[ELV_STRAIN_BEND_Y] == -1.0);
    // given numbers are taken, and what they miss is known
    info = info_of("bend_z: \"4*sin(2*pi*(s - t))\"", "strain: {bend_z: 5}");
    CHECK_TRUE(info.modes[ELV_STRAIN_BEND_Z] == 5);
    CHECK_TRUE(info.motion_error[ELV_STRAIN_BEND_Z] > 0.01 &&
               info.motion_error[ELV_STRAIN_BEND_Z] < 1.0);
    // a kink at a place ends an element, one that moves is not met
    info = info_of("bend_z: \"abs(s - 0.3)*t\"", "");
    CHECK_TRUE(info.modes[ELV_STRAIN_BEND_Z] == 4 && info.n_segment == 2);
    CHECK_TRUE(info.motion_error[ELV_STRAIN_BEND_Z] < 1e-12);
    info = info_of("bend_z: \"abs(s - t/3)\"", "");
    CHECK_TRUE(info.modes[ELV_STRAIN_BEND_Z] == 64);
    CHECK_TRUE(info.motion_error[ELV_STRAIN_BEND_Z] > 1e-4);
    // elements have their own
    info = info_of("bend_z: \"s^2\"", "elements: [{to: 0.5, strain: {bend_z: 4}}, {}]");
    CHECK_TRUE(info.modes[ELV_STRAIN_BEND_Z] == 7);
}

// all bases meet what they can represent: a straight line in s by least squares
static void test_bases(void** unused) {
    (void)unused;
    static const char table[] = "basis: {bend_z: {table: {s: [0, 1], modes: [[1, 0], [0, 1]]}}}";
    const char* const basis[6] = {
        "strain: {bend_z: 4}, basis: monomial",         "strain: {bend_z: 4}, basis: legendre",
        "strain: {bend_z: 4}, basis: chebyshev",        "strain: {bend_z: 4}, basis: hermite",
        "strain: {bend_z: 3}, basis: piecewise_linear", table};
    for (int i = 0; i < 6; i++) {
        char elements[256];
        snprintf(elements, sizeof elements, "elements: [{%s}]", basis[i]);
        ElvNodeInfo info = info_of("bend_z: \"1 + t*s\"", elements);
        CHECK_TRUE(info.motion_error[ELV_STRAIN_BEND_Z] < 1e-12);
    }
    // constants on four pieces miss it by half of a step of it, in its rate by an eighth
    ElvNodeInfo info =
        info_of("bend_z: \"t*s\"", "elements: [{strain: {bend_z: 4}, basis: piecewise_constant}]");
    CHECK_NEAR(info.motion_error[ELV_STRAIN_BEND_Z], 0.125, 1e-3);
}

// nodes grow with the turns of the rod
static void test_nodes(void** unused) {
    (void)unused;
    ElvNodeInfo calm = info_of("bend_z: \"t\"", "");
    ElvNodeInfo bent = info_of("bend_z: \"8*t\"", "");
    ElvNodeInfo wound = info_of("bend_z: \"60*t\"", "");
    CHECK_TRUE(calm.n_quadrature < bent.n_quadrature && bent.n_segment == 1);
    CHECK_TRUE(wound.n_segment > 1 && wound.n_quadrature > 2 * bent.n_quadrature);
}

// ---- what is written

static void test_written(void** unused) {
    (void)unused;
    const char* text = HEAD "  - rod: arm\n    length: 1\n    inertia: [1, 1, 1, 2, 2, 2]\n"
                            "    motion: {bend_z: \"4*sin(s - t)\", stretch: 1.5}\n"
                            "    strain: {bend_z: 7}\n";
    ElvSpec* spec = NULL;
    ElvError error;
    char* written = NULL;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "x", NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
    assert_non_null(strstr(written, "motion: {bend_z: \"4*sin(s - t)\", stretch: 1.5}"));
    elv_spec_free(spec);
    ElvModel* model = NULL;
    CHECK_STATUS(elv_model_read_text(written, strlen(written), "y", NULL, 0, &model, &error),
                 &error);
    ElvNodeInfo info = elv_model_node(model, 0);
    CHECK_TRUE(info.modes[ELV_STRAIN_BEND_Z] == 7 && info.modes[ELV_STRAIN_STRETCH] == 1);
    elv_model_free(model);
    free(written);
}

// ---- signals

static void test_signals(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: power, joint: {revolute: {motion: \"t^2\"}}, mass: 1,\n"
                  "     inertia: [1, 1, 2]}\n"
                  "  - {body: pushed, joint: {prismatic: {force: 3, velocity: 2}}, mass: 1}\n"
                  "  - rod: arm\n    length: 1\n    inertia: [1, 1, 1, 2, 2, 2]\n"
                  "    motion: {stretch: \"1 + 0.1*t^2\", bend_z: 0}\n");
    static const char* const names[] = {"power", "power.power", "pushed.power", "arm.effort",
                                        "arm.power"};
    static const char* const columns[] = {"power",        "power.power",  "pushed.power",
                                          "arm.effort.0", "arm.effort.1", "arm.power"};
    static const char* const units[] = {"W", "W", "W", "N m^2", "N m", "W"};
    ElvSignals* signals = NULL;
    ElvError error;
    double value[6], tau[4];
    CHECK_STATUS(elv_signals_create(c.model, names, 5, &signals, &error), &error);
    assert_int_equal(elv_signals_n_column(signals), 6);
    c.state->t = 0.5;
    elv_state_impose(c.model, c.state);
    elv_idm(c.model, c.data, c.state, tau);
    elv_signals_eval(signals, c.model, c.data, c.state, value);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(elv_signals_column_name(signals, i), columns[i]);
        assert_string_equal(elv_signals_column_unit(signals, i), units[i]);
    }
    // 2 kg m^2 at 2 rad/s^2 and 1 rad/s; 3 N at 2 m/s
    CHECK_NEAR(value[1], 4.0, 1e-14);
    CHECK_NEAR(value[2], 6.0, 1e-14);
    // x = X (1 + 0.1 t^2): 2 kg/m, effort = integral of X m X 0.2 dX, at a rate of 0.2 t
    CHECK_NEAR(value[3], 0.0, 1e-14);
    CHECK_NEAR(value[4], 0.4 / 3.0, 1e-14);
    CHECK_NEAR(value[5], 0.04 / 3.0, 1e-14);
    CHECK_NEAR(value[0], value[1] + value[2] + value[5], 1e-13);
    elv_signals_free(signals);
    case_close(&c);
}

// ---- the command line

static void test_warning(void** context) {
    Process* p = *context;
    write_text(p, "coarse.yaml",
               BARE "    motion: {bend_z: \"sin(5*s - t)\"}\n    strain: {bend_z: 3}\n");
    run(p, "check coarse.yaml");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: 3 modes of rod 'arm' miss its imposed bend_z by");
    run(p, "run coarse.yaml");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: 3 modes of rod 'arm' miss its imposed bend_z by");
    run(p, "info coarse.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "bend_z is imposed; its modes meet it to");
    run(p, "info coarse.yaml --json");
    CHECK_OUT(p, "\"imposed\": {\"bend_z\": ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_strong_methods),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_bases),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_signals),
        cmocka_unit_test_setup_teardown(test_warning, open_process, close_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
