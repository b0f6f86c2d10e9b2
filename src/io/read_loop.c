// SPDX-License-Identifier: Apache-2.0
// Closed loops of model files: {loop: apex, between: [left.tip, right.tip], joint: {revolute: {...}}}
// with joints as in the tree, and {slider: ring, point: body, rod: rail}. A loop without a name is
// called by its place in the list, from 1: loop1, loop2.
#include "io/read_loop.h"

#include "io/format_names.h"
#include "io/read_joint.h"
#include "io/read_law.h"
#include "io/read_locate.h"

#include <stdio.h>

// ---- loops

// the given name, or that of the place; messages use it from here on
static bool read_name(ElvReader* reader, const ElvYaml* node, const char** name) {
    char place[ELV_LOOP_NAME];
    elv_loop_default_name(node->index, place);
    *name = elv_pool_string(&reader->pool, place);
    if (!*name) {
        return elv_read_fail_memory(reader);
    }
    if (!elv_read_text_at(reader, node, "loop", name)) {
        return false;
    }
    reader->element = *name;
    return true;
}

static bool read_between(ElvReader* reader, const ElvYaml* node, ElvLoopDef* def) {
    const ElvYaml* list =
        elv_read_required(reader, node, "between", "the two frames that the loop joins");
    if (!list) {
        return false;
    }
    if (list->kind != ELV_YAML_LIST || list->n != 2) {
        return elv_read_fail_expected(reader, list, "two frames, such as [world, arm.tip]");
    }
    return elv_read_text(reader, list->first, &def->first) &&
           elv_read_text(reader, list->first->next, &def->second);
}

static bool read_pose(ElvReader* reader, const ElvYaml* node, ElvLawDef pose[6]) {
    static const char* const keys[] = {"xyz", "rpy"};
    if (!elv_read_keys(reader, node, "a pose {xyz: [x, y, z], rpy: [roll, pitch, yaw]}", keys, 2)) {
        return false;
    }
    const ElvYaml* rpy = elv_yaml_get(node, "rpy");
    const ElvYaml* xyz = elv_yaml_get(node, "xyz");
    return (!rpy || elv_read_laws(reader, rpy, 3, ELV_READ_T, pose)) &&
           (!xyz || elv_read_laws(reader, xyz, 3, ELV_READ_T, pose + 3));
}

// one number for both, or [N m/rad, N/m]
static bool read_penalty(ElvReader* reader, const ElvYaml* node, double penalty[2]) {
    if (node->kind != ELV_YAML_SCALAR) {
        return elv_read_numbers(reader, node, 2, penalty);
    }
    bool is_read = elv_read_number(reader, node, &penalty[0]);
    penalty[1] = penalty[0];
    return is_read;
}

static bool read_closure(ElvReader* reader, const ElvYaml* node, ElvLoopDef* def) {
    const ElvYaml* closure = elv_yaml_get(node, "closure");
    const ElvYaml* penalty = elv_yaml_get(node, "penalty");
    int choice = (int)def->closure;
    bool is_read = (!closure || elv_read_choice(reader, closure, "closure", elv_closure_names,
                                                ELV_N_CLOSURE_NAME, &choice)) &&
                   (!penalty || read_penalty(reader, penalty, def->penalty));
    def->closure = (ElvClosure)choice;
    return is_read;
}

// what belongs to the joint, but stands beside it
static bool refuse_joint_keys(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"damping", "stiffness", "rest", "force", "motion", "torque"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const ElvYaml* value = elv_yaml_get(node, keys[i]);
        const char* key = i < 5 ? keys[i] : "force";
        if (value) {
            return elv_read_fail(reader, value->key,
                                 "'%s' belongs to the joint of the loop: write 'joint: {TYPE: {%s: "
                                 "...}}'",
                                 keys[i], key);
        }
    }
    return true;
}

