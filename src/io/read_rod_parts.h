// SPDX-License-Identifier: Apache-2.0
// Parts of a rod in model files: cross-section, material, 6x6 matrices, strains and their modes.
#ifndef ELVER_IO_READ_ROD_PARTS_H
#define ELVER_IO_READ_ROD_PARTS_H

#include "io/read_context.h"

/// {circle: {diameter: …}}, {tube: {outer: …, inner: …}}, {ellipse: …}, {rectangle: …} or
/// {explicit: …}, with torsion and shear_factor beside the shape.
bool elv_read_section(ElvReader* reader, const ElvYaml* node, ElvSectionDef* section);

/// The name of one of the file's materials, or a map {density: …, young: …, …}.
bool elv_read_material(ElvReader* reader, const ElvYaml* node, ElvMaterialDef* material);

/// A map of materials by name: every one is checked, used or not.
bool elv_read_materials(ElvReader* reader, const ElvYaml* node);

/// Diagonal (list of 6) or full matrix (6 lists of 6) of numbers or laws of s.
bool elv_read_matrix(ElvReader* reader, const ElvYaml* node, ElvMatrixDef* matrix);

/// A map of laws by strain name; is_given (which may be NULL) tells which strains it names.
bool elv_read_strain_laws(ElvReader* reader,
                          const ElvYaml* node,
                          unsigned variables,
                          ElvLawDef law[ELV_N_STRAIN],
                          bool is_given[ELV_N_STRAIN]);

/// strain, basis and nodes of an element of a rod; map is the rod itself or an item of elements.
bool elv_read_modes(ElvReader* reader, const ElvYaml* map, ElvElementDef* element);

/// The key 'follow' of a rod: imposed bends that its sections carry along one path. After its length, elements and
/// reference.
bool elv_read_follow(ElvReader* reader, const ElvYaml* map, ElvRodDef* rod);

#endif
