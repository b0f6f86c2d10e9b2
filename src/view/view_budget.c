// SPDX-License-Identifier: Apache-2.0
// How much a page holds: records are left out evenly where there are too many numbers for a page that can be sent.
#include "elver/view.h"

#include <math.h>

/// Records times numbers a record; a number takes about one byte of the file.
static const double MAX_NUMBERS = 3e6;

/// Up to so many records stay all, however large they are; of more at least half as many do, since strides are whole.
static const double MIN_RECORDS = 600.0;

/// No stride is larger, whatever number of records is feared.
static const double MAX_STRIDE = 1e9;

long elv_view_stride(const ElvView* view, double n_record) {
    double n_value = elv_view_n_value(view);
    if (!(n_record * n_value > MAX_NUMBERS)) {
        return 1;
    }
    double n_kept = fmax(MAX_NUMBERS / n_value, MIN_RECORDS);
    return n_record > n_kept ? (long)fmin(ceil(n_record / n_kept), MAX_STRIDE) : 1;
}
