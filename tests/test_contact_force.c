// SPDX-License-Identifier: Apache-2.0
// Forces of contacts beyond what the motion needs: a preload is projected on what the contacts
// balance among themselves, with the normals of @snake-2d from its closed form; motion and power
// know nothing of it. Contacts that can only push: the report against the forces themselves, and
// against the closed form of an earthworm.
#include "locomotion_case.h"

#include "robot.h"

enum { N_RING = 5, N_ROW = 3, N_TEXT = 4096 };

static const double PI = 3.14159265358979323846;
static const double station[N_RING] = {0.1, 0.3, 0.5, 0.7, 0.9};

static ElvStatus
read_snake(const char* const more[N_RING], const char* method, ElvModel** model, ElvError* error) {
    char text[N_TEXT];
    size_t n = (size_t)snprintf(
        text, N_TEXT,
        "elver: 1\nname: snake\ngravity: [0, 0, 0]\ntree:\n  - {body: head, joint: planar}\n"
        "  - rod: snake\n    parent: head\n    length: 1\n    inertia: [1e-3, 1e-3, 1e-3, 1, 1, "
        "1]\n"
        "    motion: {bend_z: \"10*cos(2*pi*(s - 0.5*t))\"}\n"
        "simulate: {%s, duration: 1}\nrecord: {every: 0.05, signals: [head.q]}\nconstraints:\n",
        method);
    for (int i = 0; i < N_RING; i++) {
        n += (size_t)snprintf(text + n, N_TEXT - n,
                              "  - {contact: ring%d, rod: snake, type: ring, station: %g%s}\n", i,
                              station[i], more[i]);
    }
    *model = NULL;
    return elv_model_read_text(text, n, "text", NULL, 0, model, error);
}

static const char explicit_method[] = "method: explicit, rel_tol: 1e-10, abs_tol: 1e-12";

static Gait snake(const char* const more[N_RING], double t) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(read_snake(more, explicit_method, &model, &error), &error);
    return gait_start(model, t, 0.0);
}

static void forces_of(Gait* gait, double force[N_RING]) {
    for (int i = 0; i < N_RING; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "contact.ring%d.wrench.fy", i);
        force[i] = gait_see_one(gait, name);
    }
}

