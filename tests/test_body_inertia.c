// SPDX-License-Identifier: Apache-2.0
// Mass properties of bodies. Oracles: integration of the shapes as clouds of quadrature points in
// the body frame (exact for these solids up to rounding), inertias of random clouds of masses, and
// matrices built from known eigenvalues.
#include "multibody/body_inertia.h"

#include "check.h"
#include "shape_cloud.h"

#include <float.h>
#include <stdlib.h>

static ElvPose random_pose(CheckRandom* r) {
    ElvVec3 theta, p;
    theta.x = check_uniform(r, -2.0, 2.0);
    theta.y = check_uniform(r, -2.0, 2.0);
    theta.z = check_uniform(r, -2.0, 2.0);
    p.x = check_uniform(r, -1.0, 1.0);
    p.y = check_uniform(r, -1.0, 1.0);
    p.z = check_uniform(r, -1.0, 1.0);
    return elv_pose(elv_so3_exp(theta), p);
}

static ElvBodyDef body_default(void) {
    ElvBodyDef def = elv_body_def_default();
    def.name = "hull";
    return def;
}

// ---- shapes

// sums of some hundred terms of size 1: 1e-13 is a hundred roundings of the whole
static void test_shapes_against_integration(void** state) {
    (void)state;
    for (int kind = ELV_SHAPE_SPHERE; kind < ELV_N_SHAPE; kind++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            CheckRandom r = check_random(seed);
            ElvBodyDef def = body_default();
            def.shape.kind = (ElvShapeKind)kind;
            for (int i = 0; i < 3; i++) {
                def.shape.size[i] = check_uniform(&r, 0.05, 1.5);
            }
            def.shape.pose = random_pose(&r);
            def.density = check_uniform(&r, 0.1, 3.0);
            def.mass = -0.0; // ignored, as the centre is
            def.center = elv_vec3(7.0, 8.0, 9.0);

            ElvMassProperties p;
            ElvError error;
            CHECK_STATUS(elv_body_inertia(&def, &p, &error), &error);
            Cloud cloud = cloud_of_shape(&def.shape, def.density);
            ElvInertia I = elv_inertia_rigid(p.mass, p.center, p.inertia);
            double scale = cloud.J.m[0][0] + cloud.J.m[1][1] + cloud.J.m[2][2];
            CHECK_NEAR(p.mass, cloud.mass, 1e-13 * cloud.mass);
            CHECK_NEAR(p.mass * p.center.x, cloud.moment.x, 1e-13 * cloud.mass * 3.0);
            CHECK_NEAR(p.mass * p.center.y, cloud.moment.y, 1e-13 * cloud.mass * 3.0);
            CHECK_NEAR(p.mass * p.center.z, cloud.moment.z, 1e-13 * cloud.mass * 3.0);
            CHECK_ARRAY_NEAR(&I.J.m[0][0], &cloud.J.m[0][0], 9, 1e-13 * scale);

            // the same by mass
            ElvMassProperties by_mass;
            def.mass = p.mass;
            def.density = 0.0;
            CHECK_STATUS(elv_body_inertia(&def, &by_mass, &error), &error);
            CHECK_ARRAY_NEAR(&by_mass.inertia.m[0][0], &p.inertia.m[0][0], 9, 1e-15 * scale);
        }
    }
}

static void test_shape_limits(void** state) {
    (void)state;
    ElvMassProperties p, other;
    ElvBodyDef def = body_default();
    def.mass = 3.0;
    // a capsule without length is nearly a sphere, and nearly a thin rod when it is slender
    def.shape.kind = ELV_SHAPE_CAPSULE;
    def.shape.size[0] = 0.5;
    def.shape.size[1] = 1e-18;
    CHECK_STATUS(elv_body_inertia(&def, &p, NULL), NULL);
    def.shape.kind = ELV_SHAPE_SPHERE;
    CHECK_STATUS(elv_body_inertia(&def, &other, NULL), NULL);
    CHECK_NEAR(other.inertia.m[0][0], 0.4 * 3.0 * 0.25, 1e-15);
    CHECK_ARRAY_NEAR(&p.inertia.m[0][0], &other.inertia.m[0][0], 9, 1e-15);
    def.shape.kind = ELV_SHAPE_CAPSULE;
    def.shape.size[0] = 1e-12;
    def.shape.size[1] = 2.0;
    CHECK_STATUS(elv_body_inertia(&def, &p, NULL), NULL);
    CHECK_NEAR(p.inertia.m[0][0], 0.0, 1e-20);
    CHECK_NEAR(p.inertia.m[1][1], 3.0 * 4.0 / 12.0, 1e-10);
}

