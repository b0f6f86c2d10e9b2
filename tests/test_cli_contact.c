// SPDX-License-Identifier: Apache-2.0
// `elver run` on contacts that can only push, and on preloads: what people and programs are told,
// and what is refused.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static void test_pulls(void** context) {
    Process* p = *context;
    run(p, "run @snake-2d --set simulate.duration=1 --set ring2.pushes=y -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "'ring2' would have to pull, first at t = ");
    run(p, "run @snake-2d --set simulate.duration=1.7 --set ring2.pushes=y --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"pulls\": [\n    {\"contact\": \"ring2\", \"t\": ");
    CHECK_OUT(p, "\"preload_share\": null");
    // -0.2547563 N at 1.7 s, found by other means
    CHECK_TRUE(json_number(p->out, "worst") > 0.254755);
    run(p, "run @snake-2d --set simulate.duration=1 --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"pulls\": []");
}

static void test_preload(void** context) {
    Process* p = *context;
    char text[8192];
    run(p, "run @snake-2d --set simulate.duration=0.5 --set ring2.preload=[0,2,0] --json");
    CHECK_CODE(p, 0);
    double share = json_number(p->out, "preload_share");
    CHECK_TRUE(share > 0.0 && share < 1.0);
    run(p, "run @earthworm --set anchor.preload=[1,0,0] -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "cannot hold the preload of 'anchor'");
    run(p, "run @snake-2d --set ring2.pushes=x");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "does not push along the rod");
    // a file that is written back says the same
    run(p, "export @snake-2d --set ring2.preload=[0,2,0] --set ring2.pushes=-z -o copy.yaml");
    CHECK_CODE(p, 0);
    read_text(p, "copy.yaml", text);
    CHECK_TRUE(strstr(text, "pushes: -z, preload: [0, 2, 0]") != NULL);
    run(p, "check copy.yaml");
    CHECK_CODE(p, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pulls, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_preload, open_process, close_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
