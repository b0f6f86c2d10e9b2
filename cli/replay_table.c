// SPDX-License-Identifier: Apache-2.0
// Columns of a trajectory: those that were recorded are read, others are computed from the stored states, in the model
// that the file holds.
#include "replay_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int out_of_memory(const char* command) {
    return cli_complain(command, CLI_FAILED, "out of memory");
}

// ---- words

// whether a pattern with '*' (any letters, none too) is the whole of a text
static bool matches(const char* pattern, const char* text) {
    const char* star = NULL;
    const char* back = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            back = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++back;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

// a word names a column, or all those of a signal: "arm.tip.position", "arm.tip.position.x"
static bool names(const char* word, const char* column) {
    size_t n = strlen(word);
    if (strchr(word, '*')) {
        return matches(word, column);
    }
    return strncmp(word, column, n) == 0 && (column[n] == '\0' || column[n] == '.');
}

// ---- columns

// recorded: the column of the file, or below 0 one that is computed; a file may have a name twice
static bool add_column(ReplayTable* table, const char* name, const char* unit, int recorded) {
    for (int i = 0; i < table->n_column; i++) {
        bool is_same =
            recorded < 0 ? strcmp(table->name[i], name) == 0 : table->recorded[i] == recorded;
        if (is_same) {
            return true;
        }
    }
    if (table->n_column == table->n_room) {
        int n_room = table->n_room > 0 ? 2 * table->n_room : 16;
        size_t size = (size_t)n_room;
        const char** grown_name = realloc(table->name, size * sizeof *grown_name);
        table->name = grown_name ? grown_name : table->name;
        const char** grown_unit = realloc(table->unit, size * sizeof *grown_unit);
        table->unit = grown_unit ? grown_unit : table->unit;
        int* grown = realloc(table->recorded, size * sizeof *grown);
        table->recorded = grown ? grown : table->recorded;
        if (!grown_name || !grown_unit || !grown) {
            return false;
        }
        table->n_room = n_room;
    }
    table->name[table->n_column] = name;
    table->unit[table->n_column] = unit;
    table->recorded[table->n_column++] = recorded;
    return true;
}

static bool add_recorded(ReplayTable* table, const char* word, bool* is_found) {
    const ElvTrajectory* trajectory = table->replay.trajectory;
    for (int i = 0; i < elv_trajectory_n_signal(trajectory); i++) {
        const char* name = elv_trajectory_signal_name(trajectory, i);
        if (word && !names(word, name)) {
            continue;
        }
        *is_found = true;
        if (!add_column(table, name, elv_trajectory_signal_unit(trajectory, i), i)) {
            return false;
        }
    }
    return true;
}

int replay_choose_all(const char* command, ReplayTable* table) {
    bool is_found = false;
    return add_recorded(table, NULL, &is_found) ? CLI_DONE : out_of_memory(command);
}

// why a word has no meaning where only recorded columns are known
static void explain_unknown(const ReplayTable* table, const char* word, char* why) {
    const ElvTrajectory* trajectory = table->replay.trajectory;
    int n = elv_trajectory_n_signal(trajectory);
    const char** known = calloc((size_t)n + 1, sizeof *known);
    for (int i = 0; i < n && known; i++) {
        known[i] = elv_trajectory_signal_name(trajectory, i);
    }
    const char* near = known ? elv_suggest(word, known, (size_t)n) : NULL;
    const char* first = n > 0 ? elv_trajectory_signal_name(trajectory, 0) : NULL;
    snprintf(why, ELV_SIZE_MESSAGE, "'%.150s' has no signal '%.100s'%s%.100s%s", table->replay.path,
             word,
             near    ? ", did you mean '"
             : first ? "; it begins with '"
                     : ", nor any other",
             near    ? near
             : first ? first
                     : "",
             near    ? "'?"
             : first ? "'"
                     : "");
    free(known);
}

static bool keep_name(ReplayTable* table, const char* word) {
    size_t n = (size_t)table->n_asked;
    char** grown = realloc(table->asked, (n + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    table->asked = grown;
    grown[n] = malloc(strlen(word) + 1);
    if (!grown[n]) {
        return false;
    }
    memcpy(grown[n], word, strlen(word) + 1);
    table->n_asked++;
    return true;
}

// keep a name whose signal is to be computed, if the model has it
static int
ask(const char* command, ReplayTable* table, const char* word, bool* is_found, char* why) {
    if (!cli_replay_has_states(&table->replay) || strchr(word, '*')) {
        explain_unknown(table, word, why);
        return CLI_DONE;
    }
    if (cli_replay_is_account(word)) {
        snprintf(why, ELV_SIZE_MESSAGE,
                 "'%.150s': '%s' was not recorded, and states alone do not tell it: name it with "
                 "--signal when running",
                 table->replay.path, word);
        return CLI_DONE;
    }
    int code = cli_replay_states(command, &table->replay);
    if (code != CLI_DONE) {
        return code;
    }
    ElvSignals* signals = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_signals_create(table->replay.model, &word, 1, &signals, &error);
    elv_signals_free(signals);
    if (status == ELV_ERROR_INPUT) {
        snprintf(why, ELV_SIZE_MESSAGE, "%s", error.message);
        return CLI_DONE;
    }
    *is_found = status == ELV_OK && keep_name(table, word);
    return *is_found ? CLI_DONE : out_of_memory(command);
}

// ---- patterns

/// What a pattern meets in a model.
typedef struct {
    bool is_found; // signals, which are computed
    bool is_open;  // elements, but it does not name a signal of theirs
} Search;

// how much of a pattern stands for the name of an element: "r*" of "r*.tip.position" for "r1", "tendon.*" of
// "tendon.*.tension" for "tendon.up"; 0 if it does not
static size_t head_length(const char* pattern, const char* element) {
    const char* end = strchr(pattern, '.');
    for (const char* dot = strchr(element, '.'); dot && end; dot = strchr(dot + 1, '.')) {
        end = strchr(end + 1, '.');
    }
    char head[CLI_PATH];
    if (!end || end - pattern >= CLI_PATH) {
        return 0;
    }
    snprintf(head, sizeof head, "%.*s", (int)(end - pattern), pattern);
    return matches(head, element) ? strlen(head) : 0;
}

static int ask_element(const char* command,
                       ReplayTable* table,
                       const char* pattern,
                       const char* element,
                       Search* search) {
    char word[CLI_PATH];
    char why[ELV_SIZE_MESSAGE];
    size_t n = head_length(pattern, element);
    if (n == 0) {
        return CLI_DONE;
    }
    bool is_new = snprintf(word, sizeof word, "%s%s", element, pattern + n) < CLI_PATH;
    // of one element anything would match
    if (strchr(pattern + n, '*')) {
        search->is_open = true;
        return CLI_DONE;
    }
    for (int i = 0; i < table->n_column && is_new; i++) {
        is_new = !names(word, table->name[i]);
    }
    bool is_known = false;
    int code = is_new ? ask(command, table, word, &is_known, why) : CLI_DONE;
    search->is_found |= is_known;
    return code;
}

// bodies, rods and devices whose names a pattern matches, and which were not recorded
static int
ask_elements(const char* command, ReplayTable* table, const char* pattern, Search* search) {
    int code = cli_replay_states(command, &table->replay);
    const ElvModel* model = table->replay.model;
    for (int i = 0; code == CLI_DONE && i < elv_model_n_node(model); i++) {
        code = ask_element(command, table, pattern, elv_model_node(model, i).name, search);
    }
    for (int i = 0; code == CLI_DONE && i < elv_model_n_device(model); i++) {
        ElvDeviceInfo device = elv_model_device(model, i);
        char element[CLI_PATH];
        snprintf(element, sizeof element, "%s.%s", device.kind, device.name);
        code = ask_element(command, table, pattern, element, search);
    }
    return code;
}

int replay_choose(
    const char* command, ReplayTable* table, const char* word, bool* is_found, char* why) {
    *is_found = false;
    why[0] = '\0';
    if (!add_recorded(table, word, is_found)) {
        return out_of_memory(command);
    }
    if (strchr(word, '*') && cli_replay_has_states(&table->replay)) {
        Search search = {false, false};
        int code = ask_elements(command, table, word, &search);
        if (code != CLI_DONE) {
            return code;
        }
        if (*is_found && search.is_open) {
            snprintf(why, ELV_SIZE_MESSAGE,
                     "'%.100s' stands for what '%.150s' has recorded: other signals are computed "
                     "by name",
                     word, table->replay.path);
        }
        *is_found = *is_found || search.is_found;
    }
    return *is_found ? CLI_DONE : ask(command, table, word, is_found, why);
}

// states of methods without modes are not all that there was
static void note_fields(const char* command, const ReplayTable* table) {
    const CliReplay* replay = &table->replay;
    if (elv_method_is_strong(elv_model_simulate(replay->model).method) &&
        !elv_trajectory_is_statics(replay->trajectory)) {
        (void)cli_complain(command, CLI_DONE,
                           "note: '%s' may come from a method without modes: '%s' is computed from "
                           "the nearest coordinates, without accelerations of rods",
                           replay->path, table->asked[0]);
    }
}

int replay_prepare(const char* command, ReplayTable* table) {
    int n_computed = 0;
    if (table->n_asked > 0) {
        note_fields(command, table);
        ElvError error;
        elv_error_clear(&error);
        ElvStatus status = elv_signals_create(table->replay.model, (const char* const*)table->asked,
                                              table->n_asked, &table->signals, &error);
        if (status != ELV_OK) {
            return cli_complain_error(command, cli_exit_code(status), &error);
        }
        n_computed = elv_signals_n_column(table->signals);
        for (int i = 0; i < n_computed; i++) {
            if (!add_column(table, elv_signals_column_name(table->signals, i),
                            elv_signals_column_unit(table->signals, i), -1 - i)) {
                return out_of_memory(command);
            }
        }
    }
    size_t n_read = (size_t)elv_trajectory_n_signal(table->replay.trajectory);
    table->computed = calloc((size_t)n_computed + 1, sizeof *table->computed);
    table->read = calloc(n_read + 1, sizeof *table->read);
    return table->computed && table->read ? CLI_DONE : out_of_memory(command);
}

// ---- records

ElvStatus replay_row(ReplayTable* table, long i, double* row, ElvError* error) {
    CliReplay* replay = &table->replay;
    ElvStatus status =
        elv_trajectory_read(replay->trajectory, i, NULL, &row[0], NULL, table->read, error);
    if (status == ELV_OK && table->signals) {
        status = cli_replay_read(replay, i, error);
        if (status == ELV_OK) {
            elv_signals_eval(table->signals, replay->model, replay->data, replay->state,
                             table->computed);
        }
    }
    for (int k = 0; k < table->n_column && status == ELV_OK; k++) {
        int from = table->recorded[k];
        row[1 + k] = from >= 0 ? table->read[from] : table->computed[-1 - from];
    }
    return status;
}

int replay_fill(const char* command, ReplayTable* table, double lo, double hi, bool is_quiet) {
    size_t width = 1 + (size_t)table->n_column;
    long n = table->replay.n_record;
    CliProgress progress;
    ElvError error;
    elv_error_clear(&error);
    // files may claim any number of records: calloc sees whether the product is too large
    table->value = calloc((size_t)n, width * sizeof *table->value);
    if (!table->value) {
        return out_of_memory(command);
    }
    ElvStatus status = ELV_OK;
    cli_progress_start(&progress, 0.0, (double)n, is_quiet);
    for (long i = 0; i < n && status == ELV_OK && !cli_is_interrupted(); i++) {
        double* row = table->value + table->n_record * width;
        // times alone first: what is outside need not be computed
        status = elv_trajectory_read(table->replay.trajectory, i, NULL, row, NULL, NULL, &error);
        if (status != ELV_OK || row[0] < lo || row[0] > hi) {
            continue;
        }
        status = replay_row(table, i, row, &error);
        table->n_record++;
        if (cli_progress_is_due(&progress)) {
            cli_progress_print(&progress, (double)i, "%s  t = %.4g  record %ld of %ld",
                               table->replay.path, row[0], i, n);
        }
    }
    cli_progress_clear(&progress);
    if (status != ELV_OK) {
        return cli_complain_error(command, cli_exit_code(status), &error);
    }
    return cli_is_interrupted() ? cli_complain(command, CLI_FAILED, "interrupted") : CLI_DONE;
}

void replay_table_free(ReplayTable* table) {
    for (int i = 0; i < table->n_asked; i++) {
        free(table->asked[i]);
    }
    free(table->asked);
    free(table->name);
    free(table->unit);
    free(table->recorded);
    free(table->computed);
    free(table->read);
    free(table->value);
    elv_signals_free(table->signals);
    cli_replay_free(&table->replay);
    memset(table, 0, sizeof *table);
}
