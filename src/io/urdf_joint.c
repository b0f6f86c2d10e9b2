// SPDX-License-Identifier: Apache-2.0
// Joints of a URDF. Limits of effort and velocity do not act; those of position do where the model
// asks for stops. A joint that mimics another is tied to it by a coupling.
#include "io/urdf.h"

#include <stdio.h>
#include <string.h>

typedef enum { FIXED, CONTINUOUS, REVOLUTE, PRISMATIC, FLOATING, PLANAR, N_TYPE } Type;

static const char* const type_names[N_TYPE] = {"fixed",     "continuous", "revolute",
                                               "prismatic", "floating",   "planar"};
static const char* const model_types[N_TYPE] = {"fixed",     "revolute", "revolute",
                                                "prismatic", "free",     "planar"};

static bool read_type(const ElvUrdf* urdf, const ElvXml* xml, Type* type) {
    const ElvXmlAttribute* given = elv_xml_attribute(xml, "type");
    if (!given) {
        return elv_urdf_fail(urdf, xml->line, xml->column, "<joint> needs type=\"...\"");
    }
    for (int i = 0; i < N_TYPE; i++) {
        if (strcmp(given->value, type_names[i]) == 0) {
            *type = (Type)i;
            return true;
        }
    }
    const char* nearest = elv_suggest(given->value, type_names, N_TYPE);
    if (nearest) {
        return elv_urdf_fail(urdf, given->line, given->column,
                             "unknown joint type '%.40s', did you mean '%s'?", given->value,
                             nearest);
    }
    return elv_urdf_fail(urdf, given->line, given->column,
                         "unknown joint type '%.40s', expected fixed, continuous, revolute, "
                         "prismatic, floating or planar",
                         given->value);
}

// ---- keys

static bool put_axis(ElvUrdf* urdf, const ElvXml* xml, ElvYaml* keys) {
    const ElvXml* axis = elv_xml_child(xml, "axis");
    double xyz[3] = {1.0, 0.0, 0.0};
    if (!elv_urdf_numbers(urdf, axis, "xyz", 3, xyz)) {
        return false;
    }
    if (axis) {
        elv_urdf_at_attribute(urdf, axis, "xyz");
    } else {
        elv_urdf_at(urdf, xml);
    }
    elv_urdf_put_numbers(urdf, keys, "axis", 3, xyz);
    return true;
}

static bool put_dynamics(ElvUrdf* urdf, const ElvXml* xml, ElvYaml* keys) {
    static const char* const names[] = {"damping", "friction"};
    const ElvXml* dynamics = elv_xml_child(xml, "dynamics");
    for (int i = 0; i < 2 && dynamics; i++) {
        double value = 0.0;
        if (!elv_urdf_numbers(urdf, dynamics, names[i], 1, &value)) {
            return false;
        }
        if (value != 0.0) {
            elv_urdf_at_attribute(urdf, dynamics, names[i]);
            elv_urdf_put_number(urdf, keys, names[i], value);
        }
    }
    return true;
}

// limits become stops where the option `stops` has some for the kind of joint
static bool put_limits(ElvUrdf* urdf, const ElvXml* xml, Type type, ElvYaml* keys) {
    static const char* const from[] = {"stiffness", "damping", "width"};
    static const char* const to[] = {"stop_stiffness", "stop_damping", "stop_width"};
    const ElvXml* limit = elv_xml_child(xml, "limit");
    double lower = 0.0;
    double upper = 0.0;
    if (!elv_urdf_numbers(urdf, limit, "lower", 1, &lower) ||
        !elv_urdf_numbers(urdf, limit, "upper", 1, &upper)) {
        return false;
    }
    bool has_range = limit && (type == REVOLUTE || type == PRISMATIC) &&
                     (elv_xml_attribute(limit, "lower") || elv_xml_attribute(limit, "upper"));
    if (!has_range) {
        return true;
    }
    const ElvYaml* stops = elv_yaml_get(elv_yaml_get(urdf->options, "stops"), model_types[type]);
    if (!stops) {
        elv_urdf_note(urdf, ELV_URDF_LIMITS, limit);
        return true;
    }
    elv_urdf_at(urdf, limit);
    elv_urdf_put_number(urdf, keys, "lower", lower);
    elv_urdf_put_number(urdf, keys, "upper", upper);
    for (int i = 0; i < 3; i++) {
        const ElvYaml* value = elv_yaml_get(stops, from[i]);
        if (value) {
            (void)elv_urdf_put_copy(urdf, keys, to[i], value);
        }
    }
    return true;
}

