// SPDX-License-Identifier: Apache-2.0
// Colour maps rise evenly in lightness.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorTable, lightness, niceRange } from '../src/colormap.js';

for (const [name, low, high] of [['lagoon', 16, 92], ['tide', 20, 82], ['heather', 20, 82], ['moss', 20, 82]]) {
    test(`${name}: lightness on a line`, () => {
        const table = colorTable(name);
        for (let i = 0; i < 256; i++) {
            const wanted = low + ((high - low) * i) / 255;
            // colours are whole numbers: half a step of the brightest part is 0.2 of lightness, in the dark more
            assert.ok(Math.abs(lightness(...table.subarray(4 * i, 4 * i + 3)) - wanted) < 0.7, `entry ${i}`);
            assert.equal(table[4 * i + 3], 255);
        }
    });
}

test('a field that is the same everywhere has a range', () => {
    const [low, high] = niceRange(3, 3);
    assert.ok(low < 3 && high > 3);
    assert.deepEqual(niceRange(Infinity, -Infinity), [0, 1]);
    assert.deepEqual(niceRange(-1, 2), [-1, 2]);
});
