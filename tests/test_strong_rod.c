// SPDX-License-Identifier: Apache-2.0
// A rod of the strong form against the modal one at its nodes (section tables, actuation by its generalised
// effort, distributed loads), and every derivative and inverse against differences and the law itself.
#include "rod_case.h"
#include "strong/strong_rod.h"

#include "rod/rod_segment.h"

enum { FIBRE = 4 };

static const double LENGTH = 0.6;

// a stress law that depends on strain and rate
static void cubic(void* user,
                  double t,
                  double s,
                  const double* xi,
                  const double* xi_dot,
                  double* stress,
                  double* K,
                  double* D) {
    double k = *(const double*)user;
    for (int i = 0; i < 6; i++) {
        double x = xi[i] + 0.2 * xi[(i + 1) % 6] - (i == 3);
        stress[i] = k * (1.0 + 0.1 * t) * (x * x * x + s * xi_dot[i]);
        if (K) {
            K[6 * i + i] = k * (1.0 + 0.1 * t) * 3.0 * x * x;
            K[6 * i + (i + 1) % 6] = k * (1.0 + 0.1 * t) * 3.0 * x * x * 0.2;
            D[6 * i + i] = k * (1.0 + 0.1 * t) * s;
        }
    }
}

typedef struct {
    RodCase c;
    ElvPool pool;
    ElvRodField distributed[2], stress;
    ElvRodFibre fibre[FIBRE];
    ElvRodControl control;
    ElvRodLaw law;
    ElvRodFields fields;
    double gain;
    const ElvLaw* input[FIBRE];
    ElvStrongRod strong;
} Case;

static void set_field(RodCase* c, ElvRodField* field, ElvAxes axes, double from, double to) {
    static const char* const text[6] = {"0.1*t", "0.2*s", "0.3", "1 + s", "sin(3*s)", "-0.5*t"};
    field->from = from;
    field->to = to;
    field->axes = axes;
    field->when = rod_case_law(c, "t < 5");
    for (int k = 0; k < 6; k++) {
        field->law[k] = rod_case_law(c, text[k]);
    }
}

// tendon, tendon that neglects strain on a part, chamber, muscle
static void set_fibres(Case* x) {
    RodCase* c = &x->c;
    for (int i = 0; i < FIBRE; i++) {
        x->fibre[i] = (ElvRodFibre){.from = 0.0, .to = 1.0, .sign = 1.0, .channel = i};
        x->fibre[i].y = rod_case_law(c, "0.03*(1 - 0.4*s)");
        x->fibre[i].z = rod_case_law(c, "0.01*sin(5*s)");
    }
    x->fibre[1].to = 0.7;
    x->fibre[1].neglects_strain = true;
    x->fibre[2].sign = -1.0;
    x->fibre[2].profile = rod_case_law(c, "0.2 + 0.1*s");
    x->fibre[3].from = 0.2;
    x->fibre[3].activation = rod_case_law(c, "0.5 + 0.5*sin(3*s - t)");
}