static double dot(const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < N_RING; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// Resultant of unit forces along the normals: forces along x and y, and moment about the head.
// theta of the sections is the integral of K; places by the midpoint rule on 4000 pieces, 1e-6 of
// the curvature's square
static void normals(double t, double A[N_ROW][N_RING]) {
    const int n = 4000;
    double x = 0.0, y = 0.0;
    for (int k = 0, i = 0; k <= n && i < N_RING; k++) {
        double h = 1.0 / n;
        if (fabs(k * h - station[i]) < 0.1 * h) {
            double theta = 10.0 / (2.0 * PI) *
                           (sin(2.0 * PI * (station[i] - 0.5 * t)) + sin(2.0 * PI * 0.5 * t));
            A[0][i] = -sin(theta);
            A[1][i] = cos(theta);
            A[2][i] = x * cos(theta) + y * sin(theta);
            i++;
        }
        double middle = 10.0 / (2.0 * PI) *
                        (sin(2.0 * PI * ((k + 0.5) * h - 0.5 * t)) + sin(2.0 * PI * 0.5 * t));
        x += h * cos(middle);
        y += h * sin(middle);
    }
}

// take out of x what it has in the span of the rows, which are made orthonormal
static void project(double A[N_ROW][N_RING], double* x) {
    for (int i = 0; i < N_ROW; i++) {
        for (int k = 0; k < i; k++) {
            double part = dot(A[i], A[k]);
            for (int j = 0; j < N_RING; j++) {
                A[i][j] -= part * A[k][j];
            }
        }
        double norm = sqrt(dot(A[i], A[i]));
        double part = 0.0;
        for (int j = 0; j < N_RING; j++) {
            A[i][j] /= norm;
            part += A[i][j] * x[j];
        }
        for (int j = 0; j < N_RING; j++) {
            x[j] -= part * A[i][j];
        }
    }
}

// lambda = A^+ F + (1 - A^+ A) preload                                                  [ALI (7.3)]
static void test_preload(void** unused) {
    (void)unused;
    static const char* const none[N_RING] = {"", "", "", "", ""};
    static const char* const some[N_RING] = {
        ", preload: [0, 2, 0]", "", ", preload: [0, \"-1 - t\", 0]", "", ", preload: [0, 0.5, 0]"};
    for (int k = 0; k < 3; k++) {
        double t = 0.15 + 0.3 * k, A[N_ROW][N_RING], without[N_RING], with[N_RING];
        double wanted[N_RING] = {2.0, 0.0, -1.0 - t, 0.0, 0.5};
        double size = sqrt(dot(wanted, wanted));
        Gait plain = snake(none, t), loaded = snake(some, t);
        forces_of(&plain, without);
        forces_of(&loaded, with);
        normals(t, A);
        project(A, wanted);
        for (int i = 0; i < N_RING; i++) {
            CHECK_NEAR(with[i] - without[i], wanted[i], 1e-5);
        }
        ElvContactReport report = elv_integrator_report(loaded.integrator).contact;
        CHECK_TRUE(report.has_preload);
        CHECK_NEAR(report.preload_share, sqrt(dot(wanted, wanted)) / size, 1e-5);
        CHECK_TRUE(!elv_integrator_report(plain.integrator).contact.has_preload);
        // it does no work, and moves nothing; the stress knows it
        CHECK_NEAR(gait_power(&loaded, NULL, 0), gait_power(&plain, NULL, 0), 1e-10);
        CHECK_TRUE(fabs(gait_see_one(&loaded, "snake.stress(0.4).moment.z") -
                        gait_see_one(&plain, "snake.stress(0.4).moment.z")) > 1e-3);
        CHECK_NEAR(gait_see_one(&loaded, "snake.stress(1).moment.z"), 0.0, 1e-10);
        gait_go(&plain, t + 0.2);
        gait_go(&loaded, t + 0.2);
        CHECK_ARRAY_NEAR(loaded.state->q, plain.state->q, 3, 1e-9);
        gait_free(&plain);
        gait_free(&loaded);
    }
}

// ---- one side alone

typedef struct {
    bool pulls[N_RING];
    double worst[N_RING], first[N_RING];
} Seen;

static bool look(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    static const double side[N_RING] = {1.0, -1.0, 1.0, 0.0, 1.0};
    Seen* seen = user;
    for (int i = 0; i < N_RING; i++) {
        char name[40];
        const char* signal = name;
        double push;
        ElvSignals* signals = NULL;
        ElvError error;
        (void)snprintf(name, sizeof name, "contact.ring%d.wrench.fy", i);
        CHECK_STATUS(elv_signals_create(model, &signal, 1, &signals, &error), &error);
        elv_signals_eval(signals, model, data, state, &push);
        elv_signals_free(signals);
        push *= side[i];
        if (push < -1e-8) {
            seen->first[i] = seen->pulls[i] ? seen->first[i] : state->t;
            seen->worst[i] = fmax(seen->worst[i], -push);
            seen->pulls[i] = true;
        }
    }
    return true;
}

static void test_pulls(void** unused) {
    (void)unused;
    static const char* const sides[N_RING] = {", pushes: y", ", pushes: -y", ", pushes: y", "",
                                              ", pushes: y, while: \"t < 0.12\""};
    ElvModel* model = NULL;
    ElvError error;
    ElvState* state = NULL;
    ElvIntegratorReport report;
    Seen seen = {0};
    CHECK_STATUS(read_snake(sides, explicit_method, &model, &error), &error);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.record = look;
    options.user = &seen;
    CHECK_STATUS(elv_simulate(model, state, &options, &report, &error), &error);
    int n_pull = 0;
    for (int i = 0; i < N_RING; i++) {
        char name[16];
        const ElvContactPull* pull = NULL;
        (void)snprintf(name, sizeof name, "ring%d", i);
        for (int k = 0; k < report.contact.n_pull; k++) {
            const ElvContactPull* other = &report.contact.pull[k];
            pull = strcmp(other->contact, name) == 0 ? other : pull;
        }
        n_pull += seen.pulls[i];
        // Records are 0.05 s apart, and steps of the integrator between them. 0.025 s from its peak
        // a force has lost (k 0.025)^2 / 2: with k = 25, eight times that of the wave, 0.2
        CHECK_TRUE(!seen.pulls[i] || pull != NULL);
        if (seen.pulls[i] && pull) {
            CHECK_TRUE(pull->t <= seen.first[i] && pull->t > seen.first[i] - 0.05);
            CHECK_TRUE(pull->worst >= seen.worst[i] && pull->worst < 1.2 * seen.worst[i]);
        }
    }
    CHECK_TRUE(n_pull >= 2);
    assert_int_equal(report.contact.n_pull, n_pull);
    // in the order of time
    for (int k = 1; k < n_pull; k++) {
        CHECK_TRUE(report.contact.pull[k].t >= report.contact.pull[k - 1].t);
    }
    elv_state_free(state);
    elv_model_free(model);
}

// The earthworm whose wave runs faster and faster: its anchor pushes by -m a, a = 0.02 m/s^2 from
// the start [ALI (6.20)]; at constant speed by nothing, which is neither a push nor a pull.
static void test_earthworm(void** unused) {
    (void)unused;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/models/earthworm.yaml", ELVER_SOURCE_DIR);
    for (int i = 0; i < 3; i++) {
        const ElvOverride change[] = {
            {"anchor.pushes", i == 1 ? "-x" : "x"},
            {"simulate.duration", "2"},
            {"worm.motion.stretch", "1 + epsilon*sin(2*pi*(0.01*t^2 + c*t - s))"},
            {"anchor.station", "mod(0.01*t^2 + c*t + 0.25, 1)"},
        };
        ElvModel* model = NULL;
        ElvState* state = NULL;
        ElvError error;
        ElvIntegratorReport report;
        CHECK_STATUS(elv_model_read_file(path, change, i == 2 ? 2 : 4, &model, &error), &error);
        CHECK_STATUS(elv_state_create(model, &state, &error), &error);
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        CHECK_STATUS(elv_simulate(model, state, &options, &report, &error), &error);
        assert_int_equal(report.contact.n_pull, i == 0 ? 1 : 0);
        if (i == 0) {
            CHECK_TRUE(strcmp(report.contact.pull[0].contact, "anchor") == 0);
            CHECK_NEAR(report.contact.pull[0].t, 0.0, 0.0);
            CHECK_NEAR(report.contact.pull[0].worst, 0.02, 1e-9);
        }
        elv_state_free(state);
        elv_model_free(model);
    }
}

// ---- what is refused

static void check_refused(const char* more, const char* method, const char* part) {
    const char* const all[N_RING] = {more, "", "", "", ""};
    ElvError error;
    ElvModel* model = NULL;
    ElvStatus status = read_snake(all, method, &model, &error);
    if (status == ELV_OK) {
        ElvIntegrator* integrator = NULL;
        ElvSimulateDef options = elv_model_simulate(model);
        status = elv_integrator_create(model, &options, &integrator, &error);
        elv_integrator_free(integrator);
    }
    elv_model_free(model);
    assert_int_equal(status, ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, part) != NULL);
}

