// SPDX-License-Identifier: Apache-2.0
// Surfaces: volumes against those of the polyhedra that they are, normals and corners outwards, and the skin of a bent
// rod against its arc.
#include "check.h"
#include "view/view_mesh.h"

static const double pi = 3.14159265358979323846;

enum { AROUND = 20, QUARTER = 6 }; // of the surfaces

static double volume_of(const ElvMesh* mesh) {
    double sum = 0.0;
    for (size_t i = 0; i < mesh->n_triangle; i++) {
        const uint32_t* corner = mesh->triangle + 3 * i;
        for (int k = 0; k < 3; k++) {
            assert_true(corner[k] < mesh->n_point);
        }
        ElvVec3 a = mesh->point[corner[0]].position;
        ElvVec3 b = mesh->point[corner[1]].position;
        ElvVec3 c = mesh->point[corner[2]].position;
        sum += elv_vec3_dot(a, elv_vec3_cross(b, c)) / 6.0;
    }
    return sum;
}

// shapes that contain their centre, and see all of their surface from there
static void check_normals(const ElvMesh* mesh, ElvVec3 centre) {
    for (size_t i = 0; i < mesh->n_point; i++) {
        const ElvMeshPoint* point = &mesh->point[i];
        CHECK_NEAR(elv_vec3_norm(point->normal), 1.0, 1e-12);
        assert_true(elv_vec3_dot(point->normal, elv_vec3_sub(point->position, centre)) > 0.0);
    }
}

// area of a regular polygon of unit radius
static double polygon(void) {
    return 0.5 * AROUND * sin(2.0 * pi / AROUND);
}

// a ball of that many rings: pieces of pyramids
static double ball(double radius) {
    double sum = 0.0;
    for (int i = -QUARTER; i < QUARTER; i++) {
        double a = 0.5 * pi * i / QUARTER;
        double b = 0.5 * pi * (i + 1) / QUARTER;
        double ra = fabs(cos(a));
        double rb = fabs(cos(b));
        sum += (sin(b) - sin(a)) / 3.0 * (ra * ra + ra * rb + rb * rb);
    }
    return sum * polygon() * radius * radius * radius;
}

static void test_shapes(void** context) {
    (void)context;
    ElvPose place = elv_pose_identity();
    place.p = elv_vec3(0.3, -0.2, 0.7);
    place.R = elv_quat_to_matrix(elv_quat(0.5, 0.5, -0.5, 0.5));
    const struct {
        ElvShapeDef shape;
        double volume;
    } sample[] = {
        {{ELV_SHAPE_SPHERE, {0.2, 0, 0}, place}, ball(0.2)},
        {{ELV_SHAPE_BOX, {0.1, 0.2, 0.3}, place}, 0.006},
        {{ELV_SHAPE_CYLINDER, {0.1, 0.5, 0}, place}, polygon() * 0.01 * 0.5},
        {{ELV_SHAPE_CAPSULE, {0.1, 0.5, 0}, place}, polygon() * 0.01 * 0.5 + ball(0.1)},
        {{ELV_SHAPE_ELLIPSOID, {0.1, 0.2, 0.3}, place}, ball(1.0) * 0.006},
    };
    for (size_t i = 0; i < sizeof sample / sizeof sample[0]; i++) {
        ElvMesh mesh;
        elv_mesh_shape(&sample[i].shape, &mesh);
        assert_false(mesh.is_bad);
        // rounding of some hundred terms of the size of the volume
        CHECK_NEAR(volume_of(&mesh), sample[i].volume, 1e-12);
        check_normals(&mesh, place.p);
        elv_mesh_free(&mesh);
    }
    ElvShapeDef none = {ELV_SHAPE_NONE, {0, 0, 0}, place};
    ElvMesh mesh;
    elv_mesh_shape(&none, &mesh);
    assert_int_equal(mesh.n_triangle, 0);
    elv_mesh_free(&mesh);
}

