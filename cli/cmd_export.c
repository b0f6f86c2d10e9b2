// SPDX-License-Identifier: Apache-2.0
// `elver export MODEL`: the model back as YAML, on stdout or in a file.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const CliOption options[] = {
    {CLI_OPTION_SET, 0, "set", CLI_VALUE},
    {CLI_OPTION_OUT, 'o', "out", CLI_VALUE},
};

static int fail(int code, const char* out, int reason) {
    return cli_complain("export", code, "cannot write '%s': %s", out, strerror(reason));
}

// a pipe, a device or a link, which is written as it is
static bool is_special(const char* path) {
    struct stat info;
    return lstat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

// fill a temporary file and rename it, so that a file under its final name is always whole
static int write_text(const char* out, const char* text) {
    if (!out || strcmp(out, "-") == 0) {
        fputs(text, stdout);
        return CLI_DONE;
    }
    char part[CLI_PATH];
    bool is_renamed = !is_special(out);
    if (snprintf(part, sizeof part, "%s%s", out, is_renamed ? ".part" : "") >= CLI_PATH) {
        return cli_complain("export", CLI_USAGE, "the name of the file is too long");
    }
    FILE* stream = fopen(part, "wb");
    if (!stream) {
        return fail(CLI_USAGE, out, errno);
    }
    // keep the first reason
    int reason = fputs(text, stream) < 0 ? errno : 0;
    reason = fclose(stream) != 0 && reason == 0 ? errno : reason;
    reason = is_renamed && reason == 0 && rename(part, out) != 0 ? errno : reason;
    if (is_renamed && reason != 0) {
        remove(part);
    }
    return reason != 0 ? fail(CLI_FAILED, out, reason) : CLI_DONE;
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
    if (status != ELV_OK) {
        code = cli_complain_error("export", cli_exit_code(status), &error);
    } else {
        code = cli_guard_output("export", request->out, loaded.path);
        code = code == CLI_DONE ? write_text(request->out, text) : code;
    }
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
