// SPDX-License-Identifier: Apache-2.0
// Requests: read strictly, since nothing but browsers and tests are to be understood, and answered by one of two
// things: the page, or the handshake of a WebSocket. Before that a request must be meant for this server by
// name, which a page of another site that got hold of its address cannot say, and a WebSocket must
// be asked for by the page of this server.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "serve_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char security[] = "X-Content-Type-Options: nosniff\r\n"
                               "X-Frame-Options: DENY\r\n"
                               "Referrer-Policy: no-referrer\r\n"
                               "Cross-Origin-Resource-Policy: same-origin\r\n"
                               "Cache-Control: no-store\r\n"
                               "Connection: close\r\n";

enum { HOST, ORIGIN, UPGRADE, CONNECTION, KEY, VERSION, N_FIELD };
static const char* const field_name[N_FIELD] = {
    "host", "origin", "upgrade", "connection", "sec-websocket-key", "sec-websocket-version"};

/// What is known of a request; texts lie in its head.
typedef struct {
    const char* method;
    const char* path;
    const char* field[N_FIELD]; // NULL: not there
} Request;

// ---- reading

// the text up to a character, which is replaced by the end of a text; NULL: it does not come
static char* cut(char** rest, const char* until) {
    char* text = *rest;
    char* end = strstr(text, until);
    if (!end) {
        return NULL;
    }
    *end = '\0';
    *rest = end + strlen(until);
    return text;
}

static char* trim(char* text) {
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t')) {
        text[--n] = '\0';
    }
    return text;
}

static bool is_plain(const char* text) {
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20 && *text != '\t') {
            return false;
        }
    }
    return true;
}

// GET PATH HTTP/1.x; what stands behind a question mark does not count
static bool read_first_line(char* line, Request* request) {
    request->method = cut(&line, " ");
    char* path = request->method ? cut(&line, " ") : NULL;
    request->path = path;
    if (!path || path[0] != '/' ||
        (strcmp(line, "HTTP/1.1") != 0 && strcmp(line, "HTTP/1.0") != 0)) {
        return false;
    }
    path[strcspn(path, "?")] = '\0';
    return true;
}

// NAME: VALUE; one that counts may come once
static bool read_field(char* line, Request* request) {
    char* value = line;
    const char* name = cut(&value, ":");
    if (!name || name[0] == '\0' || strpbrk(name, " \t")) {
        return false;
    }
    for (int i = 0; i < N_FIELD; i++) {
        if (strcasecmp(name, field_name[i]) == 0) {
            if (request->field[i]) {
                return false;
            }
            request->field[i] = trim(value);
        }
    }
    return true;
}

// head: NUL-terminated, each of its lines ended by CR LF
static bool read_request(char* head, Request* request) {
    *request = (Request){.method = NULL};
    char* rest = head;
    char* line = cut(&rest, "\r\n");
    bool is_good = line && is_plain(line) && read_first_line(line, request);
    for (line = cut(&rest, "\r\n"); line && is_good; line = cut(&rest, "\r\n")) {
        is_good = is_plain(line) && read_field(line, request);
    }
    return is_good && rest[0] == '\0';
}

// ---- answering

static void put_text(ServeClient* client, const char* text) {
    (void)serve_client_put(client, text, strlen(text));
}

static void refuse(ServeClient* client, int code, const char* text) {
    char head[160];
    snprintf(head, sizeof head,
             "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n", code, text,
             strlen(text));
    put_text(client, head);
    put_text(client, security);
    put_text(client, "\r\n");
    put_text(client, text);
    serve_client_end(client);
}

static void send_page(const Serve* serve, ServeClient* client, bool is_head) {
    char head[160];
    snprintf(head, sizeof head,
             "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
             "Content-Length: %zu\r\n",
             serve->options.n_page);
    put_text(client, head);
    put_text(client, security);
    put_text(client, "\r\n");
    if (!is_head) {
        client->tail = serve->options.page;
        client->n_tail = serve->options.n_page;
    }
    serve_client_end(client);
}

