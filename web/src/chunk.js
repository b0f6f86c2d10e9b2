// SPDX-License-Identifier: Apache-2.0
// Chunks of records: base64 text -> zlib stream -> numbers (docs/viewer.md, "Records in a file").

/** Bytes of base64 text; the engine's own decoder where there is one. */
export function bytesOfBase64(text) {
    if (typeof Uint8Array.fromBase64 === 'function') {
        return Uint8Array.fromBase64(text);
    }
    const plain = atob(text);
    const bytes = new Uint8Array(plain.length);
    for (let i = 0; i < plain.length; i++) {
        bytes[i] = plain.charCodeAt(i);
    }
    return bytes;
}

/** All that a zlib stream holds, as an ArrayBuffer. */
export function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).arrayBuffer();
}

/** The first `size` bytes of a zlib stream of which only the beginning is given; null if it does not reach so far. */
export async function inflateBeginning(bytes, size) {
    const stream = new DecompressionStream('deflate');
    const writer = stream.writable.getWriter();
    const reader = stream.readable.getReader();
    const out = new Uint8Array(size);
    let n = 0;
    // the stream is cut: it is never closed, and its complaints do not matter
    writer.write(bytes).catch(() => {});
    const timeout = new Promise((resolve) => setTimeout(resolve, 1000, { done: true }));
    while (n < size) {
        const part = await Promise.race([reader.read(), timeout]).catch(() => ({ done: true }));
        if (part.done) {
            break;
        }
        const piece = part.value.subarray(0, size - n);
        out.set(piece, n);
        n += piece.length;
    }
    reader.cancel().catch(() => {});
    writer.abort().catch(() => {});
    return n === size ? out.buffer : null;
}

/** Number of records and times of an inflated chunk, or of its first 8 + 8 n bytes. */
export function readTimes(buffer) {
    const head = new DataView(buffer);
    const n = head.getUint32(0, true);
    const m = head.getUint32(4, true);
    return { n, m, t: new Float64Array(buffer.slice(8, 8 + 8 * n)) };
}

// where the parts of an inflated chunk lie
function partsOf(buffer) {
    const { n, m, t } = readTimes(buffer);
    const begin = 8 + 8 * n;
    if (buffer.byteLength < begin + 8 * m + 4 * m * n) {
        throw new Error('a chunk of the file is too short');
    }
    const offset = new Float32Array(buffer, begin, m);
    const quantum = new Float32Array(buffer, begin + 4 * m, m);
    const plane = [0, 1, 2, 3].map((k) => new Uint8Array(buffer, begin + 8 * m + k * m * n, m * n));
    return { n, m, t, offset, quantum, plane };
}

// the integer after k: the zigzag-coded difference at `at` undone
function next(plane, at, k) {
    const word = plane[0][at] | (plane[1][at] << 8) | (plane[2][at] << 16) | (plane[3][at] << 24);
    return (k + ((word >>> 1) ^ -(word & 1))) | 0;
}

/** Numbers of all records, one record after the other (n m), written into `spare` where that is large enough. */
export function decodeRecords(buffer, spare) {
    const { n, m, t, offset, quantum, plane } = partsOf(buffer);
    const value = spare && spare.length >= n * m ? spare : new Float32Array(n * m);
    for (let j = 0, at = 0; j < m; j++) {
        let k = 0;
        for (let i = 0; i < n; i++, at++) {
            k = next(plane, at, k);
            value[i * m + j] = offset[j] + quantum[j] * k;
        }
    }
    return { n, m, t, value };
}

/** Least and greatest value of every number, and all values of the numbers named in `columns`, one after the other. */
export function scanRecords(buffer, columns) {
    const { n, m, t, offset, quantum, plane } = partsOf(buffer);
    const min = new Float32Array(m);
    const max = new Float32Array(m);
    for (let j = 0, at = 0; j < m; j++) {
        let k = 0;
        let low = Infinity;
        let high = -Infinity;
        for (let i = 0; i < n; i++, at++) {
            k = next(plane, at, k);
            low = Math.min(low, k);
            high = Math.max(high, k);
        }
        min[j] = offset[j] + quantum[j] * low;
        max[j] = offset[j] + quantum[j] * high;
    }
    const value = new Float32Array(columns.length * n);
    columns.forEach((j, c) => {
        let k = 0;
        for (let i = 0, at = j * n; i < n; i++, at++) {
            k = next(plane, at, k);
            value[c * n + i] = offset[j] + quantum[j] * k;
        }
    });
    return { n, m, t, min, max, value };
}
