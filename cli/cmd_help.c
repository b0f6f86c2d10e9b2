// SPDX-License-Identifier: Apache-2.0
// `elver help [COMMAND]`: the table of commands with their help texts.
#include "cli.h"

#include <string.h>

static const char help_run[] =
    "usage: elver run MODEL [-o OUT] [OPTION]...\n"
    "\n"
    "Simulate a model. MODEL is a model file (.yaml), a shipped example (@name), a trajectory\n"
    "(.h5) that stores its model, or - for a model on standard input.\n"
    "\n"
    "  -o, --out OUT         where results go; the ending chooses the form: .csv, .h5, .npy; a "
    "name\n"
    "                        without ending is a folder with trajectory.csv, trajectory.h5, "
    "model.yaml;\n"
    "                        - is CSV on standard output, the default when that is no terminal\n"
    "      --set KEY=VALUE   put a value over one of the model file: a parameter, or a path such "
    "as\n"
    "                        arm.length; may be repeated\n"
    "      --method NAME     generalized-alpha, newmark, hht, bdf2, explicit or connection, or, "
    "without\n"
    "                        modes, shooting, rkmk or till (simulate.method)\n"
    "      --duration S      simulated time, s (simulate.duration)\n"
    "      --step S          time step, or the largest one, s (simulate.step)\n"
    "      --every S         recording interval, s (record.every)\n"
    "      --rel-tol X       relative tolerance of a step (simulate.rel_tol)\n"
    "      --abs-tol X       absolute tolerance of a step (simulate.abs_tol)\n"
    "      --signal NAME     record this signal, in place of the model file's; may be repeated\n"
    "      --restart FILE    start from the last record of a trajectory (.h5 or folder) of the "
    "model;\n"
    "                        the duration counts from there\n"
    "      --restart-time T  start from the record nearest to T, s, at most one interval away\n"
    "      --plot [FILE]     draw the recorded signals (with gnuplot) as .svg, .png or .pdf; "
    "default "
    "OUT with\n"
    "                        .svg\n"
    "      --mode-study      compare with a run with one mode more of every strain, and print how "
    "much\n"
    "                        that changes ([P20] equation 61)\n"
    "      --json            print the summary as JSON on standard output\n"
    "  -q, --quiet           no progress line, no summary\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit code: 0 done; 1 the computation failed or was interrupted, what was recorded is kept;\n"
    "2 bad usage or bad input.\n";

static const char help_statics[] =
    "usage: elver statics MODEL [-o OUT] [OPTION]...\n"
    "\n"
    "Find the equilibrium of a model, or one for each load of statics.loads, followed from the "
    "one\n"
    "before. t in the laws of the model is then the load. The signals of record.signals are "
    "written,\n"
    "one row a load, with the column load first.\n"
    "\n"
    "  -o, --out OUT         where results go, as in 'elver run'\n"
    "      --set KEY=VALUE   put a value over one of the model file, such as\n"
    "                        statics.loads=[1,2,3]; may be repeated\n"
    "      --stability       a last column with the lowest eigenvalue of the stiffness against "
    "the\n"
    "                        mass, (rad/s)^2: below zero where the energy has no minimum; by\n"
    "                        shooting the number of directions in which it falls\n"
    "      --continue        follow the path of equilibria from the first load to the last, "
    "through\n"
    "                        limit points, one row a point, and find where it bifurcates\n"
    "      --branch + or -   with --continue: leave the path at a bifurcation, to one side or the\n"
    "                        other\n"
    "      --branch-at N     ... at the N-th bifurcation; default 1\n"
    "      --max-step X      with --continue: longest step, as a fraction of the range of loads "
    "and of\n"
    "                        the size of the robot; default 0.05\n"
    "      --max-points N    with --continue: end there; default 2000\n"
    "      --mode-study      compare with one mode more of every strain, and print how much that\n"
    "                        changes ([P20] equation 61)\n"
    "      --json            print the summary as JSON on standard output\n"
    "  -q, --quiet           no progress line, no summary\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit code: 0 done; 1 an equilibrium was not found, the rows before it are kept; 2 bad usage "
    "or\n"
    "bad input.\n";

