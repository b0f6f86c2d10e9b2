// SPDX-License-Identifier: Apache-2.0
// Inputs of a chain that an inverse problem may look for: tensions of its tendons and pressures of its chambers.
#ifndef ELVER_STRONG_CHAIN_INPUT_H
#define ELVER_STRONG_CHAIN_INPUT_H

#include "strong/chain.h"

typedef struct {
    int n;
    int* device;     // of the model, that each belongs to              (n)
    int* of_channel; // input that drives each channel, or -1  (model->n_channel)
} ElvChainInputs;

/// The inputs of a model; n = 0: it has none.
ELV_NODISCARD ElvStatus elv_chain_inputs(const ElvModel* model,
                                         ElvPool* pool,
                                         ElvChainInputs* inputs,
                                         ElvError* error);

/// The input that fibre i_fibre of a rod of the chain takes, or -1.
int elv_chain_fibre_input(const ElvChain* chain,
                          const ElvChainInputs* inputs,
                          int i_rod,
                          int i_fibre);

/// From here on inputs are law[0], law[1], ... (inputs->n, borrowed) and not those of the model.
ELV_NODISCARD ElvStatus elv_chain_replace_inputs(ElvChain* chain,
                                                 const ElvChainInputs* inputs,
                                                 ElvLaw* const* law,
                                                 ElvError* error);

#endif
