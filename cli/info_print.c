// SPDX-License-Identifier: Apache-2.0
// What `elver info` prints, for people and as JSON.
#include "info.h"

#include <string.h>

enum { MAX_SHOWN = 20 }; // breakpoints in a line

static const double DEFAULT_STEP = 0.01; // of implicit methods, s

const char* cli_drive_name(const ElvNodeInfo* node) {
    switch (node->drive) {
    case ELV_DRIVE_FORCE:
        return node->has_servo ? "force+servo" : "force";
    case ELV_DRIVE_MOTION:
        return "motion";
    default:
        return node->has_servo ? "servo" : "passive";
    }
}

// ---- for people

static void print_tree(const ElvModel* model) {
    int width = 4;
    int width_parent = 6;
    int n_node = elv_model_n_node(model);
    for (int i = 0; i < n_node; i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        int n = (int)strlen(node.name);
        int n_parent = (int)strlen(node.parent);
        width = n > width ? n : width;
        width_parent = n_parent > width_parent ? n_parent : width_parent;
    }

    printf("\n%-*s  %-*s  %-12s  %-11s  %5s  %5s  %s\n", width, "node", width_parent, "parent",
           "joint", "drive", "q", "v", "mass (kg)");
    for (int i = 0; i < n_node; i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        const char* joint = node.is_rod ? "rod" : elv_joint_type_name(node.joint);
        const char* drive = !node.is_rod ? cli_drive_name(&node) : node.is_imposed ? "motion" : "-";
        printf("%-*s  %-*s  %-12s  %-11s  %5d  %5d  %.6g\n", width, node.name, width_parent,
               node.parent, joint, drive, node.n_q, node.n_v, node.mass);
    }
}

static void print_rods(const ElvModel* model) {
    bool is_first = true;
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        if (!node.is_rod) {
            continue;
        }
        printf("%srod %s: length %.6g m; modes", is_first ? "\n" : "", node.name, node.length);
        is_first = false;
        bool has_modes = false;
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            if (node.modes[k] > 0) {
                printf(" %s %d", elv_strain_name((ElvStrain)k), node.modes[k]);
                has_modes = true;
            }
        }
        printf("%s; smooth pieces %d; quadrature nodes %d\n", has_modes ? "" : " none",
               node.n_segment, node.n_quadrature);
        for (int k = 0; k < ELV_N_STRAIN && node.is_imposed; k++) {
            if (node.motion_error[k] >= 0.0) {
                printf("  %s is imposed; its modes meet it to %.1e of its size\n",
                       elv_strain_name((ElvStrain)k), node.motion_error[k]);
            }
        }
    }
}

static void print_devices(const ElvModel* model) {
    for (int i = 0; i < elv_model_n_device(model); i++) {
        ElvDeviceInfo device = elv_model_device(model, i);
        printf("%s%s %s", i == 0 ? "\n" : "", device.kind, device.name);
        if (device.n_z > 0) {
            printf(": %d unknown%s, %s", device.n_z, device.n_z > 1 ? "s" : "",
                   device.is_differential ? "integrated" : "found with the motion");
        }
        printf("\n");
    }
}

static void print_start(const CliInfo* info) {
    ElvEnergy energy = info->energy;
    ElvMomentum momentum = info->momentum;
    printf("\nat the start\n");
    printf("  energy    kinetic %.9g J, elastic %.9g J, gravity %.9g J, total %.9g J\n",
           energy.kinetic, energy.elastic, energy.gravity,
           energy.kinetic + energy.elastic + energy.gravity);
    printf("  momentum  linear (%.6g, %.6g, %.6g) kg m/s, angular (%.6g, %.6g, %.6g) kg m^2/s\n",
           momentum.linear.x, momentum.linear.y, momentum.linear.z, momentum.angular.x,
           momentum.angular.y, momentum.angular.z);
    printf("  com       (%.6g, %.6g, %.6g) m\n", momentum.center.x, momentum.center.y,
           momentum.center.z);
}

static const char* runge_name(ElvRunge runge) {
    static const char* const names[ELV_N_RUNGE] = {"euler", "rk2", "rk4"};
    return names[runge];
}

static const char* history_name(ElvHistory history) {
    return history == ELV_HISTORY_CUBIC ? "cubic" : "linear";
}

