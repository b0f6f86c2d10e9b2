// SPDX-License-Identifier: Apache-2.0
// `elver statics`: whether equilibria are stable. With modes the tangent stiffness tells, and where a load has no potential the
// motion about the equilibrium. By shooting conjugate points and the stiffness of sections tell; where they do not, the
// modes nearest to the equilibrium.
#include "statics.h"

// ---- rows

bool statics_is_shooting(const Statics* statics) {
    return elv_model_statics(statics->run.loaded.model).method == ELV_STATICS_SHOOTING &&
           !statics->is_path;
}

ElvStatus statics_append_column(Statics* statics, ElvError* error) {
    if (!statics->is_path && !statics->has_stability) {
        return ELV_OK;
    }
    bool is_shooting = statics_is_shooting(statics);
    return elv_signals_append(statics->run.signals,
                              is_shooting ? "unstable_directions" : "stability",
                              is_shooting ? "-" : "rad^2/s^2", error);
}

double statics_judge_row(Statics* statics, const ElvModel* model, const ElvState* state) {
    if (statics_is_shooting(statics)) {
        const ElvConjugateReport* own = &statics->report.conjugate;
        bool is_known = statics->report.has_conjugate && own->stability != ELV_STABILITY_UNKNOWN;
        statics->n_undecided += is_known ? 0 : 1;
        // without stiffness there are endless many
        return !is_known ? -1.0 : own->is_stiff ? own->n_negative : elv_model_nv(model);
    }
    // a row without it is a row; its eigenvalue is then zero
    ElvStabilityReport report;
    ElvError error;
    if (elv_stability(model, state, &report, &error) != ELV_OK) {
        statics->undecided = error;
        statics->n_undecided++;
    }
    return report.eigenvalue;
}

// ---- the last equilibrium

void statics_judge(Statics* statics) {
    Run* run = &statics->run;
    ElvError error;
    if (run->n_record == 0) {
        return;
    }
    statics->is_judged =
        elv_stability(run->loaded.model, run->state, &statics->stability, &error) == ELV_OK;
    if (!statics->is_judged) {
        statics->undecided = error;
    }
}

// conjugate points that decide
static const ElvConjugateReport* conjugate(const Statics* statics) {
    return statics->report.has_conjugate ? &statics->report.conjugate : NULL;
}

// whether the modes are asked: always but where conjugate points have decided
static bool asks_modes(const Statics* statics) {
    const ElvConjugateReport* own = conjugate(statics);
    return !own || (own->stability == ELV_STABILITY_UNKNOWN && !own->is_conservative);
}

// the solver's own verdict, and where it has none that of the motion
static ElvStability verdict(const Statics* statics) {
    ElvStability own = statics->report.stability;
    if (statics->report.loose) {
        return ELV_STABILITY_UNKNOWN;
    }
    bool is_open = own == ELV_STABILITY_UNKNOWN && asks_modes(statics);
    return is_open && statics->is_judged ? statics->stability.stability : own;
}

// stable without any eigenvalue: joints and tendons leave no motion
static bool is_held(const Statics* statics) {
    return statics->is_judged && statics->stability.stability == ELV_STABILITY_STABLE &&
           statics->stability.eigenvalue == 0.0;
}

static const char* describe_modes(const Statics* statics) {
    bool has_potential = !statics->is_judged || statics->stability.is_conservative;
    switch (verdict(statics)) {
    case ELV_STABILITY_STABLE:
        if (is_held(statics)) {
            return "stable: nothing is free to move";
        }
        return has_potential ? "stable: a minimum of the energy"
                             : "stable: no motion about it grows (a load has no potential)";
    case ELV_STABILITY_UNSTABLE:
        if (!has_potential) {
            return statics->stability.is_flutter ? "unstable: it flutters"
                                                 : "unstable: it moves away without oscillation";
        }
        return "unstable: 'statics: {method: relaxation}' from a shape beside it leads elsewhere";
    default:
        if (!statics->is_judged) {
            return "not decided";
        }
        return has_potential ? "not decided: something is free to move"
                             : "not decided: a load has no potential";
    }
}

