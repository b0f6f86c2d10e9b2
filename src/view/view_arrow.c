// SPDX-License-Identifier: Apache-2.0
// Forces and moments of a view, as arrows in world axes: loads, on what they load; reactions of loops, on the second
// side; contacts and sliders, on the rod; wheels, on the wheel; velocity controllers, on their frame. A distributed
// load is cut into pieces, each drawn at its middle with the force of its length. What can never act has no arrow.
#include "view/view_parts.h"

#include "multibody/loop.h"
#include "multibody/rod_contact.h"
#include "multibody/rolling.h"
#include "multibody/slider.h"
#include "multibody/velocity_control.h"
#include "multibody/wheel.h"
#include "rod/rod.h"

#include <stdio.h>
#include <string.h>

enum { PIECES = 8 }; // of a distributed load
enum { WRENCH = 2 }; // of a loop, among its quantities

// ---- create

static bool is_zero(const ElvLaw* law) {
    return !law || (elv_law_kind(law) == ELV_LAW_CONSTANT && elv_law_value(law, 0.0, 0.0) == 0.0);
}

// whether the moment or the force of a load can act
static bool acts(const ElvLaw* const law[6], bool is_moment) {
    int k = is_moment ? 0 : 3;
    return !is_zero(law[k]) || !is_zero(law[k + 1]) || !is_zero(law[k + 2]);
}

static ElvStatus
add_arrow(ElvView* view, const ElvViewArrow* arrow, const char* name, ElvError* error) {
    ElvViewArrow* grown =
        elv_pool_grow(&view->pool, view->arrow, view->n_arrow, sizeof *view->arrow);
    char* copy = elv_pool_string(&view->pool, name);
    if (!grown || !copy) {
        return elv_view_no_memory(error);
    }
    view->arrow = grown;
    ElvViewArrow* made = &view->arrow[view->n_arrow++];
    *made = *arrow;
    made->name = copy;
    made->index = elv_view_place(view, 6);
    return ELV_OK;
}

static ElvStatus add_point_loads(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_point && status == ELV_OK; i++) {
        const ElvPointLoad* load = &model->point[i];
        char name[32];
        (void)snprintf(name, sizeof name, "loads[%d]", load->i_load);
        for (int k = 0; k < 2 && status == ELV_OK; k++) {
            ElvViewArrow arrow = {.kind = ELV_VIEW_LOAD, .is_moment = k == 1, .i = i};
            status = acts(load->law, k == 1) ? add_arrow(view, &arrow, name, error) : ELV_OK;
        }
    }
    return status;
}

static ElvStatus add_pieces(ElvView* view,
                            const ElvModel* model,
                            int i_node,
                            int i_field,
                            bool is_moment,
                            ElvError* error) {
    const ElvRod* rod = (const ElvRod*)model->node[i_node].joint;
    const ElvRodField* field = &rod->distributed[i_field];
    double width = (field->to - field->from) / PIECES;
    char name[ELV_SIZE_NAME + 32];
    (void)snprintf(name, sizeof name, "%.*s.distributed[%d]", ELV_SIZE_NAME, rod->name, i_field);
    ElvStatus status = ELV_OK;
    for (int i = 0; i < PIECES && status == ELV_OK; i++) {
        ElvViewArrow arrow = {.kind = ELV_VIEW_LOAD,
                              .is_moment = is_moment,
                              .source = ELV_ARROW_DISTRIBUTED,
                              .i = i_node,
                              .i_field = i_field,
                              .s = field->from + (i + 0.5) * width,
                              .share = width * rod->length};
        status = add_arrow(view, &arrow, name, error);
    }
    return status;
}

static ElvStatus add_distributed(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_node; i++) {
        const ElvRod* rod = (const ElvRod*)model->node[i].joint;
        int n = model->node[i].info.is_rod ? 2 * rod->n_distributed : 0;
        for (int k = 0; k < n && status == ELV_OK; k++) {
            bool is_moment = k % 2 == 1;
            if (acts(rod->distributed[k / 2].law, is_moment)) {
                status = add_pieces(view, model, i, k / 2, is_moment, error);
            }
        }
    }
    return status;
}

