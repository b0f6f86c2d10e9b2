// SPDX-License-Identifier: Apache-2.0
// Taking a chain from a model: walk the nodes in their order, keep the one that moves for the root, the rods for
// themselves, and make all that is fixed to the root frame or to a section one rigid body with it.
#include "strong/chain.h"

#include "multibody/device.h"
#include "multibody/muscle.h"
#include "multibody/tendon.h"
#include "rod/rod_active.h"

#include <string.h>

/// What the walk knows.
typedef struct {
    const ElvModel* model;
    ElvChain* chain;
    ElvError* error;
    ElvChainPort* port; // of each port of the model so far
    ElvChainRod* rod;   // (n_node)
    int n_rod;
    const ElvLaw** input; // of each channel of the model       (n_channel)
    bool* is_known;       // the channel has an input or needs none
} Walk;

static ElvStatus no_memory(Walk* w) {
    return elv_error_set(w->error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

static ElvStatus refuse(Walk* w, const char* element, const char* what) {
    return elv_error_set(w->error, ELV_ERROR_INPUT, element, "",
                         "'%s' %s: the strong form knows rods in series; use a method with modes",
                         element, what);
}

// ---- devices

static ElvStatus refuse_tendon(Walk* w, const ElvTendon* tendon, const char* what) {
    return elv_error_set(w->error, ELV_ERROR_INPUT, tendon->device.name, "",
                         "'%s' is a tendon %s: the strong form takes tendons whose tension is "
                         "given, along the rods; use one, or a method with modes",
                         tendon->device.name, what);
}

static ElvStatus read_tendon(Walk* w, const ElvTendon* tendon) {
    if (tendon->pull != ELV_PULL_TENSION) {
        return refuse_tendon(w, tendon, "of given length");
    }
    if (tendon->n_strand > 0) {
        return refuse_tendon(w, tendon, "with straight strands beside the rods");
    }
    if (tendon->device.n_z > 0) {
        return refuse_tendon(w, tendon, "whose tension follows from others");
    }
    for (int i = 0; i < tendon->n_stretch; i++) {
        w->input[tendon->stretch[i].i_channel] = tendon->law;
        w->is_known[tendon->stretch[i].i_channel] = true;
    }
    return ELV_OK;
}

static ElvStatus read_device(Walk* w, const ElvDevice* device) {
    if (device->ops == &ELV_TENDON_OPS || device->ops == &ELV_TENDON_EXPLICIT_OPS) {
        return read_tendon(w, (const ElvTendon*)device);
    }
    if (device->ops == &ELV_CHAMBER_OPS) {
        const ElvChamber* chamber = (const ElvChamber*)device;
        w->input[chamber->i_channel] = chamber->pressure;
        w->is_known[chamber->i_channel] = true;
        return ELV_OK;
    }
    if (device->ops == &ELV_MUSCLE_OPS) {
        w->is_known[((const ElvMuscle*)device)->i_channel] = true;
        return ELV_OK;
    }
    return elv_error_set(
        w->error, ELV_ERROR_INPUT, device->name, "",
        "%s '%s' is not known to the strong form, which takes loads, tendons under "
        "tension, chambers, muscles with a law, stresses and strain controllers; "
        "use a method with modes",
        device->ops->kind, device->name);
}

static ElvStatus read_devices(Walk* w) {
    for (int i = 0; i < w->model->n_device; i++) {
        ElvStatus status = read_device(w, w->model->device[i]);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

// ---- nodes

// where a node hangs: the place of its parent port, with its own offset
static ElvChainPort place_of(const Walk* w, const ElvNode* node) {
    ElvChainPort place = w->port[node->parent_port];
    place.pose = elv_pose_compose(place.pose, node->offset);
    return place;
}

// a lumped node: fixed to what carries it, or the joint of the root
static ElvStatus read_lumped(Walk* w, int i_node) {
    const ElvNode* node = &w->model->node[i_node];
    const ElvLumped* lumped = (const ElvLumped*)node->joint;
    ElvChainPort place = place_of(w, node);
    if (node->info.joint == ELV_JOINT_FIXED) {
        place.pose = elv_pose_compose(place.pose, lumped->body_pose);
        w->port[node->i_port] = place;
        return ELV_OK;
    }
    if (place.i_rod >= 0) {
        return refuse(w, node->name, "moves on a rod");
    }
    if (w->chain->joint) {
        return refuse(w, node->name, "is a second moving joint");
    }
    if (w->n_rod > 0) {
        return refuse(w, node->name, "is a second branch");
    }
    w->chain->joint = lumped;
    w->chain->i_joint = i_node;
    w->chain->base = place.pose;
    w->port[node->i_port] = (ElvChainPort){ELV_CHAIN_ROOT, 0.0, elv_pose_identity()};
    return ELV_OK;
}

// whether a rod may follow at a place
static ElvStatus check_place(Walk* w, const ElvNode* node, const ElvChainPort* place) {
    int last = w->n_rod - 1;
    if (w->n_rod == 0) {
        bool is_left = w->chain->joint && place->i_rod == ELV_CHAIN_WORLD;
        return is_left ? refuse(w, node->name, "is a second branch") : ELV_OK;
    }
    if (place->i_rod >= 0 && place->s < 1.0) {
        return refuse(w, node->name, "stands along a rod");
    }
    return place->i_rod == last ? ELV_OK : refuse(w, node->name, "is a second branch");
}

static ElvStatus read_rod(Walk* w, int i_node) {
    const ElvNode* node = &w->model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    ElvChainPort place = place_of(w, node);
    ElvStatus status = check_place(w, node, &place);
    if (status != ELV_OK) {
        return status;
    }
    // laws of the channels, in the order of the fibres
    int n_fibre = rod->active ? rod->active->fields.n_fibre : 0;
    const ElvLaw** input = elv_pool_take(&w->chain->pool, (size_t)n_fibre, sizeof *input);
    if (!input) {
        return no_memory(w);
    }
    for (int i = 0; i < n_fibre; i++) {
        int i_channel = node->i_channel + rod->active->fields.fibre[i].channel;
        if (!w->is_known[i_channel]) {
            return elv_error_set(w->error, ELV_ERROR_INPUT, node->name, "",
                                 "'%s' has an actuator without a law, which the strong form "
                                 "needs: give it one, or use a method with modes",
                                 node->name);
        }
        input[i] = w->input[i_channel];
    }
    ElvChainRod* link = &w->rod[w->n_rod];
    link->i_node = i_node;
    link->offset = place.pose;
    for (int i = 0; i < rod->joint.n_port; i++) {
        w->port[node->i_port + i] = (ElvChainPort){w->n_rod, rod->station[i], elv_pose_identity()};
    }
    w->n_rod++;
    return elv_strong_rod_init(&link->strong, rod, input, &w->chain->pool, w->error);
}

static ElvStatus read_nodes(Walk* w) {
    w->port[0] = (ElvChainPort){ELV_CHAIN_WORLD, 0.0, elv_pose_identity()};
    for (int i = 0; i < w->model->n_node; i++) {
        ElvStatus status = w->model->node[i].info.is_rod ? read_rod(w, i) : read_lumped(w, i);
        if (status != ELV_OK) {
            return status;
        }
    }
    return w->n_rod > 0 ? ELV_OK
                        : elv_error_set(w->error, ELV_ERROR_INPUT, "", "",
                                        "the model has no rod: the strong form needs one");
}

// ---- bodies

// the body at a place: of the root, or at the end of the piece that ends at a station; a root section
// belongs to what is before it. NULL: the world's
static ElvChainBody* body_at(const Walk* w, ElvChainPort* place) {
    while (place->i_rod >= 0 && elv_same_station(place->s, 0.0)) {
        const ElvChainRod* link = &w->rod[place->i_rod];
        place->pose = elv_pose_compose(link->offset, place->pose);
        place->s = 1.0;
        place->i_rod = place->i_rod > 0          ? place->i_rod - 1
                       : w->chain->joint != NULL ? ELV_CHAIN_ROOT
                                                 : ELV_CHAIN_WORLD;
    }
    if (place->i_rod == ELV_CHAIN_ROOT) {
        return &w->chain->root;
    }
    if (place->i_rod == ELV_CHAIN_WORLD) {
        return NULL;
    }
    const ElvChainRod* link = &w->rod[place->i_rod];
    int i_piece = 0;
    while (i_piece < link->strong.n_piece - 1 &&
           !elv_same_station(link->strong.piece[i_piece].s1, place->s)) {
        i_piece++;
    }
    return &link->body[i_piece];
}

static void add_mass(const Walk* w, int i_port) {
    const ElvPort* port = &w->model->port[i_port];
    ElvChainPort place = w->port[i_port];
    ElvChainBody* body = port->is_massive ? body_at(w, &place) : NULL;
    if (!body) {
        return;
    }
    body->is_massive = true;
    body->inertia =
        elv_inertia_add(body->inertia, elv_inertia_transform(place.pose, port->inertia));
    body->mass += port->mass;
    body->moment = elv_vec3_add(body->moment, elv_mat3_apply(place.pose.R, port->moment));
    body->moment = elv_vec3_add_scaled(body->moment, port->mass, place.pose.p);
}

static bool add_load(const Walk* w, const ElvPointLoad* load) {
    ElvChainPort place = w->port[load->frame.port];
    place.pose = elv_pose_compose(place.pose, load->frame.pose);
    ElvChainBody* body = body_at(w, &place);
    if (!body) {
        return true;
    }
    ElvChainLoad* grown = elv_pool_grow(&w->chain->pool, body->load, body->n_load, sizeof *grown);
    if (!grown) {
        return false;
    }
    grown[body->n_load++] = (ElvChainLoad){load, place.pose};
    body->load = grown;
    return true;
}

// a part that a fluid acts on
static bool add_fluid(const Walk* w, int i_port, ElvChainFluid part) {
    ElvChainPort place = w->port[i_port];
    ElvChainBody* body = body_at(w, &place);
    if (!body) {
        return true;
    }
    ElvChainFluid* grown =
        elv_pool_grow(&w->chain->pool, body->fluid, body->n_fluid, sizeof *grown);
    if (!grown) {
        return false;
    }
    part.pose = place.pose;
    grown[body->n_fluid++] = part;
    body->fluid = grown;
    return true;
}

// the shape of a body, or its resistance alone where the model has no fluid
static bool add_shape(const Walk* w, int i_port) {
    const ElvPort* port = &w->model->port[i_port];
    const ElvFluidShape* shape = port->fluid;
    if (!shape && port->is_resisted) {
        ElvFluidShape* own = elv_pool_take(&w->chain->pool, 1, sizeof *own);
        if (!own) {
            return false;
        }
        own->resistance = port->resistance;
        own->is_resisted = true;
        shape = own;
    }
    return !shape || add_fluid(w, i_port, (ElvChainFluid){.shape = shape});
}

// Phi(l) on the tip of a slender rod, -Phi(0) on its root behind another one                [OCP (91)]
static bool add_ends(const Walk* w, const ElvChainRod* link) {
    const ElvNode* node = &w->model->node[link->i_node];
    const ElvRod* rod = link->strong.rod;
    int tip = node->i_port + rod->joint.n_port - 1;
    bool is_added =
        !node->follows_slender ||
        add_fluid(w, node->i_port, (ElvChainFluid){.added = rod->added_end[0], .sign = -1.0});
    return is_added &&
           (!rod->is_slender ||
            add_fluid(w, tip, (ElvChainFluid){.added = rod->added_end[1], .sign = 1.0}));
}

static ElvStatus read_bodies(Walk* w) {
    for (int i = 0; i < w->n_rod; i++) {
        size_t n = (size_t)w->rod[i].strong.n_piece;
        w->rod[i].body = elv_pool_take(&w->chain->pool, n, sizeof *w->rod[i].body);
        if (!w->rod[i].body) {
            return no_memory(w);
        }
    }
    for (int i = 0; i < w->model->n_port; i++) {
        add_mass(w, i);
        if (!add_shape(w, i)) {
            return no_memory(w);
        }
    }
    for (int i = 0; i < w->n_rod; i++) {
        if (!add_ends(w, &w->rod[i])) {
            return no_memory(w);
        }
    }
    for (int i = 0; i < w->model->n_point; i++) {
        if (!add_load(w, &w->model->point[i])) {
            return no_memory(w);
        }
    }
    return ELV_OK;
}

// ---- the chain

ElvStatus elv_chain_create(const ElvModel* model, ElvChain* chain, ElvError* error) {
    memset(chain, 0, sizeof *chain);
    elv_error_clear(error);
    chain->model = model;
    chain->gravity = model->gravity;
    chain->base = elv_pose_identity();
    chain->i_joint = -1;
    Walk w = {.model = model, .chain = chain, .error = error};
    w.port = elv_pool_take(&chain->pool, (size_t)model->n_port, sizeof *w.port);
    w.rod = elv_pool_take(&chain->pool, (size_t)model->n_node, sizeof *w.rod);
    w.input = elv_pool_take(&chain->pool, (size_t)model->n_channel, sizeof *w.input);
    w.is_known = elv_pool_take(&chain->pool, (size_t)model->n_channel, sizeof *w.is_known);
    if (!w.port || !w.rod || !w.input || !w.is_known) {
        return no_memory(&w);
    }
    ElvStatus status = read_devices(&w);
    status = status == ELV_OK ? read_nodes(&w) : status;
    status = status == ELV_OK ? read_bodies(&w) : status;
    chain->rod = w.rod;
    chain->n_rod = w.n_rod;
    chain->port = w.port;
    return status;
}

void elv_chain_free(ElvChain* chain) {
    elv_pool_free(&chain->pool);
}

ElvStatus elv_chain_refuse_volume(const ElvModel* model, ElvError* error) {
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        if (node->info.is_rod && ((const ElvRod*)node->joint)->keeps_volume) {
            return elv_error_set(error, ELV_ERROR_INPUT, node->name, "volume",
                                 "rod '%s' keeps its volume, which the strong form does not know: "
                                 "use a method with modes",
                                 node->name);
        }
    }
    return ELV_OK;
}

ElvStatus elv_chain_refuse_motion(const ElvModel* model, ElvError* error) {
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        if (node->info.is_imposed) {
            return elv_error_set(error, ELV_ERROR_INPUT, node->name, "motion",
                                 "rod '%s' has imposed strains, which the strong form does not "
                                 "know: use a method with modes",
                                 node->name);
        }
    }
    ElvStatus status = elv_chain_refuse_volume(model, error);
    return status == ELV_OK ? elv_chain_refuse_slender(model, error) : status;
}

ElvStrongInput elv_chain_input(const ElvChain* chain, double t, double load, bool is_static) {
    ElvStrongInput in = {.t = t,
                         .load = load,
                         .gravity = elv_vec3_scale(load, chain->gravity),
                         .is_static = is_static};
    if (chain->model->fluid) {
        in.fluid = elv_fluid_now(chain->model->fluid, t, load, is_static, elv_vec3(0.0, 0.0, 0.0));
    }
    return in;
}
