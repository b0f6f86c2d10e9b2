// SPDX-License-Identifier: Apache-2.0
// glTF files: every number that the JSON text speaks of is within the binary piece, bounds are those of the numbers, skins
// and triangles refer to what is there, and the animation has the poses of the records.
#define _POSIX_C_SOURCE 200809L

#include "view/view.h"
#include "view_file_case.h"

enum { MAX_ACCESSOR = 200 };

typedef struct {
    size_t offset, length; // of its view
    int component, width;  // type of numbers, how many an element
    size_t count;
    char bounds[200]; // text behind "min", or empty
} Accessor;

typedef struct {
    char* bytes;
    size_t size;
    char* json;
    const unsigned char* binary;
    size_t n_binary;
    Accessor accessor[MAX_ACCESSOR];
    int n_accessor;
} Glb;

static uint32_t word_at(const void* at) {
    const unsigned char* b = at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const Glb* glb, size_t offset) {
    float value = 0.0F;
    uint32_t word = word_at(glb->binary + offset);
    memcpy(&value, &word, sizeof value);
    return value;
}

// the text of a list of the document
static char* list_of(const Glb* glb, const char* name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":[\n", name);
    char* at = strstr(glb->json, key);
    return at ? at + strlen(key) : NULL;
}

static int width_of(const char* type) {
    static const char* const names[] = {"SCALAR", "VEC3", "VEC4", "MAT4"};
    static const int width[] = {1, 3, 4, 16};
    for (int i = 0; i < 4; i++) {
        if (strncmp(type, names[i], strlen(names[i])) == 0) {
            return width[i];
        }
    }
    fail_msg("unknown type %s", type);
    return 0;
}

static void read_accessors(Glb* glb) {
    size_t view[MAX_ACCESSOR][2];
    int n_view = 0;
    for (char* at = list_of(glb, "bufferViews"); at && *at == '{'; n_view++) {
        assert_int_equal(sscanf(at, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu",
                                &view[n_view][0], &view[n_view][1]),
                         2);
        assert_true(view[n_view][0] % 4 == 0);
        assert_true(view[n_view][0] + view[n_view][1] <= glb->n_binary);
        at = strchr(at, '\n') + 1;
    }
    for (char* at = list_of(glb, "accessors"); at && *at == '{'; glb->n_accessor++) {
        Accessor* a = &glb->accessor[glb->n_accessor];
        char type[16];
        int i_view = -1;
        assert_int_equal(sscanf(at,
                                "{\"bufferView\":%d,\"componentType\":%d,\"type\":\"%15[A-Z0-9]\","
                                "\"count\":%zu",
                                &i_view, &a->component, type, &a->count),
                         4);
        assert_true(i_view >= 0 && i_view < n_view);
        a->offset = view[i_view][0];
        a->length = view[i_view][1];
        a->width = width_of(type);
        char* end = strchr(at, '\n');
        const char* bounds = strstr(at, "\"min\":");
        if (bounds && bounds < end) {
            snprintf(a->bounds, sizeof a->bounds, "%.*s", (int)(end - bounds), bounds);
        }
        size_t size = a->component == 5123 ? 2 : 4;
        assert_int_equal(a->length, a->count * (size_t)a->width * size);
        at = end + 1;
    }
}

static Glb read_glb(const char* path) {
    Glb glb;
    memset(&glb, 0, sizeof glb);
    glb.bytes = read_bytes(path, &glb.size);
    assert_true(glb.size >= 28 && memcmp(glb.bytes, "glTF", 4) == 0);
    assert_int_equal(word_at(glb.bytes + 4), 2);
    assert_int_equal(word_at(glb.bytes + 8), glb.size);
    size_t n_json = word_at(glb.bytes + 12);
    assert_memory_equal(glb.bytes + 16, "JSON", 4);
    assert_true(n_json % 4 == 0 && 28 + n_json <= glb.size);
    glb.json = calloc(n_json + 1, 1);
    memcpy(glb.json, glb.bytes + 20, n_json);
    const char* second = glb.bytes + 20 + n_json;
    glb.n_binary = word_at(second);
    assert_memory_equal(second + 4, "BIN\0", 4);
    assert_int_equal(28 + n_json + glb.n_binary, glb.size);
    glb.binary = (const unsigned char*)second + 8;
    read_accessors(&glb);
    return glb;
}

