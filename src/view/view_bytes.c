// SPDX-License-Identifier: Apache-2.0
// Files are put together in memory: text and little-endian numbers.
#include "view/view_bytes.h"

#include "base/number_text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void elv_bytes_free(ElvBytes* bytes) {
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}

// room for n more
static bool make_room(ElvBytes* bytes, size_t n) {
    size_t room = bytes->room > 0 ? bytes->room : 1024;
    while (room - bytes->n < n && room < SIZE_MAX / 2) {
        room *= 2;
    }
    if (!bytes->is_bad && room > bytes->room) {
        char* grown = realloc(bytes->data, room);
        bytes->is_bad = !grown;
        bytes->data = grown ? grown : bytes->data;
        bytes->room = grown ? room : bytes->room;
    }
    return !bytes->is_bad;
}

void elv_bytes_put(ElvBytes* bytes, const void* data, size_t n) {
    if (n > 0 && make_room(bytes, n)) {
        memcpy(bytes->data + bytes->n, data, n);
        bytes->n += n;
    }
}

void* elv_bytes_extend(ElvBytes* bytes, size_t n) {
    if (!make_room(bytes, n)) {
        return NULL;
    }
    bytes->n += n;
    return bytes->data + bytes->n - n;
}

void elv_bytes_align(ElvBytes* bytes, char fill) {
    while (bytes->n % 4 != 0 && !bytes->is_bad) {
        elv_bytes_put(bytes, &fill, 1);
    }
}

void elv_bytes_u16(ElvBytes* bytes, unsigned value) {
    unsigned char part[2] = {(unsigned char)(value & 255U), (unsigned char)(value >> 8 & 255U)};
    elv_bytes_put(bytes, part, sizeof part);
}

void elv_bytes_u32(ElvBytes* bytes, uint32_t value) {
    elv_bytes_u16(bytes, value & 65535U);
    elv_bytes_u16(bytes, value >> 16);
}

void elv_bytes_f32(ElvBytes* bytes, double value) {
    float narrow = (float)value;
    uint32_t word = 0;
    memcpy(&word, &narrow, sizeof word);
    elv_bytes_u32(bytes, word);
}

void elv_bytes_f64(ElvBytes* bytes, double value) {
    uint64_t word = 0;
    memcpy(&word, &value, sizeof word);
    elv_bytes_u32(bytes, (uint32_t)word);
    elv_bytes_u32(bytes, (uint32_t)(word >> 32));
}

void elv_bytes_print(ElvBytes* bytes, const char* format, ...) {
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, arguments);
    if (n >= 0 && make_room(bytes, (size_t)n + 1)) {
        vsnprintf(bytes->data + bytes->n, (size_t)n + 1, format, again);
        bytes->n += (size_t)n;
    }
    va_end(again);
    va_end(arguments);
}

void elv_bytes_number(ElvBytes* bytes, double value) {
    char text[ELV_NUMBER_TEXT];
    elv_number_print(isfinite(value) ? value : 0.0, 9, text);
    elv_bytes_put(bytes, text, strlen(text));
}

void elv_bytes_xml(ElvBytes* bytes, const char* text) {
    for (const char* c = text; *c != '\0'; c++) {
        if (strchr("<>&\"'", *c)) {
            elv_bytes_print(bytes, "&#%d;", *c);
        } else if ((unsigned char)*c >= ' ') {
            elv_bytes_put(bytes, c, 1);
        }
    }
}

void elv_bytes_base64(ElvBytes* bytes, const void* data, size_t n) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* from = data;
    if (!make_room(bytes, (n + 2) / 3 * 4)) {
        return;
    }
    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i < 3 ? n - i : 3;
        unsigned word = 0;
        for (size_t k = 0; k < 3; k++) {
            word = word << 8 | (k < left ? from[i + k] : 0U);
        }
        char* to = bytes->data + bytes->n;
        for (unsigned k = 0; k < 4; k++) {
            to[k] = k <= left ? digit[word >> (18 - 6 * k) & 63U] : '=';
        }
        bytes->n += 4;
    }
}

int elv_bytes_write(const char* path, const ElvBytes* piece, size_t n) {
    FILE* stream = fopen(path, "wb");
    if (!stream) {
        return errno;
    }
    int code = 0;
    for (size_t i = 0; i < n && code == 0; i++) {
        if (piece[i].n > 0 && fwrite(piece[i].data, 1, piece[i].n, stream) != piece[i].n) {
            code = errno != 0 ? errno : EIO;
        }
    }
    if (fclose(stream) != 0 && code == 0) {
        code = errno != 0 ? errno : EIO;
    }
    return code;
}
