// SPDX-License-Identifier: Apache-2.0
// The words of commands that take one model and a few options.
#include "cli.h"

// take one word; returns false when the command ends here
static bool take(const char* command, int id, const char* value, CliRequest* request, int* code) {
    switch (id) {
    case CLI_HELP:
        cli_print_help(command);
        return false;
    case CLI_OPTION_SET:
        *code = cli_override_set(command, &request->overrides, value);
        break;
    case CLI_OPTION_JSON:
        request->is_json = true;
        break;
    case CLI_OPTION_OUT:
        request->out = value;
        break;
    case CLI_OPERAND:
        if (request->model) {
            *code =
                cli_complain(command, CLI_USAGE, "one model at a time: '%s' is too many", value);
        }
        request->model = value;
        break;
    default:
        *code = CLI_USAGE;
        break;
    }
    return *code == CLI_DONE;
}

bool cli_request(const char* command,
                 const CliOption* option,
                 size_t n_option,
                 int argc,
                 char** argv,
                 CliRequest* request,
                 int* code) {
    CliParser parser = {command, option, n_option, argc, argv, 0, false, false};
    *request = (CliRequest){NULL, NULL, false, {NULL, NULL, 0}};
    *code = CLI_DONE;
    const char* value = NULL;
    for (int id = cli_next(&parser, &value); id != CLI_END; id = cli_next(&parser, &value)) {
        if (!take(command, id, value, request, code)) {
            return false;
        }
    }
    return true;
}
