// SPDX-License-Identifier: Apache-2.0
// The key `urdf` of model files: which robots a model has, how they stand in it, and what of a
// joint the model adds. Robots are put before the items of the tree, in the order in which they are
// named, each from its root outwards with branches in the order of its file.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "io/file_text.h"
#include "io/urdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Lists in the making: robots of one model share them.
typedef struct {
    ElvYaml tree, constraints;
} Items;

// ---- files

// beside the model file, unless it is given on the command line
static const char* resolve(ElvReader* reader, const ElvYaml* node) {
    const char* model = reader->root->file ? reader->root->file : "";
    const char* slash = strrchr(model, '/');
    bool is_beside = slash && node->text[0] != '/' && node->file && strcmp(node->file, model) == 0;
    size_t n_folder = is_beside ? (size_t)(slash - model) + 1 : 0;
    size_t n = strlen(node->text);
    char* path = elv_pool_take(&reader->pool, n_folder + n + 1, 1);
    if (path) {
        memcpy(path, model, n_folder);
        memcpy(path + n_folder, node->text, n);
    } else {
        (void)elv_read_fail_memory(reader);
    }
    return path;
}

static bool parse(ElvUrdf* urdf, const ElvXmlSource* source) {
    ElvXml* robot = NULL;
    ElvXmlSource body = *source;
    if (body.size >= 3 && memcmp(body.text, "\xEF\xBB\xBF", 3) == 0) {
        body.text += 3;
        body.size -= 3;
    }
    urdf->file = source->file;
    if (elv_xml_parse(&body, &urdf->reader->pool, &robot, urdf->reader->error) != ELV_OK) {
        return false;
    }
    urdf->robot = robot;
    return strcmp(robot->name, "robot") == 0 ||
           elv_urdf_fail(urdf, robot->line, robot->column,
                         "a URDF is one <robot>, found <%.40s>; SDF and MJCF are not read",
                         robot->name);
}