static void print_implicit(const ElvSimulateDef* simulate) {
    if (simulate->method == ELV_METHOD_SHOOTING) {
        printf(", %d segments, %s, %s accelerations", simulate->shooting.segments,
               elv_method_name(simulate->scheme), simulate->has_accelerations ? "with" : "without");
    } else if (elv_method_is_strong(simulate->method)) {
        const ElvFiniteDef* finite = &simulate->finite;
        printf(", nodes %d, bdf%d, %s, %s interpolation", finite->nodes, finite->order,
               runge_name(finite->space), history_name(finite->interpolation));
    } else if (simulate->method == ELV_METHOD_NEWMARK) {
        printf(", beta %.6g, gamma %.6g", simulate->beta, simulate->gamma);
    } else if (simulate->method == ELV_METHOD_HHT) {
        printf(", alpha %.6g", simulate->alpha);
    } else if (simulate->method == ELV_METHOD_GENERALIZED_ALPHA) {
        printf(", spectral_radius %.6g", simulate->spectral_radius);
    }
    printf(", newton_tol %.3g", simulate->newton_tol);
}

static void print_simulate(const CliInfo* info) {
    ElvSimulateDef simulate = elv_model_simulate(info->model);
    bool is_explicit =
        simulate.method == ELV_METHOD_EXPLICIT || simulate.method == ELV_METHOD_CONNECTION;
    double step = !is_explicit && simulate.step == 0.0 ? DEFAULT_STEP : simulate.step;
    printf("\nsimulate    %s, duration %.6g s", elv_method_name(simulate.method),
           simulate.duration);
    if (step > 0.0) {
        printf(", %sstep %.6g s", is_explicit || simulate.is_adaptive ? "largest " : "", step);
    }
    if (is_explicit || simulate.is_adaptive) {
        printf(", rel_tol %.3g, abs_tol %.3g", simulate.rel_tol, simulate.abs_tol);
    }
    if (simulate.method == ELV_METHOD_CONNECTION) {
        printf(", %s", simulate.connection == ELV_CONNECTION_STOKES ? "stokes" : "mechanical");
    }
    if (is_explicit) {
        printf(", order %d", simulate.order);
    } else {
        print_implicit(&simulate);
    }
    printf("%s", simulate.starts_static ? ", start from equilibrium" : "");
    printf("\nbreakpoints");
    size_t n_shown = info->n_breakpoint < MAX_SHOWN ? info->n_breakpoint : MAX_SHOWN;
    for (size_t i = 0; i < n_shown; i++) {
        printf(" %.9g", info->breakpoint[i]);
    }
    printf("%s\n", n_shown == 0 ? " none" : n_shown < info->n_breakpoint ? " ... s" : " s");
}

static void print_signals(const CliInfo* info) {
    int n_column = elv_signals_n_column(info->signals);
    int width = 0;
    for (int i = 0; i < n_column; i++) {
        int n = (int)strlen(elv_signals_column_name(info->signals, i));
        width = n > width ? n : width;
    }
    printf("\nrecorded every %.6g s, with the value at the start\n",
           elv_model_record(info->model).every);
    for (int i = 0; i < n_column; i++) {
        printf("  %-*s  %14.9g  %s\n", width, elv_signals_column_name(info->signals, i),
               info->value[i], elv_signals_column_unit(info->signals, i));
    }
    if (n_column == 0) {
        printf("  no signals: add them under record, or with --signal\n");
    }
}

static void print_loops(const CliInfo* info) {
    const ElvClosureReport* closure = &info->closure;
    if (info->n_loop == 0) {
        return;
    }
    printf("  loops and constraints %d, ", info->n_loop);
    if (!info->is_closed) {
        printf("open by %.2g m or rad\n", closure->gap);
        return;
    }
    if (closure->opened > 1e-9) {
        printf("closed from an opening of %.2g m or rad", closure->opened);
    } else {
        printf("closed");
    }
    if (closure->n_redundant > 0) {
        printf("; %d redundant constraint%s%s", closure->n_redundant,
               closure->n_redundant == 1 ? "" : "s",
               info->report.is_singular ? " at the start" : "");
    }
    printf("\n");
}

void cli_info_print(const CliInfo* info) {
    const ElvModel* model = info->model;
    ElvVec3 gravity = elv_model_gravity(model);
    printf("%s\n", elv_model_name(model));
    printf("  nodes %d, coordinates %d, degrees of freedom %d", elv_model_n_node(model),
           elv_model_nq(model), elv_model_nv(model));
    if (info->is_closed && info->report.is_singular) {
        printf(" (%d with drives and loops, %d at the start, a singular posture)",
               info->report.n_free, info->closure.n_free);
    } else if (info->is_closed) {
        printf(" (%d with drives and loops)", info->closure.n_free);
    }
    printf(", mass %.9g kg\n", elv_model_mass(model));
    printf("  gravity (%.6g, %.6g, %.6g) m/s^2\n", gravity.x, gravity.y, gravity.z);
    print_loops(info);
    if (info->has_class) {
        printf("  moves as %s: %s\n", elv_locomotion_class_text(info->report.kind),
               info->report.reason);
    }
    print_tree(model);
    print_rods(model);
    cli_info_fluid(model);
    print_devices(model);
    print_start(info);
    print_simulate(info);
    print_signals(info);
}

