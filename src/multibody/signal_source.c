// SPDX-License-Identifier: Apache-2.0
// Names of signals. A name is split at the dots outside parentheses; the first part after the
// beginning that names a quantity separates what it belongs to (a frame, a joint, a rod) from the
// component asked for: arm.at(0.5) | position | x. Quantities of the whole robot begin with theirs.
// What quantities there are is in signal_quantity.c.
#include "multibody/signal_source.h"

#include "base/number_text.h"
#include "base/spec_names.h"
#include "multibody/signal_quantity.h"

#include <stdio.h>
#include <string.h>

// ---- parts of a name

// the end of the part of a name that begins at begin: the next dot outside parentheses, or the end
static size_t part_end(const char* name, size_t begin) {
    int depth = 0;
    size_t i = begin;
    for (; name[i] != '\0'; i++) {
        depth += (name[i] == '(') - (name[i] == ')');
        if (name[i] == '.' && depth <= 0) {
            break;
        }
    }
    return i;
}

// the kind whose quantity a part names ("position", "strain(0.5)"), or ELV_N_SIGNAL_KIND; those of the robot
// stand first
static ElvSignalKind part_kind(const char* part, size_t n, bool is_first) {
    size_t n_word = 0;
    while (n_word < n && part[n_word] != '(') {
        n_word++;
    }
    for (int kind = 0; kind < ELV_N_SIGNAL_KIND; kind++) {
        const ElvSignalQuantity* quantity = &elv_signal_quantities[kind];
        bool is_open = n_word < n; // an argument follows: for rods' quantities alone
        if ((quantity->owner == ELV_OWNER_ROBOT) == is_first && strlen(quantity->name) == n_word &&
            memcmp(quantity->name, part, n_word) == 0 &&
            (!is_open || quantity->owner == ELV_OWNER_ROD)) {
            return (ElvSignalKind)kind;
        }
    }
    return ELV_N_SIGNAL_KIND;
}

// copy name[0 … n - 1]; names have been checked to fit
static void copy_part(char to[ELV_SIGNAL_NAME], const char* from, size_t n) {
    memcpy(to, from, n);
    to[n] = '\0';
}

// ---- messages

// keep the nearer of two suggestions
static const char* nearer(const char* word, const char* best, const char* candidate) {
    const char* const pair[] = {best, candidate};
    return elv_suggest(word, pair, 2);
}

// no quantity was found in the name
static ElvStatus fail_unknown(const ElvModel* model, const char* name, ElvError* error) {
    // a frame without a quantity
    ElvFrame frame;
    if (elv_model_frame(model, name, &frame, NULL) == ELV_OK) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' alone is no signal: name a quantity of it, as in '%s.position'; "
                             "%s",
                             name, name, elv_signal_quantities_text);
    }

    if (elv_signal_fail_device(model, name, error)) {
        return ELV_ERROR_INPUT;
    }

    // the last part is the likeliest to be misspelt
    size_t begin = 0;
    for (size_t end = part_end(name, 0); name[end] != '\0'; end = part_end(name, end + 1)) {
        begin = end + 1;
    }
    const char* word = name + begin;
    const char* best = NULL;
    for (int kind = 0; kind < ELV_N_SIGNAL_KIND; kind++) {
        bool is_robot = elv_signal_quantities[kind].owner == ELV_OWNER_ROBOT;
        if (is_robot == (begin == 0)) {
            best = nearer(word, best, elv_signal_quantities[kind].name);
        }
    }
    // or cut short
    for (int kind = 0; kind < ELV_N_SIGNAL_KIND && !best && strlen(word) > 1; kind++) {
        bool is_robot = elv_signal_quantities[kind].owner == ELV_OWNER_ROBOT;
        bool is_begun = strncmp(elv_signal_quantities[kind].name, word, strlen(word)) == 0;
        best = is_begun && is_robot == (begin == 0) ? elv_signal_quantities[kind].name : NULL;
    }
    if (best) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "unknown signal '%s', did you mean '%.*s%s'? %s", name, (int)begin,
                             name, best, elv_signal_quantities_text);
    }
    char devices[ELV_SIZE_MESSAGE / 2];
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "unknown signal '%s'; %s%s", name,
                         elv_signal_quantities_text,
                         elv_signal_device_text(model, devices, sizeof devices));
}

