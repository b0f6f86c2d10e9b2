// SPDX-License-Identifier: Apache-2.0
// `elver export` of trajectories: tables with the numbers of the run, pictures for other programs, messages.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static const char model_text[] =
    "elver: 1\n"
    "name: arm\n"
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {rod: arm, length: 1, section: {circle: {diameter: 0.05}},\n"
    "     material: {density: 1000, young: 1e6}, strain: {bend_y: 2}}\n"
    "  - {body: tool, parent: arm.tip, shape: {sphere: {radius: 0.05}}, density: 500}\n"
    "simulate: {method: explicit, duration: 0.5}\n"
    "record: {every: 0.005, signals: [arm.tip.position, energy]}\n";

static int open_run(void** context) {
    int status = open_process(context);
    Process* p = *context;
    write_text(p, "model.yaml", model_text);
    run(p, "run model.yaml -q -o out.h5");
    CHECK_CODE(p, 0);
    return status;
}

static void check_same_file(const Process* p, const char* a, const char* b) {
    char* text_a = read_whole(p, a);
    char* text_b = read_whole(p, b);
    assert_memory_equal(text_a, text_b, OUTPUT_SIZE);
    free(text_a);
    free(text_b);
}

// the column of a name in the first line, or -1
static int column_of(const char* text, const char* name) {
    size_t n = strlen(name);
    int k = 0;
    for (const char* at = text; *at != '\n'; at++) {
        bool is_start = at == text || at[-1] == ',';
        if (is_start && strncmp(at, name, n) == 0 && strchr(",\n", at[n])) {
            return k;
        }
        k += *at == ',';
    }
    return -1;
}

static double number_at(const char* line, int column) {
    for (int k = 0; k < column; k++) {
        line = strchr(line, ',') + 1;
    }
    return strtod(line, NULL);
}

// two tables of 101 records agree in what is asked for; those of a run come from the same states, but for rounding of
// quadratures that are summed once more
static void check_same_columns(const char* a, const char* b) {
    static const char* const name[] = {"t", "com.x", "com.z", "energy.kinetic", "energy.total"};
    for (size_t k = 0; k < sizeof name / sizeof name[0]; k++) {
        const char* line_a = a;
        const char* line_b = b;
        int column_a = column_of(a, name[k]);
        int column_b = column_of(b, name[k]);
        assert_true(column_a >= 0 && column_b >= 0);
        for (int i = 0; i < 101; i++) {
            line_a = strchr(line_a, '\n') + 1;
            line_b = strchr(line_b, '\n') + 1;
            CHECK_NEAR(number_at(line_a, column_a), number_at(line_b, column_b), 1e-12);
        }
        assert_string_equal(strchr(line_a, '\n'), "\n");
    }
}

// a table of what was recorded is that of the run itself; from states too
static void test_tables(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q -o run.csv");
    run(p, "export out.h5 -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "out.csv: 101 records of 7 columns");
    char* ours = read_whole(p, "out.csv");
    char* theirs = read_whole(p, "run.csv");
    assert_string_equal(ours, theirs);
    free(ours);
    free(theirs);

    run(p, "run model.yaml -q -o wide.csv --signal com --signal energy");
    run(p, "export out.h5 -q -o wide2.csv --signal com --signal energy");
    CHECK_CODE(p, 0);
    assert_string_equal(p->err, "");
    ours = read_whole(p, "wide2.csv");
    theirs = read_whole(p, "wide.csv");
    // recorded columns come first
    assert_memory_equal(ours, "t,energy.kinetic", 16);
    check_contains_at(ours, ",com.x,com.y,com.z\n", "the head", __LINE__);
    check_same_columns(ours, theirs);
    free(ours);
    free(theirs);

    // NPY has the same numbers as that of a run, behind a head of its own
    run(p, "export out.h5 -q -o out.npy");
    CHECK_CODE(p, 0);
    run(p, "run model.yaml -q -o run.npy");
    ours = read_whole(p, "out.npy");
    theirs = read_whole(p, "run.npy");
    size_t n = 101 * 8 * sizeof(double);
    const char* ours_data = memchr(ours, '\n', 4096);
    const char* theirs_data = memchr(theirs, '\n', 4096);
    assert_non_null(ours_data);
    assert_memory_equal(ours_data, theirs_data, n + 1);
    free(ours);
    free(theirs);

    // a folder, and a table that is written anew
    run(p, "run model.yaml -q -o folder");
    run(p, "export folder -q -o folder.csv");
    CHECK_CODE(p, 0);
    check_same_file(p, "folder.csv", "out.csv");
    run(p, "export run.csv -q -o again.csv");
    CHECK_CODE(p, 0);
    check_same_file(p, "again.csv", "run.csv");
}

static void test_pictures(void** context) {
    Process* p = *context;
    run(p, "export out.h5 -o out.glb");
    CHECK_CODE(p, 0);
    // records every 5 ms become pictures every 20 ms, and the last one
    CHECK_ERR(p, "out.glb: 26 pictures of 101 records, at most 60 a second");
    char* text = read_whole(p, "out.glb");
    assert_memory_equal(text, "glTF", 4);
    free(text);
    run(p, "export out.h5 -o out.pvd");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "out.pvd: 101 pictures");
    assert_true(has_file(p, "out/rods_0000100.vtp"));
    assert_true(has_file(p, "out/bodies_0000000.vtp"));
    assert_false(has_file(p, "out/rods_0000101.vtp"));

    // equilibria follow each other as pictures do, also where loads go back
    run(p, "statics @rollup --set statics.loads=[0.1,0.2,0.4,0.2,0.1] -q -o loads.h5");
    CHECK_CODE(p, 0);
    run(p, "export loads.h5 -o loads.glb");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "loads.glb: 5 pictures\n");
    run(p, "export loads.h5 -o loads.pvd");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "loads.pvd: 5 pictures\n");
    text = read_whole(p, "loads.pvd");
    for (int i = 0; i < 5; i++) {
        char entry[64];
        snprintf(entry, sizeof entry, "timestep=\"%.1g\"", 0.1 * i);
        assert_non_null(strstr(text, entry));
    }
    free(text);
}

