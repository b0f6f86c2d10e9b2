// SPDX-License-Identifier: Apache-2.0
// A spec as a model file: what is read back compiles to the same model. Values that a file may give
// in several ways are written in one; formulas keep their text and the parameters that they use.
#include "elver/io.h"
#include "io/format_names.h"
#include "io/write_actuator.h"
#include "io/write_fluid.h"
#include "io/write_inverse.h"
#include "io/write_loop.h"
#include "io/write_statics.h"
#include "io/write_tree.h"
#include "multibody/spec.h"

#include <stdio.h>
#include <stdlib.h>

static void write_head(ElvWriter* writer, const ElvSpec* spec) {
    elv_write(writer, "elver: 1");
    if (spec->name[0] != '\0') {
        elv_write(writer, "\nname: ");
        elv_write_quoted(writer, spec->name);
    }
    elv_write(writer, "\ngravity: ");
    elv_write_vec3(writer, spec->gravity);
    elv_write_fluid(writer, &spec->fluid);
    if (spec->n_parameter > 0) {
        elv_write(writer, "\nparameters:");
    }
    for (int i = 0; i < spec->n_parameter; i++) {
        elv_write(writer, "\n  %s: ", spec->parameter[i].name);
        elv_write_number(writer, spec->parameter[i].value);
    }
}

static void write_frames(ElvWriter* writer, const ElvSpec* spec) {
    if (spec->n_frame > 0) {
        elv_write(writer, "\nframes:");
    }
    for (int i = 0; i < spec->n_frame; i++) {
        const ElvFrameDef* frame = &spec->frame[i];
        elv_write(writer, "\n  - {name: ");
        elv_write_word(writer, frame->name);
        elv_write(writer, ", on: ");
        elv_write_word(writer, frame->on);
        elv_write(writer, ", pose: ");
        elv_write_pose(writer, &frame->pose);
        elv_write(writer, "}");
    }
}

// ---- loads

static void write_load(ElvWriter* writer, const ElvLoad* load) {
    if (load->kind == ELV_LOAD_WRENCH) {
        const ElvWrenchDef* def = &load->wrench;
        elv_write(writer, "\n  - {wrench: ");
        elv_write_laws(writer, def->wrench, 6);
        elv_write(writer, ", at: ");
        elv_write_word(writer, def->at);
        elv_write(writer, ", frame: %s", elv_axes_names[def->axes]);
        elv_write_while(writer, &def->when);
        return;
    }
    const ElvDistributedDef* def = &load->distributed;
    elv_write(writer, "\n  - {distributed: ");
    elv_write_laws(writer, def->wrench, 6);
    elv_write_range(writer, def->rod, def->from, def->to);
    elv_write(writer, ", frame: %s", elv_axes_names[def->axes]);
    elv_write_while(writer, &def->when);
}

static void write_loads(ElvWriter* writer, const ElvSpec* spec) {
    char place[32];
    writer->element = place;
    if (spec->n_load > 0) {
        elv_write(writer, "\nloads:");
    }
    for (int i = 0; i < spec->n_load; i++) {
        (void)snprintf(place, sizeof place, "loads[%d]", i);
        write_load(writer, &spec->load[i]);
    }
    writer->element = "";
}

// ---- the whole

static void write_tree(ElvWriter* writer, const ElvSpec* spec) {
    elv_write(writer, "\ntree:");
    for (int i = 0; i < spec->n_element; i++) {
        const ElvElement* element = &spec->element[i];
        writer->element = elv_element_name(element);
        if (element->is_rod) {
            elv_write_rod(writer, &element->rod);
        } else {
            elv_write_body(writer, &element->body);
        }
    }
    writer->element = "";
}

static void write_option(ElvWriter* writer, const char* key, double value) {
    elv_write(writer, ", %s: ", key);
    elv_write_number(writer, value);
}

// parameters of the formulas in time, and no others
static void write_parameters(ElvWriter* writer, const ElvSimulateDef* simulate, ElvMethod method) {
    if (method == ELV_METHOD_NEWMARK) {
        write_option(writer, "beta", simulate->beta);
        write_option(writer, "gamma", simulate->gamma);
    } else if (method == ELV_METHOD_HHT) {
        write_option(writer, "alpha", simulate->alpha);
    } else if (method == ELV_METHOD_GENERALIZED_ALPHA) {
        write_option(writer, "spectral_radius", simulate->spectral_radius);
    }
}

// the options that the method uses, and no others
static void write_implicit(ElvWriter* writer, const ElvSimulateDef* simulate) {
    write_parameters(writer, simulate, simulate->method);
    elv_write(writer, ", velocities: %s", elv_velocities_names[simulate->projects_velocity]);
    elv_write(writer, ", adaptive: %s", simulate->is_adaptive ? "true" : "false");
    elv_write(writer, ", reuse_jacobian: %s", simulate->reuse_jacobian ? "true" : "false");
    write_option(writer, "newton_tol", simulate->newton_tol);
    elv_write(writer, ", max_iterations: %d, max_halvings: %d", simulate->max_iterations,
              simulate->max_halvings);
}

