// SPDX-License-Identifier: Apache-2.0
// Rows on velocities by Gram and Schmidt: one procedure decides on what is independent, in checks and in bases.
#include "multibody/velocity_rows.h"

#include <math.h>
#include <string.h>

/// Share of an axis from which on it gives a direction. One below 1/sqrt(6) always leaves enough axes.
static const double SHARE = 0.1;

double elv_velocity_row_reduce(const double row[6], double (*direction)[6], int n) {
    double* left = direction[n];
    double scale = 0.0;
    for (int k = 0; k < 6; k++) {
        scale = fmax(scale, fabs(row[k]));
    }
    double size = 0.0;
    for (int k = 0; k < 6; k++) {
        left[k] = row[k] / scale;
        size += left[k] * left[k];
    }
    // twice, against rounding
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            double along = 0.0;
            for (int k = 0; k < 6; k++) {
                along += direction[i][k] * left[k];
            }
            for (int k = 0; k < 6; k++) {
                left[k] -= along * direction[i][k];
            }
        }
    }
    double rest = 0.0;
    for (int k = 0; k < 6; k++) {
        rest += left[k] * left[k];
    }
    double length = sqrt(rest);
    for (int k = 0; k < 6 && length > 0.0; k++) {
        left[k] /= length;
    }
    return sqrt(rest / size);
}

void elv_velocity_rows_complement(int n_row, const double row[][6], double (*basis)[6]) {
    double known[7][6];
    int n = 0;
    for (int i = 0; i < n_row; i++) {
        (void)elv_velocity_row_reduce(row[i], known, n++);
    }
    // If the axes ended before the directions did, all would have a share below SHARE in what is left; but the
    // squares of their shares add up to its dimension.
    for (int k = 0; k < 6 && n < 6; k++) {
        double axis[6] = {0.0};
        axis[k] = 1.0;
        if (elv_velocity_row_reduce(axis, known, n) > SHARE) {
            memcpy(basis[n - n_row], known[n], sizeof known[n]);
            n++;
        }
    }
}
