// SPDX-License-Identifier: Apache-2.0
// Memory: pools (zeroed, aligned, apart, sizes that cannot be had) and arenas (a layout that is
// measured is the layout that is placed). The sanitizers watch the bounds.
#include "base/arena.h"
#include "base/pool.h"
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>

static bool is_aligned(const void* p) {
    return (uintptr_t)p % 64 == 0;
}

static void test_take(void** state) {
    (void)state;
    ElvPool pool = {NULL};
    unsigned char* block[20];
    size_t size[20];
    CheckRandom random = check_random(1);
    for (int i = 0; i < 20; i++) {
        size[i] = (size_t)check_integer(&random, 300) + 1;
        block[i] = elv_pool_take(&pool, size[i], 1);
        CHECK_TRUE(block[i] != NULL && is_aligned(block[i]));
        for (size_t k = 0; k < size[i]; k++) {
            CHECK_TRUE(block[i][k] == 0);
        }
        memset(block[i], i + 1, size[i]);
    }
    // no block overlaps another
    for (int i = 0; i < 20; i++) {
        for (size_t k = 0; k < size[i]; k++) {
            CHECK_TRUE(block[i][k] == i + 1);
        }
    }
    elv_pool_free(&pool);
    CHECK_TRUE(pool.head == NULL);
    // free of an empty pool, and use after it
    elv_pool_free(&pool);
    CHECK_TRUE(elv_pool_take(&pool, 3, sizeof(double)) != NULL);
    elv_pool_free(&pool);
}

static void test_empty_requests(void** state) {
    (void)state;
    ElvPool pool = {NULL};
    CHECK_TRUE(elv_pool_take(&pool, 0, 8) != NULL);
    CHECK_TRUE(elv_pool_take(&pool, 8, 0) != NULL);
    CHECK_TRUE(elv_pool_copy(&pool, NULL, 0, 8) != NULL);
    elv_pool_free(&pool);
}

// products beyond the size of memory are refused, not wrapped around
static void test_overflow(void** state) {
    (void)state;
    ElvPool pool = {NULL};
    CHECK_TRUE(elv_pool_take(&pool, SIZE_MAX, 2) == NULL);
    CHECK_TRUE(elv_pool_take(&pool, SIZE_MAX / 8 + 2, 8) == NULL);
    CHECK_TRUE(elv_pool_take(&pool, 2, SIZE_MAX / 2) == NULL);
    CHECK_TRUE(elv_pool_take(&pool, SIZE_MAX, 1) == NULL);
    CHECK_TRUE(pool.head == NULL);
}

static void test_copies(void** state) {
    (void)state;
    ElvPool pool = {NULL};
    char text[] = "elver";
    char* copy = elv_pool_string(&pool, text);
    text[0] = 'x';
    assert_string_equal(copy, "elver");
    assert_string_equal(elv_pool_string(&pool, ""), "");
    const double from[3] = {1.0, -2.0, 3.5};
    double* to = elv_pool_copy(&pool, from, 3, sizeof *from);
    CHECK_TRUE(to != from);
    CHECK_ARRAY_NEAR(to, from, 3, 0.0);
    elv_pool_free(&pool);
}

// appending one by one keeps what is there and always leaves room for one more
static void test_grow(void** state) {
    (void)state;
    ElvPool pool = {NULL};
    int* array = NULL;
    int n_move = 0;
    for (int n = 0; n < 1000; n++) {
        int* grown = elv_pool_grow(&pool, array, n, sizeof *array);
        CHECK_TRUE(grown != NULL);
        n_move += grown != array;
        array = grown;
        array[n] = 3 * n;
    }
    for (int n = 0; n < 1000; n++) {
        CHECK_TRUE(array[n] == 3 * n);
    }
    // capacities double from 4 to 1024
    CHECK_TRUE(n_move == 9);
    elv_pool_free(&pool);
}

typedef struct {
    double* a;
    char* b;
    double* c;
} Layout;

static Layout place(ElvArena* arena) {
    Layout layout;
    layout.a = elv_arena_take(arena, 7, sizeof *layout.a);
    layout.b = elv_arena_take(arena, 1, sizeof *layout.b);
    (void)elv_arena_take(arena, 0, 8);
    layout.c = elv_arena_take(arena, 8, sizeof *layout.c);
    return layout;
}

static void test_arena(void** state) {
    (void)state;
    ElvArena measure = {0};
    Layout layout = place(&measure);
    CHECK_TRUE(layout.a == NULL && layout.b == NULL && layout.c == NULL);
    CHECK_TRUE(measure.size == 64 + 64 + 64);
    ElvArena arena = {.base = aligned_alloc(ELV_ARENA_ALIGN, measure.size)};
    layout = place(&arena);
    CHECK_TRUE(arena.size == measure.size);
    CHECK_TRUE(is_aligned(layout.a) && is_aligned(layout.b) && is_aligned(layout.c));
    CHECK_TRUE((unsigned char*)(layout.a + 7) <= (unsigned char*)layout.b);
    CHECK_TRUE((unsigned char*)(layout.b + 1) <= (unsigned char*)layout.c);
    CHECK_TRUE((unsigned char*)(layout.c + 8) == arena.base + arena.size);
    free(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take),     cmocka_unit_test(test_empty_requests),
        cmocka_unit_test(test_overflow), cmocka_unit_test(test_copies),
        cmocka_unit_test(test_grow),     cmocka_unit_test(test_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
