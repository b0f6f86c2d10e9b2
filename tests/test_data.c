// SPDX-License-Identifier: Apache-2.0
// The workspace holds nothing that matters: every function gives the same bits in a workspace full
// of NaN, in one that another state has been through, and in a new one.
#include "rod/rod.h"

#include "random_tree.h"

enum { N_RESULT = 8 };

// ---- poison

static void poison(void* memory, size_t count, size_t item) {
    memset(memory, 0xFF, count * item);
}

#define POISON(array, count) poison((array), (size_t)(count), sizeof *(array))

static void poison_rod(const ElvRod* rod, ElvRodWork* work) {
    int n = rod->n_node, n_v = rod->joint.n_v, n_end = rod->n_segment + 1, largest = 0;
    for (int i = 0; i < rod->n_segment; i++) {
        largest = rod->segment[i].n_node > largest ? rod->segment[i].n_node : largest;
    }
    POISON(work->g, n);
    POISON(work->V, n);
    POISON(work->A, n);
    POISON(work->end, n_end);
    POISON(work->rate, largest);
    POISON(work->f, n);
    POISON(work->W, n);
    POISON(work->W_end, n_end);
    POISON(work->J, n * n_v);
    POISON(work->J_end, n_v);
    POISON(work->I, n);
    POISON(work->P, largest);
    POISON(work->J_port, rod->joint.n_port * n_v);
}

static void poison_data(const Robot* robot) {
    const ElvModel* model = robot->model;
    ElvData* data = robot->data;
    poison(&data->origin, 1, sizeof data->origin);
    POISON(data->port, model->n_port);
    POISON(data->W, model->n_port);
    POISON(data->screw, model->n_screw);
    POISON(data->I, model->n_port);
    POISON(data->momentum, model->nv);
    POISON(data->M, model->nv * model->nv);
    POISON(data->tau, model->nv);
    POISON(data->upsilon, model->nv);
    POISON(data->v, model->nv);
    POISON(data->a, model->nv);
    POISON(data->free_index, model->nv);
    for (int j = 0; j < model->n_node; j++) {
        const ElvJoint* joint = model->node[j].joint;
        if (model->node[j].info.is_rod) {
            poison_rod((const ElvRod*)joint, data->work[j]);
        } else {
            // plain numbers, as many bytes as the layout asks for
            ElvArena measuring = {0};
            (void)joint->ops->layout(joint, &measuring);
            poison(data->work[j], measuring.size, 1);
        }
    }
}

// ---- results

static int result_size(const Robot* robot, int i) {
    static const int fixed[N_RESULT] = {0, 0, 0, 0, 0, 0, 3, 10};
    int nv = robot->nv;
    return i == 1 || i == 2 ? nv * nv : i == 3 ? 6 * nv : fixed[i] > 0 ? fixed[i] : nv;
}

static void compute(const Robot* robot, int i, double* out) {
    const ElvModel* model = robot->model;
    ElvData* data = robot->data;
    ElvState* state = robot->state;
    ElvFrame last = {model->n_port - 1, elv_pose_identity()};
    ElvError error;
    switch (i) {
    case 0:
        elv_idm(model, data, state, out);
        break;
    case 1:
        elv_mass_matrix(model, data, state, out);
        break;
    case 2:
        elv_mass_matrix_idm(model, data, state, out);
        break;
    case 3:
        elv_frame_jacobian(model, data, state, last, out);
        break;
    case 4: {
        ElvState* copy = copy_state(robot, state);
        CHECK_STATUS(elv_forward_dynamics(model, data, copy, &error), &error);
        memcpy(out, copy->a, (size_t)robot->nv * sizeof *out);
        elv_state_free(copy);
        break;
    }
    case 5:
        elv_drive_efforts(model, data, state, out);
        break;
    case 6: {
        ElvEnergy energy = elv_energy(model, data, state);
        memcpy(out, &energy, sizeof energy);
        break;
    }
    default: {
        ElvMomentum momentum = elv_momentum(model, data, state);
        memcpy(out, &momentum, sizeof momentum);
        break;
    }
    }
}

static void check_same_bits(const Robot* robot, int i, const double* expected, uint64_t seed) {
    int n = result_size(robot, i);
    double* out = new_array(n);
    compute(robot, i, out);
    if (memcmp(out, expected, (size_t)n * sizeof *out) != 0) {
        print_error("seed %llu: result %d differs by %g\n", (unsigned long long)seed, i,
                    array_distance(out, expected, n));
        fail();
    }
    free(out);
}

static void check_workspace(uint64_t seed) {
    RandomOptions options = random_options();
    options.has_drives = true;
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    ElvState* state = copy_state(&robot, robot.state);
    double* result[N_RESULT];
    for (int i = 0; i < N_RESULT; i++) {
        result[i] = new_array(result_size(&robot, i));
        compute(&robot, i, result[i]);
    }
    double* other = new_array(6 * robot.nv + robot.nv * robot.nv + 10);
    for (int i = 0; i < N_RESULT; i++) {
        // NaN everywhere
        poison_data(&robot);
        check_same_bits(&robot, i, result[i], seed);
        // another function and another state have been here
        int i_other = N_RESULT - 1 - i;
        random_state(&r, &robot, 1.0);
        compute(&robot, i_other, other);
        elv_state_copy(robot.state, state);
        check_same_bits(&robot, i, result[i], seed);
    }
    // a new workspace
    ElvError error;
    elv_data_free(robot.data);
    CHECK_STATUS(elv_data_create(robot.model, &robot.data, &error), &error);
    for (int i = 0; i < N_RESULT; i++) {
        check_same_bits(&robot, i, result[i], seed);
        free(result[i]);
    }
    free(other);
    elv_state_free(state);
    robot_free(&robot);
}

static void test_workspace(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        check_workspace(seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workspace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
