// SPDX-License-Identifier: Apache-2.0
// The table of quantities that signals can have.
#ifndef ELVER_MULTIBODY_SIGNAL_QUANTITY_H
#define ELVER_MULTIBODY_SIGNAL_QUANTITY_H

#include "multibody/signal_source.h"

/// What a quantity belongs to.
typedef enum { ELV_OWNER_FRAME, ELV_OWNER_NODE, ELV_OWNER_ROD, ELV_OWNER_ROBOT } ElvSignalOwner;

typedef struct {
    const char* name;
    ElvSignalOwner owner;
    int n_component;          // 0: as many as the joint has
    const char* const* label; // (n_component)
    const char* const* unit;  // (n_component)
} ElvSignalQuantity;

/// All of them, by kind; those of devices are not here.
extern const ElvSignalQuantity elv_signal_quantities[ELV_N_SIGNAL_KIND];

/// The same in words, for messages.
extern const char elv_signal_quantities_text[];

#endif
