// SPDX-License-Identifier: Apache-2.0
// What the commands of `elver` share: exit codes, messages, options, model loading, numbers.
// Results go to stdout, messages to stderr.
#ifndef ELVER_CLI_CLI_H
#define ELVER_CLI_CLI_H

#include "elver/elver.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

// ---- messages (message.c)

/// Print "elver COMMAND: message" on stderr and return code. command may be NULL.
int cli_complain(const char* command, int code, const char* format, ...) ELV_PRINTF(3, 4);

/// Print an error of the library: "file:line:column: element: message" when it has a place,
/// "elver COMMAND: element: message" when it has none. Returns code.
int cli_complain_error(const char* command, int code, const ElvError* error);

/// Print that the loops of a model are open at the start, which is no error: statics may mount
/// them.
void cli_note_open(const char* command, const ElvError* error);

/// Notes of the reader on a model that was loaded.
void cli_tell_notes(const char* command, const ElvSpec* spec);

/// Warn of imposed strains that the modes of their rods do not resolve, and of wheels that nothing
/// keeps on the ground.
void cli_warn_motion(const char* command, const ElvModel* model);

/// Warn of what the surface of the water does not treat as it should, at the start.
void cli_warn_water(const char* command, const ElvModel* model);

/// The exit code of a failed call: bad input and files are the user's (2), the rest is computation.
int cli_exit_code(ElvStatus status);

/// The same at the start of a motion, where numbers that fail are those of the model: it is bad
/// input too.
int cli_start_code(ElvStatus status);

// ---- options (parse.c)

typedef enum {
    CLI_FLAG,      // no value
    CLI_VALUE,     // --name VALUE or --name=VALUE
    CLI_VALUE_SVG, // value only if the next word ends in .svg
    CLI_VALUE_PLOT // the same of .svg, .png and .pdf
} CliArgument;

typedef struct {
    int id;           // what cli_next returns, 0 or more
    char letter;      // short form, or 0
    const char* name; // long form
    CliArgument argument;
} CliOption;

enum { CLI_END = -1, CLI_OPERAND = -2, CLI_HELP = -3, CLI_BAD = -4 };

/// A walk through the words after the command.
typedef struct {
    const char* command;
    const CliOption* option; // (n_option)
    size_t n_option;
    int argc;
    char** argv;
    int i;
    bool is_literal; // after "--"
    bool has_out;    // -o was there
} CliParser;

/// The next option's id, or one of CLI_END, CLI_OPERAND, CLI_HELP, CLI_BAD (message printed).
/// value: the option's value, or the operand.
int cli_next(CliParser* parser, const char** value);

/// Whether a word has this ending after something else; NULL has none.
bool cli_ends_in(const char* word, const char* ending);

/// A finite number, or a message and false.
bool cli_parse_number(const char* command, const char* option, const char* text, double* value);

// ---- models (model_path.c, model_load.c)

enum { CLI_PATH = 4096 };

/// File of a model: "@name" is a shipped example, anything else a path. Prints why it fails.
bool cli_model_path(const char* command, const char* model, char path[CLI_PATH]);

/// Call visit for each folder that holds examples, the first to be searched first.
void cli_model_folders(void (*visit)(void* user, const char* folder), void* user);

/// Names of the shipped examples, sorted; free with cli_names_free.
typedef struct {
    char** name;
    size_t n;
} CliNames;

bool cli_model_names(CliNames* names);
void cli_names_free(CliNames* names);

/// A growing list of overrides; keys and values are copied.
typedef struct {
    ElvOverride* item;
    const char** option; // that each stands for, "--signal", or NULL for --set
    int n;
} CliOverrides;

/// option: what messages call it; NULL: --set.
bool cli_override(CliOverrides* list, const char* option, const char* key, const char* value);

/// Add "KEY=VALUE"; prints what is wrong with it and returns an exit code.
int cli_override_set(const char* command, CliOverrides* list, const char* text);
void cli_overrides_free(CliOverrides* list);

/// A model, read from a file, an example or the trajectory (.h5) that stores it, and its spec.
typedef struct {
    char path[CLI_PATH];
    ElvSpec* spec;
    ElvModel* model;
    char* text; // of the file; NULL: from a trajectory
    size_t n_text;
} CliModel;

/// Give an error about an element its place in the file.
void cli_model_locate(const CliModel* model, ElvError* error);