static void free_glb(Glb* glb) {
    free(glb->bytes);
    free(glb->json);
}

static int count_of(const char* text, const char* part) {
    int n = 0;
    for (const char* at = strstr(text, part); at; at = strstr(at + 1, part)) {
        n++;
    }
    return n;
}

// a bound is the float itself, written with nine digits
static void check_bounds(const Glb* glb, const Accessor* a) {
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < a->width; k++) {
            double best = float_at(glb, a->offset + 4 * (size_t)k);
            for (size_t i = 0; i < a->count; i++) {
                double x = float_at(glb, a->offset + 4 * (i * (size_t)a->width + (size_t)k));
                best = side == 0 ? fmin(best, x) : fmax(best, x);
            }
            const char* at = strstr(a->bounds, side == 0 ? "\"min\":[" : "\"max\":[") + 7;
            for (int j = 0; j < k; j++) {
                at = strchr(at, ',') + 1;
            }
            CHECK_NEAR((double)(float)strtod(at, NULL), best, 0.0);
        }
    }
}

// the integer behind a key in a text
static int number_after(const char* text, const char* key) {
    const char* at = strstr(text, key);
    assert_non_null(at);
    return (int)strtol(at + strlen(key), NULL, 10);
}

static void check_mesh(const Glb* glb, const char* mesh, bool is_skin) {
    const Accessor* position = &glb->accessor[number_after(mesh, "\"POSITION\":")];
    const Accessor* normal = &glb->accessor[number_after(mesh, "\"NORMAL\":")];
    const Accessor* triangle = &glb->accessor[number_after(mesh, "\"indices\":")];
    assert_true(position->bounds[0] != '\0');
    check_bounds(glb, position);
    assert_int_equal(normal->count, position->count);
    assert_int_equal(triangle->count % 3, 0);
    for (size_t i = 0; i < triangle->count; i++) {
        assert_true(word_at(glb->binary + triangle->offset + 4 * i) < position->count);
    }
    if (!is_skin) {
        return;
    }
    const Accessor* joints = &glb->accessor[number_after(mesh, "\"JOINTS_0\":")];
    const Accessor* weights = &glb->accessor[number_after(mesh, "\"WEIGHTS_0\":")];
    assert_int_equal(joints->count, position->count);
    assert_int_equal(weights->count, position->count);
    for (size_t i = 0; i < joints->count; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < 4; k++) {
            const unsigned char* joint = glb->binary + joints->offset + 8 * i + 2 * k;
            assert_true(joint[0] + 256 * joint[1] < N_STATION);
            sum += float_at(glb, weights->offset + 16 * i + 4 * k);
        }
        // two floats
        CHECK_NEAR(sum, 1.0, 2.4e-7);
    }
}

// the animated values of a node against poses of the records
static void check_channel(const Glb* glb, const Robot* r, int node, int i_pose) {
    static const char* const path[] = {"translation", "rotation"};
    static const int order[2][4] = {{0, 1, 2, 0}, {4, 5, 6, 3}};
    for (int p = 0; p < 2; p++) {
        char key[96];
        snprintf(key, sizeof key, "\"target\":{\"node\":%d,\"path\":\"%s\"}", node, path[p]);
        const char* channel = strstr(glb->json, key);
        assert_non_null(channel);
        while (*channel != '\n') {
            channel--;
        }
        int i_sampler = number_after(channel, "\"sampler\":");
        const char* sampler = strstr(glb->json, "\"samplers\":[\n") + 13;
        for (int i = 0; i < i_sampler; i++) {
            sampler = strchr(sampler, '\n') + 1;
        }
        const Accessor* input = &glb->accessor[number_after(sampler, "\"input\":")];
        const Accessor* output = &glb->accessor[number_after(sampler, "\"output\":")];
        assert_int_equal(input->count, N_FRAME);
        assert_int_equal(output->count, N_FRAME);
        check_bounds(glb, input);
        for (size_t i = 0; i < N_FRAME; i++) {
            CHECK_NEAR(float_at(glb, input->offset + 4 * i), r->t[i], 0.0);
            for (int k = 0; k < output->width; k++) {
                size_t at = output->offset + 4 * (i * (size_t)output->width + (size_t)k);
                CHECK_NEAR(float_at(glb, at), (float)r->value[i][i_pose + order[p][k]], 0.0);
            }
        }
    }
}

