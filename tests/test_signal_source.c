// SPDX-License-Identifier: Apache-2.0
// Names of signals: columns, components, units, and what is refused with which words.
#include "signal_sample.h"

// one joint of each type, for units
static const char joints_text[] =
    "elver: 1\n"
    "name: joints\n"
    "tree:\n"
    "  - {body: r, mass: 1, inertia: [1, 1, 1], joint: {revolute: {}}}\n"
    "  - {body: p, mass: 1, inertia: [1, 1, 1], joint: {prismatic: {}}}\n"
    "  - {body: c, mass: 1, inertia: [1, 1, 1], joint: {cylindrical: {}}}\n"
    "  - {body: l, mass: 1, inertia: [1, 1, 1], joint: {planar: {}}}\n"
    "  - {body: s, mass: 1, inertia: [1, 1, 1], joint: {spherical: {}}}\n"
    "  - {body: f, mass: 1, inertia: [1, 1, 1], joint: {free: {}}}\n"
    "  - {body: x, mass: 1}\n";

static void check_columns(const ElvModel* model,
                          const char* const* name,
                          int n_name,
                          const char* const* column,
                          int n_column) {
    ElvError error;
    elv_error_clear(&error);
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(model, name, n_name, &signals, &error), &error);
    assert_int_equal(elv_signals_n_column(signals), n_column);
    for (int i = 0; i < n_column; i++) {
        assert_string_equal(elv_signals_column_name(signals, i), column[i]);
    }
    elv_signals_free(signals);
}

static void test_components_are_picked(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, turning_text);
    static const char* const name[] = {"momentum.linear", "point.position.y", "energy.total",
                                       "point.position", "wheel.q.0"};
    static const char* const column[] = {
        "momentum.linear.x", "momentum.linear.y", "momentum.linear.z", "point.position.y",
        "energy.total",      "point.position.x",  "point.position.z",  "wheel.q.0"};
    check_columns(f.model, name, 5, column, 8);
    check_columns(f.model, NULL, 0, NULL, 0);

    // a picked component has the value of its place in the whole
    f.state->q[0] = 0.8;
    f.state->v[0] = -1.5;
    double whole[6];
    double linear[3];
    eval(&f, "momentum", whole);
    eval(&f, "momentum.linear", linear);
    CHECK_ARRAY_NEAR(linear, whole, 3, 0.0);
    double y = 0.0;
    eval(&f, "point.position.y", &y);
    CHECK_NEAR(y, 0.7 * sin(0.8), 1e-13);
    close_fixture(&f);
}

static void check_units(const ElvModel* model, const char* name, const char* units) {
    ElvError error;
    elv_error_clear(&error);
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(model, &name, 1, &signals, &error), &error);
    char text[256] = "";
    for (int i = 0; i < elv_signals_n_column(signals); i++) {
        strcat(text, i > 0 ? ", " : "");
        strcat(text, elv_signals_column_unit(signals, i));
    }
    assert_string_equal(text, units);
    elv_signals_free(signals);
}

static void test_units(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, joints_text);
    check_units(f.model, "r.q", "rad");
    check_units(f.model, "r.effort", "N m");
    check_units(f.model, "p.q", "m");
    check_units(f.model, "p.v", "m/s");
    check_units(f.model, "p.effort", "N");
    check_units(f.model, "c.a", "rad/s^2, m/s^2");
    check_units(f.model, "l.q", "rad, m, m");
    check_units(f.model, "s.q", "-, -, -, -");
    check_units(f.model, "s.v", "rad/s, rad/s, rad/s");
    check_units(f.model, "f.q", "-, -, -, -, m, m, m");
    check_units(f.model, "f.v", "rad/s, rad/s, rad/s, m/s, m/s, m/s");
    check_units(f.model, "f.twist", "rad/s, rad/s, rad/s, m/s, m/s, m/s");
    check_units(f.model, "energy", "J, J, J, J");
    check_units(f.model, "momentum.angular.x", "kg m^2/s");
    close_fixture(&f);

    // bend_z comes before stretch
    open_fixture(&f, rod_text);
    check_units(f.model, "arm.q", "rad/m, rad/m, rad/m, -, -");
    check_units(f.model, "arm.v", "rad/m/s, rad/m/s, rad/m/s, 1/s, 1/s");
    check_units(f.model, "arm.strain(0.5)", "rad/m, rad/m, rad/m, -, -, -");
    check_units(f.model, "arm.stress(0.5)", "N m, N m, N m, N, N, N");
    close_fixture(&f);
}

