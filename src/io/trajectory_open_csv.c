// SPDX-License-Identifier: Apache-2.0
// CSV trajectories, read by blocks of records. Opening goes through the file once, in pieces, and
// keeps where each block begins. Units are not told, and a last line without its newline is left out.
// POSIX: places in large files, lines of any length.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "base/number_text.h"
#include "io/trajectory_open.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { BLOCK_ROWS = 256, PIECE = 1 << 16, MAX_LINE = 1 << 26, MAX_COLUMN = 1000000 };

typedef struct {
    ElvTrajectory base; // first: a CsvSource* is an ElvTrajectory*
    FILE* stream;
    off_t* place; // where blocks begin      (n_place)
    int n_place, n_room;
    long first, n_held; // of the block in memory
    double* row;        // (BLOCK_ROWS x (1 + n_signal))
    char* line;
    size_t line_size;
} CsvSource;

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

static ElvStatus fail_read(const CsvSource* csv, ElvError* error) {
    const char* reason = ferror(csv->stream) ? strerror(errno) : "it has become shorter";
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot read '%.400s': %s",
                         csv->base.path, reason);
}

static ElvStatus no_trajectory(const CsvSource* csv, const char* reason, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%.400s' is no trajectory: %s",
                         csv->base.path, reason);
}

// ---- the header

// the header line in csv->line; names in quotes may hold line ends
static bool read_header(CsvSource* csv) {
    size_t n = 0;
    bool is_quoted = false;
    for (int c = getc(csv->stream); c != EOF && (c != '\n' || is_quoted); c = getc(csv->stream)) {
        if (n + 1 >= csv->line_size) {
            size_t size = csv->line_size > 0 ? 2 * csv->line_size : 1024;
            char* grown = size <= MAX_LINE ? realloc(csv->line, size) : NULL;
            if (!grown) {
                return false;
            }
            csv->line = grown;
            csv->line_size = size;
        }
        is_quoted = is_quoted != (c == '"');
        csv->line[n++] = (char)c;
        csv->line[n] = '\0';
    }
    // no NUL is in a text
    return n > 0 && strlen(csv->line) == n && !is_quoted;
}

// cut the next name out of the header, quotes removed; NULL at the end
static char* next_name(char** at) {
    char* name = *at;
    if (!name) {
        return NULL;
    }
    char* to = name;
    char* from = name;
    bool is_quoted = false;
    for (; *from != '\0' && (*from != ',' || is_quoted); from++) {
        if (*from == '"') {
            // two of them within quotes are one
            bool is_double = is_quoted && from[1] == '"';
            is_quoted = is_quoted && is_double;
            if (!is_double) {
                is_quoted = from == name;
                continue;
            }
            from++;
        }
        *to++ = *from;
    }
    *at = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return name;
}

static int count_names(const char* header) {
    int n = 1;
    bool is_quoted = false;
    for (const char* c = header; *c != '\0' && n <= MAX_COLUMN; c++) {
        is_quoted = is_quoted != (*c == '"');
        n += *c == ',' && !is_quoted;
    }
    return n;
}

static ElvStatus read_names(CsvSource* csv, ElvError* error) {
    ElvTrajectory* base = &csv->base;
    if (!read_header(csv)) {
        return no_trajectory(csv, "it does not begin with a line of names", error);
    }
    // some programs begin a text with a mark, and end lines with two characters
    char* at = strncmp(csv->line, "\xef\xbb\xbf", 3) == 0 ? csv->line + 3 : csv->line;
    size_t length = strlen(at);
    if (length > 0 && at[length - 1] == '\r') {
        at[length - 1] = '\0';
    }
    int n = count_names(at);
    const char* first = next_name(&at);
    base->is_statics = strcmp(first, "load") == 0;
    if (!base->is_statics && strcmp(first, "t") != 0) {
        return no_trajectory(csv, "its first column is neither t nor load", error);
    }
    if (n > MAX_COLUMN) {
        return no_trajectory(csv, "it has too many columns", error);
    }
    base->n_signal = n - 1;
    const char** name = elv_pool_take(&base->pool, (size_t)n, sizeof *name);
    const char** unit = elv_pool_take(&base->pool, (size_t)n, sizeof *unit);
    bool is_good = name && unit;
    for (int i = 0; i + 1 < n && is_good; i++) {
        const char* cut = next_name(&at);
        name[i] = cut ? elv_pool_string(&base->pool, cut) : NULL;
        unit[i] = "";
        is_good = name[i] != NULL;
    }
    base->name = name;
    base->unit = unit;
    return is_good ? ELV_OK : out_of_memory(error);
}

// ---- lines

// what lines may have beside numbers: with nothing else they are blank
static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_blank(const char* line, size_t n) {
    size_t i = 0;
    while (i < n && is_space(line[i])) {
        i++;
    }
    return i == n;
}

static bool keep_place(CsvSource* csv, off_t place) {
    if (csv->n_place == csv->n_room) {
        int n_room = csv->n_room > 0 ? 2 * csv->n_room : 64;
        off_t* grown =
            n_room < INT_MAX / 2 ? realloc(csv->place, (size_t)n_room * sizeof *grown) : NULL;
        if (!grown) {
            return false;
        }
        csv->place = grown;
        csv->n_room = n_room;
    }
    csv->place[csv->n_place++] = place;
    return true;
}

// what is known of the line that a walk through the file is in
typedef struct {
    off_t begin;
    off_t n;       // characters so far
    bool is_blank; // nothing but spaces
} Line;

static bool end_line(CsvSource* csv, const Line* line) {
    if (line->is_blank) {
        return true;
    }
    long i = csv->base.n_record++;
    return i % BLOCK_ROWS != 0 || keep_place(csv, line->begin);
}

