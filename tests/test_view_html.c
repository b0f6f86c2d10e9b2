// SPDX-License-Identifier: Apache-2.0
// HTML files: the page with all records in it, read back by a reader of its own; several trajectories, many chunks,
// nothing under the final name before the end, nothing at all after a failure, and the size of the file of a run.
#define _POSIX_C_SOURCE 200809L

#include "view_case.h"

#include "json_text.h"
#include "view_chunk.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char FILE_NAME[] = "view-html-test.html";
static const char PART_NAME[] = "view-html-test.html.part";

static bool is_there(const char* path) {
    struct stat info;
    return stat(path, &info) == 0;
}

static char* load_file(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    (void)fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char* text = calloc(*size + 1, 1);
    assert_non_null(text);
    CHECK_TRUE(fread(text, 1, *size, file) == *size);
    (void)fclose(file);
    return text;
}

// ---- reading

// text of the script element with that id, malloc'ed; NULL: there is none
static char* script(const char* html, const char* id) {
    char mark[128];
    (void)snprintf(mark, sizeof mark, " id=\"%s\">", id);
    const char* begin = strstr(html, mark);
    if (!begin) {
        return NULL;
    }
    begin += strlen(mark);
    size_t n = (size_t)(strstr(begin, "</script>") - begin);
    char* text = calloc(n + 1, 1);
    memcpy(text, begin, n);
    return text;
}

static int digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* at = strchr(digits, c);
    CHECK_TRUE(c != '\0' && at != NULL);
    return (int)(at - digits);
}

static unsigned char* decode(const char* text, size_t* n) {
    size_t n_text = strlen(text);
    CHECK_TRUE(n_text % 4 == 0 && n_text > 0);
    unsigned char* bytes = calloc(n_text, 1);
    *n = 0;
    for (size_t i = 0; i < n_text; i += 4) {
        int n_pad = (text[i + 2] == '=') + (text[i + 3] == '=');
        CHECK_TRUE(n_pad == 0 || i + 4 == n_text);
        int bits = digit(text[i]) << 18 | digit(text[i + 1]) << 12;
        bits |= n_pad < 2 ? digit(text[i + 2]) << 6 : 0;
        bits |= n_pad < 1 ? digit(text[i + 3]) : 0;
        for (int k = 0; k < 3 - n_pad; k++) {
            bytes[(*n)++] = (unsigned char)(bits >> (16 - 8 * k));
        }
    }
    return bytes;
}

static Chunk read_chunk(const char* html, int k, int j) {
    char id[64];
    size_t n;
    (void)snprintf(id, sizeof id, "elver-chunk-%d-%d", k, j);
    char* text = script(html, id);
    CHECK_TRUE(text != NULL);
    unsigned char* bytes = decode(text, &n);
    Chunk chunk = chunk_read(bytes, n);
    free(bytes);
    free(text);
    return chunk;
}

static char* read_scene(const char* html, int k) {
    char id[64];
    (void)snprintf(id, sizeof id, "elver-scene-%d", k);
    char* json = script(html, id);
    CHECK_TRUE(json == NULL || json_is_good(json));
    return json;
}

// ---- files

static ElvViewFile* open_file(void) {
    ElvError error;
    ElvViewFile* file = NULL;
    (void)remove(FILE_NAME);
    CHECK_STATUS(elv_view_file_create(FILE_NAME, &file, &error), &error);
    return file;
}

static void begin(ElvViewFile* file, const Seen* seen, const char* title) {
    ElvError error;
    CHECK_STATUS(elv_view_file_begin(file, seen->view, title, &error), &error);
}

// record i of a motion that tests know
static void set_record(const Seen* seen, int i, double* value) {
    for (int j = 0; j < elv_view_n_value(seen->view); j++) {
        value[j] = sin(0.01 * i + j);
    }
}

static void append(ElvViewFile* file, const Seen* seen, int i) {
    ElvError error;
    set_record(seen, i, seen->value);
    CHECK_STATUS(elv_view_file_append(file, 0.5 + 0.01 * i, seen->value, &error), &error);
}

static void close_file(ElvViewFile* file) {
    ElvError error;
    CHECK_TRUE(!is_there(FILE_NAME) && is_there(PART_NAME));
    CHECK_STATUS(elv_view_file_close(file, &error), &error);
    CHECK_TRUE(is_there(FILE_NAME) && !is_there(PART_NAME));
}

