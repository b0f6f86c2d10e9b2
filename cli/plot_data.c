// SPDX-License-Identifier: Apache-2.0
// Records as data of gnuplot. Long histories are thinned to what a picture can show: a piece of them is some points wide,
// and is drawn by its first record and by those where a column is least or largest, so that no peak is lost.
#include "plot.h"

#include <stdlib.h>
#include <string.h>

enum { N_PIECE = 1000 };

static void write_row(FILE* stream, const PlotTable* table, size_t i) {
    size_t width = 1 + (size_t)table->n_column;
    for (size_t j = 0; j < width; j++) {
        fprintf(stream, "%s%.9g", j > 0 ? " " : "", table->value[i * width + j]);
    }
    fputc('\n', stream);
}

// mark the records of a piece that are drawn
static void choose(const PlotTable* table, size_t begin, size_t n, bool* is_kept) {
    size_t width = 1 + (size_t)table->n_column;
    memset(is_kept, 0, n * sizeof *is_kept);
    is_kept[0] = true;
    for (size_t j = 1; j < width; j++) {
        size_t least = 0;
        size_t largest = 0;
        const double* column = table->value + begin * width + j;
        for (size_t i = 1; i < n; i++) {
            least = column[i * width] < column[least * width] ? i : least;
            largest = column[i * width] > column[largest * width] ? i : largest;
        }
        is_kept[least] = true;
        is_kept[largest] = true;
    }
}

void plot_write_data(FILE* stream, const PlotTable* table, int k) {
    size_t n = table->n_record;
    size_t size = n > PLOT_POINTS ? (n + N_PIECE - 1) / N_PIECE : 1;
    bool* is_kept = calloc(size, sizeof *is_kept);
    fprintf(stream, "$data%d << END_OF_DATA\n", k);
    for (size_t begin = 0; begin < n; begin += size) {
        size_t n_here = n - begin < size ? n - begin : size;
        if (is_kept) {
            choose(table, begin, n_here, is_kept);
        }
        for (size_t i = 0; i < n_here; i++) {
            if (!is_kept || is_kept[i] || begin + i + 1 == n) {
                write_row(stream, table, begin + i);
            }
        }
    }
    fputs("END_OF_DATA\n", stream);
    free(is_kept);
}
