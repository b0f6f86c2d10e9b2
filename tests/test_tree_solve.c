// SPDX-License-Identifier: Apache-2.0
// The linear-time tree solve against a dense LU of the same tangent, on random trees with driven
// joints; right-hand sides one after another; and the name of the joint that is singular.
//
// The dense solution is refined until it is exact for the matrix as it is. How far any other may be from
// it depends on the condition: if every entry of A is uncertain by a rounding, x is by
// eps | |A^-1| |A| |x| | (Skeel), be A scaled as it may. Elimination of n unknowns makes up to 3 n roundings of an
// entry: the tree solve must not err by more than 3 n times that. Where A is well-conditioned this is far below
// 1e-9 of x; how many trees are above that, because of their condition, is counted.
#include "linalg/lu.h"
#include "step_case.h"

#include <float.h>

enum { N_TREE = IS_SANITIZED ? 60 : 300 };

// rows and columns of driven components become those of the identity
static void pin_driven(const Robot* robot, double* jacobian, double* residual) {
    int n = robot->nv;
    for (int k = 0; k < n; k++) {
        if (!robot->model->is_driven[k]) {
            continue;
        }
        for (int i = 0; i < n; i++) {
            jacobian[i * n + k] = jacobian[k * n + i] = 0.0;
        }
        jacobian[k * n + k] = 1.0;
        residual[k] = 0.0;
    }
}

// residual of A x = -r relative to |A| |x|: free of the condition of A, which two solutions differ by
static double residual_error(int n, const double* A, const double* x, const double* r) {
    double worst = 0.0;
    double size = array_largest(x, n);
    double scale = array_largest(A, n * n);
    for (int i = 0; i < n; i++) {
        double sum = r[i];
        for (int k = 0; k < n; k++) {
            sum += A[i * n + k] * x[k];
        }
        worst = fmax(worst, fabs(sum) / (scale * size));
    }
    return worst;
}

// -r - A x of row i in twice the precision
static double exact_residual(int n, const double* A, const double* x, const double* r, int i) {
    double sum = -r[i];
    double rest = 0.0;
    for (int k = 0; k < n; k++) {
        double product = -A[i * n + k] * x[k];
        double next = sum + product;
        double part = next - sum;
        rest += fma(-A[i * n + k], x[k], -product) + ((sum - (next - part)) + (product - part));
        sum = next;
    }
    return sum + rest;
}

// refine the solution of A x = -r by the factors of A
static void
refine(int n, const double* A, const double* LU, const int* pivot, const double* r, double* x) {
    double* d = new_array(n);
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < n; i++) {
            d[i] = exact_residual(n, A, x, r, i);
        }
        elv_lu_solve(n, LU, pivot, 1, d);
        for (int i = 0; i < n; i++) {
            x[i] += d[i];
        }
    }
    free(d);
}

// norm of |A^-1| |A| |x|
static double skeel(int n, const double* A, const double* LU, const int* pivot, const double* x) {
    double* inverse = new_array(n * n);
    double* y = new_array(2 * n);
    for (int i = 0; i < n; i++) {
        inverse[i * n + i] = 1.0;
        for (int k = 0; k < n; k++) {
            y[i] += fabs(A[i * n + k] * x[k]);
        }
    }
    elv_lu_solve(n, LU, pivot, n, inverse);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            y[n + i] += fabs(inverse[i * n + k]) * y[k];
        }
    }
    double norm = array_norm(y + n, n);
    free(inverse);
    free(y);
    return norm;
}

// the difference to the dense solution, over what rounding of A makes of it
static double compare(int n, const double* A, double* r, const double* actual, double* relative) {
    double* LU = new_array(n * n);
    double* expected = new_array(n);
    int* pivot = calloc((size_t)n + 1, sizeof *pivot);
    memcpy(LU, A, (size_t)(n * n) * sizeof *LU);
    assert_int_equal(elv_lu_factor(n, LU, pivot), -1);
    for (int i = 0; i < n; i++) {
        expected[i] = -r[i];
    }
    elv_lu_solve(n, LU, pivot, 1, expected);
    refine(n, A, LU, pivot, r, expected);
    // all components may be driven: then both are zero
    double limit = DBL_EPSILON * skeel(n, A, LU, pivot, expected);
    double error = array_distance(actual, expected, n);
    double size = array_norm(expected, n);
    *relative = size > 0.0 ? error / size : 0.0;
    free(LU);
    free(expected);
    free(pivot);
    return limit > 0.0 ? error / limit : error;
}

/// What the comparisons found.
typedef struct {
    double worst;    // error over what one rounding of A explains
    double relative; // largest difference, over x
    int n_above;     // trees in which that is above 1e-9
} Comparison;

