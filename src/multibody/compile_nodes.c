// SPDX-License-Identifier: Apache-2.0
// Nodes and ports of a model: a body becomes a lumped node, a rod a soft node, preceded by a lumped
// one ("ROD.joint") if its root is not simply fixed ([P23] section VI.A).
#include "multibody/compile.h"

#include "joint/lumped.h"
#include "multibody/body_inertia.h"
#include "multibody/compile_fields.h"
#include "multibody/compile_fluid.h"
#include "multibody/compile_twin.h"
#include "rod/fluid.h"
#include "rod/rod.h"

#include <stdio.h>
#include <string.h>

ElvFrame elv_compile_frame(const ElvCompiler* c, const ElvResolved* resolved) {
    ElvFrame frame = {0, resolved->pose};
    if (resolved->i_element >= 0) {
        const ElvNode* node = &c->model->node[c->node_of[resolved->i_element]];
        frame.port = node->i_port;
        for (int i = 0; i < node->joint->n_port; i++) {
            const ElvPort* port = &c->model->port[node->i_port + i];
            if (node->info.is_rod && elv_same_station(port->station, resolved->station)) {
                frame.port = node->i_port + i;
            }
        }
    }
    return frame;
}

// append a node with its ports; returns its index, or -1 without memory
static int append_node(
    ElvCompiler* c, const ElvJoint* joint, const char* name, int parent_port, ElvPose offset) {
    ElvModel* model = c->model;
    ElvNode* grown = elv_pool_grow(&model->pool, model->node, model->n_node, sizeof *grown);
    if (!grown) {
        return -1;
    }
    model->node = grown;
    ElvNode* node = &model->node[model->n_node];
    memset(node, 0, sizeof *node);
    node->joint = joint;
    node->name = name;
    node->parent_port = parent_port;
    node->offset = offset;
    node->i_q = model->nq;
    node->i_v = model->nv;
    node->i_port = model->n_port;
    node->i_channel = model->n_channel;
    node->i_screw = model->n_screw;
    for (int i = 0; i < joint->n_port; i++) {
        ElvPort* port = elv_pool_grow(&model->pool, model->port, model->n_port, sizeof *port);
        if (!port) {
            return -1;
        }
        model->port = port;
        port[model->n_port++] = (ElvPort){.i_node = model->n_node};
    }
    model->nq += joint->n_q;
    model->nv += joint->n_v;
    model->n_channel += joint->n_channel;
    model->n_screw += (size_t)joint->n_port * (size_t)joint->n_v;
    node->info.name = name;
    node->info.i_q = node->i_q;
    node->info.n_q = joint->n_q;
    node->info.i_v = node->i_v;
    node->info.n_v = joint->n_v;
    return model->n_node++;
}

