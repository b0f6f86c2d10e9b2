// SPDX-License-Identifier: Apache-2.0
// Surfaces as triangles. Round shapes are turned about x: rings of points from one end to the other, each the same number
// of points, with the first ring at the lesser x. Flat ends have points of their own, for their normals.
#include "view/view_mesh.h"

#include "joint/lumped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_AROUND = 20, // points around a section
    N_QUARTER = 6, // rings from a pole to the widest place
    N_BETWEEN = 4, // rings a station of rods
};

static const double pi = 3.14159265358979323846;

// an outline of sections of unit half-widths, with its normals before they are scaled
typedef struct {
    int n;
    double y[N_AROUND], z[N_AROUND];
    double normal_y[N_AROUND], normal_z[N_AROUND];
} Outline;

static Outline outline_of(bool is_rectangle) {
    static const double corner[8][4] = {{1, -1, 1, 0},   {1, 1, 1, 0},   {1, 1, 0, 1},
                                        {-1, 1, 0, 1},   {-1, 1, -1, 0}, {-1, -1, -1, 0},
                                        {-1, -1, 0, -1}, {1, -1, 0, -1}};
    Outline outline;
    memset(&outline, 0, sizeof outline);
    outline.n = is_rectangle ? 8 : N_AROUND;
    for (int i = 0; i < outline.n; i++) {
        double angle = 2.0 * pi * i / N_AROUND;
        outline.y[i] = is_rectangle ? corner[i][0] : cos(angle);
        outline.z[i] = is_rectangle ? corner[i][1] : sin(angle);
        outline.normal_y[i] = is_rectangle ? corner[i][2] : outline.y[i];
        outline.normal_z[i] = is_rectangle ? corner[i][3] : outline.z[i];
    }
    return outline;
}

// ---- growing

static uint32_t add_point(ElvMesh* mesh, ElvVec3 position, ElvVec3 normal) {
    if (mesh->n_point == mesh->room_point) {
        size_t room = mesh->room_point > 0 ? 2 * mesh->room_point : 256;
        ElvMeshPoint* grown = realloc(mesh->point, room * sizeof *grown);
        if (!grown) {
            mesh->is_bad = true;
            return 0;
        }
        mesh->point = grown;
        mesh->room_point = room;
    }
    double size = elv_vec3_norm(normal);
    ElvMeshPoint* point = &mesh->point[mesh->n_point];
    memset(point, 0, sizeof *point);
    point->position = position;
    point->normal = size > 0.0 ? elv_vec3_scale(1.0 / size, normal) : elv_vec3(1.0, 0.0, 0.0);
    return (uint32_t)mesh->n_point++;
}

static void add_triangle(ElvMesh* mesh, uint32_t a, uint32_t b, uint32_t c) {
    if (mesh->n_triangle == mesh->room_triangle) {
        size_t room = mesh->room_triangle > 0 ? 2 * mesh->room_triangle : 512;
        uint32_t* grown = realloc(mesh->triangle, 3 * room * sizeof *grown);
        if (!grown) {
            mesh->is_bad = true;
            return;
        }
        mesh->triangle = grown;
        mesh->room_triangle = room;
    }
    uint32_t* at = mesh->triangle + 3 * mesh->n_triangle++;
    at[0] = a;
    at[1] = b;
    at[2] = c;
}

// a ring at x with half-widths y and z
static uint32_t add_ring(ElvMesh* mesh, const Outline* outline, double x, double y, double z) {
    uint32_t first = (uint32_t)mesh->n_point;
    for (int i = 0; i < outline->n; i++) {
        // normals of a stretched circle go with the inverse of the stretch
        ElvVec3 normal = elv_vec3(0.0, outline->normal_y[i] * z, outline->normal_z[i] * y);
        add_point(mesh, elv_vec3(x, y * outline->y[i], z * outline->z[i]), normal);
    }
    return first;
}

// the band between two rings, the second at the greater x
static void add_band(ElvMesh* mesh, int n, uint32_t a, uint32_t b) {
    for (int i = 0; i < n; i++) {
        uint32_t here = (uint32_t)i;
        uint32_t next = (uint32_t)((i + 1) % n);
        add_triangle(mesh, a + here, b + next, b + here);
        add_triangle(mesh, a + here, a + next, b + next);
    }
}

