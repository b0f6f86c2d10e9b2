// SPDX-License-Identifier: Apache-2.0
// `elver gait MODEL`: class of a robot, compatibility of its shape with its constraints, the connection and its
// curvature, net displacement of a cycle.
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
    OPTION_PERIOD
};

enum { N_TEXT = 2 * ELV_SIZE_NAME };

static const char* const connection_names[ELV_N_CONNECTION] = {"mechanical", "stokes"};

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
        return take_number("--from", value, &options->from);
    case OPTION_TO:
        return take_number("--to", value, &options->to);
    case OPTION_POINTS:
        return take_points(value, &options->points);
    case OPTION_PERIOD:
        return take_number("--period", value, &options->period);
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
    if (!options->out && options->over) {
        return cli_complain("gait", CLI_USAGE, "--over belongs to a field: give -o FIELD.csv");
    }
    if (!(options->to > options->from)) {
        return cli_complain("gait", CLI_USAGE, "--to must be greater than --from");
    }
    if (options->period < 0.0) {
        return cli_complain("gait", CLI_USAGE, "--period must be positive");
    }
    return CLI_DONE;
}

static bool parse(int argc, char** argv, GaitOptions* options, int* code) {
    static const CliOption known[] = {
        {OPTION_OUT, 'o', "out", CLI_VALUE},     {OPTION_SET, 0, "set", CLI_VALUE},
        {OPTION_JSON, 0, "json", CLI_FLAG},      {OPTION_CONNECTION, 0, "connection", CLI_VALUE},
        {OPTION_OVER, 0, "over", CLI_VALUE},     {OPTION_FROM, 0, "from", CLI_VALUE},
        {OPTION_TO, 0, "to", CLI_VALUE},         {OPTION_POINTS, 0, "points", CLI_VALUE},
        {OPTION_PERIOD, 0, "period", CLI_VALUE},
    };
    CliParser parser = {"gait", known, sizeof known / sizeof known[0], argc, argv, 0, false};
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
        if (strcmp(name, connection_names[i]) == 0) {
            gait->kind = (ElvConnection)i;
            return CLI_DONE;
        }
    }
    return !name ? CLI_DONE
                 : cli_complain("gait", CLI_USAGE,
                                "unknown connection '%s': it is mechanical or stokes", name);
}

// ---- results

// turn about an axis, as a rotation vector
static ElvVec3 turn_of(const Gait* gait) {
    return elv_so3_log(gait->gait.net.R);
}

static void print_connection(const Gait* gait) {
    const ElvModel* model = gait->loaded.model;
    char text[N_TEXT];
    int n = 0;
    printf("\n%-20s", "connection A");
    for (int k = 0; k < elv_model_nv(model); k++) {
        gait_name(model, k, text);
        if (elv_model_is_driven(model, k)) {
            printf(" %16s", text);
        }
    }
    printf("%s\n", gait->F ? "        curvature" : "");
    for (int k = 0; k < elv_model_nv(model); k++) {
        if (elv_model_is_driven(model, k)) {
            continue;
        }
        gait_name(model, k, text);
        printf("  %-18s", text);
        for (int j = 0; j < gait->n_imposed; j++) {
            printf(" %16.9g", gait->A[n * gait->n_imposed + j]);
        }
        if (gait->F) {
            printf(" %16.9g", gait->F[n]);
        }
        printf("\n");
        n++;
    }
}

static void print_people(const Gait* gait) {
    const ElvLocomotionReport* report = &gait->report;
    const ElvGait* cycle = &gait->gait;
    enum { MAX_SHOWN = 8 };
    printf("%s\n", cli_model_title(&gait->loaded));
    printf("  class         %s\n", elv_locomotion_class_text(report->kind));
    printf("  reason        %s\n", report->reason);
    if (gait->compatibility.is_compatible) {
        printf("  compatible    yes\n");
    } else {
        printf("  compatible    no: '%s' would have to slip by %.3g m/s or rad/s at t = %.9g s\n",
               gait->compatibility.constraint, gait->compatibility.slip, gait->compatibility.t);
    }
    printf("  group         %s\n", report->group[0] ? report->group : "none");
    printf("  connection    %s, %d free and %d imposed velocities\n", connection_names[gait->kind],
           gait->n_free, gait->n_imposed);
    if (gait->has_gait) {
        ElvVec3 turn = turn_of(gait);
        printf("  cycle         %.9g s%s\n", cycle->period,
               cycle->opening > 1e-9 ? ", not closed" : "");
        printf("  displacement  (%.9g, %.9g, %.9g) m\n", cycle->net.p.x, cycle->net.p.y,
               cycle->net.p.z);
        printf("  turn          (%.9g, %.9g, %.9g) rad\n", turn.x, turn.y, turn.z);
    } else {
        printf("  cycle         %s\n", gait->no_gait);
    }
    if (gait->A && gait->n_imposed > 0 && gait->n_imposed <= MAX_SHOWN) {
        print_connection(gait);
    }
    if (gait->options.out) {
        fprintf(stderr, "  field     %s\n", gait->options.out);
    }
}