static void set_up(Case* x, bool with_active) {
    ElvElementDef element;
    ElvError error;
    rod_case_begin(&x->c);
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, 3, ELV_SPACE_QUADRATURE);
    def.stiffness.entry[1] = elv_law_def_formula("0.5 + 0.3*s*s");
    def.inertia.entry[4] = elv_law_def_formula("1 + s");
    for (int k = 0; k < 6; k++) {
        def.material.damping[k] = 0.01 * (k + 1);
    }
    set_fibres(x);
    set_field(&x->c, &x->distributed[0], ELV_AXES_WORLD, 0.0, 1.0);
    set_field(&x->c, &x->distributed[1], ELV_AXES_LOCAL, 0.3, 1.0);
    set_field(&x->c, &x->stress, ELV_AXES_LOCAL, 0.1, 0.9);
    x->control = (ElvRodControl){.from = 0.0, .to = 0.5};
    for (int k = 0; k < 6; k++) {
        x->control.kp[k] = rod_case_law(&x->c, "0.2 + s");
        x->control.kd[k] = rod_case_law(&x->c, "0.02*(1 + s)");
        x->control.target[k] = k == 2 ? rod_case_law(&x->c, "s + sin(2*t)") : NULL;
    }
    x->gain = 0.05;
    x->law = (ElvRodLaw){0.4, 1.0, cubic, &x->gain};
    x->fields = (ElvRodFields){.distributed = x->distributed, .n_distributed = 2};
    if (with_active) {
        x->fields = (ElvRodFields){x->distributed, 2,           &x->stress, 1,       x->fibre,
                                   FIBRE,          &x->control, 1,          &x->law, 1};
    }
    rod_case_build(&x->c, &def, NULL, 0, &x->fields);
    rod_case_randomize(&x->c, 3, 2.0);
    for (int i = 0; i < FIBRE; i++) {
        char text[32];
        snprintf(text, sizeof text, "%d + t", i + 1);
        x->input[i] = rod_case_law(&x->c, text);
    }
    memset(&x->pool, 0, sizeof x->pool);
    CHECK_STATUS(elv_strong_rod_init(&x->strong, &x->c.rod, x->input, &x->pool, &error), &error);
}

static void tear_down(Case* x) {
    elv_pool_free(&x->pool);
    rod_case_end(&x->c);
}

static int piece_at(const ElvStrongRod* strong, double s) {
    int i = 0;
    while (i < strong->n_piece - 1 && s > strong->piece[i].s1) {
        i++;
    }
    return i;
}

static const ElvStrongInput INSTANT = {
    .t = 0.7, .load = 0.8, .gravity = {0.3, -2.0, 5.0}, .is_static = false};

// a station with what acts there
typedef struct {
    ElvFibreNode fibre[FIBRE];
    double tension[FIBRE];
    ElvStrongStation station;
    ElvStrongDrive drive;
} Place;

static void place(Place* p, const Case* x, double s) {
    ElvError error;
    memset(p, 0xFF, sizeof *p);
    CHECK_STATUS(
        elv_strong_station(&x->strong, piece_at(&x->strong, s), s, p->fibre, &p->station, &error),
        &error);
    elv_strong_drive(&x->strong, &p->station, &INSTANT, p->tension, &p->drive);
}

static void test_pieces_cover_the_rod_and_end_where_something_jumps(void** state) {
    (void)state;
    Case x;
    set_up(&x, true);
    static const double jump[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9};
    double s = 0.0;
    for (int i = 0; i < x.strong.n_piece; i++) {
        const ElvStrongPiece* piece = &x.strong.piece[i];
        CHECK_NEAR(piece->s0, s, 0.0);
        CHECK_NEAR(piece->h, LENGTH * (piece->s1 - piece->s0), 1e-15);
        CHECK_TRUE(piece->n_free == 6);
        s = piece->s1;
        for (size_t k = 0; k < sizeof jump / sizeof jump[0]; k++) {
            CHECK_TRUE(!(piece->s0 + 1e-9 < jump[k] && jump[k] < piece->s1 - 1e-9));
        }
    }
    CHECK_NEAR(s, 1.0, 0.0);
    CHECK_TRUE(!x.strong.is_linear);
    tear_down(&x);
}

static void test_section_is_that_of_the_modal_rod_at_its_nodes(void** state) {
    (void)state;
    Case x;
    set_up(&x, true);
    const ElvRod* rod = &x.c.rod;
    double K[ROD_NV * ROD_NV] = {0.0};
    double D[ROD_NV * ROD_NV] = {0.0};
    int n_v = rod->joint.n_v;
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int n = seg->i_node + i;
            Place p;
            place(&p, &x, rod->s[n]);
            CHECK_ARRAY_NEAR(&p.station.inertia.J.m[0][0], &rod->inertia[n].J.m[0][0], 27, 0.0);
            CHECK_NEAR(p.station.mass, rod->mass[n], 0.0);
            double xi_o[6], expected[6];
            elv_twist_to_array(p.station.xi_o, xi_o);
            elv_twist_to_array(rod->active->xi_o[n], expected);
            CHECK_ARRAY_NEAR(xi_o, expected, 6, 0.0);
            elv_rod_add_generalised(seg, i, n_v, rod->weight[n], &p.station.H, K);
            elv_rod_add_generalised(seg, i, n_v, rod->weight[n], &p.station.D, D);
        }
    }
    // the same sums in the same order
    CHECK_ARRAY_NEAR(K, rod->K, (size_t)(n_v * n_v), 1e-15);
    CHECK_ARRAY_NEAR(D, rod->D, (size_t)(n_v * n_v), 1e-15);
    tear_down(&x);
}

