// SPDX-License-Identifier: Apache-2.0
// Whole files as text in memory.
#include "io/file_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ElvStatus fail_file(const char* path, const char* reason, ElvError* error) {
    (void)elv_error_set(error, ELV_ERROR_FILE, "", "", "cannot read '%.200s': %s", path, reason);
    if (error) {
        (void)snprintf(error->file, sizeof error->file, "%s", path);
    }
    return ELV_ERROR_FILE;
}

ElvStatus
elv_file_text(const char* path, size_t limit, char** text, size_t* size, ElvError* error) {
    FILE* file = fopen(path, "rb");
    if (!file) {
        return fail_file(path, strerror(errno), error);
    }
    size_t capacity = 64 * 1024;
    *size = 0;
    *text = malloc(capacity);
    while (*text && *size <= limit) {
        size_t n = fread(*text + *size, 1, capacity - *size, file);
        *size += n;
        if (n == 0) {
            break;
        }
        if (*size == capacity) {
            capacity *= 2;
            char* larger = realloc(*text, capacity);
            if (!larger) {
                free(*text);
            }
            *text = larger;
        }
    }
    int failure = ferror(file) ? errno : 0;
    (void)fclose(file);
    if (!*text) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "no memory for the file '%.200s'",
                             path);
    }
    if (failure) {
        free(*text);
        return fail_file(path, strerror(failure), error);
    }
    return ELV_OK;
}
