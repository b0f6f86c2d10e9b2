// SPDX-License-Identifier: Apache-2.0
// Words of the tables of figures: lines through rods and frames, stations along a rod.
#include "figure.h"

#include <string.h>

const char* figure_word(const char* text, char word[FIGURE_NAME]) {
    text += strspn(text, " ");
    size_t n = strcspn(text, " ");
    if (n == 0 || n >= FIGURE_NAME) {
        return NULL;
    }
    memcpy(word, text, n);
    word[n] = '\0';
    return text + n;
}

double figure_point(int i) {
    return (double)i / (FIGURE_POINTS - 1);
}

void figure_field(const char* field, int i, char signal[FIGURE_NAME]) {
    const char* star = strchr(field, '*');
    int n = star ? (int)(star - field) : (int)strlen(field);
    snprintf(signal, FIGURE_NAME, "%.*s%.6g%s", n, field, figure_point(i), star ? star + 1 : "");
}