static void check_solve(uint64_t seed, double a, double b, double imposed, Comparison* found) {
    CheckRandom r = check_random(seed);
    RandomOptions options = random_options();
    options.has_drives = true;
    options.imposed = imposed;
    options.is_floating = seed % 3 == 0;
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    Step step = step_create(&r, &robot, a, b);
    int n = robot.nv;
    double* A = step_tangent(&step);
    double* residual = new_array(n);
    double* actual = new_array(n);
    for (int i = 0; i < n; i++) {
        residual[i] = robot.model->is_driven[i] ? 0.0 : check_uniform(&r, -1.0, 1.0);
    }
    pin_driven(&robot, A, residual);
    assert_int_equal(elv_tree_factor(robot.model, robot.data), -1);
    elv_tree_solve(robot.model, robot.data, residual, actual);
    double relative = 0.0;
    double error = compare(n, A, residual, actual, &relative);
    found->worst = fmax(found->worst, error);
    found->relative = fmax(found->relative, relative);
    found->n_above += relative > 1e-9;
    CHECK_BOUND(error, 3.0 * n, seed);
    CHECK_BOUND(array_norm(actual, n) > 0.0 ? residual_error(n, A, actual, residual) : 0.0, 1e-12,
                seed);
    free(A);
    free(residual);
    free(actual);
    step_free(&step);
    robot_free(&robot);
}

static void test_against_dense_lu(void** unused) {
    (void)unused;
    Comparison found = {0.0, 0.0, 0};
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_solve(seed, 200.0, 40000.0, 0.0, &found);
        check_solve(seed + 5000, 20.0, 400.0, 0.0, &found);
    }
    print_message("largest difference %.2g of one rounding, %.2g of x; %d of %d above 1e-9\n",
                  found.worst, found.relative, found.n_above, 2 * N_TREE);
}

// rods with imposed strains, of which some are free and others are not
static void test_imposed_strains(void** unused) {
    (void)unused;
    Comparison found = {0.0, 0.0, 0};
    for (uint64_t seed = 1; seed <= N_TREE / 3; seed++) {
        check_solve(seed + 9000, 200.0, 40000.0, 0.4, &found);
    }
}

// one factorisation serves any number of residuals, and the answer is linear in them
static void test_many_right_hand_sides(void** unused) {
    (void)unused;
    CheckRandom r = check_random(11);
    RandomOptions options = random_options();
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    Step step = step_create(&r, &robot, 100.0, 10000.0);
    int n = robot.nv;
    CHECK_TRUE(n > 5);
    free(step_tangent(&step));
    assert_int_equal(elv_tree_factor(robot.model, robot.data), -1);
    double* x = new_array(3 * n);
    double* y = new_array(3 * n);
    for (int i = 0; i < n; i++) {
        x[i] = check_uniform(&r, -1.0, 1.0);
        x[n + i] = check_uniform(&r, -1.0, 1.0);
        x[2 * n + i] = 2.0 * x[i] - 3.0 * x[n + i];
    }
    for (int k = 0; k < 3; k++) {
        elv_tree_solve(robot.model, robot.data, x + k * n, y + k * n);
    }
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(y[2 * n + i], 2.0 * y[i] - 3.0 * y[n + i], 1e-9 * array_largest(y, 3 * n));
    }
    free(x);
    free(y);
    step_free(&step);
    robot_free(&robot);
}

// ---- singular joints

static ElvBodyDef link(const char* name, const char* parent, double mass) {
    ElvBodyDef def = elv_body_def_default();
    def.name = name;
    def.parent = parent;
    def.mass = mass;
    def.center = elv_vec3(0.5, 0.0, 0.0);
    def.pose.p = elv_vec3(1.0, 0.0, 0.0);
    def.joint.type = ELV_JOINT_REVOLUTE;
    return def;
}

// a leaf without mass has nothing that its joint could move
static void test_names_the_singular_joint(void** unused) {
    (void)unused;
    ElvSpec* spec = new_spec();
    ElvBodyDef def = link("first", "world", 1.0);
    add_body(spec, &def);
    def = link("second", "first", 1.0);
    add_body(spec, &def);
    def = link("ghost", "second", 0.0);
    add_body(spec, &def);
    def = link("third", "second", 1.0);
    add_body(spec, &def);
    Robot robot = robot_compile(spec);
    CheckRandom r = check_random(1);
    Step step = step_create(&r, &robot, 100.0, 10000.0);
    free(step_tangent(&step));
    int node = elv_tree_factor(robot.model, robot.data);
    CHECK_TRUE(node >= 0 && strcmp(robot.model->node[node].name, "ghost") == 0);
    step_free(&step);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_dense_lu),
        cmocka_unit_test(test_imposed_strains),
        cmocka_unit_test(test_many_right_hand_sides),
        cmocka_unit_test(test_names_the_singular_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