static const char help_inverse[] =
    "usage: elver inverse MODEL [-o OUT] [OPTION]...\n"
    "\n"
    "The inverse problem that a model poses. Joints with a 'motion': what their drives must give, "
    "with\n"
    "the motion of all other joints, which loops determine, and the wrenches of the loops. Rods "
    "with a\n"
    "'motion': the stress that these strains take, the net motion of a root that is free, and "
    "tensions,\n"
    "none below zero, that come nearest. 'inverse: {tip: ...}': the tensions, or the wrench, that "
    "bring\n"
    "the tip of the last rod to a place, one row for each of statics.loads. The signals of "
    "record.signals\n"
    "are written; if there are none, what the problem asks for.\n"
    "\n"
    "  -o, --out OUT         where results go, as in 'elver run'\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "      --duration S      rows from t = 0 to S, s (simulate.duration)\n"
    "      --every S         interval between rows, s (record.every)\n"
    "      --signal NAME     write this signal, in place of the model file's; may be repeated\n"
    "      --plot [FILE]     draw the signals (with gnuplot) as .svg, .png or .pdf; default OUT "
    "with .svg\n"
    "      --json            print the summary as JSON on standard output\n"
    "  -q, --quiet           no summary\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit code: 0 done; 1 a loop could not be closed at some time, or an equilibrium was not "
    "found, the\n"
    "rows before it are kept; or a place of the tip is out of reach, its row has how near it gets; "
    "2 bad\n"
    "usage or bad input: such as a joint that neither a drive nor a loop holds.\n";

static const char help_modes[] =
    "usage: elver modes MODEL [-o FILE] [OPTION]...\n"
    "\n"
    "Natural frequencies, damping ratios and shapes of the vibrations about an equilibrium: the "
    "one at\n"
    "the last of statics.loads, or at t = 0; the initial shape where that is in balance.\n"
    "\n"
    "  -o, --out FILE        shapes as .csv or .npy, one row a mode: velocities of all joints and "
    "rods,\n"
    "                        displacements and rotations of bodies and tips in world axes\n"
    "      --count N         the first N modes; else the table has the ten lowest and all that "
    "are unstable,\n"
    "                        FILE and JSON have all\n"
    "      --all             all modes\n"
    "      --load T          the equilibrium at load T\n"
    "      --initial         about the initial shape, in balance or not\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "      --json            print the modes as JSON on standard output\n"
    "  -h, --help            this text\n";

static const char help_linearize[] =
    "usage: elver linearize MODEL [-o FOLDER] [OPTION]...\n"
    "\n"
    "The linear model x' = A x + B u, y = C x + D u for small motions about an equilibrium, found "
    "as by\n"
    "'elver modes'. x: coordinates, their rates, integrals of controllers. u: all drives, set "
    "points\n"
    "and laws of actuators. y: the recorded signals. FOLDER receives A, B, C, D as .csv and "
    ".npy,\n"
    "and names.json; without it all is printed as JSON.\n"
    "\n"
    "  -o, --out FOLDER      where the files go\n"
    "      --input NAME      an input, in place of all: arm.effort.0, tendon.left.tension, "
    "loads[0].force.z;\n"
    "                        may be repeated\n"
    "      --signal NAME     an output, in place of the model file's; may be repeated\n"
    "      --load T          the equilibrium at load T\n"
    "      --initial         about the initial shape, in balance or not\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "      --json            print JSON on standard output, besides the files\n"
    "  -h, --help            this text\n";

static const char help_gait[] =
    "usage: elver gait MODEL [-o FIELD] [OPTION]...\n"
    "\n"
    "How the imposed shape of a robot becomes motion: its class, whether constraints and shape "
    "agree, the\n"
    "group of its net motions, the connection A (free velocities = -A imposed ones) at the start, "
    "and the\n"
    "net displacement of a cycle.\n"
    "\n"
    "      --connection NAME mechanical (momentum, with added inertia) or stokes (viscous "
    "resistance);\n"
    "                        default: that of simulate, else mechanical\n"
    "  -o, --out FIELD       A and its curvature over two imposed coordinates, .csv or .npy\n"
    "      --plot [FILE.svg] draw rows of A, its curvature and the gait in them (with gnuplot), or "
    "A over\n"
    "                        one coordinate; default FIELD with .svg\n"
    "      --over A,B        these coordinates: joints, or JOINT.K; default the first two\n"
    "      --from X, --to X  their range, default -1 to 1, in a plot that of the gait\n"
    "      --points N        points along each, default 21\n"
    "      --start S         time at which all is looked at and the cycle begins, default 0 s\n"
    "      --period T        length of a cycle, s; default: found from the laws\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "      --json            print all as JSON on standard output\n"
    "  -q, --quiet           no progress line\n"
    "  -h, --help            this text\n";

