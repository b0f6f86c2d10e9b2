// SPDX-License-Identifier: Apache-2.0
// `elver statics --continue`: one row a point of a path, and the critical points that it met.
#include "statics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
keep_critical(Statics* statics, const ElvState* state, const ElvContinuationPoint* point) {
    size_t n = (size_t)statics->n_critical;
    CriticalPoint* grown = realloc(statics->critical, (n + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    statics->critical = grown;
    CriticalPoint* last = &statics->critical[n];
    last->null_vector = malloc(((size_t)state->nv + 1) * sizeof *last->null_vector);
    if (!last->null_vector) {
        return false;
    }
    memcpy(last->null_vector, point->null_vector, (size_t)state->nv * sizeof *last->null_vector);
    last->kind = point->kind;
    last->load = state->t;
    statics->n_critical++;
    return true;
}

static bool on_point(void* user,
                     const ElvModel* model,
                     ElvData* data,
                     const ElvState* state,
                     const ElvContinuationPoint* point) {
    Statics* statics = user;
    Run* run = &statics->run;
    if (run->n_record == 0) {
        statics->load_start = state->t;
    }
    if (point->kind != ELV_POINT_REGULAR && !keep_critical(statics, state, point)) {
        run->record_status =
            elv_error_set(&run->record_error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
        return false;
    }
    statics->n_undecided += isfinite(point->eigenvalue) ? 0 : 1;
    run->value[run->n_column - 1] = isfinite(point->eigenvalue) ? point->eigenvalue : 0.0;
    // a path may turn round: the load does not tell how long it will be
    return run_record(run, model, data, state) &&
           run_progress_row(run, state->t, "load", state->t, (long)run->n_record);
}

void statics_follow(Statics* statics) {
    Run* run = &statics->run;
    ElvContinuationOptions options = elv_continuation_options_default(run->loaded.model);
    options.record = on_point;
    options.method.stop = cli_stop();
    options.user = statics;
    options.branch = statics->branch;
    options.branch_at = statics->branch_at > 0 ? statics->branch_at : options.branch_at;
    options.max_step = statics->max_step > 0.0 ? statics->max_step : options.max_step;
    options.max_points = statics->max_points > 0 ? statics->max_points : options.max_points;
    ElvStaticsDef method = elv_model_statics(run->loaded.model);
    cli_progress_start(&run->progress, method.n_load > 1 ? method.load[0] : 0.0,
                       method.n_load > 0 ? method.load[method.n_load - 1] : 0.0,
                       run->options.is_quiet);
    run->status =
        elv_statics_continue(run->loaded.model, run->state, &options, &statics->path, &run->error);
    statics->report.n_increment = statics->path.n_point;
    statics->report.n_iteration = statics->path.n_iteration;
    statics->report.n_halving = statics->path.n_cut;
}

static const char* const kind_name[] = {"regular", "limit", "bifurcation"};
static const char* const end_name[] = {"last load", "first load", "max points", "lost"};

void statics_print_path(const Statics* statics) {
    const ElvContinuationReport* path = &statics->path;
    for (int i = 0; i < statics->n_critical; i++) {
        const CriticalPoint* point = &statics->critical[i];
        fprintf(stderr, "  %-10s at load %.12g\n",
                point->kind == ELV_POINT_LIMIT ? "limit" : "bifurcates", point->load);
    }
    fprintf(stderr, "  path       %d points, loads %.9g to %.9g, %ld iterations, %ld steps cut\n",
            path->n_point, path->load_min, path->load_max, path->n_iteration, path->n_cut);
    if (path->end == ELV_CONTINUATION_BACK) {
        fprintf(stderr, "  the path turned round and left the range at its first load\n");
    } else if (path->end == ELV_CONTINUATION_POINTS) {
        fprintf(stderr, "  the path ended after --max-points\n");
    }
}

void statics_json_path(const Statics* statics) {
    const ElvContinuationReport* path = &statics->path;
    size_t nv = (size_t)elv_model_nv(statics->run.loaded.model);
    printf(",\n  \"end\": \"%s\",\n  \"points\": %d,\n  \"branched\": %s", end_name[path->end],
           path->n_point, path->has_branched ? "true" : "false");
    printf(",\n  \"critical\": [");
    for (int i = 0; i < statics->n_critical; i++) {
        const CriticalPoint* point = &statics->critical[i];
        printf("%s\n    {\"kind\": \"%s\", \"load\": ", i > 0 ? "," : "", kind_name[point->kind]);
        cli_json_number(stdout, point->load);
        printf(", \"null_vector\": ");
        cli_json_numbers(stdout, point->null_vector, nv);
        printf("}");
    }
    printf("%s]", statics->n_critical > 0 ? "\n  " : "");
}

int statics_check_branch(const Statics* statics) {
    const ElvContinuationReport* path = &statics->path;
    if (!statics->is_path || statics->branch == 0 || path->has_branched) {
        return CLI_DONE;
    }
    if (path->n_bifurcation == 0) {
        return cli_complain("statics", CLI_FAILED,
                            "--branch: the path meets no bifurcation to leave it at");
    }
    return cli_complain("statics", CLI_FAILED,
                        "--branch-at %d: the path meets %d bifurcation%s, and stayed as it is",
                        statics->branch_at, path->n_bifurcation,
                        path->n_bifurcation == 1 ? "" : "s");
}

void statics_free_path(Statics* statics) {
    for (int i = 0; i < statics->n_critical; i++) {
        free(statics->critical[i].null_vector);
    }
    free(statics->critical);
}
