// SPDX-License-Identifier: Apache-2.0
// Chunks of records as bytes: quantised, differences from record to record, planes of bytes, zlib (docs/viewer.md).
#ifndef ELVER_VIEW_VIEW_PACK_H
#define ELVER_VIEW_VIEW_PACK_H

#include "view/view.h"
#include "view/view_bytes.h"

/// Records that wait to be packed, and the bytes of the last chunk.
typedef struct {
    int m;                       // numbers a record
    int n, capacity;             // records, and how many fit
    int n_group;                 // of the numbers
    const ElvViewNumber* number; // borrowed                                     (m)
    double size;                 // of the robot, m
    double* t;                   // times                                        (capacity)
    double* value;               // number j of record i at j capacity + i       (m capacity)
    double* range;               // scratch: least and largest value of groups   (2 n_group)
    float *offset, *quantum;     //                                              (m)
    ElvBytes raw;                // the chunk before it is packed
    unsigned char* packed;       // and then
    size_t n_packed, room;
} ElvViewPack;

/// Room for chunks of the records of a view; zeroed before.
ELV_NODISCARD ElvStatus elv_view_pack_init(ElvViewPack* pack, const ElvView* view, ElvError* error);
void elv_view_pack_free(ElvViewPack* pack);

/// Add a record; false where the chunk is full: pack it first.
bool elv_view_pack_add(ElvViewPack* pack, double t, const double* value);

/// Make the bytes of the records that wait, into packed and n_packed, and forget these.
ELV_NODISCARD ElvStatus elv_view_pack_make(ElvViewPack* pack, ElvError* error);

#endif
