// SPDX-License-Identifier: Apache-2.0
// Pages from trajectories and models: every record becomes the numbers of a view.
//
// A page is to stay small enough for mail: of long runs records are left out evenly (elv_view_stride), unless --all is given.
// POSIX: sizes of files.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "view.h"

#include "progress.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char command[] = "view";

/// What is written, and how far it has come.
typedef struct {
    const ViewOptions* options;
    ElvViewFile* file;
    ElvModel* model; // of the view, which looks into it
    ElvView* view;
    double* value;    // a record of the view
    ElvStatus status; // of the last append
    ElvError error;
    CliProgress progress;
    bool is_static; // a model's equilibria, which the progress line counts
    bool is_interrupted;
    const char* path;
    char title[512]; // of the trajectory that comes next; "": none
    long n_record;   // of the trajectory that was begun last
    long n_picture;  // in the file
} Page;

// ---- what a page holds

// each of how many records is taken
static long choose_stride(const Page* page, double n_record) {
    return page->options->is_whole ? 1 : elv_view_stride(page->view, n_record);
}

static void release(Page* page) {
    elv_view_free(page->view);
    free(page->value);
    elv_model_free(page->model);
    page->view = NULL;
    page->value = NULL;
    page->model = NULL;
}

// begin a trajectory of the page, which takes over the model; the one before is not needed any more
static ElvStatus begin(Page* page, ElvModel* model, bool is_statics, ElvError* error) {
    ElvView* view = NULL;
    ElvViewOptions options = page->options->view;
    options.is_statics = is_statics;
    ElvStatus status = elv_view_create(model, &options, &view, error);
    double* value = view ? calloc((size_t)elv_view_n_value(view) + 1, sizeof *value) : NULL;
    if (status == ELV_OK && !value) {
        status = elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status == ELV_OK) {
        status = elv_view_file_begin(page->file, view, page->title[0] ? page->title : NULL, error);
    }
    if (status != ELV_OK) {
        elv_view_free(view);
        free(value);
        elv_model_free(model);
        return status;
    }
    release(page);
    page->model = model;
    page->view = view;
    page->value = value;
    page->n_record = 0;
    return ELV_OK;
}

// whether two models consist of the same bodies and rods, whatever their values
static bool is_alike(const ElvModel* a, const ElvModel* b) {
    bool is_same = elv_model_n_node(a) == elv_model_n_node(b);
    for (int i = 0; i < elv_model_n_node(a) && is_same; i++) {
        ElvNodeInfo node = elv_model_node(a, i);
        ElvNodeInfo other = elv_model_node(b, i);
        is_same = node.is_rod == other.is_rod && strcmp(node.name, other.name) == 0;
    }
    return is_same;
}

// ghosts are mostly variants of one model: another one may be a slip
static void note_other(const Page* page, const ElvModel* model, const char* name) {
    if (page->model && !page->options->is_quiet && !is_alike(page->model, model)) {
        (void)cli_complain(command, CLI_DONE,
                           "note: '%s' is another model ('%s') than the one before it ('%s')", name,
                           elv_model_name(model), elv_model_name(page->model));
    }
}

static ElvStatus
append(Page* page, const ElvModel* model, ElvData* data, const ElvState* state, ElvError* error) {
    elv_view_eval(page->view, model, data, state, page->value);
    ElvStatus status = elv_view_file_append(page->file, state->t, page->value, error);
    page->n_record += status == ELV_OK;
    return status;
}

// callback of elv_simulate and elv_statics_run
static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Page* page = user;
    page->status = append(page, model, data, state, &page->error);
    if (page->is_static && cli_progress_is_due(&page->progress)) {
        cli_progress_print(&page->progress, (double)page->n_record, "load = %.4g", state->t);
    }
    page->is_interrupted = page->is_interrupted || cli_is_interrupted();
    return page->status == ELV_OK && !page->is_interrupted;
}

