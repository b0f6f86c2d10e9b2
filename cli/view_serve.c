// SPDX-License-Identifier: Apache-2.0
// The server of `elver view`: a page that stays, or a model that runs live. Both last until the program is asked to
// end (Ctrl-C). POSIX: clocks.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "live.h"
#include "progress.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char command[] = "view";
static const char live_script[] = "<script id=\"elver-live\" type=\"application/json\">{}</script>";

// where the page is, and a browser that shows it
static void announce(const ViewOptions* options, const Serve* serve, const char* how) {
    char address[64];
    snprintf(address, sizeof address, "http://127.0.0.1:%d/", serve_port(serve));
    printf("%s\n", address);
    fflush(stdout);
    if (!options->is_quiet) {
        fprintf(stderr, "%s; Ctrl-C ends it\n", how);
    }
    view_open_browser(options, address);
}

// until the program is asked to end
static void wait_for_end(LiveRun* run) {
    const struct timespec pause = {0, 100000000};
    while (!cli_is_interrupted()) {
        nanosleep(&pause, NULL);
        if (run) {
            live_run_watch(run);
        }
    }
}

// ---- a page that stays

static char* read_page(const char* path, size_t* size) {
    FILE* stream = fopen(path, "rb");
    char* text = NULL;
    *size = 0;
    if (stream && fseek(stream, 0, SEEK_END) == 0) {
        long n = ftell(stream);
        rewind(stream);
        text = n > 0 ? malloc((size_t)n) : NULL;
        *size = text ? fread(text, 1, (size_t)n, stream) : 0;
    }
    if (stream) {
        fclose(stream);
    }
    return text;
}

int view_serve_page(const ViewOptions* options) {
    char folder[CLI_PATH];
    char path[CLI_PATH];
    if (!view_temporary(folder, path)) {
        return cli_complain(command, CLI_FAILED, "cannot make a temporary folder");
    }
    int code = view_write(options, path);
    size_t size = 0;
    // what a failed run has reached is served too
    char* page = code == CLI_USAGE ? NULL : read_page(path, &size);
    (void)remove(path);
    (void)rmdir(folder);
    if (!page) {
        return code == CLI_DONE ? cli_complain(command, CLI_FAILED, "out of memory") : code;
    }
    ServeOptions serve_options = {.page = page, .n_page = size};
    int served = CLI_DONE;
    Serve* serve = serve_start(command, &serve_options, options->port, &served);
    if (serve) {
        announce(options, serve, "serving");
        wait_for_end(NULL);
    }
    serve_stop(serve);
    free(page);
    return serve ? code : served;
}

// ---- live

// the page with a script in place of its data
static char* live_page(size_t* size) {
    size_t n_head, n_tail;
    const char* tail;
    const char* head = elv_view_page(&n_head, &tail, &n_tail);
    size_t n_script = sizeof live_script - 1;
    char* text = n_tail > 0 ? malloc(n_head + n_script + n_tail) : NULL;
    if (text) {
        memcpy(text, head, n_head);
        memcpy(text + n_head, live_script, n_script);
        memcpy(text + n_head + n_script, tail, n_tail);
        *size = n_head + n_script + n_tail;
    }
    return text;
}

static int run_live(const ViewOptions* options, LiveRun* run) {
    size_t size = 0;
    char* page = live_page(&size);
    if (!page) {
        return cli_complain(command, CLI_FAILED, "the page of the viewer is not there");
    }
    ServeOptions serve_options = {
        .page = page, .n_page = size, .message = live_run_message, .user = run};
    int code = CLI_DONE;
    Serve* serve = serve_start(command, &serve_options, options->port, &code);
    if (serve && live_run_start(run, serve)) {
        announce(options, serve, "running live");
        wait_for_end(run);
    } else if (serve) {
        code = cli_complain(command, CLI_FAILED, "cannot start a thread");
    }
    live_run_stop(run);
    serve_stop(serve);
    free(page);
    return code;
}

// the model, ready to run at t = 0
static int make_model(LiveSource* source, const CliModel* loaded, LiveModel** model) {
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = live_model_create(source, model, &error);
    if (status == ELV_OK) {
        status = live_model_start(*model, &error);
    }
    if (status != ELV_OK) {
        cli_model_locate(loaded, &error);
        live_model_free(*model);
        *model = NULL;
        return cli_complain_error(command, cli_start_code(status), &error);
    }
    if ((*model)->is_strong) {
        (void)cli_complain(command, CLI_DONE,
                           "note: the method of the model has no modes; generalized-alpha runs "
                           "live in its place");
    }
    return CLI_DONE;
}

int view_live(const ViewOptions* options) {
    CliModel loaded;
    int code = cli_model_load(command, options->input[0], &options->overrides, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    cli_catch_signals();
    LiveSource source = {.text = loaded.text,
                         .n_text = loaded.n_text,
                         .path = loaded.path,
                         .view = options->view,
                         .station = 1.0};
    for (int i = 0; i < options->overrides.n && code == CLI_DONE; i++) {
        const ElvOverride* item = &options->overrides.item[i];
        if (!cli_override(&source.overrides, NULL, item->key, item->value)) {
            code = cli_complain(command, CLI_FAILED, "out of memory");
        }
    }
    LiveModel* model = NULL;
    if (code == CLI_DONE) {
        code = make_model(&source, &loaded, &model);
    }
    LiveRun* run = model ? live_run_create(&source, model) : NULL;
    if (run) {
        code = run_live(options, run);
        live_run_free(run);
    } else if (model) {
        code = cli_complain(command, CLI_FAILED, "out of memory");
        live_model_free(model);
    }
    cli_overrides_free(&source.overrides);
    cli_model_free(&loaded);
    return code;
}
