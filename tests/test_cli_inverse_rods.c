// SPDX-License-Identifier: Apache-2.0
// `elver inverse` on rods: the shipped examples, what is printed of them, and how bad input is refused.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli_process.h"

enum { MAX_COLUMN = 64 };

// numbers of a line of CSV; returns how many
static int read_line(const char* text, int line, double* value) {
    for (int i = 0; i < line; i++) {
        text = strchr(text, '\n');
        assert_non_null(text);
        text++;
    }
    int n = 0;
    for (char* end = NULL; n < MAX_COLUMN; text = end + 1) {
        value[n++] = strtod(text, &end);
        if (*end != ',') {
            break;
        }
    }
    return n;
}

static int count_lines(const char* text) {
    int n = 0;
    for (; *text != '\0'; text++) {
        n += *text == '\n';
    }
    return n;
}

// ---- a tip by tensions

static void test_circle(void** context) {
    Process* p = *context;
    char words[1024];
    double row[MAX_COLUMN], back[MAX_COLUMN];
    run(p, "inverse @tacr-inverse -o tensions.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "tacr-inverse: load 0 to 5.4977");
    CHECK_ERR(p, "8 records of 10 columns");
    CHECK_ERR(p, "m from its place");
    static char text[OUTPUT_SIZE];
    read_text(p, "tensions.csv", text);
    CHECK_TRUE(strncmp(text, "load,rod.tip.position.x,", 24) == 0 && count_lines(text) == 9);
    CHECK_TRUE(strstr(text, ",tendon.near3.tension,tip.distance\n"));
    for (int i = 1; i <= 8; i += 3) {
        CHECK_TRUE(read_line(text, i, row) == 11);
        CHECK_NEAR(row[0], (i - 1) * 0.78539816339744831, 1e-15);
        CHECK_NEAR(hypot(row[2], row[3]), 0.15, 1e-9);
        CHECK_TRUE(row[10] < 1e-9);
        for (int k = 4; k < 10; k++) {
            CHECK_TRUE(row[k] >= 0.0);
        }
        // forward statics with these tensions is at the same place
        snprintf(words, sizeof words,
                 "statics @tacr-inverse --set statics.loads=[0] --set far1.tension=%.17g --set "
                 "far2.tension=%.17g --set far3.tension=%.17g --set near1.tension=%.17g --set "
                 "near2.tension=%.17g --set near3.tension=%.17g -o -",
                 row[4], row[5], row[6], row[7], row[8], row[9]);
        run(p, words);
        CHECK_CODE(p, 0);
        read_line(p->out, 1, back);
        CHECK_ARRAY_NEAR(back + 1, row + 1, 3, 1e-8);
    }
}

static void test_out_of_reach(void** context) {
    Process* p = *context;
    double row[MAX_COLUMN];
    run(p, "inverse @tacr-inverse --set radius=0.3 --set statics.loads=[0,1] -o near.csv --json");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "2 of 2 places are out of reach, the first one at load 0: the tip stays up to");
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "missed"), 2.0, 0.0);
    CHECK_NEAR(json_number(p->out, "records"), 2.0, 0.0);
    CHECK_NEAR(json_number(p->out, "load_end"), 1.0, 0.0);
    // the robot goes round with the target, but for the three tendons that it has
    CHECK_NEAR(json_number(p->out, "largest_distance"), 0.0838526, 1e-6);
    // one that can be reached first
    run(p, "inverse @tacr-inverse --set statics.loads=[0,1] --set "
           "inverse.tip.xyz=[0.36,0.15+0.3*t,0] -o -");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "1 of 2 places are out of reach, the first one at load 1");
    CHECK_TRUE(read_line(p->out, 1, row) == 11 && row[10] < 1e-9);
    CHECK_TRUE(read_line(p->out, 2, row) == 11 && row[10] > 0.1);
}

// ---- a tip by a wrench

static void test_wrench(void** context) {
    Process* p = *context;
    double row[MAX_COLUMN];
    run(p, "inverse @tacr-inverse --set inverse.by=wrench --set statics.loads=[0,1] --signal "
           "rod.tip.position --signal rod.stress(0) --signal com -o -");
    CHECK_CODE(p, 0);
    CHECK_OUT(p,
              "com.z,tip.distance,tip.moment.x,tip.moment.y,tip.moment.z,tip.force.x,tip.force.y,"
              "tip.force.z\n");
    double weight = 9.81 * 8000.0 * 3.14159265358979323846 * 1e-6 * 0.4;
    for (int line = 1; line <= 2; line++) {
        CHECK_TRUE(read_line(p->out, line, row) == 20);
        const double *tip = row + 1, *root = row + 4, *com = row + 10, *f = row + 17;
        CHECK_TRUE(row[13] < 1e-9 && hypot(f[1], f[2]) > 0.1);
        for (int i = 14; i < 17; i++) {
            CHECK_NEAR(row[i], 0.0, 1e-9);
        }
        // the clamp balances the force at the tip and the weight along x
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double moment = tip[j] * f[k] - tip[k] * f[j];
            moment += i == 1 ? com[2] * weight : i == 2 ? -com[1] * weight : 0.0;
            CHECK_NEAR(root[i], moment, 1e-9);
            CHECK_NEAR(root[3 + i], f[i] + (i == 0 ? weight : 0.0), 1e-9);
        }
    }
    // with its direction: a tip that points down on the circle
    run(p, "inverse @tacr-inverse --set inverse.by=wrench --set inverse.tip.rpy=[0,0,0.3] --set "
           "statics.loads=[0] -o -");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "tip.distance,tip.angle,tip.moment.x");
}

