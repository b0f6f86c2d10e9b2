// SPDX-License-Identifier: Apache-2.0
// Messages on stderr, exit codes, and the nearest known word to a misspelt one.
#include "cli.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

int cli_complain(const char* command, int code, const char* format, ...) {
    fprintf(stderr, "elver%s%s: ", command ? " " : "", command ? command : "");
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return code;
}

int cli_complain_error(const char* command, int code, const ElvError* error) {
    char text[ELV_ERROR_TEXT + ELV_ERROR_FILENAME + 2 * ELV_ERROR_NAME];
    elv_error_format(error, text, sizeof text);
    if (error->file[0] != '\0') {
        fprintf(stderr, "%s\n", text);
        return code;
    }
    return cli_complain(command, code, "%s", text);
}

int cli_exit_code(ElvStatus status) {
    switch (status) {
    case ELV_OK:
        return CLI_DONE;
    case ELV_ERROR_INPUT:
    case ELV_ERROR_FILE:
        return CLI_USAGE;
    default:
        return CLI_FAILED;
    }
}

enum { WORD_SIZE = 48 };

static bool is_same(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// insertions, deletions, substitutions and swaps of neighbours that turn a into b
static size_t edit_distance(const char* a, const char* b) {
    size_t rows[3][WORD_SIZE] = {{0}}; // two behind, one behind, this one, in turn
    size_t n_b = strlen(b);
    for (size_t j = 0; j <= n_b; j++) {
        rows[0][j] = j;
    }
    size_t i = 0;
    for (; a[i] != '\0'; i++) {
        const size_t* before = rows[(i + 2) % 3];
        const size_t* above = rows[i % 3];
        size_t* row = rows[(i + 1) % 3];
        row[0] = i + 1;
        for (size_t j = 0; j < n_b; j++) {
            size_t change = above[j] + (is_same(a[i], b[j]) ? 0 : 1);
            row[j + 1] = smaller(change, smaller(above[j + 1], row[j]) + 1);
            if (i > 0 && j > 0 && is_same(a[i], b[j - 1]) && is_same(a[i - 1], b[j])) {
                row[j + 1] = smaller(row[j + 1], before[j - 1] + 1);
            }
        }
    }
    return rows[i % 3][n_b];
}

const char* cli_suggest(const char* word, const char* const* candidate, size_t n) {
    size_t n_word = strlen(word);
    size_t least = n_word < 4 ? 2 : 4; // near: at most 1 edit in short words, 3 in long ones
    const char* nearest = NULL;
    for (size_t i = 0; i < n && n_word < WORD_SIZE; i++) {
        if (strlen(candidate[i]) >= WORD_SIZE) {
            continue;
        }
        size_t distance = edit_distance(word, candidate[i]);
        if (distance < least && distance < n_word) {
            least = distance;
            nearest = candidate[i];
        }
    }
    return nearest;
}
