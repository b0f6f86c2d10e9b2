// SPDX-License-Identifier: Apache-2.0
// Robots in URDF as items of a model file. A robot becomes nodes of the model's tree, as if it had
// been written there, each with its place in the URDF: what comes after (overrides, readers, checks)
// knows nothing of URDF and still names its lines.
#ifndef ELVER_IO_URDF_H
#define ELVER_IO_URDF_H

#include "io/read_context.h"
#include "io/xml_tree.h"

/// Whether a text is URDF: by the ending of its name, or since it begins as XML does.
bool elv_urdf_is(const ElvXmlSource* source);

/// The root of a model that consists of a robot alone: {elver, gravity, urdf: {}}.
bool elv_urdf_wrap(ElvReader* reader, const ElvXmlSource* source, ElvYaml** root);

/// Whether an override is for the import itself, and must be put in before elv_urdf_expand.
bool elv_urdf_is_option(const char* key);

/// `urdf: FILE` as `urdf: {file: FILE}`, so that overrides find a map.
bool elv_urdf_open(ElvReader* reader, ElvYaml* root);

/// Put the robots that `urdf` names before the items of `tree`, their mimic joints before those of
/// `constraints`. source: text of a model that is a robot itself, NULL for model files.
bool elv_urdf_expand(ElvReader* reader, ElvYaml* root, const ElvXmlSource* source);

// ---- within the import

typedef struct {
    const ElvXml* xml;
    const char* name;    // in the URDF
    const char* element; // in the model
    int joint;           // that carries it, -1: none
    int first, last;     // joints that it carries, chained by `next`, -1: none
} ElvUrdfLink;

typedef struct {
    const ElvXml* xml;
    const char* name;
    int parent, child; // links
    int next;
} ElvUrdfJoint;

/// What people should know of, each with the number of times and the first place.
typedef enum {
    ELV_URDF_MESHES,
    ELV_URDF_SHAPES,
    ELV_URDF_NAMES,
    ELV_URDF_LIMITS,
    ELV_URDF_INERTIAS,
    ELV_N_URDF_NOTE
} ElvUrdfNote;

enum { ELV_URDF_MAX_LINKS = 4096 };

typedef struct {
    ElvReader* reader;
    const char* file;
    const ElvXml* robot;
    const ElvYaml* options; // map
    const char* prefix;     // of names in the model
    ElvUrdfLink* link;      // (n_link)
    ElvUrdfJoint* joint;    // (n_joint)
    int n_link, n_joint;
    int root;
    bool is_root_world; // the root is the world itself
    int n_note[ELV_N_URDF_NOTE];
    const ElvXml* noted[ELV_N_URDF_NOTE];
    // nodes in the making
    int line, column; // of the next ones
    bool is_full;     // no memory was left for one
    ElvYaml spare;    // stands in for it
} ElvUrdf;

/// Fail at a place of the URDF; returns false.
bool elv_urdf_fail(const ElvUrdf* urdf, int line, int column, const char* format, ...)
    ELV_PRINTF(4, 5);

void elv_urdf_note(ElvUrdf* urdf, ElvUrdfNote kind, const ElvXml* at);

/// n numbers of an attribute; a missing one (or element == NULL) leaves value as it is, unless it is
/// required.
bool elv_urdf_numbers(
    const ElvUrdf* urdf, const ElvXml* element, const char* name, int n, double* value);
bool elv_urdf_required(
    const ElvUrdf* urdf, const ElvXml* element, const char* name, int n, double* value);

/// Nodes under a key of a map, or in a list (key NULL), at the place of the XML element.
void elv_urdf_at(ElvUrdf* urdf, const ElvXml* element);
void elv_urdf_at_attribute(ElvUrdf* urdf, const ElvXml* element, const char* name);
ElvYaml* elv_urdf_put(ElvUrdf* urdf, ElvYaml* parent, const char* key, ElvYamlKind kind);
void elv_urdf_put_text(ElvUrdf* urdf, ElvYaml* parent, const char* key, const char* text);
void elv_urdf_put_number(ElvUrdf* urdf, ElvYaml* parent, const char* key, double value);
void elv_urdf_put_numbers(
    ElvUrdf* urdf, ElvYaml* parent, const char* key, int n, const double* value);

/// A copy of a node that is there, under a key of its own; it keeps its place.
ElvYaml* elv_urdf_put_copy(ElvUrdf* urdf, ElvYaml* parent, const char* key, const ElvYaml* node);

/// The pose of an <origin>, if the element has one.
bool elv_urdf_put_origin(ElvUrdf* urdf, ElvYaml* parent, const ElvXml* element);

/// Name of a model that is a robot, and its coordinates as signals to record.
void elv_urdf_put_model(ElvUrdf* urdf);

/// Links and joints of urdf->robot, checked to be a tree.
bool elv_urdf_collect(ElvUrdf* urdf);

/// Mass, centre, inertia and shape of a link, into the map of its body.
bool elv_urdf_link(ElvUrdf* urdf, const ElvUrdfLink* link, ElvYaml* body);

/// The joint of a link, into the map of its body; what it mimics, into constraints.
bool elv_urdf_joint(ElvUrdf* urdf, const ElvUrdfJoint* joint, ElvYaml* body, ElvYaml* constraints);

#endif
