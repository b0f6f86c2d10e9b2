// SPDX-License-Identifier: Apache-2.0
// Signals of devices: KIND.NAME.QUANTITY, as in tendon.left.length, with a component where there are
// several: control.drone.wrench.force.z.
#include "multibody/device.h"
#include "multibody/signal_source.h"

#include <stdio.h>
#include <string.h>

// the part of a name before its next dot; where the next part begins, or NULL
static const char* next_part(const char* name, char part[ELV_SIGNAL_NAME]) {
    const char* dot = strchr(name, '.');
    size_t n = dot ? (size_t)(dot - name) : strlen(name);
    memcpy(part, name, n);
    part[n] = '\0';
    return dot ? dot + 1 : NULL;
}

static const ElvDevice* find_device(const ElvModel* model, const char* kind, const char* name) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->kind && strcmp(device->ops->kind, kind) == 0 &&
            strcmp(device->name, name) == 0) {
            return device;
        }
    }
    return NULL;
}

static int count_components(const ElvSignalSource* source, int i) {
    const ElvDeviceOps* ops = source->device->ops;
    int n = ops->quantity[i].n;
    return n > 0 ? n : ops->count ? ops->count(source->device, i) : source->model->nv;
}

// ---- messages

enum { SIZE_LIST = 160 };

// append to a text of that size as much as fits
static void append(char* text, size_t size, const char* separator, const char* word) {
    size_t n = strlen(text);
    snprintf(text + n, size - n, "%s%s", separator, word);
}

// "length, rate, tension"
static const char* list_quantities(const ElvDevice* device, char list[SIZE_LIST]) {
    list[0] = '\0';
    for (int i = 0; i < device->ops->n_quantity; i++) {
        append(list, SIZE_LIST, i > 0 ? ", " : "", device->ops->quantity[i].name);
    }
    return list;
}

static ElvStatus fail_quantity(const ElvDevice* device, const char* word, ElvError* error) {
    char list[SIZE_LIST];
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "%s '%s' has no '%s'; it has %s",
                         device->ops->kind, device->name, word, list_quantities(device, list));
}

// the first device of a kind, before device number i_end
static const ElvDevice* first_of_kind(const ElvModel* model, const char* kind, int i_end) {
    for (int i = 0; i < i_end; i++) {
        const char* other = model->device[i]->ops->kind;
        if (other && strcmp(other, kind) == 0) {
            return model->device[i];
        }
    }
    return NULL;
}

const char* elv_signal_device_text(const ElvModel* model, char* text, size_t size) {
    text[0] = '\0';
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->kind && !first_of_kind(model, device->ops->kind, i)) {
            char list[SIZE_LIST];
            append(text, size, "; ", device->ops->kind);
            append(text, size, ".NAME has ", list_quantities(device, list));
        }
    }
    return text;
}

// KIND.NAME.rest, of a kind that the model has: the name is misspelt, or the quantity is missing
static bool fail_name(const ElvModel* model, const char* kind, const char* after, ElvError* error) {
    char owner[ELV_SIGNAL_NAME];
    char list[SIZE_LIST] = "";
    const char* rest = next_part(after, owner);
    const char* pair[2] = {NULL, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->kind && strcmp(device->ops->kind, kind) == 0) {
            append(list, sizeof list, list[0] == '\0' ? "" : ", ", device->name);
            pair[1] = device->name;
            pair[0] = elv_suggest(owner, pair, 2);
        }
    }
    const ElvDevice* device = find_device(model, kind, owner);
    if (device) {
        (void)elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                            "'%s.%s' alone is no signal: name a quantity of it; it has %s", kind,
                            owner, list_quantities(device, list));
    } else if (pair[0]) {
        (void)elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                            "there is no %s '%s', did you mean '%s.%s%s%s'?", kind, owner, kind,
                            pair[0], rest ? "." : "", rest ? rest : "");
    } else {
        (void)elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                            "there is no %s '%s'; the model has %s", kind, owner, list);
    }
    return true;
}

