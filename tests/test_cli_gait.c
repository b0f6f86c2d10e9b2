// SPDX-License-Identifier: Apache-2.0
// `elver gait`: what it prints and writes, and what it refuses.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static void test_summary(void** context) {
    Process* p = *context;
    run(p, "gait @falling-cat");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "unconstrained, without external forces");
    CHECK_OUT(p, "mechanical connection");
    CHECK_OUT(p, "compatible    yes");
    CHECK_OUT(p, "SE(3)");
    CHECK_OUT(p, "rear.1");
    run(p, "gait @scallop --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"connection\": \"stokes\"");
    CHECK_OUT(p, "\"group\": \"SE(2)\"");
    CHECK_OUT(p, "\"imposed\": [\"lower\"]");
    CHECK_NEAR(json_number(p->out, "period"), 1.0, 1e-9);
    run(p, "gait @snake-2d");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "fully constrained");
    // a ramp has no cycle, what comes after it has
    run(p, "gait @imposed-wave");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "cycle         none");
    run(p, "gait @imposed-wave --start 1.5");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "cycle         1 s");
    run(p, "gait @imposed-wave --start -1");
    CHECK_CODE(p, 2);
    run(p, "gait --help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver gait MODEL");
}

// the satellite's rotors share no period; one that is given is taken
static void test_period(void** context) {
    Process* p = *context;
    run(p, "gait @satellite");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "none: what is imposed has no period");
    CHECK_OUT(p, "--period");
    CHECK_TRUE(!strstr(p->out, " -0 ") && !strstr(p->out, " -0\n"));
    run(p, "gait @three-link-swimmer --period 2 --json");
    CHECK_CODE(p, 0);
    CHECK_NEAR(json_number(p->out, "period"), 2.0, 0.0);
    run(p, "gait @three-link-swimmer --period -2");
    CHECK_CODE(p, 2);
}

static void test_field(void** context) {
    Process* p = *context;
    char text[8192];
    double first[11];
    run(p,
        "gait @three-link-swimmer -o field.csv --over right,left --from -0.5 --to 0.5 --points 3");
    CHECK_CODE(p, 0);
    read_text(p, "field.csv", text);
    CHECK_TRUE(strstr(text, "right,left,A(right).middle.0,") == text);
    CHECK_TRUE(strstr(text, "curvature.middle.2\n") != NULL);
    const char* line = strchr(text, '\n');
    CHECK_TRUE(line && sscanf(line, "%lf,%lf,%lf", &first[0], &first[1], &first[2]) == 3);
    CHECK_NEAR(first[0], -0.5, 0.0);
    CHECK_NEAR(first[1], -0.5, 0.0);
    // both hinges at the same angle: either turns the middle link as much
    CHECK_TRUE(sscanf(line, "%*f,%*f,%lf,%*f,%*f,%lf", &first[0], &first[1]) == 2);
    CHECK_NEAR(first[0], first[1], 1e-13);
    int n_line = 0;
    for (const char* c = text; *c; c++) {
        n_line += *c == '\n';
    }
    assert_int_equal(n_line, 10);
    run(p, "gait @falling-cat -o field.npy --points 2 --over rear.0,rear.1");
    CHECK_CODE(p, 0);
    CHECK_TRUE(has_file(p, "field.npy"));
}

static void test_refused(void** context) {
    Process* p = *context;
    run(p, "gait");
    CHECK_CODE(p, 2);
    run(p, "gait @scallop -o field.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "two imposed coordinates");
    run(p, "gait @three-link-swimmer -o field.csv --over left,rihgt");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'rihgt' is no imposed coordinate");
    run(p, "gait @three-link-swimmer -o field.csv --over left");
    CHECK_CODE(p, 2);
    run(p, "gait @three-link-swimmer --over left,right");
    CHECK_CODE(p, 2);
    run(p, "gait @three-link-swimmer -o field.txt");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, ".csv or .npy");
    run(p, "gait @three-link-swimmer --connection stoke");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "mechanical or stokes");
    run(p, "gait @three-link-swimmer -o field.csv --points 1");
    CHECK_CODE(p, 2);
    run(p, "gait @three-link-swimmer --from 1 --to 0");
    CHECK_CODE(p, 2);
    run(p, "gait @three-link-swimmer -o field.csv --over left,left");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "two different coordinates");
    run(p, "gait @falling-cat --connection stokes");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'resistance' or damping");
}

