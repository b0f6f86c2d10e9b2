// SPDX-License-Identifier: Apache-2.0
// Imposed strains of a clamped rod against the ordinary differential equations that they stand for,
// integrated
// here along the rod by Runge-Kutta steps                              [ALI (5.11)-(5.13), (5.20)]:
//     g' = g xi,   eta' = -ad_xi eta + xi_dot,
//     eta_dot' = -ad_xi eta_dot - ad_xi_dot eta + xi_ddot
//     Lambda' = ad_xi^T Lambda + M eta_dot - ad_eta^T M eta - F,   Lambda(l) = the load at the tip.
// The field is written twice, as a formula in the model and as C code here.
//
// Tolerances: N_STEP steps of order four err by about (|K| l / N_STEP)^4, below 1e-12. With many
// modes nothing else is left but rounding; with chosen ones the field is missed by 1e-9 of its
// size.
#include "model_case.h"

enum { N_STEP = 4000, N_ALL = 2 * N_STEP + 1, N_STATION = 5 };

static const double LENGTH = 0.8;
static const double DENSITY = 900.0;
static const double DIAMETER = 0.06;
static const double STATION[N_STATION] = {0.0, 0.23, 0.5, 0.91, 1.0};

static const char* const model_text =
    "gravity: [1, -9.81, 2]\n"
    "tree:\n"
    "  - rod: eel\n"
    "    pose: {xyz: [0.1, -0.2, 0.3], rpy: [0.3, 0.4, -0.5]}\n"
    "    length: 0.8\n"
    "    section: {circle: {diameter: 0.06}}\n"
    "    material: {density: 900}\n"
    "    motion:\n"
    "      twist: \"0.8*sin(2*t + s)\"\n"
    "      bend_y: \"3*cos(3*s - 2*t)\"\n"
    "      bend_z: \"5*sin(4*s - 3*t)\"\n"
    "      stretch: \"1 + 0.2*sin(2*s + t)\"\n"
    "      shear_y: \"0.1*cos(s + t)\"\n"
    "      shear_z: \"0.05*s*sin(t)\"\n"
    "    %s\n"
    "loads: [{wrench: [0.1, -0.2, 0.3, 4, 5, -6], at: eel.tip, frame: local}]\n"
    "frames:\n"
    "  - {name: f1, on: eel.at(0.23)}\n"
    "  - {name: f2, on: eel.at(0.5)}\n"
    "  - {name: f3, on: eel.at(0.91)}\n"
    "simulate: {duration: 2}\n";

// ---- the field again

typedef struct {
    ElvTwist xi, xi_dot, xi_ddot;
} Strains;

static ElvTwist six(double a, double b, double c, double d, double e, double f) {
    return elv_twist(elv_vec3(a, b, c), elv_vec3(d, e, f));
}

static Strains strains_at(double t, double s) {
    Strains x;
    x.xi = six(0.8 * sin(2 * t + s), 3 * cos(3 * s - 2 * t), 5 * sin(4 * s - 3 * t),
               1 + 0.2 * sin(2 * s + t), 0.1 * cos(s + t), 0.05 * s * sin(t));
    x.xi_dot = six(1.6 * cos(2 * t + s), 6 * sin(3 * s - 2 * t), -15 * cos(4 * s - 3 * t),
                   0.2 * cos(2 * s + t), -0.1 * sin(s + t), 0.05 * s * cos(t));
    x.xi_ddot = six(-3.2 * sin(2 * t + s), -12 * cos(3 * s - 2 * t), -45 * sin(4 * s - 3 * t),
                    -0.2 * sin(2 * s + t), -0.1 * cos(s + t), -0.05 * s * sin(t));
    return x;
}

// ---- the equations

typedef struct {
    ElvPose g;
    ElvTwist eta, eta_dot;
} Section;

