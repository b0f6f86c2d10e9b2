// SPDX-License-Identifier: Apache-2.0
// What `elver info --json` prints: one object with what the listing for people has (info_print.c), and of the
// method the options that it uses.
#include "info.h"

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
        printf(", \"space\": \"%s\", \"interpolation\": \"%s\"",
               cli_runge_name(simulate->finite.space),
               cli_history_name(simulate->finite.interpolation));
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
