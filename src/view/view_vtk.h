// SPDX-License-Identifier: Apache-2.0
// One record as VTK polygonal data in XML.
#ifndef ELVER_VIEW_VIEW_VTK_H
#define ELVER_VIEW_VIEW_VTK_H

#include "view/view.h"
#include "view/view_bytes.h"
#include "view/view_file.h"
#include "view/view_mesh.h"

/// Files of a record.
enum { ELV_VTK_RODS, ELV_VTK_BODIES, ELV_VTK_PATHS, ELV_N_VTK };
extern const char* const ELV_VTK_NAMES[ELV_N_VTK];

/// The text of a file; false where the view has nothing of that kind. mesh: of the bodies (n_body).
bool elv_vtk_describe(const ElvView* view,
                      int kind,
                      const ElvMesh* mesh,
                      const ElvViewPicture* picture,
                      ElvBytes* text);

#endif
