// SPDX-License-Identifier: Apache-2.0
// One record as VTK polygonal data in XML, numbers as base64 behind their length in bytes. Points of rods carry what
// ParaView's Tube filter needs (radius) and the colours of the viewer; every element is numbered in the order of the
// viewer's description.
#include "view/view_vtk.h"

#include <string.h>

const char* const ELV_VTK_NAMES[ELV_N_VTK] = {"rods", "bodies", "paths"};

// numbers on their way into the text
typedef struct {
    ElvBytes* text;
    ElvBytes data;
    double load; // of an equilibrium
} Array;

static void begin_array(Array* array, const char* type, const char* name, int n_component) {
    array->data.n = 0;
    elv_bytes_print(array->text, "<DataArray type=\"%s\" Name=\"", type);
    elv_bytes_xml(array->text, name);
    elv_bytes_print(array->text, "\" NumberOfComponents=\"%d\" format=\"binary\">\n", n_component);
    // its length, known at the end
    elv_bytes_u32(&array->data, 0);
}

static void end_array(Array* array) {
    if (!array->data.is_bad) {
        ElvBytes head = {0};
        elv_bytes_u32(&head, (uint32_t)(array->data.n - 4));
        if (!head.is_bad) {
            memcpy(array->data.data, head.data, 4);
        }
        array->data.is_bad = head.is_bad;
        elv_bytes_free(&head);
        elv_bytes_base64(array->text, array->data.data, array->data.n);
    }
    elv_bytes_print(array->text, "\n</DataArray>\n");
}

static void put_numbers(Array* array, const double* value, int n) {
    for (int i = 0; i < n; i++) {
        elv_bytes_f32(&array->data, value[i]);
    }
}

// names of all elements, as codes of their letters with a zero behind each; the load of an equilibrium
static void put_names(Array* array, const ElvView* view, int kind) {
    const int n[ELV_N_VTK] = {view->n_rod, view->n_body, view->n_path};
    elv_bytes_print(array->text,
                    "<FieldData>\n<Array type=\"String\" Name=\"names\" NumberOfTuples=\"%d\" "
                    "format=\"ascii\">\n",
                    n[kind]);
    for (int i = 0; i < n[kind]; i++) {
        const char* name = kind == ELV_VTK_RODS     ? view->rod[i].name
                           : kind == ELV_VTK_BODIES ? view->body[i].name
                                                    : view->path[i].name;
        for (; *name; name++) {
            elv_bytes_print(array->text, "%d ", (unsigned char)*name);
        }
        elv_bytes_print(array->text, "0\n");
    }
    elv_bytes_print(array->text, "</Array>\n");
    if (view->is_statics) {
        elv_bytes_print(array->text, "<DataArray type=\"Float64\" Name=\"load\" "
                                     "NumberOfTuples=\"1\" format=\"ascii\">");
        elv_bytes_number(array->text, array->load);
        elv_bytes_print(array->text, "</DataArray>\n");
    }
    elv_bytes_print(array->text, "</FieldData>\n");
}

// n_part: points, lines, triangles
static void begin_file(Array* array, const ElvView* view, int kind, const size_t n_part[3]) {
    elv_bytes_print(array->text,
                    "<?xml version=\"1.0\"?>\n"
                    "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt32\">\n<PolyData>\n");
    put_names(array, view, kind);
    elv_bytes_print(array->text,
                    "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%zu\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
                    n_part[0], n_part[1], n_part[2]);
}

static void end_file(Array* array) {
    elv_bytes_print(array->text, "</Piece>\n</PolyData>\n</VTKFile>\n");
    array->text->is_bad = array->text->is_bad || array->data.is_bad;
    elv_bytes_free(&array->data);
}

// lines through all points, one after the other; count(user, i) is the number of points of line i
static void put_lines(Array* array, const ElvView* view, int n, int (*count)(const ElvView*, int)) {
    uint32_t n_point = 0;
    elv_bytes_print(array->text, "<Lines>\n");
    begin_array(array, "Int32", "connectivity", 1);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < count(view, i); k++) {
            elv_bytes_u32(&array->data, n_point++);
        }
    }
    end_array(array);
    n_point = 0;
    begin_array(array, "Int32", "offsets", 1);
    for (int i = 0; i < n; i++) {
        n_point += (uint32_t)count(view, i);
        elv_bytes_u32(&array->data, n_point);
    }
    end_array(array);
    elv_bytes_print(array->text, "</Lines>\n");
}

