// SPDX-License-Identifier: Apache-2.0
// Numbers beside axes and in fields: ticks differ where their values do, and fields hide no digit that matters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldText } from '../src/control_panel.js';
import { arrowCorners, arrowScales, ballAround, pathRanges } from '../src/extent.js';
import { tickText } from '../src/plot.js';

const plain = (text) => Number(text.replaceAll('\u2212', '-'));

test('ticks have the digits that their step needs', () => {
    assert.equal(tickText(0.4921, 0.0001), '0.4921');
    assert.equal(tickText(0.492, 0.0001), '0.4920');
    assert.equal(tickText(-2, 1), '\u22122');
    assert.equal(tickText(1e-17, 0.1), '0');
    assert.equal(tickText(2.5e6, 5e5), '2.5e6');
    for (const step of [1e-9, 2e-5, 5e-4, 0.1, 0.5, 2, 50, 2e4, 5e6]) {
        for (let k = -12; k <= 12; k++) {
            assert.ok(Math.abs(plain(tickText(k * step, step)) - k * step) < 1e-6 * step, `${k} ${step}`);
        }
    }
});

test('fields show large and small numbers whole', () => {
    assert.equal(fieldText(2000000), '2e6');
    assert.equal(fieldText(500000), '5e5');
    assert.equal(fieldText(0.59731234), '0.59731');
    assert.equal(fieldText(-12.5), '-12.5');
    assert.equal(fieldText(0), '0');
    assert.equal(fieldText(1.5e-5), '1.5e-5');
    [1.2345e9, -9.8765e-8, -12345, 0.0012345].forEach((x) => {
        assert.ok(fieldText(x).length <= 10);
        assert.equal(Number(fieldText(x)), x);
    });
});

test('bounds of tendons are round, and rounding is none', () => {
    const scene = { paths: [{ kind: 'tendon', value: 0, unit: 'N' }] };
    const of = (low, high) => pathRanges(scene, { min: [low], max: [high] }).tendon;
    assert.deepEqual(of(0, 3.63e-11), { low: 0, high: 1, unit: 'N' });
    assert.deepEqual(of(0, 15.4), { low: 0, high: 20, unit: 'N' });
    assert.deepEqual(of(-0.3, 5), { low: -0.5, high: 5, unit: 'N' });
});

test('rounding is no arrow', () => {
    const scene = { size: 2, arrows: [{ kind: 'loop', index: 0, unit: 'N' }, { kind: 'loop', index: 6, unit: 'N m' }] };
    const of = (force, moment) => {
        const v = [0, 0, 0, force, 0, 0, 0, 0, 0, moment, 0, 0];
        return arrowScales(scene, { min: v, max: v }, 1);
    };
    // the greatest arrow has 0.35 of the robot's length, 2 m
    assert.deepEqual(of(0.4, 0.1), { N: 0.7 / 0.4, 'N m': 0.7 / 0.1 });
    assert.deepEqual(of(0.4, -3.3e-16), { N: 0.7 / 0.4, 'N m': 0 });
    assert.deepEqual(of(3.3e-16, 0.1), { N: 0, 'N m': 0.7 / 0.1 });
    assert.deepEqual(of(3e-16, 2e-17), { N: 0, 'N m': 0 });
    assert.deepEqual(of(0, 0), { N: 0, 'N m': 0 });
    // small robots have small forces
    assert.deepEqual(of(1e-9, 1e-9), { N: 0.7 / 1e-9, 'N m': 0.7 / 1e-9 });
});

test('corners of arrows hold their tips', () => {
    const scene = { arrows: [{ kind: 'load', index: 0, unit: 'N' }, { kind: 'loop', index: 0, unit: 'N' }] };
    const display = { arrows: { load: true, loop: false }, arrowScales: { N: 0.5 } };
    const ranges = { min: [0, 0, 0, -2, 1, 0], max: [1, 0, 0, 4, 3, 0] };
    const list = arrowCorners(scene, ranges.min, ranges.max, ranges, display, []);
    assert.equal(list.length, 4 * 8);
    const along = (d) => list.filter((_, i) => i % 4 === d);
    assert.deepEqual([0, 1, 2].map((d) => [Math.min(...along(d)), Math.max(...along(d))]), [[-1, 3], [0, 1.5], [0, 0]]);
});

test('a ball around balls holds them', () => {
    const balls = [{ center: [0, 0, 0], radius: 1 }, { center: [4, 0, 0], radius: 0.5 }];
    const { center, radius } = ballAround(balls);
    balls.forEach((ball) => assert.ok(Math.hypot(...center.map((c, d) => c - ball.center[d])) + ball.radius <= radius + 1e-12));
    assert.deepEqual(ballAround([balls[1]]), balls[1]);
});
