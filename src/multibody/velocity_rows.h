// SPDX-License-Identifier: Apache-2.0
// Rows of six coefficients on velocities: what is new in each beside those before.
#ifndef ELVER_MULTIBODY_VELOCITY_ROWS_H
#define ELVER_MULTIBODY_VELOCITY_ROWS_H

/// What is left of a row beside n orthonormal directions, as a direction, in direction[n] (of length 1, or 0 where
/// nothing is left). Returns its share of the row, 0 to 1; the row is not zero.
double elv_velocity_row_reduce(const double row[6], double (*direction)[6], int n);

/// Orthonormal directions beside n rows that are independent: set in basis (6 - n).
void elv_velocity_rows_complement(int n_row, const double row[][6], double (*basis)[6]);

#endif