static void test_numbers_without_shape(void** state) {
    (void)state;
    ElvMassProperties p;
    ElvBodyDef def = body_default();
    // nothing at all: a frame without mass
    CHECK_STATUS(elv_body_inertia(&def, &p, NULL), NULL);
    CHECK_NEAR(p.mass, 0.0, 0.0);
    CHECK_NEAR(p.inertia.m[0][0], 0.0, 0.0);
    // a point mass off the origin
    def.mass = 2.0;
    def.center = elv_vec3(0.1, 0.2, 0.3);
    CHECK_STATUS(elv_body_inertia(&def, &p, NULL), NULL);
    CHECK_NEAR(p.mass, 2.0, 0.0);
    CHECK_NEAR(p.center.y, 0.2, 0.0);
    CHECK_NEAR(p.inertia.m[1][1], 0.0, 0.0);
    // a given inertia counts only when it is said to, and then wins over the shape
    def.inertia = elv_mat3_diag(1.0, 2.0, 2.5);
    CHECK_STATUS(elv_body_inertia(&def, &p, NULL), NULL);
    CHECK_NEAR(p.inertia.m[1][1], 0.0, 0.0);
    def.has_inertia = true;
    def.shape.kind = ELV_SHAPE_SPHERE;
    def.shape.size[0] = 0.1;
    def.shape.pose.p = elv_vec3(0.0, 0.0, 4.0);
    CHECK_STATUS(elv_body_inertia(&def, &p, NULL), NULL);
    CHECK_NEAR(p.inertia.m[1][1], 2.0, 0.0);
    CHECK_NEAR(p.center.z, 4.0, 0.0);
}

// ---- principal moments

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a;
    double y = *(const double*)b;
    return (x > y) - (x < y);
}

static void test_principal_moments(void** state) {
    (void)state;
    // from tiny to huge, and with nearly equal eigenvalues
    static const double scales[] = {1e-310, 1e-150, 1e-6, 1.0, 1e8, 1e300};
    static const double gaps[] = {0.0, 1e-15, 1e-8, 1.0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        CheckRandom r = check_random(seed);
        double scale = scales[seed % 6];
        double first = check_uniform(&r, -1.0, 1.0);
        double expected[3] = {first, first + gaps[seed % 4], check_uniform(&r, -1.0, 1.0)};
        ElvMat3 R = random_pose(&r).R;
        ElvMat3 D = elv_mat3_diag(expected[0], expected[1], expected[2]);
        ElvMat3 a = elv_mat3_mul(elv_mat3_mul(R, D), elv_mat3_transpose(R));
        a = elv_mat3_scale(0.5 * scale, elv_mat3_add(a, elv_mat3_transpose(a)));
        double moment[3];
        elv_principal_moments(a, moment);
        qsort(expected, 3, sizeof expected[0], compare_doubles);
        // Weyl: eigenvalues move no more than the matrix, here by some roundings; denormal numbers
        // have an absolute rounding error
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(moment[i], scale * expected[i], 20.0 * DBL_EPSILON * scale + 1e-321);
        }
    }
    double zero[3] = {1.0, 1.0, 1.0};
    elv_principal_moments(elv_mat3_zero(), zero);
    CHECK_NEAR(zero[0], 0.0, 0.0);
    CHECK_NEAR(zero[2], 0.0, 0.0);
}

// ---- what is possible

static ElvBodyDef given(ElvMat3 inertia) {
    ElvBodyDef def = body_default();
    def.mass = 1.0;
    def.inertia = inertia;
    def.has_inertia = true;
    return def;
}

