// SPDX-License-Identifier: Apache-2.0
// One run of a figure: load the example with the values of the figure, simulate or find equilibria, and keep every record
// of the signals that its panels draw; a viewer file is written on the way.
#include "figure.h"
#include "figure_view.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- records

typedef struct {
    FigureData* data;
    ElvSignals* signals;
    FigureView* view; // or NULL
    bool is_static, is_projective;
    CliProgress progress;
    ElvStatus status;
    ElvError error;
} Recorder;

static void keep_rod(
    const FigureRod* rod, const ElvModel* model, ElvData* data, const ElvState* state, double* at) {
    for (int i = 0; i < FIGURE_STATIONS; i++) {
        ElvPose pose;
        elv_rod_section(model, data, state, rod->i_node, (double)i / (FIGURE_STATIONS - 1), &pose,
                        NULL, NULL);
        *at++ = pose.p.x;
        *at++ = pose.p.y;
        *at++ = pose.p.z;
    }
}

// efforts of all joints by the recursion of the thesis, in place of those of the signals
static ElvStatus project(const Recorder* recorder,
                         const ElvModel* model,
                         ElvData* work,
                         const ElvState* state,
                         double* row,
                         ElvError* error) {
    const FigureData* data = recorder->data;
    double* tau = calloc((size_t)elv_model_nv(model) + 1, sizeof *tau);
    if (!tau) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    ElvWrench left;
    ElvStatus status = elv_locomotion_projective_torques(model, work, state, tau, &left, error);
    for (int i = 0; i < data->n_name && status == ELV_OK; i++) {
        const char* part = strstr(data->name[i], ".effort.");
        for (int k = 0; part && k < elv_model_n_node(model); k++) {
            ElvNodeInfo node = elv_model_node(model, k);
            size_t n = (size_t)(part - data->name[i]);
            if (strlen(node.name) == n && strncmp(node.name, data->name[i], n) == 0) {
                row[data->column[i]] =
                    tau[node.i_v + (int)strtol(part + strlen(".effort."), NULL, 10)];
            }
        }
    }
    free(tau);
    return status;
}

static ElvStatus
keep(Recorder* recorder, const ElvModel* model, ElvData* work, const ElvState* state) {
    FigureData* data = recorder->data;
    size_t width = figure_width(data);
    if (data->n_record == data->n_room) {
        int n_room = data->n_room > 0 ? 2 * data->n_room : 256;
        double* grown = realloc(data->value, (size_t)n_room * width * sizeof *grown);
        if (!grown) {
            return elv_error_set(&recorder->error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
        }
        data->value = grown;
        data->n_room = n_room;
    }
    double* row = data->value + (size_t)data->n_record * width;
    row[0] = state->t;
    elv_signals_eval(recorder->signals, model, work, state, row + 1);
    for (int i = 0; i < data->n_rod; i++) {
        keep_rod(&data->rod[i], model, work, state,
                 row + figure_rod_column(data, data->rod[i].name));
    }
    data->n_record++;
    ElvStatus status =
        recorder->view ? figure_view_append(recorder->view, model, work, state, &recorder->error)
                       : ELV_OK;
    if (status == ELV_OK && recorder->is_projective) {
        status = project(recorder, model, work, state, row, &recorder->error);
    }
    return status;
}

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Recorder* recorder = user;
    CliProgress* line = &recorder->progress;
    recorder->status = keep(recorder, model, data, state);
    if (recorder->is_static && cli_progress_is_due(line)) {
        cli_progress_print(line, recorder->data->n_record, "load %.4g", state->t);
    }
    return recorder->status == ELV_OK && !cli_is_interrupted();
}

static bool progress(void* user, double t, const ElvIntegratorReport* report) {
    CliProgress* line = &((Recorder*)user)->progress;
    if (cli_progress_is_due(line)) {
        cli_progress_print(line, t, "t = %.4g of %.4g s  %ld steps  %ld iterations", t, line->end,
                           report->n_step, report->n_iteration);
    }
    return !cli_is_interrupted();
}

// ---- the run

