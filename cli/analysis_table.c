// SPDX-License-Identifier: Apache-2.0
// Tables of numbers in files: CSV, and NPY with one field a column or as a plain matrix. Files appear
// under their names when they are whole.
#include "analysis.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_npy(const char* path) {
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".npy") == 0;
}

static void write_csv(
    FILE* stream, const char* const* name, size_t n_row, size_t n_column, const double* value) {
    for (size_t k = 0; k < n_column && name; k++) {
        fprintf(stream, "%s%s%s", k > 0 ? "," : "", name[k], k + 1 == n_column ? "\n" : "");
    }
    for (size_t i = 0; i < n_row; i++) {
        for (size_t k = 0; k < n_column; k++) {
            fputs(k > 0 ? "," : "", stream);
            cli_print_number(stream, value[i * n_column + k]);
        }
        fputc('\n', stream);
    }
}

// the head is a Python literal, padded so that the numbers begin at a multiple of 64
static void write_npy(
    FILE* stream, const char* const* name, size_t n_row, size_t n_column, const double* value) {
    char* text = NULL;
    size_t size = 256;
    for (size_t k = 0; k < n_column && name; k++) {
        size += strlen(name[k]) + 16;
    }
    text = malloc(size);
    if (!text) {
        errno = ENOMEM;
        return;
    }
    size_t n = (size_t)snprintf(text, size, "{'descr': %s", name ? "[" : "'<f8'");
    for (size_t k = 0; k < n_column && name; k++) {
        n += (size_t)snprintf(text + n, size - n, "('%s', '<f8'), ", name[k]);
    }
    if (name) {
        n += (size_t)snprintf(text + n, size - n, "], 'fortran_order': False, 'shape': (%zu,), }",
                              n_row);
    } else {
        n += (size_t)snprintf(text + n, size - n,
                              ", 'fortran_order': False, 'shape': (%zu, %zu), }", n_row, n_column);
    }
    size_t whole = (n + 1 + 12 + 63) / 64 * 64 - 12;
    static const unsigned char magic[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 2, 0};
    unsigned char length[4] = {(unsigned char)(whole & 255), (unsigned char)(whole >> 8 & 255),
                               (unsigned char)(whole >> 16 & 255),
                               (unsigned char)(whole >> 24 & 255)};
    fwrite(magic, 1, sizeof magic, stream);
    fwrite(length, 1, sizeof length, stream);
    fwrite(text, 1, n, stream);
    for (; n + 1 < whole; n++) {
        fputc(' ', stream);
    }
    fputc('\n', stream);
    fwrite(value, sizeof *value, n_row * n_column, stream);
    free(text);
}

int analysis_write_table(const char* command,
                         const char* path,
                         const char* const* name,
                         size_t n_row,
                         size_t n_column,
                         const double* value) {
    CliFile file;
    int code = cli_file_begin(command, path, &file);
    if (code != CLI_DONE) {
        return code;
    }
    errno = 0;
    if (is_npy(path)) {
        write_npy(file.stream, name, n_row, n_column, value);
    } else {
        write_csv(file.stream, name, n_row, n_column, value);
    }
    if (errno == ENOMEM) {
        cli_file_discard(&file);
        return cli_complain(command, CLI_FAILED, "out of memory");
    }
    return cli_file_end(&file);
}