// the line of the tendon goes through its points, and each follows its own node
static void check_line(const Glb* glb, const Robot* r) {
    const ElvViewPath* path = &r->view->path[0];
    const char* mesh = strstr(glb->json, "\"mode\":3");
    const Accessor* position = &glb->accessor[number_after(mesh, "\"POSITION\":")];
    const Accessor* joints = &glb->accessor[number_after(mesh, "\"JOINTS_0\":")];
    assert_int_equal(position->count, path->n_point);
    assert_int_equal(joints->count, path->n_point);
    check_bounds(glb, position);
    for (int k = 0; k < path->n_point; k++) {
        assert_int_equal(glb->binary[joints->offset + 8 * (size_t)k], k);
        for (int j = 0; j < 3; j++) {
            double x = float_at(glb, position->offset + 4 * (size_t)(3 * k + j));
            CHECK_NEAR(x, (float)r->value[0][path->i_points + 3 * k + j], 0.0);
        }
    }
    // behind the root, the stations and two bodies
    char joint[64];
    snprintf(joint, sizeof joint, "\"joints\":[%d,%d,", 1 + N_STATION + 2, 1 + N_STATION + 3);
    assert_non_null(strstr(glb->json, joint));
}

static void test_file(void** context) {
    const Robot* r = *context;
    char path[160];
    snprintf(path, sizeof path, "%s/out.glb", r->folder);
    write_robot(r, path, N_FRAME);
    Glb glb = read_glb(path);
    assert_non_null(strstr(glb.json, "\"name\":\"a \\\"title\\\" \\u003c\\u0026\\u003e\""));

    // a skin over five stations, a box, a small ball for the body without a shape
    char* meshes = list_of(&glb, "meshes");
    assert_int_equal(count_of(glb.json, "\"primitives\""), 4);
    for (char* at = meshes; *at == '{'; at = strchr(at, '\n') + 1) {
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)(strchr(at, '\n') - at), at);
        if (!strstr(line, "\"mode\":3")) {
            check_mesh(&glb, line, strstr(line, "JOINTS_0") != NULL);
        }
    }
    const char* skin = list_of(&glb, "skins");
    assert_non_null(strstr(skin, "\"joints\":[1,2,3,4,5]"));
    const Accessor* bind = &glb.accessor[number_after(skin, "\"inverseBindMatrices\":")];
    assert_int_equal(bind->count, N_STATION);
    assert_int_equal(bind->width, 16);

    // the nodes of stations, then of bodies
    for (int k = 0; k < N_STATION; k++) {
        check_channel(&glb, r, 1 + k, r->view->rod[0].i_pose + ELV_VIEW_POSE * k);
    }
    for (int k = 0; k < 2; k++) {
        check_channel(&glb, r, 1 + N_STATION + k, r->view->body[k].i_pose);
    }
    check_line(&glb, r);
    free_glb(&glb);
    remove(path);
}

// a skin in the first record is the rod itself: the ring around the tip is where the tip's pose says
static void test_skin_is_the_rod(void** context) {
    const Robot* r = *context;
    char path[160];
    snprintf(path, sizeof path, "%s/out.glb", r->folder);
    write_robot(r, path, 1);
    Glb glb = read_glb(path);
    const char* mesh = strstr(glb.json, "\"JOINTS_0\"");
    while (*mesh != '\n') {
        mesh--;
    }
    const Accessor* position = &glb.accessor[number_after(mesh, "\"POSITION\":")];
    const Accessor* joints = &glb.accessor[number_after(mesh, "\"JOINTS_0\":")];
    const Accessor* bind =
        &glb.accessor[number_after(strstr(glb.json, "\"skins\":["), "\"inverseBindMatrices\":")];
    double y_max = 0.0;
    double z_max = 0.0;
    int n_tip = 0;
    for (size_t i = 0; i < position->count; i++) {
        if (glb.binary[joints->offset + 8 * i] != N_STATION - 1) {
            continue;
        }
        // in the axes of the tip: the translation is in the last column
        size_t last = bind->offset + 64 * (N_STATION - 1) + 48;
        double x = float_at(&glb, position->offset + 12 * i) + float_at(&glb, last);
        CHECK_NEAR(x, 0.0, 1e-6);
        y_max = fmax(y_max, float_at(&glb, position->offset + 12 * i + 4));
        z_max = fmax(z_max, float_at(&glb, position->offset + 12 * i + 8));
        n_tip++;
    }
    // a ring of eight points, and as many for the end; half of 0.1 and 0.04, as floats
    assert_int_equal(n_tip, 16);
    CHECK_NEAR(y_max, 0.05, 1e-8);
    CHECK_NEAR(z_max, 0.02, 1e-8);
    free_glb(&glb);
    remove(path);
}