static void json_matrix(const Gait* gait) {
    printf(",\n  \"A\": [");
    for (int i = 0; i < gait->n_free && gait->A; i++) {
        printf("%s\n    ", i > 0 ? "," : "");
        cli_json_numbers(stdout, gait->A + i * gait->n_imposed, (size_t)gait->n_imposed);
    }
    printf("]");
    if (gait->F) {
        printf(",\n  \"curvature\": ");
        cli_json_numbers(stdout, gait->F, (size_t)gait->n_free);
    }
}

static void json_names(const Gait* gait, const char* key, bool is_imposed) {
    const ElvModel* model = gait->loaded.model;
    int n = 0;
    printf(",\n  \"%s\": [", key);
    for (int k = 0; k < elv_model_nv(model); k++) {
        char text[N_TEXT];
        if (elv_model_is_driven(model, k) == is_imposed) {
            gait_name(model, k, text);
            printf("%s", n++ > 0 ? ", " : "");
            cli_json_text(stdout, text);
        }
    }
    printf("]");
}

static void print_json(const Gait* gait) {
    const ElvLocomotionReport* report = &gait->report;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(gait->loaded.model));
    printf(",\n  \"class\": ");
    cli_json_text(stdout, elv_locomotion_class_text(report->kind));
    printf(",\n  \"reason\": ");
    cli_json_text(stdout, report->reason);
    printf(",\n  \"compatible\": %s", gait->compatibility.is_compatible ? "true" : "false");
    if (!gait->compatibility.is_compatible) {
        printf(",\n  \"slips\": ");
        cli_json_text(stdout, gait->compatibility.constraint);
        printf(",\n  \"slip\": ");
        cli_json_number(stdout, gait->compatibility.slip);
    }
    printf(",\n  \"group\": ");
    cli_json_text(stdout, report->group);
    printf(",\n  \"connection\": \"%s\"", connection_names[gait->kind]);
    json_names(gait, "free", false);
    json_names(gait, "imposed", true);
    json_matrix(gait);
    if (gait->has_gait) {
        ElvVec3 turn = turn_of(gait);
        const ElvVec3* p = &gait->gait.net.p;
        const double displacement[] = {p->x, p->y, p->z}, rotation[] = {turn.x, turn.y, turn.z};
        printf(",\n  \"period\": ");
        cli_json_number(stdout, gait->gait.period);
        printf(",\n  \"opening\": ");
        cli_json_number(stdout, gait->gait.opening);
        printf(",\n  \"displacement\": ");
        cli_json_numbers(stdout, displacement, 3);
        printf(",\n  \"turn\": ");
        cli_json_numbers(stdout, rotation, 3);
    }
    printf("\n}\n");
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
    if (status == ELV_OK && gait->n_imposed >= 2) {
        gait->F = calloc((size_t)gait->n_free + 1, sizeof *gait->F);
        status =
            gait->F ? elv_connection_curvature(model, gait->state, gait->kind, 0, 1, gait->F, error)
                    : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return status;
}

static int study(Gait* gait) {
    const ElvModel* model = gait->loaded.model;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_state_create(model, &gait->state, &error);
    if (status == ELV_OK) {
        elv_state_impose(model, gait->state);
        status = elv_locomotion_classify(model, gait->state, &gait->report, &error);
    }
    if (status == ELV_OK) {
        double t_end = gait->state->t + elv_model_simulate(model).duration;
        status =
            elv_locomotion_compatibility(model, gait->state, t_end, &gait->compatibility, &error);
        // what would slip is part of the answer
        status = status == ELV_ERROR_NUMERIC ? ELV_OK : status;
    }
    status = status == ELV_OK ? find_connection(gait, &error) : status;
    if (status != ELV_OK) {
        return cli_complain_error("gait", cli_exit_code(status), &error);
    }
    elv_error_clear(&error);
    status = elv_gait_displacement(model, gait->state, gait->kind, gait->options.period,
                                   &gait->gait, &error);
    gait->has_gait = status == ELV_OK;
    (void)snprintf(gait->no_gait, sizeof gait->no_gait, "none: %.480s", error.message);
    int code = gait->options.out ? gait_write_field(gait) : CLI_DONE;
    if (code == CLI_DONE) {
        (gait->options.is_json ? print_json : print_people)(gait);
    }
    return code == CLI_DONE && !gait->compatibility.is_compatible ? CLI_FAILED : code;
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
        code = code == CLI_DONE ? choose_kind(gait) : code;
        code = code == CLI_DONE ? study(gait) : code;
    }
    free(gait->A);
    free(gait->F);
    elv_state_free(gait->state);
    cli_model_free(&gait->loaded);
    cli_overrides_free(&gait->options.overrides);
    free(gait);
    return code;
}