// ---- as JSON

static void json_vec3(const char* key, ElvVec3 x) {
    const double value[3] = {x.x, x.y, x.z};
    printf("\"%s\": ", key);
    cli_json_numbers(stdout, value, 3);
}

static void json_named_number(const char* key, double value) {
    printf("\"%s\": ", key);
    cli_json_number(stdout, value);
}

static void json_node(const ElvNodeInfo* node) {
    printf("{\"name\": ");
    cli_json_text(stdout, node->name);
    printf(", \"parent\": ");
    cli_json_text(stdout, node->parent);
    printf(", \"joint\": \"%s\"", node->is_rod ? "rod" : elv_joint_type_name(node->joint));
    printf(", \"i_q\": %d, \"n_q\": %d, \"i_v\": %d, \"n_v\": %d, ", node->i_q, node->n_q,
           node->i_v, node->n_v);
    json_named_number("mass", node->mass);
    if (!node->is_rod) {
        printf(", \"drive\": \"%s\"}", cli_drive_name(node));
        return;
    }
    printf(", ");
    json_named_number("length", node->length);
    printf(", \"pieces\": %d, \"quadrature_nodes\": %d, \"modes\": {", node->n_segment,
           node->n_quadrature);
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        printf("%s\"%s\": %d", k > 0 ? ", " : "", elv_strain_name((ElvStrain)k), node->modes[k]);
    }
    printf("}, \"imposed\": {");
    for (int k = 0, n = 0; k < ELV_N_STRAIN; k++) {
        if (node->motion_error[k] >= 0.0) {
            printf("%s", n++ > 0 ? ", " : "");
            json_named_number(elv_strain_name((ElvStrain)k), node->motion_error[k]);
        }
    }
    printf("}}");
}

static void json_nodes(const ElvModel* model) {
    printf("  \"tree\": [");
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        printf("%s\n    ", i > 0 ? "," : "");
        json_node(&node);
    }
    printf("\n  ],\n");
}

static void json_devices(const ElvModel* model) {
    printf("  \"devices\": [");
    for (int i = 0; i < elv_model_n_device(model); i++) {
        ElvDeviceInfo device = elv_model_device(model, i);
        printf("%s{\"kind\": \"%s\", \"name\": ", i > 0 ? ", " : "", device.kind);
        cli_json_text(stdout, device.name);
        printf(", \"unknowns\": %d, \"integrated\": %s}", device.n_z,
               device.is_differential ? "true" : "false");
    }
    printf("],\n");
}

static void json_loops(const CliInfo* info) {
    if (info->n_loop > 0) {
        printf("  \"loops\": {\"count\": %d, \"closed\": %s, ", info->n_loop,
               info->is_closed ? "true" : "false");
        json_named_number("opened", info->closure.opened);
        printf(", ");
        json_named_number("gap", info->closure.gap);
        printf(", \"redundant_constraints\": %d", info->closure.n_redundant);
        if (info->is_closed) {
            int n_start = info->closure.n_free;
            printf(", \"degrees_of_freedom\": %d, \"degrees_of_freedom_at_start\": %d",
                   info->report.is_singular ? info->report.n_free : n_start, n_start);
        }
        printf("},\n");
    }
}

static void json_class(const CliInfo* info) {
    if (info->has_class) {
        printf("  \"locomotion\": {\"class\": ");
        cli_json_text(stdout, elv_locomotion_class_text(info->report.kind));
        printf(", \"reason\": ");
        cli_json_text(stdout, info->report.reason);
        printf("},\n");
    }
}

static void json_start(const CliInfo* info) {
    printf("  \"start\": {\"energy\": {");
    json_named_number("kinetic", info->energy.kinetic);
    printf(", ");
    json_named_number("elastic", info->energy.elastic);
    printf(", ");
    json_named_number("gravity", info->energy.gravity);
    printf("}, \"momentum\": {");
    json_vec3("linear", info->momentum.linear);
    printf(", ");
    json_vec3("angular", info->momentum.angular);
    printf("}, ");
    json_vec3("com", info->momentum.center);
    printf("},\n");
}

