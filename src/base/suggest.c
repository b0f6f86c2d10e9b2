// SPDX-License-Identifier: Apache-2.0
// Nearest name by the Damerau-Levenshtein distance in its optimal string alignment form: three
// rows of the usual table are enough, the third back serving the swap of two neighbours.
#include "elver/status.h"

#include <string.h>

enum { SUGGEST_LENGTH = 64, SUGGEST_LIMIT = 3 };

// ASCII lower case whatever the locale
static char lower(char c) {
    return (c >= 'A' && c <= 'Z') ? (char)(c - 'A' + 'a') : c;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// distance between a and b, both shorter than SUGGEST_LENGTH
static size_t distance(const char* a, size_t n_a, const char* b, size_t n_b) {
    size_t rows[3][SUGGEST_LENGTH + 1] = {{0}};
    for (size_t j = 0; j <= n_b; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= n_a; i++) {
        const size_t* before = rows[(i + 1) % 3];
        const size_t* above = rows[(i - 1) % 3];
        size_t* row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            char a_i = lower(a[i - 1]);
            char b_j = lower(b[j - 1]);
            size_t substitute = above[j - 1] + (a_i != b_j);
            row[j] = smaller(substitute, smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a_i == lower(b[j - 2]) && lower(a[i - 2]) == b_j) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[n_a % 3][n_b];
}

const char* elv_suggest(const char* word, const char* const* candidates, size_t n) {
    size_t n_word = word ? strlen(word) : 0;
    if (n_word == 0 || n_word >= SUGGEST_LENGTH) {
        return NULL;
    }
    size_t limit = smaller(n_word / 3, SUGGEST_LIMIT);
    limit = limit > 0 ? limit : 1;

    const char* nearest = NULL;
    size_t least = limit + 1;
    for (size_t i = 0; i < n; i++) {
        size_t n_candidate = candidates[i] ? strlen(candidates[i]) : 0;
        if (n_candidate == 0 || n_candidate >= SUGGEST_LENGTH) {
            continue;
        }
        // a distance of the whole length means that no letter is shared
        size_t apart = distance(word, n_word, candidates[i], n_candidate);
        size_t longest = n_word > n_candidate ? n_word : n_candidate;
        if (apart < least && apart < longest) {
            least = apart;
            nearest = candidates[i];
        }
    }
    return nearest;
}
