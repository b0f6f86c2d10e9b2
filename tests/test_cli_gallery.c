// SPDX-License-Identifier: Apache-2.0
// `elver reproduce all`: every figure that can be made is made, with picture, numbers and viewer file, and the page has them all.
// A minute of simulations: not under sanitizers, where tests of single figures do.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

enum { SKIPPED = 77 };

static bool is_slow(void) {
#if defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#else
    return false;
#endif
#else
    return false;
#endif
}

static void check_file(const Process* p, const char* id, const char* ending) {
    char name[96];
    snprintf(name, sizeof name, "page/%s%s", id, ending);
    if (!has_file(p, name)) {
        print_error("no %s\n", name);
        fail();
    }
}

static void test_all(void** context) {
    Process* p = *context;
    char* page = calloc(OUTPUT_SIZE, 1);
    assert_non_null(page);
    run(p, "reproduce all -o page");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "page/index.html has ");
    read_text(p, "page/index.html", page);
    assert_null(strstr(page, "There is no picture"));

    run(p, "reproduce");
    CHECK_CODE(p, 0);
    int n_picture = 0;
    for (const char* line = p->out; line; line = strchr(line, '\n')) {
        char id[32];
        char kind[16];
        line += *line == '\n';
        if (sscanf(line, "  %31s %15s", id, kind) == 2 && strcmp(kind, "figure") == 0 &&
            strncmp(line, "  ", 2) == 0) {
            check_file(p, id, ".svg");
            check_file(p, id, ".csv");
            check_file(p, id, ".html");
            n_picture++;
        }
    }
    CHECK_TRUE(n_picture > 50);
    check_file(p, "p23-table1", ".txt");
    check_file(p, "rkmk-table3", ".txt");
    check_file(p, "rkmk-table1", ".csv");
    free(page);
}

int main(void) {
    if (is_slow() || !has_gnuplot()) {
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {WITH_PROCESS(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