// each vehicle with its class, the ranks, and the rows by name
static void test_classes(void** context) {
    static const struct {
        const char *words, *kind, *reason;
    } robot[] = {
        {"@satellite", "unconstrained, without external forces", "no constraints"},
        {"@snakeboard", "under-constrained\n", "2 constraints of rank 2 decide on 2"},
        {"@snake-wheeled", "fully constrained", "10 constraints of rank 10 decide on 10"},
        {"@mobile-manipulator", "fully actuated",
         "6 constraints of rank 3 decide on 2, motors of wheels on 1 more"},
        {"@car", "fully actuated",
         "6 constraints of rank 3 decide on 2, motors of wheels on 1 more"},
        {"@unicycle", "under-constrained, actuated and free parts",
         "3 constraints of rank 2 decide on 1, motors of wheels on 1 more"},
        {"@two-axle", "under-constrained\n", "4 constraints of rank 2 decide on 2"},
        {"@two-axle --set rear_left.rotation=3*t", "fully actuated",
         "5 constraints of rank 3 decide on 2, motors of wheels on 1 more"},
        {"@three-axle", "fully constrained", "6 constraints of rank 3 decide on 3"},
    };
    Process* p = *context;
    for (size_t i = 0; i < sizeof robot / sizeof robot[0]; i++) {
        char words[128];
        snprintf(words, sizeof words, "gait %s", robot[i].words);
        run(p, words);
        CHECK_CODE(p, 0);
        CHECK_OUT(p, robot[i].kind);
        CHECK_OUT(p, robot[i].reason);
        bool is_dynamic = strstr(robot[i].kind, "under") != NULL;
        CHECK_TRUE((strstr(p->out, "a motion without momentum along what is free") != NULL) ==
                   is_dynamic);
        CHECK_TRUE((strstr(p->out, "  by dynamics   (") != NULL) == is_dynamic);
    }
    CHECK_OUT(p, "rows          wheel middle_left 1, middle_right 1, rear_left 1");
    CHECK_OUT(p, "connection    kinematic");
    run(p, "gait @car --json");
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "{\"kind\": \"wheel\", \"name\": \"right_back\", \"rows\": 2}");
    CHECK_OUT(p, "\"connection\": \"kinematic\"");
    // tan(beta) = 0.6 at the start: (4.21), the rate of turn first
    const char* motors = strstr(p->out, "\"motors\": [");
    double v[3];
    CHECK_TRUE(motors && sscanf(motors, "\"motors\": [%lf, %lf, %lf]", &v[0], &v[1], &v[2]) == 3);
    CHECK_NEAR(v[0], 0.6, 1e-12);
    CHECK_NEAR(v[1], 1.0, 1e-12);
    CHECK_NEAR(v[2], 0.3, 1e-12);
    run(p, "info @unicycle");
    CHECK_OUT(p, "moves as under-constrained, actuated and free parts: of 3 free velocities");
    run(p, "info @car --json");
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"locomotion\": {\"class\": \"fully actuated\"");
}

// front wheels that do not turn about one point: the constraint, its slip and the time, by every
// command
static void test_slip(void** context) {
    Process* p = *context;
    run(p, "gait @car --set left_fork.joint.revolute.motion=0.3");
    CHECK_CODE(p, 2);
    CHECK_OUT(p, "compatible    no: 'left_front' would have to slip by 0.423 m/s");
    run(p, "gait @car --json --set left_fork.joint.revolute.motion=0.3");
    CHECK_CODE(p, 2);
    CHECK_OUT(p, "\"slips\": \"left_front\"");
    CHECK_NEAR(json_number(p->out, "slip"), 0.423, 5e-4);
    // neither a field nor a second culprit
    run(p, "gait @car --set left_fork.joint.revolute.motion=0.3 -o slip.csv");
    CHECK_CODE(p, 2);
    CHECK_TRUE(!has_file(p, "slip.csv"));
    CHECK_ERR(p, "no field is written: 'left_front' would have to slip");
    CHECK_OUT(p, "none: the imposed motion does not agree with the constraints\n");
    run(p, "run @car --set left_fork.joint.revolute.motion=0.3 -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'left_front' would have to slip by 0.423 m/s");
    CHECK_ERR(p, "after 0 steps");
    // the message has its remedy, tolerances are none
    CHECK_TRUE(strstr(p->err, "leave a joint free") && !strstr(p->err, "rel-tol"));
    run(p, "check @car --set left_fork.joint.revolute.motion=0.3");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'left_front' would have to slip by 0.");
    // two motors of one axle that want different speeds of the left wheel, at the end of the run at
    // most
    run(p, "gait @car --json --set left_back.rotation=3*t^2");
    CHECK_CODE(p, 2);
    CHECK_OUT(p, "\"slips\": \"left_back\"");
}

