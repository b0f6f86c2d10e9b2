// SPDX-License-Identifier: Apache-2.0
// Chunks of records: a reader of its own gets the numbers back, each within half its quantum, and quanta are as fine
// as docs/viewer.md says; what is constant, huge, tiny or not a number does no harm.
#include "view_case.h"

#include "view/view_pack.h"
#include "view_chunk.h"

#include <float.h>

static const char MODEL[] =
    "elver: 1\n"
    "tree:\n"
    "  - {rod: rod, length: 0.8, section: {circle: {diameter: 0.02}}, strain: {reissner: 2},\n"
    "     material: {density: 1000, young: 1e6, poisson: 0.3}}\n"
    "  - {body: ball, joint: free, mass: 1, inertia: [1, 1, 1]}\n"
    "actuators: [{tendon: wire, path: {rod: rod, y: 0.005}, tension: 1}]\n"
    "loads: [{force: [1, 2, 3], at: rod.tip}]\n"
    "record: {signals: [rod.tip.position, energy]}\n";

typedef struct {
    Seen seen;
    ElvViewPack pack;
    int n, m;
    double* value; // (n x m)
} Case;

// n records as random walks, each number with a size of its own between 1e-6 and 1e6
static Case make_case(int n, uint64_t seed) {
    ElvError error;
    Case c = {.seen = see(robot_of_text(MODEL), 5), .n = n};
    CheckRandom random = check_random(seed);
    c.m = elv_view_n_value(c.seen.view);
    c.value = new_array(n * c.m);
    for (int j = 0; j < c.m; j++) {
        double size = pow(10.0, check_uniform(&random, -6.0, 6.0));
        double x = check_uniform(&random, -size, size);
        for (int i = 0; i < n; i++) {
            x += check_uniform(&random, -0.1 * size, 0.1 * size);
            c.value[i * c.m + j] = x;
        }
    }
    CHECK_STATUS(elv_view_pack_init(&c.pack, c.seen.view, &error), &error);
    return c;
}

static Chunk pack_case(Case* c) {
    ElvError error;
    for (int i = 0; i < c->n; i++) {
        CHECK_TRUE(elv_view_pack_add(&c->pack, 0.1 * i, c->value + i * c->m));
    }
    CHECK_STATUS(elv_view_pack_make(&c->pack, &error), &error);
    CHECK_TRUE(c->pack.n == 0);
    Chunk chunk = chunk_read(c->pack.packed, c->pack.n_packed);
    CHECK_TRUE(chunk.n == c->n && chunk.m == c->m);
    return chunk;
}

static void free_case(Case* c) {
    elv_view_pack_free(&c->pack);
    free(c->value);
    see_free(&c->seen);
}

// least and largest of number j
static void range_of(const Case* c, int j, double range[2]) {
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int i = 0; i < c->n; i++) {
        range[0] = fmin(range[0], c->value[i * c->m + j]);
        range[1] = fmax(range[1], c->value[i * c->m + j]);
    }
}

static void check_back(const Case* c, const Chunk* chunk) {
    for (int i = 0; i < c->n; i++) {
        CHECK_NEAR(chunk->t[i], 0.1 * i, 0.0);
        for (int j = 0; j < c->m; j++) {
            double x = c->value[i * c->m + j];
            // rounding of the sums on top
            double tol = 0.5 * chunk->quantum[j] * (1.0 + 1e-6) + 1e-15 * fabs(x);
            CHECK_NEAR(chunk->value[i * c->m + j], x, tol);
        }
    }
}

static void test_round_trip(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Case c = make_case(seed == 1 ? 1 : 50, seed);
        if (seed == 1) {
            // one record: no quantum, and floats
            Chunk chunk = pack_case(&c);
            for (int j = 0; j < c.m; j++) {
                CHECK_NEAR(chunk.value[j], c.value[j], 6e-8 * fabs(c.value[j]));
            }
            chunk_free(&chunk);
            free_case(&c);
            continue;
        }
        Chunk chunk = pack_case(&c);
        check_back(&c, &chunk);
        chunk_free(&chunk);
        free_case(&c);
    }
}

// the range of all numbers of the group of j: a field along its rod
static double group_range(const Case* c, int j) {
    const ElvView* view = c->seen.view;
    double whole[2] = {INFINITY, -INFINITY};
    for (int k = 0; k < c->m; k++) {
        double range[2];
        range_of(c, k, range);
        if (view->number[k].group == view->number[j].group) {
            whole[0] = fmin(whole[0], range[0]);
            whole[1] = fmax(whole[1], range[1]);
        }
    }
    return whole[1] - whole[0];
}

// what fields of rods and arrows may be coarse by: 2^-15 of their range, or 2^-20 of the largest of their kind
static double field_quantum(const Case* c, int j) {
    const ElvView* view = c->seen.view;
    double largest = 0.0;
    for (int k = 0; k < c->m; k++) {
        if (view->number[k].kind == view->number[j].kind) {
            largest = fmax(largest, group_range(c, k));
        }
    }
    return fmax(0x1p-15 * group_range(c, j), 0x1p-20 * largest);
}