/// Prints why it fails and returns an exit code.
int cli_model_load(const char* command,
                   const char* name,
                   const CliOverrides* list,
                   CliModel* model);
void cli_model_free(CliModel* model);

/// What to call a model in a summary: its name, or that of its file.
const char* cli_model_title(const CliModel* model);

/// Loops, sliders and constraints of a model.
int cli_count_loops(const ElvModel* model);

// ---- what most commands ask for (request.c)

enum { CLI_OPTION_SET, CLI_OPTION_JSON, CLI_OPTION_OUT };

typedef struct {
    const char* model; // as given, or NULL
    const char* out;   // or NULL
    bool is_json;
    CliOverrides overrides;
} CliRequest;

/// Read the words of a command whose options are among the three above. Returns true to go on; else
/// *code is the exit code. Free the overrides either way.
bool cli_request(const char* command,
                 const CliOption* option,
                 size_t n_option,
                 int argc,
                 char** argv,
                 CliRequest* request,
                 int* code);

// ---- files that must stay (output_guard.c)

/// Refuse an output (NULL and "-" are none) that is, or whose folder has, the file or folder input
/// (may be NULL). Prints why and returns an exit code.
int cli_guard_output(const char* command, const char* out, const char* input);

/// Whether a file can be written, which is better known before a simulation. Prints why not.
bool cli_can_write(const char* command, const char* path);

// ---- files that appear whole (output_file.c)

typedef struct {
    const char* command;
    const char* path;
    char part[CLI_PATH + 8]; // its name until it is whole
    bool is_renamed;         // no pipe, device or link, which is written as it is
    FILE* stream;
} CliFile;

/// Whether there is something that is no plain file: a pipe, a device, a link.
bool cli_is_special(const char* path);

/// Begin a file, which is written to its stream. Both live until its end. Prints why it fails and returns an exit code.
int cli_file_begin(const char* command, const char* path, CliFile* file);

/// Give it its name; if it could not be written, there is none. The same.
int cli_file_end(CliFile* file);

/// Leave no file.
void cli_file_discard(CliFile* file);

// ---- plots (gnuplot.c)

/// Writes a script for gnuplot, data included.
typedef void (*CliScript)(FILE* stream, const void* user);

/// Let gnuplot draw into a file, or onto standard output (path NULL). Prints why it fails and returns an exit code.
int cli_gnuplot(const char* command, const char* path, CliScript write, const void* user);

/// The first n characters of a text in single quotes, as gnuplot reads them.
void cli_gnuplot_quoted(FILE* stream, const char* text, size_t n);

// ---- numbers, JSON (json.c)

/// The number with the fewest digits that read back exactly.
void cli_print_number(FILE* stream, double value);

/// A JSON string, quotes and escapes included; a JSON number (null if it is not finite).
void cli_json_text(FILE* stream, const char* text);
void cli_json_number(FILE* stream, double value);
void cli_json_numbers(FILE* stream, const double* value, size_t n);

/// A further member of an object on stdout; a text of NULL is null.
void cli_json_member_number(const char* key, double value);
void cli_json_member_text(const char* key, const char* text);

// ---- commands (cmd_….c): argv holds the words after the command

typedef struct {
    const char* name;
    const char* summary; // one line for the list of commands
    const char* help;    // the whole help text
    int (*run)(int argc, char** argv);
} CliCommand;

extern const char CLI_HELP_VIEW[]; // cmd_view.c
extern const CliCommand CLI_COMMANDS[];
extern const size_t CLI_N_COMMAND;

/// The command of that name, or NULL with a message that suggests one.
const CliCommand* cli_find_command(const char* name);

/// Print the help of a command on stdout.
void cli_print_help(const char* command);

/// Print the list of commands.
void cli_print_usage(FILE* stream);

int cli_cmd_run(int argc, char** argv);
int cli_cmd_statics(int argc, char** argv);
int cli_cmd_inverse(int argc, char** argv);
int cli_cmd_modes(int argc, char** argv);
int cli_cmd_linearize(int argc, char** argv);
int cli_cmd_gait(int argc, char** argv);
int cli_cmd_plot(int argc, char** argv);
int cli_cmd_check(int argc, char** argv);
int cli_cmd_info(int argc, char** argv);
int cli_cmd_list(int argc, char** argv);
int cli_cmd_export(int argc, char** argv);
int cli_cmd_reproduce(int argc, char** argv);
int cli_cmd_view(int argc, char** argv);
int cli_cmd_help(int argc, char** argv);

#endif
