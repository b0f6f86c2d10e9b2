// SPDX-License-Identifier: Apache-2.0
// Motions under constraints, dense: velocities that constraints allow, accelerations of what they
// leave free, and the smallest reactions                 [ALI (3.44)-(3.47), (3.65)-(3.69), (7.3)].
//
// Rows are all constraints on the motion, columns the velocity components v that are not imposed:
//     J v + c_1 = 0,    J a + c_2 = 0,    M a + R + B z = 0.
// With H the kernel of J, v = particular + H v_r and a = particular + H a_r, where H^T (M a + R) =
// 0 since reactions do no work on H. J itself is factored (linalg/row_space.h), so that the
// precision is that of the rows, also near postures where these depend on each other.
//
// In such a posture J loses a direction, and v along it is not determined by J v + c_1 = 0. It is
// kept as it was integrated. Along a motion it still follows from the next derivatives: with u the
// combination of rows that vanishes, u^T c_2(v) = 0, and u^T d/dt (J a + c_2) = 0 for accelerations
// (reduced_limit.c).
#ifndef ELVER_SOLVE_REDUCED_H
#define ELVER_SOLVE_REDUCED_H

#include "linalg/row_space.h"
#include "multibody/border.h"

typedef struct {
    const ElvModel* model;
    int n, n_row;      // free velocity components, rows
    int n_position;    // rows on positions
    int n_force;       // reactions that the laws of devices leave open
    int n_most;        // most unknowns of one device
    int* coordinate;   // velocity component of each column                (n)
    int* row;          // equation of the devices of each row              (n_row)
    bool* is_position; //                                                  (n_row)
    bool* is_motor;    // the rolling of a wheel with a motor              (n_row)
    bool* is_turn;     // a rate in rad/s, else m/s                        (n_row)
    double* reach;   // how far modes of rods move these per unit of v, at least; 0 for others  (nv)
    ElvState* trial; // for differences

    // along a motion: the largest rank so far, directions that limits decide on included, and the
    // interval in which laws are smooth
    int rank_seen;
    double from, to;
    double* usual; // largest lengths of rows so far                       (n_row)

    // computed by elv_reduced_velocity
    double* scale;     // units of v: they move the robot by its size in a second   (nv)
    double* J;         // in these units                                   (n_row x n)
    ElvRowSpace space; // of the rows that are not zero
    int* active;       // these rows                                       (n_row)
    // rate of a defect that no velocity takes away, m/s or rad/s: the largest, turns as they move
    // what is one size of the robot away; its row; what it is compared with, the largest sum of the
    // parts of a row, m/s
    double missed;
    int i_missed;
    double speed;
    // of the fastest motion, 1/s; the largest of these so far: where a robot stops, rounding errors
    // are left of its speed
    double rate;
    double fastest;

    // computed by elv_reduced_acceleration
    int n_kernel; // what constraints leave free
    double* H;    // in units of v, a vector in each row                   (n x n)

    // scratch
    double *c, *d_z, *d_c;       // of all devices                         (nz)
    double *d_nu, *residual, *w; // d_nu (nv), residual (nv), w (3 nv)
    double *defect, *step;       // of active rows (n_row); of coordinates (n)
    double *MH, *HT, *HMH;       //                                        (n x n)
    double* u;                   // combinations of rows that vanish       (n x n_row)
    double *limit, *g;           // their derivatives                      (n x n), (3 n)
    ElvRowSpace lost;            // of limit
    ElvRowSpace block;           // equations of one device's wrench
    ElvRowSpace reaction;        // of B N
    double *D, *y;               // of one device           (n_most x n_most), (2 n_most)
    double* N;                   // open reactions, in unknowns of their device  (n_force x n_most)
    double* B;                   // by unknowns of one device              (n_most x nv)
    double *BN, *lambda;         //                        (n x n_force), (n + n_force)

    // computed by elv_reduced_reaction
    double* preload;       // wanted beside what the motion needs, then balanced   (n_force)
    const char* preloaded; // a device that wants some; NULL: none does
    double preload_share;  // of its size, how much can be balanced
} ElvReduced;

/// ELV_ERROR_INPUT names a device whose force does not follow from the motion, or a loop that
/// gives.
ELV_NODISCARD ElvStatus elv_reduced_create(const ElvModel* model,
                                           ElvReduced** reduced,
                                           ElvError* error);
void elv_reduced_free(ElvReduced* reduced);

/// Whether imposed motions meet constraints, none of which is beyond elv_reduced_create.
bool elv_reduced_is_wanted(const ElvModel* model);

/// The same, and constraints are on velocities alone.
bool elv_reduced_is_velocity_only(const ElvModel* model);

/// Close the constraints on positions by a small change of the configuration. Returns the largest
/// defect left.
double elv_reduced_position(ElvReduced* reduced, ElvData* data, ElvState* state);

/// Make velocities satisfy the constraints by the smallest change, measured in units of v; along
/// directions that are nearly lost they stay. Returns false when a number is not finite.
bool elv_reduced_velocity(ElvReduced* reduced, ElvData* data, ElvState* state);

/// At a start: velocities along lost directions, where the next derivative of the constraints
/// decides on them. After elv_reduced_velocity, which it repeats.
bool elv_reduced_settle(ElvReduced* reduced, ElvData* data, ElvState* state);

/// Accelerations, algebraic unknowns of devices and rates of the others, after elv_reduced_velocity
/// on the same state. Reactions of constraints are left out: forces of springs and motors in loops
/// are in state->z.
ELV_NODISCARD ElvStatus elv_reduced_acceleration(ElvReduced* reduced,
                                                 ElvData* data,
                                                 ElvState* state,
                                                 ElvError* error);

