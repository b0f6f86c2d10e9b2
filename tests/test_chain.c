// SPDX-License-Identifier: Apache-2.0
// Chains taken from models: frames and wrenches against the recursions of the modal model on the same shape,
// and what is no chain is refused by name.
#include "model_case.h"
#include "multibody/data.h"
#include "strong/chain.h"

#define ROD                                                                                        \
    "length: 0.5, section: {circle: {diameter: 0.02}}, material: {density: 900, young: 1e6}, "     \
    "strain: {reissner: 2}"

// a free base with mass, two rods, bodies fixed to bodies at tips and between, loads on all of them
static const char CHAIN[] =
    "gravity: [1, 2, -9.81]\n"
    "tree:\n"
    "  - {body: pedestal, pose: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0, 0.2]}, mass: 3, inertia: [1, "
    "1, 1]}\n"
    "  - {body: base, parent: pedestal, pose: {xyz: [0, 0, 1]}, joint: free, mass: 2, center: "
    "[0.1, 0, 0],\n"
    "     inertia: [0.1, 0.2, 0.3], body_pose: {xyz: [0, 0.1, 0], rpy: [0.3, 0, 0]}}\n"
    "  - {rod: one, parent: base, pose: {xyz: [0.2, 0, 0], rpy: [0, 0, 1]}, " ROD "}\n"
    "  - {body: ring, parent: one.at(0.4), mass: 0.3, center: [0, 0.02, 0], inertia: [0.01, 0.01, "
    "0.02]}\n"
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.05, 0, 0], rpy: [0.5, 0.2, 0]}, mass: 0.5,\n"
    "     inertia: [0.1, 0.1, 0.1]}\n"
    "  - {body: flag, parent: hub, pose: {rpy: [0, 0, 1]}, mass: 0.2, center: [0, 0, 0.1], "
    "inertia: [0, 0, 0]}\n"
    "  - {rod: two, parent: hub, pose: {rpy: [0, 0.7, 0]}, " ROD "}\n"
    "  - {body: collar, parent: two.root, pose: {xyz: [0, 0.1, 0]}, mass: 0.4, inertia: [0, 0, "
    "0]}\n"
    "  - {body: hand, parent: two.tip, mass: 0.1, center: [0.03, 0, 0.01], inertia: [0.001, 0.002, "
    "0.003]}\n"
    "frames:\n"
    "  - {name: finger, on: hand, pose: {xyz: [0.1, 0, 0.2], rpy: [0, 0.3, 0]}}\n"
    "loads:\n"
    "  - {force: [1, 2, 3], torque: [0.1, \"t\", 0], at: finger}\n"
    "  - {force: [1, -2, 0.5], torque: [0.3, 0, 0.2], at: finger, frame: local}\n"
    "  - {force: [7, 0, 0], at: finger, while: \"t < 0\"}\n"
    "  - {force: [0, 0, 2], at: two.at(0.7)}\n"
    "  - {force: [0, 1, 0], at: flag, frame: local}\n"
    "  - {force: [0, 1, 0], at: base}\n"
    "  - {force: [0, 1, 0], at: pedestal}\n";

static ElvPose section_pose(const ModelCase* c, const ElvChain* chain, int i_rod, double s) {
    ElvPose g;
    elv_rod_section(c->model, c->data, c->state, chain->rod[i_rod].i_node, s, &g, NULL, NULL);
    return g;
}