static Section slope_of(const Section* y, double t, double s) {
    Strains x = strains_at(t, s);
    Section d;
    d.g.R = elv_mat3_mul(y->g.R, elv_mat3_hat(x.xi.ang));
    d.g.p = elv_mat3_apply(y->g.R, x.xi.lin);
    d.eta = elv_twist_sub(x.xi_dot, elv_twist_bracket(x.xi, y->eta));
    d.eta_dot = elv_twist_sub(x.xi_ddot, elv_twist_bracket(x.xi, y->eta_dot));
    d.eta_dot = elv_twist_sub(d.eta_dot, elv_twist_bracket(x.xi_dot, y->eta));
    return d;
}

static Section moved(const Section* y, double h, const Section* d) {
    Section z = *y;
    z.g.R = elv_mat3_add(y->g.R, elv_mat3_scale(h, d->g.R));
    z.g.p = elv_vec3_add_scaled(y->g.p, h, d->g.p);
    z.eta = elv_twist_add_scaled(y->eta, h, d->eta);
    z.eta_dot = elv_twist_add_scaled(y->eta_dot, h, d->eta_dot);
    return z;
}

// sections at 2 N_STEP + 1 equidistant stations
static void integrate_forward(double t, Section* y) {
    double h = LENGTH / (N_ALL - 1);
    for (int i = 0; i + 1 < N_ALL; i++) {
        double s = (double)i / (N_ALL - 1);
        double ds = 1.0 / (N_ALL - 1);
        Section k1 = slope_of(&y[i], t, s);
        Section y2 = moved(&y[i], 0.5 * h, &k1);
        Section k2 = slope_of(&y2, t, s + 0.5 * ds);
        Section y3 = moved(&y[i], 0.5 * h, &k2);
        Section k3 = slope_of(&y3, t, s + 0.5 * ds);
        Section y4 = moved(&y[i], h, &k3);
        Section k4 = slope_of(&y4, t, s + ds);
        y[i + 1] = moved(&y[i], h / 6.0, &k1);
        y[i + 1] = moved(&y[i + 1], h / 3.0, &k2);
        y[i + 1] = moved(&y[i + 1], h / 3.0, &k3);
        y[i + 1] = moved(&y[i + 1], h / 6.0, &k4);
    }
}

static ElvWrench stress_slope(const Section* y, double t, double s, ElvWrench lam) {
    const double pi = 3.14159265358979323846;
    double area = 0.25 * pi * DIAMETER * DIAMETER;
    double second = area * DIAMETER * DIAMETER / 16.0;
    double m = DENSITY * area;
    double J = DENSITY * second;
    ElvInertia M = elv_inertia_zero();
    M.J = elv_mat3_diag(2.0 * J, J, J);
    M.M = elv_mat3_diag(m, m, m);
    ElvVec3 weight = elv_mat3_apply_transpose(y->g.R, elv_vec3(1.0 * m, -9.81 * m, 2.0 * m));
    ElvWrench slope = elv_twist_coad(strains_at(t, s).xi, lam);
    slope = elv_wrench_add(slope, elv_inertia_apply(M, y->eta_dot));
    slope = elv_wrench_sub(slope, elv_twist_coad(y->eta, elv_inertia_apply(M, y->eta)));
    slope.frc = elv_vec3_sub(slope.frc, weight);
    return slope;
}

// stresses at every second station, tip to root
static void integrate_backward(double t, const Section* y, ElvWrench* lam) {
    double h = -LENGTH / N_STEP;
    lam[N_STEP] = elv_wrench(elv_vec3(0.1, -0.2, 0.3), elv_vec3(4.0, 5.0, -6.0));
    for (int i = N_STEP; i > 0; i--) {
        double s = (double)i / N_STEP;
        double half = 0.5 / N_STEP;
        ElvWrench k1 = stress_slope(&y[2 * i], t, s, lam[i]);
        ElvWrench k2 =
            stress_slope(&y[2 * i - 1], t, s - half, elv_wrench_add_scaled(lam[i], 0.5 * h, k1));
        ElvWrench k3 =
            stress_slope(&y[2 * i - 1], t, s - half, elv_wrench_add_scaled(lam[i], 0.5 * h, k2));
        ElvWrench k4 =
            stress_slope(&y[2 * i - 2], t, s - 2.0 * half, elv_wrench_add_scaled(lam[i], h, k3));
        lam[i - 1] = elv_wrench_add_scaled(lam[i], h / 6.0, k1);
        lam[i - 1] = elv_wrench_add_scaled(lam[i - 1], h / 3.0, k2);
        lam[i - 1] = elv_wrench_add_scaled(lam[i - 1], h / 3.0, k3);
        lam[i - 1] = elv_wrench_add_scaled(lam[i - 1], h / 6.0, k4);
    }
}

