// SPDX-License-Identifier: Apache-2.0
// The files of one figure: curves as CSV, the picture, the viewer file of the first run, tables, what a study prints. Each
// is written under a temporary name and appears when it is whole. POSIX: standard output is turned to a file.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "figure.h"

#include <string.h>
#include <unistd.h>

void figure_path(const Figure* figure,
                 const char* folder,
                 const char* ending,
                 char path[CLI_PATH]) {
    snprintf(path, CLI_PATH, "%.4000s/%.64s%.8s", folder, figure->id, ending);
}

bool figure_has_file(const Figure* figure, const char* folder, const char* ending) {
    char path[CLI_PATH];
    figure_path(figure, folder, ending, path);
    return access(path, R_OK) == 0;
}

// ---- CSV

static void write_text(FILE* stream, const char* text, size_t n) {
    bool is_plain = true;
    for (size_t i = 0; i < n; i++) {
        is_plain = is_plain && !strchr(",\"\n", text[i]);
    }
    if (is_plain) {
        fwrite(text, 1, n, stream);
        return;
    }
    fputc('"', stream);
    for (size_t i = 0; i < n; i++) {
        fputs(text[i] == '"' ? "\"" : "", stream);
        fputc(text[i], stream);
    }
    fputc('"', stream);
}

static void write_curves(FILE* stream, const Figure* figure, const FigureDrawing* drawing) {
    fputs("panel,curve,x,y\n", stream);
    for (int i = 0; i < drawing->n; i++) {
        const FigureSeries* series = &drawing->series[i];
        const char* panel = figure->panel[series->panel].title;
        for (int k = 0; k < series->n; k++) {
            write_text(stream, panel, strlen(panel));
            fputc(',', stream);
            write_text(stream, series->label, strlen(series->label));
            fputc(',', stream);
            cli_print_number(stream, series->x[k]);
            fputc(',', stream);
            cli_print_number(stream, series->y[k]);
            fputc('\n', stream);
        }
    }
}

static void write_rows(FILE* stream, const Figure* figure) {
    for (int i = 0; i < FIGURE_ROWS && figure->row[i]; i++) {
        for (const char* at = figure->row[i]; at;) {
            size_t n = strcspn(at, "|");
            write_text(stream, at, n);
            at = at[n] ? at + n + 1 : NULL;
            fputc(at ? ',' : '\n', stream);
        }
    }
}

static int write_csv(const Figure* figure, const FigureDrawing* drawing, const char* folder) {
    char path[CLI_PATH];
    CliFile file;
    figure_path(figure, folder, ".csv", path);
    int code = cli_file_begin("reproduce", path, &file);
    if (code != CLI_DONE) {
        return code;
    }
    if (drawing) {
        write_curves(file.stream, figure, drawing);
    } else {
        write_rows(file.stream, figure);
    }
    return cli_file_end(&file);
}

// ---- pictures

static int draw(const Figure* figure, const FigureData* data, const char* folder) {
    FigureDrawing drawing = {.n = 0};
    int code = figure_build(figure, data, &drawing)
                   ? write_csv(figure, &drawing, folder)
                   : cli_complain("reproduce", CLI_FAILED, "out of memory");
    if (code == CLI_DONE) {
        char path[CLI_PATH];
        figure_path(figure, folder, ".svg", path);
        code = figure_draw(figure, &drawing, path);
    }
    figure_drawing_free(&drawing);
    return code;
}

static int make_picture(const Figure* figure, const char* folder) {
    FigureData data[FIGURE_RUNS] = {{.n_record = 0}};
    char view[CLI_PATH];
    int code = CLI_DONE;
    int n = figure_n_run(figure);
    figure_path(figure, folder, ".html", view);
    for (int i = 0; i < n && code == CLI_DONE; i++) {
        code = figure_run(figure, i, i == 0 ? view : NULL, &data[i]);
    }
    if (code == CLI_DONE) {
        code = draw(figure, data, folder);
    }
    for (int i = 0; i < n; i++) {
        figure_data_free(&data[i]);
    }
    return code;
}

// ---- tables

static void print_rows(const Figure* figure) {
    enum { MAX_COLUMN = 8 };
    int width[MAX_COLUMN] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < FIGURE_ROWS && figure->row[i]; i++) {
            const char* at = figure->row[i];
            for (int k = 0; at && k < MAX_COLUMN; k++) {
                int n = (int)strcspn(at, "|");
                width[k] = n > width[k] ? n : width[k];
                if (pass == 1) {
                    printf("%-*.*s", at[n] ? width[k] + 3 : 0, n, at);
                }
                at = at[n] ? at + n + 1 : NULL;
            }
            fputs(pass == 1 ? "\n" : "", stdout);
        }
    }
}

static int study(const Figure* figure, bool is_quick) {
    ReproduceOptions options = {.is_quick = is_quick};
    return figure->study(&options);
}

// what the study prints, in a file
static int study_to_file(const Figure* figure, const char* folder, bool is_quick) {
    char path[CLI_PATH];
    CliFile file;
    figure_path(figure, folder, ".txt", path);
    int opened = cli_file_begin("reproduce", path, &file);
    if (opened != CLI_DONE) {
        return opened;
    }
    fflush(stdout);
    int before = dup(STDOUT_FILENO);
    bool is_turned = before >= 0 && dup2(fileno(file.stream), STDOUT_FILENO) >= 0;
    int code = is_turned ? study(figure, is_quick) : CLI_FAILED;
    bool is_good = fflush(stdout) == 0 && is_turned;
    if (is_turned) {
        dup2(before, STDOUT_FILENO);
    }
    if (before >= 0) {
        close(before);
    }
    if (code == CLI_DONE && is_good) {
        return cli_file_end(&file);
    }
    cli_file_discard(&file);
    if (is_turned && code != CLI_DONE) {
        return code;
    }
    return cli_complain("reproduce", CLI_FAILED, "cannot write '%s'", path);
}

int figure_make(const Figure* figure, const char* folder, bool is_quick, bool has_text) {
    int code = CLI_DONE;
    if (figure_n_panel(figure) > 0) {
        code = make_picture(figure, folder);
    }
    if (code == CLI_DONE && figure->row[0]) {
        if (!has_text) {
            print_rows(figure);
        } else if (figure_n_panel(figure) == 0) {
            // with panels the file of that name has the curves
            code = write_csv(figure, NULL, folder);
        }
    }
    if (code == CLI_DONE && figure->study) {
        code = has_text ? study_to_file(figure, folder, is_quick) : study(figure, is_quick);
    }
    return code;
}
