// SPDX-License-Identifier: Apache-2.0
// A file that grows by whole records: when the disk is full, or any write fails, what is there ends
// with the last record that was written as a whole.
#ifndef ELVER_IO_RECORD_STREAM_H
#define ELVER_IO_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Codes are those of errno, 0 for none; the first failure stays.
typedef struct {
    int file;          // descriptor
    int code;          // first failure
    char* buffer;      // bytes not yet written      (n)
    size_t n, room;    //
    uint64_t n_put;    // records given
    uint64_t n_safe;   // records on the disk
    uint64_t end_safe; // size of the file with them
    bool is_torn;      // a part of a record follows them: it could not be cut off
} ElvRecordStream;

/// Create the file, or empty it.
int elv_record_stream_open(ElvRecordStream* stream, const char* path);

/// Add bytes to the record, or header, that is being made.
void elv_record_stream_put(ElvRecordStream* stream, const void* bytes, size_t n);

/// End a header: the file is not valid without it, so that it is written at once.
int elv_record_stream_end_header(ElvRecordStream* stream);

/// End a record; many are written together.
int elv_record_stream_end_record(ElvRecordStream* stream);

/// Write what is pending; after a failure, cut the file after its last whole record.
int elv_record_stream_flush(ElvRecordStream* stream);

/// Replace the first n bytes of the file, which must be there.
int elv_record_stream_rewrite(ElvRecordStream* stream, const void* bytes, size_t n);

/// Close the file, also after failures; does not flush.
int elv_record_stream_close(ElvRecordStream* stream);

/// Reserve space on the disk for a file of that size, so that later writes cannot fail for lack of
/// it; the size itself is not changed. 0 where the file system cannot reserve.
int elv_disk_reserve(const char* path, uint64_t size);

/// Give back what was reserved beyond the end of a file.
void elv_disk_release(const char* path);

#endif