// ---- refusals

// the second of two names is refused, with words that must be in the message
static void check_refused(const ElvModel* model, const char* name, const char* word) {
    const char* const list[] = {"energy", name};
    ElvError error;
    elv_error_clear(&error);
    ElvSignals* signals = NULL;
    ElvStatus status = elv_signals_create(model, list, 2, &signals, &error);
    assert_int_equal(status, ELV_ERROR_INPUT);
    assert_null(signals);
    assert_string_equal(error.element, "record");
    assert_string_equal(error.field, "signals[1]");
    if (!strstr(error.message, word)) {
        print_error("'%s' is not in: %s\n", word, error.message);
        fail();
    }
    assert_int_equal(elv_signals_create(model, list, 2, &signals, NULL), ELV_ERROR_INPUT);
}

static void test_refusals(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, turning_text);
    check_refused(f.model, "point.positon", "did you mean 'point.position'?");
    check_refused(f.model, "enegry", "did you mean 'energy'?");
    check_refused(f.model, "nothing", "the robot has energy, momentum, com");
    check_refused(f.model, "point", "point.position");
    check_refused(f.model, "pint.position", "did you mean 'point'?");
    check_refused(f.model, "whel.q", "did you mean 'wheel'?");
    check_refused(f.model, "wheel.q.1", "it has 0");
    check_refused(f.model, "energy.potential", "kinetic, elastic, gravity, total");
    check_refused(f.model, "wheel.strain(0.5)", "no rod 'wheel'");
    check_refused(f.model, "wheel.", "is no signal");
    check_refused(f.model, "", "is no signal");
    check_refused(f.model, ".", "is no signal");
    check_refused(f.model, "point..position", "");
    check_refused(f.model, "((((", "unknown signal");
    char longest[400];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    check_refused(f.model, longest, "is no signal");
    close_fixture(&f);

    open_fixture(&f, joints_text);
    check_refused(f.model, "x.q", "has no coordinates");
    close_fixture(&f);

    open_fixture(&f, rod_text);
    check_refused(f.model, "arm.strain", "arm.strain(0.5)");
    check_refused(f.model, "arm.strain(1.5)", "between 0 and 1");
    check_refused(f.model, "arm.strain(x)", "between 0 and 1");
    check_refused(f.model, "arm.strain(0.5", "between 0 and 1");
    check_refused(f.model, "arm.strain(nan)", "between 0 and 1");
    check_refused(f.model, "arm.strain(0x1p-1)", "between 0 and 1");
    check_refused(f.model, "arm.effort", "arm.stress(S)");
    check_refused(f.model, "arm.tip.position.w", "it has x, y, z");
    close_fixture(&f);
}

static const char device_text[] =
    "elver: 1\n"
    "name: devices\n"
    "tree:\n"
    "  - {rod: arm, length: 1, section: {circle: {radius: 0.1}}, strain: {bend_y: 1},\n"
    "     material: {density: 1000, young: 1e6}}\n"
    "actuators:\n"
    "  - {tendon: left, path: {rod: arm, z: 0.05}, tension: 1}\n"
    "  - {tendon: right, path: {rod: arm, z: -0.05}, tension: 1}\n"
    "  - {chamber: bag, rod: arm, area: 0.001, pressure: 1}\n";

static void test_refusals_of_devices(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, device_text);
    check_refused(f.model, "tendon.lft.tension",
                  "there is no tendon 'lft', did you mean 'tendon.left.tension'?");
    check_refused(f.model, "tendon.a7.tension", "no tendon 'a7'; the model has left, right");
    check_refused(f.model, "tendon.left", "name a quantity of it; it has length, rate, tension");
    check_refused(f.model, "tendon.left.tenson", "tendon 'left' has no 'tenson'; it has length");
    check_refused(f.model, "left.length", "did you mean 'tendon.left.length'?");
    check_refused(f.model, "left.tenson", "did you mean 'tendon.left.tension'?");
    check_refused(f.model, "left", "did you mean 'tendon.left.length'?");
    check_refused(f.model, "tendons.left.rate", "did you mean 'tendon.left.rate'?");
    check_refused(f.model, "chamber.left.volume", "no chamber 'left'; the model has bag");
    check_refused(f.model, "nothing",
                  "; tendon.NAME has length, rate, tension, gradient; "
                  "chamber.NAME has volume, pressure");
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components_are_picked),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_refusals_of_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
