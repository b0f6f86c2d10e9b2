// SPDX-License-Identifier: Apache-2.0
// How far things reach: ranges of every number over the run, and from them the colours' bounds, the arrows' scale,
// the box around the robot and the height of the ground.
import { reachOf } from './bodies.js';
import { niceRange } from './colormap.js';
import { pointRange, turnRange } from './reach.js';

/** Least and greatest value of every number so far. */
export class Ranges {
    constructor(n) {
        this.min = new Float32Array(n).fill(Infinity);
        this.max = new Float32Array(n).fill(-Infinity);
    }

    include(min, max) {
        for (let j = 0; j < min.length; j++) {
            this.min[j] = Math.min(this.min[j], min[j]);
            this.max[j] = Math.max(this.max[j], max[j]);
        }
    }
}

/** The same of the last 5 to 10 seconds. */
export class RecentRanges {
    constructor(n) {
        this.n = n;
        this.parts = [new Ranges(n), new Ranges(n)];
        this.began = -Infinity;
    }

    /** now: ms. */
    include(record, now) {
        if (now - this.began > 5000) {
            this.parts = [this.parts[1], new Ranges(this.n)];
            this.began = now;
        }
        this.parts[1].include(record, record);
    }

    get all() {
        const all = new Ranges(this.n);
        this.parts.forEach(({ min, max }) => all.include(min, max));
        return all;
    }
}

/** Bounds of a field over all rods. */
export function fieldRange(scene, ranges, name) {
    let low = Infinity;
    let high = -Infinity;
    for (const rod of scene.rods) {
        const at = rod.fields[name];
        for (let i = 0; at !== undefined && i < rod.stations.length; i++) {
            low = Math.min(low, ranges.min[at + i]);
            high = Math.max(high, ranges.max[at + i]);
        }
    }
    return niceRange(low, high);
}

// the next of 1, 2, 5, 10, ... at or above, so that a legend does not change with every record
function roundUp(x) {
    const ten = 10 ** Math.floor(Math.log10(x));
    return [1, 2, 5, 10].find((k) => k * ten >= x * (1 - 1e-6)) * ten;
}

/** Bounds of what paths are coloured by, by kind: {low, high, unit}; zero belongs to them. */
export function pathRanges(scene, ranges) {
    const result = {};
    for (const path of scene.paths) {
        const range = (result[path.kind] ??= { low: 0, high: 0, unit: path.unit });
        range.low = Math.min(range.low, ranges.min[path.value]);
        range.high = Math.max(range.high, ranges.max[path.value]);
    }
    for (const range of Object.values(result)) {
        // less than this is rounding
        range.high = range.high > 1e-6 ? roundUp(range.high) : 0;
        range.low = range.low < -1e-6 ? -roundUp(-range.low) : 0;
        if (range.high === range.low) {
            range.high = 1;
        }
    }
    return result;
}

// less than this part of the greatest force times the robot's length is the rounding of a moment, and the other way round
const ROUNDING = 1e-7;

// less than so many N is nothing, whatever else there is
const LEAST_FORCE = 1e-12;

/** Metres a unit of force or moment, by unit, so that the greatest arrow has 0.35 of the robot's length; 0: all rounding. */
export function arrowScales(scene, ranges, factor) {
    const most = {};
    const lever = scene.size || 1;
    for (const { index, unit } of scene.arrows) {
        let sum = 0;
        for (let d = 3; d < 6; d++) {
            sum += Math.max(ranges.min[index + d] ** 2, ranges.max[index + d] ** 2);
        }
        most[unit] = Math.max(most[unit] ?? 0, Math.sqrt(sum));
    }
    // moments as forces at the end of the robot
    const asForce = (unit) => (most[unit] ?? 0) / (unit === 'N m' ? lever : 1);
    const least = Math.max(LEAST_FORCE, ROUNDING * Math.max(...Object.keys(most).map(asForce)));
    const scales = {};
    for (const [unit, top] of Object.entries(most)) {
        scales[unit] = asForce(unit) > least ? (0.35 * scene.size * factor) / top : 0;
    }
    return scales;
}

/** Corners of the boxes in which tips of arrows are, appended to a list: feet between min and max, forces in `ranges`. */
export function arrowCorners(scene, min, max, ranges, display, list) {
    for (const { index, unit, kind } of scene.arrows) {
        const scale = display.arrows[kind] ? (display.arrowScales[unit] ?? 0) : 0;
        for (let k = 0; scale > 0 && k < 8; k++) {
            for (let d = 0; d < 3; d++) {
                const isHigh = (k >> d) & 1;
                const foot = isHigh ? max[index + d] : min[index + d];
                list.push(foot + scale * (isHigh ? Math.max(0, ranges.max[index + 3 + d]) : Math.min(0, ranges.min[index + 3 + d])));
            }
            list.push(0);
        }
    }
    return list;
}

// points that move, with a radius about each
function pointsOf(scene) {
    const points = [];
    for (const rod of scene.rods) {
        rod.stations.forEach((_, i) => {
            points.push({ at: rod.pose + 7 * i, radius: 0.5 * Math.max(rod.width[0][i], rod.width[1][i]) });
        });
    }
    for (const body of scene.bodies) {
        points.push({ at: body.pose, radius: reachOf(body), body });
    }
    for (const path of scene.paths) {
        for (let i = 0; i < path.n; i++) {
            points.push({ at: path.points + 3 * i, radius: 0.5 * path.width });
        }
    }
    return points;
}

