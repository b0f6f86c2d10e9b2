// SPDX-License-Identifier: Apache-2.0
// Models with rods of the spectral method: the key of model files, and whole runs against the
// quadrature.
#include "robot.h"

#include "rod/rod.h"

static char* read_text(const char* file) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", ELVER_SOURCE_DIR, file);
    FILE* stream = fopen(path, "r");
    CHECK_TRUE(stream != NULL);
    char* text = calloc(1, 8192);
    CHECK_TRUE(fread(text, 1, 8000, stream) > 0);
    fclose(stream);
    return text;
}

// a model of the source tree with the method put after its basis
static Robot read_with_space(const char* file, const char* space) {
    char* text = read_text(file);
    char* changed = calloc(1, 8192 + 64);
    char* at = strstr(text, "    basis: chebyshev\n");
    CHECK_TRUE(at != NULL);
    at = strchr(at, '\n') + 1;
    snprintf(changed, 8192 + 64, "%.*s    space: %s\n%s", (int)(at - text), text, space, at);
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(changed, strlen(changed), "changed", NULL, 0, &model, &error),
                 &error);
    free(changed);
    free(text);
    return robot_of(model);
}

static bool is_spectral(const Robot* robot) {
    const ElvRod* rod = NULL;
    for (int j = 0; j < robot->model->n_node; j++) {
        rod = robot->model->node[j].info.is_rod ? (const ElvRod*)robot->model->node[j].joint : rod;
    }
    return rod && rod->space == ELV_SPACE_SPECTRAL;
}

static const char ROD_TEXT[] = "elver: 1\ntree:\n  - rod: rod\n    length: 1\n"
                               "    section: {circle: {diameter: 0.1}}\n"
                               "    material: {density: 1, young: 1}\n    space: spectral\n";

// read and written, and written alone where it is not the default
static void test_key_is_written(void** unused) {
    (void)unused;
    ElvError error;
    for (int i = 0; i < 2; i++) {
        ElvSpec* spec = NULL;
        char* written = NULL;
        // without its last line the method is the default
        size_t size =
            i == 1 ? strlen(ROD_TEXT) : (size_t)(strstr(ROD_TEXT, "    space") - ROD_TEXT);
        CHECK_STATUS(elv_spec_read_text(ROD_TEXT, size, "rod", NULL, 0, &spec, &error), &error);
        CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
        CHECK_TRUE((strstr(written, "space: spectral") != NULL) == (i == 1));
        CHECK_TRUE(strstr(written, "quadrature") == NULL);
        free(written);
        elv_spec_free(spec);
    }
}

static void test_key(void** unused) {
    (void)unused;
    Robot spectral = read_with_space("models/rollup-release-0.8.yaml", "spectral");
    Robot quadrature = read_with_space("models/rollup-release-0.8.yaml", "quadrature");
    Robot silent = robot_read("models/rollup-release-0.8.yaml");
    CHECK_TRUE(is_spectral(&spectral) && !is_spectral(&quadrature) && !is_spectral(&silent));
    robot_free(&spectral);
    robot_free(&quadrature);
    robot_free(&silent);
    ElvModel* model = NULL;
    ElvError error;
    char text[sizeof ROD_TEXT];
    snprintf(text, sizeof text, "%s", ROD_TEXT);
    memcpy(strstr(text, "spectral"), "spectrum", 8);
    CHECK_TRUE(elv_model_read_text(text, strlen(text), "bad", NULL, 0, &model, &error) != ELV_OK);
    CHECK_TRUE(error.line == 7 && strstr(error.message, "spectral") != NULL);
}

/// Tip positions of a run.
typedef struct {
    double position[100][3];
    int n;
} Track;

static bool record_tip(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    (void)state;
    Track* track = user;
    ElvFrame tip = {model->n_port - 1, elv_pose_identity()};
    ElvVec3 p = elv_frame_pose(model, data, tip).p;
    memcpy(track->position[track->n++], &p.x, sizeof track->position[0]);
    return track->n < 100;
}

static Track run(Robot* robot, ElvMethod method) {
    ElvError error;
    Track track = {.n = 0};
    ElvSimulateOptions options = elv_simulate_options_default(robot->model, robot->state);
    options.method.method = method;
    options.method.step = method == ELV_METHOD_EXPLICIT ? 0.0 : 0.002;
    options.method.newton_tol = 1e-12;
    options.t_end = IS_SANITIZED ? 0.02 : 0.1;
    options.record_every = 0.002;
    options.record = record_tip;
    options.user = &track;
    CHECK_STATUS(elv_simulate(robot->model, robot->state, &options, NULL, &error), &error);
    return track;
}

// the release of a rolled-up beam with both methods of space, explicit and implicit in time
static void test_rollup_release(void** unused) {
    (void)unused;
    static const char* const file[2] = {"models/rollup-release-0.8.yaml",
                                        "models/rollup-release-2.3.yaml"};
    static const ElvMethod method[2] = {ELV_METHOD_EXPLICIT, ELV_METHOD_NEWMARK};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            Robot quadrature = read_with_space(file[i], "quadrature");
            Robot spectral = read_with_space(file[i], "spectral");
            Track one = run(&quadrature, method[k]);
            Track other = run(&spectral, method[k]);
            CHECK_TRUE(one.n == other.n && one.n > 5);
            CHECK_ARRAY_NEAR(other.position[0], one.position[0], (size_t)(3 * one.n), 1e-8);
            robot_free(&quadrature);
            robot_free(&spectral);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_is_written),
        cmocka_unit_test(test_key),
        cmocka_unit_test(test_rollup_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
