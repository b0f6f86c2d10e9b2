// SPDX-License-Identifier: Apache-2.0
// `elver modes MODEL`: natural frequencies, damping and shapes about an equilibrium.
#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// rows of the table unless more or fewer are asked for
enum { N_LOWEST = 10 };

typedef struct {
    AnalysisOptions options;
    CliModel loaded;
    ElvState* state;
    ElvData* data;
    ElvModes* modes;
    int n_shown;
    // the file
    char** name;   // of the columns            (n_column)
    double* value; // (n_shown x n_column)
    size_t n_column;
} Modes;

static const char* describe(const ElvMode* mode) {
    if (mode->is_rigid) {
        return "rigid";
    }
    if (mode->is_unstable) {
        return mode->im > 0.0 ? "unstable: flutter" : "unstable: diverges";
    }
    return mode->im == 0.0 ? "decays without oscillation" : "";
}

static void print_people(const Modes* m) {
    const ElvModes* modes = m->modes;
    bool is_short = !m->options.is_all && m->options.count == 0;
    int n_row = 0;
    printf("%4s %16s %14s  %s\n", "mode", "frequency, Hz", "damping ratio", "");
    for (int i = 0; i < m->n_shown; i++) {
        const ElvMode* mode = &modes->mode[i];
        // what is unstable is never left out unasked
        if (is_short && i >= N_LOWEST && !mode->is_unstable) {
            continue;
        }
        printf("%4d %16.9g %14.6g  %s\n", i + 1, mode->frequency, mode->damping, describe(mode));
        n_row++;
    }
    fprintf(stderr, "%s: %d mode%s, %d rigid, %d unstable, at load %.9g%s\n",
            cli_model_title(&m->loaded), modes->n_mode, modes->n_mode == 1 ? "" : "s",
            modes->n_rigid, modes->n_unstable, m->state->t,
            modes->is_damped ? "" : ", without damping");
    if (is_short && n_row < modes->n_mode) {
        fprintf(stderr, "  shown      %d of %d, the lowest; --count N shows N of them, --all all\n",
                n_row, modes->n_mode);
    }
    if (!m->options.is_initial && isnan(m->options.load) &&
        elv_model_statics(m->loaded.model).n_load == 0) {
        fprintf(stderr, "  laws       as they are at t = 0; --load T takes them at T\n");
    }
    if (m->options.out) {
        fprintf(stderr, "  shapes     %s\n", m->options.out);
    }
}

static void print_json(const Modes* m) {
    const ElvModes* modes = m->modes;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(m->loaded.model));
    printf(",\n  \"load\": ");
    cli_json_number(stdout, m->state->t);
    printf(",\n  \"modes\": %d,\n  \"rigid\": %d,\n  \"unstable\": %d,\n  \"damped\": %s",
           modes->n_mode, modes->n_rigid, modes->n_unstable, modes->is_damped ? "true" : "false");
    printf(",\n  \"list\": [");
    for (int i = 0; i < m->n_shown; i++) {
        const ElvMode* mode = &modes->mode[i];
        double number[] = {mode->frequency, mode->damping, mode->re, mode->im};
        static const char* const key[] = {"frequency", "damping", "re", "im"};
        printf("%s\n    {", i > 0 ? "," : "");
        for (int k = 0; k < 4; k++) {
            printf("\"%s\": ", key[k]);
            cli_json_number(stdout, number[k]);
            printf(", ");
        }
        printf("\"rigid\": %s, \"unstable\": %s}", mode->is_rigid ? "true" : "false",
               mode->is_unstable ? "true" : "false");
    }
    printf("\n  ]\n}\n");
}

// ---- the file

// a column; entry i at from[i * stride], or none of them
static bool add_column(Modes* m, const char* name, const double* from, size_t stride) {
    size_t n = m->n_column;
    size_t n_row = (size_t)m->n_shown;
    char** names = realloc(m->name, (n + 1) * sizeof *names);
    m->name = names ? names : m->name;
    double* grown = realloc(m->value, (n + 1) * n_row * sizeof *grown + 1);
    m->value = grown ? grown : m->value;
    size_t size = strlen(name) + 1;
    char* copy = malloc(size);
    if (!names || !grown || !copy) {
        free(copy);
        return false;
    }
    memcpy(copy, name, size);
    m->name[n] = copy;
    // by columns until the table is whole
    for (size_t i = 0; i < n_row; i++) {
        m->value[n * n_row + i] = from[i * stride];
    }
    m->n_column++;
    return true;
}

static bool add_eigenvalues(Modes* m) {
    static const char* const name[] = {"mode", "frequency", "damping", "re", "im", "rigid"};
    double* column = calloc((size_t)m->n_shown + 1, sizeof *column);
    bool is_good = column != NULL;
    for (int k = 0; k < 6 && is_good; k++) {
        for (int i = 0; i < m->n_shown; i++) {
            const ElvMode* mode = &m->modes->mode[i];
            double number[] = {i + 1.0,  mode->frequency, mode->damping,
                               mode->re, mode->im,        mode->is_rigid ? 1.0 : 0.0};
            column[i] = number[k];
        }
        is_good = add_column(m, name[k], column, 1);
    }
    free(column);
    return is_good;
}