static ElvStatus
build_laws(ElvCompiler* c, const ElvJointDef* def, const char* element, const ElvLaw* law[6]) {
    const ElvLumpedType* type = elv_lumped_type(def->type);
    int n = def->drive == ELV_DRIVE_FORCE    ? type->n_v
            : def->drive == ELV_DRIVE_MOTION ? type->n_law_motion
                                             : 0;
    const char* field = def->drive == ELV_DRIVE_FORCE ? "joint.force" : "joint.motion";
    for (int i = 0; i < n; i++) {
        ElvStatus status = elv_law_set_add(&c->model->laws, &def->law[i], ELV_LAW_OF_T, element,
                                           field, &law[i], c->error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

// targets of the components that have a controller
static ElvStatus build_targets(ElvCompiler* c,
                               const ElvJointDef* def,
                               const char* element,
                               const ElvLaw* target[6]) {
    for (int k = 0; k < elv_lumped_type(def->type)->n_v; k++) {
        ElvStatus status = elv_law_set_add(&c->model->laws, &def->target[k], ELV_LAW_OF_T, element,
                                           "joint.target", &target[k], c->error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static ElvStatus add_lumped(ElvCompiler* c,
                            const ElvJointDef* def,
                            ElvPose body_pose,
                            const char* element,
                            const char* name,
                            ElvFrame parent,
                            const char* parent_name,
                            int* i_node) {
    const ElvLaw* law[6] = {0};
    const ElvLaw* target[6] = {0};
    ElvStatus status = build_laws(c, def, element, law);
    status = status == ELV_OK ? build_targets(c, def, element, target) : status;
    if (status != ELV_OK) {
        return status;
    }
    ElvLumped* lumped = elv_pool_take(&c->model->pool, 1, sizeof *lumped);
    if (!lumped) {
        return elv_compile_no_memory(c);
    }
    status = elv_lumped_init(lumped, def, body_pose, law, target, element, c->error);
    if (status != ELV_OK) {
        return status;
    }
    *i_node = append_node(c, &lumped->joint, name, parent.port, parent.pose);
    if (*i_node < 0) {
        return elv_compile_no_memory(c);
    }
    ElvNodeInfo* info = &c->model->node[*i_node].info;
    info->parent = parent_name;
    info->joint = def->type;
    info->drive = def->drive;
    for (int k = 0; k < lumped->joint.n_v; k++) {
        info->has_servo |= def->kp[k] != 0.0 || def->kd[k] != 0.0 || def->ki[k] != 0.0;
    }
    return ELV_OK;
}

static ElvStatus add_body(ElvCompiler* c, int i_element, ElvFrame parent) {
    const ElvBodyDef* def = &c->spec->element[i_element].body;
    ElvMassProperties mass;
    ElvStatus status = elv_body_inertia(def, &mass, c->error);
    if (status != ELV_OK) {
        return status;
    }
    const char* name = elv_pool_string(&c->model->pool, def->name);
    const char* parent_name = elv_pool_string(&c->model->pool, def->parent);
    if (!name || !parent_name) {
        return elv_compile_no_memory(c);
    }
    int i_node = -1;
    status =
        add_lumped(c, &def->joint, def->body_pose, def->name, name, parent, parent_name, &i_node);
    if (status != ELV_OK) {
        return status;
    }
    ElvNode* node = &c->model->node[i_node];
    ElvPort* port = &c->model->port[node->i_port];
    port->inertia = elv_inertia_rigid(mass.mass, mass.center, mass.inertia);
    port->mass = mass.mass;
    port->moment = elv_vec3_scale(mass.mass, mass.center);
    node->info.mass = mass.mass;
    node->shape = def->shape;
    c->node_of[i_element] = i_node;
    c->is_built[i_element] = true;
    return elv_compile_body_fluid(c, def, &mass, port);
}

static void describe_rod(const ElvRod* rod, const ElvRodDef* def, ElvNodeInfo* info) {
    info->is_rod = true;
    info->length = rod->length;
    info->n_segment = rod->n_segment;
    info->n_quadrature = rod->n_node;
    for (int i = 0; i < rod->n_node; i++) {
        info->mass += rod->weight[i] * rod->mass[i];
    }
    for (int i = 0; i < rod->n_element; i++) {
        for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
            info->modes[strain] += rod->element[i].basis[strain].n_mode;
        }
    }
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        info->is_imposed = info->is_imposed || def->has_motion[strain];
        info->motion_error[strain] = rod->motion[strain] ? rod->motion_error[strain] : -1.0;
    }
}

// the lumped joint between the parent and the rod's root, if there is one
static ElvStatus
add_root_joint(ElvCompiler* c, const ElvRodDef* def, ElvFrame* parent, const char** parent_name) {
    if (def->joint.type == ELV_JOINT_FIXED) {
        return ELV_OK;
    }
    size_t size = strlen(def->name) + sizeof ".joint";
    char* name = elv_pool_take(&c->model->pool, size, 1);
    if (!name) {
        return elv_compile_no_memory(c);
    }
    snprintf(name, size, "%s.joint", def->name);
    int i_node = -1;
    ElvStatus status = add_lumped(c, &def->joint, elv_pose_identity(), def->name, name, *parent,
                                  *parent_name, &i_node);
    if (status == ELV_OK) {
        parent->port = c->model->node[i_node].i_port;
        parent->pose = elv_pose_identity();
        *parent_name = name;
    }
    return status;
}

// whether a port is the tip of a slender rod
static bool is_slender_tip(const ElvModel* model, int i_port) {
    int i_node = model->port[i_port].i_node;
    const ElvNode* node = i_node >= 0 ? &model->node[i_node] : NULL;
    return node && node->info.is_rod && ((const ElvRod*)node->joint)->is_slender &&
           i_port == node->i_port + node->joint->n_port - 1;
}

static ElvStatus add_rod(ElvCompiler* c, int i_element, ElvFrame parent) {
    ElvPool* pool = &c->model->pool;
    ElvRodDef def = c->spec->element[i_element].rod;
    const char* parent_name = elv_pool_string(pool, def.parent);
    def.name = elv_pool_string(pool, def.name);
    ElvRod* rod = elv_pool_take(pool, 1, sizeof *rod);
    if (!parent_name || !def.name || !rod) {
        return elv_compile_no_memory(c);
    }
    bool is_behind = is_slender_tip(c->model, parent.port);
    ElvStatus status = add_root_joint(c, &def, &parent, &parent_name);
    ElvRodFields fields;
    if (status == ELV_OK) {
        status = elv_compile_fields(c, def.name, &fields);
    }
    const ElvRod* twin = status == ELV_OK ? elv_compile_twin(c, i_element, &fields) : NULL;
    if (twin) {
        *rod = *twin;
        rod->name = def.name;
    } else if (status == ELV_OK) {
        status = elv_rod_build(rod, &def, c->station[i_element], c->n_station[i_element], &fields,
                               &c->model->laws, c->error);
    }
    if (status != ELV_OK) {
        return status;
    }
    int i_node = append_node(c, &rod->joint, def.name, parent.port, parent.pose);
    if (i_node < 0) {
        return elv_compile_no_memory(c);
    }
    ElvNode* node = &c->model->node[i_node];
    node->info.parent = parent_name;
    node->follows_slender = is_behind && rod->is_slender;
    describe_rod(rod, &def, &node->info);
    c->model->is_resisted |= elv_rod_is_resisted(rod);
    for (int i = 0; i < rod->joint.n_port; i++) {
        c->model->port[node->i_port + i].station = rod->station[i];
    }
    c->node_of[i_element] = i_node;
    c->is_built[i_element] = true;
    return ELV_OK;
}

ElvStatus elv_compile_nodes(ElvCompiler* c) {
    ElvModel* model = c->model;
    model->port = elv_pool_grow(&model->pool, NULL, 0, sizeof *model->port);
    if (!model->port) {
        return elv_compile_no_memory(c);
    }
    model->port[0].i_node = -1;
    model->n_port = 1;
    for (int i = 0; i < c->spec->n_element; i++) {
        int i_element = c->order[i];
        const ElvElement* element = &c->spec->element[i_element];
        const char* name = elv_element_name(element);
        const char* reference = element->is_rod ? element->rod.parent : element->body.parent;
        ElvPose pose = element->is_rod ? element->rod.pose : element->body.pose;
        ElvResolved resolved;
        ElvStatus status = elv_compile_resolve(c, reference, name, "parent", &resolved);
        if (status != ELV_OK) {
            return status;
        }
        ElvFrame parent = elv_compile_frame(c, &resolved);
        parent.pose = elv_pose_compose(parent.pose, pose);
        status = element->is_rod ? add_rod(c, i_element, parent) : add_body(c, i_element, parent);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}