// ---- imposed strains

static void test_motion(void** context) {
    Process* p = *context;
    double row[MAX_COLUMN];
    run(p, "inverse @tacr-motion --duration 1 --every 0.25 -o -");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "t,rod.tip.position.x,");
    CHECK_OUT(p, ",tendon.near_right.tension,tensions.residual\n");
    CHECK_ERR(p, "tensions  leave at most 0.00");
    CHECK_TRUE(count_lines(p->out) == 6);
    CHECK_TRUE(read_line(p->out, 5, row) == 18);
    // t = 1: sin(2 pi) and sin(2 pi - pi/2): the outer half is bent, the inner straight
    double EI = 207e9 * 3.14159265358979 * 1e-12 / 4.0;
    CHECK_NEAR(row[12], 3.0 * EI, 0.02 * EI);
    CHECK_NEAR(row[11], 0.0, 0.1 * EI);
    // a tendon at y = -20 mm bends it so; its partner is slack, and the inner half needs one against it
    CHECK_NEAR(row[14], 3.0 * EI / 0.02, 0.05 * 3.0 * EI / 0.02);
    CHECK_NEAR(row[13], 0.0, 1e-9);
    CHECK_TRUE(row[17] > 0.0 && row[17] < 0.02);
    // without signals in the file
    run(p, "inverse @tacr-motion --set record.signals=[] --duration 0.01 -o -");
    CHECK_CODE(p, 0);
    CHECK_OUT(p,
              "t,rod.tip.position.x,rod.tip.position.y,rod.tip.position.z,rod.stress(0).moment.x");
    CHECK_OUT(p, "rod.actuation(0.5).force.z,tendon.far_left.tension,");
    // files of all forms
    run(p, "inverse @tacr-motion --duration 0.1 -o motion.h5 --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_TRUE(json_number(p->out, "tensions_residual") > 0.0);
    CHECK_TRUE(json_number(p->out, "defect") < 1e-10);
    run(p, "inverse motion.h5 --duration 0.1 -o again.csv -q");
    CHECK_CODE(p, 0);
    CHECK_TRUE(has_file(p, "again.csv"));
}

static void test_locomotor(void** context) {
    Process* p = *context;
    double row[MAX_COLUMN];
    run(p, "inverse @rod-locomotor --every 3 -o -");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "steps of the root");
    CHECK_TRUE(count_lines(p->out) == 4);
    CHECK_TRUE(read_line(p->out, 3, row) == 26);
    CHECK_NEAR(row[0], 6.0, 0.0);
    // straight and at rest again where it began, but turned about its axis
    CHECK_NEAR(row[1], 0.0, 1e-6);
    CHECK_NEAR(hypot(row[6], row[7]), 0.0, 1e-6);
    CHECK_TRUE(fabs(row[5]) > 0.1);
    for (int i = 17; i < 23; i++) {
        CHECK_NEAR(row[i], 0.0, 1e-9);
    }
    // held at its root it does not move away
    run(p, "inverse @rod-locomotor --set body.joint=fixed --set inverse={static:|true} --set "
           "statics.loads=[0.5] -o -");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "load,body.root.position.x");
    CHECK_OUT(p, "\n0.5,0,0,0,1,0,0,0,");
}

// ---- refused

static void test_refused(void** context) {
    Process* p = *context;
    run(p, "run @tacr-motion --set simulate={method:|shooting}");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "rod 'rod' has imposed strains");
    run(p, "inverse @rod-locomotor --set body.strain={bend_y:|3,|bend_z:|3,|twist:|1}");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "twist of rod 'body' has modes but no motion");
    run(p, "run @tacr-motion --set rod.motion={} --duration 0.02 -o x.csv");
    CHECK_CODE(p, 0);
    run(p, "inverse @tacr-inverse --set actuators=[]");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "tacr-inverse.yaml:");
    CHECK_ERR(p, "inverse: there is no tendon and no chamber");
    run(p, "inverse @tacr-inverse --set inverse.by=tension");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'tensions'?");
    run(p, "inverse @rod-locomotor --signal body.q");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'body.q' needs the modes of rods");
    run(p, "inverse @rod-locomotor --set inverse={static:|true} -o x.h5");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'body.joint' is free, and inverse statics needs to know where it is");
    CHECK_TRUE(!has_file(p, "x.h5"));
    run(p, "inverse @tacr-motion --set rod.motion={bend_z:|1/(t-0.05)} --every 0.025 -o x.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "is not a number at t = 0.05");
    CHECK_ERR(p, "the rows until t = 0.025 s are kept in x.csv");
    run(p, "info @tacr-motion");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "motion");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_circle), WITH_PROCESS(test_out_of_reach), WITH_PROCESS(test_wrench),
        WITH_PROCESS(test_motion), WITH_PROCESS(test_locomotor),    WITH_PROCESS(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
