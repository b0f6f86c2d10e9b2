// SPDX-License-Identifier: Apache-2.0
// The viewer with its data as one HTML file: the page up to its comment, then for each trajectory its chunks as they
// come and its description once they are all there, then the rest of the page. No more than one chunk is kept in
// memory.
#include "view/view_bytes.h"
#include "view/view_describe.h"
#include "view/view_file.h"
#include "view/view_pack.h"
#include "view/view_page.h"
#include "view/view_parts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MARK[] = "<!--elver-data-->";

typedef struct {
    char *path, *part; // final and temporary name
    FILE* file;
    const char* tail; // of the page, behind the mark
    size_t n_tail;
    // the trajectory in hand
    const ElvView* view; // NULL: none yet
    char* title;
    int i_trajectory;
    ElvViewPack pack;
    long n_frame;
    double t_begin, t_end;
    int* chunk; // records in each                                       (n_chunk)
    int n_chunk, room;
    ElvBytes text; // base64 of a chunk
    ElvBytes load; // of equilibria: double                              (n_frame)
} Html;

const char* elv_view_page(size_t* n_head, const char** tail, size_t* n_tail) {
    const char* page = (const char*)elv_view_page_word;
    const char* end = page + elv_view_page_size;
    const char* mark = strstr(page, MARK);
    *tail = mark ? mark + strlen(MARK) : end;
    *n_tail = (size_t)(end - *tail);
    *n_head = mark ? (size_t)(mark - page) : elv_view_page_size;
    return page;
}

// ---- writing

static ElvStatus fail_write(const Html* html, int code, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_FILE, "", "", "cannot write '%s': %s", html->path,
                         code ? strerror(code) : "input or output error");
}

static ElvStatus put(Html* html, const char* text, size_t n, ElvError* error) {
    errno = 0;
    if (fwrite(text, 1, n, html->file) != n) {
        return fail_write(html, errno, error);
    }
    return ELV_OK;
}

static ElvStatus put_text(Html* html, const char* text, ElvError* error) {
    return put(html, text, strlen(text), error);
}

// ---- chunks

// the text of the chunk, and room for one more in the list
static ElvStatus encode(Html* html, ElvError* error) {
    html->text.n = 0;
    elv_bytes_base64(&html->text, html->pack.packed, html->pack.n_packed);
    if (html->text.is_bad) {
        return elv_view_no_memory(error);
    }
    if (html->n_chunk == html->room) {
        int room = 2 * html->room + 16;
        int* chunk = realloc(html->chunk, (size_t)room * sizeof *chunk);
        if (!chunk) {
            return elv_view_no_memory(error);
        }
        html->chunk = chunk;
        html->room = room;
    }
    return ELV_OK;
}

