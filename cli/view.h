// SPDX-License-Identifier: Apache-2.0
// The parts of `elver view`: its options, pages written from trajectories and models, the browser, and the live mode.
#ifndef ELVER_CLI_VIEW_H
#define ELVER_CLI_VIEW_H

#include "cli.h"

#include "elver/view.h"

enum { VIEW_INPUTS_MAX = 16, VIEW_SIGNALS_MAX = 64 };

typedef struct {
    const char* input[VIEW_INPUTS_MAX]; // trajectories, models
    int n_input;
    const char* out; // or NULL
    const char* title;
    bool is_served;
    bool is_shut;   // --no-open
    bool is_static; // --statics
    bool is_whole;  // --all
    bool is_quiet;
    int port; // 0: a free one
    ElvViewOptions view;
    const char* signal[VIEW_SIGNALS_MAX];
    CliOverrides overrides;
} ViewOptions;

// view_page.c

/// Write all inputs into one file, the later ones as ghosts. Prints why it fails and returns an exit code.
int view_write(const ViewOptions* options, const char* path);

// view_open.c

/// Let the browser of the desktop open a file or an address, unless --no-open; a note says where there is no desktop.
void view_open_browser(const ViewOptions* options, const char* address);

/// A place for a page that nobody has named: a new folder among temporary files, and a name in it.
bool view_temporary(char folder[CLI_PATH], char path[CLI_PATH]);

// view_serve.c

/// Serve a page until the program is asked to end.
int view_serve_page(const ViewOptions* options);

/// Run a model live.
int view_live(const ViewOptions* options);

#endif
