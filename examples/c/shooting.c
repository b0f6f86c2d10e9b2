// SPDX-License-Identifier: Apache-2.0
// A rod without modes: equilibria by shooting, and their stability.
//
// A moment M at the tip of a clamped rod bends it into an arc of the angle M L/(EI). Twice 2 pi EI/L rolls it up two times:
// the tip is back at the root. The program raises the moment step by step, prints where the tip is, and fails if it does
// not end there, or if that is not stable.
#include <elver/elver.h>

#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

// bending stiffness 1 N m^2, length 1 m; t is the load
static const char MODEL[] = "elver: 1\n"
                            "tree:\n"
                            "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 100, 100, 100],\n"
                            "     inertia: [1, 1, 1, 1, 1, 1], strain: {bend_z: 1}}\n"
                            "loads: [{torque: [0, 0, t], at: rod.tip}]\n";

// the equilibria at ten loads, each from the one before; the tip of the last
static ElvStatus roll_up(ElvShooting* shooting, ElvVec3* tip, ElvError* error) {
    printf("  M (N m)     x (m)     y (m)  iterations\n");
    for (int i = 1; i <= 10; i++) {
        double moment = 0.1 * i * 4.0 * PI;
        ElvStatus status = elv_shoot_statics(shooting, moment, error);
        if (status != ELV_OK) {
            return status;
        }
        ElvPose pose;
        elv_shoot_section(shooting, 0, 1.0, &pose, NULL, NULL);
        *tip = pose.p;
        printf("%9.4f  %+.6f  %+.6f  %d\n", moment, tip->x, tip->y,
               elv_shoot_report(shooting).last_iterations);
    }
    return ELV_OK;
}

int main(void) {
    ElvModel* model = NULL;
    ElvShooting* shooting = NULL;
    ElvConjugateReport report;
    ElvVec3 tip = elv_vec3(1.0, 0.0, 0.0);
    ElvError error;
    // which strains are free is all that shooting takes of the modes
    ElvStatus status = elv_model_read_text(MODEL, sizeof MODEL - 1, "rod", NULL, 0, &model, &error);
    if (status == ELV_OK) {
        ElvStaticsDef options = elv_statics_def_default();
        status = elv_shoot_create(model, &options, &shooting, &error);
    }
    if (status == ELV_OK) {
        status = roll_up(shooting, &tip, &error);
    }
    if (status == ELV_OK) {
        status = elv_conjugate_points_shooting(shooting, &report, &error);
    }

    if (status != ELV_OK) {
        char text[1024];
        elv_error_format(&error, text, sizeof text);
        fprintf(stderr, "shooting: %s\n", text);
    }
    bool is_right =
        status == ELV_OK && elv_vec3_norm(tip) < 1e-9 && report.stability == ELV_STABILITY_STABLE;
    elv_shoot_free(shooting);
    elv_model_free(model);
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