static ElvStatus
fail_node(const ElvModel* model, const char* owner, ElvSignalOwner kind, ElvError* error) {
    const char* best = NULL;
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (kind == ELV_OWNER_NODE || node.is_rod) {
            best = nearer(owner, best, node.name);
        }
    }
    const char* what = kind == ELV_OWNER_ROD ? "rod" : "body or rod";
    if (best) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "there is no %s '%s', did you mean '%s'?", what, owner, best);
    }
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "there is no %s '%s' in the model",
                         what, owner);
}

static ElvStatus fail_component(const ElvSignalSource* source, ElvError* error) {
    if (source->n_component == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' is empty: what it is asked of has no such number, as a fixed "
                             "joint has no coordinate",
                             source->base);
    }
    char labels[ELV_SIZE_MESSAGE / 2] = "";
    size_t n = 0;
    for (int i = 0; i < source->n_component && n < sizeof labels - ELV_SIGNAL_LABEL - 8; i++) {
        char label[ELV_SIGNAL_LABEL];
        elv_signal_component(source, i, label);
        n += (size_t)snprintf(labels + n, sizeof labels - n, "%s%s", i > 0 ? ", " : "", label);
    }
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                         "'%s' has no component '%s'; it has %s", source->base, source->pick,
                         labels);
}

// ---- resolution

// the node of a name that has the coordinates asked for
static ElvStatus
resolve_node(const ElvModel* model, const char* owner, ElvSignalSource* source, ElvError* error) {
    ElvSignalOwner kind = elv_signal_quantities[source->kind].owner;
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (strcmp(node.name, owner) == 0 && (kind == ELV_OWNER_NODE || node.is_rod)) {
            source->node = node;
            source->i_node = i;
            return ELV_OK;
        }
    }
    return fail_node(model, owner, kind, error);
}

// the argument of "strain(0.5)"
static ElvStatus resolve_station(const char* part, ElvSignalSource* source, ElvError* error) {
    const char* open = strchr(part, '(');
    if (!open) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' needs a station between 0 and 1, as in '%s(0.5)'", source->base,
                             source->base);
    }
    size_t n = elv_number_scan(open + 1, &source->s);
    bool is_number = n > 0 && strcmp(open + 1 + n, ")") == 0;
    if (!is_number || !(source->s >= 0.0 && source->s <= 1.0)) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "the station in '%s' must be a number between 0 and 1", source->base);
    }
    return ELV_OK;
}

// the projective recursion knows no rods
static ElvStatus check_projective(const ElvSignalSource* source, ElvError* error) {
    for (int i = 0; i < elv_model_n_node(source->model); i++) {
        ElvNodeInfo node = elv_model_node(source->model, i);
        if (node.is_rod) {
            return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                                 "'%s' is for trees of bodies, and '%s' is a rod: '%s.effort' is "
                                 "the effort that balances power",
                                 source->base, node.name, source->node.name);
        }
    }
    return ELV_OK;
}

// how many components the quantity has here
static ElvStatus resolve_count(ElvSignalSource* source, ElvError* error) {
    const ElvSignalQuantity* quantity = &elv_signal_quantities[source->kind];
    const ElvNodeInfo* node = &source->node;
    source->n_component = quantity->n_component;
    if (quantity->owner != ELV_OWNER_NODE) {
        return ELV_OK;
    }
    if (source->kind == ELV_SIGNAL_EFFORT_PROJECTIVE && check_projective(source, error)) {
        return ELV_ERROR_INPUT;
    }
    int n_coordinate = source->kind == ELV_SIGNAL_Q ? node->n_q : node->n_v;
    source->n_component = quantity->label ? quantity->n_component : n_coordinate;
    if (n_coordinate == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' has no coordinates, so no %s", node->name, quantity->name);
    }
    bool is_of_drive = source->kind == ELV_SIGNAL_EFFORT || source->kind == ELV_SIGNAL_POWER;
    if (is_of_drive && node->is_rod && !node->is_imposed) {
        return elv_error_set(
            error, ELV_ERROR_INPUT, NULL, NULL,
            "'%s' is a rod and has no drive: '%s.joint.%s' is that of its root joint, if "
            "it has one, and '%s.stress(S)' its internal wrench",
            node->name, node->name, quantity->name, node->name);
    }
    return ELV_OK;
}