// how methods without modes go, in words
static void json_strong(const ElvSimulateDef* simulate) {
    if (simulate->method == ELV_METHOD_SHOOTING) {
        printf(", \"accelerations\": %s", simulate->has_accelerations ? "true" : "false");
        if (simulate->has_accelerations) {
            printf(", \"scheme\": \"%s\"", elv_method_name(simulate->scheme));
        }
    } else {
        printf(", \"space\": \"%s\", \"interpolation\": \"%s\"", runge_name(simulate->finite.space),
               history_name(simulate->finite.interpolation));
    }
}

// the options that the method uses
static void json_simulate(const CliInfo* info) {
    ElvSimulateDef simulate = elv_model_simulate(info->model);
    bool is_explicit =
        simulate.method == ELV_METHOD_EXPLICIT || simulate.method == ELV_METHOD_CONNECTION;
    bool is_strong = elv_method_is_strong(simulate.method);
    bool is_shooting = simulate.method == ELV_METHOD_SHOOTING;
    bool has_scheme = !is_shooting || simulate.has_accelerations;
    ElvMethod scheme = is_shooting ? simulate.scheme : simulate.method;
    const struct {
        const char* key;
        double value;
        bool is_used;
    } number[] = {
        {"duration", simulate.duration, true},
        {"step", simulate.step, true},
        {"rel_tol", simulate.rel_tol, is_explicit || simulate.is_adaptive},
        {"abs_tol", simulate.abs_tol, is_explicit || simulate.is_adaptive},
        {"order", simulate.order, is_explicit},
        {"beta", simulate.beta, has_scheme && scheme == ELV_METHOD_NEWMARK},
        {"gamma", simulate.gamma, !has_scheme || scheme == ELV_METHOD_NEWMARK},
        {"alpha", simulate.alpha, has_scheme && scheme == ELV_METHOD_HHT},
        {"spectral_radius", simulate.spectral_radius,
         has_scheme && scheme == ELV_METHOD_GENERALIZED_ALPHA},
        {"newton_tol", simulate.newton_tol, !is_explicit},
        {"max_iterations", simulate.max_iterations, !is_explicit},
        {"max_halvings", simulate.max_halvings, !is_explicit && !is_strong},
        {"nodes", simulate.finite.nodes, is_strong && !is_shooting},
        {"time_order", simulate.finite.order, is_strong && !is_shooting},
        {"segments", simulate.shooting.segments, is_shooting},
    };
    printf("  \"simulate\": {\"method\": \"%s\", \"start\": \"%s\"",
           elv_method_name(simulate.method), simulate.starts_static ? "statics" : "model");
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++) {
        if (number[i].is_used) {
            printf(", ");
            json_named_number(number[i].key, number[i].value);
        }
    }
    if (!is_explicit && !is_strong) {
        printf(", \"adaptive\": %s, \"reuse_jacobian\": %s",
               simulate.is_adaptive ? "true" : "false", simulate.reuse_jacobian ? "true" : "false");
    }
    if (is_strong) {
        json_strong(&simulate);
    }
    printf("},\n  \"breakpoints\": ");
    cli_json_numbers(stdout, info->breakpoint, info->n_breakpoint);
    printf(",\n");
}

static void json_signals(const CliInfo* info) {
    printf("  \"record\": {");
    json_named_number("every", elv_model_record(info->model).every);
    printf(", \"columns\": [");
    for (int i = 0; i < elv_signals_n_column(info->signals); i++) {
        printf("%s\n    {\"name\": ", i > 0 ? "," : "");
        cli_json_text(stdout, elv_signals_column_name(info->signals, i));
        printf(", \"unit\": ");
        cli_json_text(stdout, elv_signals_column_unit(info->signals, i));
        printf(", ");
        json_named_number("start", info->value[i]);
        printf("}");
    }
    printf("\n  ]}\n");
}

void cli_info_print_json(const CliInfo* info) {
    const ElvModel* model = info->model;
    printf("{\n  \"name\": ");
    cli_json_text(stdout, elv_model_name(model));
    printf(",\n  \"n_node\": %d, \"nq\": %d, \"nv\": %d, ", elv_model_n_node(model),
           elv_model_nq(model), elv_model_nv(model));
    json_named_number("mass", elv_model_mass(model));
    printf(",\n  ");
    json_vec3("gravity", elv_model_gravity(model));
    printf(",\n");
    json_nodes(model);
    cli_info_fluid_json(model);
    json_devices(model);
    json_loops(info);
    json_class(info);
    json_start(info);
    json_simulate(info);
    json_signals(info);
    printf("}\n");
}
