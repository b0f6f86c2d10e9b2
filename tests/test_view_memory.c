// SPDX-License-Identifier: Apache-2.0
// Files of moving pictures when memory ends: a record that could not be kept is told at once, and again when the file is
// closed, of which nothing is left then. Skipped where the allocators belong to a sanitizer or to another C library.
#define _POSIX_C_SOURCE 200809L

#include "view_file_case.h"

enum { EXIT_SKIP = 77 };

#if defined(__GLIBC__) && !IS_SANITIZED

// the allocator of the C library under its other name
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static volatile bool is_used_up; // for blocks that grow
static volatile bool is_empty;   // for all

void* malloc(size_t size) {
    return is_empty ? NULL : __libc_malloc(size);
}

void* calloc(size_t n, size_t size) {
    return is_empty ? NULL : __libc_calloc(n, size);
}

void* realloc(void* block, size_t size) {
    return is_used_up || is_empty ? NULL : __libc_realloc(block, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    return is_empty ? NULL : __libc_memalign(alignment, size);
}

static void check_file(const Robot* r, const char* name, ElvStatus expected) {
    enum { N_MOST = 100000 };
    char path[160];
    ElvViewFile* file = NULL;
    ElvError error;
    elv_error_clear(&error);
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    CHECK_STATUS(elv_view_file_create(path, &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, NULL, &error), &error);
    CHECK_STATUS(elv_view_file_append(file, 0.0, r->value[0], &error), &error);
    is_used_up = true;
    ElvStatus status = ELV_OK;
    for (int i = 1; i < N_MOST && status == ELV_OK; i++) {
        status = elv_view_file_append(file, i, r->value[1], &error);
    }
    is_used_up = false;
    assert_int_equal(status, expected);
    // with memory again there still is a hole; the folder is seen to be empty at the end
    elv_error_clear(&error);
    assert_int_equal(elv_view_file_close(file, &error), expected);
    assert_true(strlen(error.message) > 0);
}

// without memory for a trajectory there is none: what follows fails alike, and nothing is left
static void check_begin(const Robot* r, const char* name) {
    char path[160];
    ElvViewFile* file = NULL;
    ElvError error;
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    CHECK_STATUS(elv_view_file_create(path, &file, &error), &error);
    is_empty = true;
    ElvStatus status = elv_view_file_begin(file, r->view, "title", &error);
    is_empty = false;
    assert_int_equal(status, ELV_ERROR_MEMORY);
    assert_int_equal(elv_view_file_append(file, 0.0, r->value[0], &error), ELV_ERROR_MEMORY);
    assert_int_equal(elv_view_file_begin(file, r->view, "title", &error), ELV_ERROR_MEMORY);
    assert_int_equal(elv_view_file_close(file, &error), ELV_ERROR_MEMORY);
}

static void test_begin(void** context) {
    check_begin(*context, "out.html");
    check_begin(*context, "out.glb");
    check_begin(*context, "out.pvd");
}

static void test_html(void** context) {
    check_file(*context, "out.html", ELV_ERROR_MEMORY);
}

static void test_gltf(void** context) {
    check_file(*context, "out.glb", ELV_ERROR_MEMORY);
}

static void test_vtk(void** context) {
    check_file(*context, "out.pvd", ELV_ERROR_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ROBOT(test_begin), WITH_ROBOT(test_html),
                                       WITH_ROBOT(test_gltf), WITH_ROBOT(test_vtk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    return EXIT_SKIP;
}

#endif