static void test_frames_are_those_of_the_model(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvChain chain;
    ElvError error;
    CHECK_STATUS(elv_chain_create(c.model, &chain, &error), &error);
    CHECK_TRUE(chain.n_rod == 2);
    CHECK_TRUE(chain.joint != NULL && strcmp(c.model->node[chain.i_joint].name, "base") == 0);
    case_randomize(&c, 4, 0.5);
    elv_kinematics(c.model, c.data, c.state);
    ElvPose root = elv_pose_compose(
        elv_pose_compose(chain.base, chain.joint->type->pose(chain.joint, c.state->q)),
        chain.joint->body_pose);
    for (int i = 0; i < c.model->n_port; i++) {
        const ElvChainPort* port = &chain.port[i];
        ElvPose at = port->i_rod >= 0 ? section_pose(&c, &chain, port->i_rod, port->s)
                     : port->i_rod == ELV_CHAIN_ROOT ? root
                                                     : elv_pose_identity();
        ElvPose actual = elv_chain_port_pose(port, at);
        ElvPose expected = elv_frame_pose(c.model, c.data, (ElvFrame){i, elv_pose_identity()});
        CHECK_ARRAY_NEAR(&actual.R.m[0][0], &expected.R.m[0][0], 9, 1e-14);
        CHECK_ARRAY_NEAR(&actual.p.x, &expected.p.x, 3, 1e-14);
    }
    // roots of the rods in what is before them
    for (int i = 0; i < 2; i++) {
        ElvPose before = i == 0 ? root : section_pose(&c, &chain, 0, 1.0);
        ElvPose actual = elv_pose_compose(before, chain.rod[i].offset);
        ElvPose expected = section_pose(&c, &chain, i, 0.0);
        CHECK_ARRAY_NEAR(&actual.R.m[0][0], &expected.R.m[0][0], 9, 1e-14);
        CHECK_ARRAY_NEAR(&actual.p.x, &expected.p.x, 3, 1e-14);
    }
    elv_chain_free(&chain);
    case_close(&c);
}

// external wrench on a body of the chain and its inertia, in the one frame, beside what the recursion
// hands on at a port less what comes from further out
static void check_wrench(const ElvChainBody* body,
                         const ElvStrongInput* in,
                         ElvPose g,
                         ElvMotion motion,
                         ElvWrench expected) {
    ElvWrench F = elv_chain_body_wrench(body, in, &g, elv_twist_zero());
    ElvTwist eta = elv_twist_transform_inv(motion.g, motion.V);
    ElvTwist eta_dot = elv_twist_transform_inv(motion.g, motion.A);
    ElvWrench f = elv_wrench_sub(elv_strong_inertial(body->inertia, eta, eta_dot), F);
    double actual[6], wanted[6];
    elv_wrench_to_array(elv_wrench_transform(motion.g, f), actual);
    elv_wrench_to_array(expected, wanted);
    CHECK_ARRAY_NEAR(actual, wanted, 6, 1e-12 * (1.0 + largest(wanted, 6)));
}

static ElvWrench rod_root_wrench(const ModelCase* c, const ElvChain* chain, int i_rod) {
    // W handed on at the root of a rod, without what its root port carries
    int i_node = chain->rod[i_rod].i_node;
    return ((const ElvRodWork*)c->data->work[i_node])->W_end[0];
}

static void test_wrenches_and_inertias_are_those_of_the_model(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvChain chain;
    ElvError error;
    double tau[64];
    CHECK_STATUS(elv_chain_create(c.model, &chain, &error), &error);
    CHECK_TRUE(c.nv <= 64);
    case_randomize(&c, 9, 0.4);
    c.state->t = 0.5;
    elv_idm(c.model, c.data, c.state, tau);
    ElvStrongInput in = elv_chain_input(&chain, 0.5, 1.0, false);
    const ElvChainRod* rod = chain.rod;
    // tip of the second rod: all that its tip port hands on
    int n = rod[1].strong.n_piece;
    ElvMotion tip = c.data->port[case_frame(&c, "two.tip").port];
    ElvWrench W = c.data->W[case_frame(&c, "two.tip").port];
    check_wrench(&rod[1].body[n - 1], &in, section_pose(&c, &chain, 1, 1.0), tip, W);
    // tip of the first: the same without the second rod; the collar on the root of the second is part of it
    n = rod[0].strong.n_piece;
    tip = c.data->port[case_frame(&c, "one.tip").port];
    W = elv_wrench_sub(c.data->W[case_frame(&c, "one.tip").port], rod_root_wrench(&c, &chain, 1));
    check_wrench(&rod[0].body[n - 1], &in, section_pose(&c, &chain, 0, 1.0), tip, W);
    // the base
    ElvFrame base = case_frame(&c, "base");
    W = elv_wrench_sub(c.data->W[base.port], rod_root_wrench(&c, &chain, 0));
    check_wrench(&chain.root, &in, elv_frame_pose(c.model, c.data, base), c.data->port[base.port],
                 W);
    // all masses but that of the pedestal, which cannot move
    double mass = chain.root.mass;
    for (int i = 0; i < 2; i++) {
        mass += c.model->node[rod[i].i_node].info.mass;
        for (int k = 0; k < rod[i].strong.n_piece; k++) {
            mass += rod[i].body[k].mass;
        }
    }
    CHECK_NEAR(mass, elv_model_mass(c.model) - 3.0, 1e-13);
    elv_chain_free(&chain);
    case_close(&c);
}

