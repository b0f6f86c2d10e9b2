// SPDX-License-Identifier: Apache-2.0
// Inside of the server: what its files share.
#ifndef ELVER_CLI_SERVE_PARTS_H
#define ELVER_CLI_SERVE_PARTS_H

#include "serve.h"

#include <pthread.h>

enum { SERVE_HEAD_MAX = 8192, SERVE_TEXTS_MAX = 32, SERVE_IN_MAX = SERVE_MESSAGE_MAX + 16 };
enum { SERVE_READY_MAX = 240 };

typedef enum {
    SERVE_FREE,
    SERVE_HEAD,  // its request is not whole yet
    SERVE_LIVE,  // a WebSocket
    SERVE_ENDING // it gets the rest of its answer, what it says is not heard any more
} ServeState;

/// A connection; the server's thread alone touches it.
struct ServeClient {
    ServeState state;
    int fd;
    double deadline; // s: ended then, if nothing goes on
    bool is_shut;    // nothing more goes out
    bool is_deaf;    // nothing more comes in
    unsigned char* in;
    size_t n_in, room_in;
    unsigned char* out; // what waits to go out, from i_out on
    size_t n_out, i_out, room_out;
    const char* tail; // ... and behind it, not owned
    size_t n_tail;
    // of a WebSocket
    char* text[SERVE_TEXTS_MAX]; // (n_text), in the order in which they go
    int n_text;
    long i_scene;  // number of the scene that it has
    long i_record; // number of the record that it has
    int n_ready;   // records that it will take, up to SERVE_READY_MAX
};

struct Serve {
    ServeOptions options;
    int listener, wake[2];
    int port;
    pthread_t thread;
    ServeClient client[SERVE_CONNECTIONS_MAX];

    pthread_mutex_t lock; // of all below
    char* scene;          // or NULL
    long i_scene;
    unsigned char* record; // (n_record)
    size_t n_record, room_record;
    long i_record;
    char* text[SERVE_TEXTS_MAX]; // for all clients
    int n_text;
    bool is_over;
};

// serve_client.c

void serve_client_open(ServeClient* client, int fd);
void serve_client_close(ServeClient* client);

/// Append to what goes out; false: no memory.
bool serve_client_put(ServeClient* client, const void* data, size_t size);

/// Let go out what waits, then end.
void serve_client_end(ServeClient* client);

/// Read what is there, write what goes. They close the connection where it has ended.
void serve_client_read(Serve* serve, ServeClient* client);
void serve_client_write(ServeClient* client);

/// The next message for a WebSocket that has nothing to send; the lock is held.
void serve_client_feed(const Serve* serve, ServeClient* client);

/// Queue a text for a client, which takes it over.
void serve_client_text(ServeClient* client, char* text);

int serve_count_live(const Serve* serve);

// serve_http.c

/// Answer the request in client->in, if it is whole.
void serve_http(Serve* serve, ServeClient* client);

// serve_frame.c

enum {
    SERVE_TEXT = 1,
    SERVE_BINARY = 2,
    SERVE_CLOSE = 8,
    SERVE_PING = 9,
    SERVE_PONG = 10
}; // opcodes

/// Append a frame to what goes out.
bool serve_frame_put(ServeClient* client, int opcode, const void* data, size_t size);

/// Hear all frames of client->in that are whole.
void serve_frames(Serve* serve, ServeClient* client);

// serve_accept.c

enum { SERVE_ACCEPT_SIZE = 29 };

/// The answer to a key of a WebSocket: base64 of the SHA-1 of it and a fixed text [RFC 6455, 4.2.2].
void serve_accept(const char* key, char accept[SERVE_ACCEPT_SIZE]);

#endif
