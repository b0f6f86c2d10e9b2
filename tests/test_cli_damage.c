// SPDX-License-Identifier: Apache-2.0
// `elver export` and `elver plot` of files that claim what cannot be: a message, and no harm.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include <hdf5.h>

enum { N_COLUMN = 15 };

static void put_table(hid_t file, const char* name, int rank, hsize_t n) {
    hsize_t chunk[2] = {16, 1};
    hsize_t size[2] = {n, N_COLUMN};
    hid_t property = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(property, rank, chunk);
    hid_t space = H5Screate_simple(rank, size, NULL);
    hid_t table =
        H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, property, H5P_DEFAULT);
    assert_true(table >= 0);
    H5Dclose(table);
    H5Sclose(space);
    H5Pclose(property);
}

static void put_texts(hid_t file, const char* name) {
    static const char* const word[N_COLUMN] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                               "i", "j", "k", "l", "m", "n", "o"};
    hsize_t size[] = {N_COLUMN};
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    hid_t space = H5Screate_simple(1, size, NULL);
    hid_t list = H5Dcreate2(file, name, text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(list, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, word) >= 0);
    H5Dclose(list);
    H5Sclose(space);
    H5Tclose(text);
}

// a trajectory of n records, none of which is in the file: they read as zeros
static void write_claim(const char* path, hsize_t n) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Gclose(H5Gcreate2(file, "signals", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put_table(file, "t", 1, n);
    put_table(file, "signals/values", 2, n);
    put_texts(file, "signals/names");
    put_texts(file, "signals/units");
    H5Fclose(file);
}

// sixteen numbers a record: of 2^60 records they are 2^64, which is none where sizes wrap around
static void test_claims(void** context) {
    Process* p = *context;
    // a sanitizer is to answer as the C library does
    assert_int_equal(setenv("ASAN_OPTIONS", "allocator_may_return_null=1", 1), 0);
    for (int power = 56; power <= 60; power++) {
        write_claim(path_of(p, "claim.h5"), (hsize_t)1 << power);
        run(p, "plot claim.h5 * -o x.svg");
        CHECK_CODE(p, 1);
        CHECK_ERR(p, "out of memory");
        run(p, "export claim.h5 -o x.csv");
        CHECK_CODE(p, 1);
        CHECK_ERR(p, "out of memory");
        assert_false(has_file(p, "x.csv"));
        assert_false(has_file(p, "x.svg"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_PROCESS(test_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