// the components asked for exist
static ElvStatus check_pick(const ElvSignalSource* source, ElvError* error) {
    for (int i = 0; i < source->n_component; i++) {
        if (elv_signal_is_picked(source, i)) {
            return ELV_OK;
        }
    }
    return fail_component(source, error);
}

// fill source for the quantity found at name[begin … end - 1]
static ElvStatus resolve_at(const ElvModel* model,
                            const char* name,
                            size_t begin,
                            size_t end,
                            ElvSignalSource* source,
                            ElvError* error) {
    char owner[ELV_SIGNAL_NAME];
    char part[ELV_SIGNAL_NAME];
    copy_part(owner, name, begin > 0 ? begin - 1 : 0);
    copy_part(part, name + begin, end - begin);
    copy_part(source->base, name, end);
    const char* pick = name[end] == '.' ? name + end + 1 : "";
    copy_part(source->pick, pick, strlen(pick));
    // power is what drives put in; with the name of an account, that of all that belongs there
    if (source->kind == ELV_SIGNAL_POWER_ALL && pick[0] != '\0') {
        source->kind = ELV_SIGNAL_POWERS;
    }

    ElvStatus status = ELV_OK;
    ElvSignalOwner kind = elv_signal_quantities[source->kind].owner;
    if (kind == ELV_OWNER_FRAME) {
        status = elv_model_frame(model, owner, &source->frame, error);
    } else if (kind != ELV_OWNER_ROBOT) {
        status = resolve_node(model, owner, source, error);
    }
    if (status == ELV_OK && kind == ELV_OWNER_ROD) {
        status = resolve_station(part, source, error);
    }
    if (status == ELV_OK) {
        status = resolve_count(source, error);
    }
    if (status != ELV_OK) {
        return status;
    }

    return check_pick(source, error);
}

static ElvStatus
resolve(const ElvModel* model, const char* name, ElvSignalSource* source, ElvError* error) {
    memset(source, 0, sizeof *source);
    source->model = model;
    size_t n = strlen(name);
    if (n == 0 || n >= ELV_SIGNAL_NAME || name[n - 1] == '.') {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%.60s%s' is no signal; %s", name,
                             n > 60 ? "..." : "", elv_signal_quantities_text);
    }

    ElvStatus of_device = ELV_OK;
    if (elv_signal_resolve_device(model, name, source, &of_device, error)) {
        return of_device == ELV_OK ? check_pick(source, error) : of_device;
    }

    // energy, momentum, com stand first; every other quantity after what it belongs to
    size_t begin = 0;
    ElvStatus status = ELV_ERROR_INPUT;
    for (;;) {
        size_t end = part_end(name, begin);
        bool is_robot = begin == 0;
        ElvSignalKind kind = part_kind(name + begin, end - begin, is_robot);
        if (kind != ELV_N_SIGNAL_KIND) {
            source->kind = kind;
            status = resolve_at(model, name, begin, end, source, error);
            // a body may be called "energy": its own quantities come later in the name
            if (status == ELV_OK || !is_robot) {
                return status;
            }
        }
        if (name[end] == '\0') {
            break;
        }
        begin = end + 1;
    }
    bool is_explained = error && error->status != ELV_OK;
    return is_explained ? status : fail_unknown(model, name, error);
}

// words in another order; NULL: it is no such name
static const char* reword(const char* name) {
    bool is_power = strcmp(name, "fluid_power") == 0 || strcmp(name, "fluid.power") == 0;
    bool is_work = strcmp(name, "fluid_work") == 0 || strcmp(name, "fluid.work") == 0;
    return is_power ? "power.fluid" : is_work ? "work.fluid" : NULL;
}

ElvStatus elv_signal_resolve(const ElvModel* model,
                             const char* name,
                             ElvSignalSource* source,
                             ElvError* error) {
    ElvStatus status = resolve(model, name, source, error);
    const char* meant = status == ELV_ERROR_INPUT ? reword(name) : NULL;
    if (!meant) {
        return status;
    }
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                         "unknown signal '%s', did you mean '%s'? %s", name, meant,
                         elv_signal_quantities_text);
}
