// SPDX-License-Identifier: Apache-2.0
// The command line of Elver: `elver COMMAND …`. Exit codes: 0 done, 1 the computation failed, 2 bad
// usage or bad input.
#include "cli.h"

#include <string.h>

// a result that could not be written is no result
static int close_stdout(int code) {
    bool is_bad = ferror(stdout) != 0;
    is_bad = fflush(stdout) != 0 || is_bad;
    if (is_bad && code == CLI_DONE) {
        return cli_complain(NULL, CLI_FAILED, "cannot write to standard output");
    }
    return code;
}

static int dispatch(int argc, char** argv) {
    if (argc < 2) {
        cli_print_usage(stderr);
        return CLI_USAGE;
    }
    const char* word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("elver %s\n", ELV_VERSION_STRING);
        return CLI_DONE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        cli_print_usage(stdout);
        return CLI_DONE;
    }
    const CliCommand* command = cli_find_command(word);
    return command ? command->run(argc - 2, argv + 2) : CLI_USAGE;
}

int main(int argc, char** argv) {
    return close_stdout(dispatch(argc, argv));
}