// another amplitude of one joint of the wheeled snake: its axles meet where they must not, whatever
// the method; as it is it goes through, and says when
static void test_pole(void** context) {
    static const char* const method[] = {"explicit", "generalized-alpha", "connection"};
    Process* p = *context;
    char words[256];
    for (int i = 0; i < 3; i++) {
        snprintf(words, sizeof words,
                 "run @snake-wheeled -o out.csv --set simulate={method:|%s,|duration:|20} "
                 "--set b2.joint.revolute.motion=0.5*sin(t+9*pi/16)",
                 method[i]);
        run(p, words);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, "would have to slip by");
        CHECK_ERR(p, "after 0 steps");
    }
    run(p, "gait @snake-wheeled --set b2.joint.revolute.motion=0.5*sin(t+9*pi/16)");
    CHECK_CODE(p, 2);
    CHECK_OUT(p, "compatible    no: 'w");
    run(p, "run @snake-wheeled -o out.csv --duration 4");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "constraints lose a direction at t = 0, 3.14159 s");
    CHECK_ERR(p, "not limits");
    run(p, "run @snake-wheeled --json -o out.csv --duration 4");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "rank_losses"), 2.0, 0.0);
    // the largest slip of the run, not that of its start: half of 0.1 m times
    // (0.02 + 3 t^2) rad/s
    write_text(p, "two.yaml",
               "elver: 1\ntree: [{body: b, joint: planar, mass: 1, inertia: [1, 1, 1]}]\n"
               "constraints:\n"
               "  - {wheel: a, at: b, radius: 0.1, rotation: \"10*t\"}\n"
               "  - {wheel: c, at: b, radius: 0.1, rotation: \"10.02*t + t^3\"}\n"
               "simulate: {method: explicit, duration: 10}\n");
    run(p, "check two.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "would have to slip by 15 m/s at t = 9.99");
}

// a start in which three axles of a wave meet, stations that leave the rod, and forces
static void test_notes(void** context) {
    Process* p = *context;
    write_text(p, "wave.yaml",
               "elver: 1\nname: wave\ntree:\n"
               "  - {rod: b, joint: planar, length: 1, section: {circle: {diameter: 0.05}},\n"
               "     material: {density: 1000}, motion: {bend_z: \"3*cos(2*pi*(s-t))\"}}\n"
               "constraints:\n  - {wheel: w1, at: b.at(0.2), radius: 0.1}\n"
               "  - {wheel: w2, at: b.at(0.5), radius: 0.1}\n"
               "  - {wheel: w3, at: b.at(0.8), radius: 0.1}\n"
               "simulate: {method: explicit, duration: 2}\nrecord: {signals: [b.joint.q]}\n");
    run(p, "gait wave.yaml --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "period"), 1.0, 1e-9);
    CHECK_OUT(p, "at the start constraints lose a direction");
    CHECK_TRUE(!strstr(p->out, "\"curvature\"") && !strstr(p->out, "\"no_cycle\""));
    double gait = 0.0, end = 0.0;
    const char* at = strstr(p->out, "\"displacement\": [");
    CHECK_TRUE(at && sscanf(at, "\"displacement\": [%lf", &gait) == 1);
    // the same as by a run
    run(p, "run wave.yaml --duration 1 --every 1 --rel-tol 1e-10 --signal b.joint.q -o wave.csv");
    CHECK_CODE(p, 0);
    char text[8192];
    read_text(p, "wave.csv", text);
    const char* line = strstr(text, "\n1,");
    CHECK_TRUE(line && sscanf(line, "\n1,%*f,%lf", &end) == 1);
    CHECK_NEAR(gait, end, 1e-6);
    run(p, "gait wave.yaml");
    CHECK_OUT(p, "columns: see --json, or -o FIELD.csv");
    run(p, "gait @snake-2d --set ring1.station=1.2-t");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "beyond its rod");
    // what is not said otherwise
    run(p, "gait @satellite --json");
    CHECK_OUT(p, "\"no_cycle\": \"what is imposed has no period");
    run(p, "gait @snakeboard --json");
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"dynamics\": {\"displacement\": [-0.142379");
    CHECK_OUT(p, "a motion without momentum along what is free");
    run(p, "gait @falling-cat --set gravity=[0,0,-9.81]");
    CHECK_OUT(p, "unconstrained, with external forces");
    CHECK_OUT(p, "that under forces is another one");
    run(p, "gait @flying-rod");
    CHECK_OUT(p, "unconstrained, with external forces");
    CHECK_OUT(p, "no joint or strain follows an imposed motion");
    run(p, "gait @three-link-swimmer");
    CHECK_OUT(p, "shape and viscous resistance decide on them (stokes connection)");
    CHECK_TRUE(!strstr(p->out, "note"));
    run(p, "gait @knife-edge");
    CHECK_OUT(p, "1 constraint of rank 1 decides on 1");
    CHECK_OUT(p, "rows          constraint blade 1\n");
}

