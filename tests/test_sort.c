// SPDX-License-Identifier: Apache-2.0
// Sorting of numbers: random lists with repetitions against insertion one by one, and none at all.
#include "base/sort.h"

#include "check.h"

enum { N_TRIAL = 50, N_MAX = 40 };

static void test_random_lists(void** state) {
    (void)state;
    CheckRandom r = check_random(11);
    for (int trial = 0; trial < N_TRIAL; trial++) {
        int n = 1 + check_integer(&r, N_MAX - 1);
        double x[N_MAX];
        double expected[N_MAX];
        for (int i = 0; i < n; i++) {
            // a few values only, so that some are equal
            x[i] = check_integer(&r, 20) - 10.0;
            int k = i;
            for (; k > 0 && expected[k - 1] > x[i]; k--) {
                expected[k] = expected[k - 1];
            }
            expected[k] = x[i];
        }
        elv_sort_doubles(x, (size_t)n);
        CHECK_ARRAY_NEAR(x, expected, (size_t)n, 0.0);
    }
}

static void test_nothing(void** state) {
    (void)state;
    elv_sort_doubles(NULL, 0);
    double one = 3.0;
    elv_sort_doubles(&one, 1);
    CHECK_NEAR(one, 3.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_lists),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