/// The solution at one time.
typedef struct {
    double t;
    Section y[N_ALL];
    ElvWrench lam[N_STEP + 1];
} Oracle;

static Oracle* oracle_create(ModelCase* c, double t) {
    Oracle* o = calloc(1, sizeof *o);
    CHECK_TRUE(o != NULL);
    o->t = t;
    o->y[0] = (Section){case_pose(c, "eel.root"), elv_twist_zero(), elv_twist_zero()};
    integrate_forward(t, o->y);
    integrate_backward(t, o->y, o->lam);
    return o;
}

static ModelCase open_at(const char* modes, double t) {
    ModelCase c = case_open(model_text, modes);
    c.state->t = t;
    elv_state_impose(c.model, c.state);
    return c;
}

// ---- comparisons

static void check_twist(ElvTwist actual, ElvTwist expected, double tol) {
    double a[6], e[6];
    elv_twist_to_array(actual, a);
    elv_twist_to_array(expected, e);
    CHECK_ARRAY_NEAR(a, e, 6, tol);
}

// poses, twists and their rates; scale: 1 for rounding alone, times what velocities and
// accelerations have more
static void check_kinematics(ModelCase* c, const Oracle* o, double tol) {
    static const char* const frame[N_STATION] = {"eel.root", "f1", "f2", "f3", "eel.tip"};
    elv_kinematics(c->model, c->data, c->state);
    for (int i = 0; i < N_STATION; i++) {
        const Section* y = &o->y[(int)lround(STATION[i] * (N_ALL - 1))];
        ElvFrame at = case_frame(c, frame[i]);
        ElvPose g = elv_frame_pose(c->model, c->data, at);
        CHECK_ARRAY_NEAR(&g.R.m[0][0], &y->g.R.m[0][0], 9, tol);
        CHECK_ARRAY_NEAR(&g.p.x, &y->g.p.x, 3, tol);
        check_twist(elv_frame_twist(c->model, c->data, at), y->eta, 10.0 * tol);
        check_twist(elv_frame_twist_dot(c->model, c->data, at), y->eta_dot, 100.0 * tol);
    }
}

static void check_stress(ModelCase* c, const Oracle* o, double tol) {
    double* tau = calloc((size_t)c->nv, sizeof *tau);
    CHECK_TRUE(tau != NULL);
    elv_idm(c->model, c->data, c->state, tau);
    for (int i = 0; i < N_STATION; i++) {
        double expected[6], actual[6];
        ElvWrench lam;
        ElvTwist xi;
        elv_rod_section(c->model, c->data, c->state, 0, STATION[i], NULL, &xi, &lam);
        elv_wrench_to_array(o->lam[(int)lround(STATION[i] * N_STEP)], expected);
        elv_wrench_to_array(lam, actual);
        // stresses reach about 30 N and 10 N m
        CHECK_ARRAY_NEAR(actual, expected, 6, 30.0 * tol);
        check_twist(xi, strains_at(o->t, STATION[i]).xi, 5.0 * tol);
    }
    free(tau);
}

static void test_equations(void** unused) {
    (void)unused;
    for (int k = 0; k < 3; k++) {
        double t = 0.1 + 0.7 * k;
        ModelCase many = open_at("strain: {reissner: 24}", t);
        ModelCase chosen = open_at("", t);
        ModelCase spectral = open_at("space: spectral", t);
        Oracle* o = oracle_create(&many, t);
        check_kinematics(&many, o, 1e-12);
        check_stress(&many, o, 1e-11);
        check_kinematics(&chosen, o, 1e-8);
        check_stress(&chosen, o, 1e-7);
        check_kinematics(&spectral, o, 1e-8);
        check_stress(&spectral, o, 1e-7);
        // far fewer modes than many, none of them free
        CHECK_TRUE(chosen.nv < 100 && many.nv == 144);
        for (int i = 0; i < chosen.nv; i++) {
            CHECK_TRUE(elv_model_is_driven(chosen.model, i));
        }
        free(o);
        case_close(&many);
        case_close(&chosen);
        case_close(&spectral);
    }
}