static void test_bodies_between_the_ends_stand_at_their_pieces(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvChain chain;
    ElvError error;
    CHECK_STATUS(elv_chain_create(c.model, &chain, &error), &error);
    for (int i = 0; i < 2; i++) {
        const ElvChainRod* rod = &chain.rod[i];
        for (int k = 0; k + 1 < rod->strong.n_piece; k++) {
            bool is_here = fabs(rod->strong.piece[k].s1 - (i == 0 ? 0.4 : 0.7)) < 1e-9;
            CHECK_TRUE(is_here == !elv_chain_body_is_empty(&rod->body[k]));
            CHECK_NEAR(rod->body[k].mass, is_here && i == 0 ? 0.3 : 0.0, 0.0);
            CHECK_TRUE(rod->body[k].n_load == (is_here && i == 1 ? 1 : 0));
        }
    }
    elv_chain_free(&chain);
    case_close(&c);
}

static void test_variation_of_a_body_wrench_agrees_with_differences(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvChain chain;
    ElvError error;
    CHECK_STATUS(elv_chain_create(c.model, &chain, &error), &error);
    ElvStrongInput in = elv_chain_input(&chain, 0.5, 0.6, true);
    const ElvChainRod* rod = &chain.rod[1];
    const ElvChainBody* body = &rod->body[rod->strong.n_piece - 1];
    CHECK_TRUE(body->n_load == 3);
    ElvPose g = elv_pose(elv_so3_exp(elv_vec3(0.4, -1.0, 0.7)), elv_vec3(1.0, 2.0, 3.0));
    for (int k = 0; k < 6; k++) {
        double unit[6] = {0.0};
        unit[k] = 1.0;
        ElvTwist d = elv_twist_from_array(unit);
        ElvPose plus = elv_pose_compose(g, elv_se3_exp(elv_twist_scale(1e-5, d)));
        ElvPose minus = elv_pose_compose(g, elv_se3_exp(elv_twist_scale(-1e-5, d)));
        double actual[6], expected[6];
        elv_wrench_to_array(
            elv_chain_body_wrench_variation(body, &in, &g, elv_twist_zero(), d, elv_twist_zero()),
            actual);
        elv_wrench_to_array(
            elv_wrench_scale(
                5e4, elv_wrench_sub(elv_chain_body_wrench(body, &in, &plus, elv_twist_zero()),
                                    elv_chain_body_wrench(body, &in, &minus, elv_twist_zero()))),
            expected);
        CHECK_ARRAY_NEAR(actual, expected, 6, 1e-8);
    }
    elv_chain_free(&chain);
    case_close(&c);
}

