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

    /// z at the start (n_z); NULL: zero.
    void (*initial)(const ElvDevice* device, double* z);

    /// Inputs of channels: data->u, from the state's t and z alone.
    void (*input)(const ElvDevice* device, const ElvScene* scene);

    /// External wrenches: subtracted from data->W.
    void (*load)(const ElvDevice* device, const ElvScene* scene);

    /// c (n_z), and what sizes it is made of: a residual is small beside them.
    void (*equation)(const ElvDevice* device, const ElvScene* scene, double* c, double* size);

    /// Wrench variations at fixed z: added to data->K.
    void (*variation)(const ElvDevice* device, const ElvScene* scene);

    /// Variation of the residual per unit z_k: wrenches added to data->e, efforts to residual (nv).
    void (*column)(const ElvDevice* device, const ElvScene* scene, int k, double* residual);

    /// Variation of c under x of the ports (data->x), d_nu (nv) and d_z (all of z): set in d_c (n_z).
    void (*row)(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c);

    /// z at the start of a run or after a jump, as far as it follows from the motion; NULL: nothing does.
    void (*start)(const ElvDevice* device, const ElvScene* scene, double* z);

    /// Values of z that satisfy 0 = c outright, where there are such; NULL: none.
    void (*resolve)(const ElvDevice* device, const ElvScene* scene, double* z);

    /// Whether the device can act at time t: its laws are finite and have the right sign.
    ElvStatus (*check)(const ElvDevice* device, double t, ElvError* error);

    /// Its laws; NULL: none that a linear model could take for an input.
    const ElvDeviceCommands* commands;
} ElvDeviceOps;

/// The head of every device. Operations that a kind does not need are NULL.
struct ElvDevice {
    const ElvDeviceOps* ops;
    const char* name;
    int i_z, n_z;
    bool is_differential; // z_dot = c; else 0 = c
};

/// The controller whose integral grows fastest, by the rates of all z (nz); NULL: no integral grows. Patterns,
/// which have a start of their own and always go round, do not count.
const ElvDevice* elv_device_restless(const ElvModel* model, const double* rate);

/// Inputs of all channels.
void elv_device_input(const ElvModel* model, ElvData* data, const ElvState* state);

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

/// Wrench variations of all devices, added to data->K.
void elv_device_variation(const ElvModel* model, ElvData* data, const ElvState* state);

/// What follows at once from a configuration and its velocities: algebraic z, where a device can say so,
/// and the rates of differential ones, both written to state. Returns the first device that cannot say, or
/// NULL. Runs the forward pass.
const ElvDevice* elv_device_follow(const ElvModel* model, ElvData* data, ElvState* state);

#endif