static void shake_hands(ServeClient* client, const char* key) {
    char accept[SERVE_ACCEPT_SIZE];
    serve_accept(key, accept);
    put_text(client, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                     "Connection: Upgrade\r\nSec-WebSocket-Accept: ");
    put_text(client, accept);
    put_text(client, "\r\n\r\n");
    client->state = SERVE_LIVE;
    client->n_ready = 1;
}

// ---- what is allowed

// whether a text is one of this server's names behind a beginning: "http://" + "127.0.0.1:8000"
static bool is_own_name(const Serve* serve, const char* text, const char* beginning) {
    static const char* const host[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; text && i < sizeof host / sizeof host[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s:%d", beginning, host[i], serve->port);
        // browsers leave out the usual port
        size_t n_bare = strlen(beginning) + strlen(host[i]);
        bool is_bare = serve->port == 80 && strlen(text) == n_bare;
        if (strcmp(text, name) == 0 || (is_bare && strncmp(text, name, n_bare) == 0)) {
            return true;
        }
    }
    return false;
}

// whether a word is among those of a list, with commas between
static bool has_word(const char* list, const char* word) {
    size_t n = strlen(word);
    while (list && *list != '\0') {
        list += strspn(list, ", \t");
        size_t n_own = strcspn(list, ", \t");
        if (n_own == n && strncasecmp(list, word, n) == 0) {
            return true;
        }
        list += n_own;
    }
    return false;
}

static void open_live(const Serve* serve, ServeClient* client, const Request* request) {
    const char* key = request->field[KEY];
    if (!is_own_name(serve, request->field[ORIGIN], "http://")) {
        refuse(client, 403, "Forbidden");
    } else if (!has_word(request->field[UPGRADE], "websocket") ||
               !has_word(request->field[CONNECTION], "upgrade") || !request->field[VERSION] ||
               strcmp(request->field[VERSION], "13") != 0) {
        refuse(client, 426, "Upgrade Required");
    } else if (!key || strlen(key) != 24) {
        refuse(client, 400, "Bad Request");
    } else if (serve_count_live(serve) >= SERVE_CLIENTS_MAX) {
        refuse(client, 503, "Service Unavailable");
    } else {
        shake_hands(client, key);
    }
}

static void answer(const Serve* serve, ServeClient* client, const Request* request) {
    bool is_live = strcmp(request->path, "/live") == 0 && serve->options.message;
    bool is_head = strcmp(request->method, "HEAD") == 0;
    if (!is_own_name(serve, request->field[HOST], "")) {
        refuse(client, 403, "Forbidden");
    } else if (!is_live && strcmp(request->path, "/") != 0) {
        refuse(client, 404, "Not Found");
    } else if (strcmp(request->method, "GET") != 0 && !is_head) {
        refuse(client, 405, "Method Not Allowed");
    } else if (is_live) {
        open_live(serve, client, request);
    } else {
        send_page(serve, client, is_head);
    }
}

// where the head ends, behind an empty line; 0: it is not whole
static size_t find_end(const ServeClient* client) {
    for (size_t i = 3; i < client->n_in; i++) {
        if (memcmp(client->in + i - 3, "\r\n\r\n", 4) == 0) {
            return i + 1;
        }
    }
    return 0;
}

void serve_http(Serve* serve, ServeClient* client) {
    size_t n = find_end(client);
    if (n == 0 && client->n_in < SERVE_HEAD_MAX) {
        return;
    }
    if (n == 0 || memchr(client->in, '\0', n)) {
        refuse(client, 400, "Bad Request");
        return;
    }
    // without the empty line at its end
    char head[SERVE_HEAD_MAX + 1];
    memcpy(head, client->in, n - 2);
    head[n - 2] = '\0';
    client->n_in -= n;
    memmove(client->in, client->in + n, client->n_in);
    Request request;
    if (!read_request(head, &request)) {
        refuse(client, 400, "Bad Request");
        return;
    }
    answer(serve, client, &request);
}