static const char help_plot[] =
    "usage: elver plot OUT... [SIGNAL]... [-o FIGURE] [OPTION]...\n"
    "\n"
    "Draw recorded signals (with gnuplot), of one run or of several in one figure. OUT is a .h5 or "
    ".csv\n"
    "file, or a folder, of 'elver run', 'statics' or 'inverse'. SIGNAL is a signal "
    "(arm.tip.position), one\n"
    "column (arm.tip.position.x), or several (*.position.z); what was not recorded is computed "
    "from "
    "the\n"
    "states of a .h5 file. Without one all that was recorded is drawn.\n"
    "\n"
    "  -o, --out FIGURE      .svg, .png or .pdf; default OUT with .svg\n"
    "      --terminal        draw with letters on standard output\n"
    "      --title TEXT      above the figure\n"
    "      --from T, --to T  only records between these times or loads\n"
    "      --x COLUMN        draw over this column in place of time or load\n"
    "      --together        signals of one unit in one panel\n"
    "  -q, --quiet           no progress line, no summary\n"
    "  -h, --help            this text\n";

static const char help_check[] =
    "usage: elver check MODEL [--set KEY=VALUE]...\n"
    "\n"
    "Validate a model: read and compile it, resolve its signals, compute its first accelerations, "
    "see\n"
    "whether wheels and contacts agree with the imposed motion.\n"
    "Errors are printed as file:line:column. Exit code: 0 the model is good, 2 it is not.\n"
    "\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "  -h, --help            this text\n";

static const char help_info[] =
    "usage: elver info MODEL [--set KEY=VALUE]... [--json]\n"
    "\n"
    "Show what was read: tree, joints, degrees of freedom, masses, modes, quadrature nodes, "
    "energies\n"
    "at the start, gravity, breakpoints, recorded signals with their units.\n"
    "\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "      --json            the same as JSON\n"
    "  -h, --help            this text\n";

static const char help_list[] =
    "usage: elver list [--json]\n"
    "\n"
    "List the shipped examples; every command takes @NAME for one of them. They lie in the folder\n"
    "$ELVER_MODELS, if it is set, and where Elver was installed or built.\n"
    "\n"
    "      --json            the same as JSON, with the files\n"
    "  -h, --help            this text\n";

static const char help_export[] =
    "usage: elver export MODEL [-o FILE] [--set KEY=VALUE]...\n"
    "       elver export OUT -o FILE.csv|.npy|.glb|.pvd [--signal NAME]...\n"
    "\n"
    "Write the model back as YAML, with every value that was put over it. MODEL may be a "
    "trajectory\n"
    "(.h5): the model it was computed from is written.\n"
    "Write a trajectory, .h5 or a folder of 'elver run', for other programs: recorded signals as "
    ".csv or\n"
    ".npy; the moving robot as glTF (.glb), or as a series for ParaView (.pvd and a folder beside "
    "it).\n"
    "\n"
    "  -o, --out FILE        write there instead of to standard output\n"
    "      --set KEY=VALUE   put a value over one of the model file; may be repeated\n"
    "      --signal NAME     write this signal in place of all recorded ones, computed from the "
    "states\n"
    "                        where it was not recorded; may be repeated\n"
    "  -q, --quiet           no progress line, no summary\n"
    "  -h, --help            this text\n";

static const char help_help[] = "usage: elver help [COMMAND]\n"
                                "\n"
                                "Show the commands, or the help of one of them.\n";

static const char help_reproduce[] =
    "usage: elver reproduce\n"
    "       elver reproduce FIGURE [-o FOLDER]\n"
    "       elver reproduce all [-o FOLDER]\n"
    "       elver reproduce p23-fig16|ocp-fig6 [-o FILE.csv] [--quick]\n"
    "       elver reproduce methods [--plot [FILE.svg]] [-o FILE.csv] [--quick] [--json]\n"
    "\n"
    "Without a name, list every figure and table of the papers. With one, make it from the "
    "shipped\n"
    "examples: FIGURE.svg (with gnuplot), FIGURE.csv, FIGURE.html for the browser, or the table; "
    "and\n"
    "tell what the paper says of it, what is chosen here, and what the paper does not give. 'all'\n"
    "makes all of them, and index.html, which shows them.\n"
    "\n"
    "  -o, --out FOLDER      where files go; default the current folder, of 'all' the folder "
    "figures\n"
    "\n"
    "p23-fig16 and ocp-fig6 also print a comparison, which -o FILE.csv makes alone. Of methods:\n"
    "\n"
    "      --plot [FILE.svg] draw the tip by each method and the errors (with gnuplot); default\n"
    "                        methods.svg\n"
    "  -o, --out FILE.csv    write the tip by each method\n"
    "      --quick           a shorter run and one refinement less\n"
    "      --json            the table as JSON\n"
    "  -h, --help            this text\n";

