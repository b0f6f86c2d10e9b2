// SPDX-License-Identifier: Apache-2.0
// A pendulum built through the C API, without a model file.
//
// A thin bar of length L on a hinge is let go at the angle theta. Its period is
//     T = 2 pi sqrt(2 L / (3 g)) / agm(1, cos(theta / 2)),
// with the arithmetic-geometric mean agm: after T the bar must be back. The program simulates one
// period, prints the angle at every tenth of it, and fails if the bar is not back at rest there.
#include <elver/elver.h>

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;
static const double LENGTH = 1.0; // m
static const double MASS = 2.0;   // kg
static const double GRAVITY = 9.81;
static const double ANGLE = 1.0; // rad

static double exact_period(void) {
    double a = 1.0;
    double b = cos(0.5 * ANGLE);
    while (fabs(a - b) > 1e-15) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * PI * sqrt(2.0 * LENGTH / (3.0 * GRAVITY)) / a;
}

// describe the bar; its frame lies at the hinge, its centre of mass half-way down
static ElvStatus build(ElvModel** model, ElvError* error) {
    double moment = MASS * LENGTH * LENGTH / 12.0;
    ElvBodyDef bar = elv_body_def_default();
    bar.name = "bar";
    bar.joint.type = ELV_JOINT_REVOLUTE;
    bar.joint.axis = elv_vec3(0.0, 1.0, 0.0);
    bar.joint.position[0] = ANGLE;
    bar.mass = MASS;
    bar.center = elv_vec3(0.0, 0.0, -0.5 * LENGTH);
    bar.inertia = elv_mat3_diag(moment, moment, 0.0);
    bar.has_inertia = true;

    ElvSpec* spec = NULL;
    ElvStatus status = elv_spec_create("pendulum", &spec, error);
    if (status == ELV_OK) {
        elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -GRAVITY));
        status = elv_spec_add_body(spec, &bar, error);
    }
    if (status == ELV_OK) {
        status = elv_spec_compile(spec, model, error);
    }
    elv_spec_free(spec);
    return status;
}

// called at every recording time; data holds the kinematics of the state
static bool print_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    (void)user;
    ElvEnergy energy = elv_energy(model, data, state);
    printf("%8.4f  %+.6f  %.9f\n", state->t, state->q[0], energy.kinetic + energy.gravity);
    return true;
}

int main(void) {
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvError error;
    double period = exact_period();
    ElvStatus status = build(&model, &error);
    if (status == ELV_OK) {
        status = elv_state_create(model, &state, &error);
    }
    if (status == ELV_OK) {
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        options.method.method = ELV_METHOD_EXPLICIT; // to the tolerance, in place of fixed steps
        options.record_every = 0.1 * period;
        options.t_end = period;
        options.record = print_record;
        printf("   t (s)   q (rad)    energy (J)\n");
        status = elv_simulate(model, state, &options, NULL, &error);
    }

    if (status != ELV_OK) {
        char text[1024];
        elv_error_format(&error, text, sizeof text);
        fprintf(stderr, "pendulum: %s\n", text);
    }
    bool is_back = status == ELV_OK && fabs(state->q[0] - ANGLE) < 1e-6 && fabs(state->v[0]) < 1e-5;
    elv_state_free(state);
    elv_model_free(model);
    return is_back ? 0 : 1;
}
