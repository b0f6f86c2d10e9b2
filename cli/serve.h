// SPDX-License-Identifier: Apache-2.0
// A small server for one page: http://127.0.0.1:PORT/ and, where it is asked for, a WebSocket at /live.
//
// It listens on the loopback interface alone, knows no files, answers no request that comes under another name (Host),
// and opens no WebSocket to another page (Origin), which keeps other sites in the same browser out. One thread does all
// of its reading and writing and waits for no client; whoever publishes waits for nothing at all.
#ifndef ELVER_CLI_SERVE_H
#define ELVER_CLI_SERVE_H

#include "cli.h"

enum {
    SERVE_MESSAGE_MAX = 1 << 16, // bytes of a message from a client
    SERVE_CLIENTS_MAX = 8,       // WebSockets at a time
    SERVE_CONNECTIONS_MAX =
        64 // connections at a time: one more ends the one that has said nothing for longest
};

typedef struct Serve Serve;
typedef struct ServeClient ServeClient;

/// A text message from a client, NUL-terminated, handed over by the server's thread.
typedef void (*ServeMessage)(void* user, ServeClient* client, const char* text, size_t size);

typedef struct {
    const char* page; // at /, must live as long as the server
    size_t n_page;
    ServeMessage message; // NULL: no WebSocket
    void* user;
} ServeOptions;

/// Start on 127.0.0.1:port; 0: a free one. Prints why it fails, sets *code, the exit code, and returns NULL.
Serve* serve_start(const char* command, const ServeOptions* options, int port, int* code);
int serve_port(const Serve* serve);

/// End all connections.
void serve_stop(Serve* serve);

// ---- what goes out, from any thread

/// The text that a client gets first. is_sent: those that are there get it now, and the record before it is of no
/// use any more.
void serve_scene(Serve* serve, const char* text, bool is_sent);

/// A text for all clients; the oldest unsent one goes where there are too many.
void serve_broadcast(Serve* serve, const char* text);

/// The newest record: each client gets it when it is ready for one, unless there is a newer one by then.
void serve_publish(Serve* serve, const void* record, size_t size);

// ---- from within a ServeMessage alone

void serve_reply(ServeClient* client, const char* text);

/// The client will take n records more.
void serve_ready(ServeClient* client, int n);

#endif
