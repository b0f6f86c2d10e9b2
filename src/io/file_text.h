// SPDX-License-Identifier: Apache-2.0
// Whole files as text in memory.
#ifndef ELVER_IO_FILE_TEXT_H
#define ELVER_IO_FILE_TEXT_H

#include "elver/status.h"

/// Read a file; text is malloc'ed and belongs to the caller. Of a file of more than `limit` bytes at
/// least one byte more is read, so that who parses it can refuse it. On failure ELV_ERROR_FILE with
/// the file, or ELV_ERROR_MEMORY.
ELV_NODISCARD ElvStatus
elv_file_text(const char* path, size_t limit, char** text, size_t* size, ElvError* error);

#endif
