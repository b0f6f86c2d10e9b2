// SPDX-License-Identifier: Apache-2.0
// The end of `elver run`: why it stopped early, what was done, where the results lie.
#include "run.h"

#include <math.h>
#include <string.h>

static bool is_implicit(const Run* run) {
    ElvMethod method = elv_model_simulate(run->loaded.model).method;
    return method != ELV_METHOD_EXPLICIT && method != ELV_METHOD_CONNECTION;
}

static bool is_strong(const Run* run) {
    return elv_method_is_strong(elv_model_simulate(run->loaded.model).method);
}

// what people usually have to change
static const char* remedy(const Run* run) {
    // methods without modes say themselves what may help
    if (is_strong(run)) {
        return NULL;
    }
    if (is_implicit(run) && run->status == ELV_ERROR_STEP) {
        return "try a smaller --step, material damping, --method generalized-alpha, or raise\n"
               "  simulate.max_steps or max_halvings; --every with a smaller interval shows the "
               "last "
               "moments";
    }
    switch (run->status) {
    case ELV_ERROR_NUMERIC:
        // a message that names a law has its own remedy
        if (run->error.field[0] != '\0') {
            return NULL;
        }
        return "look for a load or spring that grows too strong; if there is none, try tighter\n"
               "  tolerances (--rel-tol, --abs-tol) or a smaller --step";
    case ELV_ERROR_SINGULAR:
        // statics, implicit methods and those of first order say themselves what is missing
        return elv_model_simulate(run->loaded.model).method != ELV_METHOD_EXPLICIT
                   ? NULL
                   : "give the joint named above a mass or inertia to move, or a rotor_inertia";
    case ELV_ERROR_STEP:
        return "try looser tolerances (--rel-tol, --abs-tol), fewer modes or less stiffness, or "
               "raise\n"
               "  simulate.max_steps; --every with a smaller interval shows the last moments";
    case ELV_ERROR_FILE:
        return "make room on the disk, or write elsewhere with -o";
    default:
        return NULL;
    }
}

void run_print_failure(const Run* run) {
    if (cli_is_interrupted()) {
        cli_complain("run", CLI_FAILED, "interrupted at t = %.9g s of %.9g s, after %ld steps",
                     run->state->t, run->t_end, run->report.n_step);
    } else {
        char text[ELV_SIZE_MESSAGE + ELV_SIZE_FILE + 2 * ELV_SIZE_NAME];
        elv_error_format(&run->error, text, sizeof text);
        cli_complain("run", CLI_FAILED, "stopped at t = %.9g s of %.9g s, after %ld steps: %s: %s",
                     run->state->t, run->t_end, run->report.n_step, elv_status_text(run->status),
                     text);
        const char* hint = remedy(run);
        if (hint) {
            fprintf(stderr, "  %s\n", hint);
        }
    }
    if (run->n_record == 0) {
        fprintf(stderr, "  nothing was recorded\n");
    } else if (run->options.out && !run->is_csv) {
        fprintf(stderr, "  what was recorded until then is kept in %s\n", run->options.out);
    }
}

const char* run_shot_end(ElvShotEnd end) {
    static const char* const name[] = {
        [ELV_SHOT_FOUND] = NULL,
        [ELV_SHOT_DIVERGED] = "diverged",
        [ELV_SHOT_STEP] = "step too short",
        [ELV_SHOT_UNSOLVED] = "not solved",
        [ELV_SHOT_SINGULAR] = "singular",
        [ELV_SHOT_INACCURATE] = "inaccurate",
        [ELV_SHOT_STOPPED] = "stopped",
    };
    return name[end];
}

// ---- quantities at the end

typedef struct {
    ElvEnergy energy;
    ElvMomentum momentum;
    double total, change; // energy, J
} Final;

// from the state, or where that has no fields of rods from the last record
static bool measure_last(const Run* run, Final* final) {
    const ElvModel* model = run->loaded.model;
    if (is_strong(run)) {
        final->energy = run->energy_last;
        final->momentum = run->momentum_last;
        return true;
    }
    ElvData* data = NULL;
    if (elv_data_create(model, &data, NULL) != ELV_OK) {
        return false;
    }
    elv_kinematics(model, data, run->state);
    final->energy = elv_energy(model, data, run->state);
    final->momentum = elv_momentum(model, data, run->state);
    elv_data_free(data);
    return true;
}

