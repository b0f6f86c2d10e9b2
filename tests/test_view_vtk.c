// SPDX-License-Identifier: Apache-2.0
// Series for ParaView: the list and its files are well-formed, arrays have as many numbers as their piece says, and points
// are those of the records.
#define _POSIX_C_SOURCE 200809L

#include "view/view.h"
#include "view_file_case.h"

static char* path_of(const Robot* r, const char* name, char path[160]) {
    snprintf(path, 160, "%s/%s", r->folder, name);
    return path;
}

// elements open and close as they should
static void check_xml(const char* text) {
    char stack[32][32];
    int depth = 0;
    for (const char* at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        const char* end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '?') {
            continue;
        }
        char name[32];
        assert_int_equal(sscanf(at + 1 + (at[1] == '/'), "%31[A-Za-z]", name), 1);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(name, stack[--depth]);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            strcpy(stack[depth++], name);
        }
    }
    assert_int_equal(depth, 0);
}

static int digit_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* at = c != '\0' ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// bytes of an array, its length in front removed; free it
static unsigned char* decode(const char* text, const char* name, size_t* n) {
    char key[64];
    snprintf(key, sizeof key, "Name=\"%s\"", name);
    const char* at = strstr(text, key);
    if (!at) {
        fail_msg("no array %s", name);
    }
    at = strchr(at, '>') + 2;
    unsigned char* bytes = calloc(strlen(at) + 4, 1);
    unsigned word = 0;
    int n_bit = 0;
    *n = 0;
    for (; digit_of(*at) >= 0; at++) {
        word = word << 6 | (unsigned)digit_of(*at);
        n_bit += 6;
        if (n_bit >= 8) {
            n_bit -= 8;
            bytes[(*n)++] = (unsigned char)(word >> n_bit & 255U);
        }
    }
    size_t length =
        bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    assert_int_equal(*n, length + 4);
    *n = length;
    memmove(bytes, bytes + 4, length);
    return bytes;
}

static void check_floats(const char* text, const char* name, const double* expected, size_t n) {
    size_t size = 0;
    unsigned char* bytes = decode(text, name, &size);
    assert_int_equal(size, 4 * n);
    for (size_t i = 0; i < n && expected; i++) {
        float value = 0.0F;
        memcpy(&value, bytes + 4 * i, sizeof value);
        CHECK_NEAR(value, (float)expected[i], 0.0);
    }
    free(bytes);
}

// names are codes of letters, with a zero behind each
static void check_name(const char* text, const char* expected) {
    const char* at = strstr(text, "Name=\"names\"");
    assert_non_null(at);
    at = strchr(at, '>') + 1;
    char* end = NULL;
    for (const char* letter = expected;; letter++) {
        assert_int_equal(strtol(at, &end, 10), (unsigned char)*letter);
        assert_true(end > at);
        at = end;
        if (*letter == '\0') {
            return;
        }
    }
}

static void check_rods(const Robot* r, int i) {
    char path[160];
    char name[64];
    size_t size = 0;
    snprintf(name, sizeof name, "out/rods_%07d.vtp", i);
    char* text = read_bytes(path_of(r, name, path), &size);
    check_xml(text);
    assert_non_null(strstr(text, "NumberOfPoints=\"5\""));
    assert_non_null(strstr(text, "NumberOfLines=\"1\""));
    const ElvViewRod* rod = &r->view->rod[0];
    check_name(text, rod->name);
    double position[3 * N_STATION];
    double orientation[4 * N_STATION];
    double radius[N_STATION];
    for (int k = 0; k < N_STATION; k++) {
        const double* pose = r->value[i] + rod->i_pose + ELV_VIEW_POSE * k;
        memcpy(position + 3 * k, pose, 3 * sizeof *pose);
        memcpy(orientation + 4 * k, pose + 3, 4 * sizeof *pose);
        radius[k] = 0.25 * (0.1 + 0.04);
    }
    check_floats(text, "position", position, 3 * N_STATION);
    check_floats(text, "orientation", orientation, 4 * N_STATION);
    check_floats(text, "radius", radius, N_STATION);
    check_floats(text, "width", NULL, 2 * N_STATION);
    check_floats(text, "bend_y", r->value[i] + rod->i_field[ELV_STRAIN_BEND_Y], N_STATION);
    check_floats(text, "stress.bend_y", r->value[i] + rod->i_field[6 + ELV_STRAIN_BEND_Y],
                 N_STATION);
    free(text);
}

static void check_others(const Robot* r, int i) {
    char path[160];
    char name[64];
    size_t size = 0;
    snprintf(name, sizeof name, "out/paths_%07d.vtp", i);
    char* text = read_bytes(path_of(r, name, path), &size);
    check_xml(text);
    check_name(text, r->view->path[0].name);
    double tension = 5.0 + r->t[i];
    check_floats(text, "tension", &tension, 1);
    check_floats(text, "position", r->value[i] + r->view->path[0].i_points,
                 3 * (size_t)r->view->path[0].n_point);
    free(text);

    snprintf(name, sizeof name, "out/bodies_%07d.vtp", i);
    text = read_bytes(path_of(r, name, path), &size);
    check_xml(text);
    check_name(text, r->view->body[0].name);
    size_t n_point = 0;
    size_t n_triangle = 0;
    assert_int_equal(sscanf(strstr(text, "NumberOfPoints"), "NumberOfPoints=\"%zu\"", &n_point), 1);
    assert_int_equal(sscanf(strstr(text, "NumberOfPolys"), "NumberOfPolys=\"%zu\"", &n_triangle),
                     1);
    check_floats(text, "position", NULL, 3 * n_point);
    check_floats(text, "normal", NULL, 3 * n_point);
    unsigned char* bytes = decode(text, "connectivity", &size);
    assert_int_equal(size, 12 * n_triangle);
    for (size_t k = 0; k < size; k += 4) {
        assert_true(bytes[k] + 256U * bytes[k + 1] < n_point && bytes[k + 2] == 0);
    }
    free(bytes);
    free(text);
}