// intervals of x, y, z of what bodies without a shape hold together, and of wheels, with a radius
function farPoints(scene, min, max) {
    const points = [];
    for (const { shape, pose, sticks = [] } of scene.bodies) {
        if (shape === 'none' && sticks.length > 0) {
            const turn = turnRange(min, max, pose);
            sticks.forEach((p) => points.push({ range: pointRange(min, max, pose, turn, p), radius: 0 }));
        }
    }
    for (const { pose, place, radius } of scene.wheels ?? []) {
        points.push({ range: pointRange(min, max, pose, turnRange(min, max, pose), place), radius });
    }
    return points;
}

/** Ball around all that moves, from least and greatest values (twice the same: of one record). */
export function boundsOf(scene, min, max) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const { at, radius } of pointsOf(scene)) {
        for (let d = 0; d < 3; d++) {
            low[d] = Math.min(low[d], min[at + d] - radius);
            high[d] = Math.max(high[d], max[at + d] + radius);
        }
    }
    for (const { range, radius } of farPoints(scene, min, max)) {
        for (let d = 0; d < 3; d++) {
            low[d] = Math.min(low[d], range[d][0] - radius);
            high[d] = Math.max(high[d], range[d][1] + radius);
        }
    }
    if (!(low[0] <= high[0])) {
        return { center: [0, 0, 0], radius: scene.size || 1 };
    }
    const center = low.map((c, d) => 0.5 * (c + high[d]));
    const radius = 0.5 * Math.hypot(...low.map((c, d) => high[d] - c));
    return { center, radius: Math.max(radius, 0.3 * (scene.size || 0.1)) };
}

/** Corners of the boxes in which points of a robot move, x, y, z and a radius each, appended to a list. */
export function cornersOf(scene, min, max, list) {
    const boxes = pointsOf(scene).map(({ at, radius }) => ({ range: [0, 1, 2].map((d) => [min[at + d], max[at + d]]), radius }));
    for (const { range, radius } of [...boxes, ...farPoints(scene, min, max)]) {
        for (let k = 0; k < 8; k++) {
            list.push(range[0][k & 1], range[1][(k >> 1) & 1], range[2][k >> 2], radius);
        }
    }
    return list;
}

/** Ball around several balls, {center, radius}. */
export function ballAround(balls) {
    const low = [0, 1, 2].map((d) => Math.min(...balls.map(({ center, radius }) => center[d] - radius)));
    const high = [0, 1, 2].map((d) => Math.max(...balls.map(({ center, radius }) => center[d] + radius)));
    const center = low.map((c, d) => 0.5 * (c + high[d]));
    const reach = balls.map((ball) => Math.hypot(...center.map((c, d) => c - ball.center[d])) + ball.radius);
    return { center, radius: Math.max(...reach) };
}

// how far below its centre a body reaches
function depthOf(body, v, up) {
    const s = [body.size].flat();
    const [w, x, y, z] = [v[body.pose + 3], v[body.pose + 4], v[body.pose + 5], v[body.pose + 6]];
    // up in the axes of the body
    const c = [
        Math.abs((1 - 2 * (y * y + z * z)) * up[0] + 2 * (x * y + w * z) * up[1] + 2 * (x * z - w * y) * up[2]),
        Math.abs(2 * (x * y - w * z) * up[0] + (1 - 2 * (x * x + z * z)) * up[1] + 2 * (y * z + w * x) * up[2]),
        Math.abs(2 * (x * z + w * y) * up[0] + 2 * (y * z - w * x) * up[1] + (1 - 2 * (x * x + y * y)) * up[2]),
    ];
    switch (body.shape) {
        case 'box':
            return 0.5 * (c[0] * s[0] + c[1] * s[1] + c[2] * s[2]);
        case 'cylinder':
            return 0.5 * s[1] * c[0] + s[0] * Math.sqrt(Math.max(0, 1 - c[0] * c[0]));
        case 'capsule':
            return 0.5 * s[1] * c[0] + s[0];
        case 'ellipsoid':
            return Math.hypot(c[0] * s[0], c[1] * s[1], c[2] * s[2]);
        default:
            return reachOf(body);
    }
}

/** Height of the ground along `up`: below the lowest point, or at 0 where the robot stands there. */
export function groundHeight(scene, first, ranges, up) {
    let lowest = Infinity;
    for (const { at, radius, body } of pointsOf(scene)) {
        let height = 0;
        for (let d = 0; d < 3; d++) {
            height += up[d] * (up[d] > 0 ? ranges.min[at + d] : ranges.max[at + d]);
        }
        lowest = Math.min(lowest, height - (body ? depthOf(body, first, up) : radius));
    }
    for (const { range, radius } of farPoints(scene, ranges.min, ranges.max)) {
        const height = range.reduce((sum, [low, high], d) => sum + up[d] * (up[d] > 0 ? low : high), 0);
        lowest = Math.min(lowest, height - radius);
    }
    if (!Number.isFinite(lowest)) {
        return 0;
    }
    // wheels stand on the ground
    if ((scene.wheels ?? []).length > 0) {
        return lowest;
    }
    const stands = scene.arrows.some(({ kind }) => kind === 'contact' || kind === 'wheel');
    const near = (stands ? 0.3 : 0.08) * scene.size;
    return Math.abs(lowest) < near ? 0 : lowest - 0.05 * scene.size;
}
