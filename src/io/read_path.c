// SPDX-License-Identifier: Apache-2.0
// Paths of actuators in model files: parts along rods, {rod: arm, y: 0.01}, and points of frames,
// {at: world, point: [0, 0, 1]}.
#include "io/read_actuator.h"
#include "io/read_law.h"

static const char* const rod_keys[] = {"rod", "from", "to", "y", "z", "outside"};

enum { N_ROD_KEY = sizeof rod_keys / sizeof rod_keys[0] };

// keys of a part along a rod; others are left alone
static bool read_rod_part(ElvReader* reader, const ElvYaml* map, ElvPathDef* part) {
    const ElvYaml* rod =
        elv_read_required(reader, map, "rod", "along which the path runs; 'at' for a point");
    return rod && elv_read_text(reader, rod, &part->rod) &&
           elv_read_number_at(reader, map, "from", &part->from) &&
           elv_read_number_at(reader, map, "to", &part->to) &&
           elv_read_law_at(reader, map, "y", ELV_READ_S, &part->y) &&
           elv_read_law_at(reader, map, "z", ELV_READ_S, &part->z) &&
           elv_read_flag_at(reader, map, "outside", &part->is_outside);
}

static bool read_point(ElvReader* reader, const ElvYaml* map, ElvPathDef* part) {
    return elv_read_text_at(reader, map, "at", &part->at) &&
           elv_read_refuse(reader, map, rod_keys, N_ROD_KEY,
                           "'at': a part of a path is a point of a frame or along a rod") &&
           elv_read_vec3_at(reader, map, "point", &part->point);
}

static bool read_part(ElvReader* reader, const ElvYaml* node, ElvPathDef* part) {
    static const char* const keys[] = {"rod", "from", "to", "y", "z", "outside", "at", "point"};
    static const char* const point_keys[] = {"point"};
    *part = elv_path_def_default();
    if (!elv_read_keys(reader, node, "a part of a path {rod: ..., y: ..., z: ...}", keys, 8)) {
        return false;
    }
    if (elv_yaml_get(node, "at")) {
        return read_point(reader, node, part);
    }
    return elv_read_refuse(reader, node, point_keys, 1,
                           "a part along a rod: name the frame of the point, 'at'") &&
           read_rod_part(reader, node, part);
}

bool elv_read_path(ElvReader* reader, const ElvYaml* node, const ElvPathDef** path, int* n) {
    bool is_list = node->kind == ELV_YAML_LIST;
    if ((!is_list && node->kind != ELV_YAML_MAP) || node->n == 0) {
        return elv_read_fail_expected(reader, node, "a list of parts, [{rod: ..., y: ...}]");
    }
    *n = is_list ? node->n : 1;
    ElvPathDef* part = elv_pool_take(&reader->pool, (size_t)*n, sizeof *part);
    if (!part) {
        return elv_read_fail_memory(reader);
    }
    *path = part;
    if (!is_list) {
        return read_part(reader, node, part);
    }
    for (const ElvYaml* item = node->first; item; item = item->next) {
        if (!read_part(reader, item, part++)) {
            return false;
        }
    }
    return true;
}

bool elv_read_one_path(ElvReader* reader, const ElvYaml* item, ElvPathDef* path) {
    const ElvYaml* node = elv_yaml_get(item, "path");
    if (!node) {
        return read_rod_part(reader, item, path);
    }
    if (!elv_read_refuse(reader, item, rod_keys, N_ROD_KEY, "'path', which has it in its part")) {
        return false;
    }
    if (node->kind == ELV_YAML_LIST && node->n == 1) {
        node = node->first;
    }
    if (node->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, node,
                                      "one part of a rod, {rod: ..., y: ..., z: ...}");
    }
    return read_part(reader, node, path);
}