// all records of trajectory k are there, within a thousandth
static void check_records(const char* html, int k, const Seen* seen, int n) {
    char* json = read_scene(html, k);
    const char* chunks = json_member(json, "chunks");
    int m = elv_view_n_value(seen->view);
    double* expected = new_array(m);
    int i = 0;
    CHECK_TRUE((int)json_get(json, "n_frame") == n && (int)json_get(json, "n_value") == m);
    for (int j = 0; j < json_count(chunks); j++) {
        Chunk chunk = read_chunk(html, k, j);
        CHECK_TRUE(chunk.n == (int)strtod(json_element(chunks, j), NULL) && chunk.m == m);
        for (int r = 0; r < chunk.n; r++, i++) {
            set_record(seen, i, expected);
            CHECK_NEAR(chunk.t[r], 0.5 + 0.01 * i, 0.0);
            CHECK_ARRAY_NEAR(chunk.value + (size_t)r * (size_t)m, expected, (size_t)m, 1e-3);
        }
        chunk_free(&chunk);
    }
    CHECK_TRUE(i == n);
    CHECK_NEAR(json_get(json, "t_begin"), n > 0 ? 0.5 : 0.0, 0.0);
    CHECK_NEAR(json_get(json, "t_end"), n > 0 ? 0.5 + 0.01 * (n - 1) : 0.0, 0.0);
    free(expected);
    free(json);
}

static size_t page_size(void) {
    size_t n_head, n_tail;
    const char* tail;
    (void)elv_view_page(&n_head, &tail, &n_tail);
    return n_head + n_tail;
}

// the page as it is, but for the comment
static void check_page(const char* html, size_t size) {
    size_t n_head, n_tail;
    const char* tail;
    const char* page = elv_view_page(&n_head, &tail, &n_tail);
    const char* mark = strstr(page, "<!--elver-data-->");
    CHECK_TRUE(mark != NULL && mark == page + n_head && strlen(tail) == n_tail);
    CHECK_TRUE(tail == mark + strlen("<!--elver-data-->") && n_tail > 10 && n_head > 50);
    CHECK_TRUE(memcmp(html, page, n_head) == 0);
    CHECK_TRUE(memcmp(html + size - n_tail, tail, n_tail) == 0);
}

static void test_file(void** context) {
    (void)context;
    size_t size;
    Seen seen = see(robot_read("models/tacr-spiral.yaml"), 5);
    Seen other = see(robot_read("models/double-pendulum.yaml"), 0);
    ElvViewFile* file = open_file();
    begin(file, &seen, "first </script>");
    for (int i = 0; i < 25; i++) {
        append(file, &seen, i);
    }
    begin(file, &other, NULL);
    for (int i = 0; i < 7; i++) {
        append(file, &other, i);
    }
    // one that ended before it began
    begin(file, &other, "empty");
    close_file(file);
    char* html = load_file(FILE_NAME, &size);
    check_page(html, size);
    check_records(html, 0, &seen, 25);
    check_records(html, 1, &other, 7);
    check_records(html, 2, &other, 0);
    CHECK_TRUE(read_scene(html, 3) == NULL);
    char* json = read_scene(html, 0);
    const char* title = json_member(json, "title");
    CHECK_TRUE(strncmp(title, "\"first \\u003c/script\\u003e\"", 26) == 0);
    free(json);
    free(html);
    (void)remove(FILE_NAME);
    see_free(&seen);
    see_free(&other);
}

// more records than a chunk holds
static void test_chunks(void** context) {
    (void)context;
    size_t size;
    enum { N = 5000 };
    Seen seen = see(robot_read("models/pendulum.yaml"), 0);
    ElvViewFile* file = open_file();
    begin(file, &seen, "long");
    for (int i = 0; i < N; i++) {
        append(file, &seen, i);
    }
    close_file(file);
    char* html = load_file(FILE_NAME, &size);
    check_records(html, 0, &seen, N);
    char* json = read_scene(html, 0);
    CHECK_TRUE(json_count(json_member(json, "chunks")) == 2);
    free(json);
    free(html);
    (void)remove(FILE_NAME);
    see_free(&seen);
}

