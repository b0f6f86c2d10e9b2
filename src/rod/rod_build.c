// SPDX-License-Identifier: Apache-2.0
// Building a rod from its definition: elements and columns, segments, section tables at the nodes,
// generalised stiffness and damping [P20 (26)]; initial coordinates are found in rod_initial.c.
#include "rod/rod.h"

#include "rod/fluid.h"
#include "rod/rod_active.h"
#include "rod/rod_initial.h"
#include "rod/rod_motion.h"
#include "rod/rod_segment.h"
#include "rod/spectral.h"

#include <stdio.h>
#include <string.h>

static ElvStatus no_memory(const ElvRod* rod, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, rod->name, "", "out of memory");
}

// mode shapes of a table basis as cubic splines of the element's coordinate
static ElvStatus init_table(ElvStrainBasis* basis,
                            const ElvBasisTable* table,
                            const char* rod,
                            ElvLawSet* laws,
                            ElvError* error) {
    const ElvLaw** shape = elv_pool_take(laws->pool, (size_t)table->n_mode, sizeof *shape);
    if (!shape) {
        return elv_error_set(error, ELV_ERROR_MEMORY, rod, "basis", "out of memory");
    }
    for (int m = 0; m < table->n_mode; m++) {
        const double* value = table->value + (size_t)m * (size_t)table->n_station;
        ElvLawDef def = elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_CUBIC, table->station, value,
                                          (size_t)table->n_station);
        ElvStatus status =
            elv_law_set_add(laws, &def, ELV_LAW_OF_S, rod, "basis", &shape[m], error);
        if (status != ELV_OK) {
            return status;
        }
    }
    basis->shape = shape;
    return ELV_OK;
}

// columns are numbered element by element, strain by strain, mode by mode         [P20 (30)]
static ElvStatus
init_elements(ElvRod* rod, const ElvRodDef* def, ElvLawSet* laws, ElvError* error) {
    int n_element = 0;
    const ElvElementDef* list = elv_rod_motion_elements(rod, def, laws->pool, &n_element);
    ElvRodElement* element = elv_pool_take(laws->pool, (size_t)n_element, sizeof *element);
    if (!list || !element) {
        return no_memory(rod, error);
    }
    int n_col = 0;
    double s0 = 0.0;
    for (int i = 0; i < n_element; i++) {
        element[i].s0 = s0;
        element[i].s1 = s0 = list[i].to;
        element[i].nodes = list[i].nodes;
        for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
            ElvStrainBasis* basis = &element[i].basis[strain];
            basis->kind = list[i].basis[strain];
            basis->n_mode = list[i].modes[strain];
            if (rod->motion[strain] && basis->n_mode == 0) {
                basis->kind = ELV_BASIS_LEGENDRE;
                int n = elv_rod_motion_modes(rod, strain, element[i].s0, element[i].s1);
                basis->n_mode = n < ELV_MOTION_MODES_MAX ? n : ELV_MOTION_MODES_MAX;
            }
            element[i].column[strain] = n_col;
            n_col += basis->n_mode;
            if (basis->kind == ELV_BASIS_TABLE && basis->n_mode > 0) {
                ElvStatus status =
                    init_table(basis, &list[i].table[strain], rod->name, laws, error);
                if (status != ELV_OK) {
                    return status;
                }
            }
        }
    }
    rod->element = element;
    rod->n_element = n_element;
    rod->joint.n_q = rod->joint.n_v = n_col;
    return ELV_OK;
}

