// SPDX-License-Identifier: Apache-2.0
// Results must not replace what they are made from: an output is refused when it is, by whatever
// name, the file of the model or of the restart. They must be able to appear, too. POSIX: files are the same by device and inode.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const struct stat* a, const char* path) {
    struct stat b;
    return stat(path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

int cli_guard_output(const char* command, const char* out, const char* input) {
    // what a folder of results holds; the first is the name itself
    static const char* const inside[] = {"", "/model.yaml", "/trajectory.h5", "/trajectory.csv"};
    char path[CLI_PATH + 32];
    struct stat info;
    if (!out || !input || strcmp(out, "-") == 0 || stat(input, &info) != 0) {
        return CLI_DONE;
    }
    // a folder to restart from stands for the trajectory in it
    if (S_ISDIR(info.st_mode)) {
        int n = snprintf(path, sizeof path, "%s/trajectory.h5", input);
        if (n >= (int)sizeof path || stat(path, &info) != 0) {
            return CLI_DONE;
        }
    }
    // devices and pipes are not replaced
    if (!S_ISREG(info.st_mode)) {
        return CLI_DONE;
    }
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        int n = snprintf(path, sizeof path, "%s%s", out, inside[i]);
        if (n < (int)sizeof path && is_same_file(&info, path)) {
            return cli_complain(command, CLI_USAGE,
                                "'%s' would be overwritten, and it is read from: give another "
                                "place with -o",
                                path);
        }
    }
    return CLI_DONE;
}

bool cli_can_write(const char* command, const char* path) {
    char part[CLI_PATH + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE* stream = fopen(part, "wb");
    if (!stream) {
        cli_complain(command, CLI_USAGE, "cannot write '%s': %s", path, strerror(errno));
        return false;
    }
    fclose(stream);
    remove(part);
    return true;
}
