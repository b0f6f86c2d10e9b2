// SPDX-License-Identifier: Apache-2.0
// The viewer file of a figure: one trajectory with the curves of the figure.
#include "figure_view.h"

#include "elver/view.h"

#include <math.h>
#include <stdlib.h>

enum { N_FRAME = 250 };

struct FigureView {
    ElvView* view;
    ElvViewFile* file;
    double* value;      // (n_value)
    double every, next; // s
    bool is_static;
};

static void release(FigureView* view) {
    elv_view_free(view->view);
    free(view->value);
    free(view);
}

ElvStatus figure_view_open(const char* path,
                           const ElvModel* model,
                           const char* title,
                           const char* const* signal,
                           int n_signal,
                           bool is_static,
                           FigureView** view,
                           ElvError* error) {
    *view = NULL;
    FigureView* made = calloc(1, sizeof *made);
    if (!made) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    ElvViewOptions options = elv_view_options_default();
    options.signal = signal;
    options.n_signal = n_signal;
    options.is_statics = made->is_static = is_static;
    made->every = elv_model_simulate(model).duration / N_FRAME;
    made->next = -INFINITY;
    ElvStatus status = elv_view_create(model, &options, &made->view, error);
    if (status == ELV_OK) {
        made->value = calloc((size_t)elv_view_n_value(made->view) + 1, sizeof *made->value);
        if (!made->value) {
            status = elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
        }
    }
    if (status == ELV_OK) {
        status = elv_view_file_create(path, &made->file, error);
    }
    if (status == ELV_OK) {
        status = elv_view_file_begin(made->file, made->view, title, error);
    }
    if (status != ELV_OK) {
        if (made->file) {
            elv_view_file_discard(made->file);
        }
        release(made);
        return status;
    }
    *view = made;
    return ELV_OK;
}

ElvStatus figure_view_append(FigureView* view,
                             const ElvModel* model,
                             ElvData* data,
                             const ElvState* state,
                             ElvError* error) {
    // a film needs less than the curves
    if (!view->is_static && state->t < view->next) {
        return ELV_OK;
    }
    view->next = state->t + (1.0 - 1e-9) * view->every;
    elv_view_eval(view->view, model, data, state, view->value);
    return elv_view_file_append(view->file, state->t, view->value, error);
}

ElvStatus figure_view_close(FigureView* view, bool is_good, ElvError* error) {
    ElvStatus status = ELV_OK;
    if (is_good) {
        status = elv_view_file_close(view->file, error);
    } else {
        elv_view_file_discard(view->file);
    }
    release(view);
    return status;
}
