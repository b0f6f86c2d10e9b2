// SPDX-License-Identifier: Apache-2.0
// What `elver gait` prints, for people and as JSON.
#include "gait.h"

#include <string.h>

enum { N_TEXT = 2 * ELV_SIZE_NAME };

// where constraints leave nothing free they alone decide
static const char* connection_of(const Gait* gait) {
    bool is_kinematic = gait->report.kind == ELV_LOCOMOTION_CONSTRAINED ||
                        gait->report.kind == ELV_LOCOMOTION_ACTUATED;
    return is_kinematic ? "kinematic" : gait_connection_names[gait->kind];
}

// what the printed numbers do not say; note k, or NULL where there are no more
static const char* note_of(const Gait* gait, int k) {
    ElvLocomotionClass kind = gait->report.kind;
    bool is_left = kind == ELV_LOCOMOTION_UNDER || kind == ELV_LOCOMOTION_MIXED;
    // there is something that it could be wrong about
    bool is_mechanical =
        gait->kind == ELV_CONNECTION_MECHANICAL && (gait->n_imposed > 0 || gait->has_gait);
    const struct {
        bool holds;
        const char* text;
    } note[] = {
        {gait->has_own,
         "connection and displacement are those of a motion without momentum along what is free; "
         "by dynamics: of the robot itself, from the velocities of the model"},
        {is_left && is_mechanical && !gait->has_own,
         "connection and cycle are those of a motion without momentum along what is free; that "
         "under dynamics is another one: elver run"},
        {kind == ELV_LOCOMOTION_FORCED && is_mechanical,
         "external forces act: connection and cycle are those of a motion from rest without them; "
         "that under forces is another one: elver run"},
        {gait->report.is_singular && gait->n_imposed > 0,
         "at the start constraints lose a direction: A there is that of the smallest motion, and "
         "there is no curvature"},
        {gait->has_gait && gait->gait.rel_tol > 1e-11,
         "the cycle is exact to a looser tolerance than 1e-11, as near a singular start"},
    };
    for (size_t i = 0; i < sizeof note / sizeof note[0]; i++) {
        if (note[i].holds && k-- == 0) {
            return note[i].text;
        }
    }
    return NULL;
}

// ---- constraints by name

// the next device with rows on the motion from i on; the number of devices: there is none
static int next_constraint(const ElvModel* model, int i) {
    while (i < elv_model_n_device(model) && elv_model_device(model, i).n_row == 0) {
        i++;
    }
    return i;
}

static bool is_wheel(const Gait* gait, const char* name) {
    bool is_it = false;
    for (int i = 0; i < elv_model_n_device(gait->loaded.model); i++) {
        ElvDeviceInfo device = elv_model_device(gait->loaded.model, i);
        is_it = is_it || (strcmp(device.kind, "wheel") == 0 && strcmp(device.name, name) == 0);
    }
    return is_it;
}

static void print_rows(const Gait* gait) {
    enum { MAX_SHOWN = 12 };
    const ElvModel* model = gait->loaded.model;
    const char* kind = "";
    int n = 0;
    for (int i = next_constraint(model, 0); i < elv_model_n_device(model);
         i = next_constraint(model, i + 1), n++) {
        ElvDeviceInfo device = elv_model_device(model, i);
        bool is_other = strcmp(device.kind, kind) != 0;
        if (n < MAX_SHOWN) {
            printf("%s%s%s%s %d", n > 0 ? ", " : "  rows          ", is_other ? device.kind : "",
                   is_other ? " " : "", device.name, device.n_row);
        }
        kind = device.kind;
    }
    if (n > MAX_SHOWN) {
        printf(" and %d more", n - MAX_SHOWN);
    }
    printf("%s", n > 0 ? "\n" : "");
}

static void json_rows(const Gait* gait) {
    const ElvModel* model = gait->loaded.model;
    int n = 0;
    printf(",\n  \"constraints\": [");
    for (int i = next_constraint(model, 0); i < elv_model_n_device(model);
         i = next_constraint(model, i + 1)) {
        ElvDeviceInfo device = elv_model_device(model, i);
        printf("%s{\"kind\": \"%s\", \"name\": ", n++ > 0 ? ", " : "", device.kind);
        cli_json_text(stdout, device.name);
        printf(", \"rows\": %d}", device.n_row);
    }
    printf("]");
}

// ---- for people

