// SPDX-License-Identifier: Apache-2.0
// The balance of power of every robot in models/ that moves by its shape, along its run: the rate
// of its energy is the power of what is imposed on joints, strains and wheels, plus that of
// contacts, dampers and fluids.
//
// The rate of the energy is found without any effort: along the straight line q + h q_dot, v + h a
// in the coordinates, which has the tangent of the motion, energies and poses are differentiated by
// central differences of order 8. Powers of contacts are those of their wrenches on sections whose
// velocities are differences of poses, too. With steps of a millisecond and rates below 100/s
// truncation is below (0.1)^8/630, 2e-11; twice the step must not change it by more than a tenth of
// the tolerance. That is relative to the largest power of the run, of one joint, mode or contact:
// some snakes keep their energy, and the powers of their modes, a tenth of a watt, cancel.
#include "locomotion_case.h"

#include "multibody/model.h"
#include "multibody/rod_contact.h"
#include "multibody/spec.h"
#include "multibody/wheel.h"
#include "robot.h"

static const double TOL = 1e-9;
static const double STEP = 1e-3;

enum { N_SIDE = 4, CONTACT_MAX = 16, BODY_MAX = 4, INSTANT_MAX = 256 };

static const double WEIGHT[N_SIDE] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};

typedef struct {
    const char* name;
    const char* text; // of the model; NULL: it is in models/
    int n_instant;    // at even distances, and the start
    // reactions are infinite at its multiples, s: instants closer than 5 ms are not looked at; 0:
    // there are none
    double singular;
    bool is_viscous; // bodies without inertia: powers alone balance
} Runner;

typedef struct {
    const Runner* runner;
    const ElvSpec* spec;
    ElvData* data; // for differences
    ElvState* line;
    double* q_dot;
    int n;
    double rate[INSTANT_MAX];  // of the energy
    double rough[INSTANT_MAX]; // by twice the step
    double power[INSTANT_MAX]; // sum of all that puts in
    double largest;            // of the rates and all parts of the powers
} Balance;

/// What is differentiated: the energy, and poses of sections and of what they touch.
typedef struct {
    double energy;
    ElvPose section[CONTACT_MAX], obstacle[CONTACT_MAX];
    ElvPose body[BODY_MAX]; // of robots in fluids
} Sight;

// ---- along the line

static int contacts_of(const ElvModel* model, const ElvRodContact** contact) {
    int n = 0;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (strcmp(device->ops->kind, "contact") == 0 && device->n_z > 0 &&
            !device->is_differential) {
            CHECK_TRUE(n < CONTACT_MAX);
            contact[n++] = (const ElvRodContact*)device;
        }
    }
    return n;
}

static double station_of(const ElvState* state, const ElvRodContact* contact) {
    double given = elv_law_value(contact->station, state->t, 0.0);
    return fmin(fmax(contact->i_station >= 0 ? state->z[contact->i_station] : given, 0.0), 1.0);
}

// at a step h along the line; the same sections all the way
static Sight see_at(Balance* balance, const ElvModel* model, const ElvState* state, double h) {
    const ElvRodContact* contact[CONTACT_MAX];
    Sight sight;
    ElvState* line = balance->line;
    elv_state_copy(line, state);
    for (int i = 0; i < state->nq; i++) {
        line->q[i] = state->q[i] + h * balance->q_dot[i];
    }
    for (int i = 0; i < state->nv; i++) {
        line->v[i] = state->v[i] + h * state->a[i];
    }
    elv_kinematics(model, balance->data, line);
    int n = contacts_of(model, contact);
    for (int i = 0; i < n; i++) {
        double s = station_of(state, contact[i]);
        elv_rod_section(model, balance->data, line, contact[i]->i_node, s, &sight.section[i], NULL,
                        NULL);
        sight.obstacle[i] = elv_frame_pose(model, balance->data, contact[i]->on);
    }
    for (int i = 0; i < balance->spec->n_element && balance->runner->is_viscous; i++) {
        ElvFrame frame;
        CHECK_TRUE(i < BODY_MAX);
        CHECK_STATUS(elv_model_frame(model, balance->spec->element[i].body.name, &frame, NULL),
                     NULL);
        sight.body[i] = elv_frame_pose(model, balance->data, frame);
    }
    ElvEnergy energy = elv_energy(model, balance->data, line);
    sight.energy = energy.elastic + energy.gravity;
    sight.energy += balance->runner->is_viscous ? 0.0 : energy.kinetic;
    return sight;
}