static void test_refused(void** unused) {
    (void)unused;
    check_refused(", pushes: x", explicit_method, "does not push along the rod");
    check_refused(", pushes: up", explicit_method, "axis of the section");
    check_refused(", preload: [1, 0, 0]", explicit_method, "no force along the rod");
    check_refused(", preload: 1", explicit_method, "a list of 3");
    check_refused(", preload: [0, 1, 0]", "method: newmark, step: 0.01", "has a preload");
}

// one anchor alone: its reaction is what the motion needs, and nothing balances a preload
static void test_unique(void** unused) {
    (void)unused;
    static const ElvOverride change = {"anchor.preload", "[1, 0, 0]"};
    char path[512];
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvIntegrator* integrator = NULL;
    ElvError error;
    (void)snprintf(path, sizeof path, "%s/models/earthworm.yaml", ELVER_SOURCE_DIR);
    CHECK_STATUS(elv_model_read_file(path, &change, 1, &model, &error), &error);
    ElvSimulateDef method = elv_model_simulate(model);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_integrator_create(model, &method, &integrator, &error), &error);
    assert_int_equal(elv_integrator_start(integrator, state, &error), ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "cannot hold the preload of 'anchor'") != NULL);
    elv_integrator_free(integrator);
    elv_state_free(state);
    elv_model_free(model);
}

// ---- two anchors of one rod: smallest forces and moments, whatever metres are

// The weight of a bent rod of length k, k metres wide in all, between two anchors. Forces stay as they
// are and moments grow by k where what is smallest measures them against the size of the robot.
static void weigh(const char* k, double wrench[12]) {
    static const char text[] =
        "elver: 1\ngravity: [0, 0, -9.81]\nparameters: {k: 1}\ntree:\n"
        "  - rod: worm\n    joint: free\n    length: \"k\"\n"
        "    section: {circle: {diameter: \"0.1*k\"}}\n    material: {density: \"1000/k^3\"}\n"
        "    motion: {bend_z: \"2/k\", bend_y: \"1/k\"}\n"
        "constraints:\n  - {contact: front, rod: worm, type: anchor, station: 0.2}\n"
        "  - {contact: rear, rod: worm, type: anchor, station: 0.7}\n"
        "simulate: {method: explicit, duration: 1}\n";
    static const char* const signal[] = {"contact.front.wrench", "contact.rear.wrench"};
    ElvOverride change = {"k", k};
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, sizeof text - 1, "text", &change, 1, &model, &error),
                 &error);
    Gait gait = gait_start(model, 0.0, 0.0);
    gait_see(&gait, signal, 2, wrench);
    gait_free(&gait);
}

static void test_size(void** unused) {
    (void)unused;
    double small[12], large[12];
    weigh("1", small);
    weigh("10", large);
    double most = largest(small, 12);
    CHECK_TRUE(fabs(small[0]) + fabs(small[1]) + fabs(small[2]) > 0.01);
    for (int i = 0; i < 12; i++) {
        double k = i % 6 < 3 ? 10.0 : 1.0;
        CHECK_NEAR(large[i], k * small[i], 1e-9 * k * most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preload),   cmocka_unit_test(test_pulls),
        cmocka_unit_test(test_earthworm), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unique),    cmocka_unit_test(test_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
