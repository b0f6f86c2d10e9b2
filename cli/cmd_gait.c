// SPDX-License-Identifier: Apache-2.0
// `elver gait MODEL`: class of a robot, compatibility of its shape with its constraints, the
// connection and its curvature, net displacement of a cycle.
#include "gait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_OUT,
    OPTION_SET,
    OPTION_JSON,
    OPTION_CONNECTION,
    OPTION_OVER,
    OPTION_FROM,
    OPTION_TO,
    OPTION_POINTS,
    OPTION_PERIOD,
    OPTION_START,
    OPTION_PLOT,
    OPTION_QUIET
};

const char* const gait_connection_names[ELV_N_CONNECTION] = {"mechanical", "stokes"};

// ---- words

static int take_points(const char* text, int* points) {
    double value = 0.0;
    if (!cli_parse_number("gait", "--points", text, &value)) {
        return CLI_USAGE;
    }
    if (!(value >= 2.0 && value <= 2000.0 && value == floor(value))) {
        return cli_complain("gait", CLI_USAGE, "--points: '%s' is not from 2 to 2000", text);
    }
    *points = (int)value;
    return CLI_DONE;
}

static int take_number(const char* option, const char* text, double* value) {
    return cli_parse_number("gait", option, text, value) ? CLI_DONE : CLI_USAGE;
}

static int take(GaitOptions* options, int id, const char* value) {
    switch (id) {
    case CLI_OPERAND:
        if (options->model) {
            return cli_complain("gait", CLI_USAGE, "one model at a time: '%s' is too many", value);
        }
        options->model = value;
        return CLI_DONE;
    case OPTION_OUT:
        options->out = value;
        return CLI_DONE;
    case OPTION_SET:
        return cli_override_set("gait", &options->overrides, value);
    case OPTION_JSON:
        options->is_json = true;
        return CLI_DONE;
    case OPTION_CONNECTION:
        options->connection = value;
        return CLI_DONE;
    case OPTION_OVER:
        options->over = value;
        return CLI_DONE;
    case OPTION_FROM:
        options->has_range = true;
        return take_number("--from", value, &options->from);
    case OPTION_TO:
        options->has_range = true;
        return take_number("--to", value, &options->to);
    case OPTION_POINTS:
        return take_points(value, &options->points);
    case OPTION_PERIOD:
        return take_number("--period", value, &options->period);
    case OPTION_START:
        return take_number("--start", value, &options->start);
    case OPTION_PLOT:
        options->has_plot = true;
        options->plot = value;
        return CLI_DONE;
    case OPTION_QUIET:
        options->is_quiet = true;
        return CLI_DONE;
    default:
        return CLI_USAGE;
    }
}

static int check_options(const GaitOptions* options) {
    size_t n = options->out ? strlen(options->out) : 0;
    bool is_known = n > 4 && (strcmp(options->out + n - 4, ".csv") == 0 ||
                              strcmp(options->out + n - 4, ".npy") == 0);
    if (options->out && !is_known) {
        return cli_complain("gait", CLI_USAGE, "'%s': fields are written as .csv or .npy",
                            options->out);
    }
    if (!options->out && !options->has_plot && options->over) {
        return cli_complain("gait", CLI_USAGE,
                            "--over belongs to a field: give -o FIELD.csv, or --plot");
    }
    if (!(options->to > options->from)) {
        return cli_complain("gait", CLI_USAGE, "--to must be greater than --from");
    }
    if (options->period < 0.0) {
        return cli_complain("gait", CLI_USAGE, "--period must be positive");
    }
    if (options->start < 0.0) {
        return cli_complain("gait", CLI_USAGE, "--start must not be negative");
    }
    return CLI_DONE;
}

static bool parse(int argc, char** argv, GaitOptions* options, int* code) {
    static const CliOption known[] = {
        {OPTION_OUT, 'o', "out", CLI_VALUE},     {OPTION_SET, 0, "set", CLI_VALUE},
        {OPTION_JSON, 0, "json", CLI_FLAG},      {OPTION_CONNECTION, 0, "connection", CLI_VALUE},
        {OPTION_OVER, 0, "over", CLI_VALUE},     {OPTION_FROM, 0, "from", CLI_VALUE},
        {OPTION_TO, 0, "to", CLI_VALUE},         {OPTION_POINTS, 0, "points", CLI_VALUE},
        {OPTION_PERIOD, 0, "period", CLI_VALUE}, {OPTION_START, 0, "start", CLI_VALUE},
        {OPTION_PLOT, 0, "plot", CLI_VALUE_SVG}, {OPTION_QUIET, 'q', "quiet", CLI_FLAG},
    };
    CliParser parser = {"gait", known, sizeof known / sizeof known[0], argc, argv, 0, false, false};
    memset(options, 0, sizeof *options);
    options->from = -1.0;
    options->to = 1.0;
    options->points = 21;
    *code = CLI_DONE;
    const char* value = NULL;
    for (int id = cli_next(&parser, &value); id != CLI_END; id = cli_next(&parser, &value)) {
        if (id == CLI_HELP) {
            cli_print_help("gait");
            return false;
        }
        *code = take(options, id, value);
        if (*code != CLI_DONE) {
            return false;
        }
    }
    *code = check_options(options);
    return *code == CLI_DONE;
}

