// SPDX-License-Identifier: Apache-2.0
// Swept rods: few stations of an arc give a circle, sections have their widths and orientation, faces look outwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cords } from '../src/cords.js';
import { Tubes } from '../src/tube.js';

// poses of an arc of angle `angle` and radius 1 about z, from the origin along x, the section turning with it
function arc(n, angle) {
    const v = [];
    for (let i = 0; i < n; i++) {
        const a = (angle * i) / (n - 1);
        v.push(Math.sin(a), 1 - Math.cos(a), 0, Math.cos(0.5 * a), 0, 0, Math.sin(0.5 * a));
    }
    return v;
}

const rodOf = (n, section, wy, wz, more = {}) => ({
    name: 'rod',
    length: 1,
    stations: Array.from({ length: n }, (_, i) => i / (n - 1)),
    section,
    width: [Array(n).fill(wy), Array(n).fill(wz)],
    pose: 0,
    fields: {},
    ...more,
});

const pointsOf = (array, first, n) => Array.from({ length: n }, (_, k) => [...array.subarray(3 * (first + k), 3 * (first + k) + 3)]);

test('three stations of a quarter circle lie on it to 1e-5', () => {
    const tubes = new Tubes([rodOf(3, 'circle', 0.02, 0.02)], { pieces: 8, around: 8 });
    tubes.update(Float32Array.from(arc(3, Math.PI / 2)), null, 0, 1);
    for (let r = 0; r < 17; r++) {
        const ring = pointsOf(tubes.position, 8 * r, 8);
        const center = [0, 1, 2].map((d) => ring.reduce((sum, p) => sum + p[d], 0) / 8);
        // the error of the best cubic for an arc of 45 degrees is 4e-6 of its radius
        assert.ok(Math.abs(Math.hypot(center[0], center[1] - 1) - 1) < 1e-5, `ring ${r}`);
        ring.forEach((p) => assert.ok(Math.abs(Math.hypot(...p.map((x, d) => x - center[d])) - 0.01) < 1e-6));
    }
});

test('a rectangle has its widths along y and z of its section', () => {
    const tubes = new Tubes([rodOf(2, 'rectangle', 0.2, 0.1)], { pieces: 2, around: 8 });
    tubes.update(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]), null, 0, 1);
    const ring = pointsOf(tubes.position, 0, 8);
    assert.deepEqual([...new Set(ring.map((p) => Math.abs(p[1]).toFixed(6)))], ['0.100000']);
    assert.deepEqual([...new Set(ring.map((p) => Math.abs(p[2]).toFixed(6)))], ['0.050000']);
});

test('a factor on the widths is heeded', () => {
    const rod = rodOf(2, 'circle', 0.2, 0.2, { scale: 14 });
    const tubes = new Tubes([rod], { pieces: 1, around: 8 });
    tubes.update(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0.5, 2]), null, 0, 1);
    assert.ok(Math.abs(Math.hypot(tubes.position[1], tubes.position[2]) - 0.05) < 1e-6);
    assert.ok(Math.abs(Math.hypot(tubes.position[25], tubes.position[26]) - 0.2) < 1e-6);
});

test('the field is a coordinate between its bounds, interpolated between stations', () => {
    const rod = rodOf(2, 'circle', 0.2, 0.2, { fields: { bend_y: 14 } });
    const tubes = new Tubes([rod], { pieces: 2, around: 8 });
    tubes.update(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, -1, 3]), 'bend_y', -3, 5);
    [0.25, 0.5, 0.75].forEach((u, r) => assert.ok(Math.abs(tubes.uv[16 * r] - u) < 1e-6));
    // a rod without it has the row of grey, to the last vertex
    assert.ok(tubes.uv.every((u, i) => i % 2 === 0 || u === 0.25));
    tubes.update(new Float32Array(16).fill(0.5), 'twist', -3, 5);
    assert.ok(tubes.uv.every((u, i) => i % 2 === 0 || u === 0.75));
});

// volume by the divergence theorem: right only if the surface is closed and looks outwards everywhere
function volumeOf({ position, index }) {
    let sum = 0;
    for (let k = 0; k < index.length; k += 3) {
        const [a, b, c] = [0, 1, 2].map((d) => position.subarray(3 * index[k + d], 3 * index[k + d] + 3));
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

for (const [section, area] of [['rectangle', 0.02], ['ellipse', (0.5 * 16 * Math.sin((2 * Math.PI) / 16) * 0.02) / 4]]) {
    test(`${section}: closed, looking outwards, normals too`, () => {
        const tubes = new Tubes([rodOf(2, section, 0.2, 0.1)], { pieces: 3, around: 16 });
        tubes.update(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]), null, 0, 1);
        assert.ok(Math.abs(volumeOf(tubes) - area) < 1e-6, `${volumeOf(tubes)} is not ${area}`);
        for (let i = 0; i < tubes.position.length; i += 3) {
            const [x, y, z] = tubes.position.subarray(i, i + 3);
            const [nx, ny, nz] = tubes.normal.subarray(i, i + 3);
            assert.ok(Math.abs(Math.hypot(nx, ny, nz) - 1) < 1e-6);
            assert.ok((x - 0.5) * nx + y * ny + z * nz > 0);
        }
    });
}

test('cords have their width everywhere, in corners too', () => {
    const cords = new Cords([{ kind: 'tendon', name: 't', n: 3, points: 0, value: 9, unit: 'N', width: 0.1 }], 1);
    const v = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 4]);
    cords.update(v, { tendon: { low: 0, high: 8 } });
    for (let i = 0; i < 3; i++) {
        // eight pieces from point to point
        pointsOf(cords.position, 64 * i, 8).forEach((p) => {
            assert.ok(Math.abs(Math.hypot(...p.map((x, d) => x - v[3 * i + d])) - 0.05) < 1e-6);
        });
    }
    assert.ok(Math.abs(cords.uv[0] - 0.5) < 1e-6);
});
