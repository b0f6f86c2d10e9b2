// SPDX-License-Identifier: Apache-2.0
// `elver view OUT... | MODEL`: a picture that moves, in the browser. Trajectories become one HTML file; a model alone
// runs live; with -o it is simulated, and its file written.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "view.h"

#include "replay.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char command[] = "view";

const char CLI_HELP_VIEW[] =
    "usage: elver view OUT... [-o FILE.html] [OPTION]...\n"
    "       elver view MODEL [-o FILE.html] [OPTION]...\n"
    "\n"
    "See a motion in the browser. OUT: a trajectory (.h5), or a folder that 'elver run -o' has\n"
    "written; with several, the later ones are shown as ghosts of the first. A page with all that "
    "is\n"
    "in it is written among temporary files and opened; it needs no network and no server.\n"
    "MODEL: runs live, in real time, with sliders for its inputs and parameters, and forces by "
    "the\n"
    "mouse, until Ctrl-C; with -o it is simulated, and its page written.\n"
    "\n"
    "  -o, --out FILE        write the page there, and open nothing; .glb and .pvd are written "
    "too\n"
    "      --serve           serve the page on 127.0.0.1 until Ctrl-C, in place of a file\n"
    "      --port N          ... at this port; default: a free one, which is printed\n"
    "      --no-open         open no browser\n"
    "      --stations N      sections drawn of each rod; default 17, of more than 24 rods 9\n"
    "      --signal NAME     a curve beside the picture, in place of those of the model file; may "
    "be\n"
    "                        repeated\n"
    "      --title TEXT      title of the page\n"
    "      --all             every record, also where the page becomes large\n"
    "      --statics         of a MODEL with -o: equilibria at its loads, in place of a motion\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "  -q, --quiet           no progress, no notes\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit code: 0 done; 1 the simulation failed, what it reached is in the page; 2 bad usage or "
    "bad\n"
    "input.\n";

enum {
    OPTION_OUT,
    OPTION_SERVE,
    OPTION_PORT,
    OPTION_NO_OPEN,
    OPTION_STATIONS,
    OPTION_SIGNAL,
    OPTION_TITLE,
    OPTION_SET,
    OPTION_STATICS,
    OPTION_ALL,
    OPTION_QUIET
};

static const CliOption list[] = {
    {OPTION_OUT, 'o', "out", CLI_VALUE},         {OPTION_SERVE, 0, "serve", CLI_FLAG},
    {OPTION_PORT, 0, "port", CLI_VALUE},         {OPTION_NO_OPEN, 0, "no-open", CLI_FLAG},
    {OPTION_STATIONS, 0, "stations", CLI_VALUE}, {OPTION_SIGNAL, 0, "signal", CLI_VALUE},
    {OPTION_TITLE, 0, "title", CLI_VALUE},       {OPTION_SET, 0, "set", CLI_VALUE},
    {OPTION_STATICS, 0, "statics", CLI_FLAG},    {OPTION_ALL, 0, "all", CLI_FLAG},
    {OPTION_QUIET, 'q', "quiet", CLI_FLAG},
};

// a whole number within bounds
static int take_whole(const char* option, const char* text, int least, int most, int* value) {
    double x = 0.0;
    if (!cli_parse_number(command, option, text, &x)) {
        return CLI_USAGE;
    }
    if (x != floor(x) || x < least || x > most) {
        return cli_complain(command, CLI_USAGE, "%s: '%s' is no whole number from %d to %d", option,
                            text, least, most);
    }
    *value = (int)x;
    return CLI_DONE;
}

static int take_input(ViewOptions* options, const char* name) {
    if (options->n_input == VIEW_INPUTS_MAX) {
        return cli_complain(command, CLI_USAGE, "at most %d at a time", VIEW_INPUTS_MAX);
    }
    options->input[options->n_input++] = name;
    return CLI_DONE;
}