static void test_inputs_of_actuators_are_their_laws(void** state) {
    (void)state;
    ModelCase c = case_open(
        "tree:\n"
        "  - {rod: one, " ROD "}\n"
        "actuators:\n"
        "  - {muscle: m, path: {rod: one, y: 0.005}, force: \"1 + s\", activation: 0.5}\n"
        "  - {tendon: t, path: {rod: one, z: 0.005}, tension: \"2 + t\"}\n"
        "  - {chamber: c, path: {rod: one, z: -0.005}, area: 1e-4, pressure: \"3e4*t\"}\n");
    ElvChain chain;
    ElvError error;
    CHECK_STATUS(elv_chain_create(c.model, &chain, &error), &error);
    const ElvStrongRod* strong = &chain.rod[0].strong;
    CHECK_TRUE(strong->fields.n_fibre == 3 && !chain.joint && chain.i_joint == -1);
    ElvFibreNode fibre[3];
    double tension[3];
    ElvStrongStation station;
    ElvStrongDrive drive;
    ElvStrongInput in = elv_chain_input(&chain, 2.0, 0.5, true);
    CHECK_STATUS(elv_strong_station(strong, 0, 0.5, fibre, &station, &error), &error);
    elv_strong_drive(strong, &station, &in, tension, &drive);
    // muscle: 1.5 N half activated; tendon: 4 N; chamber pushes 6e4 Pa 1e-4 m^2; all of it halved
    const double expected[3] = {0.375, 2.0, -3.0};
    CHECK_ARRAY_NEAR(tension, expected, 3, 1e-15);
    elv_chain_free(&chain);
    case_close(&c);
}

static void check_refused(const char* text, const char* element, const char* why) {
    ModelCase c = case_open("%s", text);
    ElvChain chain;
    ElvError error;
    CHECK_TRUE(elv_chain_create(c.model, &chain, &error) == ELV_ERROR_INPUT);
    if (strcmp(error.element, element) != 0 || !strstr(error.message, why)) {
        fail_msg("element '%s', message '%s'", error.element, error.message);
    }
    elv_chain_free(&chain);
    case_close(&c);
}

static void test_what_is_no_chain_is_refused_by_name(void** state) {
    (void)state;
    check_refused("tree:\n  - {rod: a, " ROD "}\n  - {rod: b, " ROD "}\n", "b", "second branch");
    check_refused("tree:\n  - {rod: a, " ROD "}\n  - {rod: b, parent: a.tip, " ROD "}\n"
                  "  - {rod: c, parent: a.tip, " ROD "}\n",
                  "c", "second branch");
    check_refused("tree:\n  - {rod: a, " ROD "}\n  - {rod: b, parent: a.at(0.5), " ROD "}\n", "b",
                  "along a rod");
    check_refused("tree:\n  - {rod: a, " ROD "}\n"
                  "  - {body: b, parent: a.tip, joint: revolute, mass: 1, inertia: [1, 1, 1]}\n",
                  "b", "moves on a rod");
    check_refused("tree:\n  - {body: b, joint: revolute, mass: 1, inertia: [1, 1, 1]}\n"
                  "  - {rod: a, parent: b, joint: revolute, " ROD "}\n",
                  "a.joint", "second moving joint");
    check_refused("tree:\n  - {body: b, joint: revolute, mass: 1, inertia: [1, 1, 1]}\n"
                  "  - {rod: a, " ROD "}\n",
                  "a", "second branch");
    check_refused("tree:\n  - {rod: a, " ROD "}\n"
                  "loops:\n  - {loop: l, joint: spherical, between: [a.tip, world]}\n",
                  "l", "loop");
    check_refused("tree:\n  - {rod: a, " ROD "}\n"
                  "actuators:\n  - {tendon: t, path: {rod: a, y: 0.005}, pull: 0.001}\n",
                  "t", "given length");
    check_refused(
        "tree:\n  - {rod: a, " ROD "}\n"
        "actuators:\n  - {tendon: t, path: {rod: a, y: 0.005}, tension: 1, friction: 0.1}\n",
        "a", "friction");
    check_refused("tree:\n  - {body: b, mass: 1, inertia: [1, 1, 1]}\n", "", "no rod");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_those_of_the_model),
        cmocka_unit_test(test_wrenches_and_inertias_are_those_of_the_model),
        cmocka_unit_test(test_bodies_between_the_ends_stand_at_their_pieces),
        cmocka_unit_test(test_variation_of_a_body_wrench_agrees_with_differences),
        cmocka_unit_test(test_inputs_of_actuators_are_their_laws),
        cmocka_unit_test(test_what_is_no_chain_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
