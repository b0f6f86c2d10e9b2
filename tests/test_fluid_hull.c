// SPDX-License-Identifier: Apache-2.0
// Boxes, cylinders and ellipsoids that the surface cuts: what is wet against sums over columns, the
// wrench against its potential, its derivatives against differences.
#include "fluid_case.h"
#include "rod/fluid_hull.h"
#include "rod/fluid_wet.h"

static const double pi = 3.14159265358979323846;

static const ElvShapeKind kinds[4] = {ELV_SHAPE_BOX, ELV_SHAPE_CYLINDER, ELV_SHAPE_ELLIPSOID,
                                      ELV_SHAPE_CAPSULE};

static double volume_of(ElvShapeKind kind, const double size[3]) {
    return kind == ELV_SHAPE_BOX        ? size[0] * size[1] * size[2]
           : kind == ELV_SHAPE_CYLINDER ? pi * size[0] * size[0] * size[1]
           : kind == ELV_SHAPE_CAPSULE  ? pi * size[0] * size[0] * (size[1] + 4.0 / 3.0 * size[0])
                                        : 4.0 / 3.0 * pi * size[0] * size[1] * size[2];
}

// ---- against sums

// half the length of the column along x at (y, z), in units of half the widths; negative: none
static double column(ElvShapeKind kind, const double size[3], double y, double z) {
    if (kind == ELV_SHAPE_BOX) {
        return 0.5 * size[0];
    }
    double rest = 1.0 - y * y - z * z;
    if (kind == ELV_SHAPE_CAPSULE && rest >= 0.0) {
        return 0.5 * size[1] + size[0] * sqrt(rest);
    }
    return rest < 0.0 ? -1.0 : kind == ELV_SHAPE_CYLINDER ? 0.5 * size[1] : size[0] * sqrt(rest);
}

// volume and first moment of what is wet, by columns along x: midpoint sums over N x N of them. They
// err where columns begin and end, by some of the 4 N at the rim: 4/N of the volume at most, and
// their signs vary: a quarter of it is allowed.
static void
sum_columns(ElvShapeKind kind, const double size[3], ElvVec3 up, double height, double V[4]) {
    enum { N = 400 };
    double half_y = kind == ELV_SHAPE_BOX                                     ? 0.5 * size[1]
                    : kind == ELV_SHAPE_CYLINDER || kind == ELV_SHAPE_CAPSULE ? size[0]
                                                                              : size[1];
    double half_z = kind == ELV_SHAPE_BOX                                     ? 0.5 * size[2]
                    : kind == ELV_SHAPE_CYLINDER || kind == ELV_SHAPE_CAPSULE ? size[0]
                                                                              : size[2];
    memset(V, 0, 4 * sizeof *V);
    for (int i = 0; i < N * N; i++) {
        double y = (2.0 * (i / N) + 1.0) / N - 1.0;
        double z = (2.0 * (i % N) + 1.0) / N - 1.0;
        double half = column(kind, size, y, z);
        double d = height + up.y * y * half_y + up.z * z * half_z;
        // wet: up.x x < -d
        double lo = up.x > 0.0 ? -half : fmax(-half, -d / up.x);
        double hi = up.x > 0.0 ? fmin(half, -d / up.x) : half;
        double cell = 4.0 * half_y * half_z / (N * N);
        if (half > 0.0 && hi > lo) {
            V[0] += cell * (hi - lo);
            V[1] += cell * 0.5 * (hi * hi - lo * lo);
            V[2] += cell * (hi - lo) * y * half_y;
            V[3] += cell * (hi - lo) * z * half_z;
        }
    }
}