// conjugate points one by one, from the tip to the root
static void print_points(const Statics* statics, const ElvConjugateReport* report) {
    for (int i = 0; i < report->n_point; i++) {
        const ElvConjugatePoint* point = &report->point[i];
        fprintf(stderr, "  conjugate  rod '%s' at s = %.9g",
                elv_model_node(statics->run.loaded.model, point->i_node).name, point->s);
        if (point->multiplicity > 1) {
            fprintf(stderr, ", in %d ways", point->multiplicity);
        }
        fprintf(stderr, "\n");
    }
}

static void print_conjugate(const Statics* statics, const ElvConjugateReport* report) {
    const char* plural = report->n_negative == 1 ? "" : "s";
    if (!report->is_stiff) {
        fprintf(stderr,
                "  stability  unstable: rod '%s' at s = %.9g has a strain that it does not resist "
                "(Legendre, Clebsch)\n",
                elv_model_node(statics->run.loaded.model, report->weak_node).name, report->weak_s);
        return;
    }
    switch (report->stability) {
    case ELV_STABILITY_STABLE:
        fprintf(stderr, "  stability  stable: no conjugate point, every section resists\n");
        break;
    case ELV_STABILITY_UNSTABLE:
        fprintf(stderr, "  stability  unstable: the energy falls in %d direction%s\n",
                report->n_negative, plural);
        break;
    default:
        fprintf(stderr, "  stability  not decided: %s\n",
                report->is_conservative ? "it is just being lost, or something is free to move"
                                        : "a load has no potential");
    }
    print_points(statics, report);
}

void statics_print_stability(const Statics* statics) {
    const ElvStaticsReport* report = &statics->report;
    const ElvConjugateReport* own = conjugate(statics);
    if (own) {
        print_conjugate(statics, own);
    }
    if (asks_modes(statics)) {
        fprintf(stderr, "  %-10s %s\n", own ? "modes" : "stability", describe_modes(statics));
    }
    if (report->loose) {
        fprintf(stderr, "             '%s' can move and meets no resistance\n", report->loose);
    }
    if (!statics->is_judged && asks_modes(statics)) {
        fprintf(stderr, "             %s\n", statics->undecided.message);
    }
    if (statics->n_undecided > 0) {
        fprintf(stderr, "  %d row%s without stability, where its column is %s\n",
                statics->n_undecided, statics->n_undecided == 1 ? "" : "s",
                statics_is_shooting(statics) ? "-1" : "zero");
    }
    if (statics->is_judged && !is_held(statics)) {
        fprintf(stderr,
                "  eigenvalue %.9g rad^2/s^2, the lowest of the stiffness against the "
                "mass%s\n",
                statics->stability.eigenvalue, own ? ", by modes" : "");
    }
}

// ---- as JSON

static void json_conjugate(const Statics* statics, const ElvConjugateReport* report) {
    const ElvModel* model = statics->run.loaded.model;
    printf(",\n  \"sections_resist\": %s", report->is_stiff ? "true" : "false");
    if (!report->is_stiff) {
        printf(",\n  \"weak_section\": {\"rod\": ");
        cli_json_text(stdout, elv_model_node(model, report->weak_node).name);
        printf(", \"s\": ");
        cli_json_number(stdout, report->weak_s);
        printf("}");
        return;
    }
    printf(",\n  \"conservative\": %s,\n  \"unstable_directions\": %d,\n  \"conjugate_points\": [",
           report->is_conservative ? "true" : "false", report->n_negative);
    for (int i = 0; i < report->n_point; i++) {
        const ElvConjugatePoint* point = &report->point[i];
        printf("%s\n    {\"rod\": ", i > 0 ? "," : "");
        cli_json_text(stdout, elv_model_node(model, point->i_node).name);
        printf(", \"s\": ");
        cli_json_number(stdout, point->s);
        printf(", \"multiplicity\": %d}", point->multiplicity);
    }
    printf("%s]", report->n_point > 0 ? "\n  " : "");
}

void statics_json_stability(const Statics* statics) {
    static const char* const name[] = {"unknown", "stable", "unstable"};
    cli_json_member_text("stability", name[verdict(statics)]);
    if (conjugate(statics)) {
        json_conjugate(statics, conjugate(statics));
    }
    if (statics->is_judged) {
        cli_json_member_number("eigenvalue", statics->stability.eigenvalue);
        cli_json_member_number("growth", statics->stability.growth);
        printf(",\n  \"flutter\": %s", statics->stability.is_flutter ? "true" : "false");
    }
}