static void test_actuation_has_the_efforts_of_the_modal_rod(void** state) {
    (void)state;
    Case x;
    set_up(&x, true);
    const ElvRod* rod = &x.c.rod;
    x.c.in.t = INSTANT.t;
    x.c.in.load = INSTANT.load;
    // inputs of the channels as their devices would set them
    for (int i = 0; i < FIBRE; i++) {
        x.c.u[i] = INSTANT.load * elv_law_value(x.input[i], INSTANT.t, 0.0);
    }
    double expected[ROD_NV], actual[ROD_NV] = {0.0};
    rod_case_active_efforts(&x.c, expected);
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int n = seg->i_node + i;
            const double* phi = seg->phi + i * seg->n_col;
            ElvTwist xi = elv_rod_strain_at(rod, x.c.q, rod->s[n]);
            ElvTwist xi_dot = elv_rod_combine(seg, phi, x.c.v);
            Place p;
            double stress[6];
            place(&p, &x, rod->s[n]);
            elv_strong_actuation(&x.strong, &p.station, &p.drive, xi, xi_dot, stress, NULL, NULL);
            elv_rod_project(seg, i, -rod->weight[n], stress, actual);
        }
    }
    CHECK_TRUE(array_largest(expected, rod->joint.n_v) > 0.1);
    CHECK_ARRAY_NEAR(actual, expected, (size_t)rod->joint.n_v,
                     1e-13 * array_largest(expected, rod->joint.n_v));
    tear_down(&x);
}

static void test_wrench_is_weight_and_distributed_load(void** state) {
    (void)state;
    Case x;
    set_up(&x, true);
    ElvPose g = elv_pose(elv_so3_exp(elv_vec3(0.4, -1.0, 0.7)), elv_vec3(1.0, 2.0, 3.0));
    for (int i = 0; i < 9; i++) {
        double s = 0.05 + 0.1 * i;
        Place p;
        double F[6], expected[6];
        place(&p, &x, s);
        elv_wrench_to_array(elv_strong_wrench(&p.station, &p.drive, &g), F);
        ElvWrench W =
            elv_wrench_scale(INSTANT.load, elv_rod_distributed(&x.c.rod, &g, s, 0.7, 0.0, NULL));
        ElvVec3 gravity = elv_mat3_apply_transpose(g.R, INSTANT.gravity);
        W.frc = elv_vec3_add_scaled(W.frc, p.station.mass, gravity);
        elv_wrench_to_array(W, expected);
        CHECK_ARRAY_NEAR(F, expected, 6, 1e-14);
        // central differences of second order: 1e-5 squared, and rounding over 1e-5
        ElvTwist d = elv_twist(elv_vec3(0.3, -0.8, 0.5), elv_vec3(1.0, -2.0, 0.3));
        ElvPose plus = elv_pose_compose(g, elv_se3_exp(elv_twist_scale(1e-5, d)));
        ElvPose minus = elv_pose_compose(g, elv_se3_exp(elv_twist_scale(-1e-5, d)));
        p.station.moment = elv_vec3(0.1, 0.2, -0.3);
        elv_wrench_to_array(
            elv_wrench_scale(5e4, elv_wrench_sub(elv_strong_wrench(&p.station, &p.drive, &plus),
                                                 elv_strong_wrench(&p.station, &p.drive, &minus))),
            expected);
        elv_wrench_to_array(elv_strong_wrench_variation(&p.station, &p.drive, &g, d), F);
        CHECK_ARRAY_NEAR(F, expected, 6, 1e-8);
    }
    tear_down(&x);
}

