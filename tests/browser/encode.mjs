// SPDX-License-Identifier: Apache-2.0
// Writes pages of recorded motions after docs/viewer.md, independently of the library: what the tests of the page read.
import { readFileSync, openSync, writeSync, closeSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

export const PAGE = new URL('../../web/dist/viewer.html', import.meta.url).pathname;
const PLACE = '<!--elver-data-->';

/** A chunk: times (n), value(i, j) of record i and number j < m, quanta (m). */
export function encodeChunk(times, m, value, quantum, level = 6) {
    const n = times.length;
    const head = 8 + 8 * n + 8 * m;
    const bytes = Buffer.alloc(head + 4 * m * n);
    bytes.writeUInt32LE(n, 0);
    bytes.writeUInt32LE(m, 4);
    times.forEach((t, i) => bytes.writeDoubleLE(t, 8 + 8 * i));
    const plane = m * n;
    for (let j = 0; j < m; j++) {
        const offset = Math.fround(value(0, j));
        const q = Math.fround(quantum(j));
        bytes.writeFloatLE(offset, 8 + 8 * n + 4 * j);
        bytes.writeFloatLE(q, 8 + 8 * n + 4 * m + 4 * j);
        let before = 0;
        for (let i = 0, at = head + j * n; i < n; i++, at++) {
            const k = Math.round((value(i, j) - offset) / q);
            const d = k - before;
            before = k;
            const word = (d << 1) ^ (d >> 31);
            bytes[at] = word;
            bytes[at + plane] = word >> 8;
            bytes[at + 2 * plane] = word >> 16;
            bytes[at + 3 * plane] = word >> 24;
        }
    }
    return deflateSync(bytes, { level });
}

/** Write a page: runs are {scene, times, fill(i, v)}, the records of run k being filled one chunk at a time. */
export function writePage(path, runs, { template = PAGE, chunkNumbers = 500000, level = 6 } = {}) {
    const page = readFileSync(template, 'utf8');
    const at = page.indexOf(PLACE);
    const file = openSync(path, 'w');
    writeSync(file, page.slice(0, at));
    runs.forEach(({ scene, times, fill, quantum = () => 1e-5 }, k) => {
        const m = scene.n_value;
        const size = Math.max(1, Math.min(512, Math.floor(chunkNumbers / m)));
        const counts = [];
        for (let i = 0; i < times.length; i += size) {
            counts.push(Math.min(size, times.length - i));
        }
        const full = { ...scene, n_frame: times.length, t_begin: times[0], t_end: times.at(-1), chunks: counts };
        writeSync(file, `<script type="application/json" id="elver-scene-${k}">${JSON.stringify(full)}</script>\n`);
        const values = new Float64Array(size * m);
        let first = 0;
        counts.forEach((n, j) => {
            for (let i = 0; i < n; i++) {
                fill(first + i, values.subarray(i * m, (i + 1) * m));
            }
            const part = encodeChunk(times.slice(first, first + n), m, (i, c) => values[i * m + c], quantum, level);
            writeSync(file, `<script type="application/octet-stream" id="elver-chunk-${k}-${j}">${part.toString('base64')}</script>\n`);
            first += n;
        });
    });
    writeSync(file, page.slice(at + PLACE.length));
    closeSync(file);
}
