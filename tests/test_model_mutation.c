// SPDX-License-Identifier: Apache-2.0
// Damaged model files: each mutant of each model must be read as a model, or refused with a place
// and a message; never crash, hang, leak (sanitizers watch) or fail in another way. The mutants are
// the same in every run.
#include "check.h"

#include "elver/io.h"
#include "model_files.h"

#include <ctype.h>

enum { MUTANTS_PER_KIND = IS_SANITIZED ? 4 : 10, CAPACITY = 1 << 16 };

typedef struct {
    char text[CAPACITY];
    size_t size;
} Mutant;

typedef void (*Mutation)(Mutant* mutant, CheckRandom* random);

// ---- pieces of text

// replace n bytes at a place by a word
static void splice(Mutant* mutant, size_t at, size_t n, const char* word, size_t length) {
    if (mutant->size - n + length >= CAPACITY) {
        return;
    }
    // the word may lie within the text
    char copy[512];
    length = length < sizeof copy ? length : sizeof copy;
    memcpy(copy, word, length);
    memmove(mutant->text + at + length, mutant->text + at + n, mutant->size - at - n);
    memcpy(mutant->text + at, copy, length);
    mutant->size += length - n;
    mutant->text[mutant->size] = '\0';
}

static size_t pick(const Mutant* mutant, CheckRandom* random) {
    return mutant->size > 0 ? (size_t)check_integer(random, (int)mutant->size) : 0;
}

// begin and length (with its end) of the line around a random byte
static size_t pick_line(const Mutant* mutant, CheckRandom* random, size_t* length) {
    size_t begin = pick(mutant, random);
    while (begin > 0 && mutant->text[begin - 1] != '\n') {
        begin--;
    }
    const char* end = memchr(mutant->text + begin, '\n', mutant->size - begin);
    *length = end ? (size_t)(end - mutant->text) + 1 - begin : mutant->size - begin;
    return begin;
}

// a word in front of a colon; false when none is found
static bool pick_key(const Mutant* mutant, CheckRandom* random, size_t* begin, size_t* length) {
    size_t start = pick(mutant, random);
    for (size_t i = start; i < mutant->size; i++) {
        if (mutant->text[i] == ':' && i > 0 && isalnum((unsigned char)mutant->text[i - 1])) {
            size_t first = i;
            while (first > 0 && (isalnum((unsigned char)mutant->text[first - 1]) ||
                                 mutant->text[first - 1] == '_')) {
                first--;
            }
            *begin = first;
            *length = i - first;
            return true;
        }
    }
    return false;
}

static bool pick_number(const Mutant* mutant, CheckRandom* random, size_t* begin, size_t* length) {
    for (size_t i = pick(mutant, random) + 1; i < mutant->size; i++) {
        bool is_start = isdigit((unsigned char)mutant->text[i]) &&
                        !isalnum((unsigned char)mutant->text[i - 1]) && mutant->text[i - 1] != '_';
        if (is_start) {
            *begin = i;
            *length = strspn(mutant->text + i, "0123456789.e");
            return true;
        }
    }
    return false;
}

// ---- mutations

static void delete_line(Mutant* mutant, CheckRandom* random) {
    size_t length = 0;
    size_t begin = pick_line(mutant, random, &length);
    splice(mutant, begin, length, "", 0);
}

static void duplicate_line(Mutant* mutant, CheckRandom* random) {
    size_t length = 0;
    size_t begin = pick_line(mutant, random, &length);
    splice(mutant, begin, 0, mutant->text + begin, length);
}

static void move_line(Mutant* mutant, CheckRandom* random) {
    size_t length = 0;
    size_t begin = pick_line(mutant, random, &length);
    char line[512] = "";
    length = length < sizeof line ? length : sizeof line;
    memcpy(line, mutant->text + begin, length);
    splice(mutant, begin, length, "", 0);
    size_t ignored = 0;
    splice(mutant, pick_line(mutant, random, &ignored), 0, line, length);
}

static void misspell_key(Mutant* mutant, CheckRandom* random) {
    size_t begin = 0;
    size_t length = 0;
    if (!pick_key(mutant, random, &begin, &length)) {
        return;
    }
    size_t at = begin + (size_t)check_integer(random, (int)length);
    char letter[2] = {(char)('a' + check_integer(random, 26)), '\0'};
    int kind = check_integer(random, 3);
    splice(mutant, at, kind == 0 ? 0 : 1, letter, kind == 1 ? 0 : 1);
}

static void rename_key(Mutant* mutant, CheckRandom* random) {
    size_t begin = 0;
    size_t length = 0;
    size_t other = 0;
    size_t other_length = 0;
    if (pick_key(mutant, random, &begin, &length) &&
        pick_key(mutant, random, &other, &other_length)) {
        splice(mutant, begin, length, mutant->text + other, other_length);
    }
}