static ElvStatus put_chunk(Html* html, ElvError* error) {
    char head[128];
    int n = html->pack.n;
    if (n == 0) {
        return ELV_OK;
    }
    ElvStatus status = elv_view_pack_make(&html->pack, error);
    status = status == ELV_OK ? encode(html, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    (void)snprintf(head, sizeof head,
                   "<script type=\"application/octet-stream\" id=\"elver-chunk-%d-%d\">",
                   html->i_trajectory, html->n_chunk);
    html->chunk[html->n_chunk++] = n;
    status = put_text(html, head, error);
    status = status == ELV_OK ? put(html, html->text.data, html->text.n, error) : status;
    return status == ELV_OK ? put_text(html, "</script>\n", error) : status;
}

// ---- descriptions

enum { EXACT = 17 }; // digits

static void describe_loads(const Html* html, ElvBytes* json) {
    elv_json_put(json, ",\"loads\":[");
    for (long i = 0; i < html->n_frame; i++) {
        double load = 0.0;
        memcpy(&load, html->load.data + (size_t)i * sizeof load, sizeof load);
        elv_json_put(json, i > 0 ? "," : "");
        elv_json_number(json, load, EXACT);
    }
    elv_json_put(json, "]");
}

static void describe(const Html* html, ElvBytes* json) {
    char head[128];
    (void)snprintf(head, sizeof head, "<script type=\"application/json\" id=\"elver-scene-%d\">",
                   html->i_trajectory);
    elv_json_put(json, head);
    elv_view_describe_into(json, html->view, html->title);
    elv_json_key_int(json, "n_frame", html->n_frame);
    elv_json_put(json, ",\"t_begin\":");
    elv_json_number(json, html->t_begin, EXACT);
    elv_json_put(json, ",\"t_end\":");
    elv_json_number(json, html->t_end, EXACT);
    if (html->view->is_statics) {
        describe_loads(html, json);
    }
    elv_json_put(json, ",\"chunks\":[");
    for (int i = 0; i < html->n_chunk; i++) {
        elv_json_put(json, i > 0 ? "," : "");
        elv_json_int(json, html->chunk[i]);
    }
    elv_json_put(json, "]}</script>\n");
}

// what is left of the trajectory in hand
static ElvStatus end_trajectory(Html* html, ElvError* error) {
    if (!html->view) {
        return ELV_OK;
    }
    ElvStatus status = put_chunk(html, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvBytes json = {0};
    describe(html, &json);
    status = json.is_bad ? elv_view_no_memory(error) : put(html, json.data, json.n, error);
    elv_bytes_free(&json);
    elv_view_pack_free(&html->pack);
    html->view = NULL;
    html->i_trajectory++;
    return status;
}

// ---- operations

static void release(Html* html) {
    if (html->file) {
        (void)fclose(html->file);
    }
    elv_view_pack_free(&html->pack);
    free(html->path);
    free(html->part);
    free(html->title);
    free(html->chunk);
    elv_bytes_free(&html->text);
    elv_bytes_free(&html->load);
    free(html);
}

static void discard(void* writer) {
    Html* html = writer;
    if (html->file) {
        (void)fclose(html->file);
        html->file = NULL;
        (void)remove(html->part);
    }
    release(html);
}

static ElvStatus open_part(Html* html, ElvError* error) {
    size_t n_head;
    const char* page = elv_view_page(&n_head, &html->tail, &html->n_tail);
    if (html->n_tail == 0) {
        return elv_error_set(error, ELV_ERROR_FILE, "", "", "the viewer has no place for data: %s",
                             MARK);
    }
    errno = 0;
    html->file = fopen(html->part, "wb");
    if (!html->file) {
        return fail_write(html, errno, error);
    }
    return put(html, page, n_head, error);
}

static char* join(const char* a, const char* b) {
    size_t size = strlen(a) + strlen(b) + 1;
    char* text = malloc(size);
    if (text) {
        (void)snprintf(text, size, "%s%s", a, b);
    }
    return text;
}

static ElvStatus create(const char* path, void** writer, ElvError* error) {
    *writer = NULL;
    Html* html = calloc(1, sizeof *html);
    if (!html) {
        return elv_view_no_memory(error);
    }
    html->path = join(path, "");
    html->part = join(path, ".part");
    ElvStatus status =
        html->path && html->part ? open_part(html, error) : elv_view_no_memory(error);
    if (status != ELV_OK) {
        discard(html);
        return status;
    }
    *writer = html;
    return ELV_OK;
}

static ElvStatus begin(void* writer, const ElvView* view, const char* title, ElvError* error) {
    Html* html = writer;
    ElvStatus status = end_trajectory(html, error);
    if (status != ELV_OK) {
        return status;
    }
    free(html->title);
    html->title = join(title ? title : view->model->name, "");
    if (!html->title) {
        return elv_view_no_memory(error);
    }
    html->n_frame = 0;
    html->n_chunk = 0;
    html->t_begin = html->t_end = 0.0;
    html->load.n = 0;
    status = elv_view_pack_init(&html->pack, view, error);
    html->view = status == ELV_OK ? view : NULL;
    return status;
}

static ElvStatus append(void* writer, ElvViewPicture* picture, ElvError* error) {
    Html* html = writer;
    if (!elv_view_pack_add(&html->pack, picture->t, picture->value)) {
        ElvStatus status = put_chunk(html, error);
        if (status != ELV_OK) {
            return status;
        }
        (void)elv_view_pack_add(&html->pack, picture->t, picture->value);
    }
    if (html->view->is_statics) {
        elv_bytes_put(&html->load, &picture->load, sizeof picture->load);
    }
    html->t_begin = html->n_frame == 0 ? picture->t : html->t_begin;
    html->t_end = picture->t;
    html->n_frame++;
    return html->load.is_bad ? elv_view_no_memory(error) : ELV_OK;
}

static ElvStatus finish(void* writer, ElvError* error) {
    Html* html = writer;
    ElvStatus status = end_trajectory(html, error);
    status = status == ELV_OK ? put(html, html->tail, html->n_tail, error) : status;
    if (status == ELV_OK) {
        errno = 0;
        int code = fclose(html->file);
        html->file = NULL;
        bool is_there = code == 0 && rename(html->part, html->path) == 0;
        status = is_there ? ELV_OK : fail_write(html, errno, error);
        if (!is_there) {
            (void)remove(html->part);
        }
    }
    discard(html);
    return status;
}

const ElvViewFileOps ELV_VIEW_HTML = {
    .ending = ".html",
    .max_trajectory = INT_MAX,
    .create = create,
    .begin = begin,
    .append = append,
    .close = finish,
    .discard = discard,
};