// what is drawn of a device: nothing, its force, or its moment as well
static int count_arrows(const ElvDevice* device, ElvViewArrowKind* kind) {
    const ElvDeviceOps* ops = device->ops;
    if (ops == &ELV_LOOP_OPS || ops == &ELV_VELOCITY_CONSTRAINT_OPS) {
        *kind = ELV_VIEW_LOOP;
        return 2;
    }
    if (ops == &ELV_ROD_CONTACT_OPS || ops == &ELV_ROD_CONTACT_POINT_OPS) {
        *kind = ELV_VIEW_CONTACT;
        return 2;
    }
    if (ops == &ELV_VELOCITY_CONTROL_OPS) {
        *kind = ELV_VIEW_CONTROL;
        return 2;
    }
    if (ops == &ELV_SLIDER_OPS) {
        *kind = ELV_VIEW_CONTACT;
        return 1;
    }
    *kind = ELV_VIEW_WHEEL;
    return ops == &ELV_ROLLING_OPS || elv_device_is_wheel(device) ? 1 : 0;
}

static ElvStatus add_devices(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_device; i++) {
        ElvViewArrow arrow = {.source = ELV_ARROW_DEVICE, .i = i};
        int n = count_arrows(model->device[i], &arrow.kind);
        for (int k = 0; k < n && status == ELV_OK; k++) {
            arrow.is_moment = k == 1;
            status = add_arrow(view, &arrow, model->device[i]->name, error);
        }
    }
    return status;
}

ElvStatus elv_view_add_arrows(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = add_point_loads(view, model, error);
    status = status == ELV_OK ? add_distributed(view, model, error) : status;
    return status == ELV_OK ? add_devices(view, model, error) : status;
}

// ---- numbers: a point of the world, and the wrench about it in world axes

typedef struct {
    ElvVec3 p;
    ElvWrench W;
} Push;

static Push turned(ElvPose g, ElvWrench local) {
    Push push = {g.p, elv_wrench(elv_mat3_apply(g.R, local.mom), elv_mat3_apply(g.R, local.frc))};
    return push;
}

static bool is_on(const ElvLaw* when, double t) {
    return !when || elv_law_value(when, t, 0.0) != 0.0;
}

static Push point_load(const ElvPointLoad* load, const ElvScene* scene) {
    double value[6];
    ElvPose g = elv_frame_pose(scene->model, scene->data, load->frame);
    double factor = is_on(load->when, scene->state->t) ? scene->data->load : 0.0;
    for (int k = 0; k < 6; k++) {
        value[k] = factor * elv_law_value(load->law[k], scene->state->t, 0.0);
    }
    g.R = load->axes == ELV_AXES_WORLD ? elv_mat3_identity() : g.R;
    return turned(g, elv_wrench_from_array(value));
}

static Push distributed_load(const ElvViewArrow* arrow, const ElvScene* scene) {
    const ElvRod* rod = (const ElvRod*)scene->model->node[arrow->i].joint;
    const ElvRodField* field = &rod->distributed[arrow->i_field];
    double t = scene->state->t;
    double factor = is_on(field->when, t) ? scene->data->load * arrow->share : 0.0;
    double value[6];
    ElvPose g;
    elv_rod_section(scene->model, scene->data, scene->state, arrow->i, arrow->s, &g, NULL, NULL);
    for (int k = 0; k < 6; k++) {
        value[k] = factor * elv_law_value(field->law[k], t, arrow->s);
    }
    g.R = field->axes == ELV_AXES_WORLD ? elv_mat3_identity() : g.R;
    return turned(g, elv_wrench_from_array(value));
}

static Push loop_reaction(const ElvLoop* loop, const ElvScene* scene) {
    double value[6];
    ElvLoopSides sides = elv_loop_sides(loop, scene);
    elv_loop_measure(&loop->device, scene, WRENCH, value);
    Push push = {elv_vec3_add(sides.side[1].g.p, scene->data->origin),
                 elv_wrench_from_array(value)};
    return push;
}