// count the lines after the header, and find where blocks begin
static ElvStatus scan_lines(CsvSource* csv, ElvError* error) {
    char* piece = malloc(PIECE);
    off_t at = ftello(csv->stream);
    Line line = {at, 0, true};
    bool is_good = piece != NULL;
    while (is_good) {
        size_t n = fread(piece, 1, PIECE, csv->stream);
        for (size_t i = 0; i < n && is_good; i++) {
            char c = piece[i];
            if (c == '\n') {
                is_good = end_line(csv, &line);
                line = (Line){at + (off_t)i + 1, 0, true};
                continue;
            }
            line.is_blank = line.is_blank && is_space(c);
            is_good = ++line.n < MAX_LINE;
        }
        at += (off_t)n;
        if (n < PIECE) {
            break;
        }
    }
    free(piece);
    if (line.n >= MAX_LINE) {
        return no_trajectory(csv, "it has a line that is too long", error);
    }
    if (ferror(csv->stream)) {
        return fail_read(csv, error);
    }
    // a last line without its end was cut off, if only within its last number
    csv->base.is_complete = line.is_blank;
    return is_good ? ELV_OK : out_of_memory(error);
}

// ---- records

static ElvStatus bad_row(const CsvSource* csv, long i, const char* reason, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%.400s': record %ld %s",
                         csv->base.path, i, reason);
}

// the numbers of csv->line, which is record i
static ElvStatus parse_row(const CsvSource* csv, long i, double* row, ElvError* error) {
    const char* at = csv->line;
    int n = 1 + csv->base.n_signal;
    for (int k = 0; k < n; k++) {
        at += strspn(at, " \t");
        size_t length = elv_number_scan(at, &row[k]);
        if (length == 0) {
            bool is_end = at[strspn(at, "\r\n")] == '\0';
            return bad_row(csv, i,
                           is_end ? "has fewer columns than the header"
                                  : "has a word that is no number",
                           error);
        }
        at += length;
        at += strspn(at, " \t\r\n");
        if (k + 1 < n && *at == ',') {
            at++;
        } else if (k + 1 < n || *at != '\0') {
            return bad_row(csv, i,
                           *at == '\0'  ? "has fewer columns than the header"
                           : *at == ',' ? "has more columns than the header"
                                        : "has a word that is no number",
                           error);
        }
    }
    return ELV_OK;
}

// bring the block with record i to memory
static ElvStatus load_block(CsvSource* csv, long i, ElvError* error) {
    size_t width = 1 + (size_t)csv->base.n_signal;
    if (!csv->row) {
        csv->row = elv_pool_take(&csv->base.pool, BLOCK_ROWS * width, sizeof *csv->row);
        if (!csv->row) {
            return out_of_memory(error);
        }
    }
    long i_block = i / BLOCK_ROWS;
    csv->first = i_block * BLOCK_ROWS;
    csv->n_held = 0;
    if (fseeko(csv->stream, csv->place[i_block], SEEK_SET) != 0) {
        return fail_read(csv, error);
    }
    long n = csv->base.n_record - csv->first;
    n = n < BLOCK_ROWS ? n : BLOCK_ROWS;
    for (long k = 0; k < n;) {
        ssize_t length = getline(&csv->line, &csv->line_size, csv->stream);
        if (length < 0) {
            return fail_read(csv, error);
        }
        if (is_blank(csv->line, (size_t)length)) {
            continue;
        }
        // what a crash leaves in a file
        if (strlen(csv->line) != (size_t)length) {
            return bad_row(csv, csv->first + k, "is damaged: it has a character NUL", error);
        }
        ElvStatus status = parse_row(csv, csv->first + k, csv->row + (size_t)k * width, error);
        if (status != ELV_OK) {
            return status;
        }
        k++;
    }
    csv->n_held = n;
    return ELV_OK;
}

static ElvStatus csv_find(ElvTrajectory* trajectory,
                          long i,
                          const ElvModel* model,
                          bool has_values,
                          ElvTrajectoryRow* row,
                          ElvError* error) {
    CsvSource* csv = (CsvSource*)trajectory;
    (void)model;
    (void)has_values;
    if (i < csv->first || i >= csv->first + csv->n_held) {
        ElvStatus status = load_block(csv, i, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    row->t = csv->row + (size_t)(i - csv->first) * (1 + (size_t)trajectory->n_signal);
    row->value = row->t + 1;
    return ELV_OK;
}

static void csv_close(ElvTrajectory* trajectory) {
    CsvSource* csv = (CsvSource*)trajectory;
    if (csv->stream) {
        fclose(csv->stream);
    }
    free(csv->place);
    free(csv->line);
}

static const ElvTrajectorySource csv_source = {csv_find, csv_close};

ElvStatus elv_trajectory_source_csv(const char* path, ElvTrajectory** trajectory, ElvError* error) {
    CsvSource* csv = calloc(1, sizeof *csv);
    if (!csv) {
        return out_of_memory(error);
    }
    csv->base.source = &csv_source;
    csv->base.is_complete = true;
    csv->base.path = elv_pool_string(&csv->base.pool, path);
    csv->stream = fopen(path, "rb");
    ElvStatus status = ELV_OK;
    if (!csv->base.path) {
        status = out_of_memory(error);
    } else if (!csv->stream) {
        status = elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot read '%.400s': %s", path,
                               strerror(errno));
    }
    if (status == ELV_OK) {
        status = read_names(csv, error);
    }
    if (status == ELV_OK) {
        status = scan_lines(csv, error);
    }
    if (status == ELV_OK) {
        *trajectory = &csv->base;
    } else {
        elv_trajectory_free(&csv->base);
    }
    return status;
}