// how the twist of a pose grows from two others
static ElvTwist
turn(ElvTwist eta, const ElvPose* g, const ElvPose* after, const ElvPose* before, double w) {
    ElvPose inverse = elv_pose_inverse(*g);
    eta = elv_twist_add_scaled(eta, w, elv_se3_log(elv_pose_compose(inverse, *after)));
    return elv_twist_add_scaled(eta, -w, elv_se3_log(elv_pose_compose(inverse, *before)));
}

/// Rates at the state: of the energy, and twists of sections relative to what they touch.
typedef struct {
    double energy;
    ElvTwist slip[CONTACT_MAX]; // in the axes of the section
    ElvTwist body[BODY_MAX];
} Rates;

static Rates rates_at(Balance* balance, const ElvModel* model, const ElvState* state, double h) {
    const ElvRodContact* contact[CONTACT_MAX];
    int n = contacts_of(model, contact);
    Rates rates = {0};
    ElvTwist section[CONTACT_MAX] = {0}, obstacle[CONTACT_MAX] = {0};
    Sight here = see_at(balance, model, state, 0.0);
    for (int k = 0; k < N_SIDE; k++) {
        Sight after = see_at(balance, model, state, (k + 1) * h);
        Sight before = see_at(balance, model, state, -(k + 1) * h);
        double w = WEIGHT[k] / h;
        rates.energy += w * (after.energy - before.energy);
        for (int i = 0; i < n; i++) {
            section[i] =
                turn(section[i], &here.section[i], &after.section[i], &before.section[i], w);
            obstacle[i] =
                turn(obstacle[i], &here.obstacle[i], &after.obstacle[i], &before.obstacle[i], w);
        }
        for (int i = 0; i < balance->spec->n_element && balance->runner->is_viscous; i++) {
            rates.body[i] = turn(rates.body[i], &here.body[i], &after.body[i], &before.body[i], w);
        }
    }
    for (int i = 0; i < n; i++) {
        ElvPose apart = elv_pose_compose(elv_pose_inverse(here.section[i]), here.obstacle[i]);
        rates.slip[i] = elv_twist_sub(section[i], elv_twist_transform(apart, obstacle[i]));
    }
    return rates;
}

// ---- powers

static void read_signal(const ElvModel* model,
                        ElvData* data,
                        const ElvState* state,
                        const ElvDevice* device,
                        const char* what,
                        double* value) {
    char name[128];
    const char* list[1] = {name};
    ElvSignals* signals = NULL;
    ElvError error;
    snprintf(name, sizeof name, "%s.%s.%s", device->ops->kind, device->name, what);
    CHECK_STATUS(elv_signals_create(model, list, 1, &signals, &error), &error);
    elv_signals_eval(signals, model, data, state, value);
    elv_signals_free(signals);
}

static double add(Balance* balance, double part) {
    balance->largest = fmax(balance->largest, fabs(part));
    return part;
}

// of drives and dampers
static double
own_power(Balance* balance, const ElvModel* model, ElvData* data, const ElvState* state) {
    double effort[GAIT_NV_MAX], with[GAIT_NV_MAX], without[GAIT_NV_MAX];
    double power = 0.0;
    CHECK_TRUE(state->nv <= GAIT_NV_MAX);
    elv_drive_efforts(model, data, state, effort);
    elv_state_copy(balance->line, state);
    elv_internal_efforts(model, balance->data, balance->line, with);
    memset(balance->line->v, 0, (size_t)state->nv * sizeof *state->v);
    elv_internal_efforts(model, balance->data, balance->line, without);
    for (int i = 0; i < state->nv; i++) {
        power += add(balance, (effort[i] + with[i] - without[i]) * state->v[i]);
    }
    return power;
}

// of contacts and motors of wheels
static double outer_power(Balance* balance,
                          const ElvModel* model,
                          ElvData* data,
                          const ElvState* state,
                          const Rates* rates) {
    const ElvRodContact* contact[CONTACT_MAX];
    double value[8], power = 0.0;
    for (int i = 0; i < contacts_of(model, contact); i++) {
        read_signal(model, data, state, &contact[i]->device, "wrench", value);
        power += add(balance, elv_power(rates->slip[i], elv_wrench_from_array(value)));
    }
    for (int i = 0; i < model->n_device; i++) {
        if (elv_device_is_wheel(model->device[i])) {
            read_signal(model, data, state, model->device[i], "power", value);
            power += add(balance, value[0]);
        }
    }
    return power;
}