// bodies without a shape: a ball where there is one point, sticks with a ball at each point where there are more
static void test_sticks(void** context) {
    (void)context;
    ElvVec3 point[] = {{0.4, 0.1, -0.3}, {-0.2, 0.5, 0.3}, {1.0, -0.6, 0.0}};
    ElvView view;
    ElvViewBody body;
    memset(&view, 0, sizeof view);
    memset(&body, 0, sizeof body);
    view.size = 1.5;
    body.stick = point;
    double width = view.size / 100.0;
    for (int n = 0; n <= 3; n++) {
        ElvMesh mesh;
        body.n_stick = n;
        elv_mesh_body(&view, &body, &mesh);
        double length = n == 2 ? elv_vec3_norm(elv_vec3_sub(point[1], point[0])) : 0.0;
        // the middle of the three is (0.4, 0, 0)
        for (int i = 0; i < 3 && n == 3; i++) {
            length += elv_vec3_norm(elv_vec3_sub(point[i], elv_vec3(0.4, 0.0, 0.0)));
        }
        double balls = n < 2 ? ball(view.size / 60.0) : n * ball(view.size / 75.0);
        CHECK_NEAR(volume_of(&mesh), balls + length * polygon() * width * width, 1e-12);
        // a ball's first point is its pole, at the lesser x
        double x = n == 0 ? 0.0 : point[0].x;
        CHECK_NEAR(mesh.point[0].position.x, x - view.size / (n < 2 ? 60.0 : 75.0), 1e-12);
        elv_mesh_free(&mesh);
    }
}

enum { N_STATION = 5 };

static ElvViewRod make_rod(ElvSectionKind section,
                           double station[N_STATION],
                           double y[N_STATION],
                           double z[N_STATION]) {
    ElvViewRod rod;
    memset(&rod, 0, sizeof rod);
    rod.length = 2.0;
    rod.n_station = N_STATION;
    rod.station = station;
    rod.section = section;
    rod.width[0] = y;
    rod.width[1] = z;
    rod.i_scale = -1;
    return rod;
}

static void test_rod_sections(void** context) {
    (void)context;
    double station[N_STATION] = {0.0, 0.25, 0.5, 0.75, 1.0};
    double y[N_STATION] = {0.4, 0.4, 0.4, 0.4, 0.4};
    double z[N_STATION] = {0.1, 0.1, 0.1, 0.1, 0.1};
    const struct {
        ElvSectionKind kind;
        double area;
    } sample[] = {
        {ELV_SECTION_RECTANGLE, 0.04},
        {ELV_SECTION_ELLIPSE, polygon() * 0.2 * 0.05},
    };
    for (int i = 0; i < 2; i++) {
        ElvViewRod rod = make_rod(sample[i].kind, station, y, z);
        ElvMesh mesh;
        elv_mesh_rod(&rod, &mesh);
        CHECK_NEAR(volume_of(&mesh), ELV_MESH_SHRINK * 2.0 * sample[i].area, 1e-13);
        check_normals(&mesh, elv_vec3(0.5 * ELV_MESH_SHRINK * 2.0, 0.0, 0.0));
        elv_mesh_free(&mesh);
    }
}

// the skin of an arc of 60 degrees a station, thin: its points lie on the arc. By straight pieces they would miss it by
// 1 - cos(30 degrees) = 13 % of its radius.
static void test_bent_rod(void** context) {
    (void)context;
    double station[N_STATION] = {0.0, 0.25, 0.5, 0.75, 1.0};
    double thin[N_STATION] = {1e-9, 1e-9, 1e-9, 1e-9, 1e-9};
    ElvViewRod rod = make_rod(ELV_SECTION_CIRCLE, station, thin, thin);
    double angle = pi / 3.0;
    double radius = 0.25 * rod.length / angle;
    ElvMesh mesh;
    elv_mesh_rod(&rod, &mesh);
    for (size_t i = 0; i < mesh.n_point; i++) {
        const ElvMeshPoint* point = &mesh.point[i];
        ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
        for (int k = 0; k < 2; k++) {
            int j = point->station + k;
            double share = k == 0 ? 1.0 - point->next_share : point->next_share;
            if (share == 0.0) {
                continue;
            }
            assert_true(j < N_STATION);
            // the pose of station j on a circle about (0, radius)
            double a = angle * j;
            double x = point->position.x - ELV_MESH_SHRINK * station[j] * rod.length;
            ElvVec3 place =
                elv_vec3(radius * sin(a) + x * cos(a), radius * (1.0 - cos(a)) + x * sin(a), 0.0);
            sum = elv_vec3_add(sum, elv_vec3_scale(share, place));
        }
        double reached = hypot(sum.x, sum.y - radius);
        // cos(30 deg) + (angle / 4) sin(30 deg) = 0.9969 in the middle between two stations, nearer elsewhere
        CHECK_NEAR(reached, radius, 0.004 * radius);
    }
    elv_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_sticks),
        cmocka_unit_test(test_rod_sections),
        cmocka_unit_test(test_bent_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