static void change_number(Mutant* mutant, CheckRandom* random) {
    static const char* const words[] = {
        "-1",  "0",   "NaN",    "1e400", "text", "1e308", "-1e308", "1e-320", "{}", "[]",
        "[1]", "~",   "\"\"",   "40 cm", "true", ".inf",  "300",    "1/0",    "t",  "s",
        "'1",  "1 2", "{a: 1}", "\"(\"", "-0.0", "1e9",   "0.5",    "7",      "*a", "&a 1"};
    size_t begin = 0;
    size_t length = 0;
    if (pick_number(mutant, random, &begin, &length)) {
        const char* word = words[check_integer(random, sizeof words / sizeof words[0])];
        splice(mutant, begin, length, word, strlen(word));
    }
}

static void truncate_text(Mutant* mutant, CheckRandom* random) {
    mutant->size = pick(mutant, random);
    mutant->text[mutant->size] = '\0';
}

static void flip_bytes(Mutant* mutant, CheckRandom* random) {
    for (int i = check_integer(random, 4); i >= 0; i--) {
        char byte = (char)check_random_bits(random);
        splice(mutant, pick(mutant, random), 1, &byte, 1);
    }
}

static void flip_punctuation(Mutant* mutant, CheckRandom* random) {
    static const char marks[] = "[]{}:,-?|>&*!%@\"'# \n\t().";
    char byte = marks[check_integer(random, (int)sizeof marks - 1)];
    size_t at = pick(mutant, random);
    size_t n = (size_t)check_integer(random, 2);
    splice(mutant, at, n, &byte, 1);
}

static void indent_line(Mutant* mutant, CheckRandom* random) {
    size_t length = 0;
    size_t begin = pick_line(mutant, random, &length);
    int more = check_integer(random, 5) - 2;
    if (more > 0) {
        splice(mutant, begin, 0, "  ", (size_t)more);
    } else {
        size_t blanks = strspn(mutant->text + begin, " ");
        size_t fewer = (size_t)(1 - more);
        splice(mutant, begin, blanks < fewer ? blanks : fewer, "", 0);
    }
}

static void copy_piece(Mutant* mutant, CheckRandom* random) {
    size_t from = pick(mutant, random);
    size_t length = (size_t)check_integer(random, 60);
    length = length < mutant->size - from ? length : mutant->size - from;
    splice(mutant, pick(mutant, random), 0, mutant->text + from, length);
}

// ---- reading

typedef struct {
    int n_model, n_refused;
} Outcome;

static void check_mutant(const Mutant* mutant, const char* name, Outcome* outcome) {
    ElvModel* model = NULL;
    ElvError error;
    ElvStatus status =
        elv_model_read_text(mutant->text, mutant->size, name, NULL, 0, &model, &error);
    if (status == ELV_OK) {
        CHECK_TRUE(model != NULL);
        outcome->n_model++;
        elv_model_free(model);
        return;
    }
    outcome->n_refused++;
    bool is_told = status == ELV_ERROR_INPUT && error.status == status && error.line >= 1 &&
                   error.column >= 1 && error.message[0] != '\0' && !model;
    if (!is_told) {
        fail_msg("%s: status '%s' at %d:%d, message '%s' for:\n%.*s", name, elv_status_text(status),
                 error.line, error.column, error.message, (int)mutant->size, mutant->text);
    }
}

static void test_mutants(void** state) {
    (void)state;
    static const Mutation mutations[] = {
        delete_line,   duplicate_line, move_line,  misspell_key,     rename_key,  change_number,
        change_number, truncate_text,  flip_bytes, flip_punctuation, indent_line, copy_piece};
    ModelFiles files;
    model_files_open(&files);
    Mutant* mutant = malloc(sizeof *mutant);
    assert_non_null(mutant);
    Outcome outcome = {0, 0};
    for (int i = 0; i < files.n; i++) {
        // a file's mutants do not depend on the other files
        CheckRandom random = check_random(2026);
        for (size_t k = 0; k < sizeof mutations / sizeof mutations[0]; k++) {
            for (int m = 0; m < MUTANTS_PER_KIND; m++) {
                mutant->size = strlen(files.text[i]);
                CHECK_TRUE(mutant->size < CAPACITY / 2);
                memcpy(mutant->text, files.text[i], mutant->size + 1);
                // one wound, sometimes two
                mutations[k](mutant, &random);
                if (m % 4 == 3) {
                    mutations[check_integer(&random, 12)](mutant, &random);
                }
                check_mutant(mutant, files.name[i], &outcome);
            }
        }
    }
    free(mutant);
    print_message("%d mutants were read, %d refused\n", outcome.n_model, outcome.n_refused);
    CHECK_TRUE(outcome.n_model + outcome.n_refused >= 1000);
    CHECK_TRUE(outcome.n_model > 0);
    CHECK_TRUE(outcome.n_refused > outcome.n_model / 4);
    model_files_close(&files);
}

// every way to cut a file short
static void test_prefixes(void** state) {
    (void)state;
    Mutant* mutant = malloc(sizeof *mutant);
    assert_non_null(mutant);
    Outcome outcome = {0, 0};
    for (size_t n = 0; n <= strlen(sample_arm); n++) {
        mutant->size = n;
        memcpy(mutant->text, sample_arm, n);
        mutant->text[n] = '\0';
        check_mutant(mutant, "sample_arm", &outcome);
    }
    free(mutant);
    CHECK_TRUE(outcome.n_model > 0 && outcome.n_refused > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