// -R eta on eta, about the centres of bodies
static double viscous_power(Balance* balance, const Rates* rates) {
    double power = 0.0;
    for (int i = 0; i < balance->spec->n_element && balance->runner->is_viscous; i++) {
        const ElvBodyDef* body = &balance->spec->element[i].body;
        double eta[6];
        ElvTwist twist = rates->body[i];
        twist.lin = elv_vec3_add(twist.lin, elv_vec3_cross(twist.ang, body->center));
        elv_twist_to_array(twist, eta);
        for (int k = 0; k < 6; k++) {
            power -= add(balance, body->resistance[k] * eta[k] * eta[k]);
        }
    }
    return power;
}

static bool look(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Balance* balance = user;
    double period = balance->runner->singular;
    if (period > 0.0 && fabs(remainder(state->t, period)) < 5e-3) {
        return true;
    }
    int k = balance->n++;
    CHECK_TRUE(k < INSTANT_MAX);
    elv_state_rate(model, state, balance->q_dot);
    Rates rates = rates_at(balance, model, state, STEP);
    balance->rate[k] = add(balance, rates.energy);
    balance->rough[k] = rates_at(balance, model, state, 2.0 * STEP).energy;
    balance->power[k] = outer_power(balance, model, data, state, &rates) +
                        viscous_power(balance, &rates) + own_power(balance, model, data, state);
    return true;
}

// ---- runs

static void run(Balance* balance, const ElvModel* model) {
    ElvError error;
    ElvState* state = NULL;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_state_create(model, &balance->line, &error), &error);
    CHECK_STATUS(elv_data_create(model, &balance->data, &error), &error);
    balance->q_dot = calloc((size_t)state->nq, sizeof *balance->q_dot);
    CHECK_TRUE(balance->q_dot);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    // the first part of the run where that takes long
    options.record_every = options.method.duration / balance->runner->n_instant;
    options.t_end = IS_SANITIZED ? 3.0 * options.record_every : options.t_end;
    options.record = look;
    options.user = balance;
    CHECK_STATUS(elv_simulate(model, state, &options, NULL, &error), &error);
    free(balance->q_dot);
    elv_data_free(balance->data);
    elv_state_free(balance->line);
    elv_state_free(state);
}

static void check_runner(const Runner* runner) {
    ElvError error;
    ElvSpec* spec = NULL;
    ElvModel* model = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, runner->name);
    if (runner->text) {
        CHECK_STATUS(elv_spec_read_text(runner->text, strlen(runner->text), runner->name, NULL, 0,
                                        &spec, &error),
                     &error);
    } else {
        CHECK_STATUS(elv_spec_read_file(path, NULL, 0, &spec, &error), &error);
    }
    CHECK_STATUS(elv_spec_compile(spec, &model, &error), &error);
    Balance balance = {.runner = runner, .spec = spec};
    run(&balance, model);
    double off = 0.0, rough = 0.0, most = 0.0;
    for (int i = 0; i < balance.n; i++) {
        off = fmax(off, fabs(balance.power[i] - balance.rate[i]));
        rough = fmax(rough, fabs(balance.rough[i] - balance.rate[i]));
        most = fmax(most, fabs(balance.rate[i]));
    }
    print_message(
        "%-20s %3d instants, energy changes by up to %.2e W, largest power %.2e W, off by "
        "%.1e W, differences good to %.1e W\n",
        runner->name, balance.n, most, balance.largest, off, rough);
    CHECK_TRUE(balance.n >= (IS_SANITIZED ? 3 : runner->n_instant));
    CHECK_TRUE(balance.largest > 0.0);
    for (int i = 0; i < balance.n; i++) {
        CHECK_NEAR(balance.rough[i], balance.rate[i], 0.1 * TOL * balance.largest);
        CHECK_NEAR(balance.power[i], balance.rate[i], TOL * balance.largest);
    }
    elv_model_free(model);
    elv_spec_free(spec);
}

// ---- robots