static ElvStatus
carry_out(const FigureRun* run, const ElvModel* model, Recorder* recorder, ElvError* error) {
    ElvState* state = NULL;
    ElvStatus status = elv_state_create(model, &state, error);
    if (status == ELV_OK && run->is_static) {
        ElvStaticsReport report;
        ElvStaticsOptions options = elv_statics_options_default(model);
        options.method.stop = cli_stop();
        options.record = record;
        options.user = recorder;
        cli_progress_start(&recorder->progress, 0.0, options.method.n_load, false);
        status = elv_statics_run(model, state, &options, &report, error);
        cli_progress_clear(&recorder->progress);
    } else if (status == ELV_OK) {
        ElvIntegratorReport report;
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        options.record = record;
        options.progress = progress;
        options.method.stop = cli_stop();
        options.user = recorder;
        cli_progress_start(&recorder->progress, state->t, options.t_end, false);
        status = elv_simulate(model, state, &options, &report, error);
        cli_progress_clear(&recorder->progress);
    }
    elv_state_free(state);
    // a record that could not be kept is the reason, not the stop it led to
    if (recorder->status != ELV_OK) {
        status = recorder->status;
        *error = recorder->error;
    }
    ElvStatus wish = reproduce_check(error);
    return wish != ELV_OK ? wish : status;
}

// where each signal begins; one that was named twice has one place
static ElvStatus place_columns(FigureData* data, const ElvSignals* signals, ElvError* error) {
    data->n_column = elv_signals_n_column(signals);
    for (int i = 0; i < data->n_name; i++) {
        const char* dot = strrchr(data->name[i], '.');
        bool is_position = dot && strcmp(dot, ".position") == 0;
        char name[FIGURE_NAME + 2];
        snprintf(name, sizeof name, "%s%s", data->name[i], is_position ? ".x" : "");
        for (int k = 0; k < data->n_column; k++) {
            if (strcmp(elv_signals_column_name(signals, k), name) == 0) {
                data->column[i] = 1 + k;
            }
        }
        if (data->column[i] == 0) {
            return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                                 "the signal '%s' of the figure is not one component",
                                 data->name[i]);
        }
    }
    return ELV_OK;
}

static ElvStatus
make_signals(FigureData* data, const ElvModel* model, ElvSignals** signals, ElvError* error) {
    const char** names = calloc((size_t)data->n_name + 1, sizeof *names);
    if (!names) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    for (int i = 0; i < data->n_name; i++) {
        names[i] = data->name[i];
    }
    ElvStatus status = elv_signals_create(model, names, data->n_name, signals, error);
    free(names);
    return status == ELV_OK ? place_columns(data, *signals, error) : status;
}

// the list of signals as YAML; a station exists where the model records it
static char* list_signals(const FigureData* data) {
    size_t room = 3 + (size_t)data->n_name * (FIGURE_NAME + 2);
    char* text = calloc(room, 1);
    size_t n = 0;
    for (int i = 0; text && i < data->n_name; i++) {
        n += (size_t)snprintf(text + n, room - n, "%s%s", i > 0 ? ", " : "[", data->name[i]);
    }
    if (text) {
        snprintf(text + n, room - n, "%s", data->n_name > 0 ? "]" : "[]");
    }
    return text;
}

// data: what the model must record, or NULL
static int load(const FigureRun* run, const FigureData* data, CliModel* loaded) {
    CliOverrides overrides = {0};
    int code = CLI_DONE;
    for (int i = 0; i < FIGURE_SETS && run->set[i] && code == CLI_DONE; i++) {
        code = cli_override_set("reproduce", &overrides, run->set[i]);
    }
    if (code == CLI_DONE && data) {
        char* signals = list_signals(data);
        if (!signals || !cli_override(&overrides, NULL, "record.signals", signals)) {
            code = cli_complain("reproduce", CLI_FAILED, "out of memory");
        }
        free(signals);
    }
    if (code == CLI_DONE) {
        code = cli_model_load("reproduce", run->model, &overrides, loaded);
    }
    cli_overrides_free(&overrides);
    return code;
}

