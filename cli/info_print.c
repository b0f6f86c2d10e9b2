// SPDX-License-Identifier: Apache-2.0
// What `elver info` prints for people: the tree, its rods and devices, the start, the method and the signals.
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

const char* cli_runge_name(ElvRunge runge) {
    static const char* const names[ELV_N_RUNGE] = {"euler", "rk2", "rk4"};
    return names[runge];
}

const char* cli_history_name(ElvHistory history) {
    return history == ELV_HISTORY_CUBIC ? "cubic" : "linear";
}

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

static void print_implicit(const ElvSimulateDef* simulate) {
    if (simulate->method == ELV_METHOD_SHOOTING) {
        printf(", %d segments, %s, %s accelerations", simulate->shooting.segments,
               elv_method_name(simulate->scheme), simulate->has_accelerations ? "with" : "without");
    } else if (elv_method_is_strong(simulate->method)) {
        const ElvFiniteDef* finite = &simulate->finite;
        printf(", nodes %d, bdf%d, %s, %s interpolation", finite->nodes, finite->order,
               cli_runge_name(finite->space), cli_history_name(finite->interpolation));
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
    cli_info_devices(info);
    print_start(info);
    print_simulate(info);
    print_signals(info);
}