// pipes and devices could keep the reader waiting
static bool is_file(const char* path) {
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static bool parse_file(ElvUrdf* urdf) {
    ElvReader* reader = urdf->reader;
    const ElvYaml* file = elv_read_required(reader, urdf->options, "file", "of the robot");
    const char* name = NULL;
    if (!file || !elv_read_text(reader, file, &name)) {
        return false;
    }
    ElvXmlSource source = {.file = resolve(reader, file)};
    if (!source.file) {
        return false;
    }
    if (!is_file(source.file)) {
        return elv_read_fail(reader, file, "cannot read '%.200s': it is not a file", source.file);
    }
    char* text = NULL;
    ElvError failure;
    elv_error_clear(&failure);
    ElvStatus status = elv_file_text(source.file, ELV_XML_MAX_BYTES, &text, &source.size, &failure);
    if (status != ELV_OK) {
        return status == ELV_ERROR_MEMORY ? elv_read_fail_memory(reader)
                                          : elv_read_fail(reader, file, "%s", failure.message);
    }
    source.text = text;
    bool is_parsed = parse(urdf, &source);
    free(text);
    return is_parsed;
}

// ---- options

static bool check_stops(ElvReader* reader, const ElvYaml* stops) {
    static const char* const kinds[] = {"revolute", "prismatic"};
    static const char* const keys[] = {"stiffness", "damping", "width"};
    if (!stops) {
        return true;
    }
    if (!elv_read_keys(reader, stops, "stops {revolute: {...}, prismatic: {...}}", kinds, 2)) {
        return false;
    }
    for (const ElvYaml* child = stops->first; child; child = child->next) {
        if (!elv_read_keys(reader, child, "stops {stiffness: ..., damping: ..., width: ...}", keys,
                           3)) {
            return false;
        }
    }
    return true;
}

static bool check_joints(const ElvUrdf* urdf, const ElvYaml* joints) {
    if (joints && joints->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(urdf->reader, joints, "a map {JOINT: {...}, ...}");
    }
    for (const ElvYaml* child = joints ? joints->first : NULL; child; child = child->next) {
        const char* name = child->key->text;
        const char* pair[2] = {NULL, NULL};
        bool is_known = false;
        for (int i = 0; i < urdf->n_joint && !is_known; i++) {
            is_known = strcmp(urdf->joint[i].name, name) == 0;
            pair[1] = urdf->joint[i].name;
            pair[0] = elv_suggest(name, pair, 2);
        }
        if (!is_known) {
            return elv_read_fail(
                urdf->reader, child->key, "the robot has no joint '%.80s'%s%.80s%s", name,
                pair[0] ? ", did you mean '" : "", pair[0] ? pair[0] : "", pair[0] ? "'?" : "");
        }
    }
    return true;
}

static bool read_options(ElvUrdf* urdf, const ElvXmlSource* source) {
    static const char* const keys[] = {"file",   "base",   "parent", "pose",
                                       "prefix", "joints", "stops"};
    // a robot that is the model itself has no file but its own
    size_t skip = source ? 1 : 0;
    ElvReader* reader = urdf->reader;
    reader->element = "urdf";
    bool is_read = elv_read_keys(reader, urdf->options, "a file, or a robot {file: ..., base: ...}",
                                 keys + skip, sizeof keys / sizeof keys[0] - skip) &&
                   elv_read_text_at(reader, urdf->options, "prefix", &urdf->prefix) &&
                   check_stops(reader, elv_yaml_get(urdf->options, "stops")) &&
                   (source ? parse(urdf, source) : parse_file(urdf));
    reader->element = "";
    return is_read;
}

// ---- links and joints

// a root that is called world and weighs nothing is the world, if the robot stands there
static bool find_world(ElvUrdf* urdf) {
    const ElvUrdfLink* root = &urdf->link[urdf->root];
    const ElvYaml* base = elv_yaml_get(urdf->options, "base");
    if (strcmp(root->element, "world") != 0) {
        return true;
    }
    urdf->is_root_world =
        (!base || elv_yaml_is(base, "fixed")) && !elv_yaml_get(urdf->options, "parent") &&
        !elv_yaml_get(urdf->options, "pose") && !elv_xml_child(root->xml, "inertial");
    return urdf->is_root_world ||
           elv_urdf_fail(urdf, root->xml->line, root->xml->column,
                         "the root link is called 'world', as the fixed frame of a model is: give "
                         "its links a prefix ('prefix: NAME_' under 'urdf')");
}

static void put_root(ElvUrdf* urdf, ElvYaml* body) {
    static const char* const from[] = {"parent", "pose", "base"};
    static const char* const to[] = {"parent", "pose", "joint"};
    for (int i = 0; i < 3; i++) {
        const ElvYaml* given = elv_yaml_get(urdf->options, from[i]);
        if (given) {
            (void)elv_urdf_put_copy(urdf, body, to[i], given);
        }
    }
}

static bool put_body(ElvUrdf* urdf, int i_link, Items* items) {
    const ElvUrdfLink* link = &urdf->link[i_link];
    if (i_link == urdf->root && urdf->is_root_world) {
        return true;
    }
    elv_urdf_at(urdf, link->xml);
    ElvYaml* body = elv_urdf_put(urdf, &items->tree, NULL, ELV_YAML_MAP);
    elv_urdf_put_text(urdf, body, "body", link->element);
    bool is_put = true;
    if (link->joint < 0) {
        put_root(urdf, body);
    } else {
        const ElvUrdfJoint* joint = &urdf->joint[link->joint];
        elv_urdf_at(urdf, joint->xml);
        elv_urdf_put_text(urdf, body, "parent", urdf->link[joint->parent].element);
        urdf->reader->element = joint->name;
        is_put = elv_urdf_joint(urdf, joint, body, &items->constraints);
    }
    urdf->reader->element = link->name;
    is_put = is_put && elv_urdf_link(urdf, link, body);
    urdf->reader->element = "";
    return is_put;
}

// next link, parents before children, branches in the order of the file; -1 after the last
static int next_link(const ElvUrdf* urdf, int i_link) {
    if (urdf->link[i_link].first >= 0) {
        return urdf->joint[urdf->link[i_link].first].child;
    }
    for (int joint = urdf->link[i_link].joint; joint >= 0;) {
        if (urdf->joint[joint].next >= 0) {
            return urdf->joint[urdf->joint[joint].next].child;
        }
        joint = urdf->link[urdf->joint[joint].parent].joint;
    }
    return -1;
}

// ---- notes

static bool tell(ElvUrdf* urdf) {
    static const char* const text[ELV_N_URDF_NOTE] = {
        [ELV_URDF_MESHES] = "meshes are not read, they are for display alone",
        [ELV_URDF_SHAPES] = "a link is shown by its first box, sphere, cylinder or capsule, others "
                            "are left out",
        [ELV_URDF_NAMES] = "what is no letter, digit, '_' or '-' in names of links became '_'",
        [ELV_URDF_LIMITS] = "limits of joints do not act; 'stops' under 'urdf' makes stops of them",
        [ELV_URDF_INERTIAS] = "an inertia that no distribution of mass has is taken as it is: a "
                              "principal moment exceeds the sum of the other two",
    };
    ElvReader* reader = urdf->reader;
    for (int i = 0; i < ELV_N_URDF_NOTE; i++) {
        if (urdf->n_note[i] == 0) {
            continue;
        }
        char times[32] = "";
        if (urdf->n_note[i] > 1) {
            (void)snprintf(times, sizeof times, " (%d times)", urdf->n_note[i]);
        }
        char note[ELV_SIZE_MESSAGE];
        (void)snprintf(note, sizeof note, "%.200s:%d:%d: %s%s", urdf->file, urdf->noted[i]->line,
                       urdf->noted[i]->column, text[i], times);
        const char** list =
            elv_pool_grow(&reader->pool, reader->note, reader->n_note, sizeof *list);
        const char* copy = elv_pool_string(&reader->pool, note);
        if (!list || !copy) {
            return elv_read_fail_memory(reader);
        }
        reader->note = list;
        list[reader->n_note++] = copy;
    }
    return true;
}

// ---- robots

// what joints are called by in the model
static bool name_joints(const ElvUrdf* urdf) {
    ElvReader* reader = urdf->reader;
    size_t n_prefix = strlen(urdf->prefix);
    for (int i = 0; i < urdf->n_joint; i++) {
        const ElvUrdfJoint* joint = &urdf->joint[i];
        size_t n = strlen(joint->name);
        ElvReadAlias* list =
            elv_pool_grow(&reader->pool, reader->alias, reader->n_alias, sizeof *list);
        char* name = elv_pool_take(&reader->pool, n_prefix + n + 1, 1);
        if (!list || !name) {
            return elv_read_fail_memory(reader);
        }
        memcpy(name, urdf->prefix, n_prefix);
        memcpy(name + n_prefix, joint->name, n);
        reader->alias = list;
        list[reader->n_alias++] = (ElvReadAlias){name, urdf->link[joint->child].element};
    }
    return true;
}

static bool
import(ElvReader* reader, const ElvYaml* options, const ElvXmlSource* source, Items* items) {
    ElvUrdf urdf = {.reader = reader, .options = options, .prefix = ""};
    if (!read_options(&urdf, source) || !elv_urdf_collect(&urdf) || !find_world(&urdf)) {
        return false;
    }
    reader->element = "urdf";
    if (!check_joints(&urdf, elv_yaml_get(options, "joints"))) {
        return false;
    }
    reader->element = "";
    for (int i = urdf.root; i >= 0; i = next_link(&urdf, i)) {
        if (!put_body(&urdf, i, items)) {
            return false;
        }
    }
    if (source) {
        elv_urdf_put_model(&urdf);
    }
    return urdf.is_full ? elv_read_fail_memory(reader) : name_joints(&urdf) && tell(&urdf);
}

// items before those that the list of the model has
static bool prepend(ElvReader* reader, ElvYaml* root, const char* key, ElvYaml* items) {
    ElvYaml* list = elv_yaml_get(root, key);
    const ElvYaml* place = elv_yaml_get(root, "urdf");
    bool is_empty = list && list->kind == ELV_YAML_SCALAR && list->text[0] == '\0';
    if (items->n == 0 || (list && list->kind != ELV_YAML_LIST && !is_empty)) {
        return true;
    }
    if (!list) {
        list = elv_pool_take(&reader->pool, 1, sizeof *list);
        ElvYaml* name = elv_pool_take(&reader->pool, 1, sizeof *name);
        if (!list || !name) {
            return elv_read_fail_memory(reader);
        }
        name->text = key;
        name->file = list->file = place->file;
        name->line = list->line = place->line;
        name->column = list->column = place->column;
        elv_yaml_append(root, name, list);
    }
    for (ElvYaml* child = list->first; child;) {
        ElvYaml* next = child->next;
        elv_yaml_append(items, NULL, child);
        child = next;
    }
    list->kind = ELV_YAML_LIST;
    list->first = items->first;
    list->last = items->last;
    list->n = items->n;
    for (ElvYaml* child = list->first; child; child = child->next) {
        child->parent = list;
    }
    return true;
}

bool elv_urdf_expand(ElvReader* reader, ElvYaml* root, const ElvXmlSource* source) {
    Items items = {.tree = {.kind = ELV_YAML_LIST}, .constraints = {.kind = ELV_YAML_LIST}};
    const ElvYaml* robots = elv_yaml_get(root, "urdf");
    if (!robots) {
        return true;
    }
    // overrides may have brought new ones
    if (!elv_urdf_open(reader, root)) {
        return false;
    }
    const ElvYaml* robot = robots->kind == ELV_YAML_LIST ? robots->first : robots;
    for (; robot; robot = robots->kind == ELV_YAML_LIST ? robot->next : NULL) {
        if (!import(reader, robot, source, &items)) {
            return false;
        }
    }
    return prepend(reader, root, "tree", &items.tree) &&
           prepend(reader, root, "constraints", &items.constraints);
}