static int choose_kind(Gait* gait) {
    ElvSimulateDef simulate = elv_model_simulate(gait->loaded.model);
    const char* name = gait->options.connection;
    gait->kind =
        simulate.method == ELV_METHOD_CONNECTION ? simulate.connection : ELV_CONNECTION_MECHANICAL;
    for (int i = 0; i < ELV_N_CONNECTION && name; i++) {
        if (strcmp(name, gait_connection_names[i]) == 0) {
            gait->kind = (ElvConnection)i;
            return CLI_DONE;
        }
    }
    return !name ? CLI_DONE
                 : cli_complain("gait", CLI_USAGE,
                                "unknown connection '%s': it is mechanical or stokes", name);
}

// the name of the plot: as given, the field's with .svg, or the model's with .svg
static int choose_plot(Gait* gait) {
    const GaitOptions* options = &gait->options;
    if (!options->has_plot) {
        return CLI_DONE;
    }
    const char* out = options->out;
    int n = 0;
    if (options->plot) {
        n = snprintf(gait->plot, sizeof gait->plot, "%s", options->plot);
    } else if (out) {
        n = snprintf(gait->plot, sizeof gait->plot, "%.*s.svg", (int)strlen(out) - 4, out);
    } else {
        n = snprintf(gait->plot, sizeof gait->plot, "%s.svg", elv_model_name(gait->loaded.model));
    }
    if (n >= (int)sizeof gait->plot) {
        return cli_complain("gait", CLI_USAGE, "the name of the plot is too long");
    }
    int code = cli_guard_output("gait", gait->plot, gait->loaded.path);
    return code != CLI_DONE || cli_can_write("gait", gait->plot) ? code : CLI_USAGE;
}

// ---- the command