static void test_failures(void** context) {
    (void)context;
    ElvError error;
    ElvViewFile* file = NULL;
    Seen seen = see(robot_read("models/pendulum.yaml"), 0);
    // names
    CHECK_TRUE(elv_view_file_create("run.htm", &file, &error) == ELV_ERROR_INPUT && !file);
    CHECK_TRUE(strstr(error.message, ".html") != NULL);
    CHECK_TRUE(elv_view_file_create(".html", &file, &error) == ELV_ERROR_INPUT && !file);
    CHECK_TRUE(elv_view_file_create("no/such/folder/x.html", &file, &error) == ELV_ERROR_FILE);
    CHECK_TRUE(!file && strstr(error.message, "no/such/folder/x.html"));
    // order of calls
    file = open_file();
    CHECK_TRUE(elv_view_file_append(file, 0.0, seen.value, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_view_file_close(file, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(!is_there(FILE_NAME) && !is_there(PART_NAME));
    // left without a word, and an older file stays
    file = open_file();
    begin(file, &seen, "old");
    append(file, &seen, 0);
    close_file(file);
    CHECK_STATUS(elv_view_file_create(FILE_NAME, &file, &error), &error);
    begin(file, &seen, "new");
    append(file, &seen, 0);
    elv_view_file_discard(file);
    CHECK_TRUE(is_there(FILE_NAME) && !is_there(PART_NAME));
    (void)remove(FILE_NAME);
    elv_view_file_discard(NULL);
    see_free(&seen);
}

// the disk was full for a while: a chunk is missing, and the file is none
static void test_hole(void** context) {
    (void)context;
    enum { N_MOST = 100000 };
    ElvError error;
    Seen seen = see(robot_read("models/pendulum.yaml"), 0);
    struct rlimit free_limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &free_limit), 0);
    struct rlimit full = {.rlim_cur = page_size() + 100, .rlim_max = free_limit.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    ElvViewFile* file = open_file();
    begin(file, &seen, "hole");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    ElvStatus status = ELV_OK;
    for (int i = 0; i < N_MOST && status == ELV_OK; i++) {
        set_record(&seen, i, seen.value);
        status = elv_view_file_append(file, 0.01 * i, seen.value, &error);
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &free_limit), 0);
    assert_int_equal(status, ELV_ERROR_FILE);
    elv_error_clear(&error);
    assert_int_equal(elv_view_file_append(file, 1e6, seen.value, &error), ELV_ERROR_FILE);
    elv_error_clear(&error);
    assert_int_equal(elv_view_file_close(file, &error), ELV_ERROR_FILE);
    CHECK_TRUE(strstr(error.message, FILE_NAME) != NULL);
    CHECK_TRUE(!is_there(FILE_NAME) && !is_there(PART_NAME));
    see_free(&seen);
}

// loads that go back: every equilibrium is there, ten a second, with its load
static void test_loads(void** context) {
    (void)context;
    static const double load[] = {0.0, 0.2, 0.4, 0.2, 0.0};
    enum { N = sizeof load / sizeof load[0] };
    ElvError error;
    size_t size;
    Seen seen = see(robot_read("models/pendulum.yaml"), 0);
    seen.view->is_statics = true;
    ElvViewFile* file = open_file();
    begin(file, &seen, "loads");
    for (int i = 0; i < N; i++) {
        set_record(&seen, i, seen.value);
        CHECK_STATUS(elv_view_file_append(file, load[i], seen.value, &error), &error);
    }
    CHECK_TRUE(elv_view_file_n_picture(file) == N);
    close_file(file);
    char* html = load_file(FILE_NAME, &size);
    char* json = read_scene(html, 0);
    const char* loads = json_member(json, "loads");
    Chunk chunk = read_chunk(html, 0, 0);
    CHECK_TRUE(strncmp(json_member(json, "is_statics"), "true", 4) == 0);
    CHECK_TRUE(chunk.n == N && json_count(loads) == N);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(chunk.t[i], 0.1 * i, 0.0);
        CHECK_NEAR(strtod(json_element(loads, i), NULL), load[i], 0.0);
    }
    CHECK_NEAR(json_get(json, "t_end"), 0.1 * (N - 1), 0.0);
    chunk_free(&chunk);
    free(json);
    free(html);
    (void)remove(FILE_NAME);
    see_free(&seen);
}

// ---- the size of a run

typedef struct {
    Seen* seen;
    ElvViewFile* file;
    int n;
} Run;

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Run* run = user;
    ElvError error;
    elv_view_eval(run->seen->view, model, data, state, run->seen->value);
    CHECK_STATUS(elv_view_file_append(run->file, state->t, run->seen->value, &error), &error);
    run->n++;
    return true;
}

// bytes of the data of a run, page aside
static size_t run_size(const char* model, double duration, double every) {
    ElvError error;
    size_t size, n_page;
    Seen seen = see(robot_read(model), 0);
    Run run = {.seen = &seen, .file = open_file()};
    begin(run.file, &seen, "run");
    ElvSimulateOptions options = elv_simulate_options_default(seen.robot.model, seen.robot.state);
    options.t_end = duration;
    options.record_every = every;
    options.record = record;
    options.user = &run;
    CHECK_STATUS(elv_simulate(seen.robot.model, seen.robot.state, &options, NULL, &error), &error);
    close_file(run.file);
    CHECK_TRUE(run.n == (int)lround(duration / every) + 1);
    free(load_file(FILE_NAME, &size));
    n_page = page_size();
    (void)remove(FILE_NAME);
    see_free(&seen);
    print_message("%s, %d records: %.2f MB of data, page %.2f MB\n", model, run.n,
                  1e-6 * (double)(size - n_page), 1e-6 * (double)n_page);
    return size - n_page;
}

// 10 s at 100 records a second: under 2 MB, so that page and data stay under 5
static void test_size(void** context) {
    (void)context;
    double duration = IS_SANITIZED ? 1.0 : 10.0;
    CHECK_TRUE(run_size("models/rollup-release-2.3.yaml", duration, 0.01) < 2000000);
    CHECK_TRUE(run_size("models/swimmer-tendon.yaml", IS_SANITIZED ? 0.1 : 10.0, 0.01) < 3500000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file), cmocka_unit_test(test_chunks), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_hole), cmocka_unit_test(test_loads),  cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
