// SPDX-License-Identifier: Apache-2.0
// Files that appear whole: what is written fills a temporary file beside the final one, which takes its name at the end.
// POSIX: kinds of files.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static int fail(const CliFile* file, int code, int reason) {
    return cli_complain(file->command, code, "cannot write '%s': %s", file->path,
                        reason ? strerror(reason) : "input or output error");
}

bool cli_is_special(const char* path) {
    struct stat info;
    return lstat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

int cli_file_begin(const char* command, const char* path, CliFile* file) {
    *file = (CliFile){.command = command, .path = path, .is_renamed = !cli_is_special(path)};
    const char* ending = file->is_renamed ? ".part" : "";
    if (snprintf(file->part, sizeof file->part, "%s%s", path, ending) >= (int)sizeof file->part) {
        return fail(file, CLI_USAGE, ENAMETOOLONG);
    }
    file->stream = fopen(file->part, "wb");
    return file->stream ? CLI_DONE : fail(file, CLI_USAGE, errno);
}

int cli_file_end(CliFile* file) {
    // keep the first reason
    bool is_bad = ferror(file->stream) != 0;
    int reason = is_bad ? errno : 0;
    if (fclose(file->stream) != 0 && !is_bad) {
        is_bad = true;
        reason = errno;
    }
    file->stream = NULL;
    if (!is_bad && file->is_renamed && rename(file->part, file->path) != 0) {
        is_bad = true;
        reason = errno;
    }
    if (is_bad && file->is_renamed) {
        (void)remove(file->part);
    }
    return is_bad ? fail(file, CLI_FAILED, reason) : CLI_DONE;
}

void cli_file_discard(CliFile* file) {
    (void)fclose(file->stream);
    file->stream = NULL;
    if (file->is_renamed) {
        (void)remove(file->part);
    }
}
