// SPDX-License-Identifier: Apache-2.0
// The three cases of [RKMK] against runs of an independent program that agrees with the authors' own, with its
// switches: condition at the tip, sign of the distributed load, joint, start, and how poses are rebuilt. Then table III, as
// printed.
#include "finite_case.h"

enum { N_RUN = 13, N_COLUMN = 13, MAX_ROW = 200 };

/// A run of the reference. Steps are counted from 0 there; the loads of cases 2 and 3 act from its step 0 on, so that
/// step i is our step i + 1, and the joint is late by one.
typedef struct {
    int i_case, nodes, order;
    double dt;
    ElvRunge space;
    bool is_paper; // its condition at the tip and its sign of the distributed load
    bool is_exact; // joint
    int last;      // step that is compared last
} Reference;

static const Reference references[N_RUN] = {
    {1, 11, 1, 0.01, ELV_RUNGE_EULER, false, false, 150},
    {1, 10, 1, 0.01, ELV_RUNGE_RK2, false, false, 150},
    {1, 8, 1, 0.01, ELV_RUNGE_RK4, false, false, 150},
    {1, 13, 2, 0.01, ELV_RUNGE_EULER, false, false, 150},
    {1, 12, 2, 0.01, ELV_RUNGE_RK2, false, false, 150},
    {1, 9, 2, 0.01, ELV_RUNGE_RK4, false, false, 150},
    {1, 101, 2, 0.005, ELV_RUNGE_RK4, false, false, 300},
    {1, 201, 2, 0.00125, ELV_RUNGE_RK4, false, true, 80},
    {2, 11, 2, 0.0025, ELV_RUNGE_RK4, false, false, 600},
    {2, 101, 2, 0.001, ELV_RUNGE_RK4, false, false, 100},
    {2, 101, 2, 0.001, ELV_RUNGE_RK4, true, false, 100},
    {3, 11, 2, 0.025, ELV_RUNGE_RK4, false, false, 60},
    {3, 11, 2, 0.025, ELV_RUNGE_RK4, true, false, 60},
};

static const double BENDING = 1e8 * 3.141592653589793 * 1e-8 / 4.0; // E I, N m^2

static int read_golden(double row[MAX_ROW][N_COLUMN]) {
    char line[512];
    int n = 0;
    FILE* file = fopen(ELVER_SOURCE_DIR "/tests/golden/rkmk.csv", "r");
    CHECK_TRUE(file && fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        CHECK_TRUE(n < MAX_ROW);
        char* at = line;
        for (int i = 0; i < N_COLUMN; i++) {
            char* end = at;
            row[n][i] = strtod(at, &end);
            CHECK_TRUE(end > at);
            at = end + 1;
        }
        n++;
    }
    (void)fclose(file);
    return n;
}

static ModelCase open_case(int i_case, double late) {
    static const char* const rest[3] = {
        "joint: {revolute: {axis: z, motion: \"" RKMK_MOTION "\"}}}\n",
        "joint: fixed}\nloads:\n  - {torque: [0, 0, 5], at: rod.tip, frame: local}\n",
        "joint: {revolute: {axis: z, motion: \"" RKMK_MOTION "\"}}}\nloads:\n"
        "  - {force: [0, 0, 5], at: rod.tip, frame: local}\n"
        "  - {force: [0, -50, 0], rod: rod, frame: local}\n",
    };
    return case_open(RKMK_HEAD "  - {rod: rod, " RKMK_ROD ", %s", late, rest[i_case - 1]);
}

static ElvSimulateDef program(const Reference* r, ElvRebuild rebuild) {
    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, r->dt, r->nodes, r->order, r->space, ELV_HISTORY_LINEAR);
    def.finite.program = (ElvFiniteProgram){.is_tip_undamped = !r->is_paper,
                                            .adds_distributed = !r->is_paper,
                                            .has_euler_joint = !r->is_exact,
                                            .starts_from_past = true,
                                            .rebuild = rebuild};
    return def;
}

