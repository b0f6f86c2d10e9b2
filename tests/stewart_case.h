// SPDX-License-Identifier: Apache-2.0
// The Stewart-Gough platform in its two cuts (models/stewart-gough.yaml and -floating.yaml), and one list of
// numbers that both can tell: where platform and legs are, and what acts at the joints.
#ifndef ELVER_TESTS_STEWART_CASE_H
#define ELVER_TESTS_STEWART_CASE_H

#include "robot.h"

/// Where the robot is cut: at the tips of five legs, or at the feet of all six.
typedef enum { CUT_TIPS, CUT_FEET } StewartCut;

/// The platform's position and orientation; of each leg, its midpoint, and the wrenches of the ground on
/// its foot and of the platform on its tip, both in the axes of its sections, x from foot to tip.
enum { STEWART_LEGS = 6, STEWART_POSE = 7, STEWART_LEG = 15, STEWART_SEEN = 7 + 6 * 15 };

typedef struct {
    StewartCut cut;
    Robot robot;
    ElvSignals* signals;
    int n_row;
    double t[64];
    double seen[64][STEWART_SEEN];
    double gap; // largest of all loops and rows
} Stewart;

/// All joints of the legs fixed, where they were universal and spherical.
static inline int stewart_clamp(StewartCut cut, ElvOverride set[16], char key[16][32]) {
    int n = 0;
    for (int k = 1; k <= STEWART_LEGS; k++) {
        (void)snprintf(key[n++], 32, "leg%d.joint", k);
        if (cut == CUT_FEET || k > 1) {
            (void)snprintf(key[n++], 32, cut == CUT_FEET ? "ground%d.joint" : "top%d.joint", k);
        }
    }
    if (cut == CUT_TIPS) {
        (void)snprintf(key[n++], 32, "platform.joint");
    }
    for (int i = 0; i < n; i++) {
        set[i] = (ElvOverride){key[i], "fixed"};
    }
    return n;
}

// what is asked for of a leg: midpoint, foot, tip, gap
static inline int stewart_leg_signals(StewartCut cut, int k, char name[][32]) {
    int n = 0;
    (void)snprintf(name[n++], 32, "leg%d.at(0.5).position", k);
    if (cut == CUT_FEET) {
        (void)snprintf(name[n++], 32, "loop.ground%d.wrench_second", k);
        (void)snprintf(name[n++], 32, "leg%d.stress(0)", k);
        (void)snprintf(name[n++], 32, "loop.ground%d.gap", k);
        return n;
    }
    (void)snprintf(name[n++], 32, "leg%d.stress(0)", k);
    (void)snprintf(name[n++], 32, k == 1 ? "leg%d.stress(1)" : "loop.top%d.wrench_second", k);
    if (k > 1) {
        (void)snprintf(name[n++], 32, "loop.top%d.gap", k);
    }
    return n;
}

static inline Stewart* stewart_open(StewartCut cut, bool is_clamped) {
    static const char* const file[] = {"stewart-gough", "stewart-gough-floating"};
    char path[512], key[16][32];
    char name[32][32] = {"platform.position", "platform.orientation"};
    char list[1024] = "[";
    const char* asked[32];
    ElvOverride set[16];
    ElvError error;
    ElvModel* model = NULL;
    int n = 2;
    Stewart* s = calloc(1, sizeof *s);
    CHECK_TRUE(s != NULL);
    for (int k = 1; k <= STEWART_LEGS; k++) {
        n += stewart_leg_signals(cut, k, name + n);
    }
    for (int i = 0; i < n; i++) {
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%c", name[i], i < n - 1 ? ',' : ']');
        asked[i] = name[i];
    }
    int n_set = is_clamped ? stewart_clamp(cut, set, key) : 0;
    set[n_set++] = (ElvOverride){"record.signals", list};
    (void)snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, file[cut]);
    CHECK_STATUS(elv_model_read_file(path, set, n_set, &model, &error), &error);
    s->cut = cut;
    s->robot = robot_of(model);
    CHECK_STATUS(elv_signals_create(model, asked, n, &s->signals, &error), &error);
    return s;
}

static inline void stewart_close(Stewart* s) {
    elv_signals_free(s->signals);
    robot_free(&s->robot);
    free(s);
}

// a wrench of sections that run from the tip: turned by pi about z
static inline void stewart_turn(double* W) {
    const double sign[6] = {-1.0, -1.0, 1.0, -1.0, -1.0, 1.0};
    for (int i = 0; i < 6; i++) {
        W[i] *= sign[i];
    }
}

static inline void stewart_flip(double* W) {
    for (int i = 0; i < 6; i++) {
        W[i] = -W[i];
    }
}

/// Collect what the signals say; a record callback.
static inline bool
stewart_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Stewart* s = user;
    double value[STEWART_SEEN + 2 * STEWART_LEGS];
    CHECK_TRUE(s->n_row < 64);
    elv_signals_eval(s->signals, model, data, state, value);
    double* seen = s->seen[s->n_row];
    const double* from = value;
    memcpy(seen, from, STEWART_POSE * sizeof *seen);
    from += STEWART_POSE;
    for (int k = 0; k < STEWART_LEGS; k++) {
        double* leg = seen + STEWART_POSE + k * STEWART_LEG;
        memcpy(leg, from, STEWART_LEG * sizeof *leg);
        from += STEWART_LEG;
        // stress is what the outer part exerts on the inner
        if (s->cut == CUT_TIPS) {
            stewart_flip(leg + 3);
        } else {
            stewart_flip(leg + 9);
            stewart_turn(leg + 9);
        }
        if (s->cut == CUT_FEET || k > 0) {
            s->gap = fmax(s->gap, fmax(from[0], from[1]));
            from += 2;
        }
    }
    s->t[s->n_row++] = state->t;
    return true;
}

#endif
