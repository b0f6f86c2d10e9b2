// SPDX-License-Identifier: Apache-2.0
// Energies and momenta: their rates along any motion against the power of the efforts and the
// resultant of the outer forces, on random trees; closed forms of a bent, stretched, twisted and of
// a turning rod.
#include "linalg/quadrature.h"
#include "rod/rod_active.h"

#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 60 : 200, N_MEASURE = 12 };

// rates by differences, with nodes enough to resolve the rods
static const double TOL = 1e-9;

/// Everything that elv_energy and elv_momentum say, as one array: kinetic, elastic, gravity, then
/// linear and angular momentum and mass times centre.
static void measure(const Robot* robot, const ElvState* state, double out[N_MEASURE]) {
    ElvEnergy energy = elv_energy(robot->model, robot->data, state);
    ElvMomentum momentum = elv_momentum(robot->model, robot->data, state);
    ElvVec3 moment = elv_vec3_scale(momentum.mass, momentum.center);
    double all[N_MEASURE] = {energy.kinetic,     energy.elastic,     energy.gravity,
                             momentum.linear.x,  momentum.linear.y,  momentum.linear.z,
                             momentum.angular.x, momentum.angular.y, momentum.angular.z,
                             moment.x,           moment.y,           moment.z};
    memcpy(out, all, sizeof all);
}

// their rates along (q_dot, a): central differences, extrapolated twice
static void measure_rate(const Robot* robot, double rate[N_MEASURE]) {
    ElvState* moved = copy_state(robot, robot->state);
    double row[3][N_MEASURE], behind[N_MEASURE];
    double h0 = 0.02 / (1.0 + 0.1 * array_norm(robot->state->a, robot->nv));
    for (int i = 0; i < 3; i++) {
        double h = h0 * pow(0.5, i);
        advance_state(robot, robot->state, h, moved);
        measure(robot, moved, row[i]);
        advance_state(robot, robot->state, -h, moved);
        measure(robot, moved, behind);
        for (int k = 0; k < N_MEASURE; k++) {
            row[i][k] = (row[i][k] - behind[k]) / (2.0 * h);
        }
    }
    for (int k = 0; k < N_MEASURE; k++) {
        double once = (4.0 * row[1][k] - row[0][k]) / 3.0;
        double twice = (4.0 * row[2][k] - row[1][k]) / 3.0;
        rate[k] = (16.0 * twice - once) / 15.0;
    }
    elv_state_free(moved);
}

static RandomOptions fine_options(uint64_t seed) {
    // pieces of a rod are short, smooth rods in one piece are long
    bool is_smooth = seed % 2 == 0;
    RandomOptions options = {.n_element_max = 4,
                             .nodes = is_smooth ? 24 : 16,
                             .is_smooth = is_smooth,
                             .has_gravity = true,
                             .has_added_mass = true,
                             .has_rotors = true};
    return options;
}

// ---- power on any motion: IDM v = d/dt (T + U_gravity), Upsilon v = -d/dt U_elastic

static void check_power(uint64_t seed) {
    RandomOptions options = fine_options(seed);
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    const double* v = robot.state->v;
    double rate[N_MEASURE];
    double* tau = new_array(robot.nv);
    double* upsilon = new_array(robot.nv);
    measure_rate(&robot, rate);
    elv_idm(robot.model, robot.data, robot.state, tau);
    elv_internal_efforts(robot.model, robot.data, robot.state, upsilon);
    double speed = array_norm(v, robot.nv);
    double scale = (array_norm(tau, robot.nv) + 1.0) * speed;
    CHECK_BOUND(fabs(rate[0] + rate[2] - array_dot(tau, v, robot.nv)), TOL * scale, seed);
    scale = (array_norm(upsilon, robot.nv) + 1.0) * speed;
    CHECK_BOUND(fabs(rate[1] + array_dot(upsilon, v, robot.nv)), TOL * scale, seed);
    free(tau);
    free(upsilon);
    robot_free(&robot);
}

