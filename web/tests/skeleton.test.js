// SPDX-License-Identifier: Apache-2.0
// Skeletons: sticks and plates by hand; intervals of points against turned points; points of a pose.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf, groundHeight } from '../src/extent.js';
import { pointRange, turnRange } from '../src/reach.js';
import { plateOf, skeletonOf, spanOf } from '../src/skeleton.js';
import { putPoint } from '../src/slides.js';

const near = (actual, expected, tol = 1e-12) => {
    assert.equal(actual.length, expected.length);
    actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= tol, `${actual} is not ${expected}`));
};

test('few points', () => {
    assert.deepEqual(skeletonOf([]), { sticks: [], plate: null });
    assert.deepEqual(skeletonOf([[1, 2, 3]]), { sticks: [], plate: null });
    assert.deepEqual(skeletonOf([[0, 0, 0], [0, 0, 1]]).sticks, [[[0, 0, 0], [0, 0, 1]]]);
    assert.equal(spanOf([[0, 0, 0], [3, 0, 0], [0, 4, 0]]), 5);
});

test('more points meet in their middle', () => {
    const { sticks, plate } = skeletonOf([[0, 0, 0], [0, 0, -1], [0, 0, -2]]);
    assert.equal(sticks.length, 3);
    sticks.forEach(([hub]) => near(hub, [0, 0, -1]));
    // a line has no plate, nor has what is no plane
    assert.equal(plate, null);
    assert.equal(plateOf([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), null);
    assert.equal(plateOf([[0, 0, 0], [1, 0.05, 0], [2, 0, 0]]), null);
});

test('a plate is the hull of its points', () => {
    // a unit square across x at x = 2, with a point within
    const { origin, axes, corners } = plateOf([[2, 0, 0], [2, 0.4, 0.5], [2, 1, 0], [2, 1, 1], [2, 0, 1]]);
    assert.equal(corners.length, 4);
    const world = corners.map(([a, b]) => origin.map((o, d) => o + a * axes[0][d] + b * axes[1][d]));
    for (const corner of [[2, 0, 0], [2, 1, 0], [2, 1, 1], [2, 0, 1]]) {
        assert.ok(world.some((p) => Math.hypot(...p.map((x, d) => x - corner[d])) < 1e-12));
    }
    near(axes[2].map(Math.abs), [1, 0, 0]);
});

const pose = (angle, p = [1, 2, 3]) => [...p, Math.cos(0.5 * angle), 0, Math.sin(0.5 * angle), 0];

test('a point of a turned body', () => {
    const out = new Float64Array(4);
    // a quarter about y: x goes to -z
    putPoint([0, ...pose(0.5 * Math.PI)], 1, [1, 0.5, 0], out, 1);
    near([...out.slice(1)], [1, 2.5, 2]);
});

test('intervals hold all poses between, and are exact for one', () => {
    const poses = Array.from({ length: 21 }, (_, i) => pose(-1 + 0.1 * i, [0.1 * i, 0, 0]));
    const min = poses[0].map((_, k) => Math.min(...poses.map((v) => v[k])));
    const max = poses[0].map((_, k) => Math.max(...poses.map((v) => v[k])));
    const p = [0.3, -0.2, -1];
    const out = new Float64Array(3);
    const wide = pointRange(min, max, 0, turnRange(min, max, 0), p);
    for (const v of poses) {
        putPoint(v, 0, p, out, 0);
        wide.forEach(([low, high], d) => assert.ok(low <= out[d] + 1e-12 && out[d] <= high + 1e-12));
        pointRange(v, v, 0, turnRange(v, v, 0), p).forEach((range, d) => near(range, [out[d], out[d]]));
    }
});

test('bounds and ground know sticks and wheels', () => {
    const body = { shape: 'none', size: [], pose: 0, sticks: [[0, 0, 0], [0, 0, -1]] };
    const scene = { size: 1, rods: [], paths: [], arrows: [], bodies: [body] };
    const v = [0, 0, 0, 1, 0, 0, 0];
    near(boundsOf(scene, v, v).center, [0, 0, -0.5]);
    near([groundHeight(scene, v, { min: v, max: v }, [0, 0, 1])], [-1.05]);
    const cart = { ...scene, bodies: [{ ...body, sticks: [] }], wheels: [{ pose: 0, place: [1, 0, 0], axis: [0, 1, 0], radius: 0.2 }] };
    near([groundHeight(cart, v, { min: v, max: v }, [0, 0, 1])], [-0.2]);
});
