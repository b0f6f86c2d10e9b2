// SPDX-License-Identifier: Apache-2.0
// What `elver inverse` records: the signals of the model file; without them what its kind of problem looks for. Beside
// them stand columns of the problem itself: what tendons leave of a stress, how far a tip is from its place, the
// wrench that holds it.
#include "inverse.h"

#include <stdlib.h>
#include <string.h>

// a growing list of names
typedef struct {
    char** text;
    int n;
} Names;

static bool add_name(Names* names, const char* head, const char* owner, const char* tail) {
    size_t size = strlen(head) + strlen(owner) + strlen(tail) + 1;
    char** grown = realloc(names->text, ((size_t)names->n + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    names->text = grown;
    char* text = malloc(size);
    if (!text) {
        return false;
    }
    snprintf(text, size, "%s%s%s", head, owner, tail);
    names->text[names->n++] = text;
    return true;
}

static void free_names(Names* names) {
    for (int i = 0; i < names->n; i++) {
        free(names->text[i]);
    }
    free(names->text);
    *names = (Names){NULL, 0};
}

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

// ---- of joints

// a quantity of every joint with an imposed motion
static bool add_of_drives(const ElvModel* model, const char* quantity, Names* names) {
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (!node.is_rod && node.drive == ELV_DRIVE_MOTION && node.n_v > 0 &&
            !add_name(names, "", node.name, quantity)) {
            return false;
        }
    }
    return true;
}

// quantities of every joint that has coordinates, driven or not
static bool add_of_joints(const ElvModel* model, Names* names) {
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (!node.is_rod && node.n_v > 0 &&
            !(add_name(names, "", node.name, ".q") && add_name(names, "", node.name, ".v") &&
              add_name(names, "", node.name, ".effort"))) {
            return false;
        }
    }
    return true;
}

static bool
add_of_devices(const ElvModel* model, const char* kind, const char* tail, Names* names) {
    char head[32];
    snprintf(head, sizeof head, "%s.", kind);
    for (int i = 0; i < elv_model_n_device(model); i++) {
        ElvDeviceInfo device = elv_model_device(model, i);
        if (strcmp(device.kind, kind) == 0 && !add_name(names, head, device.name, tail)) {
            return false;
        }
    }
    return true;
}

// ---- of rods

static bool add_of_rods(const ElvModel* model, const char* const* tail, int n, Names* names) {
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        for (int k = 0; k < n && node.is_rod; k++) {
            if (!add_name(names, "", node.name, tail[k])) {
                return false;
            }
        }
    }
    return true;
}

// ---- defaults

static bool add_defaults(const Inverse* inverse, Names* names) {
    static const char* const motion[] = {".tip.position", ".stress(0)", ".actuation(0)",
                                         ".actuation(0.5)"};
    static const char* const tip[] = {".tip.position"};
    const ElvModel* model = inverse->run.loaded.model;
    bool is_added = true;
    switch (inverse->kind) {
    case ELV_INVERSE_STRAINS:
        is_added = add_of_joints(model, names) && add_of_rods(model, motion, 4, names);
        break;
    case ELV_INVERSE_TIP:
        is_added = add_of_rods(model, tip, 1, names);
        break;
    default:
        return add_of_drives(model, ".q", names) && add_of_drives(model, ".v", names) &&
               add_of_drives(model, ".effort", names) &&
               add_of_devices(model, "loop", ".wrench", names);
    }
    return is_added && add_of_devices(model, "tendon", ".tension", names) &&
           add_of_devices(model, "chamber", ".pressure", names);
}

static ElvStatus make_listed(Inverse* inverse, ElvError* error) {
    Run* run = &inverse->run;
    const ElvModel* model = run->loaded.model;
    ElvRecordDef recorded = elv_model_record(model);
    if (recorded.n_signal > 0) {
        return elv_signals_create(model, recorded.signal, recorded.n_signal, &run->signals, error);
    }
    Names names = {NULL, 0};
    bool is_added = add_defaults(inverse, &names);
    ElvStatus status = is_added ? elv_signals_create(model, (const char* const*)names.text, names.n,
                                                     &run->signals, error)
                                : out_of_memory(error);
    free_names(&names);
    return status;
}

