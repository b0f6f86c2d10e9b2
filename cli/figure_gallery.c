// SPDX-License-Identifier: Apache-2.0
// `elver reproduce all`: every figure and table in a folder, and a page that shows them: small pictures to jump by, then paper
// by paper what is computed, and what is only drawn folded away. The page is HTML that is XML as well.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "figure_card.h"
#include "progress.h"

#include <string.h>

// ---- parts of the page

// how many of a kind there are; whether something stands before it
static bool put_count(FILE* stream, int n, const char* one, const char* many, bool has_before) {
    if (n > 0) {
        fprintf(stream, "%s%d %s", has_before ? ", " : "", n, n == 1 ? one : many);
    }
    return has_before || n > 0;
}

static void put_counts(FILE* stream, const FigureList* list) {
    int n[4] = {0};
    for (int k = 0; k < list->n; k++) {
        n[list->figure[k].kind]++;
    }
    bool has_any = put_count(stream, n[FIGURE_PICTURE], "figure", "figures", false);
    has_any = put_count(stream, n[FIGURE_TABLE], "table", "tables", has_any);
    has_any = put_count(stream, n[FIGURE_DRAWING], "drawing", "drawings", has_any);
    (void)put_count(stream, n[FIGURE_MISSING], "not made", "not made", has_any);
}

static void put_bar(FILE* stream) {
    fputs("<nav class=\"bar\" aria-label=\"Papers\"><ul>\n<li><a href=\"#top\">Overview</a></li>\n",
          stream);
    for (int i = 0; FIGURE_LISTS[i]; i++) {
        fprintf(stream, "<li><a href=\"#list%d\">", i);
        figure_put(stream, FIGURE_LISTS[i]->paper);
        fputs("</a></li>\n", stream);
    }
    fputs("</ul></nav>\n", stream);
}

// small pictures of the figures of a paper that are there
static void put_thumbs(FILE* stream, int i, const char* folder) {
    const FigureList* list = FIGURE_LISTS[i];
    bool has_any = false;
    for (int k = 0; k < list->n; k++) {
        const Figure* figure = &list->figure[k];
        if (figure_n_panel(figure) == 0 || !figure_has_file(figure, folder, ".svg")) {
            continue;
        }
        if (!has_any) {
            fprintf(stream, "<p class=\"group\"><a href=\"#list%d\">", i);
            figure_put(stream, list->paper);
            fputs("</a> <small>", stream);
            figure_put(stream, list->title);
            fputs("</small></p>\n<ul class=\"thumbs\">\n", stream);
            has_any = true;
        }
        fprintf(stream,
                "<li><a href=\"#%s\"><i class=\"n%d\"><img loading=\"lazy\" src=\"%s.svg\" "
                "alt=\"\"/></i><span><b>%s</b> ",
                figure->id, figure_n_column(figure), figure->id, figure->number);
        figure_put(stream, figure->title);
        fputs("</span></a></li>\n", stream);
    }
    fputs(has_any ? "</ul>\n" : "", stream);
}

// what is computed of a paper, to jump to
static void put_contents(FILE* stream, const FigureList* list) {
    fputs("<ul class=\"contents\">\n", stream);
    for (int k = 0; k < list->n; k++) {
        const Figure* figure = &list->figure[k];
        if (!figure_is_line(figure)) {
            fprintf(stream, "<li><b>%s</b> <a href=\"#%s\">", figure->number, figure->id);
            figure_put(stream, figure->title);
            fputs("</a></li>\n", stream);
        }
    }
    fputs("</ul>\n", stream);
}

// ---- the page

