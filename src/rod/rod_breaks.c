// SPDX-License-Identifier: Apache-2.0
// Where a rod is cut into smooth segments: at element ends, at knots of piecewise bases, at ports, where a
// law of the section, of the reference strain or of a field jumps, and where a field or a fibre begins or
// ends.
#include "rod/rod_segment.h"

#include "base/sort.h"
#include "rod/fibre.h"

#include <math.h>

typedef struct {
    double* value;
    int n;
    bool is_full;
} BreakList;

static void add_break(BreakList* list, double s) {
    if (list->n >= ELV_MAX_BREAKS) {
        list->is_full = true;
        return;
    }
    if (s >= 0.0 && s <= 1.0) {
        list->value[list->n++] = s;
    }
}

static void add_law_breaks(BreakList* list, const ElvLaw* law) {
    if (law && !list->is_full) {
        size_t room = (size_t)(ELV_MAX_BREAKS - list->n);
        size_t n = elv_law_breakpoints(law, ELV_VARIABLE_S, 0.0, 1.0, list->value + list->n, room);
        list->is_full = n > room;
        list->n += (int)(n < room ? n : room);
    }
}

static void add_field_breaks(BreakList* list, const ElvRodField* field, int n_field) {
    for (int i = 0; i < n_field; i++) {
        add_break(list, field[i].from);
        add_break(list, field[i].to);
        for (int k = 0; k < 6; k++) {
            add_law_breaks(list, field[i].law[k]);
        }
    }
}

static void add_laws_breaks(BreakList* list, const ElvLaw* const* law, int n_law) {
    for (int i = 0; i < n_law; i++) {
        add_law_breaks(list, law[i]);
    }
}

// internal actuation: where it begins, ends, goes round, or one of its laws jumps
static void add_active_breaks(BreakList* list, const ElvRodFields* fields) {
    add_field_breaks(list, fields->stress, fields->n_stress);
    for (int i = 0; i < fields->n_fibre; i++) {
        const ElvRodFibre* fibre = &fields->fibre[i];
        const ElvLaw* const law[4] = {fibre->y, fibre->z, fibre->profile, fibre->activation};
        int n_piece = elv_fibre_pieces(fibre);
        for (int piece = 0; piece < n_piece; piece++) {
            add_break(list, fibre->from + (fibre->to - fibre->from) * piece / n_piece);
        }
        add_break(list, fibre->to);
        add_laws_breaks(list, law, 4);
    }
    for (int i = 0; i < fields->n_control; i++) {
        const ElvRodControl* control = &fields->control[i];
        add_break(list, control->from);
        add_break(list, control->to);
        add_laws_breaks(list, control->kp, ELV_N_STRAIN);
        add_laws_breaks(list, control->kd, ELV_N_STRAIN);
        add_laws_breaks(list, control->target, ELV_N_STRAIN);
    }
    for (int i = 0; i < fields->n_law; i++) {
        add_break(list, fields->law[i].from);
        add_break(list, fields->law[i].to);
    }
}

// the knots of mode shapes given by values, where their third derivatives jump
static void
add_table_breaks(BreakList* list, const ElvRodElement* element, const ElvStrainBasis* basis) {
    for (int m = 0; m < basis->n_mode && basis->kind == ELV_BASIS_TABLE; m++) {
        int first = list->n;
        add_law_breaks(list, basis->shape[m]);
        for (int i = first; i < list->n; i++) {
            list->value[i] = element->s0 + (element->s1 - element->s0) * list->value[i];
        }
    }
}

static void add_element_breaks(BreakList* list, const ElvRodElement* element) {
    add_break(list, element->s1);
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        add_table_breaks(list, element, &element->basis[strain]);
        int n_piece = elv_strain_basis_pieces(&element->basis[strain]);
        for (int piece = 1; piece < n_piece && element->basis[strain].n_mode > 0; piece++) {
            add_break(list, element->s0 + (element->s1 - element->s0) * piece / n_piece);
        }
    }
}

int elv_rod_breaks(const ElvRod* rod,
                   const ElvCrossSection* section,
                   const ElvRodFields* fields,
                   double* breaks) {
    BreakList list = {breaks, 0, false};
    add_break(&list, 0.0);
    for (int i = 0; i < rod->n_element; i++) {
        add_element_breaks(&list, &rod->element[i]);
    }
    for (int i = 0; i < rod->joint.n_port; i++) {
        add_break(&list, rod->station[i]);
    }
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        add_law_breaks(&list, rod->reference[strain]);
        add_law_breaks(&list, rod->motion[strain]);
    }
    add_field_breaks(&list, fields->distributed, fields->n_distributed);
    add_active_breaks(&list, fields);
    size_t room = (size_t)(ELV_MAX_BREAKS - list.n);
    list.n += (int)elv_cross_section_breakpoints(section, breaks + list.n, room);
    if (list.is_full || list.n >= ELV_MAX_BREAKS) {
        return -1;
    }
    elv_sort_doubles(breaks, (size_t)list.n);
    int n = 1;
    for (int i = 1; i < list.n; i++) {
        if (!elv_same_station(breaks[i], breaks[n - 1])) {
            breaks[n++] = breaks[i];
        }
    }
    breaks[n - 1] = 1.0;
    return n;
}