static bool measure(const Run* run, Final* final) {
    if (!measure_last(run, final)) {
        return false;
    }
    const ElvEnergy* start = &run->energy_start;
    final->total = final->energy.kinetic + final->energy.elastic + final->energy.gravity;
    final->change =
        run->n_record > 0 ? final->total - (start->kinetic + start->elastic + start->gravity) : NAN;
    return true;
}

// ---- for people

enum { MAX_SIGNAL = 4 };

// whether a column has the given stem: "tip.position" of "tip.position.x"
static bool has_stem(const Run* run, int i, const char* stem, size_t n) {
    if (i < 0 || i >= run->n_column) {
        return false;
    }
    const char* name = elv_signals_column_name(run->signals, i);
    return strncmp(name, stem, n) == 0 && name[n] == '.' && !strchr(name + n + 1, '.');
}

// whether a signal was asked for as a whole, or by components
static bool is_recorded(const Run* run, const char* name, size_t n) {
    ElvRecordDef record = elv_model_record(run->loaded.model);
    for (int i = 0; i < record.n_signal; i++) {
        if (strlen(record.signal[i]) == n && memcmp(record.signal[i], name, n) == 0) {
            return true;
        }
    }
    return false;
}

// "tip.position", or "tip.position.x, z" for single components, and for those of one unit
static void print_label(const Run* run, RunGroup group) {
    const char* name = elv_signals_column_name(run->signals, group.first);
    fprintf(stderr, "  %.*s", (int)group.n_stem, name);
    bool is_part = has_stem(run, group.first - 1, name, group.n_stem) ||
                   has_stem(run, group.first + group.n, name, group.n_stem);
    if (strlen(name) == group.n_stem || (!is_part && is_recorded(run, name, group.n_stem))) {
        return;
    }
    for (int k = 0; k < group.n; k++) {
        const char* column = elv_signals_column_name(run->signals, group.first + k);
        fprintf(stderr, "%s%s", k > 0 ? ", " : ".", column + group.n_stem + 1);
    }
}

void run_print_signals(const Run* run) {
    int first = 0;
    for (int n_line = 0; first < run->n_column && n_line < MAX_SIGNAL; n_line++) {
        RunGroup group = run_next_group(run, first);
        print_label(run, group);
        fprintf(stderr, "  (");
        for (int k = 0; k < group.n; k++) {
            fprintf(stderr, "%s%.9g", k > 0 ? ", " : "", run->value[first + k]);
        }
        fprintf(stderr, ") %s\n", elv_signals_column_unit(run->signals, first));
        first += group.n;
    }
}

void run_print_closure(const ElvClosureReport* closure, const char* label) {
    bool is_dynamic = closure->drift > 0.0;
    if (closure->gap == 0.0 && !is_dynamic && closure->n_redundant == 0) {
        return;
    }
    if (closure->gap == 0.0 && is_dynamic) {
        // constraints on velocities alone
        fprintf(stderr, "  slips     at most %.2g m/s or rad/s", closure->drift);
    } else {
        fprintf(stderr, "%sopen by at most %.2g m or rad", label, closure->gap);
    }
    if (closure->gap != 0.0 && is_dynamic) {
        fprintf(stderr, ", velocities off by at most %.2g m/s or rad/s", closure->drift);
    }
    if (closure->opened > 1e-9) {
        fprintf(stderr, "; closed at the start from %.2g", closure->opened);
    }
    fprintf(stderr, "\n");
    if (closure->n_redundant > 0) {
        fprintf(stderr,
                "            %d redundant constraint%s (at '%s'%s): reactions are the smallest "
                "possible\n",
                closure->n_redundant, closure->n_redundant == 1 ? "" : "s", closure->redundant,
                closure->n_redundant == 1 ? "" : " among others");
    }
}