static ElvStatus find_connection(Gait* gait, ElvError* error) {
    const ElvModel* model = gait->loaded.model;
    for (int k = 0; k < elv_model_nv(model); k++) {
        gait->n_imposed += elv_model_is_driven(model, k);
    }
    gait->n_free = elv_model_nv(model) - gait->n_imposed;
    gait->A = calloc((size_t)(gait->n_free * gait->n_imposed) + 1, sizeof *gait->A);
    if (!gait->A) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    ElvStatus status = elv_connection(model, gait->state, gait->kind, gait->A, error);
    if (status == ELV_OK && gait->n_imposed >= 2 && !gait->report.is_singular) {
        gait->F = calloc((size_t)gait->n_free + 1, sizeof *gait->F);
        status =
            gait->F ? elv_connection_curvature(model, gait->state, gait->kind, 0, 1, gait->F, error)
                    : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return status;
}

// free velocities = -A imposed ones + what motors of wheels make at the start  [ALI (3.55)-(3.57)]
static ElvStatus find_motors(Gait* gait, ElvError* error) {
    const ElvModel* model = gait->loaded.model;
    ElvState* start = NULL;
    bool is_wanted =
        gait->report.kind == ELV_LOCOMOTION_ACTUATED && gait->compatibility.is_compatible;
    ElvStatus status = is_wanted ? elv_state_create(model, &start, error) : ELV_OK;
    if (status == ELV_OK && is_wanted) {
        start->t = gait->state->t;
        status = elv_close_loops(model, start, NULL, error);
    }
    gait->motors = is_wanted ? calloc((size_t)gait->n_free + 1, sizeof *gait->motors) : NULL;
    int i_free = 0;
    for (int k = 0; k < elv_model_nv(model) && gait->motors && status == ELV_OK; k++) {
        int i_imposed = 0;
        if (elv_model_is_driven(model, k)) {
            continue;
        }
        double sum = start->v[k];
        for (int j = 0; j < elv_model_nv(model); j++) {
            if (elv_model_is_driven(model, j)) {
                sum += gait->A[i_free * gait->n_imposed + i_imposed++] * start->v[j];
            }
        }
        gait->motors[i_free++] = sum;
    }
    elv_state_free(start);
    return status;
}

// class, compatibility, and the connection at the start
static ElvStatus look(Gait* gait, ElvError* error) {
    const ElvModel* model = gait->loaded.model;
    double duration = elv_model_simulate(model).duration;
    ElvStatus status = elv_state_create(model, &gait->state, error);
    if (status == ELV_OK) {
        gait->state->t += gait->options.start;
        elv_state_impose(model, gait->state);
        status = elv_locomotion_classify(model, gait->state, &gait->report, error);
    }
    if (status == ELV_OK) {
        // the run, or, where it is over, as long as it
        double rest = duration - gait->options.start;
        double t_end = gait->state->t + (rest > 0.0 ? rest : duration);
        status =
            elv_locomotion_compatibility(model, gait->state, t_end, &gait->compatibility, error);
        // what would slip is part of the answer
        bool slips = status == ELV_ERROR_NUMERIC && gait->compatibility.constraint[0];
        status = slips ? ELV_OK : status;
    }
    status = status == ELV_OK ? find_connection(gait, error) : status;
    return status == ELV_OK ? find_motors(gait, error) : status;
}

// What a cycle does, or why there is none: where nothing returns that is an answer, else a failure.
static int find_cycle(Gait* gait) {
    ElvError error;
    elv_error_clear(&error);
    if (!gait->compatibility.is_compatible) {
        (void)snprintf(gait->no_gait, sizeof gait->no_gait,
                       "the imposed motion does not agree with the constraints");
        return CLI_USAGE;
    }
    ElvStop stop = cli_stop();
    ElvStatus status = elv_gait_displacement(gait->loaded.model, gait->state, gait->kind,
                                             gait->options.period, &stop, &gait->gait, &error);
    bool is_answer = status == ELV_ERROR_INPUT &&
                     (strcmp(error.field, "period") == 0 || strcmp(error.field, "motion") == 0);
    bool is_short = is_answer && strcmp(error.field, "period") == 0;
    gait->has_gait = status == ELV_OK;
    (void)snprintf(gait->no_gait, sizeof gait->no_gait, "%.440s%s", error.message,
                   is_short ? ": give one by --period T" : "");
    return is_answer ? CLI_DONE : cli_exit_code(status);
}

// Where constraints leave something free the robot itself does another motion than its connection.
static void find_own(Gait* gait) {
    ElvLocomotionClass kind = gait->report.kind;
    bool is_left = kind == ELV_LOCOMOTION_UNDER || kind == ELV_LOCOMOTION_MIXED;
    if (!is_left || !gait->has_gait || gait->kind != ELV_CONNECTION_MECHANICAL) {
        return;
    }
    ElvStop stop = cli_stop();
    gait->change = calloc((size_t)gait->n_free + 1, sizeof *gait->change);
    gait->has_own =
        gait->change && elv_gait_dynamics(gait->loaded.model, gait->state, gait->gait.period, &stop,
                                          &gait->own, gait->change, NULL) == ELV_OK;
}

static int interrupted(const Gait* gait, bool has_rows) {
    (void)cli_complain("gait", CLI_FAILED, "interrupted");
    if (gait->options.out && has_rows) {
        fprintf(stderr, "  the rows until then are kept in %s\n", gait->options.out);
    }
    return CLI_FAILED;
}

static int study(Gait* gait) {
    ElvError error;
    elv_error_clear(&error);
    cli_catch_signals();
    ElvStatus status = look(gait, &error);
    if (status != ELV_OK) {
        cli_model_locate(&gait->loaded, &error);
        return cli_complain_error("gait", cli_start_code(status), &error);
    }
    int cycle = cli_is_interrupted() ? CLI_FAILED : find_cycle(gait);
    find_own(gait);
    if (cli_is_interrupted()) {
        return interrupted(gait, false);
    }
    int code = CLI_DONE;
    if (gait->compatibility.is_compatible) {
        code = gait->options.out ? gait_write_field(gait) : CLI_DONE;
        bool is_drawn = code == CLI_DONE && gait->plot[0] && !cli_is_interrupted();
        code = is_drawn ? gait_plot(gait) : code;
    } else if (gait->options.out || gait->plot[0]) {
        // no field of a robot that cannot move
        (void)cli_complain("gait", CLI_USAGE, "no field is written: '%s' would have to slip",
                           gait->compatibility.constraint);
        gait->options.out = NULL;
        gait->plot[0] = '\0';
    }
    if (cli_is_interrupted()) {
        return interrupted(gait, true);
    }
    if (code == CLI_DONE) {
        (gait->options.is_json ? gait_print_json : gait_print_people)(gait);
    }
    if (code == CLI_DONE && cycle != CLI_DONE && gait->compatibility.is_compatible) {
        return cli_complain("gait", cycle, "no cycle: %s", gait->no_gait);
    }
    return code == CLI_DONE ? cycle : code;
}

int cli_cmd_gait(int argc, char** argv) {
    Gait* gait = calloc(1, sizeof *gait);
    int code = CLI_USAGE;
    if (!gait) {
        return cli_complain("gait", CLI_FAILED, "out of memory");
    }
    if (parse(argc, argv, &gait->options, &code)) {
        code = cli_model_load("gait", gait->options.model, &gait->options.overrides, &gait->loaded);
        if (code == CLI_DONE) {
            code = cli_guard_output("gait", gait->options.out, gait->loaded.path);
        }
        code = code == CLI_DONE ? choose_plot(gait) : code;
        code = code == CLI_DONE ? choose_kind(gait) : code;
        code = code == CLI_DONE ? study(gait) : code;
    }
    free(gait->A);
    free(gait->F);
    free(gait->motors);
    free(gait->change);
    elv_state_free(gait->state);
    cli_model_free(&gait->loaded);
    cli_overrides_free(&gait->options.overrides);
    free(gait);
    return code;
}