// quanta no coarser than promised, but for floats: 2^-26 of the size of a number
static void test_quanta(void** context) {
    (void)context;
    Case c = make_case(64, 21);
    const ElvView* view = c.seen.view;
    Chunk chunk = pack_case(&c);
    double widest = 0.0;
    int n_kind[ELV_N_NUMBER] = {0};
    for (int j = 0; j < c.m; j++) {
        double range[2];
        range_of(&c, j, range);
        if (view->number[j].kind == ELV_NUMBER_POSITION) {
            widest = fmax(widest, range[1] - range[0]);
        }
    }
    for (int j = 0; j < c.m; j++) {
        double range[2];
        range_of(&c, j, range);
        double size = fmax(fabs(range[0]), fabs(range[1]));
        double own = range[1] - range[0];
        ElvViewNumberKind kind = view->number[j].kind;
        double most = kind == ELV_NUMBER_POSITION     ? 0x1p-20 * widest
                      : kind == ELV_NUMBER_QUATERNION ? 0x1p-15
                      : kind == ELV_NUMBER_SIGNAL     ? 0x1p-24 * own
                      : kind == ELV_NUMBER_VALUE      ? 0x1p-15 * own
                                                      : field_quantum(&c, j);
        most = fmax(fmax(most, 0x1p-26 * size), kind == ELV_NUMBER_POSITION ? 0x1p-24 : 0.0);
        CHECK_TRUE(chunk.quantum[j] <= most * (1.0 + 1e-6));
        n_kind[kind]++;
    }
    // there are all kinds in it
    for (int k = 0; k < ELV_N_NUMBER; k++) {
        CHECK_TRUE(n_kind[k] > 0);
    }
    chunk_free(&chunk);
    free_case(&c);
}

// a field's quantum comes from its range along the rod, so that noise beside it costs nothing
static void test_fields(void** context) {
    (void)context;
    Case c = make_case(40, 5);
    const ElvViewRod* rod = &c.seen.view->rod[0];
    CheckRandom random = check_random(8);
    for (int i = 0; i < c.n; i++) {
        for (int s = 0; s < rod->n_station; s++) {
            // bending about z from 0 to 4 along the rod, waving by 0.1; about y noise
            c.value[i * c.m + rod->i_field[2] + s] = s + 0.1 * sin(0.3 * i);
            c.value[i * c.m + rod->i_field[1] + s] = check_uniform(&random, -1e-15, 1e-15);
            c.value[i * c.m + rod->i_field[0] + s] = 0.0;
        }
    }
    Chunk chunk = pack_case(&c);
    check_back(&c, &chunk);
    for (int s = 0; s < rod->n_station; s++) {
        CHECK_NEAR(chunk.quantum[rod->i_field[2] + s], 0x1p-15 * 4.2, 0x1p-15 * 0.01);
        for (int i = 0; i < c.n; i++) {
            // all at the first value
            double first = chunk.value[rod->i_field[1] + s];
            CHECK_NEAR(chunk.value[i * c.m + rod->i_field[1] + s], first, 0.0);
        }
        CHECK_NEAR(chunk.quantum[rod->i_field[0] + s], 0.0, 0.0);
    }
    chunk_free(&chunk);
    free_case(&c);
}

static void test_extremes(void** context) {
    (void)context;
    static const double odd[] = {NAN,    INFINITY, -INFINITY, 1e300, -1e300, 1e-300,
                                 -1e-40, 0.0,      1e37,      -1e37, 1.0,    DBL_MAX};
    Case c = make_case(12, 3);
    for (int i = 0; i < c.n; i++) {
        for (int j = 0; j < c.m; j++) {
            c.value[i * c.m + j] = odd[(i * 7 + j * (1 + i)) % 12];
        }
    }
    Chunk chunk = pack_case(&c);
    for (int i = 0; i < c.n * c.m; i++) {
        CHECK_TRUE(isfinite(chunk.value[i]) && fabs(chunk.value[i]) < 2e37);
    }
    chunk_free(&chunk);
    free_case(&c);
    // far away: a drift of a millimetre at a thousand kilometres is what a float resolves
    c = make_case(30, 4);
    for (int i = 0; i < c.n; i++) {
        for (int j = 0; j < c.m; j++) {
            c.value[i * c.m + j] = 1e6 + 1e-3 * i;
        }
    }
    chunk = pack_case(&c);
    check_back(&c, &chunk);
    chunk_free(&chunk);
    free_case(&c);
}

// a chunk says when it is full
static void test_capacity(void** context) {
    (void)context;
    ElvError error;
    Case c = make_case(1, 6);
    int n = 0;
    while (elv_view_pack_add(&c.pack, 0.0, c.value)) {
        n++;
    }
    CHECK_TRUE(n == c.pack.capacity && n >= 16 && (long)n * c.m <= 1 << 20);
    CHECK_STATUS(elv_view_pack_make(&c.pack, &error), &error);
    // what does not move packs to next to nothing: 4 bytes a number become less than one in a hundred
    CHECK_TRUE(c.pack.n_packed < c.pack.raw.n / 100);
    CHECK_TRUE(elv_view_pack_add(&c.pack, 0.0, c.value));
    free_case(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_quanta),
        cmocka_unit_test(test_fields),     cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