// a link is written through, not replaced
static void test_link(void** context) {
    Process* p = *context;
    char link[4200];
    struct stat info;
    write_text(p, "target.csv", "old\n");
    snprintf(link, sizeof link, "%s/link.csv", p->folder);
    assert_int_equal(symlink("target.csv", link), 0);
    run(p, "export out.h5 -q -o link.csv");
    CHECK_CODE(p, 0);
    run(p, "export out.h5 -q -o plain.csv");
    assert_true(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    check_same_file(p, "plain.csv", "target.csv");
    assert_false(has_file(p, "link.csv.part"));
}

static void test_messages(void** context) {
    Process* p = *context;
    static const struct {
        const char* words;
        const char* message;
    } bad[] = {
        {"export model.yaml -o x.glb", "made from a trajectory"},
        {"export out.csv -o x.glb", "out.csv"},
        {"export table.csv -o x.pvd", "no states and model"},
        {"export out.h5 -o x.csv --signal enrgy", "did you mean 'energy'?"},
        {"export out.h5 --signal energy", "--signal goes with"},
        {"export out.h5 -o x.csv --set arm.length=2", "--set changes models"},
        {"export out.h5 -o none/x.glb", "none/x.glb"},
        {"export out.h5 -o none/x.csv", "none/x.csv"},
        {"export table.csv -o table.csv", "would be overwritten"},
        {"export out.h5 model.yaml", "too many"},
        {"export out.h5 -o x.stl", "pictures in .glb or .pvd"},
        {"export out.h5 -o x.gltf", "one file, .glb"},
        {"export model.yaml -o x", "models end in .yaml"},
        {"export out.h5 -o x.glb -o y.glb", "-o once only: 'y.glb'"},
    };
    run(p, "run model.yaml -q -o table.csv");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        run(p, bad[i].words);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, bad[i].message);
    }
    assert_false(has_file(p, "x.glb"));
    static const char* const part[] = {"x.glb.part", "x.csv.part", "x.pvd.part", "x.part",
                                       "x",          "x.stl",      "x.gltf"};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        assert_false(has_file(p, part[i]));
    }
    assert_false(has_file(p, "x.csv"));
    assert_false(has_file(p, "x.pvd"));

    // the model as before
    run(p, "export out.h5 -o back.yaml");
    CHECK_CODE(p, 0);
    run(p, "check back.yaml");
    CHECK_CODE(p, 0);
}

// a table of another program may have a name twice: both columns are there
static void test_name_twice(void** context) {
    Process* p = *context;
    write_text(p, "twice.csv", "t,a,a\n0,1,2\n1,3,4\n");
    run(p, "export twice.csv -o same.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "2 records of 2 columns");
    check_same_file(p, "twice.csv", "same.csv");
    run(p, "export twice.csv -q -o named.csv --signal a --signal a");
    CHECK_CODE(p, 0);
    check_same_file(p, "twice.csv", "named.csv");
}

int main(void) {
#define WITH_RUN(test) cmocka_unit_test_setup_teardown(test, open_run, close_process)
    const struct CMUnitTest tests[] = {
        WITH_RUN(test_tables),   WITH_RUN(test_name_twice), WITH_RUN(test_link),
        WITH_RUN(test_pictures), WITH_RUN(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