static void test_no_record(void** context) {
    const Robot* r = *context;
    char path[160];
    snprintf(path, sizeof path, "%s/out.glb", r->folder);
    write_robot(r, path, 0);
    Glb glb = read_glb(path);
    assert_null(strstr(glb.json, "animations"));
    free_glb(&glb);
    remove(path);

    // left before the end, nothing is there; nor where it cannot be
    ElvViewFile* file = NULL;
    ElvError error;
    CHECK_STATUS(elv_view_file_create(path, &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, NULL, &error), &error);
    elv_view_file_discard(file);
    assert_int_equal(elv_view_file_create("/nowhere/out.glb", &file, &error), ELV_ERROR_FILE);
    assert_non_null(strstr(error.message, "No such file"));
}

// a file whose n key frames lie `every` seconds apart; remove it
static void check_times(const char* path, size_t n, double every, double tol) {
    Glb glb = read_glb(path);
    const char* sampler = strstr(glb.json, "\"samplers\":[\n");
    const Accessor* input = &glb.accessor[number_after(sampler, "\"input\":")];
    assert_int_equal(input->count, n);
    check_bounds(&glb, input);
    for (size_t i = 0; i < n; i++) {
        CHECK_NEAR(float_at(&glb, input->offset + 4 * i), every * (double)i, tol);
    }
    free_glb(&glb);
    remove(path);
}

// times that do not grow are left out
static void test_times(void** context) {
    const Robot* r = *context;
    static const double t[] = {1.0, 1.0, 2.0, 1.5, 3.0};
    char path[160];
    snprintf(path, sizeof path, "%s/out.glb", r->folder);
    ElvViewFile* file = NULL;
    ElvError error;
    CHECK_STATUS(elv_view_file_create(path, &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, NULL, &error), &error);
    for (int i = 0; i < 5; i++) {
        CHECK_STATUS(elv_view_file_append(file, t[i], r->value[0], &error), &error);
    }
    assert_int_equal(elv_view_file_n_picture(file), 3);
    CHECK_STATUS(elv_view_file_close(file, &error), &error);
    check_times(path, 3, 1.0, 0.0);
}

// a millisecond is one, however late the run begins; the times after it are floats
static void test_late(void** context) {
    const Robot* r = *context;
    char path[160];
    snprintf(path, sizeof path, "%s/out.glb", r->folder);
    ElvViewFile* file = NULL;
    ElvError error;
    CHECK_STATUS(elv_view_file_create(path, &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, NULL, &error), &error);
    for (int i = 0; i <= 100; i++) {
        CHECK_STATUS(elv_view_file_append(file, 1e5 + 1e-3 * i, r->value[0], &error), &error);
    }
    CHECK_STATUS(elv_view_file_close(file, &error), &error);
    check_times(path, 101, 1e-3, 1e-8);
}

// equilibria follow each other ten a second, and loads may go back
static void test_loads(void** context) {
    const Robot* r = *context;
    static const double load[] = {0.0, 0.2, 0.4, 0.2, 0.0};
    char path[160];
    snprintf(path, sizeof path, "%s/out.glb", r->folder);
    ElvViewFile* file = NULL;
    ElvError error;
    r->view->is_statics = true;
    CHECK_STATUS(elv_view_file_create(path, &file, &error), &error);
    CHECK_STATUS(elv_view_file_begin(file, r->view, NULL, &error), &error);
    for (int i = 0; i < 5; i++) {
        CHECK_STATUS(elv_view_file_append(file, load[i], r->value[0], &error), &error);
    }
    CHECK_STATUS(elv_view_file_close(file, &error), &error);
    check_times(path, 5, 0.1, 1e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_ROBOT(test_file),      WITH_ROBOT(test_skin_is_the_rod),
        WITH_ROBOT(test_no_record), WITH_ROBOT(test_times),
        WITH_ROBOT(test_late),      WITH_ROBOT(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