const CliCommand CLI_COMMANDS[] = {
    {"run", "simulate a model and record signals", help_run, cli_cmd_run},
    {"statics", "find equilibria under stepped loads", help_statics, cli_cmd_statics},
    {"inverse", "efforts, stresses, tensions for an imposed motion", help_inverse, cli_cmd_inverse},
    {"modes", "natural frequencies and shapes", help_modes, cli_cmd_modes},
    {"linearize", "a linear model for control", help_linearize, cli_cmd_linearize},
    {"gait", "how shapes become motion: connection, net displacement", help_gait, cli_cmd_gait},
    {"plot", "draw recorded signals", help_plot, cli_cmd_plot},
    {"check", "validate a model", help_check, cli_cmd_check},
    {"info", "show what a model consists of", help_info, cli_cmd_info},
    {"view", "see a trajectory, or run a model live, in the browser", CLI_HELP_VIEW, cli_cmd_view},
    {"list", "list the shipped examples", help_list, cli_cmd_list},
    {"export", "models as YAML; trajectories for other programs", help_export, cli_cmd_export},
    {"reproduce", "figures and tables of the papers", help_reproduce, cli_cmd_reproduce},
    {"help", "show the help of a command", help_help, cli_cmd_help},
};
const size_t CLI_N_COMMAND = sizeof CLI_COMMANDS / sizeof CLI_COMMANDS[0];

enum { MAX_COMMAND = 32 };

const CliCommand* cli_find_command(const char* name) {
    const char* known[MAX_COMMAND];
    for (size_t i = 0; i < CLI_N_COMMAND; i++) {
        known[i] = CLI_COMMANDS[i].name;
        if (strcmp(name, known[i]) == 0) {
            return &CLI_COMMANDS[i];
        }
    }
    const char* nearest = elv_suggest(name, known, CLI_N_COMMAND);
    if (nearest) {
        cli_complain(NULL, CLI_USAGE, "unknown command '%s', did you mean '%s'?", name, nearest);
    } else {
        cli_complain(NULL, CLI_USAGE, "unknown command '%s'; 'elver help' lists the commands",
                     name);
    }
    return NULL;
}

void cli_print_help(const char* command) {
    for (size_t i = 0; i < CLI_N_COMMAND; i++) {
        if (strcmp(command, CLI_COMMANDS[i].name) == 0) {
            fputs(CLI_COMMANDS[i].help, stdout);
        }
    }
}

void cli_print_usage(FILE* stream) {
    fputs("usage: elver COMMAND [OPTION]...\n"
          "\n"
          "Simulate robots made of rigid bodies and Cosserat rods.\n"
          "\n",
          stream);
    for (size_t i = 0; i < CLI_N_COMMAND; i++) {
        fprintf(stream, "  %-9s %s\n", CLI_COMMANDS[i].name, CLI_COMMANDS[i].summary);
    }
    fputs("\n"
          "'elver help COMMAND' shows its options; 'elver --version' the version.\n"
          "A first run: elver list, then elver run @NAME -o out.h5 --plot\n",
          stream);
}

int cli_cmd_help(int argc, char** argv) {
    CliParser parser = {.command = "help", .argc = argc, .argv = argv};
    const char* value = NULL;
    const char* topic = NULL;
    for (int id = cli_next(&parser, &value); id != CLI_END; id = cli_next(&parser, &value)) {
        if (id == CLI_BAD) {
            return CLI_USAGE;
        }
        topic = id == CLI_HELP ? "help" : value;
    }
    if (!topic) {
        cli_print_usage(stdout);
        return CLI_DONE;
    }
    const CliCommand* command = cli_find_command(topic);
    if (!command) {
        return CLI_USAGE;
    }
    cli_print_help(command->name);
    return CLI_DONE;
}
