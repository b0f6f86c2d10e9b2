// SPDX-License-Identifier: Apache-2.0
// Colours of numbers. All maps rise evenly in lightness, so that they read in print and for the colour-blind: anchors
// are chosen in the hue circle, and the lightness (CIE L*) of every entry of the table is then set on a line.

const SIZE = 256;

// r, g, b of anchors, evenly spaced, and lightness at the ends
const maps = {
    lagoon: {
        anchor: [[62, 20, 96], [60, 74, 150], [32, 124, 150], [34, 166, 130], [132, 206, 84], [252, 232, 60]],
        lightness: [16, 92],
    },
    // blue, violet and green: to be told from the rods, which are orange, and from each other; none ends near white or
    // black, which the backgrounds are
    tide: {
        anchor: [[24, 24, 92], [34, 54, 150], [30, 100, 205], [36, 156, 226], [60, 190, 236], [96, 216, 244]],
        lightness: [20, 82],
    },
    heather: {
        anchor: [[62, 12, 66], [104, 24, 110], [156, 40, 150], [206, 66, 176], [232, 118, 200], [246, 176, 222]],
        lightness: [20, 82],
    },
    moss: {
        anchor: [[12, 52, 30], [22, 84, 48], [34, 122, 66], [62, 158, 72], [112, 192, 86], [164, 220, 112]],
        lightness: [20, 82],
    },
};

/** Maps of what is drawn as cords, by kind. */
export const pathMaps = { tendon: 'tide', chamber: 'heather', muscle: 'moss' };

const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const toDisplay = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

/** CIE L* of a display colour of three numbers in [0, 255]. */
export function lightness(r, g, b) {
    const y = 0.2126 * toLinear(r / 255) + 0.7152 * toLinear(g / 255) + 0.0722 * toLinear(b / 255);
    return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

// the colour of the same hue with lightness L: black or white is mixed in, in linear light
function withLightness(colour, wanted) {
    const y = wanted > 8 ? ((wanted + 16) / 116) ** 3 : wanted / 903.3;
    const linear = colour.map((c) => toLinear(c / 255));
    const now = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    let mixed = linear.map((c) => (c * y) / now);
    const top = Math.max(...mixed);
    if (top > 1) {
        // too bright to scale: towards white until the brightness is right
        const base = mixed.map((c) => c / top);
        const bright = y / top;
        const w = (y - bright) / (1 - bright);
        mixed = base.map((c) => c + w * (1 - c));
    }
    return mixed.map((c) => Math.round(255 * toDisplay(c)));
}

/** Table of 256 display colours of four bytes. */
export function colorTable(name) {
    const { anchor, lightness: ends } = maps[name];
    const table = new Uint8Array(4 * SIZE);
    for (let i = 0; i < SIZE; i++) {
        const x = (i / (SIZE - 1)) * (anchor.length - 1);
        const k = Math.min(Math.floor(x), anchor.length - 2);
        const u = x - k;
        const colour = anchor[k].map((c, d) => c + u * (anchor[k + 1][d] - c));
        const wanted = ends[0] + (i / (SIZE - 1)) * (ends[1] - ends[0]);
        table.set([...withLightness(colour, wanted), 255], 4 * i);
    }
    return table;
}

/** Bounds for a legend: a little wider than a flat field, symmetric if it has both signs of like size. */
export function niceRange(low, high) {
    if (!(low <= high)) {
        return [0, 1];
    }
    const scale = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= 1e-6 * scale || scale === 0) {
        const half = scale > 0 ? 0.01 * scale : 1;
        return [low - half, high + half];
    }
    return [low, high];
}
