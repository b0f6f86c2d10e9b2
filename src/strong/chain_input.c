// SPDX-License-Identifier: Apache-2.0
// Which inputs a chain has, which fibres they drive, and others in place of the model's laws.
#include "strong/chain_input.h"

#include "multibody/tendon.h"

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

static void add_input(const ElvModel* model, int i_device, ElvChainInputs* inputs) {
    const ElvDevice* device = model->device[i_device];
    if (device->ops == &ELV_TENDON_OPS || device->ops == &ELV_TENDON_EXPLICIT_OPS) {
        const ElvTendon* tendon = (const ElvTendon*)device;
        for (int i = 0; i < tendon->n_stretch; i++) {
            inputs->of_channel[tendon->stretch[i].i_channel] = inputs->n;
        }
    } else if (device->ops == &ELV_CHAMBER_OPS) {
        inputs->of_channel[((const ElvChamber*)device)->i_channel] = inputs->n;
    } else {
        return;
    }
    inputs->device[inputs->n++] = i_device;
}

ElvStatus
elv_chain_inputs(const ElvModel* model, ElvPool* pool, ElvChainInputs* inputs, ElvError* error) {
    inputs->n = 0;
    inputs->device = elv_pool_take(pool, (size_t)model->n_device, sizeof *inputs->device);
    inputs->of_channel = elv_pool_take(pool, (size_t)model->n_channel, sizeof *inputs->of_channel);
    if (!inputs->device || !inputs->of_channel) {
        return no_memory(error);
    }
    for (int i = 0; i < model->n_channel; i++) {
        inputs->of_channel[i] = -1;
    }
    for (int i = 0; i < model->n_device; i++) {
        add_input(model, i, inputs);
    }
    return ELV_OK;
}

int elv_chain_fibre_input(const ElvChain* chain,
                          const ElvChainInputs* inputs,
                          int i_rod,
                          int i_fibre) {
    const ElvChainRod* link = &chain->rod[i_rod];
    int i_channel = chain->model->node[link->i_node].i_channel;
    return inputs->of_channel[i_channel + link->strong.fields.fibre[i_fibre].channel];
}

ElvStatus elv_chain_replace_inputs(ElvChain* chain,
                                   const ElvChainInputs* inputs,
                                   ElvLaw* const* law,
                                   ElvError* error) {
    for (int i_rod = 0; i_rod < chain->n_rod; i_rod++) {
        ElvStrongRod* strong = &chain->rod[i_rod].strong;
        int n_fibre = strong->fields.n_fibre;
        const ElvLaw** own = elv_pool_take(&chain->pool, (size_t)n_fibre, sizeof *own);
        if (!own) {
            return no_memory(error);
        }
        for (int i = 0; i < n_fibre; i++) {
            int input = elv_chain_fibre_input(chain, inputs, i_rod, i);
            own[i] = input >= 0 ? law[input] : strong->input[i];
        }
        strong->input = own;
    }
    return ELV_OK;
}