static void test_power(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_power(seed);
    }
}

// ---- momentum: p = m d/dt(centre); falling freely, d/dt p = m g and d/dt L = centre x m g

static void check_momentum(uint64_t seed) {
    RandomOptions options = fine_options(seed);
    options.is_floating = true;
    options.has_added_mass = false;
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    double rate[N_MEASURE], now[N_MEASURE];
    measure(&robot, robot.state, now);
    measure_rate(&robot, rate);
    CHECK_BOUND(array_distance(rate + 9, now + 3, 3), TOL * array_norm(now + 3, 3), seed);
    ElvError error;
    CHECK_STATUS(elv_forward_dynamics(robot.model, robot.data, robot.state, &error), &error);
    measure_rate(&robot, rate);
    ElvMomentum momentum = elv_momentum(robot.model, robot.data, robot.state);
    CHECK_BOUND(fabs(momentum.mass - elv_model_mass(robot.model)), 1e-13 * momentum.mass, seed);
    ElvVec3 weight = elv_vec3_scale(momentum.mass, elv_model_gravity(robot.model));
    ElvVec3 torque = elv_vec3_cross(momentum.center, weight);
    double expected[6] = {weight.x, weight.y, weight.z, torque.x, torque.y, torque.z};
    // inner forces cancel in the sum: they set the scale
    double a_norm = array_norm(robot.state->a, robot.nv);
    double scale = array_norm(expected, 6) + momentum.mass * a_norm;
    CHECK_BOUND(array_distance(rate + 3, expected, 6), TOL * scale, seed);
    robot_free(&robot);
}

static void test_momentum(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_momentum(seed);
    }
}

// ---- actuation stress: its power is minus the integral of Lambda_ad . xi_dot

static double stress_power(const Robot* robot, int i_node) {
    enum { N_GAUSS = 12 };
    const ElvNode* node = &robot->model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    double x[N_GAUSS], w[N_GAUSS], power = 0.0;
    double* ahead = new_array(node->joint->n_q);
    const double* q = robot->state->q + node->i_q;
    elv_gauss_legendre(N_GAUSS, x, w);
    for (int k = 0; k < node->joint->n_v; k++) {
        ahead[k] = q[k] + robot->state->v[node->i_v + k];
    }
    for (int i = 0; i < rod->n_segment * N_GAUSS; i++) {
        const ElvRodSegment* seg = &rod->segment[i / N_GAUSS];
        double s = seg->s0 + (seg->s1 - seg->s0) * x[i % N_GAUSS];
        // strains are affine in q: a unit of time changes them by xi_dot
        double rate[6], now[6];
        elv_twist_to_array(elv_rod_strain_at(rod, ahead, s), rate);
        elv_twist_to_array(elv_rod_strain_at(rod, q, s), now);
        for (int l = 0; rod->active && l < rod->active->fields.n_stress; l++) {
            const ElvRodField* field = &rod->active->fields.stress[l];
            bool acts = s > field->from && s < field->to;
            for (int k = 0; k < 6 && acts; k++) {
                double stress = elv_law_value(field->law[k], robot->state->t, s);
                power -= w[i % N_GAUSS] * seg->h * stress * (rate[k] - now[k]);
            }
        }
    }
    free(ahead);
    return power;
}

