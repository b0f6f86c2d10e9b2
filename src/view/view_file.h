// SPDX-License-Identifier: Apache-2.0
// Formats of moving pictures behind elv_view_file_...: each is a table of functions, found by the ending of the path
// (view_file.c). A writer puts everything under temporary names and gives it its final name in close.
//
// view_file.c checks the order of calls: begin comes before append, and no more often than max_trajectory; close comes
// after at least one begin, though maybe without any record. After a failure there is nothing but discard. Times come as
// they are: a writer that needs them to grow leaves records out. Equilibria come at times of their own, ten a second.
#ifndef ELVER_VIEW_VIEW_FILE_H
#define ELVER_VIEW_VIEW_FILE_H

#include "view/view.h"

/// A record on its way into a file.
typedef struct {
    double t;            // s
    double load;         // of an equilibrium
    const double* value; // (n_value of the view), all finite
    bool is_left_out;    // by the writer
} ElvViewPicture;

typedef struct {
    const char* ending; // of paths, with its dot: ".glb"; letter case does not matter
    int max_trajectory; // how many a file can hold

    /// Check that the file can be made, and open what is needed. *writer is NULL after a failure.
    ElvStatus (*create)(const char* path, void** writer, ElvError* error);

    /// The view stays valid until the next begin, close or discard. title: may be NULL.
    ElvStatus (*begin)(void* writer, const ElvView* view, const char* title, ElvError* error);

    ElvStatus (*append)(void* writer, ElvViewPicture* picture, ElvError* error);

    /// Finish and free the writer, also when it fails; no temporary file is left. A series takes its place file by file,
    /// its list last: a failure within leaves files of it beside those of the series before.
    ElvStatus (*close)(void* writer, ElvError* error);

    /// Free the writer and remove what it has written.
    void (*discard)(void* writer);
} ElvViewFileOps;

extern const ElvViewFileOps ELV_VIEW_HTML; // view_html.c
extern const ElvViewFileOps ELV_VIEW_GLTF; // view_gltf.c
extern const ElvViewFileOps ELV_VIEW_VTK;  // view_vtk.c

#endif
