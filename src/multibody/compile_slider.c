// SPDX-License-Identifier: Apache-2.0
// Points that slide along rods as devices.
#include "multibody/compile_device.h"
#include "multibody/slider.h"

ElvStatus elv_compile_slider(ElvCompiler* c, const ElvSliderDef* def) {
    ElvModel* model = c->model;
    ElvSlider* slider = elv_pool_take(&model->pool, 1, sizeof *slider);
    if (!slider) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status = elv_compile_held_frame(c, def->point, def->name, "point", &slider->point);
    if (status == ELV_OK) {
        status = elv_compile_rod_node(c, def->rod, def->name, &slider->i_node);
    }
    if (status != ELV_OK) {
        return status;
    }
    const ElvNode* rod = &model->node[slider->i_node];
    if (slider->point.port >= rod->i_port &&
        slider->point.port < rod->i_port + rod->joint->n_port) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, "point",
                             "'%s' joins '%s' to itself: '%s' is a section of that rod", def->name,
                             def->rod, def->point);
    }
    int root = rod->parent_port;
    const ElvLawDef* law = def->is_driven ? &def->drive : &def->force;
    status = root > 0 ? elv_compile_anchor(c, root) : ELV_OK;
    if (status == ELV_OK) {
        status =
            elv_compile_law(c, law, def->name, def->is_driven ? "drive" : "force", &slider->law);
    }
    if (status != ELV_OK) {
        return status;
    }
    model->is_active =
        model->is_active || law->kind != ELV_LAW_CONSTANT || (!def->is_driven && law->value != 0.0);
    slider->station = def->station;
    slider->damping = def->is_driven ? 0.0 : def->damping;
    slider->is_driven = def->is_driven;
    slider->length = model->size;
    slider->i_gap = model->n_loop++;
    slider->device.ops = &ELV_SLIDER_OPS;
    slider->device.n_z = def->is_driven ? 6 : 7;
    slider->device.n_place = def->is_driven ? 0 : 1;
    return elv_compile_add_device(c, &slider->device, def->name);
}
