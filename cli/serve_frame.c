// SPDX-License-Identifier: Apache-2.0
// Frames of a WebSocket [RFC 6455, 5.2]. Messages of the page are short texts in one frame each; whatever else comes ends the
// connection with the code that says why, and lengths are looked at before anything is kept.
#include "serve_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FINAL = 0x80, RESERVED = 0x70, OPCODE = 0x0F, MASKED = 0x80, LENGTH = 0x7F };
enum { PROTOCOL_ERROR = 1002, UNSUPPORTED = 1003, TOO_BIG = 1009 }; // [RFC 6455, 7.4.1]

typedef struct {
    int opcode;
    size_t n_head; // bytes before the data
    uint64_t size; // of the data
    const unsigned char* mask;
} Frame;

bool serve_frame_put(ServeClient* client, int opcode, const void* data, size_t size) {
    unsigned char head[10] = {(unsigned char)(FINAL | opcode)};
    size_t n = 2;
    if (size < 126) {
        head[1] = (unsigned char)size;
    } else if (size < 1 << 16) {
        head[1] = 126;
        n = 4;
    } else {
        head[1] = 127;
        n = 10;
    }
    for (size_t i = 2; i < n; i++) {
        head[i] = (unsigned char)((uint64_t)size >> (8 * (n - 1 - i)));
    }
    return serve_client_put(client, head, n) && serve_client_put(client, data, size);
}

static void hang_up(ServeClient* client, int code) {
    unsigned char data[2] = {(unsigned char)(code >> 8), (unsigned char)(code & 0xFF)};
    (void)serve_frame_put(client, SERVE_CLOSE, data, sizeof data);
    serve_client_end(client);
}

// by the first two bytes; 0: nothing is against the frame
static int judge(const unsigned char* in) {
    int opcode = in[0] & OPCODE;
    bool is_control = (opcode & 8) != 0;
    if ((in[0] & RESERVED) || !(in[0] & FINAL) || !(in[1] & MASKED) ||
        (is_control && (in[1] & LENGTH) > 125)) {
        return PROTOCOL_ERROR;
    }
    switch (opcode) {
    case SERVE_TEXT:
    case SERVE_CLOSE:
    case SERVE_PING:
    case SERVE_PONG:
        return 0;
    case SERVE_BINARY:
        return UNSUPPORTED;
    default:
        return PROTOCOL_ERROR;
    }
}

// as much of the head as is there, two bytes at least; returns the code that ends the connection, or 0
static int read_head(const ServeClient* client, Frame* frame) {
    const unsigned char* in = client->in;
    size_t n_length = (in[1] & LENGTH) == 127 ? 8 : (in[1] & LENGTH) == 126 ? 2 : 0;
    frame->opcode = in[0] & OPCODE;
    frame->n_head = 2 + n_length + 4;
    frame->size = n_length > 0 ? 0 : (uint64_t)(in[1] & LENGTH);
    frame->mask = in + 2 + n_length;
    for (size_t i = 0; i < n_length && 2 + n_length <= client->n_in; i++) {
        frame->size = frame->size << 8 | in[2 + i];
    }
    int code = judge(in);
    return code == 0 && frame->size > SERVE_MESSAGE_MAX ? TOO_BIG : code;
}

// a whole frame; data is NUL-terminated
static void hear(Serve* serve, ServeClient* client, int opcode, const char* data, size_t size) {
    if (opcode == SERVE_TEXT) {
        serve->options.message(serve->options.user, client, data, size);
    } else if (opcode == SERVE_CLOSE) {
        (void)serve_frame_put(client, SERVE_CLOSE, data, size < 2 ? 0 : 2);
        serve_client_end(client);
    } else if (opcode == SERVE_PING && client->n_out - client->i_out < SERVE_MESSAGE_MAX) {
        // whoever asks without listening gets no answer at some time
        (void)serve_frame_put(client, SERVE_PONG, data, size);
    }
}

void serve_frames(Serve* serve, ServeClient* client) {
    Frame frame;
    while (client->state == SERVE_LIVE && client->n_in >= 2) {
        int code = read_head(client, &frame);
        if (code != 0) {
            hang_up(client, code);
            return;
        }
        size_t size = (size_t)frame.size;
        size_t n = frame.n_head + size;
        if (client->n_in < n) {
            return;
        }
        char* data = malloc(size + 1);
        if (!data) {
            serve_client_end(client);
            return;
        }
        for (size_t i = 0; i < size; i++) {
            data[i] = (char)(client->in[frame.n_head + i] ^ frame.mask[i % 4]);
        }
        data[size] = '\0';
        client->n_in -= n;
        memmove(client->in, client->in + n, client->n_in);
        hear(serve, client, frame.opcode, data, size);
        free(data);
    }
}
