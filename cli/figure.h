// SPDX-License-Identifier: Apache-2.0
// Figures and tables of the papers as data: which examples to run, with which values, and what to draw of them. The
// tables are in figures_*.c, one file a paper or chapter; figure_*.c runs and draws any of them.
#ifndef ELVER_CLI_FIGURE_H
#define ELVER_CLI_FIGURE_H

#include "reproduce.h"

enum {
    FIGURE_RUNS = 6,
    FIGURE_PANELS = 6,
    FIGURE_CURVES = 6,
    FIGURE_SETS = 8,
    FIGURE_ROWS = 14,
    FIGURE_MARKS = 2,
    FIGURE_NAME = 96
};

typedef enum {
    FIGURE_PICTURE, // curves, shapes: made from runs
    FIGURE_TABLE,   // rows, or a study that prints them
    FIGURE_DRAWING, // a sketch, a photograph, a flow chart, a list of words: nothing to compute
    FIGURE_MISSING  // it could be computed, but is not: lacks says why
} FigureKind;

typedef struct {
    const char* model; // a shipped example, "@rollup"
    const char* label; // in legends of several runs, or NULL
    bool is_static;    // by elver statics
    const char* load;  // statics: what the load is called in legends, and its unit; NULL: load
    const char* unit;
    bool is_projective; // efforts as the thesis finds them, not by a balance of power [ALI (3.85)]
    const char* set[FIGURE_SETS]; // "KEY=VALUE", up to the first NULL
} FigureRun;

typedef enum {
    PANEL_CURVES,  // signals over the time, the load, or another signal
    PANEL_SHAPES,  // rods and bodies at some times, seen along an axis
    PANEL_PROFILE, // a signal along a rod, at some times
    PANEL_BARS     // several signals at one time
} PanelKind;

/// scale (y - minus)
typedef struct {
    const char* y;     // signal of one component
    const char* label; // in the legend; NULL: none
    double scale;      // 0: 1
    const char* minus; // signal, or NULL
} FigureCurve;

/// A published point.
typedef struct {
    double x, y;
    const char* label;
} FigureMark;

typedef struct {
    PanelKind kind;
    const char* title;
    const char* x_label; // NULL: t (s), load, or the axes of the view
    const char* y_label;
    int run, n_run;   // first one, how many; 0: one
    bool is_compared; // runs lie one on the other: the first one broad, the others dashed
    double x_scale;   // of the abscissa; 0: 1

    // curves
    const char* x; // signal; NULL: time or load
    FigureCurve curve[FIGURE_CURVES];
    FigureMark mark[FIGURE_MARKS];
    double since, until; // times between which they are drawn; 0: no end

    // shapes: rods and frames that one line goes through; '|' begins another line. Bars: signals
    const char* line;
    const char* path; // shapes: frames whose path is drawn too, or NULL
    const char*
        view; // "x,-z": axes to the right and upwards; "x,y,z": in space, the last one upwards
    bool is_stretched; // shapes: scales of both axes differ

    const char* field;  // profiles: signal of one component, with * for the station
    double first, step; // shapes, profiles, bars: times or loads first + i step; bars: stations
    int n_time;         // 0: all records
    double at;          // bars: time
} FigurePanel;

typedef struct {
    const char* id;     // p23-fig6
    const char* paper;  // P23
    const char* number; // fig 6
    const char* title;
    FigureKind kind;
    int n_column;      // of panels; 0: as many as fit
    const char* facts; // what the paper says of it
    const char* ours;  // what is chosen here, and why; or NULL
    const char* lacks; // what the paper does not give, or why there is nothing; or NULL
    FigureRun run[FIGURE_RUNS];
    FigurePanel panel[FIGURE_PANELS];
    const char* row[FIGURE_ROWS]; // tables: cells between '|', the first row is the head
    int (*study)(const ReproduceOptions* options); // prints more on stdout, or NULL
    bool has_files;                                // the study takes -o FILE.csv
} Figure;

/// The figures of one paper or chapter.
typedef struct {
    const char* paper;
    const char* title;
    const Figure* figure; // (n)
    int n;
} FigureList;

extern const FigureList FIGURES_P20, FIGURES_P23, FIGURES_OCP, FIGURES_RKMK;
extern const FigureList FIGURES_ALI4, FIGURES_ALI6, FIGURES_ALI8;

// ---- figures.c

/// The lists, the last one NULL.
extern const FigureList* const FIGURE_LISTS[];

int figure_count(void);