// displacement and rotation, world axes, of a body or the tip of a rod
static bool add_motion(Modes* m, const ElvNodeInfo* node, const double* shape, const char* suffix) {
    static const char* const part[] = {"rotation.x",     "rotation.y",     "rotation.z",
                                       "displacement.x", "displacement.y", "displacement.z"};
    char text[3 * ELV_SIZE_NAME];
    ElvFrame frame;
    ElvError error;
    size_t nv = (size_t)m->modes->nv;
    snprintf(text, sizeof text, "%.96s%s", node->name, node->is_rod ? ".tip" : "");
    if (elv_model_frame(m->loaded.model, text, &frame, &error) != ELV_OK) {
        return true;
    }
    double* J = calloc(6 * nv + 6 * (size_t)m->n_shown + 1, sizeof *J);
    double* motion = J ? J + 6 * nv : NULL;
    bool is_good = J != NULL;
    if (is_good) {
        elv_kinematics(m->loaded.model, m->data, m->state);
        ElvMat3 R = elv_frame_pose(m->loaded.model, m->data, frame).R;
        elv_frame_jacobian(m->loaded.model, m->data, m->state, frame, J);
        for (int i = 0; i < m->n_shown; i++) {
            double eta[6] = {0.0};
            for (size_t k = 0; k < 6 * nv; k++) {
                eta[k / nv] += J[k] * shape[(size_t)i * nv + k % nv];
            }
            ElvTwist twist = elv_twist_from_array(eta);
            twist.ang = elv_mat3_apply(R, twist.ang);
            twist.lin = elv_mat3_apply(R, twist.lin);
            elv_twist_to_array(twist, motion + 6 * i);
        }
    }
    size_t n_stem = strlen(text);
    for (int k = 0; k < 6 && is_good; k++) {
        snprintf(text + n_stem, sizeof text - n_stem, ".%s%s", part[k], suffix);
        is_good = add_column(m, text, motion + k, 6);
    }
    free(J);
    return is_good;
}

static bool add_shapes(Modes* m, const double* shape, const char* suffix) {
    bool is_good = true;
    for (int j = 0; j < elv_model_n_node(m->loaded.model) && is_good; j++) {
        ElvNodeInfo node = elv_model_node(m->loaded.model, j);
        for (int k = 0; k < node.n_v && is_good; k++) {
            char text[2 * ELV_SIZE_NAME];
            snprintf(text, sizeof text, "%.96s.v.%d%s", node.name, k, suffix);
            is_good = add_column(m, text, shape + node.i_v + k, (size_t)m->modes->nv);
        }
        is_good = is_good && add_motion(m, &node, shape, suffix);
    }
    return is_good;
}

static int write_file(Modes* m) {
    bool is_good = add_eigenvalues(m) && add_shapes(m, m->modes->shape, "");
    if (is_good && m->modes->is_damped) {
        is_good = add_shapes(m, m->modes->shape_im, ".im");
    }
    size_t n_row = (size_t)m->n_shown;
    double* row = is_good ? malloc(n_row * m->n_column * sizeof *row + 1) : NULL;
    if (!row) {
        return cli_complain("modes", CLI_FAILED, "out of memory");
    }
    for (size_t i = 0; i < n_row; i++) {
        for (size_t k = 0; k < m->n_column; k++) {
            row[i * m->n_column + k] = m->value[k * n_row + i];
        }
    }
    int code = analysis_write_table("modes", m->options.out, (const char* const*)m->name, n_row,
                                    m->n_column, row);
    free(row);
    return code;
}

// ---- the command

static int find_modes(Modes* m) {
    ElvError error;
    elv_error_clear(&error);
    const ElvModel* model = m->loaded.model;
    ElvStatus status = analysis_rest(model, &m->options, &m->state, &error);
    status = status == ELV_OK ? elv_data_create(model, &m->data, &error) : status;
    status = status == ELV_OK ? elv_modes_create(model, m->state, &m->modes, &error) : status;
    if (status != ELV_OK) {
        int code = cli_complain_error("modes", cli_exit_code(status), &error);
        if (!m->options.is_initial && status == ELV_ERROR_SINGULAR) {
            fprintf(stderr, "  --initial looks at the initial shape, in balance or not\n");
        }
        return code;
    }
    int count = m->options.count;
    m->n_shown = count > 0 && count < m->modes->n_mode ? count : m->modes->n_mode;
    int code = m->options.out ? write_file(m) : CLI_DONE;
    if (code == CLI_DONE && m->options.is_json) {
        print_json(m);
    } else if (code == CLI_DONE) {
        print_people(m);
    }
    return code;
}

static int check_out(const char* out) {
    size_t n = out ? strlen(out) : 0;
    bool is_known = n > 4 && (strcmp(out + n - 4, ".csv") == 0 || strcmp(out + n - 4, ".npy") == 0);
    return !out || is_known
               ? CLI_DONE
               : cli_complain("modes", CLI_USAGE, "'%s': shapes are written as .csv or .npy", out);
}

int cli_cmd_modes(int argc, char** argv) {
    Modes* m = calloc(1, sizeof *m);
    int code = CLI_USAGE;
    if (!m) {
        return cli_complain("modes", CLI_FAILED, "out of memory");
    }
    if (analysis_parse("modes", argc, argv, &m->options, &code)) {
        code = check_out(m->options.out);
        if (code == CLI_DONE) {
            code = cli_model_load("modes", m->options.model, &m->options.overrides, &m->loaded);
        }
        if (code == CLI_DONE) {
            code = cli_guard_output("modes", m->options.out, m->loaded.path);
        }
        if (code == CLI_DONE) {
            cli_warn_water("modes", m->loaded.model);
        }
        code = code == CLI_DONE ? find_modes(m) : code;
    }
    for (size_t k = 0; k < m->n_column; k++) {
        free(m->name[k]);
    }
    free(m->name);
    free(m->value);
    elv_modes_free(m->modes);
    elv_data_free(m->data);
    elv_state_free(m->state);
    cli_model_free(&m->loaded);
    cli_overrides_free(&m->options.overrides);
    free(m);
    return code;
}
