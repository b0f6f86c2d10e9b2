// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics on random trees: IDM(q, v, a) = M a + bias with three mass matrices, one of them
// a sum of J^T M J over bodies and sections that shares no recursion with the IDM; loads by virtual
// work.
#include "joint/lumped.h"
#include "rod/rod.h"

#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 200 : 1000 };

// relative to the norm of the terms: rounding of sums of some hundred terms
static const double TOL = 1e-11;

// ---- M = sum of J^T I J

// M += weight J^T I J, columns of J in the one frame
static void add_energy(int nv, double weight, ElvInertia I, const ElvTwist* J, double* M) {
    for (int k = 0; k < nv; k++) {
        ElvWrench momentum = elv_inertia_apply(I, J[k]);
        for (int i = 0; i < nv; i++) {
            M[i * nv + k] += weight * elv_power(J[i], momentum);
        }
    }
}

// twist of a port per unit velocity, by its public Jacobian, carried to the one frame
static void port_jacobian(const Robot* robot, int port, double* J, ElvTwist* column) {
    ElvFrame frame = {port, elv_pose_identity()};
    elv_frame_jacobian(robot->model, robot->data, robot->state, frame, J);
    for (int k = 0; k < robot->nv; k++) {
        double x[6];
        for (int i = 0; i < 6; i++) {
            x[i] = J[i * robot->nv + k];
        }
        column[k] = elv_twist_transform(robot->data->port[port].g, elv_twist_from_array(x));
    }
}

// the sections of a rod: its root's Jacobian, and its own columns at the nodes
static void add_rod_energy(const Robot* robot, int i_node, double* J, ElvTwist* column, double* M) {
    const ElvNode* node = &robot->model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    const ElvRodWork* work = robot->data->work[i_node];
    port_jacobian(robot, node->i_port, J, column);
    for (int i = 0; i < rod->n_node; i++) {
        for (int k = 0; k < node->joint->n_v; k++) {
            column[node->i_v + k] = work->J[i * node->joint->n_v + k];
        }
        ElvInertia I = elv_inertia_transform(work->g[i], rod->inertia[i]);
        add_energy(robot->nv, rod->weight[i], I, column, M);
    }
}

static void mass_matrix_by_energy(const Robot* robot, double* M) {
    const ElvModel* model = robot->model;
    double* J = new_array(6 * robot->nv);
    ElvTwist* column = calloc((size_t)robot->nv + 1, sizeof *column);
    memset(M, 0, (size_t)robot->nv * (size_t)robot->nv * sizeof *M);
    for (int p = 1; p < model->n_port; p++) {
        if (model->port[p].is_massive) {
            port_jacobian(robot, p, J, column);
            ElvInertia I = elv_inertia_transform(robot->data->port[p].g, model->port[p].inertia);
            add_energy(robot->nv, 1.0, I, column, M);
        }
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        if (node->info.is_rod) {
            add_rod_energy(robot, j, J, column, M);
            continue;
        }
        for (int k = 0; k < node->joint->n_v; k++) {
            int i = node->i_v + k;
            M[i * robot->nv + i] += ((const ElvLumped*)node->joint)->rotor_inertia[k];
        }
    }
    free(column);
    free(J);
}

// ||tau - M a - c|| / (||M a|| + ||c||)
static double
imbalance(int nv, const double* tau, const double* M, const double* a, const double* c) {
    double* sum = new_array(nv);
    array_apply(nv, M, a, sum);
    double scale = array_norm(sum, nv) + array_norm(c, nv);
    for (int i = 0; i < nv; i++) {
        sum[i] += c[i];
    }
    double error = array_distance(tau, sum, nv);
    free(sum);
    return error > 0.0 ? error / scale : 0.0;
}

static void check_tree(uint64_t seed, int nodes) {
    RandomOptions options = random_options();
    options.nodes = nodes;
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    int nv = robot.nv;
    const double* a = robot.state->a;
    double* tau = new_array(nv);
    double* c = new_array(nv);
    double* M = new_array(nv * nv);
    elv_idm(robot.model, robot.data, robot.state, tau);
    elv_bias(robot.model, robot.data, robot.state, c);
    elv_mass_matrix_idm(robot.model, robot.data, robot.state, M);
    CHECK_BOUND(imbalance(nv, tau, M, a, c), TOL, seed);
    elv_mass_matrix(robot.model, robot.data, robot.state, M);
    CHECK_BOUND(imbalance(nv, tau, M, a, c), TOL, seed);
    mass_matrix_by_energy(&robot, M);
    CHECK_BOUND(imbalance(nv, tau, M, a, c), TOL, seed);
    free(tau);
    free(c);
    free(M);
    robot_free(&robot);
}

static void test_sum_of_terms(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_tree(seed, seed % 4 == 0 ? 24 : 0);
    }
}

// ---- loads by virtual work: Q_k = sum of power(twist per unit v_k, wrench)