// ---- efforts and power

static double legendre(int n, double x) {
    double y = 2.0 * x - 1.0;
    double before = 1.0, now = y;
    for (int m = 2; m <= n; m++) {
        double next = ((2.0 * m - 1.0) * y * now - (m - 1.0) * before) / m;
        before = now;
        now = next;
    }
    return n == 0 ? 1.0 : now;
}

// the effort of mode k of a strain is -integral of phi_k Lambda dX, by Simpson's rule
static void test_efforts(void** unused) {
    (void)unused;
    enum { MODES = 24 };
    double t = 0.37;
    ModelCase c = open_at("strain: {reissner: 24}", t);
    Oracle* o = oracle_create(&c, t);
    double effort[6 * MODES];
    elv_drive_efforts(c.model, c.data, c.state, effort);
    for (int strain = 0; strain < 6; strain++) {
        for (int k = 0; k < 6; k++) {
            double sum = 0.0;
            for (int i = 0; i <= N_STEP; i++) {
                double lam[6];
                double weight = i == 0 || i == N_STEP ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
                elv_wrench_to_array(o->lam[i], lam);
                sum += weight / 3.0 * legendre(k, (double)i / N_STEP) * lam[strain];
            }
            CHECK_NEAR(effort[MODES * strain + k], -sum * LENGTH / N_STEP, 1e-10);
        }
    }
    free(o);
    case_close(&c);
}

// energy that is not the load's, a wrench that follows the tip
static double energy_at(ModelCase* c, double t) {
    c->state->t = t;
    elv_state_impose(c->model, c->state);
    ElvEnergy energy = elv_energy(c->model, c->data, c->state);
    return energy.kinetic + energy.elastic + energy.gravity;
}

static void check_balance(const char* properties) {
    ModelCase c = case_open(model_text, properties);
    ElvFrame tip = case_frame(&c, "eel.tip");
    ElvSignals* signals = NULL;
    ElvError error;
    static const char* const names[2] = {"eel.power", "power"};
    CHECK_STATUS(elv_signals_create(c.model, names, 2, &signals, &error), &error);
    for (int k = 0; k < 4; k++) {
        double t = 0.2 + 0.4 * k;
        double h = 2e-3;
        // differences of order six: an error of h^6 10^7, relative
        double rate = (45.0 * (energy_at(&c, t + h) - energy_at(&c, t - h)) -
                       9.0 * (energy_at(&c, t + 2 * h) - energy_at(&c, t - 2 * h)) +
                       (energy_at(&c, t + 3 * h) - energy_at(&c, t - 3 * h))) /
                      (60.0 * h);
        c.state->t = t;
        elv_state_impose(c.model, c.state);
        double* tau = calloc((size_t)c.nv, sizeof *tau);
        CHECK_TRUE(tau != NULL);
        elv_idm(c.model, c.data, c.state, tau);
        ElvWrench load = elv_wrench(elv_vec3(0.1, -0.2, 0.3), elv_vec3(4.0, 5.0, -6.0));
        double external = elv_power(elv_frame_twist(c.model, c.data, tip), load);
        double power[2];
        elv_signals_eval(signals, c.model, c.data, c.state, power);
        CHECK_TRUE(fabs(power[0]) > 1.0);
        CHECK_NEAR(power[0] + external, rate, 1e-9 * (fabs(power[0]) + fabs(external)));
        CHECK_NEAR(power[1], power[0], 0.0);
        free(tau);
    }
    elv_signals_free(signals);
    case_close(&c);
}

static void test_power_balance(void** unused) {
    (void)unused;
    check_balance("");
    check_balance("space: spectral");
    // what is elastic is paid for too
    check_balance("stiffness: [1, 2, 3, 40, 50, 60]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equations),
        cmocka_unit_test(test_efforts),
        cmocka_unit_test(test_power_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
