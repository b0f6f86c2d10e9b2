// SPDX-License-Identifier: Apache-2.0
// Forward of inverse: the tensions that were found for the motion of a shipped tendon robot, played as laws of time, return
// the motion up to what they leave of its stress, by modes and by shooting.
#include "inverse_rows.h"

static const char* const TENDON[4] = {"far_left", "far_right", "near_left", "near_right"};

// tensions of all rows as a table over t
static void write_table(const Rows* rows, int column, char* text, size_t size) {
    size_t n = (size_t)snprintf(text, size, "{table: {t: [");
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < rows->n; i++) {
            double x = part == 0 ? rows->t[i] : rows->value[i][column];
            n += (size_t)snprintf(text + n, size - n, "%s%.17g", i > 0 ? ", " : "", x);
        }
        n += (size_t)snprintf(text + n, size - n, "%s", part == 0 ? "], values: [" : "]}}");
        CHECK_TRUE(n < size);
    }
}

typedef struct {
    const Rows* rows;
    ElvFrame tip;
    double most;
    int n;
} Playback;

static bool compare(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Playback* play = user;
    CHECK_NEAR(state->t, play->rows->t[play->n], 1e-9);
    const double* p = play->rows->value[play->n++];
    ElvVec3 at = elv_frame_pose(model, data, play->tip).p;
    play->most = fmax(play->most, elv_vec3_norm(elv_vec3_sub(at, elv_vec3(p[0], p[1], p[2]))));
    return true;
}

static double play(const Rows* rows, ElvMethod method, bool has_tensions) {
    static char table[4][40000];
    char key[4][32];
    ElvOverride set[8] = {{"rod.motion", "{}"},
                          {"record.signals", "[]"},
                          {"record.every", "0.005"},
                          {"simulate.duration", "1.5"}};
    char path[512];
    ElvError error;
    ElvModel* model;
    ElvState* state;
    for (int i = 0; i < 4; i++) {
        snprintf(key[i], sizeof key[i], "%s.tension", TENDON[i]);
        write_table(rows, 3 + i, table[i], sizeof table[i]);
        set[4 + i] = (ElvOverride){key[i], table[i]};
    }
    snprintf(path, sizeof path, "%s/models/tacr-motion.yaml", ELVER_SOURCE_DIR);
    CHECK_STATUS(elv_model_read_file(path, set, has_tensions ? 8 : 4, &model, &error), &error);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    Playback playback = {.rows = rows};
    CHECK_STATUS(elv_model_frame(model, "rod.tip", &playback.tip, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.method.method = method;
    options.method.step = 0.005;
    options.record = compare;
    options.user = &playback;
    CHECK_STATUS(elv_simulate(model, state, &options, NULL, &error), &error);
    CHECK_TRUE(playback.n == rows->n);
    elv_state_free(state);
    elv_model_free(model);
    return playback.most;
}

static void test_tensions_played_forward(void** unused) {
    (void)unused;
    // straight lines between rows that lie close
    const ElvOverride set[] = {
        {"record.every", "0.005"},
        {"simulate.duration", "1.5"},
        {"record.signals", "[rod.tip.position, tendon.far_left.tension, tendon.far_right.tension, "
                           "tendon.near_left.tension, tendon.near_right.tension]"}};
    char path[512];
    ElvError error;
    ElvModel* model;
    snprintf(path, sizeof path, "%s/models/tacr-motion.yaml", ELVER_SOURCE_DIR);
    CHECK_STATUS(elv_model_read_file(path, set, 3, &model, &error), &error);
    const Rows* rows = run_rows(model);
    elv_model_free(model);
    for (int i = 0; i < rows->n; i++) {
        for (int k = 3; k < 7; k++) {
            CHECK_TRUE(rows->value[i][k] >= 0.0);
        }
    }
    // a stress that is missed by `left` bends the rod by as much elastic energy: the tip is off by
    // integral of (l - X) d_k <= l^(3/2)/sqrt(3 EI) left, and by twice that at most if it comes suddenly
    double left = rows->report.worst.left;
    double EI = 207e9 * 3.14159265358979323846 * 1e-12 / 4.0;
    double bound = 2.0 * pow(0.4, 1.5) / sqrt(3.0 * EI) * left;
    CHECK_TRUE(left > 0.0 && left < 0.01 * rows->report.worst.wanted);
    CHECK_TRUE(bound < 2e-3);
    CHECK_NEAR(play(rows, ELV_METHOD_GENERALIZED_ALPHA, true), 0.0, bound);
    CHECK_NEAR(play(rows, ELV_METHOD_SHOOTING, true), 0.0, bound);
    // without tensions it only hangs
    CHECK_TRUE(play(rows, ELV_METHOD_GENERALIZED_ALPHA, false) > 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensions_played_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
