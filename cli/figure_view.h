// SPDX-License-Identifier: Apache-2.0
// The viewer file of a figure, written while its first run records.
#ifndef ELVER_CLI_FIGURE_VIEW_H
#define ELVER_CLI_FIGURE_VIEW_H

#include "elver/elver.h"

typedef struct FigureView FigureView;

/// Begin an HTML file of a motion, or of equilibria, with some curves beside the picture: (n_signal).
ElvStatus figure_view_open(const char* path,
                           const ElvModel* model,
                           const char* title,
                           const char* const* signal,
                           int n_signal,
                           bool is_static,
                           FigureView** view,
                           ElvError* error);

/// A record; of a motion some are left out.
ElvStatus figure_view_append(
    FigureView* view, const ElvModel* model, ElvData* data, const ElvState* state, ElvError* error);

/// Free, after the file has appeared if is_good; error is set only where that fails.
ElvStatus figure_view_close(FigureView* view, bool is_good, ElvError* error);

#endif
