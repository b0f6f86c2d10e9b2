// SPDX-License-Identifier: Apache-2.0
// Columns of a trajectory, as recorded or computed from its states.
#ifndef ELVER_CLI_REPLAY_TABLE_H
#define ELVER_CLI_REPLAY_TABLE_H

#include "progress.h"
#include "replay.h"

/// The columns that were asked for, of one trajectory.
typedef struct {
    CliReplay replay;
    int n_column;
    const char** name; // (n_column)
    const char** unit; // (n_column)
    int* recorded;     // column of the file, or -1: computed   (n_column)
    int n_room;
    // what is computed
    char** asked; // names as given                            (n_asked)
    int n_asked;
    ElvSignals* signals;
    double* computed; // columns of one record
    double* read;     // signals of one record
    double* value;    // (n_record x (1 + n_column))
    size_t n_record;
} ReplayTable;

/// Choose every recorded column.
int replay_choose_all(const char* command, ReplayTable* table);

/// Choose what a word names: a column, a signal, or several by '*'; of what was recorded, else computed from the states.
/// '*' stands for recorded columns, and in the name of an element for all elements of the model.
/// *is_found is false where the trajectory has no such; why: the reason then, or what else is
/// to be told (ELV_SIZE_MESSAGE). Returns an exit code.
int replay_choose(
    const char* command, ReplayTable* table, const char* word, bool* is_found, char* why);

/// Make what is computed, after all was chosen.
int replay_prepare(const char* command, ReplayTable* table);

/// Time and columns of record i; row: (1 + n_column).
ElvStatus replay_row(ReplayTable* table, long i, double* row, ElvError* error);

/// Read all records with times from lo to hi into value. Returns an exit code; prints what failed, or that it was
/// interrupted.
int replay_fill(const char* command, ReplayTable* table, double lo, double hi, bool is_quiet);

void replay_table_free(ReplayTable* table);

#endif
