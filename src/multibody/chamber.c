// SPDX-License-Identifier: Apache-2.0
// Chambers: the pressure is the input of the channel of their rod.
#include "multibody/tendon.h"

#include "base/number_text.h"
#include "multibody/device_command.h"

#include <math.h>

static void input(const ElvDevice* device, const ElvScene* scene) {
    const ElvChamber* chamber = (const ElvChamber*)device;
    scene->data->u[chamber->i_channel] =
        scene->data->load * elv_law_value(chamber->pressure, scene->state->t, 0.0);
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    double value = elv_law_value(((const ElvChamber*)device)->pressure, t, 0.0);
    if (!isfinite(value)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "pressure",
                             "the pressure of chamber '%s' is not a number %s", device->name,
                             elv_time_text(t, when));
    }
    if (value < 0.0) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "pressure",
                             "the pressure of chamber '%s' is %.6g Pa %s: it is counted "
                             "from that outside and must not be negative",
                             device->name, value, elv_time_text(t, when));
    }
    return ELV_OK;
}

static const char* const unit_volume[] = {"m^3"};
static const char* const unit_pressure[] = {"Pa"};

static const ElvDeviceQuantity quantities[] = {
    {"volume", 1, NULL, unit_volume},
    {"pressure", 1, NULL, unit_pressure},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvChamber* chamber = (const ElvChamber*)device;
    value[0] = i == 0 ? scene->data->channel[chamber->i_channel].value
                      : scene->data->u[chamber->i_channel];
}

const ElvDeviceOps ELV_CHAMBER_OPS = {
    .kind = "chamber",
    .quantity = quantities,
    .n_quantity = 2,
    .measure = measure,
    .input = input,
    .check = check,
    .commands = &ELV_CHAMBER_COMMANDS,
};