static bool read_loop(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"loop",  "between", "joint",   "axis",
                                       "axis2", "pose",    "closure", "penalty"};
    ElvLoopDef def = elv_loop_def_default();
    if (!read_name(reader, node, &def.name) || !refuse_joint_keys(reader, node) ||
        !elv_read_keys(reader, node, "a loop", keys, sizeof keys / sizeof keys[0])) {
        return false;
    }
    const ElvYaml* pose = elv_yaml_get(node, "pose");
    return read_between(reader, node, &def) && elv_read_item_joint(reader, node, &def.joint) &&
           (!pose || read_pose(reader, pose, def.pose)) && read_closure(reader, node, &def) &&
           elv_read_added(reader, node, elv_spec_add_loop(reader->spec, &def, reader->error));
}

// ---- sliders

static bool read_drive(ElvReader* reader, const ElvYaml* node, ElvSliderDef* def) {
    const ElvYaml* drive = elv_yaml_get(node, "drive");
    if (!drive) {
        return true;
    }
    def->is_driven = true;
    const ElvYaml* station = elv_yaml_get(node, "station");
    if (station) {
        return elv_read_fail(reader, station->key,
                             "'drive' gives the station at t = 0: remove 'station'");
    }
    return elv_read_law(reader, drive, ELV_READ_T, &def->drive);
}

static bool read_slider(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"slider",  "point", "rod",  "station",
                                       "damping", "force", "drive"};
    ElvSliderDef def = elv_slider_def_default();
    if (!elv_read_text_at(reader, node, "slider", &def.name)) {
        return false;
    }
    reader->element = def.name;
    if (!elv_read_keys(reader, node, "a slider", keys, sizeof keys / sizeof keys[0])) {
        return false;
    }
    const ElvYaml* point = elv_read_required(reader, node, "point", "the frame that slides");
    const ElvYaml* rod =
        point ? elv_read_required(reader, node, "rod", "along which the point slides") : NULL;
    return rod && elv_read_text(reader, point, &def.point) &&
           elv_read_text(reader, rod, &def.rod) &&
           elv_read_number_at(reader, node, "station", &def.station) &&
           elv_read_number_at(reader, node, "damping", &def.damping) &&
           elv_read_law_at(reader, node, "force", ELV_READ_T, &def.force) &&
           read_drive(reader, node, &def) &&
           elv_read_added(reader, node, elv_spec_add_slider(reader->spec, &def, reader->error));
}

// ---- the list

// no key tells the kind: perhaps one is misspelt
static bool fail_kind(ElvReader* reader, const ElvYaml* node) {
    static const char* const words[] = {"loop", "slider", "joint", "between"};
    for (const ElvYaml* child = node->first; child; child = child->next) {
        const char* nearest = elv_suggest(child->key->text, words, 4);
        if (nearest) {
            return elv_read_fail(reader, child->key, "unknown key '%.80s', did you mean '%s'?",
                                 child->key->text, nearest);
        }
    }
    return elv_read_fail(
        reader, node,
        "an item of the loops is a joint between two frames, {loop: NAME, between: "
        "[...], joint: ...}, or a slider, {slider: NAME, point: ..., rod: ...}");
}

static bool read_item(ElvReader* reader, const ElvYaml* node) {
    if (node->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, node, "a loop {between: [...], joint: ...}");
    }
    const ElvYaml* slider = elv_yaml_get(node, "slider");
    const ElvYaml* loop = elv_yaml_get(node, "loop");
    if (slider && loop) {
        return elv_read_fail(reader, slider->key,
                             "an item of the loops is one of 'loop' and 'slider', not both: begin "
                             "another item with '- '");
    }
    if (slider) {
        return read_slider(reader, node);
    }
    bool is_loop = loop || elv_yaml_get(node, "between") || elv_yaml_get(node, "joint");
    return is_loop ? read_loop(reader, node) : fail_kind(reader, node);
}

bool elv_read_loops(ElvReader* reader, const ElvYaml* list) {
    return elv_read_items(reader, list, read_item);
}
