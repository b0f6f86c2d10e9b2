// SPDX-License-Identifier: Apache-2.0
// Cross-sections of rods in model files. Dimensions are full widths in metres, numbers or laws of s.
#include "io/read_law.h"
#include "io/read_rod_parts.h"

// a dimension that must be there
static bool read_dimension(ElvReader* reader, const ElvYaml* map, const char* key, ElvLawDef* law) {
    const ElvYaml* node = elv_read_required(reader, map, key, "in metres, a number or a law of s");
    return node && elv_read_law(reader, node, ELV_READ_S, law);
}

// {diameter: …} or {radius: …}, kept as a diameter
static bool read_diameter(ElvReader* reader, const ElvYaml* map, ElvLawDef* diameter) {
    static const char* const words[] = {"diameter", "radius"};
    const ElvYaml* node = NULL;
    int choice = 0;
    return elv_read_one_of(reader, map, "circle", words, 2, &node, &choice) &&
           elv_read_law(reader, node, ELV_READ_S, diameter) &&
           (choice == 0 || elv_read_scale_law(reader, 2.0, diameter));
}

static bool read_circle(ElvReader* reader, const ElvYaml* node, ElvSectionDef* section) {
    static const char* const keys[] = {"diameter", "radius", "hole"};
    section->kind = ELV_SECTION_CIRCLE;
    if (!elv_read_keys(reader, node, "a circle {diameter: ...}", keys, 3) ||
        !read_diameter(reader, node, &section->outer[0])) {
        return false;
    }
    const ElvYaml* hole = elv_yaml_get(node, "hole");
    section->is_hollow = hole != NULL;
    return !hole || (elv_read_keys(reader, hole, "a hole {diameter: ...}", keys, 2) &&
                     read_diameter(reader, hole, &section->inner[0]));
}

static bool read_tube(ElvReader* reader, const ElvYaml* node, ElvSectionDef* section) {
    static const char* const keys[] = {"outer", "inner"};
    section->kind = ELV_SECTION_CIRCLE;
    section->is_hollow = true;
    return elv_read_keys(reader, node, "a tube {outer: ..., inner: ...} of diameters", keys, 2) &&
           read_dimension(reader, node, "outer", &section->outer[0]) &&
           read_dimension(reader, node, "inner", &section->inner[0]);
}

// ellipse and rectangle: full widths along y and z
static bool read_widths(ElvReader* reader, const ElvYaml* node, ElvSectionDef* section) {
    static const char* const keys[] = {"y", "z", "hole"};
    if (!elv_read_keys(reader, node, "full widths {y: ..., z: ...}", keys, 3) ||
        !read_dimension(reader, node, "y", &section->outer[0]) ||
        !read_dimension(reader, node, "z", &section->outer[1])) {
        return false;
    }
    const ElvYaml* hole = elv_yaml_get(node, "hole");
    section->is_hollow = hole != NULL;
    return !hole || (elv_read_keys(reader, hole, "a hole {y: ..., z: ...}", keys, 2) &&
                     read_dimension(reader, hole, "y", &section->inner[0]) &&
                     read_dimension(reader, hole, "z", &section->inner[1]));
}

static bool read_explicit(ElvReader* reader, const ElvYaml* node, ElvSectionDef* section) {
    static const char* const keys[] = {"area", "inertia_y", "inertia_z"};
    ElvLawDef* const values[] = {&section->area, &section->inertia_y, &section->inertia_z};
    static const char* const units[] = {"m^2, a number or a law of s",
                                        "second moment of area about y, m^4",
                                        "second moment of area about z, m^4"};
    section->kind = ELV_SECTION_EXPLICIT;
    if (!elv_read_keys(reader, node, "{area: ..., inertia_y: ..., inertia_z: ...}", keys, 3)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const ElvYaml* value = elv_read_required(reader, node, keys[i], units[i]);
        if (!value || !elv_read_law(reader, value, ELV_READ_S, values[i])) {
            return false;
        }
    }
    return true;
}

bool elv_read_section(ElvReader* reader, const ElvYaml* node, ElvSectionDef* section) {
    enum { CIRCLE, TUBE, ELLIPSE, RECTANGLE, EXPLICIT, N_SHAPE, N_KEY = N_SHAPE + 2 };
    static const char* const keys[N_KEY] = {"circle",   "tube",    "ellipse",     "rectangle",
                                            "explicit", "torsion", "shear_factor"};
    const ElvYaml* shape = NULL;
    int choice = 0;
    if (!elv_read_keys(reader, node, "a section such as {circle: {diameter: 0.02}}", keys, N_KEY) ||
        !elv_read_one_of(reader, node, "section", keys, N_SHAPE, &shape, &choice)) {
        return false;
    }
    bool is_read = false;
    switch (choice) {
    case CIRCLE:
        is_read = read_circle(reader, shape, section);
        break;
    case TUBE:
        is_read = read_tube(reader, shape, section);
        break;
    case ELLIPSE:
    case RECTANGLE:
        section->kind = choice == ELLIPSE ? ELV_SECTION_ELLIPSE : ELV_SECTION_RECTANGLE;
        is_read = read_widths(reader, shape, section);
        break;
    default:
        is_read = read_explicit(reader, shape, section);
        break;
    }
    section->has_torsion = elv_yaml_get(node, "torsion") != NULL;
    return is_read && elv_read_law_at(reader, node, "torsion", ELV_READ_S, &section->torsion) &&
           elv_read_law_at(reader, node, "shear_factor", ELV_READ_S, &section->shear_factor);
}