static void check_rejected(const ElvBodyDef* def, const char* field, const char* word, int line) {
    ElvMassProperties p;
    ElvError error;
    ElvStatus status = elv_body_inertia(def, &p, &error);
    if (status != ELV_ERROR_INPUT || strcmp(error.element, "hull") != 0 ||
        strcmp(error.field, field) != 0 || !strstr(error.message, word)) {
        print_error("line %d: status %d, %s.%s: %s\n", line, (int)status, error.element,
                    error.field, error.message);
        _fail(__FILE__, line);
    }
    // without an error to fill, the same answer
    CHECK_TRUE(elv_body_inertia(def, &p, NULL) == ELV_ERROR_INPUT);
}
#define CHECK_REJECTED(def, field, word) check_rejected(def, field, word, __LINE__)

// the inertia of any cloud of masses is possible: points, lines and planes too
static void test_clouds_are_possible(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        CheckRandom r = check_random(seed);
        ElvPose g = random_pose(&r);
        int n_dimension = check_integer(&r, 4);
        double size = pow(10.0, check_uniform(&r, -6.0, 6.0));
        // pairs of equal masses: the centre is the origin
        Cloud cloud = {0.0, elv_vec3(0.0, 0.0, 0.0), elv_mat3_zero()};
        for (int i = 0; i < 4; i++) {
            double x = n_dimension > 0 ? check_uniform(&r, -size, size) : 0.0;
            double y = n_dimension > 1 ? check_uniform(&r, -size, size) : 0.0;
            double z = n_dimension > 2 ? check_uniform(&r, -size, size) : 0.0;
            double m = check_uniform(&r, 0.0, 2.0);
            ElvVec3 at = elv_mat3_apply(g.R, elv_vec3(x, y, z));
            cloud_add(&cloud, m, at);
            cloud_add(&cloud, m, elv_vec3_scale(-1.0, at));
        }
        ElvBodyDef def = given(cloud.J);
        ElvMassProperties p;
        ElvError error;
        CHECK_STATUS(elv_body_inertia(&def, &p, &error), &error);
        double scale = cloud.J.m[0][0] + cloud.J.m[1][1] + cloud.J.m[2][2];
        CHECK_ARRAY_NEAR(&p.inertia.m[0][0], &cloud.J.m[0][0], 9, 1e-15 * scale);
    }
}

static void test_impossible_inertias(void** state) {
    (void)state;
    // beyond the triangle inequality by more and by less than the tolerance, in any axes
    for (uint64_t seed = 1; seed <= 30; seed++) {
        CheckRandom r = check_random(seed);
        ElvMat3 R = random_pose(&r).R;
        ElvMat3 Rt = elv_mat3_transpose(R);
        double size = pow(10.0, check_uniform(&r, -12.0, 12.0));
        double a = check_uniform(&r, 0.1, 1.0) * size;
        double b = check_uniform(&r, 0.1, 1.0) * size;
        ElvMassProperties p;
        ElvMat3 near = elv_mat3_diag(a, b, (a + b) * (1.0 + 5e-10));
        ElvBodyDef def = given(elv_mat3_mul(elv_mat3_mul(R, near), Rt));
        CHECK_STATUS(elv_body_inertia(&def, &p, NULL), NULL);
        ElvMat3 far = elv_mat3_diag(a, b, (a + b) * (1.0 + 2e-9));
        def = given(elv_mat3_mul(elv_mat3_mul(R, far), Rt));
        CHECK_REJECTED(&def, "inertia", "exceed the sum of the other two");
        ElvMat3 negative = elv_mat3_diag(-2e-9 * size, size, size);
        def = given(elv_mat3_mul(elv_mat3_mul(R, negative), Rt));
        CHECK_REJECTED(&def, "inertia", "is negative");
    }
    // the message tells the moments and what fails
    ElvBodyDef def = given(elv_mat3_diag(5.0, 1.0, 2.0));
    CHECK_REJECTED(&def, "inertia", "principal moments are 1, 2, 5 and 5 > 1 + 2");
    // positive diagonal, but products of inertia too great
    def = given(elv_mat3_identity());
    def.inertia.m[0][1] = def.inertia.m[1][0] = 1.5;
    CHECK_REJECTED(&def, "inertia", "-0.5 is negative");
    def = given(elv_mat3_identity());
    def.inertia.m[0][1] = 0.1;
    CHECK_REJECTED(&def, "inertia", "symmetric: row 2, column 1 is 0, but row 1, column 2 is 0.1");
    def = given(elv_mat3_identity());
    def.inertia.m[2][2] = NAN;
    CHECK_REJECTED(&def, "inertia", "finite");
    def = given(elv_mat3_identity());
    def.mass = 0.0;
    CHECK_REJECTED(&def, "mass", "without mass");
}