/// The i-th of all figures.
const Figure* figure_at(int i);

/// By name, or NULL.
const Figure* figure_find(const char* id);
int figure_n_run(const Figure* figure);
int figure_n_panel(const Figure* figure);

/// "figure", "table", "drawing", "missing".
const char* figure_kind_text(FigureKind kind);

/// The command line behind a run.
void figure_print_command(FILE* stream, const FigureRun* run);

// ---- figure_ask.c, figure_run.c

/// A rod whose shape is drawn.
typedef struct {
    char name[FIGURE_NAME];
    int i_node;
} FigureRod;

/// What one run recorded: time or load, signals a column a component, then x, y, z of the stations of rods.
typedef struct {
    char (*name)[FIGURE_NAME]; // of the signals asked for: (n_name)
    int* column;               // where each begins
    int n_name, n_column;
    FigureRod* rod; // (n_rod)
    int n_rod;
    double* value; // (n_record x width)
    int n_record, n_room;
} FigureData;

/// Ask for a signal of one component, or of three if it ends in ".position". Returns false without memory.
bool figure_ask(FigureData* data, const char* signal);

/// First column of a signal that was asked for; 0 is the time.
int figure_column(const FigureData* data, const char* signal);

/// Ask for all that the panels of a figure draw of a run. model: which names are rods.
bool figure_ask_all(const Figure* figure, int run, const ElvModel* model, FigureData* data);

/// Numbers a record.
size_t figure_width(const FigureData* data);

/// First column of the stations of a rod; 0: it is none, or was not asked for.
int figure_rod_column(const FigureData* data, const char* name);

/// Run, and fill data. view: an HTML file to write, or NULL. Prints why it fails and returns an exit code.
int figure_run(const Figure* figure, int run, const char* view, FigureData* data);

/// Whether a run loads and has all signals that are drawn of it, without running it. Returns an exit code.
int figure_check(const Figure* figure, int run);
void figure_data_free(FigureData* data);

// ---- figure_walk.c: the words of a line of shapes

enum { FIGURE_STATIONS = 41, FIGURE_POINTS = 101 };

/// The next word of a text, in words between blanks; returns what follows, or NULL at the end.
const char* figure_word(const char* text, char word[FIGURE_NAME]);

/// A field with its station put in, i of FIGURE_POINTS.
void figure_field(const char* field, int i, char signal[FIGURE_NAME]);
double figure_point(int i);

// ---- figure_series.c: what is drawn

typedef enum { SERIES_LINE, SERIES_TIME, SERIES_PATH, SERIES_BARS, SERIES_MARK } SeriesStyle;

typedef struct {
    int panel;
    SeriesStyle style;
    int index;       // of lines: colour and dash
    int layer;       // of lines: 0 alone, 1 broad, 2 and more dashed
    double fraction; // of shapes: 0 early, 1 late
    bool has_key;    // named in the legend
    char label[FIGURE_NAME];
    double* x; // (n)
    double* y; // (n)
    int n, n_room;
} FigureSeries;

typedef struct {
    FigureSeries* series; // (n)
    int n;
} FigureDrawing;

/// Returns false without memory.
bool figure_build(const Figure* figure, const FigureData* data, FigureDrawing* drawing);
void figure_drawing_free(FigureDrawing* drawing);

/// Axes of a view: right and up as rows; returns whether it is one in space.
bool figure_view(const char* view, double row[2][3]);

// ---- figure_draw.c

/// Panels side by side.
int figure_n_column(const Figure* figure);

/// Width and height of the picture.
void figure_size(const Figure* figure, int size[2]);

/// Draw as SVG. Prints why it fails and returns an exit code.
int figure_draw(const Figure* figure, const FigureDrawing* drawing, const char* path);

// ---- figure_make.c

/// Make the files of a figure in a folder: ID.svg, ID.csv, ID.html, ID.txt, whatever it has. has_text: what a study prints
/// goes to a file as well. Prints why it fails and returns an exit code.
int figure_make(const Figure* figure, const char* folder, bool is_quick, bool has_text);

/// FOLDER/ID.ENDING
void figure_path(const Figure* figure, const char* folder, const char* ending, char path[CLI_PATH]);
bool figure_has_file(const Figure* figure, const char* folder, const char* ending);

// ---- figure_gallery.c

/// All figures in a folder, and index.html, which shows them. Returns an exit code.
int figure_make_all(const char* folder);

/// Write the page for what the folder has. Prints why it fails.
int figure_write_gallery(const char* folder);

#endif
