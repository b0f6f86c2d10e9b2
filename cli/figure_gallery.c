// SPDX-License-Identifier: Apache-2.0
// `elver reproduce all`: every figure and table in a folder, and a page that shows them: picture, what the paper says of
// it, what is chosen here, what the paper leaves open, the commands. The page is HTML that is XML as well.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "figure.h"
#include "progress.h"

#include <errno.h>
#include <string.h>

// ---- text

static void put_text(FILE* stream, const char* text, size_t n) {
    for (size_t i = 0; i < n && text[i]; i++) {
        switch (text[i]) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(text[i], stream);
            break;
        }
    }
}

static void put(FILE* stream, const char* text) {
    put_text(stream, text, strlen(text));
}

static void put_paragraph(FILE* stream, const char* head, const char* text) {
    if (text) {
        fprintf(stream, "<p><b>%s</b> ", head);
        put(stream, text);
        fputs("</p>\n", stream);
    }
}

static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\"/>\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
    "<title>Figures and tables of the papers</title>\n"
    "<style>\n"
    ":root{color-scheme:light dark;--ink:#1a202c;--paper:#fff;--soft:#5a6472;--line:#e2e8f0;"
    "--link:#2b6cb0;--back:#f7f8fa}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--paper:#1b1f27;--soft:#9aa5b1;"
    "--line:#333b47;--link:#7db3ea;--back:#12151b}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:76rem;padding:2rem 1rem;background:var(--back);"
    "color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
    "a{color:var(--link)}h1,h2,h3{line-height:1.25}h2{margin-top:3rem}\n"
    "article{background:var(--paper);border:1px solid var(--line);border-radius:8px;"
    "padding:1rem 1.25rem;margin:1rem 0}\n"
    "article.line{padding:.5rem 1.25rem}article.line p{margin:.25rem 0}\n"
    "h3{margin:.25rem 0 .5rem}h3 small{color:var(--soft);font-weight:400}\n"
    "img{display:block;max-width:100%;height:auto;margin:0 auto;background:#fff;"
    "border-radius:4px}\n"
    "pre{overflow:auto;background:var(--back);border-radius:4px;padding:.5rem .75rem;"
    "font-size:.8rem}\n"
    "table{border-collapse:collapse;margin:.5rem 0}th,td{text-align:left;padding:.2rem .8rem "
    ".2rem 0;border-bottom:1px solid var(--line)}\n"
    "p{margin:.5rem 0}nav ul{columns:18rem;list-style:none;padding:0}\n"
    "</style>\n"
    "</head>\n"
    "<body>\n"
    "<h1>Figures and tables of the papers</h1>\n"
    "<p>Made by <code>elver reproduce all</code> from the shipped examples.</p>\n";

// ---- parts of an entry

// whether an entry only says why there is nothing
static bool is_line(const Figure* figure) {
    return figure->kind == FIGURE_DRAWING || figure->kind == FIGURE_MISSING;
}

static void put_rows(FILE* stream, const Figure* figure) {
    if (!figure->row[0]) {
        return;
    }
    fputs("<table>\n", stream);
    for (int i = 0; i < FIGURE_ROWS && figure->row[i]; i++) {
        const char* cell = i == 0 ? "th" : "td";
        fputs("<tr>", stream);
        for (const char* at = figure->row[i]; at;) {
            size_t n = strcspn(at, "|");
            fprintf(stream, "<%s>", cell);
            put_text(stream, at, n);
            fprintf(stream, "</%s>", cell);
            at = at[n] ? at + n + 1 : NULL;
        }
        fputs("</tr>\n", stream);
    }
    fputs("</table>\n", stream);
}

// a text that a study has printed
static void put_study(FILE* stream, const Figure* figure, const char* folder) {
    char path[CLI_PATH];
    char line[512];
    figure_path(figure, folder, ".txt", path);
    FILE* text = fopen(path, "rb");
    if (!text) {
        return;
    }
    fputs("<pre>", stream);
    while (fgets(line, sizeof line, text)) {
        put(stream, line);
    }
    fputs("</pre>\n", stream);
    fclose(text);
}

static void put_commands(FILE* stream, const Figure* figure) {
    // studies are made here in their short form
    fprintf(stream, "<pre>elver reproduce %s%s\n", figure->id, figure->study ? " --quick" : "");
    for (int i = 0; i < figure_n_run(figure); i++) {
        char line[2048] = "";
        FILE* memory = fmemopen(line, sizeof line - 1, "w");
        if (memory) {
            figure_print_command(memory, &figure->run[i]);
            fclose(memory);
        }
        put(stream, line);
        fputc('\n', stream);
    }
    fputs("</pre>\n", stream);
}

