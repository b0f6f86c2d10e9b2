// SPDX-License-Identifier: Apache-2.0
// A growing piece of memory that files are made of: text, and numbers of 16 to 64 bits, little-endian. A failure
// stays, and is asked for once at the end.
#ifndef ELVER_VIEW_VIEW_BYTES_H
#define ELVER_VIEW_VIEW_BYTES_H

#include "elver/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char* data;
    size_t n, room;
    bool is_bad; // there was no memory left
} ElvBytes;

void elv_bytes_free(ElvBytes* bytes);
void elv_bytes_put(ElvBytes* bytes, const void* data, size_t n);

/// n more bytes, which the caller fills; NULL without memory.
void* elv_bytes_extend(ElvBytes* bytes, size_t n);

/// The given character until n is a multiple of 4.
void elv_bytes_align(ElvBytes* bytes, char fill);

void elv_bytes_u16(ElvBytes* bytes, unsigned value);
void elv_bytes_u32(ElvBytes* bytes, uint32_t value);
void elv_bytes_f32(ElvBytes* bytes, double value);
void elv_bytes_f64(ElvBytes* bytes, double value);

/// Text; no number with a decimal point must be in it, which depends on the locale.
void elv_bytes_print(ElvBytes* bytes, const char* format, ...) ELV_PRINTF(2, 3);

/// A decimal number of at most nine digits, whatever the locale; 0 if it is not finite.
void elv_bytes_number(ElvBytes* bytes, double value);

/// A text for XML, with its special characters replaced.
void elv_bytes_xml(ElvBytes* bytes, const char* text);

/// Base64 of n bytes.
void elv_bytes_base64(ElvBytes* bytes, const void* data, size_t n);

/// Write n pieces to a file, one after the other. Returns 0, or a code of errno.
int elv_bytes_write(const char* path, const ElvBytes* piece, size_t n);

#endif
