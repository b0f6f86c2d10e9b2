// SPDX-License-Identifier: Apache-2.0
// Suggestions: known misspellings, refusals, and random edits that must be undone when their
// number is within the limit.
#include "elver/status.h"

#include "check.h"

#include <stdbool.h>

static const char* const words[] = {"sin",     "cos",     "sqrt",     "triangle", "smooth",
                                    "density", "section", "diameter", "gravity",  "t"};
static const size_t n_word = sizeof words / sizeof words[0];

static void check_suggestion(const char* word, const char* expected) {
    const char* found = elv_suggest(word, words, n_word);
    bool is_right = expected ? found && strcmp(found, expected) == 0 : found == NULL;
    if (!is_right) {
        print_error("'%s': suggested %s, expected %s\n", word, found ? found : "nothing",
                    expected ? expected : "nothing");
    }
    CHECK_TRUE(is_right);
}

static void test_known_misspellings(void** state) {
    (void)state;
    check_suggestion("sin", "sin");
    check_suggestion("Sin", "sin");
    check_suggestion("sni", "sin");    // swap
    check_suggestion("sqr", "sqrt");   // one letter missing
    check_suggestion("sqrtt", "sqrt"); // one too many
    check_suggestion("cox", "cos");    // one wrong
    check_suggestion("diametre", "diameter");
    check_suggestion("DENSITTY", "density");
    check_suggestion("tiangel", "triangle"); // one missing and a swap, the limit of 7 letters
    check_suggestion("T", "t");
}

static void test_refusals(void** state) {
    (void)state;
    check_suggestion("", NULL);
    check_suggestion("x", NULL); // every one-letter name is one substitution away
    check_suggestion("qqq", NULL);
    check_suggestion("snx", NULL); // two edits in three letters
    check_suggestion("xylophone", NULL);
    CHECK_TRUE(elv_suggest("sin", NULL, 0) == NULL);
    CHECK_TRUE(elv_suggest(NULL, words, n_word) == NULL);

    // holes and endless words do no harm
    char endless[300];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    const char* odd[] = {NULL, "", endless, "sin"};
    CHECK_TRUE(elv_suggest("sni", odd, 4) == odd[3]);
    CHECK_TRUE(elv_suggest(endless, odd, 4) == NULL);
}

static void test_nearest_then_first(void** state) {
    (void)state;
    const char* near[] = {"tansion", "tension", "tensionx"};
    CHECK_TRUE(elv_suggest("tension", near, 3) == near[1]);
    const char* tied[] = {"abcdefx", "abcdefy"};
    CHECK_TRUE(elv_suggest("abcdefz", tied, 2) == tied[0]);
}

// one random edit in place: delete, insert, replace or swap
static void edit(CheckRandom* random, char* word) {
    size_t n = strlen(word);
    size_t i = (size_t)check_integer(random, (int)n);
    char letter = (char)('a' + check_integer(random, 26));
    switch (check_integer(random, 4)) {
    case 0:
        memmove(word + i, word + i + 1, n - i);
        break;
    case 1:
        memmove(word + i + 1, word + i, n - i + 1);
        word[i] = letter;
        break;
    case 2:
        word[i] = letter;
        break;
    default:
        if (i + 1 < n) {
            letter = word[i];
            word[i] = word[i + 1];
            word[i + 1] = letter;
        }
        break;
    }
}

static void test_random_edits_are_undone(void** state) {
    (void)state;
    // with one candidate of 12 letters, 3 edits leave at least 9 letters, whose limit is 3. The
    // distance used never edits a swapped pair again, so edits are spread over separate words
    const char* target[] = {"crosssection"};
    CheckRandom random = check_random(7);
    for (int trial = 0; trial < 2000; trial++) {
        char left[16] = "cros";
        char middle[16] = "ssec";
        char right[16] = "tion";
        edit(&random, left);
        edit(&random, middle);
        edit(&random, right);
        char word[64];
        snprintf(word, sizeof word, "%s%s%s", left, middle, right);
        CHECK_TRUE(elv_suggest(word, target, 1) == target[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_misspellings),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_nearest_then_first),
        cmocka_unit_test(test_random_edits_are_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
