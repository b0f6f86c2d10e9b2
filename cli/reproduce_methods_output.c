// SPDX-License-Identifier: Apache-2.0
// `elver reproduce methods`: table, JSON, CSV and figure of what was found. The figure has the tip by all methods,
// thick lines below thin ones, so that each is seen although all are the same, and the errors over the steps.
#include "reproduce_methods.h"

#include <math.h>
#include <string.h>

// ---- table

void methods_print_head(const Methods* methods) {
    printf(
        "One rod, one load case, six methods: @one-rod, 0 to %g s, tip every %g s. error: largest "
        "distance of the tip\n"
        "from the reference (10 modes, Newmark, dt = 0.5, 0.25, 0.125 ms extrapolated twice); "
        "order: in the step;\n"
        "extrapolated: the last two runs to dt = 0. Explicit: order 5, rel_tol 1e-6, mean step; "
        "rkmk, till: BDF2, RK4,\n"
        "cubic histories. CPU seconds: one run, one core, this machine\n\n",
        methods->every * (methods->reference.n - 1), methods->every);
    printf("%-31s %12s %9s %10s %6s %8s\n", "method", "", "step, ms", "error, m", "order", "CPU s");
}

void methods_print_result(const Methods* methods, const MethodsResult* result) {
    for (int i = 0; i < methods->n_level; i++) {
        const MethodsRun* run = &result->run[i];
        printf("%-31s %3d %-8s %9.4g %10.2e ", i == 0 ? result->name : "", run->space,
               result->space, 1e3 * run->step, run->error);
        if (isnan(run->order)) {
            printf("%6s", "");
        } else {
            printf("%6.2f", run->order);
        }
        printf(" %8.3f\n", run->path.cpu);
    }
    if (result->is_extrapolated) {
        printf("%-31s %12s %9s %10.2e\n", "", "extrapolated", "0", result->limit_error);
    }
    fflush(stdout);
}

void methods_print_end(const Methods* methods) {
    printf("\nThe tip moves by %.3f m. Any two of the six are at most %.1e m apart at their "
           "finest, %.1e m extrapolated.\n",
           methods->motion, methods->apart, methods->limits_apart);
}

static void print_json_result(const Methods* methods, const MethodsResult* result) {
    printf("    {\n      \"name\": ");
    cli_json_text(stdout, result->name);
    printf(",\n      \"runs\": [");
    for (int i = 0; i < methods->n_level; i++) {
        const MethodsRun* run = &result->run[i];
        printf("%s\n        {\"%s\": %d, \"step\": ", i > 0 ? "," : "", result->space, run->space);
        cli_json_number(stdout, run->step);
        printf(", \"error\": ");
        cli_json_number(stdout, run->error);
        printf(", \"order\": ");
        cli_json_number(stdout, run->order);
        printf(", \"cpu\": ");
        cli_json_number(stdout, run->path.cpu);
        printf("}");
    }
    printf("\n      ],\n      \"limit_error\": ");
    cli_json_number(stdout, result->limit_error);
    printf("\n    }");
}

void methods_print_json(const Methods* methods) {
    printf("{\n  \"model\": \"@one-rod\"");
    cli_json_member_number("motion", methods->motion);
    cli_json_member_number("apart", methods->apart);
    cli_json_member_number("limits_apart", methods->limits_apart);
    printf(",\n  \"methods\": [\n");
    for (int i = 0; i < METHODS_N; i++) {
        print_json_result(methods, &methods->result[i]);
        printf("%s\n", i + 1 < METHODS_N ? "," : "");
    }
    printf("  ]\n}\n");
}

// ---- curves

