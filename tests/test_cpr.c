// SPDX-License-Identifier: Apache-2.0
// The planar parallel robot of two elastic legs [P23 section X.C] against the motion computed by an independent
// program (tests/golden), whose legs have a damping of mu = 1e-4 s: order 2 in time, closed at every step, and
// the force at the apex. Without damping, methods that damp what steps do not resolve go on, others do not.
//
// The reference is good to 3.1e-8 m (its quadrature; its time steps to 4e-11). At t = 1 the torques jump, and
// with them the force: there a state is seen from the left, and the reference from the right.
#include "loop_run.h"

#include "actuation_case.h"

enum { N_STEP = 3, N_COLUMN = 6, N_PLACE = 4 };

static const double STEP[N_STEP] = {0.001, 0.0005, 0.00025};
static const double EVERY = 0.05;

static Robot robot_cpr(double mu) {
    char value[32];
    snprintf(value, sizeof value, "%g", mu);
    const ElvOverride set[] = {{"parameters.mu", value}};
    return robot_of(example_model("cpr", set, 1));
}

static LoopRun* run_cpr(ElvMethod method, double mu, double step, double t_end) {
    LoopOptions options = {.method = method,
                           .step = step,
                           .t_end = t_end,
                           .every = EVERY,
                           .signal = {"leg2.tip.position.x", "leg2.tip.position.y", "leg1.joint.q",
                                      "leg2.joint.q", "loop.apex.wrench.force.x",
                                      "loop.apex.wrench.force.y"}};
    Robot robot = robot_cpr(mu);
    LoopRun* run = loop_try(&robot, &options);
    CHECK_TRUE(run->status != ELV_OK || run->n_column == N_COLUMN);
    robot_free(&robot);
    return run;
}

// ---- against the reference

// root mean square and largest difference of columns [from, to) in a span of time
typedef struct {
    double mean, most;
} Distance;

static Distance
distance(const Reference* r, const LoopRun* run, int from, int to, double begin, double end) {
    Distance d = {0.0, 0.0};
    int n = 0;
    for (int i = 0; i < run->n_row; i++) {
        double t = run->t[i];
        // multiples of the interval of the reference; the jump says nothing of forces
        int row = (int)lround(t / EVERY);
        bool is_jump = from >= N_PLACE && row == 20;
        if (t < begin - 1e-9 || t > end + 1e-9 || is_jump) {
            continue;
        }
        CHECK_NEAR(r->value[row][0], t, 1e-9);
        n++;
        for (int k = from; k < to; k++) {
            double error = fabs(run->value[i][k] - r->value[row][1 + k]);
            d.mean += error * error;
            d.most = error <= d.most ? d.most : error;
        }
    }
    d.mean = sqrt(d.mean / n);
    return d;
}

// rows of the apex, of all places, and of the force once the jump of the torques is over
static Distance of_apex(const Reference* r, const LoopRun* run, double end) {
    return distance(r, run, 0, 2, 0.0, end);
}

static Distance of_places(const Reference* r, const LoopRun* run, double end) {
    return distance(r, run, 0, N_PLACE, 0.0, end);
}

static Distance of_force(const Reference* r, const LoopRun* run, double end) {
    return distance(r, run, N_PLACE, N_COLUMN, 1.5, end);
}

// halving the step leaves a quarter of the error, of the mean over the time until `end`
static void check_order(const Reference* r, LoopRun* const* run, int n, double end) {
    for (int i = 1; i < n; i++) {
        // the first steps are coarse for what the jump sets off
        double slack = i < N_STEP - 1 ? 0.25 : 0.05;
        CHECK_NEAR(of_apex(r, run[i - 1], end).mean / of_apex(r, run[i], end).mean, 4.0, 4 * slack);
        CHECK_NEAR(of_places(r, run[i - 1], end).mean / of_places(r, run[i], end).mean, 4.0,
                   4 * slack);
        CHECK_NEAR(of_force(r, run[i - 1], end).mean / of_force(r, run[i], end).mean, 4.0,
                   4 * slack);
    }
}

static void test_order(void** unused) {
    (void)unused;
    double t_end = IS_SANITIZED ? 1.5 : 10.0;
    int n = IS_SANITIZED ? 1 : N_STEP;
    Reference* r = reference_read("cpr");
    CHECK_TRUE(r->n_row == 201 && r->n_column == 1 + N_COLUMN);
    LoopRun* run[N_STEP];
    for (int i = 0; i < n; i++) {
        run[i] = run_cpr(ELV_METHOD_GENERALIZED_ALPHA, 1e-4, STEP[i], t_end);
        CHECK_STATUS(run[i]->status, &run[i]->error);
        CHECK_TRUE(run[i]->n_row == (int)lround(t_end / EVERY) + 1);
        CHECK_TRUE(run[i]->report.closure.gap < 1e-10);
        CHECK_TRUE(of_apex(r, run[i], t_end).mean < 2e-3);
    }
    check_order(r, run, n, 4.0);
    check_order(r, run, n, 10.0);
    // What extrapolation leaves is of order 4: nearer to 16 than to the 8 of order 3. The apex moves by 0.1 m.
    double left[N_STEP] = {0.0};
    for (int i = n - 1; i > 0; i--) {
        loop_extrapolate(run[i - 1], run[i]);
        left[i] = of_apex(r, run[i], t_end).most;
    }
    CHECK_TRUE(n < N_STEP || (left[1] / left[2] > 12.0 && left[2] < 4e-6));
    for (int i = 0; i < n; i++) {
        free(run[i]);
    }
    free(r);
}

// ---- coarse steps

static double most_energy(const LoopRun* run) {
    double most = 0.0;
    for (int i = 0; i < run->n_row; i++) {
        // NaN must win
        most = run->energy[i] <= most ? most : run->energy[i];
    }
    return most;
}

// Steps of 10 ms and legs without damping: closed all the time, and no more energy than the motors can give in
// half a turn each, 7.2 J. (The robot of the reference never has more than 1.7 J.)
static void test_coarse(void** unused) {
    (void)unused;
    double t_end = IS_SANITIZED ? 2.0 : 10.0;
    LoopRun* run = run_cpr(ELV_METHOD_GENERALIZED_ALPHA, 0.0, 0.01, t_end);
    CHECK_STATUS(run->status, &run->error);
    CHECK_TRUE(run->report.closure.gap < 1e-10);
    CHECK_TRUE(most_energy(run) < 7.2);
    free(run);
}

// the same by a method that damps nothing: it creates energy without end, or gives up
static void test_undamped(void** unused) {
    (void)unused;
    LoopRun* run = run_cpr(ELV_METHOD_NEWMARK, 0.0, 0.01, 10.0);
    CHECK_TRUE(run->status != ELV_OK || !(most_energy(run) < 72.0));
    free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_coarse),
        cmocka_unit_test(test_undamped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