static void random_strain(CheckRandom* r, double xi[6], double rate[6]) {
    for (int k = 0; k < 6; k++) {
        xi[k] = k < 3 ? check_uniform(r, -2.0, 2.0) : (k == 3) + check_uniform(r, -0.1, 0.1);
        rate[k] = check_uniform(r, -1.0, 1.0);
    }
}

static void test_derivatives_of_the_stress_agree_with_differences(void** state) {
    (void)state;
    Case x;
    set_up(&x, true);
    CheckRandom r = check_random(11);
    for (int i = 0; i < 10; i++) {
        double xi[6], rate[6], stress[6];
        ElvMat6 K, D;
        Place p;
        place(&p, &x, 0.05 + 0.1 * i);
        random_strain(&r, xi, rate);
        elv_strong_stress(&x.strong, &p.station, &p.drive, elv_twist_from_array(xi),
                          elv_twist_from_array(rate), stress, &K, &D);
        for (int k = 0; k < 12; k++) {
            double* entry = k < 6 ? &xi[k] : &rate[k - 6];
            double keep = *entry;
            double plus[6], minus[6];
            double h = 1e-5;
            *entry = keep + h;
            elv_strong_stress(&x.strong, &p.station, &p.drive, elv_twist_from_array(xi),
                              elv_twist_from_array(rate), plus, NULL, NULL);
            *entry = keep - h;
            elv_strong_stress(&x.strong, &p.station, &p.drive, elv_twist_from_array(xi),
                              elv_twist_from_array(rate), minus, NULL, NULL);
            *entry = keep;
            for (int j = 0; j < 6; j++) {
                double exact = k < 6 ? K.m[j][k] : D.m[j][k - 6];
                // h^2 times third derivatives of order 1, rounding of stresses of order 40 over h
                CHECK_NEAR((plus[j] - minus[j]) / (2.0 * h), exact, 2e-8);
            }
        }
    }
    tear_down(&x);
}

static void test_strain_inverts_the_stress(void** state) {
    (void)state;
    Case x;
    set_up(&x, true);
    CheckRandom r = check_random(5);
    for (int i = 0; i < 20; i++) {
        double xi[6], rate[6], stress[6], again[6];
        Place p;
        place(&p, &x, 0.025 + 0.05 * i);
        random_strain(&r, xi, rate);
        double c = i % 2 == 0 ? 0.0 : 3.0;
        ElvTwist strain = elv_twist_from_array(xi);
        ElvTwist rate_0 = elv_twist_from_array(rate);
        ElvTwist xi_dot = elv_twist_add_scaled(rate_0, c, strain);
        elv_strong_stress(&x.strong, &p.station, &p.drive, strain, xi_dot, stress, NULL, NULL);
        ElvTwist guess = p.station.xi_o;
        ElvMat6 C;
        CHECK_TRUE(elv_strong_strain(&x.strong, &p.station, &p.drive, elv_wrench_from_array(stress),
                                     c, rate_0, &guess, &C) == ELV_OK);
        elv_twist_to_array(guess, again);
        CHECK_ARRAY_NEAR(again, xi, 6, 1e-12);
        // compliance by differences
        for (int k = 0; k < 6; k++) {
            double h = 1e-5;
            ElvTwist end[2] = {guess, guess};
            for (int side = 0; side < 2; side++) {
                double lam[6];
                memcpy(lam, stress, sizeof lam);
                lam[k] += side == 0 ? -h : h;
                CHECK_TRUE(elv_strong_strain(&x.strong, &p.station, &p.drive,
                                             elv_wrench_from_array(lam), c, rate_0, &end[side],
                                             NULL) == ELV_OK);
            }
            double column[6];
            elv_twist_to_array(elv_twist_scale(0.5 / h, elv_twist_sub(end[1], end[0])), column);
            for (int j = 0; j < 6; j++) {
                CHECK_NEAR(column[j], C.m[j][k], 1e-7);
            }
        }
    }
    tear_down(&x);
}

