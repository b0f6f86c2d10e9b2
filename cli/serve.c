// SPDX-License-Identifier: Apache-2.0
// The server of `elver view`: its thread waits for connections, for what they say, and for news to send. News come from
// other threads through a few fields under a lock, and a pipe that wakes the server up. POSIX: sockets, threads.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "serve_parts.h"

#include "progress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { N_POLL = SERVE_CONNECTIONS_MAX + 2, TICK = 250 }; // ms

// ---- the thread

static bool make_free(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

// a free place; else that of whoever has said nothing for longest, if there is one
static ServeClient* find_place(Serve* serve) {
    ServeClient* oldest = NULL;
    for (int i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        ServeClient* client = &serve->client[i];
        if (client->state == SERVE_FREE) {
            return client;
        }
        if (client->state != SERVE_LIVE && (!oldest || client->deadline < oldest->deadline)) {
            oldest = client;
        }
    }
    if (oldest) {
        serve_client_close(oldest);
    }
    return oldest;
}

// false: one waits that cannot be had now, for lack of descriptors or memory
static bool accept_clients(Serve* serve) {
    for (int fd = accept(serve->listener, NULL, NULL); fd >= 0;
         fd = accept(serve->listener, NULL, NULL)) {
        int yes = 1;
        ServeClient* client = make_free(fd) ? find_place(serve) : NULL;
        if (client) {
            (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            serve_client_open(client, fd);
        } else {
            close(fd);
        }
    }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ECONNABORTED;
}

// what other threads have left; false: it is over
static bool take_news(Serve* serve) {
    pthread_mutex_lock(&serve->lock);
    for (int k = 0; k < serve->n_text; k++) {
        for (int i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
            if (serve->client[i].state == SERVE_LIVE) {
                serve_reply(&serve->client[i], serve->text[k]);
            }
        }
        free(serve->text[k]);
    }
    serve->n_text = 0;
    for (int i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        serve_client_feed(serve, &serve->client[i]);
    }
    bool goes_on = !serve->is_over;
    pthread_mutex_unlock(&serve->lock);
    return goes_on;
}

static bool has_output(const ServeClient* client) {
    return client->i_out < client->n_out || client->n_tail > 0;
}

// one whose time is over; a WebSocket that has nothing to take may be silent
static bool is_late(const ServeClient* client, double now) {
    bool may_wait = client->state == SERVE_LIVE && !has_output(client);
    return client->state != SERVE_FREE && !may_wait && now > client->deadline;
}

static void attend(Serve* serve, ServeClient* client, short events) {
    if (events & POLLOUT) {
        serve_client_write(client);
    }
    if (client->state != SERVE_FREE && (events & (POLLIN | POLLHUP | POLLERR))) {
        serve_client_read(serve, client);
    }
}

static void drain(int fd) {
    char bytes[256];
    while (read(fd, bytes, sizeof bytes) > 0) {
    }
}

// what is waited for of clients, from 2 on; places that are free are left out, as no more may be waited for than files
// may be open
static int list_clients(Serve* serve, struct pollfd list[N_POLL], ServeClient* who[N_POLL]) {
    int n = 2;
    for (int i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        ServeClient* client = &serve->client[i];
        if (client->state != SERVE_FREE) {
            short events =
                (short)((client->is_deaf ? 0 : POLLIN) | (has_output(client) ? POLLOUT : 0));
            who[n] = client;
            list[n++] = (struct pollfd){client->fd, events, 0};
        }
    }
    return n;
}

static void* serve_all(void* user) {
    Serve* serve = user;
    struct pollfd list[N_POLL];
    ServeClient* who[N_POLL];
    double rest = 0.0; // the listener is left alone until then, or it would be ready again at once
    while (take_news(serve)) {
        list[0] = (struct pollfd){cli_clock() < rest ? -1 : serve->listener, POLLIN, 0};
        list[1] = (struct pollfd){serve->wake[0], POLLIN, 0};
        int n = list_clients(serve, list, who);
        if (poll(list, (nfds_t)n, TICK) < 0) {
            continue;
        }
        for (int i = 2; i < n; i++) {
            if (list[i].revents) {
                attend(serve, who[i], list[i].revents);
            }
            if (is_late(who[i], cli_clock())) {
                serve_client_close(who[i]);
            }
        }
        if (list[1].revents) {
            drain(serve->wake[0]);
        }
        if (list[0].revents && !accept_clients(serve)) {
            rest = cli_clock() + 1e-3 * TICK;
        }
    }
    return NULL;
}

// ---- news

static void wake_up(const Serve* serve) {
    // a full pipe wakes it up as well
    if (write(serve->wake[1], "", 1) < 0) {
        return;
    }
}

void serve_scene(Serve* serve, const char* text, bool is_sent) {
    char* copy = strdup(text);
    pthread_mutex_lock(&serve->lock);
    if (copy) {
        free(serve->scene);
        serve->scene = copy;
    }
    if (copy && is_sent) {
        serve->i_scene++;
        serve->n_record = 0;
    }
    pthread_mutex_unlock(&serve->lock);
    wake_up(serve);
}

void serve_broadcast(Serve* serve, const char* text) {
    char* copy = strdup(text);
    pthread_mutex_lock(&serve->lock);
    if (copy && serve->n_text == SERVE_TEXTS_MAX) {
        free(serve->text[0]);
        serve->n_text--;
        memmove(serve->text, serve->text + 1, (size_t)serve->n_text * sizeof serve->text[0]);
    }
    if (copy) {
        serve->text[serve->n_text++] = copy;
    }
    pthread_mutex_unlock(&serve->lock);
    wake_up(serve);
}

void serve_publish(Serve* serve, const void* record, size_t size) {
    pthread_mutex_lock(&serve->lock);
    if (size > serve->room_record) {
        unsigned char* grown = realloc(serve->record, size);
        if (grown) {
            serve->record = grown;
            serve->room_record = size;
        }
    }
    if (size <= serve->room_record) {
        memcpy(serve->record, record, size);
        serve->n_record = size;
        serve->i_record++;
    }
    pthread_mutex_unlock(&serve->lock);
    wake_up(serve);
}

// ---- life

static bool listen_on(Serve* serve, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    int yes = 1;
    serve->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (serve->listener < 0 || !make_free(serve->listener) ||
        setsockopt(serve->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(serve->listener, (struct sockaddr*)&address, sizeof address) != 0 ||
        listen(serve->listener, SERVE_CONNECTIONS_MAX) != 0 ||
        getsockname(serve->listener, (struct sockaddr*)&address, &size) != 0) {
        return false;
    }
    serve->port = ntohs(address.sin_port);
    return true;
}

static void close_if(int fd) {
    if (fd >= 0) {
        close(fd);
    }
}

static void release(Serve* serve) {
    for (int i = 0; i < SERVE_CONNECTIONS_MAX; i++) {
        serve_client_close(&serve->client[i]);
    }
    for (int i = 0; i < serve->n_text; i++) {
        free(serve->text[i]);
    }
    close_if(serve->listener);
    close_if(serve->wake[0]);
    close_if(serve->wake[1]);
    pthread_mutex_destroy(&serve->lock);
    free(serve->scene);
    free(serve->record);
    free(serve);
}

// a port that another program has, or that this one may not have, is a wrong option
static int complain_port(const char* command, int port, int reason) {
    bool is_usage = reason == EADDRINUSE || reason == EACCES || reason == EADDRNOTAVAIL;
    return cli_complain(command, is_usage ? CLI_USAGE : CLI_FAILED,
                        "cannot listen on 127.0.0.1:%d: %s%s", port, strerror(reason),
                        is_usage ? "; another --port, or none, which takes a free one" : "");
}

Serve* serve_start(const char* command, const ServeOptions* options, int port, int* code) {
    *code = CLI_DONE;
    Serve* serve = calloc(1, sizeof *serve);
    if (!serve) {
        *code = cli_complain(command, CLI_FAILED, "out of memory");
        return NULL;
    }
    serve->options = *options;
    serve->listener = serve->wake[0] = serve->wake[1] = -1;
    pthread_mutex_init(&serve->lock, NULL);
    bool is_good = listen_on(serve, port);
    if (!is_good) {
        *code = complain_port(command, port, errno);
    } else {
        is_good = pipe(serve->wake) == 0 && make_free(serve->wake[0]) &&
                  make_free(serve->wake[1]) &&
                  pthread_create(&serve->thread, NULL, serve_all, serve) == 0;
        if (!is_good) {
            *code = cli_complain(command, CLI_FAILED, "cannot start the server");
        }
    }
    if (!is_good) {
        release(serve);
        return NULL;
    }
    return serve;
}

int serve_port(const Serve* serve) {
    return serve->port;
}

void serve_stop(Serve* serve) {
    if (serve) {
        pthread_mutex_lock(&serve->lock);
        serve->is_over = true;
        pthread_mutex_unlock(&serve->lock);
        wake_up(serve);
        pthread_join(serve->thread, NULL);
        release(serve);
    }
}