static void put_files(FILE* stream, const Figure* figure, const char* folder) {
    static const struct {
        const char* ending;
        const char* text;
    } file[] = {
        {".svg", "picture"}, {".csv", "numbers"}, {".html", "view in 3D"}, {".txt", "text"}};
    bool has_any = false;
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        if (figure_has_file(figure, folder, file[i].ending)) {
            fprintf(stream, "%s<a href=\"%s%s\">%s</a>", has_any ? " &#183; " : "<p>", figure->id,
                    file[i].ending, file[i].text);
            has_any = true;
        }
    }
    fputs(has_any ? "</p>\n" : "", stream);
}

static void put_picture(FILE* stream, const Figure* figure, const char* folder) {
    if (figure_n_panel(figure) == 0) {
        return;
    }
    if (!figure_has_file(figure, folder, ".svg")) {
        fputs("<p><b>There is no picture:</b> it could not be made.</p>\n", stream);
        return;
    }
    fprintf(stream, "<a href=\"%s.svg\"><img loading=\"lazy\" src=\"%s.svg\" alt=\"", figure->id,
            figure->id);
    put(stream, figure->title);
    fputs("\"/></a>\n", stream);
}

static void put_figure(FILE* stream, const Figure* figure, const char* folder) {
    bool has_nothing = is_line(figure);
    fprintf(stream, "<article id=\"%s\" class=\"%s%s\">\n<h3>", figure->id,
            figure_kind_text(figure->kind), has_nothing ? " line" : "");
    put(stream, figure->title);
    fprintf(stream, " <small>[%s %s]</small></h3>\n", figure->paper, figure->number);
    put_picture(stream, figure, folder);
    put_rows(stream, figure);
    put_study(stream, figure, folder);
    put_paragraph(stream, "The paper:", figure->facts);
    put_paragraph(stream, "Here:", figure->ours);
    const char* label = figure->kind == FIGURE_DRAWING   ? "A drawing:"
                        : figure->kind == FIGURE_MISSING ? "Not made:"
                                                         : "Not given:";
    put_paragraph(stream, label, figure->lacks);
    if (!has_nothing) {
        put_files(stream, figure, folder);
        put_commands(stream, figure);
    }
    fputs("</article>\n", stream);
}

// ---- the page

static void put_contents(FILE* stream) {
    fputs("<nav>\n<ul>\n", stream);
    for (int i = 0; FIGURE_LISTS[i]; i++) {
        int n[4] = {0};
        for (int k = 0; k < FIGURE_LISTS[i]->n; k++) {
            n[FIGURE_LISTS[i]->figure[k].kind]++;
        }
        fprintf(stream, "<li><a href=\"#list%d\">", i);
        put(stream, FIGURE_LISTS[i]->paper);
        fprintf(stream, "</a>: %d figures, %d tables, %d drawings, %d not made</li>\n", n[0], n[1],
                n[2], n[3]);
    }
    fputs("</ul>\n</nav>\n", stream);
}

static void put_page(FILE* stream, const char* folder) {
    fputs(head, stream);
    put_contents(stream);
    for (int i = 0; FIGURE_LISTS[i]; i++) {
        fprintf(stream, "<h2 id=\"list%d\">", i);
        put(stream, FIGURE_LISTS[i]->paper);
        fputs(": ", stream);
        put(stream, FIGURE_LISTS[i]->title);
        fputs("</h2>\n", stream);
        for (int k = 0; k < FIGURE_LISTS[i]->n; k++) {
            put_figure(stream, &FIGURE_LISTS[i]->figure[k], folder);
        }
    }
    fputs("</body>\n</html>\n", stream);
}

int figure_write_gallery(const char* folder) {
    char path[CLI_PATH];
    char part[CLI_PATH + 8];
    snprintf(path, sizeof path, "%.4000s/index.html", folder);
    snprintf(part, sizeof part, "%s.part", path);
    FILE* stream = fopen(part, "wb");
    if (!stream) {
        return cli_complain("reproduce", CLI_FAILED, "cannot write '%s': %s", path,
                            strerror(errno));
    }
    put_page(stream, folder);
    bool is_good = ferror(stream) == 0;
    is_good = fclose(stream) == 0 && is_good;
    if (is_good && rename(part, path) == 0) {
        return CLI_DONE;
    }
    remove(part);
    return cli_complain("reproduce", CLI_FAILED, "cannot write '%s'", path);
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
        if (is_line(figure_at(i))) {
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
    printf("%s/index.html has %d figures and tables, and %d lines on what is not made\n", folder,
           n_made, n_line);
    if (cli_is_interrupted()) {
        return cli_complain("reproduce", CLI_FAILED, "interrupted; what was made is kept");
    }
    return failed[0] ? cli_complain("reproduce", CLI_FAILED, "failed:%s", failed) : CLI_DONE;
}