// what is free at a start that is singular, and in general
static void test_singular_start(void** context) {
    Process* p = *context;
    run(p, "check @snake-wheeled");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "0 with drives and loops (1 at the start, a singular posture)");
    run(p, "info @snake-wheeled");
    CHECK_OUT(p, "(0 with drives and loops, 1 at the start, a singular posture)");
    CHECK_OUT(p, "1 redundant constraint at the start");
    run(p, "info @snake-wheeled --json");
    CHECK_OUT(p, "\"degrees_of_freedom\": 0, \"degrees_of_freedom_at_start\": 1");
    run(p, "check @three-axle");
    CHECK_OUT(p, "0 with drives and loops\n");
}

// of pictures, which are longer than outputs
static void read_svg(const Process* p, const char* name, char* text, size_t size) {
    FILE* stream = fopen(path_of(p, name), "rb");
    assert_non_null(stream);
    text[fread(text, 1, size - 1, stream)] = '\0';
    fclose(stream);
}

// over two coordinates arrows and colours, over one a curve; the gait in each
static void test_plot(void** context) {
    Process* p = *context;
    static char text[1 << 20];
    run(p, "gait @unicycle --plot");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "needs an imposed coordinate");
    run(p, "gait @three-link-swimmer --plot --over left,rihgt");
    CHECK_CODE(p, 2);
    if (!has_gnuplot()) {
        return;
    }
    run(p, "gait @three-link-swimmer -o field.csv --points 5 --plot");
    CHECK_CODE(p, 0);
    CHECK_TRUE(has_file(p, "field.csv") && has_file(p, "field.svg"));
    CHECK_ERR(p, "plot      field.svg");
    run(p, "gait @scallop --points 9 --plot curve.svg");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "arning"));
    read_svg(p, "curve.svg", text, sizeof text);
    CHECK_TRUE(strstr(text, "A(lower).upper.2") && strstr(text, "gait"));
    run(p,
        "gait @three-link-swimmer --over right,left --points 5 --from -1 --to 1 --plot plane.svg");
    CHECK_CODE(p, 0);
    read_svg(p, "plane.svg", text, sizeof text);
    CHECK_TRUE(strstr(text, "curvature.middle.1") && strstr(text, "middle.1: rows of A"));
    // a coordinate alone
    run(p, "gait @three-link-swimmer --over right --points 5 --plot one.svg");
    CHECK_CODE(p, 0);
    read_svg(p, "one.svg", text, sizeof text);
    CHECK_TRUE(strstr(text, "A(right).middle.0") && !strstr(text, "curvature"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_summary),        WITH_PROCESS(test_period),  WITH_PROCESS(test_field),
        WITH_PROCESS(test_refused),        WITH_PROCESS(test_classes), WITH_PROCESS(test_slip),
        WITH_PROCESS(test_singular_start), WITH_PROCESS(test_plot),    WITH_PROCESS(test_notes),
        WITH_PROCESS(test_pole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