// an anchor that sweeps along a worm whose wave runs faster and faster: it works on the sections
// that go by
static const char* const hasty_worm =
    "elver: 1\n"
    "tree:\n"
    "  - {body: head, joint: {prismatic: {axis: x}}}\n"
    "  - rod: worm\n"
    "    parent: head\n"
    "    length: 1\n"
    "    inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1]\n"
    "    strain: {stretch: 20}\n"
    "    motion: {stretch: \"1 + 0.5*sin(2*pi*(0.1*t^2 + 0.05*t - s))\"}\n"
    "constraints:\n"
    "  - {contact: anchor, rod: worm, type: anchor, station: \"mod(0.1*t^2 + 0.05*t + 0.25, 1)\"}\n"
    "simulate: {method: explicit, duration: 4, rel_tol: 1e-9, abs_tol: 1e-11}\n";

// a rod that bends by itself in the plane, through a ring that slides along it and is carried up
// and down; one joint has a damper, one a torque
static const char* const moving_ring =
    "elver: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - {body: gate, pose: {xyz: [0.3, 0, 0]}, joint: {prismatic: {axis: y, motion: "
    "\"0.1*sin(3*t)\"}},\n"
    "     mass: 2}\n"
    "  - {body: head, joint: {planar: {damping: 0.2}}, mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
    "  - {body: tail, parent: head, joint: {revolute: {axis: z, force: \"0.4*cos(5*t)\", damping: "
    "0.05}},\n"
    "     mass: 0.3, center: [-0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  - rod: arm\n"
    "    parent: head\n"
    "    length: 1\n"
    "    inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1]\n"
    "    strain: {bend_z: 12}\n"
    "    motion: {bend_z: \"0.8*sin(2*t)*sin(2*s + t)\"}\n"
    "constraints:\n"
    "  - {contact: ring, rod: arm, type: ring, station: 0.4, slides: true, on: gate}\n"
    "simulate: {method: explicit, duration: 0.5, rel_tol: 1e-9, abs_tol: 1e-11}\n";

// motors that are given a rotation, and one that is given a torque, on an uphill road
static const char* const motors =
    "elver: 1\n"
    "gravity: [-3, 0, 0]\n"
    "tree:\n"
    "  - {body: cart, joint: planar, mass: 5, center: [0.2, 0, 0], inertia: [0.4, 0.2, 0.3]}\n"
    "  - {body: fork, parent: cart, pose: {xyz: [0.6, 0, 0]}, joint: {revolute: {axis: z, motion: "
    "\"0.5*sin(2*t)\"}},\n"
    "     mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "frames:\n"
    "  - {name: hub, on: cart, pose: {xyz: [0, 0.2, 0]}}\n"
    "constraints:\n"
    "  - {wheel: back, at: hub, radius: 0.1, torque: \"0.6 + 0.5*cos(3*t)\"}\n"
    "  - {wheel: front, at: fork, radius: 0.15, rotation: \"4*t^2 + sin(t)\"}\n"
    "simulate: {method: explicit, duration: 2, rel_tol: 1e-9, abs_tol: 1e-11}\n";

static void test_balance(void** unused) {
    (void)unused;
    static const Runner runner[] = {
        {.name = "satellite", .n_instant = 50},
        {.name = "snakeboard", .n_instant = 50},
        {.name = "snake-wheeled", .n_instant = 50, .singular = 3.14159265358979323846},
        {.name = "mobile-manipulator", .n_instant = 50},
        {.name = "unicycle", .n_instant = 50},
        {.name = "car", .n_instant = 50},
        {.name = "two-axle", .n_instant = 50},
        {.name = "three-axle", .n_instant = 50},
        {.name = "earthworm", .n_instant = 50},
        {.name = "inchworm", .n_instant = 60},
        {.name = "snake-2d", .n_instant = 40},
        {.name = "snake-2d-turn", .n_instant = 20},
        {.name = "snake-2d-reissner", .n_instant = 40},
        {.name = "snake-3d-turn", .n_instant = 20},
        {.name = "snake-3d-spiral", .n_instant = 40},
        {.name = "falling-cat", .n_instant = 50},
        {.name = "imposed-wave", .n_instant = 50},
        {.name = "rod-locomotor", .n_instant = 50},
        {.name = "ellipse-swimmer", .n_instant = 50},
        {.name = "scallop", .n_instant = 50, .is_viscous = true},
        {.name = "three-link-swimmer", .n_instant = 50, .is_viscous = true},
        {.name = "hasty worm", .text = hasty_worm, .n_instant = 30},
        {.name = "moving ring", .text = moving_ring, .n_instant = 30},
        {.name = "motors", .text = motors, .n_instant = 30},
    };
    for (size_t i = 0; i < sizeof runner / sizeof runner[0]; i++) {
        check_runner(&runner[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
