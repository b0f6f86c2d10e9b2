// SPDX-License-Identifier: Apache-2.0
// One connection of the server: what it has said and not yet made whole, and what waits to go out to it. Sockets never
// wait; what does not go out now is kept, and one that takes nothing for a while is ended. POSIX: sockets.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "serve_parts.h"

#include "progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// how long a connection may take, s: to say what it wants, to take some of its answer, to go
static const double head_time = 3.0;
static const double write_time = 10.0;
static const double end_time = 1.0;

void serve_client_open(ServeClient* client, int fd) {
    *client = (ServeClient){.state = SERVE_HEAD, .fd = fd, .deadline = cli_clock() + head_time};
}

void serve_client_close(ServeClient* client) {
    if (client->state != SERVE_FREE) {
        close(client->fd);
        for (int i = 0; i < client->n_text; i++) {
            free(client->text[i]);
        }
        free(client->in);
        free(client->out);
        *client = (ServeClient){.state = SERVE_FREE, .fd = -1};
    }
}

int serve_count_live(const Serve* serve) {
    int n = 0;
    for (int i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        n += serve->client[i].state == SERVE_LIVE;
    }
    return n;
}

// ---- out

bool serve_client_put(ServeClient* client, const void* data, size_t size) {
    if (client->i_out == client->n_out) {
        client->i_out = client->n_out = 0;
        client->deadline = cli_clock() + write_time;
    }
    if (client->n_out + size > client->room_out) {
        size_t room = 2 * (client->n_out + size);
        unsigned char* grown = realloc(client->out, room);
        if (!grown) {
            return false;
        }
        client->out = grown;
        client->room_out = room;
    }
    if (size > 0) {
        memcpy(client->out + client->n_out, data, size);
    }
    client->n_out += size;
    return true;
}

void serve_client_end(ServeClient* client) {
    client->state = SERVE_ENDING;
    client->deadline = cli_clock() + write_time;
}

// when all has gone out: the other side reads the end, and what it still says is taken, else it might lose the
// answer
static void finish(ServeClient* client) {
    if (client->state == SERVE_ENDING && !client->is_shut) {
        client->is_shut = true;
        client->deadline = cli_clock() + end_time;
        (void)shutdown(client->fd, SHUT_WR);
    }
}

void serve_client_write(ServeClient* client) {
    while (client->i_out < client->n_out || client->n_tail > 0) {
        bool is_tail = client->i_out == client->n_out;
        const void* data = is_tail ? (const void*)client->tail : client->out + client->i_out;
        size_t size = is_tail ? client->n_tail : client->n_out - client->i_out;
        ssize_t n = send(client->fd, data, size, MSG_NOSIGNAL);
        if (n < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
                serve_client_close(client);
            }
            return;
        }
        client->deadline = cli_clock() + write_time;
        if (is_tail) {
            client->tail += n;
            client->n_tail -= (size_t)n;
        } else {
            client->i_out += (size_t)n;
        }
    }
    if (client->is_deaf) {
        serve_client_close(client);
    } else {
        finish(client);
    }
}

void serve_client_text(ServeClient* client, char* text) {
    if (client->n_text == SERVE_TEXTS_MAX) {
        free(client->text[0]);
        client->n_text--;
        memmove(client->text, client->text + 1, (size_t)client->n_text * sizeof client->text[0]);
    }
    client->text[client->n_text++] = text;
}

void serve_reply(ServeClient* client, const char* text) {
    char* copy = strdup(text);
    if (copy) {
        serve_client_text(client, copy);
    }
}

void serve_ready(ServeClient* client, int n) {
    client->n_ready = client->n_ready + n < SERVE_READY_MAX ? client->n_ready + n : SERVE_READY_MAX;
}

void serve_client_feed(const Serve* serve, ServeClient* client) {
    if (client->state != SERVE_LIVE || client->i_out < client->n_out) {
        return;
    }
    bool is_good = true;
    if (serve->scene && client->i_scene < serve->i_scene) {
        client->i_scene = serve->i_scene;
        client->n_ready = client->n_ready > 1 ? client->n_ready : 1;
        is_good = serve_frame_put(client, SERVE_TEXT, serve->scene, strlen(serve->scene));
    }
    while (client->n_text > 0 && is_good) {
        char* text = client->text[0];
        client->n_text--;
        memmove(client->text, client->text + 1, (size_t)client->n_text * sizeof client->text[0]);
        is_good = serve_frame_put(client, SERVE_TEXT, text, strlen(text));
        free(text);
    }
    if (client->n_ready > 0 && serve->n_record > 0 && client->i_record < serve->i_record &&
        is_good) {
        client->i_record = serve->i_record;
        client->n_ready--;
        is_good = serve_frame_put(client, SERVE_BINARY, serve->record, serve->n_record);
    }
    if (!is_good) {
        serve_client_end(client);
    }
}

// ---- in

// room for what may still come of a head, or of a frame
static bool make_room(ServeClient* client) {
    size_t room = client->state == SERVE_LIVE ? (size_t)SERVE_IN_MAX : (size_t)SERVE_HEAD_MAX;
    if (client->room_in < room) {
        unsigned char* grown = realloc(client->in, room);
        if (!grown) {
            return false;
        }
        client->in = grown;
        client->room_in = room;
    }
    return true;
}

void serve_client_read(Serve* serve, ServeClient* client) {
    if (client->state == SERVE_ENDING) {
        client->n_in = 0;
    }
    if (!make_room(client)) {
        serve_client_close(client);
        return;
    }
    ssize_t n = recv(client->fd, client->in + client->n_in, client->room_in - client->n_in, 0);
    bool has_output = client->i_out < client->n_out || client->n_tail > 0;
    if (n == 0 && client->state == SERVE_ENDING && has_output) {
        // it has said all it had to say, and may still be listening
        client->is_deaf = true;
        return;
    }
    if (n <= 0) {
        if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
            serve_client_close(client);
        }
        return;
    }
    client->n_in += (size_t)n;
    if (client->state == SERVE_HEAD) {
        serve_http(serve, client);
    }
    if (client->state == SERVE_LIVE) {
        serve_frames(serve, client);
    }
}
