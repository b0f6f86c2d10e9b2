// SPDX-License-Identifier: Apache-2.0
// Options of the finite differences from a file to a file, what does not belong, and the command line.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include "elver/elver.h"

#define BODY                                                                                       \
    "elver: 1\ntree:\n  - {rod: rod, length: 0.4, section: {circle: {diameter: 0.02}},\n"          \
    "     material: {density: 1000, young: 1e8, damping: 0.02}, strain: {reissner: 2}}\n"

static ElvSimulateDef read_simulate(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    ElvSimulateDef def = elv_model_simulate(model);
    elv_model_free(model);
    return def;
}

static void test_keys(void** state) {
    (void)state;
    ElvSimulateDef def = read_simulate(BODY "simulate: {method: rkmk}\n");
    CHECK_TRUE(def.method == ELV_METHOD_RKMK && def.finite.nodes == 21 && def.finite.order == 2 &&
               def.finite.space == ELV_RUNGE_RK4 && def.finite.interpolation == ELV_HISTORY_CUBIC);
    def = read_simulate(BODY
                        "simulate: {method: till, step: 0.02, nodes: 7, time: bdf1, space: rk2,\n"
                        "  interpolation: linear, newton_tol: 1e-8, max_iterations: 9}\n");
    CHECK_TRUE(def.method == ELV_METHOD_TILL && def.finite.nodes == 7 && def.finite.order == 1 &&
               def.finite.space == ELV_RUNGE_RK2 &&
               def.finite.interpolation == ELV_HISTORY_LINEAR && def.newton_tol == 1e-8 &&
               def.max_iterations == 9 && def.step == 0.02);
}

static void test_round_trip(void** state) {
    (void)state;
    static const char text[] =
        BODY "simulate: {method: rkmk, step: 0.02, nodes: 8, time: bdf1, space: euler, "
             "interpolation: linear, start: statics}\n";
    ElvSpec* spec = NULL;
    ElvError error;
    char* written = NULL;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
    ElvSimulateDef before = read_simulate(text), after = read_simulate(written);
    CHECK_TRUE(memcmp(&before.finite, &after.finite, sizeof before.finite) == 0);
    CHECK_TRUE(after.method == before.method && after.step == before.step && after.starts_static);
    elv_text_free(written);
    // the switches of a program are for C alone
    before.finite.program.has_euler_joint = true;
    CHECK_STATUS(elv_spec_set_simulate(spec, &before, &error), &error);
    CHECK_TRUE(elv_spec_write_text(spec, &written, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.element, "simulate") == 0);
    elv_spec_free(spec);
}

static void check_bad(const char* block, const char* why) {
    char text[1024];
    ElvModel* model = NULL;
    ElvError error;
    snprintf(text, sizeof text, BODY "simulate: {%s}\n", block);
    CHECK_TRUE(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error) ==
               ELV_ERROR_INPUT);
    if (!strstr(error.message, why) || error.line != 5) {
        fail_msg("%s: line %d: %s", block, error.line, error.message);
    }
}

static void test_bad_values(void** state) {
    (void)state;
    check_bad("method: rkmk, nodes: 1", "2");
    check_bad("method: rkmk, nodes: 2.5", "whole");
    check_bad("method: rkmk, time: bdf3", "bdf1");
    check_bad("method: rkmk, space: rk5", "rk2");
    check_bad("method: till, interpolation: quintic", "cubic");
    check_bad("method: rkmk, adaptive: true", "does not belong");
    check_bad("method: rkmk, rel_tol: 1e-3", "does not belong");
    check_bad("method: newmark, nodes: 5", "used by rkmk, till");
    // the same for who fills the def in C
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_create("a", &spec, &error), &error);
    ElvSimulateDef def = elv_simulate_def_default();
    def.finite.order = 3;
    CHECK_TRUE(elv_spec_set_simulate(spec, &def, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.field, "time") == 0);
    def = elv_simulate_def_default();
    def.finite.space = ELV_N_RUNGE;
    CHECK_TRUE(elv_spec_set_simulate(spec, &def, &error) == ELV_ERROR_INPUT);
    elv_spec_free(spec);
}

static void test_command_line(void** context) {
    Process* p = *context;
    // frames, strains, torques and energies are recorded; coordinates of rods are not
    run(p, "run @rkmk-3 --duration 0.1");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "rod.joint.effort.0");
    CHECK_ERR(p, "Newton");
    run(p, "run @rkmk-3 -q --signal rod.q");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'rod.q' needs the modes of rods, which the method rkmk does without");
    run(p, "check @rkmk-2 --set record.signals=[rod.v]");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'rod.v' needs the modes");
    run(p, "check @rkmk-2");
    CHECK_CODE(p, 0);
    run(p, "info @rkmk-1");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "rkmk, duration 1.5 s, step 0.005 s, nodes 101, bdf2, rk4, linear interpolation");
    run(p, "info --json @rkmk-1");
    CHECK_NEAR(json_number(p->out, "nodes"), 101.0, 0.0);
    CHECK_OUT(p, "\"space\": \"rk4\", \"interpolation\": \"linear\"");
    write_text(p, "shot.yaml", BODY "simulate: {method: shooting, scheme: hht, alpha: 0.1}\n");
    run(p, "info --json shot.yaml");
    CHECK_OUT(p, "\"accelerations\": true, \"scheme\": \"hht\"");
    CHECK_NEAR(json_number(p->out, "alpha"), 0.1, 0.0);
    write_text(p, "tree.yaml",
               BODY "  - {body: arm, joint: revolute, mass: 1, inertia: [1, 1, 1]}\n"
                    "simulate: {method: rkmk}\n");
    run(p, "run tree.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "second branch");
    run(p, "run @rkmk-2 -q -o out.h5 --duration 0.01");
    CHECK_CODE(p, 0);
    run(p, "run @rkmk-2 -q --restart out.h5");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "cannot restart");
    // the paper's interpolation is too coarse for its steps, the default is not
    run(p, "run @rkmk-2 -o out.csv --duration 0.01");
    CHECK_ERR(p, "use more nodes or 'interpolation: cubic'");
    run(p, "run @rkmk-2 -o out.csv --duration 0.01 --set simulate.interpolation=cubic");
    assert_null(strstr(p->err, "warning"));
    // what may help is said once
    run(p, "run @rkmk-2 --set simulate.nodes=3");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "more nodes");
    assert_null(strstr(p->err, "smaller --step"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_bad_values),
        cmocka_unit_test_setup_teardown(test_command_line, open_process, close_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