static void test_strains_without_modes_keep_their_value_at_rest(void** state) {
    (void)state;
    Case x;
    ElvElementDef element;
    ElvError error;
    memset(&x, 0, sizeof x);
    rod_case_begin(&x.c);
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_PIECEWISE_CONSTANT, 4, ELV_SPACE_QUADRATURE);
    element.modes[ELV_STRAIN_TWIST] = 0;
    element.modes[ELV_STRAIN_SHEAR_Y] = 0;
    rod_case_build(&x.c, &def, NULL, 0, &x.fields);
    CHECK_STATUS(elv_strong_rod_init(&x.strong, &x.c.rod, NULL, &x.pool, &error), &error);
    // knots of the basis are no cuts of the rod
    CHECK_TRUE(x.strong.n_piece == 1 && x.strong.piece[0].n_free == 4 && x.strong.is_linear);
    ElvStrongStation station;
    ElvStrongDrive drive;
    ElvStrongInput in = {.load = 1.0};
    CHECK_STATUS(elv_strong_station(&x.strong, 0, 0.25, NULL, &station, &error), &error);
    elv_strong_drive(&x.strong, &station, &in, NULL, &drive);
    ElvTwist xi = elv_twist_zero();
    ElvMat6 C;
    const double lam[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    CHECK_TRUE(elv_strong_strain(&x.strong, &station, &drive, elv_wrench_from_array(lam), 0.0,
                                 elv_twist_zero(), &xi, &C) == ELV_OK);
    // xi_o + H^-1 lam on the free ones: 1 / 0.5 and 1 / 40
    const double expected[6] = {0.25, 2.0, 3.5, 1.025, 0.0, 0.025};
    double actual[6];
    elv_twist_to_array(xi, actual);
    CHECK_ARRAY_NEAR(actual, expected, 6, 1e-14);
    CHECK_NEAR(C.m[0][0], 0.0, 0.0);
    CHECK_NEAR(C.m[3][3], 0.025, 1e-16);
    tear_down(&x);
}

static void test_a_strain_that_nothing_resists_is_singular(void** state) {
    (void)state;
    Case x;
    set_up(&x, false);
    Place p;
    ElvError error;
    place(&p, &x, 0.5);
    p.station.H.m[1][1] = 0.0;
    ElvTwist xi = p.station.xi_o;
    ElvStatus status = elv_strong_strain(&x.strong, &p.station, &p.drive, elv_wrench_zero(), 0.0,
                                         elv_twist_zero(), &xi, NULL);
    CHECK_TRUE(status == ELV_ERROR_SINGULAR);
    CHECK_TRUE(elv_strong_strain_error(&x.strong, &p.station, status, &error) == status);
    CHECK_TRUE(strstr(error.message, "'rod'") != NULL && strstr(error.message, "0.5") != NULL);
    tear_down(&x);
}

static void test_friction_is_refused(void** state) {
    (void)state;
    Case x;
    set_up(&x, true);
    ElvError error;
    x.fibre[1].friction = 0.1;
    CHECK_TRUE(elv_strong_rod_init(&x.strong, &x.c.rod, x.input, &x.pool, &error) ==
               ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "friction") != NULL);
    tear_down(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_cover_the_rod_and_end_where_something_jumps),
        cmocka_unit_test(test_section_is_that_of_the_modal_rod_at_its_nodes),
        cmocka_unit_test(test_actuation_has_the_efforts_of_the_modal_rod),
        cmocka_unit_test(test_wrench_is_weight_and_distributed_load),
        cmocka_unit_test(test_derivatives_of_the_stress_agree_with_differences),
        cmocka_unit_test(test_strain_inverts_the_stress),
        cmocka_unit_test(test_strains_without_modes_keep_their_value_at_rest),
        cmocka_unit_test(test_a_strain_that_nothing_resists_is_singular),
        cmocka_unit_test(test_friction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
