// SPDX-License-Identifier: Apache-2.0
// Muscles: the tension of their fibre is force(s) activation(t, s) u. With a law of activation, u is the
// factor of all loads; a pattern gives u itself.
#include "multibody/muscle.h"

#include "base/number_text.h"

#include <math.h>

// stations at which a law of activation is looked at, and what rounding may add to its limits
enum { N_STATION = 5 };
static const double ROUNDING = 1e-12;

static const ElvMuscle* as_muscle(const ElvDevice* device) {
    return (const ElvMuscle*)device;
}

static void input(const ElvDevice* device, const ElvScene* scene) {
    scene->data->u[as_muscle(device)->i_channel] = scene->data->load;
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    const ElvMuscle* muscle = as_muscle(device);
    for (int i = 0; i < N_STATION; i++) {
        double s = muscle->from + (muscle->to - muscle->from) * i / (N_STATION - 1);
        double value = elv_law_value(muscle->activation, t, s);
        if (!isfinite(value)) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "activation",
                                 "the activation of muscle '%s' is not a number %s, s = %g",
                                 device->name, elv_time_text(t, when), s);
        }
        if (value < -ROUNDING || value > 1.0 + ROUNDING) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "activation",
                                 "the activation of muscle '%s' is %.6g %s, s = %g: it must "
                                 "lie between 0 and 1",
                                 device->name, value, elv_time_text(t, when), s);
        }
    }
    return ELV_OK;
}

static const char* const unit_length[] = {"m"};
static const char* const unit_rate[] = {"m/s"};
static const char* const unit_activation[] = {"-"};

enum { LENGTH, RATE, ACTIVATION, N_QUANTITY };

static const ElvDeviceQuantity quantities[N_QUANTITY] = {
    [LENGTH] = {"length", 1, NULL, unit_length},
    [RATE] = {"rate", 1, NULL, unit_rate},
    [ACTIVATION] = {"activation", 1, NULL, unit_activation},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    int i_channel = as_muscle(device)->i_channel;
    const ElvChannel* channel = &scene->data->channel[i_channel];
    value[0] = i == LENGTH ? channel->value : i == RATE ? channel->rate : scene->data->u[i_channel];
}

// a law of activation varies along the muscle: it is no single number
const ElvDeviceOps ELV_MUSCLE_OPS = {
    .kind = "muscle",
    .quantity = quantities,
    .n_quantity = ACTIVATION,
    .measure = measure,
    .input = input,
    .check = check,
};

const ElvDeviceOps ELV_PATTERN_MUSCLE_OPS = {
    .kind = "muscle",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
};