// whether the switches of a published program are all off
static bool is_plain(const ElvFiniteProgram* program) {
    return !program->is_tip_undamped && !program->adds_distributed && !program->has_euler_joint &&
           !program->starts_from_past && !program->has_printed_cubic &&
           program->rebuild == ELV_REBUILD_GROUP;
}

static void write_finite(ElvWriter* writer, const ElvSimulateDef* simulate) {
    const ElvFiniteDef* finite = &simulate->finite;
    if (!is_plain(&finite->program) && writer->status == ELV_OK) {
        writer->status =
            elv_error_set(writer->error, ELV_ERROR_INPUT, "simulate", "program",
                          "switches of the program published with the method are set, which a file "
                          "cannot hold: set them after reading");
    }
    elv_write(writer, ", nodes: %d, time: %s, space: %s, interpolation: %s", finite->nodes,
              elv_bdf_names[finite->order - 1], elv_runge_names[finite->space],
              elv_history_names[finite->interpolation]);
    write_option(writer, "newton_tol", simulate->newton_tol);
    elv_write(writer, ", max_iterations: %d", simulate->max_iterations);
}

static void write_shooting(ElvWriter* writer, const ElvSimulateDef* simulate) {
    const ElvShootingDef* shooting = &simulate->shooting;
    elv_write(writer, ", segments: %d, steps: %d, solver: %s, accelerations: %s",
              shooting->segments, shooting->steps, elv_shoot_solver_names[shooting->solver],
              simulate->has_accelerations ? "true" : "false");
    // without the equation of accelerations no scheme has an effect
    if (!simulate->has_accelerations) {
        write_option(writer, "gamma", simulate->gamma);
    } else {
        elv_write(writer, ", scheme: %s", elv_method_names[simulate->scheme]);
        write_parameters(writer, simulate, simulate->scheme);
    }
    write_option(writer, "newton_tol", simulate->newton_tol);
    elv_write(writer, ", max_iterations: %d", simulate->max_iterations);
}

static void write_simulate(ElvWriter* writer, const ElvSimulateDef* simulate) {
    bool is_connection = simulate->method == ELV_METHOD_CONNECTION;
    bool is_explicit = simulate->method == ELV_METHOD_EXPLICIT || is_connection;
    bool is_strong = elv_method_is_strong(simulate->method);
    elv_write(writer, "\nsimulate: {method: %s", elv_method_names[simulate->method]);
    write_option(writer, "duration", simulate->duration);
    write_option(writer, "step", simulate->step);
    elv_write(writer, ", start: %s", simulate->starts_static ? "statics" : "model");
    if (!is_strong && (is_explicit || simulate->is_adaptive)) {
        write_option(writer, "rel_tol", simulate->rel_tol);
        write_option(writer, "abs_tol", simulate->abs_tol);
    }
    if (is_connection) {
        elv_write(writer, ", connection: %s", elv_connection_names[simulate->connection]);
    }
    if (is_explicit) {
        elv_write(writer, ", order: %d", simulate->order);
    } else if (simulate->method == ELV_METHOD_SHOOTING) {
        write_shooting(writer, simulate);
    } else if (is_strong) {
        write_finite(writer, simulate);
    } else {
        write_implicit(writer, simulate);
    }
    elv_write(writer, ", max_steps: %ld}", simulate->max_steps);
}

static void write_run(ElvWriter* writer, const ElvSpec* spec) {
    write_simulate(writer, &spec->simulate);
    elv_write_statics(writer, &spec->statics);
    elv_write_inverse(writer, &spec->inverse);
    elv_write(writer, "\nrecord: {every: ");
    elv_write_number(writer, spec->record.every);
    elv_write(writer, ", signals: [");
    for (int i = 0; i < spec->record.n_signal; i++) {
        elv_write(writer, "%s", i > 0 ? ", " : "");
        elv_write_word(writer, spec->record.signal[i]);
    }
    elv_write(writer, "]}\n");
}

ElvStatus elv_spec_write_text(const ElvSpec* spec, char** text, ElvError* error) {
    *text = NULL;
    elv_error_clear(error);
    ElvWriter writer = {.error = error, .element = ""};
    write_head(&writer, spec);
    write_tree(&writer, spec);
    write_frames(&writer, spec);
    write_loads(&writer, spec);
    elv_write_actuators(&writer, spec);
    elv_write_loops(&writer, spec);
    write_run(&writer, spec);
    if (writer.status != ELV_OK) {
        free(writer.text);
        return writer.status;
    }
    *text = writer.text;
    return ELV_OK;
}

void elv_text_free(char* text) {
    free(text);
}