// which element each line or triangle belongs to
static void put_index(Array* array, int n) {
    begin_array(array, "Int32", "element", 1);
    for (int i = 0; i < n; i++) {
        elv_bytes_u32(&array->data, (uint32_t)i);
    }
    end_array(array);
}

// ---- rods

static int rod_points(const ElvView* view, int i) {
    return view->rod[i].n_station;
}

// n numbers of each station: from the record at first + stride k
static void
put_station(Array* array, const ElvViewRod* rod, const double* from, int stride, int n) {
    for (int k = 0; k < rod->n_station; k++) {
        put_numbers(array, from + k * stride, n);
    }
}

// half of the mean width, as the record has it; then both widths
static void put_widths(Array* array, const ElvView* view, const double* value, bool is_radius) {
    begin_array(array, "Float32", is_radius ? "radius" : "width", is_radius ? 1 : 2);
    for (int i = 0; i < view->n_rod; i++) {
        const ElvViewRod* rod = &view->rod[i];
        for (int k = 0; k < rod->n_station; k++) {
            double scale = rod->i_scale < 0 ? 1.0 : value[rod->i_scale + k];
            const double width[2] = {scale * rod->width[0][k], scale * rod->width[1][k]};
            const double radius = 0.25 * (width[0] + width[1]);
            put_numbers(array, is_radius ? &radius : width, is_radius ? 1 : 2);
        }
    }
    end_array(array);
}

// a field of all rods; zeros on those without it
static void put_field(Array* array, const ElvView* view, const double* value, int i_field) {
    const char* name = NULL;
    const char* unit = NULL;
    const char* label = NULL;
    bool is_there = false;
    for (int i = 0; i < view->n_rod; i++) {
        is_there = is_there || view->rod[i].i_field[i_field] >= 0;
    }
    if (!is_there) {
        return;
    }
    elv_view_field_text(i_field, &name, &unit, &label);
    begin_array(array, "Float32", name, 1);
    for (int i = 0; i < view->n_rod; i++) {
        const ElvViewRod* rod = &view->rod[i];
        const double none = 0.0;
        bool has_field = rod->i_field[i_field] >= 0;
        put_station(array, rod, has_field ? value + rod->i_field[i_field] : &none,
                    has_field ? 1 : 0, 1);
    }
    end_array(array);
}

static void put_rods(const ElvView* view, const double* value, Array* array) {
    size_t n_point = 0;
    for (int i = 0; i < view->n_rod; i++) {
        n_point += (size_t)view->rod[i].n_station;
    }
    begin_file(array, view, ELV_VTK_RODS, (const size_t[3]){n_point, (size_t)view->n_rod, 0});
    elv_bytes_print(array->text, "<Points>\n");
    begin_array(array, "Float32", "position", 3);
    for (int i = 0; i < view->n_rod; i++) {
        put_station(array, &view->rod[i], value + view->rod[i].i_pose, ELV_VIEW_POSE, 3);
    }
    end_array(array);
    elv_bytes_print(array->text, "</Points>\n");
    put_lines(array, view, view->n_rod, rod_points);
    elv_bytes_print(array->text, "<PointData Scalars=\"radius\">\n");
    put_widths(array, view, value, true);
    put_widths(array, view, value, false);
    begin_array(array, "Float32", "orientation", 4);
    for (int i = 0; i < view->n_rod; i++) {
        put_station(array, &view->rod[i], value + view->rod[i].i_pose + 3, ELV_VIEW_POSE, 4);
    }
    end_array(array);
    for (int k = 0; k < ELV_VIEW_FIELDS; k++) {
        put_field(array, view, value, k);
    }
    elv_bytes_print(array->text, "</PointData>\n<CellData>\n");
    put_index(array, view->n_rod);
    elv_bytes_print(array->text, "</CellData>\n");
    end_file(array);
}

// ---- bodies

static ElvPose pose_of(const double* value) {
    ElvPose pose;
    pose.p = elv_vec3(value[0], value[1], value[2]);
    pose.R = elv_quat_to_matrix(elv_quat(value[3], value[4], value[5], value[6]));
    return pose;
}

// positions, or normals, of all bodies in the world
static void put_vectors(
    Array* array, const ElvView* view, const ElvMesh* mesh, const double* value, bool is_normal) {
    begin_array(array, "Float32", is_normal ? "normal" : "position", 3);
    for (int i = 0; i < view->n_body; i++) {
        ElvPose pose = pose_of(value + view->body[i].i_pose);
        for (size_t k = 0; k < mesh[i].n_point; k++) {
            const ElvMeshPoint* point = &mesh[i].point[k];
            ElvVec3 x = is_normal ? elv_mat3_apply(pose.R, point->normal)
                                  : elv_pose_apply(pose, point->position);
            const double number[3] = {x.x, x.y, x.z};
            put_numbers(array, number, 3);
        }
    }
    end_array(array);
}

