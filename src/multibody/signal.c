// SPDX-License-Identifier: Apache-2.0
// Signals: a list of names becomes a list of columns. Each name is a source (signal_source.c) that
// is evaluated as a whole (signal_source_eval.c), after which the components asked for are copied to
// their columns. What the last elv_idm left in the workspace is read before anything is computed in
// it again.
#include "elver/signal.h"

#include "base/pool.h"
#include "elver/locomotion.h"
#include "multibody/device.h"
#include "multibody/signal_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char* name;
    const char* unit;
} Column;

typedef struct {
    ElvSignalSource source;
    int* pick; // components that have a column   (n_pick)
    int n_pick;
    int i_column;
} Entry;

struct ElvSignals {
    ElvPool pool;
    Entry* entry; // in the order of names          (n_entry)
    int n_entry;
    Column* column; // (n_column)
    int n_column;
    double* raw;    // one whole quantity           (6, or the largest joint's coordinates)
    double* effort; // of every drive               (nv)
};

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "record", "signals", "out of memory");
}

static bool has_column(const ElvSignals* signals, const char* name) {
    for (int i = 0; i < signals->n_column; i++) {
        if (strcmp(signals->column[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// add the columns of one entry; a column that is there already is not made twice
static ElvStatus add_columns(ElvSignals* signals, Entry* entry, ElvError* error) {
    const ElvSignalSource* source = &entry->source;
    entry->i_column = signals->n_column;
    entry->pick = elv_pool_take(&signals->pool, (size_t)source->n_component, sizeof(int));
    if (!entry->pick) {
        return out_of_memory(error);
    }

    for (int i = 0; i < source->n_component; i++) {
        char label[ELV_SIGNAL_LABEL];
        char name[ELV_SIGNAL_NAME + ELV_SIGNAL_LABEL];
        const char* unit = elv_signal_component(source, i, label);
        snprintf(name, sizeof name, "%s%s%s", source->base, label[0] != '\0' ? "." : "", label);
        if (!elv_signal_is_picked(source, i) || has_column(signals, name)) {
            continue;
        }

        Column* grown =
            elv_pool_grow(&signals->pool, signals->column, signals->n_column, sizeof(Column));
        char* copy = elv_pool_string(&signals->pool, name);
        if (!grown || !copy) {
            return out_of_memory(error);
        }
        signals->column = grown;
        signals->column[signals->n_column++] = (Column){copy, unit};
        entry->pick[entry->n_pick++] = i;
    }
    return ELV_OK;
}

static ElvStatus add_entries(ElvSignals* signals,
                             const ElvModel* model,
                             const char* const* name,
                             int n_name,
                             ElvError* error) {
    for (int i = 0; i < n_name; i++) {
        char field[32];
        snprintf(field, sizeof field, "signals[%d]", i);
        Entry* entry = &signals->entry[i];
        ElvError detail;
        elv_error_clear(&detail);
        ElvStatus status = elv_signal_resolve(model, name[i], &entry->source, &detail);
        if (status != ELV_OK) {
            return elv_error_set(error, status, "record", field, "%s", detail.message);
        }
        signals->n_entry++;
        status = add_columns(signals, entry, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

// scratch for one whole quantity and for the efforts of all drives
static ElvStatus add_scratch(ElvSignals* signals, const ElvModel* model, ElvError* error) {
    int n_raw = 6;
    for (int i = 0; i < signals->n_entry; i++) {
        int n_component = signals->entry[i].source.n_component;
        n_raw = n_component > n_raw ? n_component : n_raw;
    }
    size_t n_v = (size_t)elv_model_nv(model);
    signals->raw = elv_pool_take(&signals->pool, (size_t)n_raw, sizeof(double));
    signals->effort = elv_pool_take(&signals->pool, n_v, sizeof(double));
    return signals->raw && signals->effort ? ELV_OK : out_of_memory(error);
}

ElvStatus elv_signals_create(const ElvModel* model,
                             const char* const* name,
                             int n_name,
                             ElvSignals** signals,
                             ElvError* error) {
    *signals = NULL;
    ElvSignals* made = calloc(1, sizeof *made);
    if (!made) {
        return out_of_memory(error);
    }
    made->entry = elv_pool_take(&made->pool, (size_t)n_name, sizeof(Entry));
    if (!made->entry) {
        elv_signals_free(made);
        return out_of_memory(error);
    }
    ElvStatus status = add_entries(made, model, name, n_name, error);
    if (status == ELV_OK) {
        status = add_scratch(made, model, error);
    }
    if (status != ELV_OK) {
        elv_signals_free(made);
        return status;
    }
    *signals = made;
    return ELV_OK;
}

// whether a signal is one of the coordinates of a rod, or needs them
static bool needs_modes(const ElvSignalSource* source) {
    if (source->kind == ELV_SIGNAL_DEVICE) {
        const ElvDeviceQuantity* quantity = &source->device->ops->quantity[source->i_quantity];
        return strcmp(quantity->name, "gradient") == 0;
    }
    // of the accounts, fields along rods give that of the fluid
    if (source->kind == ELV_SIGNAL_POWERS || source->kind == ELV_SIGNAL_WORK) {
        return source->kind == ELV_SIGNAL_WORK || strcmp(source->pick, "fluid") != 0;
    }
    bool is_coordinate = source->kind == ELV_SIGNAL_Q || source->kind == ELV_SIGNAL_V ||
                         source->kind == ELV_SIGNAL_A || source->kind == ELV_SIGNAL_EFFORT ||
                         source->kind == ELV_SIGNAL_POWER;
    return is_coordinate && source->node.is_rod;
}

ElvStatus elv_signals_refuse_modal(const ElvSignals* signals, const char* method, ElvError* error) {
    for (int i = 0; i < signals->n_entry; i++) {
        const ElvSignalSource* source = &signals->entry[i].source;
        if (needs_modes(source)) {
            char field[32];
            snprintf(field, sizeof field, "signals[%d]", i);
            bool is_account = source->kind == ELV_SIGNAL_WORK || source->kind == ELV_SIGNAL_POWERS;
            return elv_error_set(
                error, ELV_ERROR_INPUT, "record", field,
                "'%s' needs the modes of rods, which the method %s does without: record %s, or use "
                "a method with modes",
                source->base, method,
                is_account ? "energy and power.fluid" : "strains (ROD.strain(S)) and frames");
        }
    }
    return ELV_OK;
}

ElvStatus
elv_signals_append(ElvSignals* signals, const char* name, const char* unit, ElvError* error) {
    Column* grown =
        elv_pool_grow(&signals->pool, signals->column, signals->n_column, sizeof(Column));
    char* name_copy = elv_pool_string(&signals->pool, name);
    char* unit_copy = elv_pool_string(&signals->pool, unit);
    if (!grown || !name_copy || !unit_copy) {
        return out_of_memory(error);
    }
    signals->column = grown;
    signals->column[signals->n_column++] = (Column){name_copy, unit_copy};
    return ELV_OK;
}

void elv_signals_free(ElvSignals* signals) {
    if (signals) {
        elv_pool_free(&signals->pool);
        free(signals);
    }
}

int elv_signals_n_column(const ElvSignals* signals) {
    return signals->n_column;
}

const char* elv_signals_column_name(const ElvSignals* signals, int i) {
    return signals->column[i].name;
}

const char* elv_signals_column_unit(const ElvSignals* signals, int i) {
    return signals->column[i].unit;
}

// what only reads the workspace of the last elv_idm
static bool reads_workspace(ElvSignalKind kind) {
    return kind <= ELV_SIGNAL_A || kind == ELV_SIGNAL_STRAIN || kind == ELV_SIGNAL_STRESS ||
           kind == ELV_SIGNAL_ACTUATION;
}

static bool needs_efforts(ElvSignalKind kind) {
    return kind == ELV_SIGNAL_EFFORT || kind == ELV_SIGNAL_POWER || kind == ELV_SIGNAL_POWER_ALL;
}

// efforts of the projective recursion, which are not kept
static void
eval_projective(ElvSignals* signals, const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvWrench left;
    if (elv_locomotion_projective_torques(model, data, state, signals->effort, &left, NULL)) {
        for (int i = 0; i < model->nv; i++) {
            signals->effort[i] = NAN;
        }
    }
}

void elv_signals_eval(ElvSignals* signals,
                      const ElvModel* model,
                      ElvData* data,
                      const ElvState* state,
                      double* value) {
    // first what the workspace holds, then what computes in it again
    for (int pass = 0; pass < 2; pass++) {
        bool has_efforts = false;
        bool has_channels = false;
        for (int i = 0; i < signals->n_entry; i++) {
            const Entry* entry = &signals->entry[i];
            const ElvSignalSource* source = &entry->source;
            if (reads_workspace(source->kind) != (pass == 0)) {
                continue;
            }
            // the efforts of all drives come from one evaluation
            if (needs_efforts(source->kind) && !has_efforts) {
                elv_drive_efforts(model, data, state, signals->effort);
                has_efforts = true;
            }
            if (source->kind == ELV_SIGNAL_EFFORT_PROJECTIVE) {
                eval_projective(signals, model, data, state);
                has_efforts = has_channels = false;
            }
            // all devices see one kinematics
            if (source->kind == ELV_SIGNAL_DEVICE && !has_channels) {
                elv_device_see(model, data, state);
                has_channels = true;
            }
            elv_signal_source_eval(source, model, data, state, signals->effort, signals->raw);
            for (int j = 0; j < entry->n_pick; j++) {
                value[entry->i_column + j] = signals->raw[entry->pick[j]];
            }
        }
    }
}
