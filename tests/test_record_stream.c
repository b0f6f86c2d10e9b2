// SPDX-License-Identifier: Apache-2.0
// Streams of records on a disk that is full. The limit on the size of files stands for the full
// disk; a file in memory that is sealed against shrinking stands for one whose last, cut record
// cannot be removed: such a file must not be taken for a whole one. Linux: seals.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): the system's own name

#include "io/record_stream.h"

#include "check.h"
#include "io/trajectory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT = 100000, N_RECORD = 20000 };

typedef struct {
    int file;
    char name[64]; // opens the same file again
} MemoryFile;

static MemoryFile make_file(bool is_sealed) {
    MemoryFile m = {memfd_create("records", MFD_ALLOW_SEALING), ""};
    assert_true(m.file >= 0);
    if (is_sealed) {
        assert_int_equal(fcntl(m.file, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    }
    snprintf(m.name, sizeof m.name, "/proc/self/fd/%d", m.file);
    return m;
}

static off_t size_of(const MemoryFile* m) {
    struct stat info;
    assert_int_equal(fstat(m->file, &info), 0);
    return info.st_size;
}

static int set_limit(void** state) {
    static struct rlimit before;
    *state = &before;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit limit = {LIMIT, before.rlim_max};
    return setrlimit(RLIMIT_FSIZE, &limit);
}

static int lift_limit(void** state) {
    return setrlimit(RLIMIT_FSIZE, *state);
}

static void test_stream(void** state) {
    (void)state;
    for (int is_sealed = 0; is_sealed < 2; is_sealed++) {
        MemoryFile m = make_file(is_sealed != 0);
        ElvRecordStream stream;
        assert_int_equal(elv_record_stream_open(&stream, m.name), 0);
        const char record[7] = "abcdefg";
        int code = 0;
        for (int i = 0; i < N_RECORD && code == 0; i++) {
            elv_record_stream_put(&stream, record, sizeof record);
            code = elv_record_stream_end_record(&stream);
        }
        assert_int_equal(code, EFBIG);
        assert_true(stream.n_safe > 0);
        assert_int_equal(stream.end_safe, stream.n_safe * sizeof record);
        assert_true(stream.is_torn == (is_sealed != 0));
        assert_int_equal(size_of(&m), is_sealed ? LIMIT : (off_t)stream.end_safe);
        // the first failure stays
        assert_int_equal(elv_record_stream_close(&stream), EFBIG);
        close(m.file);
    }
}

static void check_format(ElvTrajectoryOpen open_format, bool is_sealed) {
    MemoryFile m = make_file(is_sealed);
    ElvPool pool = {0};
    ElvError error;
    elv_error_clear(&error);
    static const char* const name[] = {"a.x", "b.y"};
    static const char* const unit[] = {"m", "m"};
    ElvTrajectoryLayout layout = {
        .name = name, .unit = unit, .n_column = 2, .model_name = "records"};
    ElvTrajectoryFile* file = NULL;
    CHECK_STATUS(open_format(&pool, "final", m.name, &layout, &file, &error), &error);
    ElvStatus status = ELV_OK;
    for (int i = 0; i < N_RECORD && status == ELV_OK; i++) {
        ElvState at = {.t = 0.1 * i};
        const double value[] = {1.0 / 3.0, i / 7.0};
        status = file->ops->append(file, &at, value, &error);
    }
    assert_int_equal(status, ELV_ERROR_FILE);
    assert_int_equal(file->ops->finish(file, false, &error), ELV_ERROR_FILE);
    assert_true(file->is_whole == !is_sealed);
    elv_pool_free(&pool);
    close(m.file);
}

static void test_formats(void** state) {
    (void)state;
    check_format(elv_trajectory_open_csv, false);
    check_format(elv_trajectory_open_csv, true);
    check_format(elv_trajectory_open_npy, false);
    check_format(elv_trajectory_open_npy, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stream, set_limit, lift_limit),
        cmocka_unit_test_setup_teardown(test_formats, set_limit, lift_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