static bool progress(void* user, double t, const ElvIntegratorReport* report) {
    Page* page = user;
    if (cli_progress_is_due(&page->progress)) {
        cli_progress_print(&page->progress, t, "t = %.4g of %.4g s  %ld steps  %ld iterations", t,
                           page->progress.end, report->n_step, report->n_iteration);
    }
    page->is_interrupted = page->is_interrupted || cli_is_interrupted();
    return !page->is_interrupted;
}

// ---- trajectories

static ElvStatus copy_records(Page* page, CliReplay* from, ElvError* error) {
    ElvStatus status = ELV_OK;
    long n = from->n_record;
    long stride = choose_stride(page, (double)n);
    cli_progress_start(&page->progress, 0.0, (double)n, page->options->is_quiet);
    for (long i = 0; i < n && status == ELV_OK && !cli_is_interrupted(); i++) {
        if (i % stride != 0 && i != n - 1) {
            continue;
        }
        status = cli_replay_read(from, i, error);
        if (status == ELV_OK) {
            status = append(page, from->model, from->data, from->state, error);
        }
        if (cli_progress_is_due(&page->progress)) {
            cli_progress_print(&page->progress, (double)i, "record %ld of %ld", i, n);
        }
    }
    cli_progress_clear(&page->progress);
    return status;
}

static int add_opened(Page* page, CliReplay* from) {
    ElvError error;
    elv_error_clear(&error);
    note_other(page, from->model, from->path);
    ElvStatus status =
        begin(page, from->model, elv_trajectory_is_statics(from->trajectory), &error);
    status = status == ELV_OK ? copy_records(page, from, &error) : status;
    // the page has it
    from->model = NULL;
    return status == ELV_OK ? CLI_DONE : cli_complain_error(command, cli_exit_code(status), &error);
}

static int add_trajectory(Page* page, const char* name, bool* is_kept) {
    CliReplay from;
    int code = cli_replay_open(command, name, page->options->is_quiet, &from);
    from.overrides = &page->options->overrides;
    code = code == CLI_DONE ? cli_replay_states(command, &from) : code;
    code = code == CLI_DONE ? add_opened(page, &from) : code;
    cli_replay_free(&from);
    if (code != CLI_DONE) {
        return code;
    }
    *is_kept = true;
    return cli_is_interrupted()
               ? cli_complain(command, CLI_FAILED, "interrupted; %s has the first %ld records",
                              page->path, page->n_record)
               : CLI_DONE;
}

// ---- models

// a model with loads to go through, and nothing said of a motion
static bool is_static(const ViewOptions* options, const ElvModel* model) {
    ElvSimulateDef given = elv_model_simulate(model);
    ElvSimulateDef usual = elv_simulate_def_default();
    bool has_motion = given.method != usual.method || given.step != usual.step ||
                      given.duration != usual.duration;
    return options->is_static || (elv_model_statics(model).n_load > 0 && !has_motion);
}

static ElvStatus simulate(Page* page, const ElvModel* model, ElvState* state, ElvError* error) {
    if (page->is_static) {
        ElvStaticsOptions statics = elv_statics_options_default(model);
        statics.record = record;
        statics.method.stop = cli_stop();
        statics.user = page;
        cli_progress_start(&page->progress, 0.0, statics.method.n_load, page->options->is_quiet);
        ElvStatus status = elv_statics_run(model, state, &statics, NULL, error);
        cli_progress_clear(&page->progress);
        return status;
    }
    ElvSimulateOptions run = elv_simulate_options_default(model, state);
    double n_record = (run.t_end - state->t) / run.record_every;
    run.record_every *= (double)choose_stride(page, n_record);
    run.record = record;
    run.progress = progress;
    run.method.stop = cli_stop();
    run.user = page;
    cli_progress_start(&page->progress, state->t, run.t_end, page->options->is_quiet);
    ElvStatus status = elv_simulate(model, state, &run, NULL, error);
    cli_progress_clear(&page->progress);
    return status;
}