static int take_signal(ViewOptions* options, const char* name) {
    ElvViewOptions* view = &options->view;
    int n = view->n_signal < 0 ? 0 : view->n_signal;
    if (n == VIEW_SIGNALS_MAX) {
        return cli_complain(command, CLI_USAGE, "at most %d signals", VIEW_SIGNALS_MAX);
    }
    options->signal[n] = name;
    view->signal = options->signal;
    view->n_signal = n + 1;
    return CLI_DONE;
}

static int take_flag(ViewOptions* options, int id) {
    options->is_served |= id == OPTION_SERVE;
    options->is_shut |= id == OPTION_NO_OPEN;
    options->is_static |= id == OPTION_STATICS;
    options->is_whole |= id == OPTION_ALL;
    options->is_quiet |= id == OPTION_QUIET;
    return CLI_DONE;
}

static int take(ViewOptions* options, int id, const char* value) {
    switch (id) {
    case OPTION_OUT:
        options->out = value;
        return CLI_DONE;
    case OPTION_PORT:
        return take_whole("--port", value, 0, 65535, &options->port);
    case OPTION_STATIONS:
        return take_whole("--stations", value, 2, ELV_VIEW_STATIONS_MAX, &options->view.stations);
    case OPTION_SIGNAL:
        return take_signal(options, value);
    case OPTION_TITLE:
        options->title = value;
        return CLI_DONE;
    case OPTION_SET:
        return cli_override_set(command, &options->overrides, value);
    case CLI_OPERAND:
        return take_input(options, value);
    case CLI_BAD:
        return CLI_USAGE;
    default:
        return take_flag(options, id);
    }
}

// what no combination of options means
static int check(const ViewOptions* options) {
    if (options->n_input == 0) {
        return cli_complain(command, CLI_USAGE,
                            "what is to be seen? a trajectory (.h5), a folder that 'elver run -o' "
                            "has written, or a model");
    }
    if (options->out && options->is_served) {
        return cli_complain(command, CLI_USAGE, "-o writes a file, --serve none: choose one");
    }
    for (int i = 0; i < options->n_input && options->out; i++) {
        int code = cli_guard_output(command, options->out, options->input[i]);
        if (code != CLI_DONE) {
            return code;
        }
    }
    return CLI_DONE;
}

static int write_and_open(const ViewOptions* options) {
    char folder[CLI_PATH];
    char path[CLI_PATH];
    if (!view_temporary(folder, path)) {
        return cli_complain(command, CLI_FAILED, "cannot make a temporary folder");
    }
    int code = view_write(options, path);
    // what a failed run has reached is a page as well
    struct stat about;
    if (stat(path, &about) != 0) {
        (void)rmdir(folder);
        return code;
    }
    printf("%s\n", path);
    fflush(stdout);
    view_open_browser(options, path);
    return code;
}

static int show(const ViewOptions* options) {
    int code = check(options);
    if (code != CLI_DONE) {
        return code;
    }
    if (options->out) {
        return view_write(options, options->out);
    }
    if (options->n_input == 1 && !cli_is_trajectory(options->input[0])) {
        return view_live(options);
    }
    return options->is_served ? view_serve_page(options) : write_and_open(options);
}

int cli_cmd_view(int argc, char** argv) {
    CliParser parser = {command, list, sizeof list / sizeof list[0], argc, argv, 0, false, false};
    ViewOptions options = {.view = elv_view_options_default()};
    const char* value = NULL;
    int code = CLI_DONE;
    for (int id = cli_next(&parser, &value); id != CLI_END && code == CLI_DONE;
         id = cli_next(&parser, &value)) {
        if (id == CLI_HELP) {
            cli_print_help(command);
            cli_overrides_free(&options.overrides);
            return CLI_DONE;
        }
        code = take(&options, id, value);
    }
    if (code == CLI_DONE) {
        code = show(&options);
    }
    cli_overrides_free(&options.overrides);
    return code;
}
