// SPDX-License-Identifier: Apache-2.0
// `elver export MODEL`: the model back as YAML, on stdout or in a file.
#include "cli.h"

#include <errno.h>
#include <string.h>

static const CliOption options[] = {
    {CLI_OPTION_SET, 0, "set", CLI_VALUE},
    {CLI_OPTION_OUT, 'o', "out", CLI_VALUE},
};

static int write_text(const char* out, const char* text) {
    if (!out || strcmp(out, "-") == 0) {
        fputs(text, stdout);
        return CLI_DONE;
    }
    FILE* stream = fopen(out, "wb");
    if (!stream) {
        return cli_complain("export", CLI_USAGE, "cannot write '%s': %s", out, strerror(errno));
    }
    bool is_good = fputs(text, stream) >= 0;
    is_good = fclose(stream) == 0 && is_good;
    if (!is_good) {
        return cli_complain("export", CLI_FAILED, "cannot write '%s': %s", out, strerror(errno));
    }
    return CLI_DONE;
}

static int export_model(const CliRequest* request) {
    CliModel loaded;
    int code = cli_model_load("export", request->model, &request->overrides, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    ElvError error;
    elv_error_clear(&error);
    char* text = NULL;
    ElvStatus status = elv_spec_write_text(loaded.spec, &text, &error);
    code = status == ELV_OK ? write_text(request->out, text)
                            : cli_complain_error("export", cli_exit_code(status), &error);
    elv_text_free(text);
    cli_model_free(&loaded);
    return code;
}

int cli_cmd_export(int argc, char** argv) {
    CliRequest request;
    int code = CLI_DONE;
    if (cli_request("export", options, sizeof options / sizeof options[0], argc, argv, &request,
                    &code)) {
        code = export_model(&request);
    }
    cli_overrides_free(&request.overrides);
    return code;
}