static void test_columns(void** unused) {
    (void)unused;
    CheckRandom r = check_random(11);
    for (int n = 0; n < 30; n++) {
        ElvShapeKind kind = kinds[n % 4];
        const double size[3] = {check_uniform(&r, 0.5, 1.5), check_uniform(&r, 0.5, 1.5),
                                check_uniform(&r, 0.5, 1.5)};
        ElvVec3 up = sample_axis(&r, 1.0);
        double height = check_uniform(&r, -0.5, 0.5);
        double expected[4];
        double whole = volume_of(kind, size);
        sum_columns(kind, size, up, height, expected);
        ElvClip clip = elv_hull_clip(kind, size, up, height);
        CHECK_NEAR(clip.share * whole, expected[0], 2.5e-3 * whole);
        const double moment[3] = {clip.moment.x * whole, clip.moment.y * whole,
                                  clip.moment.z * whole};
        CHECK_ARRAY_NEAR(moment, expected + 1, 3, 2.5e-3 * whole);
    }
}

// an upright box and cylinder by hand; a ball is an ellipsoid
static void test_upright(void** unused) {
    (void)unused;
    const double box[3] = {2.0, 3.0, 0.8};
    ElvClip clip = elv_hull_clip(ELV_SHAPE_BOX, box, elv_vec3(0.0, 0.0, 1.0), 0.1);
    // wet from -0.4 to -0.1
    CHECK_NEAR(clip.share, 0.3 / 0.8, 1e-15);
    CHECK_NEAR(clip.moment.z, -0.25 * 0.3 / 0.8, 1e-15);
    CHECK_NEAR(clip.area, 1.0 / 0.8, 1e-15);
    CHECK_NEAR(clip.lever.z, -0.1 / 0.8, 1e-15);
    CHECK_NEAR(clip.spread.m[0][0], 4.0 / 12.0 / 0.8, 1e-15);
    CHECK_NEAR(clip.spread.m[1][1], 9.0 / 12.0 / 0.8, 1e-15);
    const double mast[3] = {0.5, 2.0, 0.0};
    clip = elv_hull_clip(ELV_SHAPE_CYLINDER, mast, elv_vec3(1.0, 0.0, 0.0), 0.3);
    CHECK_NEAR(clip.share, 0.35, 1e-15);
    CHECK_NEAR(clip.moment.x, -0.65 * 0.35, 1e-15);
    CHECK_NEAR(clip.area, 0.5, 1e-15);
    CHECK_NEAR(clip.spread.m[1][1], 0.5 * 0.25 / 4.0, 1e-15);
    CHECK_NEAR(clip.spread.m[2][2], 0.5 * 0.25 / 4.0, 1e-15);
    // level: the segment of a circle
    clip = elv_hull_clip(ELV_SHAPE_CYLINDER, mast, elv_vec3(0.0, 0.6, 0.8), 0.25);
    CHECK_NEAR(clip.share, (acos(0.5) - 0.5 * sqrt(0.75)) / pi, 1e-15);
    CHECK_NEAR(clip.area, 2.0 * 0.5 * sqrt(0.75) / (pi * 0.25), 1e-14);
}

// A capsule of no length is a ball, one that stands in the water up to its upper cap lacks the top of
// it. Gauss's rule errs by less than 1e-9 of the volume.
static void test_capsule(void** unused) {
    (void)unused;
    CheckRandom r = check_random(17);
    for (int n = 0; n < 200; n++) {
        const double ball[3] = {0.5, 1e-13, 0.0};
        const double radii[3] = {0.5, 0.5, 0.5};
        double height = check_uniform(&r, -0.5, 0.5);
        ElvVec3 up = sample_axis(&r, 1.0);
        ElvClip clip = elv_hull_clip(ELV_SHAPE_CAPSULE, ball, up, height);
        ElvClip expected = elv_hull_clip(ELV_SHAPE_ELLIPSOID, radii, up, height);
        CHECK_NEAR(clip.share, expected.share, 1e-9);
        CHECK_NEAR(clip.area, expected.area, 1e-9);
        CHECK_ARRAY_NEAR(&clip.moment.x, &expected.moment.x, 3, 1e-9);
        CHECK_ARRAY_NEAR(&clip.spread.m[0][0], &expected.spread.m[0][0], 9, 1e-9);
        // upright, and next to that
        const double spar[3] = {0.5, 2.0, 0.0};
        double lean = n % 4 == 0 ? 0.0 : pow(10.0, -4.0 - 0.05 * n);
        double dry = check_uniform(&r, 0.0, 0.5);
        double whole = volume_of(ELV_SHAPE_CAPSULE, spar);
        clip = elv_hull_clip(ELV_SHAPE_CAPSULE, spar, elv_vec3(sqrt(1.0 - lean * lean), 0.0, lean),
                             -1.5 + dry);
        // the cap of height `dry` of a ball; leaning changes it by its square
        CHECK_NEAR(clip.share * whole, whole - pi * dry * dry * (0.5 - dry / 3.0),
                   1e-9 + 10.0 * lean * lean);
        CHECK_NEAR(clip.area * whole, pi * dry * (1.0 - dry), 1e-9 + 10.0 * lean * lean);
    }
}

