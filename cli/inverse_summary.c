// SPDX-License-Identifier: Apache-2.0
// What `elver inverse` says of its rows.
#include "inverse.h"

// ---- failures

void inverse_print_failure(const Inverse* inverse) {
    const Run* run = &inverse->run;
    if (cli_is_interrupted()) {
        cli_complain("inverse", CLI_FAILED, "interrupted after %zu rows", run->n_record);
    } else {
        cli_complain_error("inverse", CLI_FAILED, &run->error);
    }
    if (run->n_record == 0) {
        fprintf(stderr, "  there is no row\n");
    } else if (run->options.out && !run->is_csv) {
        fprintf(stderr, "  the rows until %s = %.9g%s are kept in %s\n",
                inverse->is_static ? "load" : "t", run->state->t, inverse->is_static ? "" : " s",
                run->options.out);
    }
}

void inverse_print_missed(const Inverse* inverse) {
    const ElvInverseReport* report = &inverse->report;
    if (report->n_missed == 0) {
        return;
    }
    bool is_pulled = elv_model_inverse(inverse->run.loaded.model).by == ELV_BY_TENSIONS;
    cli_complain("inverse", CLI_FAILED,
                 "%ld of %ld places are out of reach, the first one at load %.9g: the tip stays up "
                 "to %.6g m away; %s",
                 report->n_missed, report->n_sample, inverse->t_missed, report->worst.distance,
                 is_pulled ? "rows have the nearest point that was found (tip.distance), with "
                             "tensions that are not negative"
                           : "rows have how far it could be led (tip.distance)");
}

// ---- for people

// what tendons leave at most, beside the largest stress that was wanted of them
static double largest_residual(const ElvInverseReport* report) {
    return report->worst.wanted > 0.0 ? report->worst.left / report->worst.wanted : 0.0;
}

static void print_drives(const Inverse* inverse) {
    for (int i = 0; i < inverse->n_drive; i++) {
        fprintf(stderr, "  %s  at most %.6g %s, %.6g W\n",
                elv_signals_column_name(inverse->drives, i), inverse->effort[i],
                elv_signals_column_unit(inverse->drives, i), inverse->power[i]);
    }
}

static void print_kind(const Inverse* inverse) {
    const ElvInverseReport* report = &inverse->report;
    double cpu = inverse->run.cpu;
    switch (inverse->kind) {
    case ELV_INVERSE_STRAINS:
        if (report->n_step > 0) {
            fprintf(stderr, "  motion    %ld steps of the root\n", report->n_step);
        }
        fprintf(stderr, "  stress    error of the steps along the rods %.2g, CPU time %.3g s\n",
                report->worst.defect, cpu);
        if (inverse->n_own > 0) {
            fprintf(stderr, "  tensions  leave at most %.3g of the largest stress wanted\n",
                    largest_residual(report));
        }
        break;
    case ELV_INVERSE_TIP:
        fprintf(stderr,
                "  tip       at most %.3g m from its place, %ld equilibria, CPU time %.3g s\n",
                report->worst.distance, report->n_step, cpu);
        break;
    default:
        fprintf(stderr, "  motion    %ld steps, CPU time %.3g s\n", report->n_step, cpu);
        break;
    }
}

static void print_people(const Inverse* inverse) {
    const Run* run = &inverse->run;
    fprintf(stderr, "%s: %s %.9g to %.9g%s\n", cli_model_title(&run->loaded),
            inverse->is_static ? "load" : "t =", run->t_start, run->state->t,
            inverse->is_static ? "" : " s");
    if (run->options.out && !run->is_csv) {
        fprintf(stderr, "  results   %s (%zu record%s of %d column%s)\n", run->options.out,
                run->n_record, run->n_record == 1 ? "" : "s", run->n_column,
                run->n_column == 1 ? "" : "s");
    } else if (!run->options.out && !run->is_csv) {
        fprintf(stderr, "  results   not kept; -o FILE keeps them\n");
    }
    if (run->is_plotted) {
        fprintf(stderr, "  plot      %s\n", run->plot);
    }
    print_kind(inverse);
    print_drives(inverse);
}

// ---- as JSON

static void print_json_kind(const Inverse* inverse) {
    const ElvInverseReport* report = &inverse->report;
    if (inverse->kind == ELV_INVERSE_STRAINS) {
        cli_json_member_number("defect", report->worst.defect);
        if (inverse->n_own > 0) {
            cli_json_member_number("tensions_residual", largest_residual(report));
        }
    } else if (inverse->kind == ELV_INVERSE_TIP) {
        printf(",\n  \"missed\": %ld", report->n_missed);
        cli_json_member_number("largest_distance", report->worst.distance);
        cli_json_member_number("largest_angle", report->worst.angle);
    }
}

static void print_json(const Inverse* inverse) {
    const Run* run = &inverse->run;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(run->loaded.model));
    cli_json_member_text("file", run->loaded.path);
    cli_json_member_text("out", run->n_record > 0 ? run->options.out : NULL);
    cli_json_member_text("plot", run->is_plotted ? run->plot : NULL);
    printf(",\n  \"complete\": %s", run->is_complete ? "true" : "false");
    cli_json_member_text("error", run->is_complete ? NULL : elv_status_text(run->status));
    cli_json_member_text("message", run->is_complete ? NULL : run->error.message);
    cli_json_member_number(inverse->is_static ? "load_start" : "t_start", run->t_start);
    cli_json_member_number(inverse->is_static ? "load_end" : "t_end", run->state->t);
    printf(",\n  \"records\": %zu,\n  \"columns\": %d,\n  \"steps\": %ld", run->n_record,
           run->n_column, inverse->report.n_step);
    print_json_kind(inverse);
    cli_json_member_number("cpu_s", run->cpu);
    printf(",\n  \"drives\": {");
    for (int i = 0; i < inverse->n_drive && run->n_record > 0; i++) {
        printf("%s\n    ", i > 0 ? "," : "");
        cli_json_text(stdout, elv_signals_column_name(inverse->drives, i));
        printf(": {\"largest\": ");
        cli_json_number(stdout, inverse->effort[i]);
        printf(", \"power\": ");
        cli_json_number(stdout, inverse->power[i]);
        printf("}");
    }
    printf("\n  },\n  \"final\": {");
    for (int i = 0; i < run->n_column && run->n_record > 0; i++) {
        printf("%s\n    ", i > 0 ? "," : "");
        cli_json_text(stdout, elv_signals_column_name(run->signals, i));
        printf(": ");
        cli_json_number(stdout, run->value[i]);
    }
    printf("\n  }\n}\n");
}

void inverse_print_summary(const Inverse* inverse) {
    const Run* run = &inverse->run;
    if (run->options.is_json) {
        print_json(inverse);
    } else if (!run->options.is_quiet && run->n_record > 0) {
        print_people(inverse);
    }
}