static void add_point_loads(const Robot* robot, double* Q) {
    double* J = new_array(6 * robot->nv);
    for (int i = 0; i < robot->model->n_point; i++) {
        const ElvPointLoad* load = &robot->model->point[i];
        elv_frame_jacobian(robot->model, robot->data, robot->state, load->frame, J);
        double F[6];
        for (int k = 0; k < 6; k++) {
            F[k] = elv_law_value(load->law[k], robot->state->t, 0.0);
        }
        if (load->axes == ELV_AXES_WORLD) {
            ElvPose g = elv_frame_pose(robot->model, robot->data, load->frame);
            g.p = elv_vec3(0.0, 0.0, 0.0);
            elv_wrench_to_array(elv_wrench_transform_inv(g, elv_wrench_from_array(F)), F);
        }
        for (int k = 0; k < robot->nv; k++) {
            for (int row = 0; row < 6; row++) {
                Q[k] += J[row * robot->nv + k] * F[row];
            }
        }
    }
    free(J);
}

// wrench per metre at a node, in the one frame
static ElvWrench field_wrench(const ElvRodField* field, ElvPose g, double t, double s) {
    double F[6];
    for (int k = 0; k < 6; k++) {
        F[k] = elv_law_value(field->law[k], t, s);
    }
    g.R = field->axes == ELV_AXES_WORLD ? elv_mat3_identity() : g.R;
    return elv_wrench_transform(g, elv_wrench_from_array(F));
}

static void add_distributed_loads(const Robot* robot, int i_node, double* Q) {
    const ElvNode* node = &robot->model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    const ElvRodWork* work = robot->data->work[i_node];
    double* J = new_array(6 * robot->nv);
    double* M = new_array(robot->nv * robot->nv);
    ElvTwist* column = calloc((size_t)robot->nv + 1, sizeof *column);
    // the columns at the nodes are those of the mass matrix
    elv_mass_matrix(robot->model, robot->data, robot->state, M);
    port_jacobian(robot, node->i_port, J, column);
    for (int i = 0; i < rod->n_node; i++) {
        for (int k = 0; k < node->joint->n_v; k++) {
            column[node->i_v + k] = work->J[i * node->joint->n_v + k];
        }
        for (int l = 0; l < rod->n_distributed; l++) {
            const ElvRodField* field = &rod->distributed[l];
            bool acts = rod->s[i] > field->from && rod->s[i] < field->to;
            ElvWrench F = field_wrench(field, work->g[i], robot->state->t, rod->s[i]);
            for (int k = 0; k < robot->nv && acts; k++) {
                Q[k] += rod->weight[i] * elv_power(column[k], F);
            }
        }
    }
    free(column);
    free(M);
    free(J);
}

// loads act while t < 1: the difference of the IDM across t = 1 is theirs alone
static void test_loads(void** context) {
    (void)context;
    RandomOptions options = random_options();
    for (uint64_t seed = 1; seed <= 200; seed++) {
        CheckRandom r = check_random(seed);
        Robot robot = random_tree(&r, &options);
        random_state(&r, &robot, 1.0);
        double* Q = new_array(robot.nv);
        double* tau = new_array(robot.nv);
        double* tau_loaded = new_array(robot.nv);
        add_point_loads(&robot, Q);
        // twists of the nodes per unit velocity, in the workspace of rods
        double* M = new_array(robot.nv * robot.nv);
        elv_mass_matrix(robot.model, robot.data, robot.state, M);
        free(M);
        for (int j = 0; j < robot.model->n_node; j++) {
            if (robot.model->node[j].info.is_rod) {
                add_distributed_loads(&robot, j, Q);
            }
        }
        elv_idm(robot.model, robot.data, robot.state, tau_loaded);
        double scale = array_norm(Q, robot.nv) + array_norm(tau_loaded, robot.nv);
        robot.state->t = 1.5;
        elv_idm(robot.model, robot.data, robot.state, tau);
        for (int k = 0; k < robot.nv; k++) {
            tau[k] -= Q[k];
        }
        double error = array_distance(tau_loaded, tau, robot.nv);
        CHECK_BOUND(error, TOL * scale, seed);
        free(Q);
        free(tau);
        free(tau_loaded);
        robot_free(&robot);
    }
}

// ---- far from the world's origin

// the same tree and state, 1e6 m away by its base's pose or by a free base's own coordinates;
// positions there carry 1e-10 m, which is what roots of several trees differ by
static void check_far_away(uint64_t seed, bool is_floating) {
    RandomOptions options = random_options();
    options.is_floating = is_floating;
    CheckRandom r = check_random(seed);
    CheckRandom r_far = r;
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    options.origin = is_floating ? options.origin : elv_vec3(1e6, -7e5, 4e5);
    Robot far = random_tree(&r_far, &options);
    elv_state_copy(far.state, robot.state);
    for (int k = 4; k < 7 && is_floating; k++) {
        far.state->q[k] += 1e6;
    }
    double* tau = new_array(robot.nv);
    double* tau_far = new_array(robot.nv);
    elv_idm(robot.model, robot.data, robot.state, tau);
    elv_idm(far.model, far.data, far.state, tau_far);
    double error = array_distance(tau, tau_far, robot.nv);
    CHECK_BOUND(error, 1e-9 * array_norm(tau, robot.nv), seed);
    free(tau);
    free(tau_far);
    robot_free(&robot);
    robot_free(&far);
}

static void test_far_away(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        check_far_away(seed, seed % 2 == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_of_terms),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
