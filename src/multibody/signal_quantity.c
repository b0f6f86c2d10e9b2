// SPDX-License-Identifier: Apache-2.0
// The quantities that signals can have: one table holds what each belongs to, its components and units.
// Coordinates of joints take their units from the type of the joint (signal_unit.c), devices have
// tables of their own (signal_device.c).
#include "multibody/signal_quantity.h"

#include "base/spec_names.h"

#include <stdio.h>
#include <string.h>

static const char* const label_none[] = {""};
static const char* const label_xyz[] = {"x", "y", "z"};
static const char* const label_wxyz[] = {"w", "x", "y", "z"};
static const char* const label_twist[] = {"angular.x", "angular.y", "angular.z",
                                          "linear.x",  "linear.y",  "linear.z"};
static const char* const label_wrench[] = {"moment.x", "moment.y", "moment.z",
                                           "force.x",  "force.y",  "force.z"};
static const char* const label_energy[] = {"kinetic", "elastic", "gravity", "total"};
static const char* const label_powers[] = {"actuators", "loads", "dissipated", "fluid"};
static const char* const label_work[] = {"actuators", "loads", "dissipated", "fluid", "error"};
static const char* const label_momentum[] = {"linear.x",  "linear.y",  "linear.z",
                                             "angular.x", "angular.y", "angular.z"};

static const char* const unit_power[] = {"W"};
static const char* const unit_powers[] = {"W", "W", "W", "W"};
static const char* const unit_work[] = {"J", "J", "J", "J", "J"};
static const char* const unit_m[] = {"m", "m", "m"};
static const char* const unit_none[] = {"-", "-", "-", "-"};
static const char* const unit_velocity[] = {"m/s", "m/s", "m/s"};
static const char* const unit_angular[] = {"rad/s", "rad/s", "rad/s"};
static const char* const unit_acceleration[] = {"m/s^2", "m/s^2", "m/s^2"};
static const char* const unit_twist[] = {"rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"};
static const char* const unit_strain[] = {"rad/m", "rad/m", "rad/m", "-", "-", "-"};
static const char* const unit_wrench[] = {"N m", "N m", "N m", "N", "N", "N"};
static const char* const unit_energy[] = {"J", "J", "J", "J"};
static const char* const unit_momentum[] = {"kg m/s",   "kg m/s",   "kg m/s",
                                            "kg m^2/s", "kg m^2/s", "kg m^2/s"};

// indexed by ElvSignalKind
const ElvSignalQuantity elv_signal_quantities[ELV_N_SIGNAL_KIND] = {
    {"position", ELV_OWNER_FRAME, 3, label_xyz, unit_m},
    {"orientation", ELV_OWNER_FRAME, 4, label_wxyz, unit_none},
    {"velocity", ELV_OWNER_FRAME, 3, label_xyz, unit_velocity},
    {"angular_velocity", ELV_OWNER_FRAME, 3, label_xyz, unit_angular},
    {"acceleration", ELV_OWNER_FRAME, 3, label_xyz, unit_acceleration},
    {"twist", ELV_OWNER_FRAME, 6, label_twist, unit_twist},
    {"q", ELV_OWNER_NODE, 0, NULL, NULL},
    {"v", ELV_OWNER_NODE, 0, NULL, NULL},
    {"a", ELV_OWNER_NODE, 0, NULL, NULL},
    {"effort", ELV_OWNER_NODE, 0, NULL, NULL},
    {"effort_projective", ELV_OWNER_NODE, 0, NULL, NULL},
    {"power", ELV_OWNER_NODE, 1, label_none, unit_power},
    {"strain", ELV_OWNER_ROD, 6, elv_strain_names, unit_strain},
    {"stress", ELV_OWNER_ROD, 6, label_wrench, unit_wrench},
    {"actuation", ELV_OWNER_ROD, 6, label_wrench, unit_wrench},
    {"energy", ELV_OWNER_ROBOT, 4, label_energy, unit_energy},
    {"momentum", ELV_OWNER_ROBOT, 6, label_momentum, unit_momentum},
    {"com", ELV_OWNER_ROBOT, 3, label_xyz, unit_m},
    {"power", ELV_OWNER_ROBOT, 1, label_none, unit_power},
    {"power", ELV_OWNER_ROBOT, 4, label_powers, unit_powers},
    {"work", ELV_OWNER_ROBOT, 5, label_work, unit_work},
};

const char elv_signal_quantities_text[] =
    "a frame has position, orientation, velocity, angular_velocity, acceleration, twist; a joint "
    "or rod has q, v, a, effort, power, a joint also effort_projective; a rod has strain(S), "
    "stress(S), actuation(S); the robot "
    "has "
    "energy, momentum, com, power, power.ACCOUNT (actuators, loads, dissipated, fluid), work";

const char*
elv_signal_component(const ElvSignalSource* source, int i, char label[ELV_SIGNAL_LABEL]) {
    if (source->kind == ELV_SIGNAL_DEVICE) {
        return elv_signal_device_component(source, i, label);
    }
    const ElvSignalQuantity* quantity = &elv_signal_quantities[source->kind];
    if (!quantity->label) {
        snprintf(label, ELV_SIGNAL_LABEL, "%d", i);
        return elv_signal_coordinate_unit(source, i);
    }
    snprintf(label, ELV_SIGNAL_LABEL, "%s", quantity->label[i]);
    return quantity->unit[i];
}

bool elv_signal_is_picked(const ElvSignalSource* source, int i) {
    char label[ELV_SIGNAL_LABEL];
    elv_signal_component(source, i, label);
    size_t n = strlen(source->pick);
    if (n == 0) {
        return true;
    }
    return strncmp(label, source->pick, n) == 0 && (label[n] == '\0' || label[n] == '.');
}
