// SPDX-License-Identifier: Apache-2.0
// A card of the page of `elver reproduce all`: picture, what the paper says of it, what is chosen here, what the paper
// leaves open, the files and the commands. HTML that is XML as well.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "figure_card.h"

#include <string.h>
#include <sys/stat.h>

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

void figure_put(FILE* stream, const char* text) {
    put_text(stream, text, strlen(text));
}

// the first figure that runs an example of this name
static const Figure* find_user(const char* name, size_t n) {
    for (int i = 0; i < figure_count(); i++) {
        const Figure* figure = figure_at(i);
        for (int k = 0; k < figure_n_run(figure) && !figure_is_line(figure); k++) {
            const char* model = figure->run[k].model;
            if (strlen(model) == n && strncmp(model, name, n) == 0) {
                return figure;
            }
        }
    }
    return NULL;
}

static void put_example(FILE* stream, const char* name, size_t n) {
    const Figure* figure = find_user(name, n);
    if (figure) {
        fprintf(stream, "<a href=\"#%s\">", figure->id);
    }
    fprintf(stream, "<code>%.*s</code>%s", (int)n, name, figure ? "</a>" : "");
}

// docs/theory/x.md; the site, if there is one, lies around the folder
static void put_document(FILE* stream, const char* name, size_t n, const char* folder) {
    char path[2 * CLI_PATH];
    const size_t n_docs = strlen("docs/");
    const int n_stem = (int)(n - n_docs - strlen(".md"));
    struct stat about;
    snprintf(path, sizeof path, "%s/../%.*s.html", folder, n_stem, name + n_docs);
    bool has_site = stat(path, &about) == 0;
    if (has_site) {
        fprintf(stream, "<a href=\"../%.*s.html\">", n_stem, name + n_docs);
    }
    fprintf(stream, "<code>%.*s</code>%s", (int)n, name, has_site ? "</a>" : "");
}

// length of a word of these signs; no point at its end
static size_t word_length(const char* text) {
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-./@");
    while (n > 0 && text[n - 1] == '.') {
        n--;
    }
    return n;
}

void figure_put_prose(FILE* stream, const char* text, const char* folder) {
    for (const char* at = text; *at;) {
        size_t n = word_length(at);
        if (*at == '@' && n > 1) {
            put_example(stream, at, n);
        } else if (n > 8 && strncmp(at, "docs/", 5) == 0 && strncmp(at + n - 3, ".md", 3) == 0) {
            put_document(stream, at, n, folder);
        } else {
            n = n > 0 ? n : 1;
            put_text(stream, at, n);
        }
        at += n;
    }
}

// ---- parts

bool figure_is_line(const Figure* figure) {
    return figure->kind == FIGURE_DRAWING || figure->kind == FIGURE_MISSING;
}

static void put_rows(FILE* stream, const Figure* figure) {
    if (!figure->row[0]) {
        return;
    }
    fputs("<div class=\"scroll\"><table>\n", stream);
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
    fputs("</table></div>\n", stream);
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
        figure_put(stream, line);
    }
    fputs("</pre>\n", stream);
    fclose(text);
}

static void put_commands(FILE* stream, const Figure* figure) {
    // studies are made here in their short form
    fprintf(stream, "<details><summary>Commands</summary>\n<pre>elver reproduce %s%s\n", figure->id,
            figure->study ? " --quick" : "");
    for (int i = 0; i < figure_n_run(figure); i++) {
        char line[2048] = "";
        FILE* memory = fmemopen(line, sizeof line - 1, "w");
        if (memory) {
            figure_print_command(memory, &figure->run[i]);
            fclose(memory);
        }
        figure_put(stream, line);
        fputc('\n', stream);
    }
    fputs("</pre></details>\n", stream);
}

static void put_files(FILE* stream, const Figure* figure, const char* folder) {
    static const struct {
        const char* ending;
        const char* text;
    } file[] = {{".html", "View in 3D"},
                {".svg", "Picture (SVG)"},
                {".csv", "Numbers (CSV)"},
                {".txt", "Text"}};
    bool has_any = false;
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        if (figure_has_file(figure, folder, file[i].ending)) {
            fprintf(stream, "%s<a%s href=\"%s%s\">%s</a>\n",
                    has_any ? "" : "<div class=\"files\">\n", i == 0 ? " class=\"first\"" : "",
                    figure->id, file[i].ending, file[i].text);
            has_any = true;
        }
    }
    fputs(has_any ? "</div>\n" : "", stream);
}

static void put_picture(FILE* stream, const Figure* figure, const char* folder) {
    if (figure_n_panel(figure) == 0) {
        return;
    }
    if (!figure_has_file(figure, folder, ".svg")) {
        fputs("<p><b>There is no picture:</b> it could not be made.</p>\n", stream);
        return;
    }
    // room for it before it is read, so that nothing moves
    int size[2];
    figure_size(figure, size);
    fprintf(stream,
            "<a class=\"picture n%d\" href=\"%s.svg\"><img loading=\"lazy\" width=\"%d\" "
            "height=\"%d\" src=\"%s.svg\" alt=\"",
            figure_n_column(figure), figure->id, size[0], size[1], figure->id);
    figure_put(stream, figure->title);
    fputs("\"/></a>\n", stream);
}

static void put_term(FILE* stream, const char* term, const char* text, const char* folder) {
    if (text) {
        fprintf(stream, "<dt>%s</dt><dd>", term);
        figure_put_prose(stream, text, folder);
        fputs("</dd>\n", stream);
    }
}

static void put_heading(FILE* stream, const Figure* figure) {
    fprintf(stream, "<h3><small>%s %s</small> ", figure->paper, figure->number);
    figure_put(stream, figure->title);
    fputs("</h3>\n", stream);
}

// ---- cards

static void put_line(FILE* stream, const Figure* figure, const char* folder) {
    fprintf(stream, "<article id=\"%s\" class=\"%s line\">\n", figure->id,
            figure_kind_text(figure->kind));
    put_heading(stream, figure);
    fputs(figure->kind == FIGURE_MISSING ? "<p><b>Not made:</b> " : "<p>", stream);
    figure_put_prose(stream, figure->lacks ? figure->lacks : "", folder);
    fputs("</p>\n</article>\n", stream);
}

void figure_put_card(FILE* stream, const Figure* figure, const char* folder) {
    if (figure_is_line(figure)) {
        put_line(stream, figure, folder);
        return;
    }
    fprintf(stream, "<article id=\"%s\" class=\"%s\">\n", figure->id,
            figure_kind_text(figure->kind));
    put_heading(stream, figure);
    put_picture(stream, figure, folder);
    put_rows(stream, figure);
    put_study(stream, figure, folder);
    if (figure->facts || figure->ours || figure->lacks) {
        fputs("<dl>\n", stream);
        put_term(stream, "The paper", figure->facts, folder);
        put_term(stream, "Here", figure->ours, folder);
        put_term(stream, "Not given", figure->lacks, folder);
        fputs("</dl>\n", stream);
    }
    put_files(stream, figure, folder);
    put_commands(stream, figure);
    fputs("</article>\n", stream);
}
