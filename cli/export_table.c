// SPDX-License-Identifier: Apache-2.0
// Signals of a trajectory as a table: recorded ones, or any that its states tell.
#include "analysis.h"
#include "export.h"
#include "replay_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int choose(const ExportOptions* options, ReplayTable* table) {
    int code = options->n_signal == 0 ? replay_choose_all("export", table) : CLI_DONE;
    for (int i = 0; i < options->n_signal && code == CLI_DONE; i++) {
        char why[ELV_SIZE_MESSAGE];
        bool is_found = false;
        code = replay_choose("export", table, options->signal[i], &is_found, why);
        if (code == CLI_DONE && !is_found) {
            code = cli_complain("export", CLI_USAGE, "%s", why);
        }
    }
    code = code == CLI_DONE ? replay_prepare("export", table) : code;
    if (code == CLI_DONE && table->n_column == 0) {
        return cli_complain("export", CLI_USAGE,
                            "'%s' has no recorded signals: name some with --signal",
                            options->input);
    }
    return code;
}

static int write_table(const ExportOptions* options, const ReplayTable* table) {
    size_t width = 1 + (size_t)table->n_column;
    const char** head = calloc(width, sizeof *head);
    if (!head) {
        return cli_complain("export", CLI_FAILED, "out of memory");
    }
    head[0] = elv_trajectory_is_statics(table->replay.trajectory) ? "load" : "t";
    for (int i = 0; i < table->n_column; i++) {
        head[1 + i] = table->name[i];
    }
    int code =
        analysis_write_table("export", options->out, head, table->n_record, width, table->value);
    free(head);
    if (code == CLI_DONE && !options->is_quiet) {
        fprintf(stderr, "%s: %zu records of %d columns\n", options->out, table->n_record,
                table->n_column);
    }
    return code;
}

int export_table(const ExportOptions* options) {
    ReplayTable table;
    memset(&table, 0, sizeof table);
    int code = cli_replay_open("export", options->input, options->is_quiet, &table.replay);
    code = code == CLI_DONE ? cli_guard_output("export", options->out, options->input) : code;
    code = code == CLI_DONE ? choose(options, &table) : code;
    if (code == CLI_DONE && !cli_can_write("export", options->out)) {
        code = CLI_USAGE;
    }
    if (code == CLI_DONE) {
        cli_catch_signals();
        code = replay_fill("export", &table, -INFINITY, INFINITY, options->is_quiet);
        // what was read before an interruption is kept
        if (code == CLI_DONE || (cli_is_interrupted() && table.n_record > 0)) {
            int written = write_table(options, &table);
            code = code == CLI_DONE ? written : code;
        }
    }
    replay_table_free(&table);
    return code;
}