static ElvStatus init_segments(ElvRod* rod,
                               const ElvCrossSection* section,
                               const ElvRodFields* fields,
                               ElvPool* pool,
                               ElvError* error) {
    double* breaks = elv_pool_take(pool, ELV_MAX_BREAKS, sizeof *breaks);
    int* nodes = elv_pool_take(pool, ELV_MAX_BREAKS, sizeof *nodes);
    if (!breaks || !nodes) {
        return no_memory(rod, error);
    }
    int n_break = elv_rod_breaks(rod, section, fields, breaks);
    if (n_break < 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, rod->name, "",
                             "the rod has more than %d stations where its laws jump",
                             ELV_MAX_BREAKS);
    }
    n_break = elv_rod_motion_cut(rod, breaks, nodes, n_break, ELV_MAX_BREAKS);
    ElvRodSegment* segment = elv_pool_take(pool, (size_t)n_break, sizeof *segment);
    if (!segment) {
        return no_memory(rod, error);
    }
    for (int i = 0; i + 1 < n_break; i++) {
        ElvStatus status = rod->space == ELV_SPACE_SPECTRAL
                               ? elv_spectral_segment_init(&segment[i], rod, rod->n_node, breaks[i],
                                                           breaks[i + 1], nodes[i], pool, error)
                               : elv_rod_segment_init(&segment[i], rod, rod->n_node, breaks[i],
                                                      breaks[i + 1], nodes[i], pool, error);
        if (status != ELV_OK) {
            return status;
        }
        rod->n_node += segment[i].n_node;
    }
    rod->segment = segment;
    rod->n_segment = n_break - 1;
    return ELV_OK;
}

void elv_rod_add_generalised(
    const ElvRodSegment* segment, int i, int n_v, double factor, const ElvMat6* H, double* K) {
    const double* phi = segment->phi + (size_t)i * (size_t)segment->n_col;
    for (int r = 0; r < segment->n_run * segment->n_run; r++) {
        const ElvColumnRun* left = &segment->run[r / segment->n_run];
        const ElvColumnRun* right = &segment->run[r % segment->n_run];
        double h = H->m[left->strain][right->strain];
        for (int k = 0; k < left->n && h != 0.0; k++) {
            double* row = K + (size_t)(left->col + k) * (size_t)n_v + right->col;
            double row_factor = factor * phi[left->begin + k] * h;
            for (int l = 0; l < right->n; l++) {
                row[l] += row_factor * phi[right->begin + l];
            }
        }
    }
}

// a section: what it adds to stiffness and damping, and its inertia with that of the fluid it moves
typedef struct {
    ElvMat6 H, viscosity;
    double mass;
    ElvVec3 moment;
    ElvInertia inertia;
} Section;

static ElvStatus eval_section(
    const ElvRod* rod, const ElvCrossSection* law, double s, Section* section, ElvError* error) {
    ElvMat6 M;
    ElvStatus status =
        elv_cross_section_eval(law, rod->name, s, &section->H, &M, &section->viscosity, error);
    if (status != ELV_OK) {
        return status;
    }
    elv_cross_section_mass(&M, &section->inertia, &section->mass, &section->moment);
    bool is_centred = elv_vec3_norm(section->moment) == 0.0;
    if (rod->keeps_volume && !is_centred) {
        return elv_error_set(error, ELV_ERROR_INPUT, rod->name, "volume",
                             "sections of '%s' have their centre of mass off the axis (s = "
                             "%.6g): these cannot keep their volume yet",
                             rod->name, s);
    }
    if (rod->has_added) {
        section->inertia = elv_inertia_add(section->inertia, elv_rod_added_at(rod, s));
    }
    return ELV_OK;
}

// what a fluid does to all sections alike
static bool init_fluid(ElvRod* rod, const ElvRodDef* def, ElvPool* pool) {
    rod->has_added =
        elv_fluid_acts(def->added_inertia) || (rod->medium && def->fluid.added_mass != 0.0);
    ElvInertia* resistance = elv_pool_take(pool, 1, sizeof *resistance);
    if (!resistance) {
        return false;
    }
    *resistance = elv_fluid_matrix(def->resistance, elv_vec3(0.0, 0.0, 0.0));
    rod->resistance = elv_fluid_acts(def->resistance) ? resistance : NULL;
    return true;
}

