// SPDX-License-Identifier: Apache-2.0
// Chunks of records as bytes. A number of a chunk is offset + quantum k with integers k, and of these the differences
// from record to record are kept, zigzag-coded, their four bytes in planes of their own, so that zlib finds what is
// alike. A quantum is
//     of positions     2^-20 of the largest range of one, at least 2^-24 of the size of the robot
//     of orientations  2^-15
//     of fields        2^-15 of the range of the field along its rod, at least 2^-20 of that of any of its kind
//     of arrows        the same; forces and moments are one kind
//     of other values  2^-15 of the range: tensions, pressures, activations, scales of widths
//     of signals       2^-24 of the range
// within the chunk, and never below 2^-26 of the largest number there.
#include "view/view_pack.h"

#include "view/view_parts.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    CHUNK_NUMBERS = 1 << 20, // of a chunk, about: what a page unpacks between two pictures
    CHUNK_RECORDS = 4096,    // at most
    LEVEL = 6                // of zlib
};

// ---- room

static size_t raw_size(size_t n, size_t m) {
    return 8 + 8 * n + 8 * m + 4 * m * n;
}

ElvStatus elv_view_pack_init(ElvViewPack* pack, const ElvView* view, ElvError* error) {
    size_t m = (size_t)view->n_value;
    size_t n = CHUNK_NUMBERS / (m > 0 ? m : 1);
    n = n < 16 ? 16 : n > CHUNK_RECORDS ? CHUNK_RECORDS : n;
    memset(pack, 0, sizeof *pack);
    pack->m = view->n_value;
    pack->capacity = (int)n;
    pack->n_group = view->n_group;
    pack->number = view->number;
    pack->size = view->size;
    // zlib counts in uLong and uInt
    if (raw_size(n, m) > UINT_MAX / 2) {
        return elv_error_set(error, ELV_ERROR_INPUT, "view", "", "a record has too many numbers");
    }
    pack->room = compressBound((uLong)raw_size(n, m));
    pack->t = malloc(n * sizeof *pack->t);
    pack->value = malloc((m * n + 1) * sizeof *pack->value);
    pack->range = malloc(2 * (size_t)pack->n_group * sizeof *pack->range);
    pack->offset = malloc((m + 1) * sizeof *pack->offset);
    pack->quantum = malloc((m + 1) * sizeof *pack->quantum);
    bool has_raw = elv_bytes_extend(&pack->raw, raw_size(n, m)) != NULL;
    pack->packed = malloc(pack->room);
    if (!pack->t || !pack->value || !pack->range || !pack->offset || !pack->quantum || !has_raw ||
        !pack->packed) {
        elv_view_pack_free(pack);
        return elv_view_no_memory(error);
    }
    return ELV_OK;
}

void elv_view_pack_free(ElvViewPack* pack) {
    free(pack->t);
    free(pack->value);
    free(pack->range);
    free(pack->offset);
    free(pack->quantum);
    elv_bytes_free(&pack->raw);
    free(pack->packed);
    memset(pack, 0, sizeof *pack);
}

// what a float32 can hold
static double limited(double x) {
    static const double most = 1e37;
    return !isfinite(x) ? 0.0 : x > most ? most : x < -most ? -most : x;
}

bool elv_view_pack_add(ElvViewPack* pack, double t, const double* value) {
    if (pack->n == pack->capacity) {
        return false;
    }
    size_t n = (size_t)pack->capacity;
    pack->t[pack->n] = t;
    for (size_t j = 0; j < (size_t)pack->m; j++) {
        pack->value[j * n + (size_t)pack->n] = limited(value[j]);
    }
    pack->n++;
    return true;
}

// ---- quanta

typedef struct {
    double least, most;
} Range;

static Range range_of(const ElvViewPack* pack, int j) {
    const double* value = pack->value + (size_t)j * (size_t)pack->capacity;
    Range range = {value[0], value[0]};
    for (int i = 1; i < pack->n; i++) {
        range.least = value[i] < range.least ? value[i] : range.least;
        range.most = value[i] > range.most ? value[i] : range.most;
    }
    return range;
}

