// SPDX-License-Identifier: Apache-2.0
// `--mode-study` of `elver run` and `elver statics`: what one more mode of every strain would change
// [P20 (61)].
#include "run.h"

#include <math.h>

/// A strain below this share of the largest one of its rod is rounding.
static const double ROUNDING = 1e-12;

/// What is printed of a strain.
typedef struct {
    double error, size, relative;
} Row;

static Row row_of(const ElvModeStudyRod* rod, int strain) {
    // the stretch of a rod at rest is 1
    double largest = 1.0;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        largest = rod->is_active[k] ? fmax(largest, rod->size[k]) : largest;
    }
    // sizes are squares
    bool is_noise = rod->size[strain] <= ROUNDING * ROUNDING * largest;
    Row row = {0.0, 0.0, 0.0};
    if (!is_noise) {
        row.error = rod->error[strain];
        row.size = rod->size[strain];
        row.relative = sqrt(row.error / row.size);
    }
    return row;
}

static void print_people(const ElvModeStudy* study) {
    printf("%-16s %-8s %14s %14s %14s\n", "rod", "strain", "eps(n+1/n)", "strain^2", "relative");
    for (int r = 0; r < study->n_rod; r++) {
        const ElvModeStudyRod* rod = &study->rod[r];
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            if (rod->is_active[k]) {
                Row row = row_of(rod, k);
                printf("%-16s %-8s %14.6g %14.6g %14.6g\n", rod->name,
                       elv_strain_name((ElvStrain)k), row.error, row.size, row.relative);
            }
        }
    }
}

static void print_json(const CliModel* loaded, const ElvModeStudy* study) {
    bool is_first = true;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(loaded->model));
    printf(",\n  \"mode_study\": [");
    for (int i = 0; i < study->n_rod * ELV_N_STRAIN; i++) {
        const ElvModeStudyRod* rod = &study->rod[i / ELV_N_STRAIN];
        int k = i % ELV_N_STRAIN;
        if (!rod->is_active[k]) {
            continue;
        }
        Row row = row_of(rod, k);
        printf("%s\n    {\"rod\": ", is_first ? "" : ",");
        cli_json_text(stdout, rod->name);
        printf(", \"strain\": \"%s\", \"error\": ", elv_strain_name((ElvStrain)k));
        cli_json_number(stdout, row.error);
        printf(", \"size\": ");
        cli_json_number(stdout, row.size);
        printf("}");
        is_first = false;
    }
    printf("\n  ]\n}\n");
}

/// Two motions, one after the other.
typedef struct {
    CliProgress line;
    double duration, t_last;
    bool is_second;
} Watch;

static bool on_step(void* user, double t, const ElvIntegratorReport* report) {
    Watch* watch = user;
    // time begins again
    watch->is_second = watch->is_second || t < watch->t_last;
    watch->t_last = t;
    if (cli_progress_is_due(&watch->line)) {
        cli_progress_print(&watch->line, t + (watch->is_second ? watch->duration : 0.0),
                           "%s  t = %.4g of %.4g s  %ld steps  %ld iterations",
                           watch->is_second ? "one mode more" : "as it is", t, watch->duration,
                           report->n_step, report->n_iteration);
    }
    return !cli_is_interrupted();
}

int cli_mode_study(const char* command, const CliModel* loaded, bool is_static, bool is_json) {
    ElvModeStudy* study = NULL;
    ElvError error;
    elv_error_clear(&error);
    Watch watch = {.duration = elv_model_simulate(loaded->model).duration};
    // loads have no steps that could be watched
    ElvStaticsDef statics = elv_model_statics(loaded->model);
    statics.stop = cli_stop();
    ElvStatus status = elv_spec_set_statics(loaded->spec, &statics, &error);
    cli_catch_signals();
    cli_progress_start(&watch.line, 0.0, 2.0 * watch.duration, is_json);
    if (status == ELV_OK) {
        status = elv_mode_study_create(loaded->spec, is_static, on_step, &watch, &study, &error);
    }
    cli_progress_clear(&watch.line);
    if (status == ELV_ERROR_CANCELLED) {
        return cli_complain(command, CLI_FAILED,
                            "interrupted: a study has no result before its end");
    }
    if (status != ELV_OK) {
        return cli_complain_error(command, cli_exit_code(status), &error);
    }
    if (is_json) {
        print_json(loaded, study);
    } else {
        print_people(study);
        fprintf(
            stderr,
            "%s: mean over %s of the integral over s of (strain with one mode more - strain)^2;\n"
            "  relative: the square root of its share in the strain itself\n",
            cli_model_title(loaded), is_static ? "the loads" : "time");
    }
    elv_mode_study_free(study);
    return CLI_DONE;
}
