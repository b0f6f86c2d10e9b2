// SPDX-License-Identifier: Apache-2.0
// What there is to see of a model: rods with their sections, bodies, tendons, forces, as numbers that a viewer, a
// glTF or a VTK file can show. The geometry that stays is a description (JSON); what moves is one
// vector of numbers a record. docs/viewer.md has both, and the file and live formats built on them.
#ifndef ELVER_VIEW_H
#define ELVER_VIEW_H

#include "elver/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What is drawn of a model, with scratch buffers: one per thread.
typedef struct ElvView ElvView;

typedef struct {
    int stations; // sections drawn of each rod, 2 to ELV_VIEW_STATIONS_MAX; 0: 17, or 9 of more than 24 rods
    bool has_strain;           // the strains of rods as fields to colour them by, default true
    bool has_stress;           // their internal wrenches, default true
    bool has_forces;           // loads, contact forces, reactions of loops as arrows, default true
    const char* const* signal; // curves beside the picture: (n_signal)
    int n_signal;              // below 0: those of the model's record, the default
    bool is_statics;           // records are equilibria, and their times loads, default false
} ElvViewOptions;

enum { ELV_VIEW_STATIONS_MAX = 257 };

ELV_API ElvViewOptions elv_view_options_default(void);

/// options: NULL for the default. A bad signal is an error as in elv_signals_create. The model must outlive the view.
ELV_API ELV_NODISCARD ElvStatus elv_view_create(const ElvModel* model,
                                                const ElvViewOptions* options,
                                                ElvView** view,
                                                ElvError* error);
ELV_API void elv_view_free(ElvView* view);

/// Numbers a record.
ELV_API int elv_view_n_value(const ElvView* view);

/// The description as JSON text (free with elv_text_free).
ELV_API ELV_NODISCARD ElvStatus elv_view_describe(const ElvView* view,
                                                  char** json,
                                                  ElvError* error);

/// The numbers of a state (n_value); call it after elv_idm on the same state, or in a record of
/// elv_simulate. Quaternions have the sign that is nearer to the last call's. What is not finite is written as 0.
/// Allocates nothing.
ELV_API void elv_view_eval(
    ElvView* view, const ElvModel* model, ElvData* data, const ElvState* state, double* value);

/// A page is to stay small enough to send: up to 3 million numbers (about one byte each in the file) it has every
/// record, above that every n-th, n being returned, but all of 600 records, and of more at least 300.
ELV_API long elv_view_stride(const ElvView* view, double n_record);

// ---- files

/// A file of moving pictures. The ending of its name says what: .html, the viewer with everything in it; .glb, glTF
/// with animated nodes and skins; .pvd, a series for ParaView, with a folder of .vtp files beside it.
typedef struct ElvViewFile ElvViewFile;

/// Written under a temporary name, and there when it is closed; only of .pvd the files in the folder take their places one
/// after the other, the list last, so that a failure within leaves files of the new series beside those of an old one.
ELV_API ELV_NODISCARD ElvStatus elv_view_file_create(const char* path,
                                                     ElvViewFile** file,
                                                     ElvError* error);

/// Begin a trajectory. An HTML file may hold several, the later ones shown as ghosts of the first; others hold
/// one. The view must live until the next one is begun or the file is closed. title: may be NULL.
ELV_API ELV_NODISCARD ElvStatus elv_view_file_begin(ElvViewFile* file,
                                                    const ElvView* view,
                                                    const char* title,
                                                    ElvError* error);

/// A record of it at time t, of equilibria at load t. Loads may go back: equilibria follow each other ten a second, and
/// pages and series tell their loads. A .glb file leaves out records whose time does not grow. A failure here or in begin
/// stays: what follows fails alike.
ELV_API ELV_NODISCARD ElvStatus elv_view_file_append(ElvViewFile* file,
                                                     double t,
                                                     const double* value,
                                                     ElvError* error);

/// Records that are in the file, of all trajectories.
ELV_API long elv_view_file_n_picture(const ElvViewFile* file);

/// Finish the file and free it, also when it fails.
ELV_API ELV_NODISCARD ElvStatus elv_view_file_close(ElvViewFile* file, ElvError* error);

/// Leave without writing anything.
ELV_API void elv_view_file_discard(ElvViewFile* file);

/// The page itself, without data, in two pieces of HTML text in static memory: what comes before the data, of *n_head
/// characters, is returned; what comes behind them is *tail, of *n_tail characters.
ELV_API const char* elv_view_page(size_t* n_head, const char** tail, size_t* n_tail);

#ifdef __cplusplus
}
#endif

#endif