// ranges of groups, in pack->range, and the largest of each kind
static void find_ranges(ElvViewPack* pack, double largest[ELV_N_NUMBER]) {
    for (int g = 0; g < pack->n_group; g++) {
        pack->range[2 * g] = DBL_MAX;
        pack->range[2 * g + 1] = -DBL_MAX;
    }
    for (int k = 0; k < ELV_N_NUMBER; k++) {
        largest[k] = 0.0;
    }
    for (int j = 0; j < pack->m; j++) {
        Range own = range_of(pack, j);
        double* group = pack->range + 2 * (size_t)pack->number[j].group;
        group[0] = own.least < group[0] ? own.least : group[0];
        group[1] = own.most > group[1] ? own.most : group[1];
        if (pack->number[j].kind == ELV_NUMBER_POSITION) {
            largest[ELV_NUMBER_POSITION] = fmax(largest[ELV_NUMBER_POSITION], own.most - own.least);
        }
    }
    for (int j = 0; j < pack->m; j++) {
        ElvViewNumberKind kind = pack->number[j].kind;
        const double* group = pack->range + 2 * (size_t)pack->number[j].group;
        if (kind != ELV_NUMBER_POSITION && kind != ELV_NUMBER_QUATERNION) {
            largest[kind] = fmax(largest[kind], group[1] - group[0]);
        }
    }
}

static double wanted_quantum(const ElvViewPack* pack, int j, const double largest[ELV_N_NUMBER]) {
    ElvViewNumberKind kind = pack->number[j].kind;
    const double* group = pack->range + 2 * (size_t)pack->number[j].group;
    double range = group[1] - group[0];
    switch (kind) {
    case ELV_NUMBER_POSITION:
        return fmax(0x1p-20 * largest[kind], 0x1p-24 * pack->size);
    case ELV_NUMBER_QUATERNION:
        return 0x1p-15;
    case ELV_NUMBER_SIGNAL:
        return 0x1p-24 * range;
    case ELV_NUMBER_VALUE:
        return 0x1p-15 * range;
    default:
        return fmax(0x1p-15 * range, 0x1p-20 * largest[kind]);
    }
}

// offsets are the first values, so that what stays costs nothing
static void set_quanta(ElvViewPack* pack) {
    double largest[ELV_N_NUMBER];
    find_ranges(pack, largest);
    for (int j = 0; j < pack->m; j++) {
        Range own = range_of(pack, j);
        double size = fmax(fabs(own.least), fabs(own.most));
        double quantum = fmax(wanted_quantum(pack, j, largest), 0x1p-26 * size);
        // a number that stays as it is needs none
        bool moves = own.most > own.least && quantum >= FLT_MIN;
        pack->offset[j] = (float)pack->value[(size_t)j * (size_t)pack->capacity];
        pack->quantum[j] = moves ? (float)quantum : 0.0F;
    }
}

// ---- bytes

// zigzag-coded differences of number j into the four planes
static void put_differences(const ElvViewPack* pack, int j, unsigned char* planes) {
    size_t n = (size_t)pack->n;
    size_t plane = (size_t)pack->m * n;
    const double* value = pack->value + (size_t)j * (size_t)pack->capacity;
    unsigned char* at = planes + (size_t)j * n;
    double offset = (double)pack->offset[j];
    double per_quantum = pack->quantum[j] > 0.0F ? 1.0 / (double)pack->quantum[j] : 0.0;
    int32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t k = (int32_t)lrint((value[i] - offset) * per_quantum);
        int32_t d = k - last;
        uint32_t w = ((uint32_t)d << 1) ^ (d < 0 ? UINT32_MAX : 0U);
        last = k;
        at[i] = (unsigned char)w;
        at[plane + i] = (unsigned char)(w >> 8);
        at[2 * plane + i] = (unsigned char)(w >> 16);
        at[3 * plane + i] = (unsigned char)(w >> 24);
    }
}

ElvStatus elv_view_pack_make(ElvViewPack* pack, ElvError* error) {
    ElvBytes* raw = &pack->raw;
    raw->n = 0;
    elv_bytes_u32(raw, (uint32_t)pack->n);
    elv_bytes_u32(raw, (uint32_t)pack->m);
    for (int i = 0; i < pack->n; i++) {
        elv_bytes_f64(raw, pack->t[i]);
    }
    set_quanta(pack);
    for (int j = 0; j < pack->m; j++) {
        elv_bytes_f32(raw, (double)pack->offset[j]);
    }
    for (int j = 0; j < pack->m; j++) {
        elv_bytes_f32(raw, (double)pack->quantum[j]);
    }
    // init has made room for all
    unsigned char* planes = elv_bytes_extend(raw, 4 * (size_t)pack->m * (size_t)pack->n);
    if (!planes) {
        return elv_view_no_memory(error);
    }
    for (int j = 0; j < pack->m; j++) {
        put_differences(pack, j, planes);
    }
    uLongf n_packed = (uLongf)pack->room;
    int code = compress2(pack->packed, &n_packed, (const Bytef*)raw->data, (uLong)raw->n, LEVEL);
    if (code != Z_OK) {
        return elv_view_no_memory(error);
    }
    pack->n_packed = n_packed;
    pack->n = 0;
    return ELV_OK;
}
