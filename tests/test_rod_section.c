// SPDX-License-Identifier: Apache-2.0
// Sections of rods: their poses against the ports and against their own strains, and the internal
// wrench Lambda against the projection of the IDM, against statics, and at free ends.
#include "linalg/quadrature.h"
#include "rod/rod.h"

#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 40 : 150 };

static RandomOptions fine_options(uint64_t seed) {
    RandomOptions options = random_options();
    options.n_element_max = 4;
    options.is_smooth = seed % 2 == 0;
    options.nodes = options.is_smooth ? 24 : 16;
    return options;
}

static double pose_distance(ElvPose a, ElvPose b) {
    return array_distance((const double*)&a, (const double*)&b, 12);
}

// the section at a station is the port there
static void check_sections(const Robot* robot, int i_node, uint64_t seed) {
    const ElvNode* node = &robot->model->node[i_node];
    for (int i = 0; i < node->joint->n_port; i++) {
        int port = node->i_port + i;
        ElvFrame frame = {port, elv_pose_identity()};
        ElvPose g;
        elv_rod_section(robot->model, robot->data, robot->state, i_node,
                        robot->model->port[port].station, &g, NULL, NULL);
        ElvPose expected = elv_frame_pose(robot->model, robot->data, frame);
        CHECK_BOUND(pose_distance(g, expected), 1e-10, seed);
    }
}

static double twist_distance(ElvTwist a, ElvTwist b) {
    ElvTwist d = elv_twist_sub(a, b);
    return sqrt(elv_vec3_dot(d.ang, d.ang) + elv_vec3_dot(d.lin, d.lin));
}

// g' = g hat(xi): poses 2e-3 of a segment apart differ by exp(xi dX) up to terms of its square
static void check_strain(const Robot* robot, int i_node, uint64_t seed) {
    const ElvRod* rod = (const ElvRod*)robot->model->node[i_node].joint;
    for (int i = 0; i < rod->n_segment; i++) {
        const ElvRodSegment* seg = &rod->segment[i];
        double s = 0.5 * (seg->s0 + seg->s1);
        double ds = 1e-3 * (seg->s1 - seg->s0);
        ElvPose ahead, behind;
        ElvTwist xi;
        elv_rod_section(robot->model, robot->data, robot->state, i_node, s, NULL, &xi, NULL);
        elv_rod_section(robot->model, robot->data, robot->state, i_node, s + ds, &ahead, NULL,
                        NULL);
        elv_rod_section(robot->model, robot->data, robot->state, i_node, s - ds, &behind, NULL,
                        NULL);
        ElvPose between = elv_pose_compose(elv_pose_inverse(behind), ahead);
        ElvTwist found = elv_twist_scale(0.5 / (ds * rod->length), elv_se3_log(between));
        CHECK_BOUND(twist_distance(found, xi), 1e-5, seed);
    }
}

// tau = - integral of Phi^T Lambda: projected on the strain rates of v, by a rule of our own
static void check_projection(const Robot* robot, int i_node, const double* tau, uint64_t seed) {
    enum { N_GAUSS = 20 };
    const ElvNode* node = &robot->model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    const double* q = robot->state->q + node->i_q;
    const double* v = robot->state->v + node->i_v;
    double x[N_GAUSS], w[N_GAUSS], power = 0.0, scale = 1.0;
    double* ahead = new_array(node->joint->n_q);
    for (int k = 0; k < node->joint->n_v; k++) {
        ahead[k] = q[k] + v[k];
    }
    elv_gauss_legendre(N_GAUSS, x, w);
    for (int i = 0; i < rod->n_segment * N_GAUSS; i++) {
        const ElvRodSegment* seg = &rod->segment[i / N_GAUSS];
        double s = seg->s0 + (seg->s1 - seg->s0) * x[i % N_GAUSS];
        ElvTwist xi;
        ElvWrench lam;
        elv_rod_section(robot->model, robot->data, robot->state, i_node, s, NULL, &xi, &lam);
        ElvTwist xi_dot = elv_twist_sub(elv_rod_strain_at(rod, ahead, s), xi);
        double term = w[i % N_GAUSS] * seg->h * elv_power(xi_dot, lam);
        power -= term;
        scale += fabs(term);
    }
    free(ahead);
    double found = array_dot(tau + node->i_v, v, node->joint->n_v);
    CHECK_BOUND(fabs(found - power), 1e-9 * scale, seed);
}

static void test_sections(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        RandomOptions options = fine_options(seed);
        CheckRandom r = check_random(seed);
        Robot robot = random_tree(&r, &options);
        random_state(&r, &robot, 1.0);
        double* tau = new_array(robot.nv);
        elv_idm(robot.model, robot.data, robot.state, tau);
        for (int j = 0; j < robot.model->n_node; j++) {
            if (robot.model->node[j].info.is_rod) {
                check_sections(&robot, j, seed);
                check_strain(&robot, j, seed);
                check_projection(&robot, j, tau, seed);
            }
        }
        free(tau);
        robot_free(&robot);
    }
}

// ---- the internal wrench at rest

