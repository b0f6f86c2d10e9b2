// SPDX-License-Identifier: Apache-2.0
// Links and joints of a URDF, and the tree that they make: every joint ties two links that are
// there, every link but one is carried by one joint, and no joints run in a circle.
#include "io/urdf.h"

#include <stdio.h>
#include <string.h>

// ---- names

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_character(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

// what the model calls a link: names there have no points, slashes or spaces
static const char* element_name(ElvUrdf* urdf, const ElvXml* xml, const char* name) {
    bool is_same = urdf->prefix[0] != '\0' || is_letter(name[0]);
    size_t size = strlen(urdf->prefix) + strlen(name) + 2;
    char* text = elv_pool_take(&urdf->reader->pool, size, 1);
    if (!text) {
        (void)elv_read_fail_memory(urdf->reader);
        return NULL;
    }
    (void)snprintf(text, size, "%s%s%s", urdf->prefix, is_same ? "" : "_", name);
    for (char* c = text + strlen(urdf->prefix); *c != '\0'; c++) {
        is_same = is_same && is_name_character(*c);
        *c = is_name_character(*c) ? *c : '_';
    }
    if (!is_same) {
        elv_urdf_note(urdf, ELV_URDF_NAMES, xml);
    }
    return text;
}

static const char* read_name(const ElvUrdf* urdf, const ElvXml* xml) {
    const ElvXmlAttribute* name = elv_xml_attribute(xml, "name");
    if (!name || name->value[0] == '\0') {
        (void)elv_urdf_fail(urdf, xml->line, xml->column, "<%s> needs name=\"...\"", xml->name);
        return NULL;
    }
    return name->value;
}

// ---- links

static int find_link(const ElvUrdf* urdf, const char* name) {
    for (int i = 0; i < urdf->n_link; i++) {
        if (strcmp(urdf->link[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool add_link(ElvUrdf* urdf, const ElvXml* xml) {
    const char* name = read_name(urdf, xml);
    if (!name) {
        return false;
    }
    int other = find_link(urdf, name);
    if (other >= 0) {
        return elv_urdf_fail(urdf, xml->line, xml->column,
                             "there are two links '%.80s' (the first on line %d): names of links "
                             "are unique",
                             name, urdf->link[other].xml->line);
    }
    if (urdf->n_link == ELV_URDF_MAX_LINKS) {
        return elv_urdf_fail(urdf, xml->line, xml->column,
                             "the robot has too many links (limit %d)", ELV_URDF_MAX_LINKS);
    }
    ElvUrdfLink* link = &urdf->link[urdf->n_link];
    *link = (ElvUrdfLink){.xml = xml, .name = name, .joint = -1, .first = -1, .last = -1};
    link->element = element_name(urdf, xml, name);
    urdf->n_link++;
    return link->element != NULL;
}

// ---- joints

static bool read_end(const ElvUrdf* urdf, const ElvXml* xml, const char* end, int* i_link) {
    const ElvXml* element = elv_xml_child(xml, end);
    const ElvXmlAttribute* name = element ? elv_xml_attribute(element, "link") : NULL;
    if (!name) {
        const ElvXml* at = element ? element : xml;
        return elv_urdf_fail(urdf, at->line, at->column, "a joint needs <%s link=\"...\"/>", end);
    }
    *i_link = find_link(urdf, name->value);
    if (*i_link >= 0) {
        return true;
    }
    const char* pair[2] = {NULL, NULL};
    for (int i = 0; i < urdf->n_link; i++) {
        pair[1] = urdf->link[i].name;
        pair[0] = elv_suggest(name->value, pair, 2);
    }
    if (pair[0]) {
        return elv_urdf_fail(urdf, name->line, name->column,
                             "there is no link '%.80s', did you mean '%.80s'?", name->value,
                             pair[0]);
    }
    return elv_urdf_fail(urdf, name->line, name->column,
                         "there is no link '%.80s': add <link name=\"...\"/>", name->value);
}

static bool add_joint(ElvUrdf* urdf, const ElvXml* xml) {
    const char* name = read_name(urdf, xml);
    if (!name) {
        return false;
    }
    urdf->reader->element = name;
    for (int i = 0; i < urdf->n_joint; i++) {
        if (strcmp(urdf->joint[i].name, name) == 0) {
            return elv_urdf_fail(urdf, xml->line, xml->column,
                                 "there are two joints '%.80s' (the first on line %d): names of "
                                 "joints are unique",
                                 name, urdf->joint[i].xml->line);
        }
    }
    ElvUrdfJoint joint = {.xml = xml, .name = name, .next = -1};
    if (!read_end(urdf, xml, "parent", &joint.parent) ||
        !read_end(urdf, xml, "child", &joint.child)) {
        return false;
    }
    ElvUrdfLink* child = &urdf->link[joint.child];
    if (child->joint >= 0) {
        return elv_urdf_fail(urdf, xml->line, xml->column,
                             "link '%.80s' has two parents, by this joint and by '%.80s': a URDF "
                             "is a tree; close loops in a model file ('loops')",
                             child->name, urdf->joint[child->joint].name);
    }

    // chain it to those of its parent; each has its own child, so that there is room
    int i_joint = urdf->n_joint++;
    urdf->joint[i_joint] = joint;
    child->joint = i_joint;
    ElvUrdfLink* parent = &urdf->link[joint.parent];
    if (parent->last >= 0) {
        urdf->joint[parent->last].next = i_joint;
    } else {
        parent->first = i_joint;
    }
    parent->last = i_joint;
    return true;
}

// ---- the tree

static bool find_root(ElvUrdf* urdf) {
    urdf->root = -1;
    for (int i = 0; i < urdf->n_link; i++) {
        const ElvUrdfLink* link = &urdf->link[i];
        if (link->joint < 0 && urdf->root >= 0) {
            return elv_urdf_fail(urdf, link->xml->line, link->xml->column,
                                 "link '%.80s' is carried by no joint, and neither is '%.80s': a "
                                 "robot has one root; tie them by a joint (fixed, floating)",
                                 link->name, urdf->link[urdf->root].name);
        }
        if (link->joint < 0) {
            urdf->root = i;
        }
    }
    const ElvXml* xml = urdf->link[0].xml;
    return urdf->root >= 0 ||
           elv_urdf_fail(urdf, xml->line, xml->column,
                         "every link is carried by a joint: joints run in a circle, and there is "
                         "no root; a URDF is a tree");
}

// links from which steps towards the root do not end there
static bool check_circles(const ElvUrdf* urdf) {
    for (int i = 0; i < urdf->n_link; i++) {
        int at = i;
        for (int n = 0; n <= urdf->n_link && urdf->link[at].joint >= 0; n++) {
            at = urdf->joint[urdf->link[at].joint].parent;
        }
        if (urdf->link[at].joint >= 0) {
            const ElvXml* xml = urdf->joint[urdf->link[i].joint].xml;
            return elv_urdf_fail(urdf, xml->line, xml->column,
                                 "the joints that carry link '%.80s' run in a circle and never "
                                 "reach the root '%.80s'; a URDF is a tree",
                                 urdf->link[i].name, urdf->link[urdf->root].name);
        }
    }
    return true;
}

// what is neither a link nor a joint is for others, unless it is one misspelt
static bool check_tag(const ElvUrdf* urdf, const ElvXml* xml) {
    static const char* const words[] = {"link", "joint"};
    if (strncmp(xml->name, "xacro:", 6) == 0) {
        return elv_urdf_fail(urdf, xml->line, xml->column,
                             "this is xacro: make URDF of it first (xacro FILE > robot.urdf)");
    }
    const char* nearest = elv_suggest(xml->name, words, 2);
    return !nearest || strcmp(nearest, xml->name) == 0 ||
           elv_urdf_fail(urdf, xml->line, xml->column,
                         "unknown element <%.40s>, did you mean <%s>?", xml->name, nearest);
}

bool elv_urdf_collect(ElvUrdf* urdf) {
    int n = 0;
    for (const ElvXml* xml = urdf->robot->first; xml; xml = xml->next) {
        if (!check_tag(urdf, xml)) {
            return false;
        }
        n += strcmp(xml->name, "link") == 0 && n < ELV_URDF_MAX_LINKS;
    }
    urdf->link = elv_pool_take(&urdf->reader->pool, (size_t)n, sizeof *urdf->link);
    urdf->joint = elv_pool_take(&urdf->reader->pool, (size_t)n, sizeof *urdf->joint);
    if (!urdf->link || !urdf->joint) {
        return elv_read_fail_memory(urdf->reader);
    }
    bool is_good = true;
    const ElvXml* xml = elv_xml_child(urdf->robot, "link");
    for (; xml && is_good; xml = elv_xml_next(xml, "link")) {
        is_good = add_link(urdf, xml);
    }
    if (is_good && urdf->n_link == 0) {
        return elv_urdf_fail(urdf, urdf->robot->line, urdf->robot->column,
                             "the robot has no links: add <link name=\"...\"/>");
    }
    xml = elv_xml_child(urdf->robot, "joint");
    for (; xml && is_good; xml = elv_xml_next(xml, "joint")) {
        is_good = add_joint(urdf, xml);
    }
    // messages of the whole name no joint; those of one do
    if (is_good) {
        urdf->reader->element = "";
    }
    return is_good && find_root(urdf) && check_circles(urdf);
}