static void print_contacts(const ElvContactReport* contact) {
    int n_kept = contact->n_pull < ELV_CONTACT_PULL_MAX ? contact->n_pull : ELV_CONTACT_PULL_MAX;
    for (int i = 0; i < n_kept; i++) {
        const ElvContactPull* pull = &contact->pull[i];
        fprintf(stderr,
                "  contacts  '%s' would have to pull, first at t = %.6g s, with up to %.4g N at t "
                "= %.6g s\n",
                pull->contact, pull->t, pull->worst, pull->t_worst);
    }
    if (contact->n_pull > 0) {
        fprintf(stderr, "            they can only push: a preload of the contacts may help\n");
    }
    if (contact->has_preload) {
        fprintf(
            stderr,
            "  preload   beside the smallest reactions: contacts balance %.3g %% of it or more\n",
            100.0 * contact->preload_share);
    }
}

// instants at which constraints lose a direction: efforts there are no limits of those around
static void print_rank_loss(const ElvRankLossReport* report) {
    int n_kept = report->n < ELV_RANK_LOSS_MAX ? report->n : ELV_RANK_LOSS_MAX;
    for (int i = 0; i < n_kept; i++) {
        fprintf(stderr, "%s%.6g",
                i == 0 ? "  singular  constraints lose a direction at t = " : ", ", report->t[i]);
    }
    if (n_kept > 0) {
        fprintf(stderr, "%s s\n            efforts and reactions there are not limits\n",
                report->n > n_kept ? ", ..." : "");
    }
}

static void print_people(const Run* run, const Final* final) {
    const RunOptions* options = &run->options;
    double simulated = run->state->t - run->t_start;
    fprintf(stderr, "%s: t = %.9g to %.9g s\n", cli_model_title(&run->loaded), run->t_start,
            run->state->t);
    if (options->out && !run->is_csv && run->n_record > 0) {
        fprintf(stderr, "  results   %s (%zu record%s of %d column%s)\n", options->out,
                run->n_record, run->n_record == 1 ? "" : "s", run->n_column,
                run->n_column == 1 ? "" : "s");
    } else if (!options->out && !run->is_csv) {
        fprintf(stderr, "  results   not kept; -o FILE keeps them\n");
    }
    if (run->is_plotted) {
        fprintf(stderr, "  plot      %s\n", run->plot);
    }
    fprintf(stderr, "  steps     %ld accepted, %ld rejected, %ld evaluations\n", run->report.n_step,
            run->report.n_reject, run->report.n_evaluation);
    if (is_implicit(run)) {
        double n_step = run->report.n_step > 0 ? (double)run->report.n_step : 1.0;
        fprintf(stderr, "  Newton    %ld iterations (%.3g a step), %ld tangents, %ld steps cut",
                run->report.n_iteration, (double)run->report.n_iteration / n_step,
                run->report.n_jacobian, run->report.n_halving);
        // of a step that was accepted
        if (run->report.n_step > 0) {
            fprintf(stderr, ", last residual %.2g", run->report.last_residual);
        }
        fprintf(stderr, "\n");
    }
    run_print_shooting(run);
    run_print_closure(&run->report.closure, "  loops     ");
    print_contacts(&run->report.contact);
    print_rank_loss(&run->report.rank_loss);
    run_print_water(run);
    fprintf(stderr, "  CPU time  %.3g s", run->cpu);
    if (simulated > 0.0) {
        fprintf(stderr, ", %.3g s per simulated s", run->cpu / simulated);
    }
    fprintf(stderr,
            "\n  energy    %.9g J (kinetic %.6g, elastic %.6g, gravity %.6g), change %.3g J\n",
            final->total, final->energy.kinetic, final->energy.elastic, final->energy.gravity,
            final->change);
    run_print_work(run);
    fprintf(stderr, "  momentum  linear %.6g kg m/s, angular %.6g kg m^2/s (norms)\n",
            elv_vec3_norm(final->momentum.linear), elv_vec3_norm(final->momentum.angular));
    run_print_signals(run);
}

// ---- as JSON

static void json_vec3(const char* key, ElvVec3 x) {
    const double value[3] = {x.x, x.y, x.z};
    printf("\"%s\": ", key);
    cli_json_numbers(stdout, value, 3);
}