// t, then x, y, z by each method at its finest, then those of the reference
static void write_curves(FILE* stream, const Methods* methods, char separator) {
    for (int i = 0; i < methods->reference.n; i++) {
        cli_print_number(stream, i * methods->every);
        for (int k = 0; k <= METHODS_N; k++) {
            const ReproducePath* path = k < METHODS_N
                                            ? &methods->result[k].run[methods->n_level - 1].path
                                            : &methods->reference;
            const double at[3] = {path->at[i].x, path->at[i].y, path->at[i].z};
            for (int j = 0; j < 3; j++) {
                fputc(separator, stream);
                cli_print_number(stream, at[j]);
            }
        }
        fputc('\n', stream);
    }
}

int methods_write_csv(const Methods* methods, const char* path) {
    CliFile file;
    int code = cli_file_begin("reproduce", path, &file);
    if (code != CLI_DONE) {
        return code;
    }
    FILE* stream = file.stream;
    fputs("t", stream);
    for (int k = 0; k <= METHODS_N; k++) {
        const char* name = k < METHODS_N ? methods->result[k].name : "reference";
        fprintf(stream, ",%s.x,%s.y,%s.z", name, name, name);
    }
    fputc('\n', stream);
    write_curves(stream, methods, ',');
    return cli_file_end(&file);
}

// ---- figure

static void write_data(FILE* stream, const Methods* methods) {
    fputs("$tip << END_OF_DATA\n", stream);
    write_curves(stream, methods, ' ');
    fputs("END_OF_DATA\n", stream);
    for (int k = 0; k < METHODS_N; k++) {
        fprintf(stream, "$error%d << END_OF_DATA\n", k);
        for (int i = 0; i < methods->n_level; i++) {
            const MethodsRun* run = &methods->result[k].run[i];
            fprintf(stream, "%.9g %.9g\n", 1e3 * run->step, run->error);
        }
        fputs("END_OF_DATA\n", stream);
    }
}

static void write_title(FILE* stream, const Methods* methods, int k) {
    fputs(" title ", stream);
    cli_gnuplot_quoted(stream, methods->result[k].name, strlen(methods->result[k].name));
    fputs(k + 1 < METHODS_N ? ", " : "\n", stream);
}

static void write_script(FILE* stream, const void* user) {
    static const char* const colour[METHODS_N] = {"#88ccee", "#ddcc77", "#cc6677",
                                                  "#44aa99", "#aa4499", "#000000"};
    static const char* const axis[3] = {"x", "y", "z"};
    const Methods* methods = user;
    write_data(stream, methods);
    fputs(
        "set terminal svg size 900,1080 dynamic background rgb 'white' font 'sans,12' noenhanced\n"
        "set multiplot layout 4,1 title 'one rod, one load case, six methods'\n"
        "set grid\n"
        "set key outside right top\n"
        "set lmargin 14\n"
        "set rmargin 36\n"
        "set bmargin 3.5\n"
        "set xlabel 't (s)'\n",
        stream);
    for (int j = 0; j < 3; j++) {
        fprintf(stream, "set ylabel 'tip %s (m)'\nplot ", axis[j]);
        for (int k = 0; k < METHODS_N; k++) {
            fprintf(stream, "$tip using 1:%d with lines lw %.1f lc rgb '%s'", 2 + 3 * k + j,
                    11.0 - 1.9 * k, colour[k]);
            write_title(stream, methods, k);
        }
        // one list of names for the curves
        fputs("unset key\n", stream);
    }
    fputs("set logscale xy\n"
          "set key\n"
          "set format y '%.0e'\n"
          "set xlabel 'step (ms)'\n"
          "set ylabel 'error of the tip (m)'\n"
          "plot ",
          stream);
    for (int k = 0; k < METHODS_N; k++) {
        fprintf(stream, "$error%d with linespoints lw %.1f ps 0.8 lc rgb '%s'", k, 6.0 - k,
                colour[k]);
        write_title(stream, methods, k);
    }
    fputs("unset multiplot\n", stream);
}

int methods_plot(const Methods* methods, const char* path) {
    return cli_gnuplot("reproduce", path, write_script, methods);
}
