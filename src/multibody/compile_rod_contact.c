// SPDX-License-Identifier: Apache-2.0
// Ideal contacts of rods as devices: one for what a contact holds, one for a station that slides.
#include "multibody/compile_device.h"
#include "multibody/frame_reference.h"
#include "multibody/rod_contact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool elv_contact_section(const ElvContactDef* def, char* text, size_t size) {
    snprintf(text, size, "%s.at(%.17g)", def->rod, def->station.value);
    return def->station.kind == ELV_LAW_CONSTANT && !def->slides && strcmp(def->on, "world") == 0;
}

// which components of a section's twist a contact holds; returns their number
static int list_components(ElvContactKind kind, int* component) {
    static const int ring[] = {0, 4, 5};
    if (kind == ELV_CONTACT_RING) {
        memcpy(component, ring, sizeof ring);
        return 3;
    }
    for (int i = 0; i < 6; i++) {
        component[i] = i;
    }
    return 6;
}

static ElvStatus add_station(ElvCompiler* c, ElvRodContact* contact, const char* name) {
    ElvContactStation* station = elv_pool_take(&c->model->pool, 1, sizeof *station);
    if (!station) {
        return elv_compile_no_memory(c);
    }
    station->contact = contact;
    station->device.ops = &ELV_CONTACT_STATION_OPS;
    station->device.n_z = 1;
    station->device.is_differential = true;
    contact->i_station = c->model->nz;
    return elv_compile_add_device(c, &station->device, name);
}

// the section, the obstacle and the laws
static ElvStatus resolve(ElvCompiler* c, const ElvContactDef* def, ElvRodContact* contact) {
    char section[ELV_REFERENCE_NAME + 40];
    contact->is_port = elv_contact_section(def, section, sizeof section);
    ElvStatus status = elv_compile_rod_node(c, def->rod, def->name, &contact->i_node);
    if (status == ELV_OK && contact->is_port) {
        status = elv_compile_held_frame(c, section, def->name, "rod", &contact->at);
    }
    int root = status == ELV_OK ? c->model->node[contact->i_node].parent_port : 0;
    if (status == ELV_OK && !contact->is_port && root > 0) {
        status = elv_compile_anchor(c, root);
    }
    if (status == ELV_OK) {
        status = elv_compile_held_frame(c, def->on, def->name, "on", &contact->on);
    }
    if (status == ELV_OK) {
        status = elv_compile_law(c, &def->station, def->name, "station", &contact->station);
    }
    return status == ELV_OK ? elv_compile_law(c, &def->when, def->name, "while", &contact->when)
                            : status;
}

// which force can only push, and what is wanted beside
static ElvStatus set_forces(ElvCompiler* c, const ElvContactDef* def, ElvRodContact* contact) {
    contact->i_push = -1;
    contact->side = def->pushes < 0 ? -1.0 : 1.0;
    for (int k = 0; k < contact->device.n_z && def->pushes != 0; k++) {
        contact->i_push = contact->component[k] == 2 + abs(def->pushes) ? k : contact->i_push;
    }
    contact->has_preload = elv_contact_has_preload(def);
    ElvStatus status = ELV_OK;
    for (int i = 0; i < 3 && status == ELV_OK && contact->has_preload; i++) {
        status = elv_compile_law(c, &def->preload[i], def->name, "preload", &contact->preload[i]);
    }
    return status;
}

bool elv_contact_has_preload(const ElvContactDef* def) {
    bool has = false;
    for (int i = 0; i < 3; i++) {
        has = has || def->preload[i].kind != ELV_LAW_CONSTANT || def->preload[i].value != 0.0;
    }
    return has;
}

ElvStatus elv_compile_rod_contact(ElvCompiler* c, const ElvContactDef* def) {
    ElvModel* model = c->model;
    ElvRodContact* contact = elv_pool_take(&model->pool, 1, sizeof *contact);
    if (!contact) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status = resolve(c, def, contact);
    if (status != ELV_OK) {
        return status;
    }
    const ElvNode* rod = &model->node[contact->i_node];
    if (contact->on.port >= rod->i_port && contact->on.port < rod->i_port + rod->joint->n_port) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, "on",
                             "'%s' touches itself: '%s' is a section of the rod", def->name,
                             def->on);
    }
    contact->sweeps = def->kind == ELV_CONTACT_ANCHOR && def->station.kind != ELV_LAW_CONSTANT;
    contact->length = model->size;
    contact->i_station = -1;
    contact->device.n_z = list_components(def->kind, contact->component);
    status = set_forces(c, def, contact);
    if (status != ELV_OK) {
        return status;
    }
    contact->device.ops = contact->is_port ? &ELV_ROD_CONTACT_OPS : &ELV_ROD_CONTACT_POINT_OPS;
    model->is_active = model->is_active || def->station.kind != ELV_LAW_CONSTANT ||
                       def->when.kind != ELV_LAW_CONSTANT;
    status = elv_compile_add_device(c, &contact->device, def->name);
    return status == ELV_OK && def->slides ? add_station(c, contact, def->name) : status;
}