static void json_final(const Run* run, const Final* final) {
    const double energy[3] = {final->energy.kinetic, final->energy.elastic, final->energy.gravity};
    const char* const name[3] = {"kinetic", "elastic", "gravity"};
    printf(",\n  \"energy\": {");
    for (int i = 0; i < 3; i++) {
        printf("\"%s\": ", name[i]);
        cli_json_number(stdout, energy[i]);
        printf(", ");
    }
    printf("\"total\": ");
    cli_json_number(stdout, final->total);
    printf("}");
    cli_json_member_number("energy_change", final->change);
    run_json_work(run);
    printf(",\n  \"momentum\": {");
    json_vec3("linear", final->momentum.linear);
    printf(", ");
    json_vec3("angular", final->momentum.angular);
    printf("},\n  \"final\": {");
    for (int i = 0; i < run->n_column && run->n_record > 0; i++) {
        printf("%s\n    ", i > 0 ? "," : "");
        cli_json_text(stdout, elv_signals_column_name(run->signals, i));
        printf(": ");
        cli_json_number(stdout, run->value[i]);
    }
    printf("\n  }");
}

static void json_contacts(const ElvContactReport* contact) {
    int n_kept = contact->n_pull < ELV_CONTACT_PULL_MAX ? contact->n_pull : ELV_CONTACT_PULL_MAX;
    printf(",\n  \"pulls\": [");
    for (int i = 0; i < n_kept; i++) {
        const ElvContactPull* pull = &contact->pull[i];
        const double value[3] = {pull->t, pull->worst, pull->t_worst};
        const char* const name[3] = {"t", "worst", "t_worst"};
        printf("%s\n    {\"contact\": ", i > 0 ? "," : "");
        cli_json_text(stdout, pull->contact);
        for (int k = 0; k < 3; k++) {
            printf(", \"%s\": ", name[k]);
            cli_json_number(stdout, value[k]);
        }
        printf("}");
    }
    printf("]");
    cli_json_member_number("preload_share", contact->has_preload ? contact->preload_share : NAN);
}

static void print_json(const Run* run, const Final* final) {
    double simulated = run->state->t - run->t_start;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(run->loaded.model));
    cli_json_member_text("file", run->loaded.path);
    cli_json_member_text("out", run->n_record > 0 ? run->options.out : NULL);
    cli_json_member_text("plot", run->is_plotted ? run->plot : NULL);
    printf(",\n  \"complete\": %s", run->is_complete ? "true" : "false");
    cli_json_member_text("error", run->is_complete ? NULL : elv_status_text(run->status));
    cli_json_member_text("message", run->is_complete ? NULL : run->error.message);
    cli_json_member_number("t_start", run->t_start);
    cli_json_member_number("t_end", run->state->t);
    printf(",\n  \"records\": %zu,\n  \"columns\": %d", run->n_record, run->n_column);
    printf(",\n  \"steps\": %ld,\n  \"rejected\": %ld,\n  \"evaluations\": %ld", run->report.n_step,
           run->report.n_reject, run->report.n_evaluation);
    printf(",\n  \"newton_iterations\": %ld,\n  \"tangents\": %ld,\n  \"halvings\": %ld",
           run->report.n_iteration, run->report.n_jacobian, run->report.n_halving);
    cli_json_member_number("loop_gap", run->report.closure.gap);
    cli_json_member_number("loop_drift", run->report.closure.drift);
    printf(",\n  \"redundant_constraints\": %d", run->report.closure.n_redundant);
    json_contacts(&run->report.contact);
    const ElvRankLossReport* loss = &run->report.rank_loss;
    printf(",\n  \"rank_losses\": %d,\n  \"rank_loss_times\": ", loss->n);
    int n_loss = loss->n < ELV_RANK_LOSS_MAX ? loss->n : ELV_RANK_LOSS_MAX;
    cli_json_numbers(stdout, loss->t, (size_t)n_loss);
    run_json_water(run);
    run_json_strong(run);
    cli_json_member_number("cpu_s", run->cpu);
    cli_json_member_number("cpu_s_per_simulated_s", simulated > 0.0 ? run->cpu / simulated : 0.0);
    json_final(run, final);
    printf("\n}\n");
}

void run_print_summary(const Run* run) {
    Final final;
    if (run->options.is_json && measure(run, &final)) {
        print_json(run, &final);
    } else if (!run->options.is_quiet && run->n_record > 0 && measure(run, &final)) {
        print_people(run, &final);
    }
}
