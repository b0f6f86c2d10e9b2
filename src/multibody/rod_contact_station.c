// SPDX-License-Identifier: Apache-2.0
// Stations of contacts that slide, as devices (rod_contact.h): z_dot = C_dot / l, and the contact
// stays with its obstacle.
#include "multibody/rod_contact.h"

#include <math.h>

static const ElvRodContact* contact_of(const ElvDevice* device) {
    return ((const ElvContactStation*)device)->contact;
}

static void initial(const ElvDevice* device, double* z) {
    z[0] = elv_law_value(contact_of(device)->station, 0.0, 0.0);
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvRodContact* contact = contact_of(device);
    ElvMeeting meeting = elv_contact_meet(contact, scene, false);
    bool acts = elv_contact_is_active(contact, scene->state->t);
    c[0] = acts ? elv_contact_slide_rate(&meeting, elv_contact_rod(contact, scene->model)->length)
                : 0.0;
    size[0] = fabs(c[0]);
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)device;
    (void)scene;
    (void)k;
    (void)residual;
}

// explicit methods take the rate alone
static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    (void)device;
    (void)scene;
    (void)d_nu;
    (void)d_z;
    d_c[0] = 0.0;
}

static const char* const unit[] = {"1"};

static const ElvDeviceQuantity quantities[] = {
    {"value", 1, NULL, unit},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    (void)i;
    value[0] = scene->state->z[device->i_z];
}

const ElvDeviceOps ELV_CONTACT_STATION_OPS = {
    .kind = "contact_station",
    .quantity = quantities,
    .n_quantity = 1,
    .measure = measure,
    .initial = initial,
    .equation = equation,
    .column = column,
    .row = row,
};
