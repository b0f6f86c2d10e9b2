// SPDX-License-Identifier: Apache-2.0
// Constraints on velocities as devices: their rows, and those along which no wrench acts.
#include "multibody/compile_device.h"
#include "multibody/loop.h"
#include "multibody/velocity_rows.h"

#include <string.h>

static bool is_zero(const ElvLawDef* law) {
    return law->kind == ELV_LAW_CONSTANT && law->value == 0.0;
}

ElvStatus elv_compile_velocity(ElvCompiler* c, const ElvVelocityConstraintDef* def) {
    ElvLoop* loop = elv_pool_take(&c->model->pool, 1, sizeof *loop);
    if (!loop) {
        return elv_compile_no_memory(c);
    }
    const char* const reference[2] = {def->on, def->at};
    double basis[6][6] = {{0.0}};
    ElvStatus status = elv_compile_ends(c, loop, def->name, reference, false);
    if (status != ELV_OK) {
        return status;
    }
    elv_velocity_rows_complement(def->n_row, def->row, basis);
    for (int i = 0; i < 6; i++) {
        ElvLoopRow* row = &loop->row[i];
        bool holds = i < def->n_row;
        row->kind = holds ? ELV_ROW_TWIST : ELV_ROW_IDLE;
        memcpy(row->coefficient, holds ? def->row[i] : basis[i - def->n_row],
               sizeof row->coefficient);
        if (holds) {
            c->model->is_active = c->model->is_active || !is_zero(&def->rate[i]);
            status = elv_compile_law(c, &def->rate[i], def->name, "equals", &row->law);
        }
        if (status != ELV_OK) {
            return status;
        }
    }
    loop->length = c->model->size;
    loop->i_gap = c->model->n_loop++;
    loop->device.ops = &ELV_VELOCITY_CONSTRAINT_OPS;
    loop->device.n_z = 6;
    return elv_compile_add_device(c, &loop->device, def->name);
}