static Push contact_force(const ElvRodContact* contact, const ElvScene* scene) {
    double value[6] = {0.0};
    ElvPose g = elv_contact_pose(contact, scene);
    bool is_active = elv_contact_is_active(contact, scene->state->t);
    for (int k = 0; k < contact->device.n_z && is_active; k++) {
        value[contact->component[k]] = scene->state->z[contact->device.i_z + k];
    }
    g.p = elv_vec3_add(g.p, scene->data->origin);
    return turned(g, elv_wrench_from_array(value));
}

static Push control_wrench(const ElvVelocityControl* control, const ElvScene* scene) {
    ElvTwist error;
    ElvWrench W;
    elv_velocity_control_measure(control, scene, &error, &W);
    return turned(elv_frame_pose(scene->model, scene->data, control->frame), W);
}

// the force that z has behind a moment, at a point of the one frame
static Push force_at(const ElvDevice* device, const ElvScene* scene, ElvVec3 p) {
    const double* z = scene->state->z + device->i_z;
    Push push = {elv_vec3_add(p, scene->data->origin),
                 elv_wrench(elv_vec3(0.0, 0.0, 0.0), elv_vec3(z[3], z[4], z[5]))};
    return push;
}

static Push wheel_force(const ElvWheel* wheel, const ElvScene* scene) {
    const ElvDeviceOps* ops = wheel->device.ops;
    double force[2] = {0.0, 0.0};
    for (int i = 0; i < ops->n_quantity; i++) {
        if (strcmp(ops->quantity[i].name, "force") == 0) {
            ops->measure(&wheel->device, scene, i, force);
        }
    }
    ElvVec3 sum = elv_vec3_scale(force[0], wheel->side);
    sum = elv_vec3_add_scaled(sum, force[1], wheel->ahead);
    return turned(elv_frame_pose(scene->model, scene->data, wheel->frame),
                  elv_wrench(elv_vec3(0.0, 0.0, 0.0), sum));
}

static Push device_force(const ElvDevice* device, const ElvScene* scene) {
    const ElvDeviceOps* ops = device->ops;
    if (ops == &ELV_LOOP_OPS || ops == &ELV_VELOCITY_CONSTRAINT_OPS) {
        return loop_reaction((const ElvLoop*)device, scene);
    }
    if (ops == &ELV_ROD_CONTACT_OPS || ops == &ELV_ROD_CONTACT_POINT_OPS) {
        return contact_force((const ElvRodContact*)device, scene);
    }
    if (ops == &ELV_VELOCITY_CONTROL_OPS) {
        return control_wrench((const ElvVelocityControl*)device, scene);
    }
    if (ops == &ELV_SLIDER_OPS) {
        ElvFrame at = ((const ElvSlider*)device)->point;
        return force_at(device, scene, elv_pose_compose(scene->data->port[at.port].g, at.pose).p);
    }
    if (ops == &ELV_ROLLING_OPS) {
        return force_at(device, scene,
                        elv_rolling_contact((const ElvRolling*)device, scene->data).p);
    }
    return wheel_force((const ElvWheel*)device, scene);
}

void elv_view_eval_arrows(const ElvView* view, const ElvScene* scene, double* value) {
    for (int i = 0; i < view->n_arrow; i++) {
        const ElvViewArrow* arrow = &view->arrow[i];
        Push push = arrow->source == ELV_ARROW_POINT
                        ? point_load(&scene->model->point[arrow->i], scene)
                    : arrow->source == ELV_ARROW_DISTRIBUTED
                        ? distributed_load(arrow, scene)
                        : device_force(scene->model->device[arrow->i], scene);
        elv_view_put_vec3(push.p, value + arrow->index);
        elv_view_put_vec3(arrow->is_moment ? push.W.mom : push.W.frc, value + arrow->index + 3);
    }
}