// ---- wrenches

typedef struct {
    ElvFluid fluid;
    ElvFluidNow now;
    ElvFluidShape shape;
    ElvPose g;
} Case;

// how far the nearest corner, or of a cylinder the nearest rim, is from the surface: what is smooth
// between them has kinks of higher derivatives there
static double kink_distance(const Case* c) {
    const double* size = c->shape.hull_size;
    ElvVec3 up = elv_mat3_apply_transpose(elv_mat3_mul(c->g.R, c->shape.hull_axes), c->fluid.up);
    ElvVec3 x = elv_vec3_add(c->now.origin, elv_pose_apply(c->g, c->shape.center));
    double height = elv_vec3_dot(c->fluid.up, x) - c->fluid.surface;
    double least = 1.0;
    for (int k = 0; k < 8; k++) {
        double s[3] = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5};
        double d = height + s[0] * size[0] * up.x + s[1] * size[1] * up.y + s[2] * size[2] * up.z;
        if (c->shape.hull == ELV_SHAPE_CYLINDER) {
            d = height + s[0] * size[1] * up.x + 2.0 * s[1] * size[0] * hypot(up.y, up.z);
        }
        least = fmin(least, fabs(d));
    }
    return least;
}

// a hull turned in its body, its centre near the surface, cut and away from kinks
static Case new_case(CheckRandom* r, ElvShapeKind kind) {
    Case c;
    do {
        memset(&c, 0, sizeof c);
        c.fluid.density = 1.3;
        c.fluid.up = sample_axis(r, 1.0);
        c.fluid.gravity = 2.0;
        c.fluid.has_surface = true;
        c.g = sample_pose(r, 1.0);
        c.shape = fluid_shape(r, false, FLUID_ALL);
        c.shape.added = elv_inertia_zero();
        c.shape.hull = kind;
        c.shape.hull_axes = sample_pose(r, 1.0).R;
        for (int k = 0; k < 3; k++) {
            c.shape.hull_size[k] = check_uniform(r, 0.5, 1.2);
        }
        c.shape.volume = volume_of(kind, c.shape.hull_size);
        ElvVec3 origin = sample_vec3(r, 1.0);
        ElvVec3 x = elv_vec3_add(origin, elv_pose_apply(c.g, c.shape.center));
        c.fluid.surface = elv_vec3_dot(c.fluid.up, x) + check_uniform(r, -0.3, 0.3);
        c.now = elv_fluid_now(&c.fluid, 0.0, 1.0, false, origin);
        c.now.fluid = &c.fluid;
    } while (kink_distance(&c) < 0.06);
    return c;
}

static void
wrench_at(const Case* c, const double zeta[6], ElvTwist eta, double F[6], double* energy) {
    ElvPose g = elv_pose_compose(c->g, elv_se3_exp(elv_twist_from_array(zeta)));
    ElvFluidNow now = c->now;
    now.fluid = &c->fluid;
    elv_wrench_to_array(elv_fluid_wrench(&c->shape, &now, &g, eta, NULL, NULL), F);
    *energy = elv_fluid_potential(&c->shape, &now, &g);
}