static ElvStatus init_nodes(ElvRod* rod,
                            const ElvRodDef* def,
                            const ElvCrossSection* section,
                            ElvPool* pool,
                            ElvError* error) {
    size_t n = (size_t)rod->n_node;
    size_t n_v = (size_t)rod->joint.n_v;
    double* s = elv_pool_take(pool, n, sizeof *s);
    double* weight = elv_pool_take(pool, n, sizeof *weight);
    double* mass = elv_pool_take(pool, n, sizeof *mass);
    ElvVec3* moment = elv_pool_take(pool, n, sizeof *moment);
    ElvInertia* inertia = elv_pool_take(pool, n, sizeof *inertia);
    double* K = elv_pool_take(pool, n_v * n_v, sizeof *K);
    double* D = elv_pool_take(pool, n_v * n_v, sizeof *D);
    if (!s || !weight || !mass || !moment || !inertia || !K || !D || !init_fluid(rod, def, pool)) {
        return no_memory(rod, error);
    }
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            Section at;
            s[i_node] = seg->s0 + (seg->s1 - seg->s0) * seg->x[i];
            weight[i_node] = seg->h * seg->w[i];
            ElvStatus status = eval_section(rod, section, s[i_node], &at, error);
            if (status != ELV_OK) {
                return status;
            }
            mass[i_node] = at.mass;
            moment[i_node] = at.moment;
            inertia[i_node] = at.inertia;
            elv_rod_add_generalised(seg, i, rod->joint.n_v, weight[i_node], &at.H, K);
            elv_rod_add_generalised(seg, i, rod->joint.n_v, weight[i_node], &at.viscosity, D);
        }
    }
    rod->s = s;
    rod->weight = weight;
    rod->mass = mass;
    rod->moment = moment;
    rod->inertia = inertia;
    rod->K = K;
    rod->D = D;
    for (size_t i = 0; i < n_v * n_v; i++) {
        rod->is_elastic = rod->is_elastic || K[i] != 0.0 || D[i] != 0.0;
    }
    return elv_rod_fluid_build(rod, pool) ? ELV_OK : no_memory(rod, error);
}

static ElvStatus
init_reference(ElvRod* rod, const ElvRodDef* def, ElvLawSet* laws, ElvError* error) {
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        ElvStatus status = elv_law_set_add(laws, &def->reference[strain], ELV_LAW_OF_S, rod->name,
                                           "reference", &rod->reference[strain], error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

// what is taken as it is given
static void init_plain(ElvRod* rod, const ElvRodDef* def, const ElvRodFields* fields) {
    rod->space = def->space;
    rod->joint.ops = def->space == ELV_SPACE_SPECTRAL ? &ELV_SPECTRAL_OPS : &ELV_ROD_OPS;
    rod->name = def->name;
    rod->length = def->length;
    rod->distributed = fields->distributed;
    rod->n_distributed = fields->n_distributed;
    rod->medium = fields->fluid;
    rod->fluid_def = def->fluid;
    rod->keeps_volume = def->keeps_volume;
    memcpy(rod->resistance_def, def->resistance, sizeof rod->resistance_def);
    memcpy(rod->added_def, def->added_inertia, sizeof rod->added_def);
    rod->t_from = fields->t_from;
    rod->t_to = fields->t_to;
}

ElvStatus elv_rod_build(ElvRod* rod,
                        const ElvRodDef* def,
                        const double* station,
                        int n_station,
                        const ElvRodFields* fields,
                        ElvLawSet* laws,
                        ElvError* error) {
    memset(rod, 0, sizeof *rod);
    init_plain(rod, def, fields);
    rod->station = station;
    rod->joint.n_port = n_station;
    ElvCrossSection* section = elv_pool_take(laws->pool, 1, sizeof *section);
    if (!section) {
        return no_memory(rod, error);
    }
    rod->section = section;
    ElvStatus status = init_reference(rod, def, laws, error);
    if (status == ELV_OK) {
        status = elv_rod_motion_laws(rod, def, laws, error);
    }
    if (status == ELV_OK) {
        status = init_elements(rod, def, laws, error);
    }
    if (status == ELV_OK) {
        status = elv_rod_motion_build(rod, laws->pool, error);
    }
    if (status == ELV_OK) {
        status = elv_cross_section_init(section, def, laws, error);
    }
    if (status == ELV_OK) {
        status = init_segments(rod, section, fields, laws->pool, error);
    }
    if (status == ELV_OK) {
        status = init_nodes(rod, def, section, laws->pool, error);
    }
    if (status == ELV_OK) {
        status = elv_rod_active_build(rod, fields, laws->pool, error);
    }
    return status == ELV_OK ? elv_rod_initial(rod, def, laws, error) : status;
}