// a run that fails, or that is interrupted, keeps what it has shown
static int add_model(Page* page, const char* name, bool* is_kept) {
    CliModel loaded;
    int code = cli_model_load(command, name, &page->options->overrides, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    cli_warn_motion(command, loaded.model);
    ElvError error;
    elv_error_clear(&error);
    ElvState* state = NULL;
    ElvStatus status = elv_state_create(loaded.model, &state, &error);
    if (status == ELV_OK) {
        note_other(page, loaded.model, name);
        page->is_static = is_static(page->options, loaded.model);
        status = begin(page, loaded.model, page->is_static, &error);
        loaded.model = NULL;
    }
    bool has_begun = status == ELV_OK;
    if (has_begun) {
        status = simulate(page, page->model, state, &error);
        page->is_interrupted = page->is_interrupted || status == ELV_ERROR_CANCELLED;
    }
    *is_kept = has_begun && page->status == ELV_OK && page->n_record > 0;
    if (page->status != ELV_OK) {
        status = page->status;
        error = page->error;
    }
    if (page->is_interrupted) {
        code = cli_complain(command, CLI_FAILED, "interrupted at %s%.6g%s; %s has it up to there",
                            page->is_static ? "load " : "t = ", state->t,
                            page->is_static ? "" : " s", page->path);
    } else if (status != ELV_OK) {
        cli_model_locate(&loaded, &error);
        code = cli_complain_error(command, cli_exit_code(status), &error);
    }
    elv_state_free(state);
    cli_model_free(&loaded);
    return code;
}

// ---- the file

// several trajectories are told apart by their files: the last part of the name, without its ending
static void entitle(Page* page, int i) {
    const ViewOptions* options = page->options;
    const char* title = options->title ? options->title : "";
    if (options->n_input < 2 || (i == 0 && options->title)) {
        snprintf(page->title, sizeof page->title, "%s", title);
        return;
    }
    const char* name = options->input[i];
    size_t n = strlen(name);
    n -= n > 1 && name[n - 1] == '/';
    size_t begin = n;
    while (begin > 0 && name[begin - 1] != '/') {
        begin--;
    }
    for (size_t k = n; k > begin + 1; k--) {
        if (name[k - 1] == '.') {
            n = k - 1;
            break;
        }
    }
    snprintf(page->title, sizeof page->title, "%.*s", (int)(n - begin), name + begin);
}

static int add_all(Page* page, bool* is_kept) {
    int code = CLI_DONE;
    for (int i = 0; i < page->options->n_input && code == CLI_DONE; i++) {
        const char* name = page->options->input[i];
        *is_kept = false;
        entitle(page, i);
        code = cli_is_trajectory(name) ? add_trajectory(page, name, is_kept)
                                       : add_model(page, name, is_kept);
    }
    return code;
}

// what was written, where the user has said where
static void print_summary(const Page* page) {
    const ViewOptions* options = page->options;
    struct stat info;
    if (options->is_quiet || !options->out || stat(page->path, &info) != 0) {
        return;
    }
    fprintf(stderr, "%s: ", page->path);
    // a series for ParaView is a folder of files
    if (!cli_ends_in(page->path, ".pvd")) {
        fprintf(stderr, "%.2g MB, ", (double)info.st_size / 1e6);
    }
    fprintf(stderr, "%ld picture%s, %d run%s\n", page->n_picture, page->n_picture == 1 ? "" : "s",
            options->n_input, options->n_input == 1 ? "" : "s");
}

int view_write(const ViewOptions* options, const char* path) {
    ElvError error;
    elv_error_clear(&error);
    Page page = {.options = options, .status = ELV_OK, .path = path};
    ElvStatus status = elv_view_file_create(path, &page.file, &error);
    if (status != ELV_OK) {
        return cli_complain_error(command, cli_exit_code(status), &error);
    }
    cli_catch_signals();
    bool is_kept = false;
    int code = add_all(&page, &is_kept);
    if (code == CLI_DONE || is_kept) {
        page.n_picture = elv_view_file_n_picture(page.file);
        status = elv_view_file_close(page.file, &error);
        if (status != ELV_OK) {
            code = cli_complain_error(command, cli_exit_code(status), &error);
        }
        if (code == CLI_DONE) {
            print_summary(&page);
        }
    } else {
        elv_view_file_discard(page.file);
    }
    release(&page);
    return code;
}