static void remove_series(const Robot* r, int n) {
    static const char* const kind[] = {"rods", "bodies", "paths"};
    char path[160];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++) {
            char name[64];
            snprintf(name, sizeof name, "out/%s_%07d.vtp", kind[k], i);
            assert_int_equal(remove(path_of(r, name, path)), 0);
        }
    }
    assert_int_equal(rmdir(path_of(r, "out", path)), 0);
    remove(path_of(r, "out.pvd", path));
}

static void test_series(void** context) {
    const Robot* r = *context;
    char path[160];
    size_t size = 0;
    write_robot(r, path_of(r, "out.pvd", path), N_FRAME);
    char* list = read_bytes(path, &size);
    check_xml(list);
    for (int i = 0; i < N_FRAME; i++) {
        char entry[128];
        snprintf(entry, sizeof entry,
                 "<DataSet timestep=\"%.2g\" part=\"0\" name=\"rods\" file=\"out/rods_%07d.vtp\"/>",
                 r->t[i], i);
        assert_non_null(strstr(list, entry));
        check_rods(r, i);
        check_others(r, i);
    }
    free(list);

    // a shorter series takes the place of a longer one, and leaves none of its files
    write_robot(r, path, 1);
    remove_series(r, 1);
}

// left before the end, nothing is there; nor where it cannot be
static void test_discard(void** context) {
    const Robot* r = *context;
    char path[160];
    ElvViewFile* file = NULL;
    ElvError error;
    CHECK_STATUS(elv_view_file_create(path_of(r, "out.pvd", path), &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, NULL, &error), &error);
    CHECK_STATUS(elv_view_file_append(file, 0.0, r->value[0], &error), &error);
    elv_view_file_discard(file);
    assert_int_equal(elv_view_file_create("/nowhere/out.pvd", &file, &error), ELV_ERROR_FILE);
}

// what a program that was killed has left is no part of the series, and does not stay
static void test_stale(void** context) {
    const Robot* r = *context;
    char path[160];
    assert_int_equal(mkdir(path_of(r, "out.part", path), 0777), 0);
    FILE* stream = fopen(path_of(r, "out.part/rods_0000007.vtp", path), "wb");
    assert_non_null(stream);
    fclose(stream);
    write_robot(r, path_of(r, "out.pvd", path), 1);
    remove_series(r, 1);
}

// files of others are not touched, and the series is refused
static void test_foreign(void** context) {
    static const char* const foreign[] = {"out.part/mine.vtp", "out.part/rods_7.vtp",
                                          "out.part/rods_0000007.vtp.bak"};
    static const char stale[] = "out.part/rods_0000007.vtp";
    const Robot* r = *context;
    char path[160];
    ElvViewFile* file = NULL;
    ElvError error;
    assert_int_equal(mkdir(path_of(r, "out.part", path), 0777), 0);
    for (int i = 0; i < 3; i++) {
        fclose(fopen(path_of(r, foreign[i], path), "wb"));
        fclose(fopen(path_of(r, stale, path), "wb"));
        ElvStatus status = elv_view_file_create(path_of(r, "out.pvd", path), &file, &error);
        assert_int_equal(status, ELV_ERROR_FILE);
        assert_non_null(strstr(error.message, "out.part': Directory not empty"));
        assert_int_equal(remove(path_of(r, foreign[i], path)), 0);
        assert_int_equal(remove(path_of(r, stale, path)), 0);
    }
    assert_int_equal(rmdir(path_of(r, "out.part", path)), 0);
}

// equilibria follow each other ten a second; each file has its load
static void test_loads(void** context) {
    static const double load[] = {0.0, 0.25, 0.0};
    const Robot* r = *context;
    char path[160];
    char text[160];
    size_t size = 0;
    ElvViewFile* file = NULL;
    ElvError error;
    r->view->is_statics = true;
    CHECK_STATUS(elv_view_file_create(path_of(r, "out.pvd", path), &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, NULL, &error), &error);
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(elv_view_file_append(file, load[i], r->value[i], &error), &error);
    }
    CHECK_STATUS(elv_view_file_close(file, &error), &error);
    char* list = read_bytes(path, &size);
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "<DataSet timestep=\"%.1g\" part=\"0\"", 0.1 * i);
        assert_non_null(strstr(list, text));
        snprintf(text, sizeof text, "out/bodies_%07d.vtp", i);
        char* bodies = read_bytes(path_of(r, text, path), &size);
        check_xml(bodies);
        snprintf(text, sizeof text, "NumberOfTuples=\"1\" format=\"ascii\">%.2g</DataArray>",
                 load[i]);
        assert_non_null(strstr(bodies, "Name=\"load\""));
        assert_non_null(strstr(bodies, text));
        free(bodies);
    }
    free(list);
    remove_series(r, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_ROBOT(test_series),  WITH_ROBOT(test_discard), WITH_ROBOT(test_stale),
        WITH_ROBOT(test_foreign), WITH_ROBOT(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
