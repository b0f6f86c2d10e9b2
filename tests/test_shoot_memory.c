// SPDX-License-Identifier: Apache-2.0
// Static shooting when memory ends while its steps are halved: the error says so, and the last equilibrium is what there
// is, with all that it shows. This program's own malloc fails at a call of choice. Address sanitizers bring an allocator
// of their own, so there it is skipped.
#include "model_case.h"

#include "elver/strong.h"

#if IS_SANITIZED || !defined(__GLIBC__)

int main(void) {
    return 77;
}

#else

// the allocator of the C library under its other names
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static volatile long n_left = -1; // calls that succeed; -1: all of them

static bool is_out(void) {
    if (n_left > 0) {
        n_left--;
    }
    return n_left == 0;
}

void* malloc(size_t size) {
    return is_out() ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
    return is_out() ? NULL : __libc_calloc(count, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    return is_out() ? NULL : __libc_memalign(alignment, size);
}

// bent harder with the load, until its steps are too long
static const char ROD[] = "tree:\n"
                          "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1e3, 1e3, 1e3], inertia: "
                          "[1, 1, 1, 1, 1, 1], strain: {kirchhoff: 4}}\n"
                          "loads: [{force: [0, \"t\", 0], at: rod.tip}]\n";

static const double SOFT = 0.1, HARD = 60.0;

static ElvPose tip_of(ElvShooting* shooting) {
    ElvPose g;
    elv_shoot_section(shooting, 0, 1.0, &g, NULL, NULL);
    return g;
}

static void test_memory_that_ends(void** state) {
    (void)state;
    ModelCase c = case_open("%s", ROD);
    ElvStaticsDef options = elv_statics_def_default();
    options.shooting.segments = 2;
    int n_failed = 0;
    bool is_done = false;
    for (long n = 1; !is_done; n += 1 + n / 4) {
        ElvShooting* shooting = NULL;
        ElvError error;
        CHECK_STATUS(elv_shoot_create(c.model, &options, &shooting, &error), &error);
        CHECK_STATUS(elv_shoot_statics(shooting, SOFT, &error), &error);
        long n_refinement = elv_shoot_report(shooting).n_refinement;
        ElvPose before = tip_of(shooting);
        n_left = n;
        ElvStatus status = elv_shoot_statics(shooting, HARD, &error);
        n_left = -1;
        is_done = status == ELV_OK;
        if (is_done) {
            CHECK_TRUE(elv_shoot_report(shooting).n_refinement > n_refinement);
        } else {
            n_failed++;
            CHECK_TRUE(status == ELV_ERROR_MEMORY);
            // as it was, and it goes on from there
            ElvPose after = tip_of(shooting);
            CHECK_ARRAY_NEAR(&after.p.x, &before.p.x, 3, 1e-8);
            CHECK_STATUS(elv_shoot_statics(shooting, HARD, &error), &error);
        }
        elv_shoot_free(shooting);
    }
    CHECK_TRUE(n_failed > 4);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_that_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