static void test_impossible_numbers(void** state) {
    (void)state;
    ElvBodyDef def = body_default();
    def.mass = -1.0;
    CHECK_REJECTED(&def, "mass", "mass must not be negative, got -1");
    def.mass = INFINITY;
    CHECK_REJECTED(&def, "mass", "finite");
    def = body_default();
    def.center.y = NAN;
    CHECK_REJECTED(&def, "center", "finite");
    def = body_default();
    def.density = 1000.0;
    CHECK_REJECTED(&def, "density", "needs a shape");
    def.density = -1.0;
    CHECK_REJECTED(&def, "density", "negative");
    def = body_default();
    def.shape.kind = ELV_N_SHAPE;
    CHECK_REJECTED(&def, "shape", "unknown shape");
    // too large to compute, although every number is finite
    def.shape.kind = ELV_SHAPE_BOX;
    def.shape.size[0] = def.shape.size[1] = def.shape.size[2] = 1e200;
    def.mass = 1.0;
    CHECK_REJECTED(&def, "shape", "too large");
    def.density = 1.0;
    CHECK_REJECTED(&def, "shape", "too large");
}

static void test_impossible_shapes(void** state) {
    (void)state;
    static const struct {
        ElvShapeKind kind;
        int n_size;
        const char* field[3];
    } shapes[] = {
        {ELV_SHAPE_SPHERE, 1, {"shape.sphere.radius"}},
        {ELV_SHAPE_BOX, 3, {"shape.box.size", "shape.box.size", "shape.box.size"}},
        {ELV_SHAPE_CYLINDER, 2, {"shape.cylinder.radius", "shape.cylinder.length"}},
        {ELV_SHAPE_CAPSULE, 2, {"shape.capsule.radius", "shape.capsule.length"}},
        {ELV_SHAPE_ELLIPSOID,
         3,
         {"shape.ellipsoid.radii", "shape.ellipsoid.radii", "shape.ellipsoid.radii"}},
    };
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t i_shape = 0; i_shape < sizeof shapes / sizeof shapes[0]; i_shape++) {
        ElvBodyDef def = body_default();
        def.shape.kind = shapes[i_shape].kind;
        for (int i = 0; i < shapes[i_shape].n_size; i++) {
            for (int i_bad = 0; i_bad < 4; i_bad++) {
                def.shape.size[0] = def.shape.size[1] = def.shape.size[2] = 1.0;
                def.shape.size[i] = bad[i_bad];
                CHECK_REJECTED(&def, shapes[i_shape].field[i], "must be positive and finite");
            }
        }
        // a mirrored pose is no rotation
        def.shape.size[0] = def.shape.size[1] = def.shape.size[2] = 1.0;
        def.shape.pose.R = elv_mat3_diag(1.0, 1.0, -1.0);
        CHECK_REJECTED(&def, "shape.pose", "not a rotation");
    }
}

// the triangle inequality, with room for numbers that were rounded to ten digits
static void test_physical_moments(void** state) {
    (void)state;
    CHECK_TRUE(elv_moments_are_physical((double[3]){1.0, 1.0, 2.0}));
    CHECK_TRUE(elv_moments_are_physical((double[3]){1.0, 1.0, 2.0 + 1e-9}));
    CHECK_TRUE(!elv_moments_are_physical((double[3]){1.0, 1.0, 2.0 + 4e-9}));
    CHECK_TRUE(elv_moments_are_physical((double[3]){0.0, 0.0, 0.0}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_against_integration),
        cmocka_unit_test(test_shape_limits),
        cmocka_unit_test(test_numbers_without_shape),
        cmocka_unit_test(test_principal_moments),
        cmocka_unit_test(test_clouds_are_possible),
        cmocka_unit_test(test_impossible_inertias),
        cmocka_unit_test(test_impossible_numbers),
        cmocka_unit_test(test_impossible_shapes),
        cmocka_unit_test(test_physical_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
