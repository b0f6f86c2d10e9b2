// SPDX-License-Identifier: Apache-2.0
// The handshake of a WebSocket: SHA-1 [FIPS 180-4] of its key and a fixed text, in base64. SHA-1 protects nothing here; it
// shows that the server understood the request [RFC 6455, 1.3].
#include "serve_parts.h"

#include <stdint.h>
#include <string.h>

enum { N_BLOCK = 64, N_DIGEST = 20, N_KEY = 24, N_MESSAGE = 2 * N_BLOCK };

static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

static uint32_t rotate(uint32_t x, int n) {
    return (x << n) | (x >> (32 - n));
}

// the words of a block, stretched to eighty
static void expand(const unsigned char* block, uint32_t w[80]) {
    for (int i = 0; i < 16; i++) {
        const unsigned char* b = block + 4 * (size_t)i;
        w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int i = 16; i < 80; i++) {
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
}

static void digest_block(const unsigned char* block, uint32_t h[5]) {
    uint32_t w[80];
    expand(block, w);
    uint32_t a = h[0];
    uint32_t b = h[1];
    uint32_t c = h[2];
    uint32_t d = h[3];
    uint32_t e = h[4];
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        uint32_t k = i < 20   ? 0x5A827999u
                     : i < 40 ? 0x6ED9EBA1u
                     : i < 60 ? 0x8F1BBCDCu
                              : 0xCA62C1D6u;
        uint32_t next = rotate(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

// of a message of two blocks at most with its padding
static void digest(const char* text, size_t n, unsigned char out[N_DIGEST]) {
    uint32_t h[5] = {0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
    unsigned char message[N_MESSAGE] = {0};
    memcpy(message, text, n);
    message[n] = 0x80;
    size_t n_block = n + 9 > N_BLOCK ? 2 : 1;
    uint64_t n_bit = 8 * (uint64_t)n;
    for (int i = 0; i < 8; i++) {
        message[n_block * N_BLOCK - 1 - (size_t)i] = (unsigned char)(n_bit >> (8 * i));
    }
    for (size_t i = 0; i < n_block; i++) {
        digest_block(message + i * N_BLOCK, h);
    }
    for (int i = 0; i < N_DIGEST; i++) {
        out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void serve_accept(const char* key, char accept[SERVE_ACCEPT_SIZE]) {
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[N_KEY + sizeof guid];
    unsigned char hash[N_DIGEST + 1] = {0};
    int n = snprintf(text, sizeof text, "%.*s%s", (int)N_KEY, key, guid);
    digest(text, (size_t)n, hash);
    for (int i = 0; i < 7; i++) {
        const unsigned char* b = hash + 3 * (size_t)i;
        accept[4 * i] = letter[b[0] >> 2];
        accept[4 * i + 1] = letter[(b[0] & 3) << 4 | b[1] >> 4];
        accept[4 * i + 2] = letter[(b[1] & 15) << 2 | b[2] >> 6];
        accept[4 * i + 3] = letter[b[2] & 63];
    }
    accept[27] = '=';
    accept[28] = '\0';
}