// a rod bent in all directions under gravity, with a body on it at 0.4 and a dead wrench at its tip
static Robot loaded_rod(void) {
    ElvError error;
    ElvElementDef element = elv_element_def_default();
    element.nodes = 24;
    element.modes[ELV_STRAIN_TWIST] = 2;
    element.modes[ELV_STRAIN_BEND_Y] = 3;
    element.modes[ELV_STRAIN_BEND_Z] = 3;
    element.modes[ELV_STRAIN_STRETCH] = 1;
    ElvRodDef rod = elv_rod_def_default();
    rod.name = "rod";
    rod.length = 0.8;
    rod.section.kind = ELV_SECTION_CIRCLE;
    rod.section.outer[0] = elv_law_def_value(0.05);
    rod.material.density = 700.0;
    rod.material.young = 1e6;
    rod.element = &element;
    rod.n_element = 1;
    ElvBodyDef body = elv_body_def_default();
    body.name = "body";
    body.parent = "rod.at(0.4)";
    body.mass = 0.9;
    body.center = elv_vec3(0.1, 0.2, -0.1);
    ElvWrenchDef load = elv_wrench_def_default();
    load.at = "rod.tip";
    for (int k = 0; k < 6; k++) {
        load.wrench[k] = elv_law_def_value(0.5 * k - 1.2);
    }
    ElvSpec* spec = new_spec();
    elv_spec_set_gravity(spec, elv_vec3(1.0, -2.0, 9.0));
    add_rod(spec, &rod);
    add_body(spec, &body);
    CHECK_STATUS(elv_spec_add_wrench(spec, &load, &error), &error);
    return robot_compile(spec);
}

static ElvPose section_pose(const Robot* robot, double s) {
    ElvPose g;
    elv_rod_section(robot->model, robot->data, robot->state, 0, s, &g, NULL, NULL);
    return g;
}

// wrench of everything beyond s, at the world's origin: tip load, body, weight of the rod
static ElvWrench outer_wrench(const Robot* robot, double s) {
    enum { N_GAUSS = 20 };
    ElvVec3 gravity = elv_model_gravity(robot->model);
    ElvPose tip = section_pose(robot, 1.0);
    tip.R = elv_mat3_identity();
    ElvWrench load = elv_wrench(elv_vec3(-1.2, -0.7, -0.2), elv_vec3(0.3, 0.8, 1.3));
    ElvWrench sum = elv_wrench_transform(tip, load);
    if (s < 0.4) {
        ElvFrame body = frame_of(robot, "body");
        ElvVec3 center = elv_pose_apply(elv_frame_pose(robot->model, robot->data, body),
                                        elv_vec3(0.1, 0.2, -0.1));
        ElvVec3 weight = elv_vec3_scale(0.9, gravity);
        sum = elv_wrench_add(sum, elv_wrench(elv_vec3_cross(center, weight), weight));
    }
    double x[N_GAUSS], w[N_GAUSS];
    double density = 700.0 * acos(-1.0) * 0.025 * 0.025;
    elv_gauss_legendre(N_GAUSS, x, w);
    for (int i = 0; i < N_GAUSS; i++) {
        ElvVec3 p = section_pose(robot, s + (1.0 - s) * x[i]).p;
        ElvVec3 weight = elv_vec3_scale(w[i] * (1.0 - s) * 0.8 * density, gravity);
        sum = elv_wrench_add(sum, elv_wrench(elv_vec3_cross(p, weight), weight));
    }
    return sum;
}

static void test_statics(void** context) {
    (void)context;
    Robot robot = loaded_rod();
    CheckRandom r = check_random(3);
    random_state(&r, &robot, 0.0);
    double* tau = new_array(robot.nv);
    elv_idm(robot.model, robot.data, robot.state, tau);
    static const double station[7] = {0.0, 0.15, 0.399, 0.4, 0.61, 0.9, 1.0};
    for (int i = 0; i < 7; i++) {
        ElvWrench lam;
        elv_rod_section(robot.model, robot.data, robot.state, 0, station[i], NULL, NULL, &lam);
        ElvPose g = section_pose(&robot, station[i]);
        ElvWrench expected = elv_wrench_transform_inv(g, outer_wrench(&robot, station[i]));
        double found[6], right[6];
        elv_wrench_to_array(lam, found);
        elv_wrench_to_array(expected, right);
        CHECK_ARRAY_NEAR(found, right, 6, 1e-11);
    }
    free(tau);
    robot_free(&robot);
}

// nothing acts on the ends of a rod that flies freely
static void test_free_ends(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        ElvError error;
        ElvRodDef def = elv_rod_def_default();
        Scratch* scratch = calloc(1, sizeof *scratch);
        RandomOptions options = fine_options(seed);
        CheckRandom r = check_random(seed);
        def.name = "rod";
        def.joint = free_joint();
        random_rod(&r, scratch, &options, &def);
        ElvSpec* spec = new_spec();
        elv_spec_set_gravity(spec, random_vec3(&r, 10.0));
        add_rod(spec, &def);
        free(scratch);
        Robot robot = robot_compile(spec);
        random_state(&r, &robot, 1.0);
        CHECK_STATUS(elv_forward_dynamics(robot.model, robot.data, robot.state, &error), &error);
        double* tau = new_array(robot.nv);
        elv_idm(robot.model, robot.data, robot.state, tau);
        double scale = 1.0;
        for (int i = 0; i <= 10; i++) {
            ElvWrench lam;
            double x[6];
            elv_rod_section(robot.model, robot.data, robot.state, 1, 0.1 * i, NULL, NULL, &lam);
            elv_wrench_to_array(lam, x);
            scale = fmax(scale, array_norm(x, 6));
        }
        for (int end = 0; end < 2; end++) {
            ElvWrench lam;
            double x[6];
            elv_rod_section(robot.model, robot.data, robot.state, 1, end, NULL, NULL, &lam);
            elv_wrench_to_array(lam, x);
            CHECK_BOUND(array_norm(x, 6), 1e-11 * scale, seed);
        }
        free(tau);
        robot_free(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_statics),
        cmocka_unit_test(test_free_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