// ---- columns of one's own

static bool has_inputs(const ElvModel* model) {
    for (int i = 0; i < elv_model_n_device(model); i++) {
        ElvDeviceInfo device = elv_model_device(model, i);
        if (strcmp(device.kind, "tendon") == 0 || strcmp(device.kind, "chamber") == 0) {
            return true;
        }
    }
    return false;
}

static ElvStatus append(Inverse* inverse, const char* name, const char* unit, ElvError* error) {
    inverse->n_own++;
    return elv_signals_append(inverse->run.signals, name, unit, error);
}

static ElvStatus append_tip(Inverse* inverse, ElvError* error) {
    static const char* const names[] = {"tip.moment.x", "tip.moment.y", "tip.moment.z",
                                        "tip.force.x",  "tip.force.y",  "tip.force.z"};
    ElvInverseDef def = elv_model_inverse(inverse->run.loaded.model);
    ElvStatus status = append(inverse, "tip.distance", "m", error);
    if (status == ELV_OK && def.has_rotation) {
        status = append(inverse, "tip.angle", "rad", error);
    }
    for (int i = 0; i < 6 && status == ELV_OK && def.by == ELV_BY_WRENCH; i++) {
        status = append(inverse, names[i], i < 3 ? "N m" : "N", error);
    }
    return status;
}

ElvStatus inverse_make_signals(Inverse* inverse, ElvError* error) {
    ElvStatus status = make_listed(inverse, error);
    if (status == ELV_OK && inverse->kind == ELV_INVERSE_STRAINS) {
        status = elv_signals_refuse_modal(inverse->run.signals, "of imposed strains", error);
        if (status == ELV_OK && has_inputs(inverse->run.loaded.model)) {
            status = append(inverse, "tensions.residual", "-", error);
        }
    } else if (status == ELV_OK && inverse->kind == ELV_INVERSE_TIP) {
        status = append_tip(inverse, error);
    }
    return status;
}

void inverse_fill_own(Inverse* inverse) {
    const ElvInverseRow* row = &inverse->report.row;
    ElvInverseDef def = elv_model_inverse(inverse->run.loaded.model);
    double* own = inverse->run.value + inverse->run.n_column - inverse->n_own;
    if (inverse->kind == ELV_INVERSE_STRAINS && inverse->n_own > 0) {
        own[0] = row->wanted > 0.0 ? row->left / row->wanted : 0.0;
    } else if (inverse->kind == ELV_INVERSE_TIP) {
        *own++ = row->distance;
        if (def.has_rotation) {
            *own++ = row->angle;
        }
        if (def.by == ELV_BY_WRENCH) {
            elv_wrench_to_array(row->wrench, own);
        }
    }
}

// ---- drives

ElvStatus inverse_make_drives(Inverse* inverse, ElvError* error) {
    const ElvModel* model = inverse->run.loaded.model;
    Names names = {NULL, 0};
    bool is_added = add_of_drives(model, ".effort", &names) && add_of_drives(model, ".v", &names);
    ElvStatus status = is_added ? elv_signals_create(model, (const char* const*)names.text, names.n,
                                                     &inverse->drives, error)
                                : out_of_memory(error);
    free_names(&names);
    if (status != ELV_OK) {
        return status;
    }
    size_t n = (size_t)elv_signals_n_column(inverse->drives);
    inverse->n_drive = (int)n / 2;
    inverse->value = calloc(2 * n + 1, sizeof *inverse->value);
    if (!inverse->value) {
        return out_of_memory(error);
    }
    inverse->effort = inverse->value + n;
    inverse->power = inverse->effort + n / 2;
    return ELV_OK;
}