// a flat end whose outline is that of a ring
static void add_end(ElvMesh* mesh, int n, uint32_t ring, double direction) {
    if (mesh->is_bad) {
        return;
    }
    uint32_t first = (uint32_t)mesh->n_point;
    for (int i = 0; i < n; i++) {
        ElvMeshPoint source = mesh->point[ring + (uint32_t)i];
        uint32_t at = add_point(mesh, source.position, elv_vec3(direction, 0.0, 0.0));
        if (!mesh->is_bad) {
            mesh->point[at].station = source.station;
            mesh->point[at].next_share = source.next_share;
        }
    }
    for (uint32_t i = 1; i + 1 < (uint32_t)n; i++) {
        add_triangle(mesh, first, first + (direction > 0.0 ? i : i + 1),
                     first + (direction > 0.0 ? i + 1 : i));
    }
}

// ---- shapes

static void add_box(ElvMesh* mesh, const double size[3]) {
    Outline outline = outline_of(true);
    uint32_t a = add_ring(mesh, &outline, -0.5 * size[0], 0.5 * size[1], 0.5 * size[2]);
    uint32_t b = add_ring(mesh, &outline, 0.5 * size[0], 0.5 * size[1], 0.5 * size[2]);
    add_band(mesh, outline.n, a, b);
    add_end(mesh, outline.n, a, -1.0);
    add_end(mesh, outline.n, b, 1.0);
}

static void add_cylinder(ElvMesh* mesh, double radius, double length) {
    Outline outline = outline_of(false);
    uint32_t a = add_ring(mesh, &outline, -0.5 * length, radius, radius);
    uint32_t b = add_ring(mesh, &outline, 0.5 * length, radius, radius);
    add_band(mesh, outline.n, a, b);
    add_end(mesh, outline.n, a, -1.0);
    add_end(mesh, outline.n, b, 1.0);
}

// an ellipsoid with the given semi-axes, cut at its middle by a straight part along x
static void add_round(ElvMesh* mesh, ElvVec3 axis, double length) {
    Outline outline = outline_of(false);
    uint32_t last = 0;
    for (int i = 0; i <= 2 * N_QUARTER + 1; i++) {
        // the ring in the middle is there twice, at both ends of the straight part
        bool is_front = i > N_QUARTER;
        double angle = 0.5 * pi * ((is_front ? i - 1 : i) - N_QUARTER) / N_QUARTER;
        double x = axis.x * sin(angle) + (is_front ? 0.5 : -0.5) * length;
        double c = fmax(cos(angle), 0.0);
        uint32_t first = (uint32_t)mesh->n_point;
        for (int k = 0; k < outline.n; k++) {
            ElvVec3 unit = elv_vec3(sin(angle), c * outline.y[k], c * outline.z[k]);
            ElvVec3 normal = elv_vec3(unit.x / axis.x, unit.y / axis.y, unit.z / axis.z);
            add_point(mesh, elv_vec3(x, axis.y * unit.y, axis.z * unit.z), normal);
        }
        if (i > 0) {
            add_band(mesh, outline.n, last, first);
        }
        last = first;
    }
}

static void add_shape(ElvMesh* mesh, const ElvShapeDef* shape) {
    const double* size = shape->size;
    size_t first = mesh->n_point;
    switch (shape->kind) {
    case ELV_SHAPE_SPHERE:
        add_round(mesh, elv_vec3(size[0], size[0], size[0]), 0.0);
        break;
    case ELV_SHAPE_BOX:
        add_box(mesh, size);
        break;
    case ELV_SHAPE_CYLINDER:
        add_cylinder(mesh, size[0], size[1]);
        break;
    case ELV_SHAPE_CAPSULE:
        add_round(mesh, elv_vec3(size[0], size[0], size[0]), size[1]);
        break;
    case ELV_SHAPE_ELLIPSOID:
        add_round(mesh, elv_vec3(size[0], size[1], size[2]), 0.0);
        break;
    default:
        break;
    }
    for (size_t i = first; i < mesh->n_point; i++) {
        ElvMeshPoint* point = &mesh->point[i];
        point->position = elv_pose_apply(shape->pose, point->position);
        point->normal = elv_mat3_apply(shape->pose.R, point->normal);
    }
}

void elv_mesh_shape(const ElvShapeDef* shape, ElvMesh* mesh) {
    memset(mesh, 0, sizeof *mesh);
    add_shape(mesh, shape);
}