// keys that the model file gives to the joint replace those of the URDF
static bool put_given(ElvUrdf* urdf, const ElvUrdfJoint* joint, Type type, ElvYaml* keys) {
    const ElvYaml* given = elv_yaml_get(elv_yaml_get(urdf->options, "joints"), joint->name);
    if (!given) {
        return true;
    }
    if (given->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(urdf->reader, given, "a map with keys of the joint");
    }
    if (type == FIXED && given->n > 0) {
        return elv_read_fail(urdf->reader, given->key,
                             "joint '%.80s' is fixed: it has no keys to set", joint->name);
    }
    for (const ElvYaml* child = given->first; child; child = child->next) {
        ElvYaml* old = elv_yaml_get(keys, child->key->text);
        if (!old) {
            (void)elv_urdf_put_copy(urdf, keys, child->key->text, child);
            continue;
        }
        ElvYaml* next = old->next;
        int index = old->index;
        *old = *child;
        old->next = next;
        old->index = index;
        old->parent = keys;
    }
    return true;
}

// ---- mimic

static const ElvUrdfJoint* find_joint(const ElvUrdf* urdf, const char* name) {
    for (int i = 0; i < urdf->n_joint; i++) {
        if (strcmp(urdf->joint[i].name, name) == 0) {
            return &urdf->joint[i];
        }
    }
    return NULL;
}

static bool is_scalar(Type type) {
    return type == CONTINUOUS || type == REVOLUTE || type == PRISMATIC;
}

// the joint that is mimicked; NULL after a failure
static const ElvUrdfJoint*
find_mimicked(const ElvUrdf* urdf, const ElvUrdfJoint* joint, const ElvXml* mimic) {
    const ElvXmlAttribute* name = elv_xml_attribute(mimic, "joint");
    if (!name) {
        (void)elv_urdf_fail(urdf, mimic->line, mimic->column, "<mimic> needs joint=\"...\"");
        return NULL;
    }
    const ElvUrdfJoint* other = find_joint(urdf, name->value);
    if (!other) {
        (void)elv_urdf_fail(urdf, name->line, name->column, "there is no joint '%.80s' to mimic",
                            name->value);
        return NULL;
    }
    Type own = FIXED;
    Type type = FIXED;
    if (!read_type(urdf, joint->xml, &own) || !read_type(urdf, other->xml, &type)) {
        return NULL;
    }
    if (other == joint || !is_scalar(own) || !is_scalar(type)) {
        (void)elv_urdf_fail(
            urdf, name->line, name->column,
            "a continuous, revolute or prismatic joint mimics another one of these");
        return NULL;
    }
    return other;
}

// q = multiplier q_other + offset
static bool
put_mimic(ElvUrdf* urdf, const ElvUrdfJoint* joint, ElvYaml* keys, ElvYaml* constraints) {
    const ElvXml* mimic = elv_xml_child(joint->xml, "mimic");
    double multiplier = 1.0;
    double offset = 0.0;
    if (!mimic) {
        return true;
    }
    const ElvUrdfJoint* other = find_mimicked(urdf, joint, mimic);
    if (!other || !elv_urdf_numbers(urdf, mimic, "multiplier", 1, &multiplier) ||
        !elv_urdf_numbers(urdf, mimic, "offset", 1, &offset)) {
        return false;
    }
    const char* element = urdf->link[joint->child].element;
    char name[ELV_SIZE_NAME + 8];
    (void)snprintf(name, sizeof name, "%.*s_mimic", ELV_SIZE_NAME - 1, element);
    elv_urdf_at(urdf, mimic);
    ElvYaml* item = elv_urdf_put(urdf, constraints, NULL, ELV_YAML_MAP);
    elv_urdf_put_text(urdf, item, "coupling", name);
    ElvYaml* joints = elv_urdf_put(urdf, item, "joints", ELV_YAML_LIST);
    ElvYaml* own = elv_urdf_put(urdf, joints, NULL, ELV_YAML_MAP);
    elv_urdf_put_text(urdf, own, "joint", element);
    ElvYaml* led = elv_urdf_put(urdf, joints, NULL, ELV_YAML_MAP);
    elv_urdf_put_text(urdf, led, "joint", urdf->link[other->child].element);
    elv_urdf_put_number(urdf, led, "factor", -multiplier);
    elv_urdf_put_number(urdf, item, "equals", offset);
    // where it is while the other is at zero
    if (offset != 0.0) {
        elv_urdf_put_number(urdf, keys, "position", offset);
    }
    return true;
}

bool elv_urdf_joint(ElvUrdf* urdf, const ElvUrdfJoint* joint, ElvYaml* body, ElvYaml* constraints) {
    const ElvXml* xml = joint->xml;
    Type type = FIXED;
    if (!read_type(urdf, xml, &type) || !elv_urdf_put_origin(urdf, body, xml)) {
        return false;
    }
    elv_urdf_at(urdf, xml);
    ElvYaml* kind = elv_urdf_put(urdf, body, "joint", ELV_YAML_MAP);
    ElvYaml* keys = elv_urdf_put(urdf, kind, model_types[type], ELV_YAML_MAP);
    bool has_axis = type != FIXED && type != FLOATING;
    return (!has_axis || put_axis(urdf, xml, keys)) &&
           (type == FIXED || put_dynamics(urdf, xml, keys)) && put_limits(urdf, xml, type, keys) &&
           put_mimic(urdf, joint, keys, constraints) && put_given(urdf, joint, type, keys);
}