// turn about an axis, as a rotation vector
static ElvVec3 turn_of(const Gait* gait) {
    return elv_so3_log(gait->gait.net.R);
}

// no -0
static void print_number(double value) {
    printf(" %16.9g", value == 0.0 ? 0.0 : value);
}

// what the robot itself does in a cycle
static void print_own(const Gait* gait) {
    const ElvModel* model = gait->loaded.model;
    const ElvVec3* p = &gait->own.net.p;
    ElvVec3 turn = elv_so3_log(gait->own.net.R);
    enum { MAX_SHOWN = 8 };
    int n = 0;
    printf("  by dynamics   (%.9g, %.9g, %.9g) m\n", p->x, p->y, p->z);
    printf("  and turn      (%.9g, %.9g, %.9g) rad\n", turn.x, turn.y, turn.z);
    printf("  velocities   ");
    for (int k = 0; k < elv_model_nv(model) && n < MAX_SHOWN; k++) {
        char text[N_TEXT];
        if (!elv_model_is_driven(model, k)) {
            gait_name(model, k, text);
            printf(" %s %+.9g", text, gait->change[n++]);
        }
    }
    printf("%s\n", gait->n_free > MAX_SHOWN ? " ..." : "");
}

static void print_connection(const Gait* gait) {
    const ElvModel* model = gait->loaded.model;
    char text[N_TEXT];
    int n = 0;
    printf("\n%-20s", "connection A");
    for (int k = 0; k < elv_model_nv(model); k++) {
        gait_name(model, k, text);
        if (elv_model_is_driven(model, k)) {
            printf(" %16s", text);
        }
    }
    printf("%s%s\n", gait->F ? "        curvature" : "", gait->motors ? "           motors" : "");
    for (int k = 0; k < elv_model_nv(model); k++) {
        if (elv_model_is_driven(model, k)) {
            continue;
        }
        gait_name(model, k, text);
        printf("  %-18s", text);
        for (int j = 0; j < gait->n_imposed; j++) {
            print_number(gait->A[n * gait->n_imposed + j]);
        }
        if (gait->F) {
            print_number(gait->F[n]);
        }
        if (gait->motors) {
            print_number(gait->motors[n]);
        }
        printf("\n");
        n++;
    }
}

void gait_print_people(const Gait* gait) {
    const ElvLocomotionReport* report = &gait->report;
    const ElvGait* cycle = &gait->gait;
    enum { MAX_SHOWN = 8 };
    printf("%s\n", cli_model_title(&gait->loaded));
    printf("  class         %s\n", elv_locomotion_class_text(report->kind));
    printf("  reason        %s\n", report->reason);
    if (gait->compatibility.is_compatible) {
        printf("  compatible    yes\n");
    } else {
        printf("  compatible    no: '%s' would have to slip by %.3g %s at t = %.9g s\n",
               gait->compatibility.constraint, gait->compatibility.slip,
               is_wheel(gait, gait->compatibility.constraint) ? "m/s" : "m/s or rad/s",
               gait->compatibility.t);
    }
    printf("  group         %s\n", report->group[0] ? report->group : "none");
    print_rows(gait);
    printf("  connection    %s, %d free and %d imposed velocities\n", connection_of(gait),
           gait->n_free, gait->n_imposed);
    if (gait->has_gait) {
        ElvVec3 turn = turn_of(gait);
        printf("  cycle         %.9g s%s\n", cycle->period,
               cycle->opening > 1e-9 ? ", not closed" : "");
        printf("  displacement  (%.9g, %.9g, %.9g) m\n", cycle->net.p.x, cycle->net.p.y,
               cycle->net.p.z);
        printf("  turn          (%.9g, %.9g, %.9g) rad\n", turn.x, turn.y, turn.z);
        if (gait->has_own) {
            print_own(gait);
        }
    } else {
        printf("  cycle         none: %s\n", gait->no_gait);
    }
    for (int k = 0; note_of(gait, k); k++) {
        printf("  note          %s\n", note_of(gait, k));
    }
    if (gait->A && gait->n_imposed > MAX_SHOWN) {
        printf("  A             %d columns: see --json, or -o FIELD.csv for two of them\n",
               gait->n_imposed);
    } else if (gait->A && gait->n_imposed > 0) {
        print_connection(gait);
    }
    if (gait->options.out) {
        fprintf(stderr, "  field     %s\n", gait->options.out);
    }
    if (gait->plot[0]) {
        fprintf(stderr, "  plot      %s\n", gait->plot);
    }
}

