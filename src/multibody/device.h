// SPDX-License-Identifier: Apache-2.0
// Devices: what acts on a tree from beside it, through channels of joints and wrenches at ports, and
// the unknowns z that it may own.
//
// A device with a law alone (a tendon under a given tension) has no unknown. Others have numbers z,
// each with an equation c: 0 = c for what follows at once from the motion (the tension of a tendon of
// given length, the force of a straight strand), z_dot = c for what is remembered (the integral of a
// controller). Rows and columns of z border the tangent of the tree (border.c).
#ifndef ELVER_MULTIBODY_DEVICE_H
#define ELVER_MULTIBODY_DEVICE_H

#include "multibody/data.h"

/// How the equations of z enter a step: c for what is algebraic; z - z_n - step (rate_n + c) for what is
/// differential, the trapezoidal rule with step = dt / 2 (0: z stays).
typedef struct {
    double step;
    const double* z_n;    // at the start of the step  (nz)
    const double* rate_n; //                           (nz)
    bool is_motion; // accelerations are the unknowns: constraints hold in their derivatives, and
                    // what is no constraint keeps its z
} ElvBorderRule;

/// What the operations of a device work on: the state, and the workspace after the forward pass.
typedef struct {
    const ElvModel* model;
    ElvData* data;
    const ElvState* state;
    const ElvBorderRule* rule; // of the step in hand; NULL: none
} ElvScene;

/// Something that a device measures: n numbers, each with a label (none for a single one) and a unit;
/// n = 0: as many as count says, or without it one for each velocity component of the model, numbered.
typedef struct {
    const char* name;
    int n;
    const char* const* label; // (n), or NULL
    const char* const* unit;  // (n, or 1 for n = 0)
} ElvDeviceQuantity;

/// The laws that lead devices of a kind: set points of a controller, the tension of a tendon
/// (device_command.c).
typedef struct {
    size_t size; // of such a device, for a copy with another law

    /// What law i is called, or NULL beyond the last.
    const char* (*name)(const ElvDevice* device, int i);

    /// Where law i stands in the device.
    const ElvLaw** (*law)(ElvDevice* device, int i);

    /// Variation per unit of law i: of the residual, as wrenches added to data->e and efforts added to
    /// residual (nv); of the device's own equations, set in d_c (n_z). After elv_channel_pass.
    void (*vary)(
        const ElvDevice* device, const ElvScene* scene, int i, double* residual, double* d_c);
} ElvDeviceCommands;

typedef struct {
    /// What model files and signals call devices of this kind: "tendon".
    const char* kind;

    /// What can be measured (n_quantity), and quantity i after elv_channel_pass.
    const ElvDeviceQuantity* quantity;
    int n_quantity;
    void (*measure)(const ElvDevice* device, const ElvScene* scene, int i, double* value);
    int (*count)(const ElvDevice* device,
                 int i); // numbers in quantity i, where its n is 0; or NULL

    /// Workspace in ElvData; NULL: none.
    void* (*layout)(const ElvDevice* device, const ElvModel* model, ElvArena* arena);

    /// z at the start (n_z); NULL: zero.
    void (*initial)(const ElvDevice* device, double* z);

    /// Inputs of channels: data->u, from the state's t and z alone.
    void (*input)(const ElvDevice* device, const ElvScene* scene);

    /// Efforts on coordinates: added to upsilon (nv), and their sizes to data->effort.
    void (*effort)(const ElvDevice* device, const ElvScene* scene, double* upsilon);

    /// External wrenches: subtracted from data->W.
    void (*load)(const ElvDevice* device, const ElvScene* scene);

    /// c (n_z), and what sizes it is made of: a residual is small beside them.
    void (*equation)(const ElvDevice* device, const ElvScene* scene, double* c, double* size);

    /// Where the wrench acts that z begins with, its moment about the world's origin and its force: a place in the
    /// one frame; NULL: z is no wrench.
    ElvVec3 (*point)(const ElvDevice* device, const ElvData* data);

    /// Whether equation k is one of efforts, measured against all that there are in the model; NULL: none is.
    bool (*is_effort)(const ElvDevice* device, int k);

    /// Constraints on the motion: their defects c (n_z), or the first or second time derivative of these
    /// (level 0, 1, 2); equations of another kind count at level 2 alone, 0 below. With h > 0 those of level
    /// 2 are what accelerations do to the equations of a step of length h. NULL: no constraints.
    void (*motion)(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c);

    /// Whether positions do not follow from constraint k, but from a history of velocities or from the forces
    /// of springs; NULL: they do, from all.
    bool (*is_loose)(const ElvDevice* device, int k);

    /// Whether constraint k is on a turn, its rate in rad/s; NULL: none is, rates are in m/s.
    bool (*is_turn)(const ElvDevice* device, int k);

    /// Constraints: remember how far they are from being closed, in data->gap, so that data->closure can close
    /// them bit by bit; NULL: no such.
    void (*open)(const ElvDevice* device, const ElvScene* scene);

    /// Energy in its springs, J, after the forward pass; NULL: none.
    double (*energy)(const ElvDevice* device, const ElvScene* scene);

    /// What its dampers dissipate and what its springs take up, W, after the forward pass: added to the two; NULL:
    /// nothing.
    void (*loss)(const ElvDevice* device,
                 const ElvScene* scene,
                 double* dissipated,
                 double* stored);

    /// How far laws of imposed motions turn the one side against the other between two times, rad; NULL: none do.
    double (*swing)(const ElvDevice* device, double from, double to);

    /// Wrench variations at fixed z: added to data->K.
    void (*variation)(const ElvDevice* device, const ElvScene* scene);

    /// Variations of efforts at fixed z: added to data->tangent, after the tangents of the joints.
    void (*tangent)(const ElvDevice* device, const ElvScene* scene);

    /// Variation of the residual per unit z_k: wrenches added to data->e, efforts to residual (nv).
    void (*column)(const ElvDevice* device, const ElvScene* scene, int k, double* residual);

    /// Variation of c under x of the ports (data->x), d_nu (nv) and d_z (all of z): set in d_c (n_z).
    void (*row)(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c);

    /// Forces z (n_z) that are wanted beside what the motion needs, as far as all devices balance them; returns
    /// false where there are none. NULL: none. Such devices have no laws for their unknowns.
    bool (*preload)(const ElvDevice* device, double t, double* z);

    /// z at the start of a run or after a jump, as far as it follows from the motion; NULL: nothing does.
    void (*start)(const ElvDevice* device, const ElvScene* scene, double* z);

    /// Values of z that satisfy 0 = c outright, where there are such; NULL: none.
    void (*resolve)(const ElvDevice* device, const ElvScene* scene, double* z);

    /// Whether the device can act at time t: its laws are finite and have the right sign.
    ElvStatus (*check)(const ElvDevice* device, double t, ElvError* error);

    /// Whether z at the end of a step is where the device can be: a point that slides has not left its rod.
    ElvStatus (*range)(const ElvDevice* device,
                       const ElvModel* model,
                       const ElvState* state,
                       ElvError* error);

    /// Its laws; NULL: none that a linear model could take for an input.
    const ElvDeviceCommands* commands;
} ElvDeviceOps;

