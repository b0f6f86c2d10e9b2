// SPDX-License-Identifier: Apache-2.0
// Between records; curves of signals; the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../src/history.js';
import { interpolate, quaternionsOf } from '../src/motion.js';
import { Player } from '../src/player.js';

const scene = { rods: [], bodies: [{ pose: 0 }], frames: [], signals: [{ index: 0 }] };

test('half way between two orientations is half the turn, whatever their signs', () => {
    const half = Math.PI / 3;
    const a = Float32Array.from([0, 0, 0, 1, 0, 0, 0]);
    for (const sign of [1, -1]) {
        const b = Float32Array.from([2, 0, 0, sign * Math.cos(half), 0, 0, sign * Math.sin(half)]);
        const out = new Float32Array(7);
        interpolate(a, 0, b, 0, 0.5, 7, quaternionsOf(scene), out);
        assert.ok(Math.abs(out[0] - 1) < 1e-6);
        assert.ok(Math.abs(Math.abs(out[3]) - Math.cos(0.5 * half)) < 1e-6);
        assert.ok(Math.abs(out[6] / out[3] - Math.tan(0.5 * half)) < 1e-6);
    }
});

test('a long curve is thinned without losing a peak', () => {
    const n = 100000;
    const history = new History(scene, n);
    const t = Float64Array.from({ length: n }, (_, i) => i);
    const value = new Float32Array(n);
    value[77777] = 5;
    history.addChunk(0, t.subarray(0, 50000), value.subarray(0, 50000));
    history.addChunk(50000, t.subarray(50000), value.subarray(50000));
    assert.ok(history.n <= 4096);
    assert.equal(Math.max(...history.high[0]), 5);
    assert.equal(Math.min(...history.low[0]), 0);
});

test('a curve without end keeps the last part, and begins anew when time goes back', () => {
    const history = new History(scene, 0);
    for (let i = 0; i < 10000; i++) {
        history.addRecord(i, [i]);
    }
    assert.ok(history.n <= 4096 && history.n >= 2048);
    assert.equal(history.t[history.n - 1], 9999);
    assert.equal(history.high[0][history.n - 1], 9999);
    history.addRecord(0, [1]);
    assert.equal(history.n, 1);
});

test('the clock loops or stops', () => {
    const player = new Player(1, 3);
    player.play(true);
    player.advance(2.5);
    assert.ok(Math.abs(player.t - 1.5) < 1e-12);
    player.isLooping = false;
    player.setSpeed(10);
    player.advance(1);
    assert.equal(player.t, 3);
    assert.equal(player.isPlaying, false);
    player.play();
    assert.equal(player.t, 1);
});