// ---- as JSON

static void json_notes(const Gait* gait) {
    if (!gait->has_gait) {
        printf(",\n  \"no_cycle\": ");
        cli_json_text(stdout, gait->no_gait);
    }
    printf(",\n  \"notes\": [");
    for (int k = 0; note_of(gait, k); k++) {
        printf("%s", k > 0 ? ", " : "");
        cli_json_text(stdout, note_of(gait, k));
    }
    printf("]");
}

static void json_matrix(const Gait* gait) {
    printf(",\n  \"A\": [");
    for (int i = 0; i < gait->n_free && gait->A; i++) {
        printf("%s\n    ", i > 0 ? "," : "");
        cli_json_numbers(stdout, gait->A + i * gait->n_imposed, (size_t)gait->n_imposed);
    }
    printf("]");
    if (gait->F) {
        printf(",\n  \"curvature\": ");
        cli_json_numbers(stdout, gait->F, (size_t)gait->n_free);
    }
    if (gait->motors) {
        printf(",\n  \"motors\": ");
        cli_json_numbers(stdout, gait->motors, (size_t)gait->n_free);
    }
}

// what the robot itself does in a cycle
static void json_own(const Gait* gait) {
    const ElvVec3* p = &gait->own.net.p;
    ElvVec3 turn = elv_so3_log(gait->own.net.R);
    const double displacement[] = {p->x, p->y, p->z}, rotation[] = {turn.x, turn.y, turn.z};
    printf(",\n  \"dynamics\": {\"displacement\": ");
    cli_json_numbers(stdout, displacement, 3);
    printf(", \"turn\": ");
    cli_json_numbers(stdout, rotation, 3);
    printf(", \"velocity_change\": ");
    cli_json_numbers(stdout, gait->change, (size_t)gait->n_free);
    printf("}");
}

static void json_names(const Gait* gait, const char* key, bool is_imposed) {
    const ElvModel* model = gait->loaded.model;
    int n = 0;
    printf(",\n  \"%s\": [", key);
    for (int k = 0; k < elv_model_nv(model); k++) {
        char text[N_TEXT];
        if (elv_model_is_driven(model, k) == is_imposed) {
            gait_name(model, k, text);
            printf("%s", n++ > 0 ? ", " : "");
            cli_json_text(stdout, text);
        }
    }
    printf("]");
}

void gait_print_json(const Gait* gait) {
    const ElvLocomotionReport* report = &gait->report;
    printf("{\n  \"model\": ");
    cli_json_text(stdout, elv_model_name(gait->loaded.model));
    printf(",\n  \"class\": ");
    cli_json_text(stdout, elv_locomotion_class_text(report->kind));
    printf(",\n  \"reason\": ");
    cli_json_text(stdout, report->reason);
    printf(",\n  \"compatible\": %s", gait->compatibility.is_compatible ? "true" : "false");
    if (!gait->compatibility.is_compatible) {
        printf(",\n  \"slips\": ");
        cli_json_text(stdout, gait->compatibility.constraint);
        printf(",\n  \"slip\": ");
        cli_json_number(stdout, gait->compatibility.slip);
    }
    printf(",\n  \"group\": ");
    cli_json_text(stdout, report->group);
    json_rows(gait);
    printf(",\n  \"connection\": \"%s\"", connection_of(gait));
    json_names(gait, "free", false);
    json_names(gait, "imposed", true);
    json_matrix(gait);
    if (gait->has_gait) {
        ElvVec3 turn = turn_of(gait);
        const ElvVec3* p = &gait->gait.net.p;
        const double displacement[] = {p->x, p->y, p->z}, rotation[] = {turn.x, turn.y, turn.z};
        printf(",\n  \"period\": ");
        cli_json_number(stdout, gait->gait.period);
        printf(",\n  \"opening\": ");
        cli_json_number(stdout, gait->gait.opening);
        printf(",\n  \"displacement\": ");
        cli_json_numbers(stdout, displacement, 3);
        printf(",\n  \"turn\": ");
        cli_json_numbers(stdout, rotation, 3);
    }
    if (gait->has_own) {
        json_own(gait);
    }
    json_notes(gait);
    printf("\n}\n");
}