static void test_stress(void** context) {
    (void)context;
    RandomOptions options = random_options();
    int n_stress = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        CheckRandom r = check_random(seed);
        Robot robot = random_tree(&r, &options);
        random_state(&r, &robot, 1.0);
        double* loaded = new_array(robot.nv);
        double* upsilon = new_array(robot.nv);
        double power = 0.0;
        for (int j = 0; j < robot.model->n_node; j++) {
            if (robot.model->node[j].info.is_rod) {
                power += stress_power(&robot, j);
                const ElvRod* rod = (const ElvRod*)robot.model->node[j].joint;
                n_stress += rod->active ? rod->active->fields.n_stress : 0;
            }
        }
        // stress fields act while t < 1
        elv_internal_efforts(robot.model, robot.data, robot.state, loaded);
        robot.state->t = 1.5;
        elv_internal_efforts(robot.model, robot.data, robot.state, upsilon);
        double scale = array_norm(loaded, robot.nv) * array_norm(robot.state->v, robot.nv);
        double found = array_dot(loaded, robot.state->v, robot.nv) -
                       array_dot(upsilon, robot.state->v, robot.nv);
        CHECK_BOUND(fabs(found - power), 1e-11 * scale, seed);
        free(loaded);
        free(upsilon);
        robot_free(&robot);
    }
    CHECK_TRUE(n_stress > 20);
}

// ---- closed forms on a straight uniform rod

enum { L_CM = 80 };

static Robot uniform_rod(ElvJointType joint) {
    ElvElementDef element = elv_element_def_default();
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        element.modes[k] = 1;
    }
    ElvRodDef def = elv_rod_def_default();
    def.name = "rod";
    def.length = 0.01 * L_CM;
    def.section.kind = ELV_SECTION_RECTANGLE;
    def.section.outer[0] = elv_law_def_value(0.02);
    def.section.outer[1] = elv_law_def_value(0.03);
    def.section.shear_factor = elv_law_def_value(0.8);
    def.material.density = 1000.0;
    def.material.young = 1e6;
    def.material.poisson = 0.25;
    def.joint.type = joint;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        def.material.damping[k] = 0.01 * (k + 1);
    }
    def.element = &element;
    def.n_element = 1;
    ElvSpec* spec = new_spec();
    elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -10.0));
    add_rod(spec, &def);
    return robot_compile(spec);
}

// 1/2 H xi^2 l for each strain alone, and the damping mu H xi_dot l
static void test_elastic_rod(void** context) {
    (void)context;
    Robot robot = uniform_rod(ELV_JOINT_FIXED);
    double l = 0.01 * L_CM, E = 1e6, G = 0.4e6, A = 6e-4;
    double I_y = A * 0.03 * 0.03 / 12.0, I_z = A * 0.02 * 0.02 / 12.0;
    double H[6] = {G * (I_y + I_z), E * I_y, E * I_z, E * A, 0.8 * G * A, 0.8 * G * A};
    for (int k = 0; k < 6; k++) {
        double upsilon[6], expected[6] = {0.0};
        memset(robot.state->q, 0, 6 * sizeof(double));
        memset(robot.state->v, 0, 6 * sizeof(double));
        robot.state->q[k] = 0.3;
        robot.state->v[k] = 0.7;
        ElvEnergy energy = elv_energy(robot.model, robot.data, robot.state);
        elv_internal_efforts(robot.model, robot.data, robot.state, upsilon);
        CHECK_NEAR(energy.elastic, 0.5 * H[k] * 0.09 * l, 1e-14 * H[k]);
        expected[k] = -H[k] * l * (0.3 + 0.01 * (k + 1) * 0.7);
        CHECK_ARRAY_NEAR(upsilon, expected, 6, 1e-13 * H[k]);
    }
    robot_free(&robot);
}

