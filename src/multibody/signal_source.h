// SPDX-License-Identifier: Apache-2.0
// What a signal's name stands for: the quantity, where it is taken, its components and units.
#ifndef ELVER_MULTIBODY_SIGNAL_SOURCE_H
#define ELVER_MULTIBODY_SIGNAL_SOURCE_H

#include "elver/signal.h"

typedef enum {
    ELV_SIGNAL_POSITION,
    ELV_SIGNAL_ORIENTATION,
    ELV_SIGNAL_VELOCITY,
    ELV_SIGNAL_ANGULAR_VELOCITY,
    ELV_SIGNAL_ACCELERATION,
    ELV_SIGNAL_TWIST,
    ELV_SIGNAL_Q,
    ELV_SIGNAL_V,
    ELV_SIGNAL_A,
    ELV_SIGNAL_EFFORT,
    ELV_SIGNAL_EFFORT_PROJECTIVE,
    ELV_SIGNAL_POWER,
    ELV_SIGNAL_STRAIN,
    ELV_SIGNAL_STRESS,
    ELV_SIGNAL_ACTUATION,
    ELV_SIGNAL_ENERGY,
    ELV_SIGNAL_MOMENTUM,
    ELV_SIGNAL_COM,
    ELV_SIGNAL_POWER_ALL,
    ELV_SIGNAL_POWERS, // power.ACCOUNT
    ELV_SIGNAL_WORK,
    ELV_N_SIGNAL_KIND,
    ELV_SIGNAL_DEVICE = ELV_N_SIGNAL_KIND // has a table of its own
} ElvSignalKind;

/// Lengths of a signal's name and of a component's label, the final NUL included.
enum { ELV_SIGNAL_NAME = 192, ELV_SIGNAL_LABEL = 24 };

/// A signal resolved against a model.
typedef struct {
    const ElvModel* model;
    ElvSignalKind kind;
    ElvFrame frame;                 // FRAME signals
    ElvNodeInfo node;               // NODE and ROD signals
    int i_node;                     // NODE and ROD signals
    double s;                       // ROD signals: station
    const struct ElvDevice* device; // DEVICE signals
    int i_quantity;                 // DEVICE signals
    int n_component;                // of the whole quantity
    char base[ELV_SIGNAL_NAME];     // name of the whole quantity: "arm.tip.position"
    char pick[ELV_SIGNAL_NAME];     // components asked for: "" for all, "x", "linear", "linear.x"
} ElvSignalSource;

/// Resolve a name. On failure the message says what is possible; element and field are left to the
/// caller.
ELV_NODISCARD ElvStatus elv_signal_resolve(const ElvModel* model,
                                           const char* name,
                                           ElvSignalSource* source,
                                           ElvError* error);

// signal_quantity.c

/// Label of component i ("x", "linear.z", "3"), written to label, and its unit.
const char*
elv_signal_component(const ElvSignalSource* source, int i, char label[ELV_SIGNAL_LABEL]);

/// Whether component i is among those asked for.
bool elv_signal_is_picked(const ElvSignalSource* source, int i);

// signal_unit.c

/// Unit of coordinate i of a joint or rod (q, v, a or effort).
const char* elv_signal_coordinate_unit(const ElvSignalSource* source, int i);

// signal_source_eval.c

/// Values of the whole quantity. effort: of every drive, or of every joint by the projective recursion, for those that
/// need it (nv); raw: (n_component).
void elv_signal_source_eval(const ElvSignalSource* source,
                            const ElvModel* model,
                            ElvData* data,
                            const ElvState* state,
                            const double* effort,
                            double* raw);

// signal_device.c

/// Resolve KIND.NAME.QUANTITY; false when there is no such device. status is set when there is.
bool elv_signal_resolve_device(const ElvModel* model,
                               const char* name,
                               ElvSignalSource* source,
                               ElvStatus* status,
                               ElvError* error);

/// Explain a name without a meaning that seems to mean a device; false when it does not.
bool elv_signal_fail_device(const ElvModel* model, const char* name, ElvError* error);

/// What the devices of the model have: "; tendon.NAME has length, ...". Returns text.
const char* elv_signal_device_text(const ElvModel* model, char* text, size_t size);

const char*
elv_signal_device_component(const ElvSignalSource* source, int i, char label[ELV_SIGNAL_LABEL]);

/// Values of the quantity, after elv_channel_pass.
void elv_signal_device_eval(const ElvSignalSource* source,
                            ElvData* data,
                            const ElvState* state,
                            double* value);

#endif
