// SPDX-License-Identifier: Apache-2.0
// Read a model file, simulate it, and print its signals as CSV.
//
//     simulate_file [MODEL.yaml]
//
// Without a file the program takes the small model below: a soft rod that falls under gravity.
#include <elver/elver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const small_model =
    "elver: 1\n"
    "name: soft-rod\n"
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - rod: rod\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1100, young: 5e6, damping: 0.01}\n"
    "    strain: {bend_y: 3}\n"
    "simulate: {duration: 0.5}\n"
    "record: {every: 0.05, signals: [rod.tip.position, energy.total]}\n";

/// What the record callback needs.
typedef struct {
    ElvSignals* signals;
    double* value; // one number per column
} Printer;

static bool print_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Printer* printer = user;
    elv_signals_eval(printer->signals, model, data, state, printer->value);
    printf("%.6g", state->t);
    for (int i = 0; i < elv_signals_n_column(printer->signals); i++) {
        printf(",%.9g", printer->value[i]);
    }
    printf("\n");
    return true;
}

// the signals that the model file asks for, and the header of the table
static ElvStatus open_printer(const ElvModel* model, Printer* printer, ElvError* error) {
    ElvRecordDef record = elv_model_record(model);
    ElvStatus status =
        elv_signals_create(model, record.signal, record.n_signal, &printer->signals, error);
    if (status != ELV_OK) {
        return status;
    }
    int n_column = elv_signals_n_column(printer->signals);
    printer->value = calloc((size_t)n_column + 1, sizeof *printer->value);
    if (!printer->value) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    printf("t");
    for (int i = 0; i < n_column; i++) {
        printf(",%s", elv_signals_column_name(printer->signals, i));
    }
    printf("\n");
    return ELV_OK;
}

int main(int argc, char** argv) {
    ElvModel* model = NULL;
    ElvState* state = NULL;
    Printer printer = {NULL, NULL};
    ElvError error;
    ElvStatus status = argc > 1 ? elv_model_read_file(argv[1], NULL, 0, &model, &error)
                                : elv_model_read_text(small_model, strlen(small_model),
                                                      "small_model", NULL, 0, &model, &error);
    if (status == ELV_OK) {
        status = elv_state_create(model, &state, &error);
    }
    if (status == ELV_OK) {
        status = open_printer(model, &printer, &error);
    }
    if (status == ELV_OK) {
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        options.record = print_record;
        options.user = &printer;
        status = elv_simulate(model, state, &options, NULL, &error);
    }

    // an error of a model file says where in it
    if (status != ELV_OK) {
        char text[1024];
        elv_error_format(&error, text, sizeof text);
        fprintf(stderr, "simulate_file: %s\n", text);
    }
    free(printer.value);
    elv_signals_free(printer.signals);
    elv_state_free(state);
    elv_model_free(model);
    return status == ELV_OK ? 0 : 1;
}