static void add_ball(ElvMesh* mesh, ElvVec3 place, double radius) {
    ElvShapeDef ball = {.kind = ELV_SHAPE_SPHERE, .size = {radius}, .pose = elv_pose_identity()};
    ball.pose.p = place;
    add_shape(mesh, &ball);
}

static void add_stick(ElvMesh* mesh, ElvVec3 a, ElvVec3 b, double radius) {
    ElvVec3 along = elv_vec3_sub(b, a);
    double length = elv_vec3_norm(along);
    if (!(length > 0.0)) {
        return;
    }
    ElvVec3 across[2];
    ElvVec3 axis = elv_vec3_scale(1.0 / length, along);
    elv_plane_axes(axis, across);
    ElvShapeDef stick = {.kind = ELV_SHAPE_CYLINDER, .size = {radius, length}};
    stick.pose.p = elv_vec3_scale(0.5, elv_vec3_add(a, b));
    stick.pose.R = (ElvMat3){{{axis.x, across[0].x, across[1].x},
                              {axis.y, across[0].y, across[1].y},
                              {axis.z, across[0].z, across[1].z}}};
    add_shape(mesh, &stick);
}

void elv_mesh_body(const ElvView* view, const ElvViewBody* body, ElvMesh* mesh) {
    memset(mesh, 0, sizeof *mesh);
    if (body->shape.kind != ELV_SHAPE_NONE) {
        add_shape(mesh, &body->shape);
        return;
    }
    int n = body->n_stick;
    if (n < 2) {
        add_ball(mesh, n == 1 ? body->stick[0] : elv_vec3(0.0, 0.0, 0.0), view->size / 60.0);
        return;
    }
    // sticks meet at the middle of all points, two at one of them
    ElvVec3 hub = elv_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < n; i++) {
        hub = elv_vec3_add(hub, elv_vec3_scale(1.0 / n, body->stick[i]));
    }
    hub = n == 2 ? body->stick[0] : hub;
    for (int i = 0; i < n; i++) {
        add_ball(mesh, body->stick[i], view->size / 75.0);
        add_stick(mesh, hub, body->stick[i], view->size / 100.0);
    }
}

// ---- rods

void elv_mesh_rod(const ElvViewRod* rod, ElvMesh* mesh) {
    memset(mesh, 0, sizeof *mesh);
    Outline outline = outline_of(rod->section == ELV_SECTION_RECTANGLE);
    uint32_t first = 0;
    uint32_t last = 0;
    int n_ring = N_BETWEEN * (rod->n_station - 1) + 1;
    for (int i = 0; i < n_ring; i++) {
        int k = i / N_BETWEEN;
        int next = k + 1 < rod->n_station ? k + 1 : k;
        double u = (double)(i % N_BETWEEN) / N_BETWEEN;
        double s = (1.0 - u) * rod->station[k] + u * rod->station[next];
        double y = 0.5 * ((1.0 - u) * rod->width[0][k] + u * rod->width[0][next]);
        double z = 0.5 * ((1.0 - u) * rod->width[1][k] + u * rod->width[1][next]);
        uint32_t ring = add_ring(mesh, &outline, ELV_MESH_SHRINK * s * rod->length, y, z);
        // shares whose slope is zero at stations keep the skin's tangent that of the rod
        for (size_t j = ring; j < mesh->n_point; j++) {
            mesh->point[j].station = k;
            mesh->point[j].next_share = u * u * (3.0 - 2.0 * u);
        }
        if (i > 0) {
            add_band(mesh, outline.n, last, ring);
        } else {
            first = ring;
        }
        last = ring;
    }
    add_end(mesh, outline.n, first, -1.0);
    add_end(mesh, outline.n, last, 1.0);
}

bool elv_mesh_line(int n, ElvMesh* mesh) {
    memset(mesh, 0, sizeof *mesh);
    for (int i = 0; i < n && !mesh->is_bad; i++) {
        uint32_t at = add_point(mesh, elv_vec3(0.0, 0.0, 0.0), elv_vec3(1.0, 0.0, 0.0));
        if (!mesh->is_bad) {
            mesh->point[at].station = i;
        }
    }
    if (mesh->is_bad) {
        elv_mesh_free(mesh);
        return false;
    }
    return true;
}

void elv_mesh_free(ElvMesh* mesh) {
    free(mesh->point);
    free(mesh->triangle);
    memset(mesh, 0, sizeof *mesh);
}
