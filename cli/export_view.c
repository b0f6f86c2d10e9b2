// SPDX-License-Identifier: Apache-2.0
// A trajectory as moving pictures for other programs: glTF (.glb), ParaView (.pvd). glTF has at most 60 pictures a second.
#include "export.h"
#include "progress.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

static const double frame_interval = 1.0 / 60.0; // s

typedef struct {
    const ExportOptions* options;
    CliReplay replay;
    ElvView* view;
    ElvViewFile* file;
    double* value;
    bool is_gltf;
    bool is_statics;
    long n_picture; // in the file
} Export;

static ElvStatus begin(Export* export, ElvError* error) {
    ElvViewOptions options = elv_view_options_default();
    // no curves beside the picture
    options.n_signal = 0;
    options.is_statics = export->is_statics;
    ElvStatus status = elv_view_create(export->replay.model, &options, &export->view, error);
    if (status == ELV_OK) {
        size_t n = (size_t)elv_view_n_value(export->view);
        export->value = calloc(n + 1, sizeof *export->value);
        status = export->value
                     ? elv_view_file_create(export->options->out, &export->file, error)
                     : elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    if (status == ELV_OK) {
        status = elv_view_file_begin(export->file, export->view,
                                     elv_model_name(export->replay.model), error);
    }
    return status;
}

static ElvStatus append(Export* export, long i, double t, ElvError* error) {
    ElvStatus status = cli_replay_read(&export->replay, i, error);
    if (status == ELV_OK) {
        elv_view_eval(export->view, export->replay.model, export->replay.data, export->replay.state,
                      export->value);
        status = elv_view_file_append(export->file, t, export->value, error);
    }
    return status;
}

static ElvStatus write_records(Export* export, ElvError* error) {
    CliReplay* replay = &export->replay;
    CliProgress progress;
    ElvStatus status = ELV_OK;
    double t_last = 0.0;
    cli_progress_start(&progress, 0.0, (double)replay->n_record, export->options->is_quiet);
    for (long i = 0; i < replay->n_record && status == ELV_OK && !cli_is_interrupted(); i++) {
        double t = 0.0;
        status = elv_trajectory_read(replay->trajectory, i, NULL, &t, NULL, NULL, error);
        // rounding of times must not cost a picture
        bool is_near =
            export->is_gltf && !export->is_statics && i > 0 && t - t_last < 0.999 * frame_interval;
        if (status != ELV_OK || (is_near && i + 1 < replay->n_record)) {
            continue;
        }
        t_last = t;
        status = append(export, i, t, error);
        if (cli_progress_is_due(&progress)) {
            cli_progress_print(&progress, (double)i, "t = %.4g  record %ld of %ld", t, i,
                               replay->n_record);
        }
    }
    cli_progress_clear(&progress);
    return status;
}

static int write_file(Export* export) {
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = begin(export, &error);
    status = status == ELV_OK ? write_records(export, &error) : status;
    if (status == ELV_OK) {
        ElvViewFile* file = export->file;
        export->file = NULL;
        export->n_picture = elv_view_file_n_picture(file);
        status = elv_view_file_close(file, &error);
    }
    if (status != ELV_OK) {
        return cli_complain_error("export", cli_exit_code(status), &error);
    }
    long n = export->replay.n_record;
    if (cli_is_interrupted()) {
        return cli_complain("export", CLI_FAILED, "interrupted; %s has the first %ld pictures",
                            export->options->out, export->n_picture);
    }
    if (!export->options->is_quiet) {
        fprintf(stderr, "%s: %ld picture%s", export->options->out, export->n_picture,
                export->n_picture == 1 ? "" : "s");
        if (export->n_picture < n) {
            fprintf(stderr, " of %ld records, at most 60 a second", n);
        }
        fputc('\n', stderr);
    }
    return CLI_DONE;
}

int export_view(const ExportOptions* options) {
    Export export;
    memset(&export, 0, sizeof export);
    export.options = options;
    export.is_gltf = cli_ends_in(options->out, ".glb");
    int code = cli_replay_open("export", options->input, options->is_quiet, &export.replay);
    code = code == CLI_DONE ? cli_guard_output("export", options->out, options->input) : code;
    code = code == CLI_DONE ? cli_replay_states("export", &export.replay) : code;
    if (code == CLI_DONE) {
        export.is_statics = elv_trajectory_is_statics(export.replay.trajectory);
        cli_catch_signals();
        code = write_file(&export);
    }
    if (export.file) {
        elv_view_file_discard(export.file);
    }
    elv_view_free(export.view);
    free(export.value);
    cli_replay_free(&export.replay);
    return code;
}