static void put_triangles(Array* array, const ElvView* view, const ElvMesh* mesh) {
    uint32_t n_point = 0;
    uint32_t n_corner = 0;
    elv_bytes_print(array->text, "<Polys>\n");
    begin_array(array, "Int32", "connectivity", 1);
    for (int i = 0; i < view->n_body; i++) {
        for (size_t k = 0; k < 3 * mesh[i].n_triangle; k++) {
            elv_bytes_u32(&array->data, n_point + mesh[i].triangle[k]);
        }
        n_point += (uint32_t)mesh[i].n_point;
    }
    end_array(array);
    begin_array(array, "Int32", "offsets", 1);
    for (int i = 0; i < view->n_body; i++) {
        for (size_t k = 0; k < mesh[i].n_triangle; k++) {
            n_corner += 3;
            elv_bytes_u32(&array->data, n_corner);
        }
    }
    end_array(array);
    elv_bytes_print(array->text, "</Polys>\n");
}

static void
put_bodies(const ElvView* view, const ElvMesh* mesh, const double* value, Array* array) {
    size_t n_point = 0;
    size_t n_triangle = 0;
    for (int i = 0; i < view->n_body; i++) {
        n_point += mesh[i].n_point;
        n_triangle += mesh[i].n_triangle;
    }
    begin_file(array, view, ELV_VTK_BODIES, (const size_t[3]){n_point, 0, n_triangle});
    elv_bytes_print(array->text, "<Points>\n");
    put_vectors(array, view, mesh, value, false);
    elv_bytes_print(array->text, "</Points>\n");
    put_triangles(array, view, mesh);
    elv_bytes_print(array->text, "<PointData Normals=\"normal\">\n");
    put_vectors(array, view, mesh, value, true);
    elv_bytes_print(array->text, "</PointData>\n<CellData>\n");
    begin_array(array, "Int32", "element", 1);
    for (int i = 0; i < view->n_body; i++) {
        for (size_t k = 0; k < mesh[i].n_triangle; k++) {
            elv_bytes_u32(&array->data, (uint32_t)i);
        }
    }
    end_array(array);
    elv_bytes_print(array->text, "</CellData>\n");
    end_file(array);
}

// ---- tendons, chambers, muscles

static int path_points(const ElvView* view, int i) {
    return view->path[i].n_point;
}

static void put_paths(const ElvView* view, const double* value, Array* array) {
    static const char* const name[] = {"tension", "pressure", "activation"};
    size_t n_point = 0;
    for (int i = 0; i < view->n_path; i++) {
        n_point += (size_t)view->path[i].n_point;
    }
    begin_file(array, view, ELV_VTK_PATHS, (const size_t[3]){n_point, (size_t)view->n_path, 0});
    elv_bytes_print(array->text, "<Points>\n");
    begin_array(array, "Float32", "position", 3);
    for (int i = 0; i < view->n_path; i++) {
        put_numbers(array, value + view->path[i].i_points, 3 * view->path[i].n_point);
    }
    end_array(array);
    elv_bytes_print(array->text, "</Points>\n");
    put_lines(array, view, view->n_path, path_points);
    elv_bytes_print(array->text, "<CellData>\n");
    for (int kind = 0; kind < 3; kind++) {
        begin_array(array, "Float32", name[kind], 1);
        for (int i = 0; i < view->n_path; i++) {
            const ElvViewPath* path = &view->path[i];
            elv_bytes_f32(&array->data, (int)path->kind == kind ? value[path->i_value] : 0.0);
        }
        end_array(array);
    }
    put_index(array, view->n_path);
    elv_bytes_print(array->text, "</CellData>\n");
    end_file(array);
}

bool elv_vtk_describe(const ElvView* view,
                      int kind,
                      const ElvMesh* mesh,
                      const ElvViewPicture* picture,
                      ElvBytes* text) {
    const double* value = picture->value;
    const int n[ELV_N_VTK] = {view->n_rod, view->n_body, view->n_path};
    if (n[kind] == 0) {
        return false;
    }
    Array array;
    memset(&array, 0, sizeof array);
    array.text = text;
    array.load = picture->load;
    if (kind == ELV_VTK_RODS) {
        put_rods(view, value, &array);
    } else if (kind == ELV_VTK_BODIES) {
        put_bodies(view, mesh, value, &array);
    } else {
        put_paths(view, value, &array);
    }
    return true;
}