// what is computed first; drawings folded away at the end
static void put_paper(FILE* stream, int i, const char* folder) {
    const FigureList* list = FIGURE_LISTS[i];
    int n_line = 0;
    fprintf(stream, "<section>\n<h2 id=\"list%d\"><small>", i);
    figure_put(stream, list->paper);
    fputs("</small>", stream);
    figure_put(stream, list->title);
    fputs("</h2>\n<p class=\"count\">", stream);
    put_counts(stream, list);
    fputs("</p>\n", stream);
    for (int k = 0; k < list->n; k++) {
        n_line += figure_is_line(&list->figure[k]);
    }
    if (n_line < list->n) {
        put_contents(stream, list);
    }
    for (int k = 0; k < list->n; k++) {
        if (!figure_is_line(&list->figure[k])) {
            figure_put_card(stream, &list->figure[k], folder);
        }
    }
    if (n_line > 0) {
        fprintf(stream, "<details><summary>%d %s with nothing to compute</summary>\n", n_line,
                n_line == 1 ? "entry" : "entries");
        for (int k = 0; k < list->n; k++) {
            if (figure_is_line(&list->figure[k])) {
                figure_put_card(stream, &list->figure[k], folder);
            }
        }
        fputs("</details>\n", stream);
    }
    fputs("</section>\n", stream);
}

static void put_page(FILE* stream, const char* folder) {
    for (int i = 0; FIGURE_HEAD[i]; i++) {
        fputs(FIGURE_HEAD[i], stream);
    }
    fputs("<header>\n<h1>Figures and tables of the papers</h1>\n"
          "<p>Every figure that can be computed, made by <code>elver reproduce all</code> from the "
          "shipped "
          "examples: the picture, its numbers, the motion in 3D, what the paper says and what had "
          "to be "
          "chosen. Shapes go from blue to orange as time goes on.</p>\n</header>\n",
          stream);
    put_bar(stream);
    fputs("<main>\n", stream);
    for (int i = 0; FIGURE_LISTS[i]; i++) {
        put_thumbs(stream, i, folder);
    }
    for (int i = 0; FIGURE_LISTS[i]; i++) {
        put_paper(stream, i, folder);
    }
    fputs("</main>\n</body>\n</html>\n", stream);
}

int figure_write_gallery(const char* folder) {
    char path[CLI_PATH];
    CliFile file;
    snprintf(path, sizeof path, "%.4000s/index.html", folder);
    int code = cli_file_begin("reproduce", path, &file);
    if (code == CLI_DONE) {
        put_page(file.stream, folder);
        code = cli_file_end(&file);
    }
    return code;
}

// ---- all of them

// the i-th; prints a line
static int make_one(int i, const char* folder) {
    const Figure* figure = figure_at(i);
    double start = cli_clock();
    // files of an earlier run must not stand for this one
    static const char* const ending[] = {".svg", ".csv", ".html", ".txt"};
    for (size_t k = 0; k < sizeof ending / sizeof ending[0]; k++) {
        char path[CLI_PATH];
        figure_path(figure, folder, ending[k], path);
        (void)remove(path);
    }
    int code = figure_make(figure, folder, true, true);
    printf("%3d/%d  %-14s %6.2f s  %s\n", i + 1, figure_count(), figure->id, cli_clock() - start,
           code == CLI_DONE ? figure->title : "failed");
    fflush(stdout);
    return code;
}

int figure_make_all(const char* folder) {
    char failed[1024] = "";
    int n_made = 0;
    int n_line = 0;
    for (int i = 0; i < figure_count() && !cli_is_interrupted(); i++) {
        if (figure_is_line(figure_at(i))) {
            n_line++;
            continue;
        }
        int code = make_one(i, folder);
        size_t n = strlen(failed);
        if (code != CLI_DONE && n < sizeof failed) {
            snprintf(failed + n, sizeof failed - n, " %s", figure_at(i)->id);
        }
        n_made += code == CLI_DONE;
    }
    int code = figure_write_gallery(folder);
    if (code != CLI_DONE) {
        return code;
    }
    printf("%s/index.html has %d figures and tables, and %d entries with nothing to compute\n",
           folder, n_made, n_line);
    if (cli_is_interrupted()) {
        return cli_complain("reproduce", CLI_FAILED, "interrupted; what was made is kept");
    }
    return failed[0] ? cli_complain("reproduce", CLI_FAILED, "failed:%s", failed) : CLI_DONE;
}