// once to know which names are rods, then with all that is to be recorded
static int load_twice(const Figure* figure, int run, FigureData* data, CliModel* loaded) {
    int code = load(&figure->run[run], NULL, loaded);
    if (code != CLI_DONE) {
        return code;
    }
    bool is_good = figure_ask_all(figure, run, loaded->model, data);
    cli_model_free(loaded);
    return is_good ? load(&figure->run[run], data, loaded)
                   : cli_complain("reproduce", CLI_FAILED, "out of memory");
}

// the viewer shows the curves of the figure
static ElvStatus open_view(const Figure* figure,
                           int run,
                           const ElvModel* model,
                           const char* path,
                           FigureView** view,
                           ElvError* error) {
    const char* signal[FIGURE_PANELS * FIGURE_CURVES];
    int n = 0;
    for (int i = 0; i < figure_n_panel(figure); i++) {
        const FigurePanel* panel = &figure->panel[i];
        for (int k = 0; k < FIGURE_CURVES && panel->run == run && panel->curve[k].y; k++) {
            signal[n++] = panel->curve[k].y;
        }
    }
    return figure_view_open(path, model, figure->title, signal, n, figure->run[run].is_static, view,
                            error);
}

static ElvStatus run_loaded(const Figure* figure,
                            int index,
                            const CliModel* loaded,
                            const char* path,
                            FigureData* data,
                            ElvError* error) {
    const FigureRun* run = &figure->run[index];
    Recorder recorder = {.data = data,
                         .is_static = run->is_static,
                         .is_projective = run->is_projective,
                         .status = ELV_OK};
    ElvStatus status = make_signals(data, loaded->model, &recorder.signals, error);
    if (status == ELV_OK && path) {
        status = open_view(figure, index, loaded->model, path, &recorder.view, error);
    }
    if (status == ELV_OK) {
        status = carry_out(run, loaded->model, &recorder, error);
    }
    if (recorder.view) {
        ElvStatus closed = figure_view_close(recorder.view, status == ELV_OK, error);
        status = status == ELV_OK ? closed : status;
    }
    elv_signals_free(recorder.signals);
    return status;
}

int figure_run(const Figure* figure, int run, const char* view, FigureData* data) {
    CliModel loaded = {0};
    int code = load_twice(figure, run, data, &loaded);
    if (code != CLI_DONE) {
        return CLI_FAILED;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = run_loaded(figure, run, &loaded, view, data, &error);
    if (status != ELV_OK) {
        cli_model_locate(&loaded, &error);
        code = cli_complain_error("reproduce", CLI_FAILED, &error);
    }
    cli_model_free(&loaded);
    return code;
}

// no panel draws times that its run does not reach
static int check_times(const Figure* figure, int run, const ElvModel* model) {
    double end = elv_model_simulate(model).duration;
    for (int i = 0; i < figure_n_panel(figure) && !figure->run[run].is_static; i++) {
        const FigurePanel* panel = &figure->panel[i];
        bool draws = run >= panel->run && run < panel->run + (panel->n_run > 0 ? panel->n_run : 1);
        double last = panel->kind == PANEL_BARS ? panel->at
                      : panel->n_time > 0       ? panel->first + (panel->n_time - 1) * panel->step
                                                : fmax(panel->since, panel->until);
        if (draws && last > end * (1.0 + 1e-12)) {
            return cli_complain("reproduce", CLI_FAILED,
                                "%s: a panel draws t = %g s of a run that ends at %g s", figure->id,
                                last, end);
        }
    }
    return CLI_DONE;
}

int figure_check(const Figure* figure, int run) {
    CliModel loaded = {0};
    FigureData data = {.n_record = 0};
    int code = load_twice(figure, run, &data, &loaded);
    if (code == CLI_DONE) {
        ElvError error;
        elv_error_clear(&error);
        ElvSignals* signals = NULL;
        code = check_times(figure, run, loaded.model);
        if (make_signals(&data, loaded.model, &signals, &error) != ELV_OK) {
            code = cli_complain_error("reproduce", CLI_FAILED, &error);
        }
        elv_signals_free(signals);
        cli_model_free(&loaded);
    }
    figure_data_free(&data);
    return code;
}

void figure_data_free(FigureData* data) {
    free(data->name);
    free(data->column);
    free(data->rod);
    free(data->value);
    *data = (FigureData){.n_record = 0};
}