static double difference(const Case* c, ElvTwist eta, double h) {
    ElvMat6 by_pose, by_eta;
    ElvFluidNow now = c->now;
    now.fluid = &c->fluid;
    double worst = 0.0;
    double ignored = 0.0;
    (void)elv_fluid_wrench(&c->shape, &now, &c->g, eta, &by_pose, &by_eta);
    for (int k = 0; k < 6; k++) {
        double step[6] = {0.0};
        double plus[6], minus[6];
        step[k] = h;
        wrench_at(c, step, eta, plus, &ignored);
        step[k] = -h;
        wrench_at(c, step, eta, minus, &ignored);
        for (int i = 0; i < 6; i++) {
            worst = fmax(worst, fabs((plus[i] - minus[i]) / (2.0 * h) - by_pose.m[i][k]));
        }
    }
    return worst;
}

// central differences err by h^2; at h = 1e-5 by 1e-9 with third derivatives of some tens, and
// rounding
static void test_derivatives(void** unused) {
    (void)unused;
    CheckRandom r = check_random(21);
    for (int n = 0; n < 90; n++) {
        Case c = new_case(&r, kinds[n % 4]);
        ElvTwist eta = sample_twist(&r, n % 2 == 0 ? 1.0 : 0.0);
        double coarse = difference(&c, eta, 8e-3);
        double fine = difference(&c, eta, 2e-3);
        double last = difference(&c, eta, 1e-5);
        if (!(coarse / fine > 13.0 && coarse / fine < 19.0) || !(last < 2e-8)) {
            print_error("case %d: %.3g %.3g %.3g\n", n, coarse, fine, last);
            CHECK_TRUE(false);
        }
    }
}

// at rest the wrench is minus the derivative of the potential: differences of 1e-10, rounding 1e-11
static void test_potential(void** unused) {
    (void)unused;
    CheckRandom r = check_random(31);
    for (int n = 0; n < 60; n++) {
        Case c = new_case(&r, kinds[n % 4]);
        double zero[6] = {0.0};
        double F[6], ignored[6];
        double energy[2];
        wrench_at(&c, zero, elv_twist_zero(), F, &energy[0]);
        for (int k = 0; k < 6; k++) {
            for (int side = 0; side < 2; side++) {
                double step[6] = {0.0};
                step[k] = side == 0 ? -1e-5 : 1e-5;
                wrench_at(&c, step, elv_twist_zero(), ignored, &energy[side]);
            }
            CHECK_NEAR(-(energy[1] - energy[0]) / 2e-5, F[k], 1e-9);
        }
    }
}

// what passes through the surface is cut from nothing to all, without a jump of force or potential
static void test_through(void** unused) {
    (void)unused;
    CheckRandom r = check_random(41);
    for (int n = 0; n < 30; n++) {
        Case c = new_case(&r, kinds[n % 4]);
        double before[6], after[6];
        double zero[6] = {0.0};
        double energy[2];
        double lift = c.fluid.density * c.fluid.gravity * c.shape.volume;
        c.fluid.surface -= 2.0;
        wrench_at(&c, zero, elv_twist_zero(), before, &energy[0]);
        CHECK_ARRAY_NEAR(before, zero, 6, 0.0);
        for (int i = 0; i < 4000; i++) {
            c.fluid.surface += 1e-3;
            wrench_at(&c, zero, elv_twist_zero(), after, &energy[1]);
            // the share changes by at most 1e-3 waterplanes of volume^(1/3) each, four times that
            // with slender ones
            CHECK_ARRAY_NEAR(after, before, 6, 2e-2 * lift);
            CHECK_NEAR(energy[1], energy[0], 2e-3 * lift);
            memcpy(before, after, sizeof before);
            energy[0] = energy[1];
        }
        double whole = elv_vec3_norm(elv_vec3(after[3], after[4], after[5]));
        CHECK_NEAR(whole, lift, 1e-14 * lift);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),     cmocka_unit_test(test_upright),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_potential),
        cmocka_unit_test(test_through),     cmocka_unit_test(test_capsule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