// whether a device has the name of the joint that it belongs to
static bool is_node(const ElvModel* model, const char* name) {
    for (int i = 0; i < model->n_node; i++) {
        if (strcmp(model->node[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// the quantity that the end of a name (NULL: none) asks for, or the nearest, or the first
static const char* nearest_quantity(const ElvDevice* device, const char* end) {
    const char* pair[2] = {NULL, NULL};
    char word[ELV_SIGNAL_NAME] = "";
    if (end) {
        (void)next_part(end, word);
    }
    for (int i = 0; i < device->ops->n_quantity; i++) {
        pair[1] = device->ops->quantity[i].name;
        pair[0] = elv_suggest(word, pair, 2);
    }
    return pair[0] ? pair[0] : device->ops->quantity[0].name;
}

bool elv_signal_fail_device(const ElvModel* model, const char* name, ElvError* error) {
    char kind[ELV_SIGNAL_NAME];
    char owner[ELV_SIGNAL_NAME] = "";
    const char* after = next_part(name, kind);
    const char* rest = after ? next_part(after, owner) : NULL;
    if (after && first_of_kind(model, kind, model->n_device)) {
        return fail_name(model, kind, after, error);
    }
    // the kind is missing, or misspelt
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        bool is_first = strcmp(device->name, kind) == 0;
        bool is_meant = is_first || (rest && strcmp(device->name, owner) == 0);
        if (device->ops->kind && is_meant && !is_node(model, device->name)) {
            char list[SIZE_LIST];
            (void)elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                                "unknown signal '%s', did you mean '%s.%s.%s'? It has %s", name,
                                device->ops->kind, device->name,
                                nearest_quantity(device, is_first ? after : rest),
                                list_quantities(device, list));
            return true;
        }
    }
    return false;
}

// ---- names

// set the quantity that the rest of the name asks for
static ElvStatus
pick_quantity(const char* name, const char* rest, ElvSignalSource* source, ElvError* error) {
    const ElvDevice* device = source->device;
    char word[ELV_SIGNAL_NAME] = "";
    const char* pick = rest ? next_part(rest, word) : NULL;
    for (int i = 0; i < device->ops->n_quantity; i++) {
        const ElvDeviceQuantity* quantity = &device->ops->quantity[i];
        if (strcmp(quantity->name, word) == 0) {
            size_t n_base = pick ? (size_t)(pick - name) - 1 : strlen(name);
            memcpy(source->base, name, n_base);
            source->base[n_base] = '\0';
            snprintf(source->pick, sizeof source->pick, "%s", pick ? pick : "");
            source->i_quantity = i;
            source->n_component = count_components(source, i);
            return ELV_OK;
        }
    }
    return fail_quantity(device, word, error);
}

bool elv_signal_resolve_device(const ElvModel* model,
                               const char* name,
                               ElvSignalSource* source,
                               ElvStatus* status,
                               ElvError* error) {
    char kind[ELV_SIGNAL_NAME];
    char owner[ELV_SIGNAL_NAME];
    const char* rest = next_part(name, kind);
    rest = rest ? next_part(rest, owner) : NULL;
    source->device = rest ? find_device(model, kind, owner) : NULL;
    if (!source->device) {
        return false;
    }
    source->kind = ELV_SIGNAL_DEVICE;
    *status = pick_quantity(name, rest, source, error);
    return true;
}

const char*
elv_signal_device_component(const ElvSignalSource* source, int i, char label[ELV_SIGNAL_LABEL]) {
    const ElvDeviceQuantity* quantity = &source->device->ops->quantity[source->i_quantity];
    if (quantity->n == 0) {
        snprintf(label, ELV_SIGNAL_LABEL, "%d", i);
        return quantity->unit[0];
    }
    snprintf(label, ELV_SIGNAL_LABEL, "%s", quantity->label ? quantity->label[i] : "");
    return quantity->unit[i];
}

void elv_signal_device_eval(const ElvSignalSource* source,
                            ElvData* data,
                            const ElvState* state,
                            double* value) {
    ElvScene scene = {source->model, data, state, NULL};
    source->device->ops->measure(source->device, &scene, source->i_quantity, value);
}