// turning about its root as a rigid rod: T = 1/2 (m l^2/3 + rho I l) w^2, p = m w l/2, and lying at
// height z: U = m g z
static void test_turning_rod(void** context) {
    (void)context;
    Robot robot = uniform_rod(ELV_JOINT_FREE);
    double l = 0.01 * L_CM, A = 6e-4, m = 1000.0 * A * l, w = 3.0;
    double J = m * l * l / 3.0 + 1000.0 * l * A * 0.02 * 0.02 / 12.0;
    robot.state->q[5] = 2.0;
    robot.state->q[6] = 5.0;
    robot.state->v[2] = w;
    ElvEnergy energy = elv_energy(robot.model, robot.data, robot.state);
    ElvMomentum momentum = elv_momentum(robot.model, robot.data, robot.state);
    CHECK_NEAR(energy.kinetic, 0.5 * J * w * w, 1e-13);
    CHECK_NEAR(energy.elastic, 0.0, 0.0);
    CHECK_NEAR(energy.gravity, 10.0 * m * 5.0, 1e-12);
    CHECK_NEAR(momentum.mass, m, 1e-14);
    // velocity of the centre (0, w l/2, 0) at (l/2, 2, 5): L = J w z + r_root x p
    double p = m * w * l / 2.0;
    double linear[3] = {momentum.linear.x, momentum.linear.y, momentum.linear.z};
    double angular[3] = {momentum.angular.x, momentum.angular.y, momentum.angular.z};
    double center[3] = {momentum.center.x, momentum.center.y, momentum.center.z};
    CHECK_ARRAY_NEAR(linear, ((double[3]){0.0, p, 0.0}), 3, 1e-14);
    CHECK_ARRAY_NEAR(angular, ((double[3]){-5.0 * p, 0.0, J * w}), 3, 1e-13);
    CHECK_ARRAY_NEAR(center, ((double[3]){0.5 * l, 2.0, 5.0}), 3, 1e-14);
    robot_free(&robot);
}

// ---- laws with kinks: a rod of varying width, weighed and pushed

// width along y from the table (0, 0.02), (0.3, 0.05), (1, 0.01): mean 0.0315; pushed by a uniform
// force from 0.2 to 0.6
static Robot tapered_rod(ElvAxes axes) {
    static const double s[3] = {0.0, 0.3, 1.0};
    static const double width[3] = {0.02, 0.05, 0.01};
    ElvError error;
    ElvElementDef element = elv_element_def_default();
    ElvRodDef def = elv_rod_def_default();
    def.name = "rod";
    def.length = 2.0;
    def.joint = free_joint();
    def.section.kind = ELV_SECTION_RECTANGLE;
    def.section.outer[0] = elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_LINEAR, s, width, 3);
    def.section.outer[1] = elv_law_def_value(0.1);
    def.material.density = 500.0;
    def.material.young = 1e6;
    def.element = &element;
    def.n_element = 1;
    ElvDistributedDef load = elv_distributed_def_default();
    load.rod = "rod";
    load.from = 0.2;
    load.to = 0.6;
    load.axes = axes;
    load.wrench[4] = elv_law_def_value(3.0);
    ElvSpec* spec = new_spec();
    add_rod(spec, &def);
    CHECK_STATUS(elv_spec_add_distributed(spec, &load, &error), &error);
    return robot_compile(spec);
}

static void test_tapered_rod(void** context) {
    (void)context;
    for (int i = 0; i < 2; i++) {
        ElvAxes axes = i == 0 ? ELV_AXES_WORLD : ELV_AXES_LOCAL;
        Robot robot = tapered_rod(axes);
        CHECK_NEAR(elv_model_mass(robot.model), 500.0 * 2.0 * 0.1 * 0.0315, 1e-14);
        // turned by 0.5 about z; at rest the root holds minus 3 * 0.8 N, whose line is at X = 0.8
        robot.state->q[0] = cos(0.25);
        robot.state->q[3] = sin(0.25);
        double x = axes == ELV_AXES_WORLD ? 2.4 * sin(0.5) : 0.0;
        double y = axes == ELV_AXES_WORLD ? 2.4 * cos(0.5) : 2.4;
        double tau[6];
        const double expected[6] = {0.0, 0.0, -0.8 * y, -x, -y, 0.0};
        elv_idm(robot.model, robot.data, robot.state, tau);
        CHECK_ARRAY_NEAR(tau, expected, 6, 1e-14);
        robot_free(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power),       cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_stress),      cmocka_unit_test(test_elastic_rod),
        cmocka_unit_test(test_turning_rod), cmocka_unit_test(test_tapered_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
