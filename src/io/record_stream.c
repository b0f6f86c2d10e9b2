// SPDX-License-Identifier: Apache-2.0
// Files that grow by whole records, and disk space reserved ahead. Bytes are gathered in memory and
// written in large pieces that end with a record; a piece that could not be written as a whole is
// cut off again. Linux: fallocate keeps the size of the file, which posix_fallocate does not.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): the system's own name

#include "io/record_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_SIZE = 1 << 16 };

// keep the first failure
static int keep(ElvRecordStream* stream, int code) {
    stream->code = stream->code != 0 ? stream->code : code;
    return stream->code;
}

int elv_record_stream_open(ElvRecordStream* stream, const char* path) {
    memset(stream, 0, sizeof *stream);
    stream->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return stream->file < 0 ? keep(stream, errno) : 0;
}

void elv_record_stream_put(ElvRecordStream* stream, const void* bytes, size_t n) {
    if (n == 0 || stream->code != 0) {
        return;
    }
    if (n > stream->room - stream->n) {
        size_t room = 2 * (stream->room + n) + PIECE_SIZE;
        char* grown = realloc(stream->buffer, room);
        if (!grown) {
            keep(stream, ENOMEM);
            return;
        }
        stream->buffer = grown;
        stream->room = room;
    }
    memcpy(stream->buffer + stream->n, bytes, n);
    stream->n += n;
}

// write all of the bytes at a place of the file
static int write_all(int file, const char* bytes, size_t n, uint64_t at) {
    while (n > 0) {
        ssize_t done = pwrite(file, bytes, n, (off_t)at);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return done < 0 ? errno : EIO;
        }
        bytes += done;
        n -= (size_t)done;
        at += (uint64_t)done;
    }
    return 0;
}

int elv_record_stream_flush(ElvRecordStream* stream) {
    if (stream->code == 0) {
        keep(stream, write_all(stream->file, stream->buffer, stream->n, stream->end_safe));
    }
    if (stream->code == 0) {
        stream->end_safe += stream->n;
        stream->n_safe = stream->n_put;
        stream->n = 0;
    } else {
        stream->is_torn = ftruncate(stream->file, (off_t)stream->end_safe) != 0;
    }
    return stream->code;
}

int elv_record_stream_end_header(ElvRecordStream* stream) {
    return elv_record_stream_flush(stream);
}

int elv_record_stream_end_record(ElvRecordStream* stream) {
    stream->n_put++;
    return stream->n >= PIECE_SIZE || stream->code != 0 ? elv_record_stream_flush(stream) : 0;
}

int elv_record_stream_rewrite(ElvRecordStream* stream, const void* bytes, size_t n) {
    // not kept: it is no failure of the records
    return write_all(stream->file, bytes, n, 0);
}

int elv_record_stream_close(ElvRecordStream* stream) {
    free(stream->buffer);
    stream->buffer = NULL;
    if (close(stream->file) != 0) {
        keep(stream, errno);
    }
    return stream->code;
}

int elv_disk_reserve(const char* path, uint64_t size) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        size > limit.rlim_cur) {
        return EFBIG;
    }
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return errno;
    }
    int code = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, (off_t)size) == 0 ? 0 : errno;
    close(file);
    // only what says that there is no room is a failure
    return code == ENOSPC || code == EDQUOT || code == EFBIG ? code : 0;
}

void elv_disk_release(const char* path) {
    struct stat info;
    if (stat(path, &info) == 0 && truncate(path, info.st_size) != 0) {
        return; // the file is whole all the same
    }
}