// positions to 1e-7 m, the torques that go with them to 1e-6 N m
static void compare(int i_run, ElvRebuild rebuild, const double (*row)[N_COLUMN], int n_row) {
    static const int column[3] = {
        [ELV_REBUILD_LAGGED] = 2, [ELV_REBUILD_MEAN] = 5, [ELV_REBUILD_GROUP] = 8};
    const Reference* r = &references[i_run];
    int shift = r->i_case == 1 ? 0 : 1;
    ModelCase c = open_case(r->i_case, shift * r->dt);
    ElvSimulateDef def = program(r, rebuild);
    FinitePath* path = finite_run(&c, "rod.tip", &def, r->dt, (r->last + shift) * r->dt);
    CHECK_STATUS(path->status, &path->error);
    int n = 0;
    for (int i = 0; i < n_row; i++) {
        if (row[i][0] != (double)i_run) {
            continue;
        }
        int k = (int)row[i][1] + shift;
        CHECK_TRUE(k < path->n);
        const double* expected = row[i] + column[rebuild];
        CHECK_ARRAY_NEAR(&path->p[k].x, expected, 3, 1e-7);
        // K (xi - xi_o) about z, and with the damping
        CHECK_NEAR(BENDING * path->xi[k].ang.z, row[i][11], 1e-6);
        CHECK_NEAR(path->lam[k].mom.z, row[i][12], 1e-6);
        // the motor delivers what the rod resists with
        if (r->i_case != 2) {
            CHECK_NEAR(path->effort[k], -row[i][12], 1e-6);
        }
        n++;
    }
    CHECK_TRUE(n == 11);
    free(path);
    case_close(&c);
}

static void test_runs_of_the_program(void** state) {
    (void)state;
    static double row[MAX_ROW][N_COLUMN];
    int n_row = read_golden(row);
    for (int i = 0; i < N_RUN; i++) {
        // the larger ones once, with the poses that the figures of the program show
        bool is_small = references[i].nodes < 100;
        compare(i, ELV_REBUILD_LAGGED, (const double(*)[N_COLUMN])row, n_row);
        for (int rebuild = 0; rebuild < 2 && is_small; rebuild++) {
            compare(i, (ElvRebuild)rebuild, (const double(*)[N_COLUMN])row, n_row);
        }
    }
}

// ---- table III

static FinitePath* run_table(int i_run, ElvHistory interpolation, int every) {
    const Reference* r = &references[i_run];
    ModelCase c = open_case(1, 0.0);
    ElvSimulateDef def = program(r, ELV_REBUILD_LAGGED);
    def.finite.interpolation = interpolation;
    def.finite.program.has_printed_cubic = true;
    FinitePath* path = finite_run(&c, "rod.tip", &def, every * r->dt, 1.5);
    CHECK_STATUS(path->status, &path->error);
    case_close(&c);
    return path;
}

// sum of the distances of the tip over t_f / dt instants, from the first
static double accumulated(const FinitePath* path, const FinitePath* reference) {
    double sum = 0.0;
    for (int i = 0; i < 150; i++) {
        CHECK_NEAR(path->t[i], reference->t[i], 1e-12);
        sum += elv_vec3_norm(elv_vec3_sub(path->p[i], reference->p[i]));
    }
    return sum;
}

static void test_table_3_as_printed(void** state) {
    (void)state;
    // printed; by the independent program with linear interpolation, and with the printed cubic one
    static const double printed[6] = {1.34, 1.35, 1.38, 0.72, 1.16, 1.09};
    static const double linear[6] = {1.3352, 1.3491, 1.3817, 0.7233, 1.1602, 1.0948};
    static const double cubic[6] = {1.352, 1.366, 0.7632, 0.718, 1.1581, 2.0315};
    for (int k = 0; k < 2; k++) {
        ElvHistory interpolation = k == 0 ? ELV_HISTORY_LINEAR : ELV_HISTORY_CUBIC;
        FinitePath* reference = run_table(6, interpolation, 2);
        for (int i = 0; i < 6; i++) {
            FinitePath* path = run_table(i, interpolation, 1);
            double e = accumulated(path, reference);
            print_message("table III, %s: run %d, printed %.2f, here %.4f\n",
                          k == 0 ? "linear" : "cubic as printed", i, printed[i], e);
            CHECK_NEAR(e, k == 0 ? linear[i] : cubic[i], 6e-5);
            if (k == 0) {
                CHECK_NEAR(e, printed[i], 0.005);
            }
            free(path);
        }
        free(reference);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_of_the_program),
        cmocka_unit_test(test_table_3_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