/// The head of every device. Operations that a kind does not need are NULL.
struct ElvDevice {
    const ElvDeviceOps* ops;
    const char* name;
    int i_device; // place in the model's list
    int i_z, n_z;
    int n_place; // of constraints: how many of the z, the last ones, are places and not forces
    bool is_differential; // z_dot = c; else 0 = c
};

/// The controller whose integral grows fastest, by the rates of all z (nz); NULL: no integral grows. Patterns,
/// which have a start of their own and always go round, do not count.
const ElvDevice* elv_device_restless(const ElvModel* model, const double* rate);

/// Inputs of all channels.
void elv_device_input(const ElvModel* model, ElvData* data, const ElvState* state);

/// Efforts of all devices on coordinates, added to upsilon (nv).
void elv_device_effort(const ElvModel* model,
                       ElvData* data,
                       const ElvState* state,
                       double* upsilon);

/// What a closure must be known to, relative to its size: an error at the end of a step moves the effort by its
/// square over the step's length; coarser than a millisecond it does no harm, and rounding sets a limit.
double elv_closure_resolution(const ElvScene* scene);

/// Wrenches of all devices, after the forward pass.
void elv_device_load(const ElvModel* model, ElvData* data, const ElvState* state);

/// Channels of all joints, after the forward pass: data->channel.
void elv_channel_pass(const ElvModel* model, ElvData* data, const ElvState* state);

/// Everything that devices measure by: forward pass, inputs and channels.
void elv_device_see(const ElvModel* model, ElvData* data, const ElvState* state);

/// Equations of all devices, after elv_channel_pass: c and size (nz).
void elv_device_equation(const ElvScene* scene, double* c, double* size);

/// Add to tau (nv) the projections of wrenches at ports, given in data->e, on the coordinates. After the
/// forward pass.
void elv_project_wrenches(const ElvModel* model, ElvData* data, double* tau);

/// The same without the modes of rods whose strains are all imposed; after elv_screw_free_pass.
void elv_project_free(const ElvModel* model, ElvData* data, double* tau);

/// Variations of efforts of all devices, added to data->tangent.
void elv_device_tangent(const ElvModel* model, ElvData* data, const ElvState* state);

/// Wrench variations of all devices, added to data->K.
void elv_device_variation(const ElvModel* model, ElvData* data, const ElvState* state);

/// What follows at once from a configuration and its velocities: algebraic z, where a device can say so,
/// and the rates of differential ones, both written to state. Returns the first device that cannot say, or
/// NULL. Runs the forward pass.
const ElvDevice* elv_device_follow(const ElvModel* model, ElvData* data, ElvState* state);

/// Places in z that belong to a configuration which constraints may not satisfy yet: the nearest. Runs the
/// forward pass where there are such.
void elv_device_place(const ElvModel* model, ElvData* data, ElvState* state);

/// No forces of constraints; places in z stay.
void elv_device_release(const ElvModel* model, double* z);

/// Whether every device is where it can be. ELV_ERROR_NUMERIC names the first that is not.
ElvStatus elv_device_range(const ElvModel* model, const ElvState* state, ElvError* error);

#endif
