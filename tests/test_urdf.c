// SPDX-License-Identifier: Apache-2.0
// Robots in URDF against Pinocchio: inverse dynamics, mass matrix and forward dynamics of three
// robots at random states (tests/data/urdf_reference.txt, by tools/make_urdf_reference.py). The numbers
// there have all their digits. Both programs compute in doubles; sums over up to 25 bodies err by some 1e-15 of
// their largest term, and forward dynamics by that times the condition of the mass matrix, below
// 1e5 for these robots: 1e-10 of the largest component leaves room for either, and for nothing else.
#include "check.h"

#include "elver/elver.h"

#include <stdlib.h>

enum { MAX_V = 40, MAX_LINE = 4096 };

static const double tol = 1e-10;

typedef struct {
    FILE* file;
    char line[MAX_LINE];
    ElvModel* model;
    ElvState* state;
    ElvData* data;
    int n_joint;
    int i_q[MAX_V], n_q[MAX_V]; // place of each joint of the file in the model
    int i_v[MAX_V], n_v[MAX_V];
    int n_robot, n_state;
    double worst[3]; // of inverse dynamics, mass matrix, forward dynamics, relative
} Reference;

// ---- the file

static bool next_line(Reference* r) {
    do {
        if (!fgets(r->line, sizeof r->line, r->file)) {
            return false;
        }
        CHECK_TRUE(strchr(r->line, '\n') != NULL);
    } while (r->line[0] == '#');
    return true;
}

// numbers after a word
static int read_numbers(const char* line, const char* word, double* value, int capacity) {
    CHECK_TRUE(strncmp(line, word, strlen(word)) == 0);
    const char* at = line + strlen(word);
    int n = 0;
    for (char* end = NULL;; at = end) {
        double x = strtod(at, &end);
        if (end == at) {
            return n;
        }
        CHECK_TRUE(n < capacity);
        value[n++] = x;
    }
}

// a line of the next kind, its values put where the model has them
static void read_into(Reference* r, const char* word, bool is_q, double* to) {
    double value[MAX_V];
    CHECK_TRUE(next_line(r));
    int n = read_numbers(r->line, word, value, MAX_V);
    int at = 0;
    for (int i = 0; i < r->n_joint; i++) {
        int count = is_q ? r->n_q[i] : r->n_v[i];
        memcpy(to + (is_q ? r->i_q[i] : r->i_v[i]), value + at, (size_t)count * sizeof *value);
        at += count;
    }
    CHECK_TRUE(at == n);
}

// ---- robots

static void close_robot(Reference* r) {
    elv_data_free(r->data);
    elv_state_free(r->state);
    elv_model_free(r->model);
    r->model = NULL;
    r->state = NULL;
    r->data = NULL;
}

static void open_robot(Reference* r) {
    char name[256];
    char base[32];
    char path[1024];
    ElvError error;
    close_robot(r);
    CHECK_TRUE(sscanf(r->line, "robot %255s %31s", name, base) == 2);
    snprintf(path, sizeof path, "%s/%s", ELVER_SOURCE_DIR, name);
    const ElvOverride override = {"urdf.base", base};
    CHECK_STATUS(elv_model_read_file(path, &override, 1, &r->model, &error), &error);
    CHECK_STATUS(elv_state_create(r->model, &r->state, &error), &error);
    CHECK_STATUS(elv_data_create(r->model, &r->data, &error), &error);
    r->n_joint = 0;
    r->n_robot++;
}

static void add_joint(Reference* r) {
    char link[128];
    int i = r->n_joint++;
    CHECK_TRUE(sscanf(r->line, "joint %127s %d %d", link, &r->n_q[i], &r->n_v[i]) == 3);
    bool is_found = false;
    for (int k = 0; k < elv_model_n_node(r->model) && !is_found; k++) {
        ElvNodeInfo node = elv_model_node(r->model, k);
        if (strcmp(node.name, link) == 0) {
            CHECK_TRUE(node.n_q == r->n_q[i] && node.n_v == r->n_v[i]);
            r->i_q[i] = node.i_q;
            r->i_v[i] = node.i_v;
            is_found = true;
        }
    }
    CHECK_TRUE(is_found);
}

// ---- comparisons

static double largest(const double* x, int n) {
    double value = 0.0;
    for (int i = 0; i < n; i++) {
        value = fmax(value, fabs(x[i]));
    }
    return value;
}

static void compare(double* worst, const double* x, const double* expected, int n) {
    double scale = largest(expected, n);
    CHECK_TRUE(scale > 0.0);
    CHECK_ARRAY_NEAR(x, expected, (size_t)n, tol * scale);
    for (int i = 0; i < n; i++) {
        *worst = fmax(*worst, fabs(x[i] - expected[i]) / scale);
    }
}

static void check_state(Reference* r) {
    static double M[MAX_V * MAX_V];
    static double expected_M[MAX_V * MAX_V];
    double tau[MAX_V];
    double fd[MAX_V];
    double out[MAX_V];
    ElvError error;
    int nv = elv_model_nv(r->model);
    CHECK_TRUE(nv <= MAX_V);
    read_into(r, "q", true, r->state->q);
    read_into(r, "v", false, r->state->v);
    read_into(r, "a", false, r->state->a);
    read_into(r, "tau", false, tau);
    read_into(r, "fd", false, fd);
    // rows come in the order of the joints of the file too
    for (int i = 0; i < r->n_joint; i++) {
        for (int k = 0; k < r->n_v[i]; k++) {
            read_into(r, "M", false, expected_M + (r->i_v[i] + k) * nv);
        }
    }
    elv_idm(r->model, r->data, r->state, out);
    compare(&r->worst[0], out, tau, nv);
    elv_mass_matrix(r->model, r->data, r->state, M);
    compare(&r->worst[1], M, expected_M, nv * nv);
    CHECK_STATUS(elv_forward_dynamics(r->model, r->data, r->state, &error), &error);
    compare(&r->worst[2], r->state->a, fd, nv);
    r->n_state++;
}

static void test_pinocchio(void** state) {
    (void)state;
    Reference r = {0};
    r.file = fopen(ELVER_SOURCE_DIR "/tests/data/urdf_reference.txt", "rb");
    assert_non_null(r.file);
    while (next_line(&r)) {
        if (strncmp(r.line, "robot", 5) == 0) {
            open_robot(&r);
        } else if (strncmp(r.line, "joint", 5) == 0) {
            add_joint(&r);
        } else {
            CHECK_TRUE(strncmp(r.line, "state", 5) == 0);
            check_state(&r);
        }
    }
    (void)fclose(r.file);
    close_robot(&r);
    CHECK_TRUE(r.n_robot == 3 && r.n_state == 18);
    print_message("relative differences: inverse dynamics %.1e, mass matrix %.1e, forward dynamics "
                  "%.1e\n",
                  r.worst[0], r.worst[1], r.worst[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pinocchio)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
