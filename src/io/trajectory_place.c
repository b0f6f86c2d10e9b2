// SPDX-License-Identifier: Apache-2.0
// Places of trajectories: what a name stands for, and what must not be replaced there. Names with
// an unknown ending are mistakes far more often than folders. POSIX: folders.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "io/trajectory_place.h"

#include "base/spec_names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char elv_trajectory_model_mark[] = "# written by elver\n";

// ---- names

// whether path ends in the given lower-case ending, letter case ignored, after something
static bool has_ending(const char* path, const char* ending) {
    size_t n = strlen(path);
    size_t n_ending = strlen(ending);
    if (n <= n_ending || path[n - n_ending - 1] == '/') {
        return false;
    }
    for (size_t i = 0; i < n_ending; i++) {
        char c = path[n - n_ending + i];
        char low = (c >= 'A' && c <= 'Z') ? (char)(c - 'A' + 'a') : c;
        if (low != ending[i]) {
            return false;
        }
    }
    return true;
}

// the ending of a name, dot included, or NULL: "run-2.3" and ".hidden" have none
static const char* ending_of(const char* path) {
    const char* slash = strrchr(path, '/');
    const char* name = slash ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    if (!dot || dot == name) {
        return NULL;
    }
    bool is_letter = (dot[1] >= 'a' && dot[1] <= 'z') || (dot[1] >= 'A' && dot[1] <= 'Z');
    return is_letter ? dot : NULL;
}

static bool is_folder(const char* path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

const char* elv_trajectory_reason(const char* path, int code) {
    if (code == 0) {
        return "input or output error";
    }
    // the folder that a name lies in, slashes at its end aside
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    char folder[4096] = ".";
    if (n > 0 && n < sizeof folder) {
        memcpy(folder, path, n);
        folder[n] = '\0';
    }
    struct stat info;
    bool is_missing = code == ENOENT && n < sizeof folder && stat(folder, &info) != 0;
    return is_missing ? "its folder does not exist" : strerror(code);
}

ElvStatus elv_trajectory_format(const char* path, ElvTrajectoryOpen* open_format, ElvError* error) {
    static const struct {
        const char* ending;
        ElvTrajectoryOpen open_format;
    } formats[] = {
        {".csv", elv_trajectory_open_csv},
        {".npy", elv_trajectory_open_npy},
        {".h5", elv_trajectory_open_hdf5},
        {".hdf5", elv_trajectory_open_hdf5},
    };
    *open_format = NULL;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (has_ending(path, formats[i].ending)) {
            *open_format = formats[i].open_format;
            return ELV_OK;
        }
    }
    const char* ending = ending_of(path);
    if (!ending || is_folder(path)) {
        return ELV_OK;
    }
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL,
                         "cannot write '%.200s': trajectories end in .csv, .h5 (or .hdf5) or .npy, "
                         "not in '%.40s'; for a folder of that name, end it with '/'",
                         path, ending);
}

// ---- the model in a folder

ElvStatus elv_trajectory_check_model(const char* path, ElvError* error) {
    FILE* stream = fopen(path, "rb");
    if (!stream) {
        // what cannot be read may still be there
        return errno == ENOENT ? ELV_OK : elv_trajectory_fail_write(path, errno, error);
    }
    char start[64] = "";
    bool is_ours =
        fgets(start, sizeof start, stream) != NULL && strcmp(start, elv_trajectory_model_mark) == 0;
    fclose(stream);
    return is_ours ? ELV_OK
                   : elv_error_set(error, ELV_ERROR_FILE, NULL, NULL,
                                   "'%.200s' would be overwritten, and it is not one that a "
                                   "simulation wrote: choose another folder",
                                   path);
}

// ---- nodes

void elv_trajectory_describe_node(const ElvModel* model, int i_node, char* text, size_t size) {
    ElvNodeInfo node = elv_model_node(model, i_node);
    const char* plural = node.n_q == 1 ? "" : "s";
    if (!node.is_rod) {
        (void)snprintf(text, size, "body '%s', %s joint, %d coordinate%s, parent '%s'", node.name,
                       elv_joint_names[node.joint], node.n_q, plural, node.parent);
        return;
    }
    char modes[128];
    size_t used = 0;
    modes[0] = '\0';
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (node.modes[i] > 0 && used < sizeof modes - 1) {
            int n = snprintf(modes + used, sizeof modes - used, "%s%s %d", used > 0 ? ", " : "",
                             elv_strain_names[i], node.modes[i]);
            used += n > 0 ? (size_t)n : 0;
        }
    }
    (void)snprintf(text, size, "rod '%s', modes {%s}, %d coordinate%s, parent '%s'", node.name,
                   modes, node.n_q, plural, node.parent);
}