/// Reactions of constraints, the smallest ones and the preload of contacts as far as it balances
/// itself, added to state->z; after elv_reduced_acceleration on the same state. Along lost
/// directions there are none.                                                           [ALI (7.3)]
bool elv_reduced_reaction(ElvReduced* reduced, ElvData* data, ElvState* state);

/// ELV_ERROR_INPUT where the last elv_reduced_reaction could balance nothing of a preload:
/// reactions are unique.
ELV_NODISCARD ElvStatus elv_reduced_check_preload(const ElvReduced* reduced, ElvError* error);

/// Whether the velocities of the last elv_reduced_velocity satisfy the constraints but for
/// rounding, and the name of the one that is missed most; "" if there is none.
bool elv_reduced_is_compatible(const ElvReduced* reduced);
const char* elv_reduced_worst(const ElvReduced* reduced);

/// ELV_ERROR_NUMERIC where the velocities of the last elv_reduced_velocity miss the constraints:
/// names the one that would have to slip, and by how much.                     [ALI (3.44), (3.54)]
ELV_NODISCARD ElvStatus elv_reduced_check(const ElvReduced* reduced, double t, ElvError* error);

/// ELV_ERROR_NUMERIC: a constraint would have to slip.
ElvStatus elv_reduced_incompatible(
    const ElvModel* model, const char* name, double slip, double t, ElvError* error);

/// ELV_ERROR_NUMERIC: the last elv_reduced_velocity met numbers that are not finite; names a
/// constraint that has one.
ElvStatus elv_reduced_fail_velocity(const ElvReduced* reduced, double t, ElvError* error);

/// Rows that follow from others along the motion, and the name of a device that has such; NULL:
/// none.
int elv_reduced_redundant(const ElvReduced* reduced, const char** name);

// ---- rows that come to depend on each other

/// The direction that rows are nearest to lose.
typedef struct {
    bool is_known;   // there are as many
    int n_active;    // rows
    double nearness; // its singular value, relative to the largest; 0: lost
    double* u;       // combination of active rows: u^T J = singular value times h^T   (n_row)
    double* h;       // in units of v                                                  (n)
} ElvLost;

/// Rows at a state, and their rank. Returns false when a number is not finite.
bool elv_reduced_at(ElvReduced* reduced, ElvData* data, ElvState* state);

/// Of the rows of the last elv_reduced_at, which usually have this rank, the direction that they
/// are nearest to lose. Returns how near they are.
double elv_reduced_nearness(ElvReduced* reduced, int rank, ElvLost* lost);

/// Whether the singular value has gone through zero from the one to the other, seen by its vectors.
bool elv_reduced_is_across(const ElvReduced* reduced, const ElvLost* from, const ElvLost* to);

/// The part of what imposed motions ask of the rows that the direction would have to take, 0 to 1;
/// after elv_reduced_nearness at the same state. Sets what is missed where it cannot:
/// elv_reduced_worst, missed.                                                  [ALI (3.44), (3.54)]
double
elv_reduced_share(ElvReduced* reduced, ElvData* data, const ElvState* state, const ElvLost* lost);

// ---- within

/// Of the rates in c, the row that is missed most, turns as they move what is one size of the robot
/// away: missed, i_missed.
void elv_reduced_choose_missed(ElvReduced* reduced);

/// Which rows to take: all, those on positions, or those without a motor.
typedef enum { ELV_ROWS_ALL, ELV_ROWS_POSITION, ELV_ROWS_PASSIVE } ElvRowChoice;

/// J and its factors, of some rows. Runs the forward pass. Returns false when a number is not
/// finite.
bool elv_reduced_rows(ElvReduced* reduced,
                      ElvData* data,
                      const ElvState* state,
                      ElvRowChoice choice);

/// Remember how long the rows of the last elv_reduced_rows are; is_first: forget others.
void elv_reduced_remember(ElvReduced* reduced, bool is_first);

/// c_2 (active rows) at a state, with the accelerations there. Runs the forward pass.
void elv_reduced_second(ElvReduced* reduced, ElvData* data, const ElvState* state, double* c);

/// Wrenches of loops that carry the efforts of their springs and motors, into state->z (no
/// reactions), the smallest ones. After elv_device_follow and the forward pass.
void elv_reduced_efforts(ElvReduced* reduced, ElvData* data, ElvState* state);

/// Kernel of the rows of the last elv_reduced_rows, into H and n_kernel.
void elv_reduced_kernel(ElvReduced* reduced);

/// Factor H^T M H, M (nv x nv). Returns the vector of the kernel that nothing resists, or -1; then
/// elv_reduced_balance adds H y to x (nv), H^T (M H y + residual) = 0, and returns the largest
/// change, in units of v.                                                       [ALI (3.67)-(3.69)]
int elv_reduced_factor(ElvReduced* reduced, const double* M);
double elv_reduced_balance(ElvReduced* reduced, const double* residual, double* x);

/// Name of the joint or rod that moves most along vector i of the kernel.
const char* elv_reduced_owner(const ElvReduced* reduced, int i);

/// Take lost directions out of the kernel as far as the motion through the posture decides on
/// accelerations along them, which are added to state->a. Returns how many are decided.
int elv_reduced_limit(ElvReduced* reduced, ElvData* data, ElvState* state);

/// Leave the n_decided directions that the last elv_reduced_limit or elv_reduced_settle decided on
/// out of the kernel.
void elv_reduced_shrink(ElvReduced* reduced, int n_decided);

#endif
