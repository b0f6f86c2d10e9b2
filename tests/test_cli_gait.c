// SPDX-License-Identifier: Apache-2.0
// `elver gait`: what it prints and writes, and what it refuses.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static void test_summary(void** context) {
    Process* p = *context;
    run(p, "gait @falling-cat");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "unconstrained, without external forces");
    CHECK_OUT(p, "mechanical connection");
    CHECK_OUT(p, "compatible    yes");
    CHECK_OUT(p, "SE(3)");
    CHECK_OUT(p, "rear.1");
    run(p, "gait @scallop --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"connection\": \"stokes\"");
    CHECK_OUT(p, "\"group\": \"SE(2)\"");
    CHECK_OUT(p, "\"imposed\": [\"lower\"]");
    CHECK_NEAR(json_number(p->out, "period"), 1.0, 1e-9);
    run(p, "gait @snake-2d");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "fully constrained");
    run(p, "gait --help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver gait MODEL");
}

// the satellite's rotors share no period; one that is given is taken
static void test_period(void** context) {
    Process* p = *context;
    run(p, "gait @satellite");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "none: the imposed motion has no period");
    run(p, "gait @three-link-swimmer --period 2 --json");
    CHECK_CODE(p, 0);
    CHECK_NEAR(json_number(p->out, "period"), 2.0, 0.0);
    run(p, "gait @three-link-swimmer --period -2");
    CHECK_CODE(p, 2);
}

static void test_field(void** context) {
    Process* p = *context;
    char text[8192];
    double first[11];
    run(p,
        "gait @three-link-swimmer -o field.csv --over right,left --from -0.5 --to 0.5 --points 3");
    CHECK_CODE(p, 0);
    read_text(p, "field.csv", text);
    CHECK_TRUE(strstr(text, "right,left,A(right).middle.0,") == text);
    CHECK_TRUE(strstr(text, "curvature.middle.2\n") != NULL);
    const char* line = strchr(text, '\n');
    CHECK_TRUE(line && sscanf(line, "%lf,%lf,%lf", &first[0], &first[1], &first[2]) == 3);
    CHECK_NEAR(first[0], -0.5, 0.0);
    CHECK_NEAR(first[1], -0.5, 0.0);
    // both hinges at the same angle: either turns the middle link as much
    CHECK_TRUE(sscanf(line, "%*f,%*f,%lf,%*f,%*f,%lf", &first[0], &first[1]) == 2);
    CHECK_NEAR(first[0], first[1], 1e-13);
    int n_line = 0;
    for (const char* c = text; *c; c++) {
        n_line += *c == '\n';
    }
    assert_int_equal(n_line, 10);
    run(p, "gait @falling-cat -o field.npy --points 2 --over rear.0,rear.1");
    CHECK_CODE(p, 0);
    CHECK_TRUE(has_file(p, "field.npy"));
}

static void test_refused(void** context) {
    Process* p = *context;
    run(p, "gait");
    CHECK_CODE(p, 2);
    run(p, "gait @scallop -o field.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "two imposed coordinates");
    run(p, "gait @three-link-swimmer -o field.csv --over left,rihgt");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'rihgt' is no imposed coordinate");
    run(p, "gait @three-link-swimmer -o field.csv --over left");
    CHECK_CODE(p, 2);
    run(p, "gait @three-link-swimmer --over left,right");
    CHECK_CODE(p, 2);
    run(p, "gait @three-link-swimmer -o field.txt");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, ".csv or .npy");
    run(p, "gait @three-link-swimmer --connection stoke");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "mechanical or stokes");
    run(p, "gait @three-link-swimmer -o field.csv --points 1");
    CHECK_CODE(p, 2);
    run(p, "gait @three-link-swimmer --from 1 --to 0");
    CHECK_CODE(p, 2);
    run(p, "gait @falling-cat --connection stokes");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "'resistance' or damping");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_summary),
        WITH_PROCESS(test_period),
        WITH_PROCESS(test_field),
        WITH_PROCESS(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
