// SPDX-License-Identifier: Apache-2.0
// Chunks are decoded to what was coded, by a coder written apart (tests/browser/encode.mjs).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeChunk } from '../../tests/browser/encode.mjs';
import { bytesOfBase64, decodeRecords, inflate, inflateBeginning, readTimes, scanRecords } from '../src/chunk.js';

const times = [0, 0.5, 1.25, 3];
// rises, falls, jumps by more than 16 bits, stands still
const value = (i, j) => [0.1 * i, -0.3 * i * i, i % 2 === 0 ? -40 : 40, 7][j];
const chunk = encodeChunk(times, 4, value, () => 1e-4);

test('numbers come back within half a quantum', async () => {
    const bytes = bytesOfBase64(chunk.toString('base64'));
    const { n, m, t, value: out } = decodeRecords(await inflate(bytes), null);
    assert.deepEqual([n, m, ...t], [4, 4, ...times]);
    for (let i = 0; i < n; i++) {
        for (let j = 0; j < m; j++) {
            assert.ok(Math.abs(out[4 * i + j] - value(i, j)) <= 0.51e-4, `record ${i}, number ${j}`);
        }
    }
});

test('memory of another chunk is used again', async () => {
    const spare = new Float32Array(100);
    const { value: out } = decodeRecords(await inflate(chunk), spare);
    assert.equal(out, spare);
});

test('scan finds the extremes and the columns', async () => {
    const { min, max, value: column } = scanRecords(await inflate(chunk), [1, 3]);
    [0, -2.7, -40, 7].forEach((x, j) => assert.ok(Math.abs(min[j] - x) < 1e-4));
    [0.3, 0, 40, 7].forEach((x, j) => assert.ok(Math.abs(max[j] - x) < 1e-4));
    [0, -0.3, -1.2, -2.7, 7, 7, 7, 7].forEach((x, k) => assert.ok(Math.abs(column[k] - x) < 1e-4));
});

test('times can be read from the beginning of a long chunk', async () => {
    const many = Array.from({ length: 200 }, (_, i) => Math.sqrt(i));
    const long = encodeChunk(many, 300, (i, j) => Math.sin(i * j), () => 1e-6);
    const beginning = await inflateBeginning(long.subarray(0, 4096), 8 + 8 * 200);
    assert.deepEqual([...readTimes(beginning).t], many);
    assert.equal(await inflateBeginning(long.subarray(0, 100), 8 + 8 * 200), null);
});

test('a chunk that is cut is an error', async () => {
    const whole = await inflate(chunk);
    assert.throws(() => decodeRecords(whole.slice(0, whole.byteLength - 1), null), /too short/);
});
