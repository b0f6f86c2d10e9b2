// SPDX-License-Identifier: Apache-2.0
// What of the sections of a rod a fluid acts on. With full widths b_y, b_z, motion along y is seen
// by b_z and the other way round. Added mass in ideal flow, per metre: of an ellipse
//     rho pi/4 b_z^2 along y,  rho pi/4 b_y^2 along z,  rho pi/8 (b_y^2/4 - b_z^2/4)^2 about x,
// and of a rectangle that of the ellipse of the same widths: exact where it is flat. A hollow
// section is closed: it displaces its outline.
#include "rod/fluid.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// circumference of an ellipse by the arithmetic-geometric mean
static double ellipse_perimeter(double b, double c) {
    double a = 0.5 * fmax(b, c);
    double g = 0.5 * fmin(b, c);
    if (g == 0.0) {
        return 4.0 * a;
    }
    double sum = a * a - 0.5 * (a * a - g * g);
    double power = 0.5;
    // quadratic convergence: a step is the last one when what it corrects is small
    double half = a;
    while (half > 1e-8 * a) {
        half = 0.5 * (a - g);
        g = sqrt(a * g);
        a -= half;
        power *= 2.0;
        sum -= power * half * half;
    }
    return 2.0 * PI * sum / a;
}

typedef struct {
    double b_y, b_z, area, perimeter;
} Outline;

// widths that vanish at a pointed end must not be negative by rounding
static Outline outline(const ElvCrossSection* section, double s) {
    Outline o = {0.0, 0.0, 0.0, 0.0};
    if (section->kind == ELV_SECTION_EXPLICIT) {
        o.area = fmax(0.0, elv_law_value(section->area, 0.0, s));
        return o;
    }
    if (section->kind == ELV_SECTION_NONE) {
        return o;
    }
    bool is_rectangle = section->kind == ELV_SECTION_RECTANGLE;
    o.b_y = fmax(0.0, elv_law_value(section->outer[0], 0.0, s));
    o.b_z = section->outer[1] ? fmax(0.0, elv_law_value(section->outer[1], 0.0, s)) : o.b_y;
    o.area = (is_rectangle ? 1.0 : PI / 4.0) * o.b_y * o.b_z;
    o.perimeter = is_rectangle ? 2.0 * (o.b_y + o.b_z) : ellipse_perimeter(o.b_y, o.b_z);
    return o;
}

bool elv_fluid_is_felt(const ElvRodFluidDef* def) {
    return def->is_buoyant || def->is_slender || def->drag_normal != 0.0 ||
           def->drag_tangential != 0.0 || def->lift != 0.0 || def->added_mass != 0.0;
}

bool elv_rod_is_resisted(const ElvRod* rod) {
    bool is_dragged = rod->fluid_def.drag_normal != 0.0 || rod->fluid_def.drag_tangential != 0.0;
    return rod->resistance || (rod->fluid && (is_dragged || rod->is_slender));
}

ElvInertia elv_rod_added_at(const ElvRod* rod, double s) {
    ElvInertia added = elv_fluid_matrix(rod->added_def, elv_vec3(0.0, 0.0, 0.0));
    if (rod->medium && rod->fluid_def.added_mass != 0.0) {
        Outline o = outline(rod->section, s);
        double rho = rod->fluid_def.added_mass * rod->medium->density;
        double difference = 0.25 * (o.b_y * o.b_y - o.b_z * o.b_z);
        added.J.m[0][0] += rho * PI / 8.0 * difference * difference;
        added.M.m[1][1] += rho * PI / 4.0 * o.b_z * o.b_z;
        added.M.m[2][2] += rho * PI / 4.0 * o.b_y * o.b_y;
    }
    return added;
}

ElvFluidShape elv_rod_fluid_at(const ElvRod* rod, double s) {
    const ElvRodFluidDef* def = &rod->fluid_def;
    Outline o = outline(rod->section, s);
    ElvFluidShape shape;
    memset(&shape, 0, sizeof shape);
    shape.is_section = true;
    shape.normal[0] = def->drag_normal * o.b_z;
    shape.normal[1] = def->drag_normal * o.b_y;
    shape.tangential = def->drag_tangential * o.perimeter;
    shape.lift = def->lift * 0.5 * (o.b_y + o.b_z);
    shape.volume = def->is_buoyant ? o.area : 0.0;
    shape.radius = sqrt(o.area / PI);
    shape.added = elv_rod_added_at(rod, s);
    shape.resistance = elv_fluid_matrix(rod->resistance_def, elv_vec3(0.0, 0.0, 0.0));
    shape.is_resisted = rod->resistance != NULL;
    return shape;
}

// Nodes share the rod by their weights, each within its part: half the length that reaches the
// farther end of it, so that the cells of neighbours touch.
static void set_reaches(const ElvRod* rod, ElvFluidShape* shape) {
    double length = 0.0;
    double from = 0.0;
    for (int i = 0; i < rod->n_node; i++) {
        length += rod->weight[i];
    }
    for (int i = 0; i < rod->n_node; i++) {
        double at = rod->s[i] * length;
        double to = from + rod->weight[i];
        shape[i].reach = fmax(at - from, to - at);
        from = to;
    }
}

bool elv_rod_fluid_build(ElvRod* rod, ElvPool* pool) {
    bool is_felt = elv_fluid_is_felt(&rod->fluid_def) || rod->has_added || rod->resistance;
    rod->added_end[0] = elv_rod_added_at(rod, 0.0);
    rod->added_end[1] = elv_rod_added_at(rod, 1.0);
    rod->is_slender = rod->medium && rod->fluid_def.is_slender;
    if (!rod->medium || !is_felt) {
        return true;
    }
    ElvFluidShape* shape = elv_pool_take(pool, (size_t)rod->n_node, sizeof *shape);
    for (int i = 0; i < rod->n_node && shape; i++) {
        shape[i] = elv_rod_fluid_at(rod, rod->s[i]);
    }
    if (shape) {
        set_reaches(rod, shape);
    }
    rod->fluid = shape;
    return shape != NULL;
}
