// SPDX-License-Identifier: Apache-2.0
// Made-up robots for the tests of the page: curves with given curvature, no mechanics.
import { writePage } from './encode.mjs';

const product = ([a, b, c, d], [w, x, y, z]) => [
    a * w - b * x - c * y - d * z,
    a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w,
];

const turned = (q, [x, y, z]) => product(product(q, [0, x, y, z]), [q[0], -q[1], -q[2], -q[3]]).slice(1);

const bent = (q, [x, y, z]) => {
    const angle = Math.hypot(x, y, z);
    const s = angle > 0 ? Math.sin(0.5 * angle) / angle : 0.5;
    return product(q, [Math.cos(0.5 * angle), s * x, s * y, s * z]);
};

/** Description being built: parts take their numbers one after the other. */
export class Sketch {
    constructor(name, title, more = {}) {
        this.scene = {
            format: 1, name, title, n_value: 0, gravity: [0, 0, -9.81], size: 1, surface: null,
            rods: [], fields: [], bodies: [], paths: [], arrows: [], frames: [], signals: [], ...more,
        };
        this.fills = [];
    }

    take(n) {
        const at = this.scene.n_value;
        this.scene.n_value += n;
        return at;
    }

    /** Rod whose strains (twist, bend_y, bend_z) are curvature(s in [0, 1], t) and whose base is base(t): {p, q}. */
    rod(name, { length, n = 17, section = 'circle', width, base, curvature, fields = ['twist', 'bend_y', 'bend_z'] }) {
        const stations = Array.from({ length: n }, (_, i) => i / (n - 1));
        const widths = [0, 1].map((d) => stations.map((s) => width(s)[d]));
        const rod = { name, length, stations, section, width: widths, pose: this.take(7 * n), fields: {} };
        fields.forEach((field) => {
            rod.fields[field] = this.take(n);
        });
        this.scene.rods.push(rod);
        this.fills.push((t, v) => {
            let { p, q } = base(t);
            const steps = 4;
            const ds = length / ((n - 1) * steps);
            for (let i = 0; i < n; i++) {
                v.set([...p, ...q], rod.pose + 7 * i);
                const k = curvature(i / (n - 1), t);
                fields.forEach((field, c) => {
                    v[rod.fields[field] + i] = k[c % 3] * (c < 3 ? 1 : 0.02);
                });
                for (let r = 0; r < steps && i + 1 < n; r++) {
                    const mid = curvature((i + (r + 0.5) / steps) / (n - 1), t);
                    const half = bent(q, mid.map((x) => 0.5 * ds * x));
                    const step = turned(half, [ds, 0, 0]);
                    p = p.map((x, d) => x + step[d]);
                    q = bent(half, mid.map((x) => 0.5 * ds * x));
                }
            }
        });
        return rod;
    }

    /** Body on the last section of a rod, or at pose(t). */
    body(name, shape, size, pose, place = [0, 0, 0, 1, 0, 0, 0]) {
        const body = { name, pose: this.take(7), shape, size, place, parent: null, joint: [0, 0, 0] };
        this.scene.bodies.push(body);
        this.fills.push((t, v) => {
            const { p, q } = pose(t, v);
            v.set([...p, ...q], body.pose);
        });
        return body;
    }

    /** Path along a rod at offsets (y, z). */
    path(kind, name, rod, [y, z], value, unit, width) {
        const n = rod.stations.length;
        const path = { kind, name, n, points: this.take(3 * n), value: this.take(1), unit, width };
        this.scene.paths.push(path);
        this.fills.push((t, v) => {
            for (let i = 0; i < n; i++) {
                const pose = [...v.subarray(rod.pose + 7 * i, rod.pose + 7 * i + 7)];
                const off = turned(pose.slice(3), [0, y, z]);
                v.set(off.map((x, d) => x + pose[d]), path.points + 3 * i);
            }
            v[path.value] = value(t);
        });
    }

    arrow(kind, name, unit, at) {
        const arrow = { kind, name, index: this.take(6), unit };
        this.scene.arrows.push(arrow);
        this.fills.push((t, v) => v.set(at(t, v), arrow.index));
    }

    frame(name, pose) {
        const frame = { name, pose: this.take(7) };
        this.scene.frames.push(frame);
        this.fills.push((t, v) => v.set(pose(t, v), frame.pose));
    }

    signal(name, unit, value) {
        const signal = { name, unit, index: this.take(1) };
        this.scene.signals.push(signal);
        this.fills.push((t, v) => {
            v[signal.index] = value(t, v);
        });
    }

    fill(t, v) {
        this.fills.forEach((fill) => fill(t, v));
    }

    run(times, more = {}) {
        return { scene: this.scene, times, fill: (i, v) => this.fill(times[i], v), ...more };
    }
}

export const timesOf = (n, end) => Array.from({ length: n }, (_, i) => (end * i) / (n - 1));
export const tipOf = (rod) => rod.pose + 7 * (rod.stations.length - 1);

const fieldsOf = (names) =>
    names.map((name) => ({ name, unit: name.startsWith('stress') ? 'N m' : '1/m', label: name.replace('_', ' ').replace('stress.', 'moment, ') }));

const UPWARDS = [Math.SQRT1_2, 0, -Math.SQRT1_2, 0];

/** An arm of one tapering rod on a base, three tendons, a weight at the tip. gain: how much it bends. */
export function arm({ gain = 1, title = 'elver view arm.h5' } = {}) {
    const sketch = new Sketch('tendon-arm', title, { size: 0.5, fields: fieldsOf(['twist', 'bend_y', 'bend_z']) });
    const wave = (t, k) => 2.6 * gain * Math.sin(1.7 * t + 2.1 * k) * Math.min(1, t);
    const rod = sketch.rod('arm', {
        length: 0.5,
        width: (u) => [0.06 - 0.035 * u, 0.06 - 0.035 * u],
        base: () => ({ p: [0, 0, 0.06], q: UPWARDS }),
        curvature: (u, t) => [0.4 * Math.sin(t), wave(t, 0) * (0.4 + u), wave(t, 1) * (0.3 + 1.3 * u)],
    });
    const tip = tipOf(rod);
    sketch.body('base', 'cylinder', [0.055, 0.06], () => ({ p: [0, 0, 0.03], q: UPWARDS }));
    sketch.body('gripper', 'sphere', [0.024], (t, v) => ({ p: [...v.subarray(tip, tip + 3)], q: [...v.subarray(tip + 3, tip + 7)] }));
    for (let k = 0; k < 3; k++) {
        const angle = (2 * Math.PI * k) / 3;
        const tension = (t) => 4 + 3.5 * Math.sin(1.7 * t + 2.1 * k);
        sketch.path('tendon', `tendon-${k + 1}`, rod, [0.011 * Math.cos(angle), 0.011 * Math.sin(angle)], tension, 'N', 0.0025);
        sketch.signal(`tendon-${k + 1}.tension`, 'N', tension);
    }
    sketch.arrow('load', 'weight', 'N', (t, v) => [...v.subarray(tip, tip + 3), 0, 0, -1.2]);
    sketch.arrow('contact', 'touch', 'N', (t, v) => [...v.subarray(tip, tip + 3), 0.5 * Math.sin(t), 0.6, 0]);
    sketch.frame('tip', (t, v) => v.slice(tip, tip + 7));
    sketch.frame('base', () => [0, 0, 0.06, ...UPWARDS]);
    sketch.signal('arm.tip.x', 'm', (t, v) => v[tip]);
    sketch.signal('arm.tip.z', 'm', (t, v) => v[tip + 2]);
    return sketch;
}

/** A straight rod that stands still beside a box: its pixels are known. */
export function post() {
    const sketch = new Sketch('post', '', { size: 1, fields: fieldsOf(['twist', 'bend_y', 'bend_z']) });
    sketch.rod('post', {
        length: 1,
        section: 'rectangle',
        n: 5,
        width: () => [0.3, 0.3],
        base: () => ({ p: [0, 0, 0], q: UPWARDS }),
        curvature: (u, t) => [0, 0, 0.001 * t],
    });
    sketch.body('box', 'box', [0.3, 0.3, 0.3], (t) => ({ p: [0.7 + 0.3 * t, 0, 0.15], q: [1, 0, 0, 0] }));
    sketch.signal('time', 's', (t) => t);
    return sketch;
}

/** An eel under the surface, elliptic and tapered at both ends. */
export function eel() {
    const sketch = new Sketch('eel', 'elver view eel.h5', { size: 1, surface: 0.35, fields: fieldsOf(['twist', 'bend_y', 'bend_z']) });
    const rod = sketch.rod('body', {
        length: 1,
        n: 25,
        section: 'ellipse',
        width: (u) => [0.055 * Math.sqrt(Math.max(0.02, 1 - (2 * u - 1) ** 6)) * (1.1 - 0.7 * u), 0.1 * Math.sqrt(Math.max(0.02, 1 - (2 * u - 1) ** 6)) * (1.1 - 0.6 * u)],
        base: (t) => ({ p: [-0.4 * t, 0.03 * Math.sin(6 * t), 0.02 * Math.sin(t)], q: [Math.cos(0.08 * Math.sin(6 * t)), 0, 0, Math.sin(0.08 * Math.sin(6 * t))] }),
        curvature: (u, t) => [0, 0, (1 + 4.5 * u) * Math.sin(2 * Math.PI * (u * 1.1 - t))],
    });
    sketch.signal('head.x', 'm', (t, v) => v[rod.pose]);
    sketch.signal('tail.y', 'm', (t, v) => v[tipOf(rod) + 1]);
    return sketch;
}

/** A field of nRod waving rods with as many fields as the library writes. */
export function meadow(nRod, { n = 17, nField = 12 } = {}) {
    const names = ['twist', 'bend_y', 'bend_z', 'stretch', 'shear_y', 'shear_z'];
    const fields = [...names, ...names.map((name) => `stress.${name}`)].slice(0, nField);
    const sketch = new Sketch('meadow', `${nRod} rods`, { size: 1.5, fields: fieldsOf(fields) });
    const side = Math.ceil(Math.sqrt(nRod));
    for (let k = 0; k < nRod; k++) {
        const x = 0.22 * ((k % side) - 0.5 * (side - 1));
        const y = 0.22 * (Math.floor(k / side) - 0.5 * (side - 1));
        const phase = 2.5 * x - 1.5 * y + 0.4 * Math.sin(7 * k);
        sketch.rod(`rod-${k + 1}`, {
            length: 0.7 + 0.15 * Math.sin(11 * k),
            n,
            section: ['circle', 'ellipse', 'rectangle'][k % 3],
            width: (u) => [0.035 - 0.02 * u, 0.035 - 0.01 * u],
            base: () => ({ p: [x, y, 0], q: UPWARDS }),
            curvature: (u, t) => [0.5 * Math.sin(t + k), 1.4 * Math.sin(2 * t - phase - 2 * u), 0.8 + 0.9 * Math.sin(1.3 * t - phase - 1.5 * u)],
            fields,
        });
    }
    for (let k = 0; k < Math.min(nRod, 6); k++) {
        const tip = tipOf(sketch.scene.rods[k]);
        sketch.signal(`rod-${k + 1}.tip.z`, 'm', (t, v) => v[tip + 2]);
    }
    return sketch;
}

/** Bodies of all shapes, one without. */
export function zoo() {
    const sketch = new Sketch('shapes', '', { size: 1.2 });
    const shapes = [
        ['ball', 'sphere', [0.12]], ['box', 'box', [0.2, 0.25, 0.15]], ['cylinder', 'cylinder', [0.09, 0.25]],
        ['capsule', 'capsule', [0.08, 0.2]], ['ellipsoid', 'ellipsoid', [0.16, 0.1, 0.07]], ['point', 'none', []],
    ];
    shapes.forEach(([name, shape, size], k) => {
        sketch.body(name, shape, size, (t) => ({ p: [0.4 * (k % 3) - 0.4, 0.45 * Math.floor(k / 3), 0.2], q: [Math.cos(0.5 * t), 0, 0, Math.sin(0.5 * t)] }));
    });
    return sketch;
}

/** Equilibria of a box that rises by its load, ten a second. */
function equilibria(loads, title = '') {
    const sketch = new Sketch('scale', title, { is_statics: true, loads });
    sketch.body('box', 'box', [0.2, 0.2, 0.2], (t) => ({ p: [0, 0, loads[Math.round(10 * t)]], q: [1, 0, 0, 0] }));
    sketch.signal('height', 'm', (t) => loads[Math.round(10 * t)]);
    return sketch.run(loads.map((_, i) => 0.1 * i));
}

/** A box with a force inside it and a moment that is rounding; beside it a see-through rod with a tendon at 3 of 5 N and
 * a chamber at 2 of 5 Pa, both thick enough for pixels. */
export function crate(title = '') {
    const sketch = new Sketch('crate', title, { size: 1 });
    sketch.body('box', 'box', [0.4, 0.4, 0.4], () => ({ p: [-0.5, 0, 0.5], q: [1, 0, 0, 0] }));
    const rod = sketch.rod('rod', {
        length: 1, n: 5, width: () => [0.3, 0.3], base: () => ({ p: [0.5, 0, 0], q: UPWARDS }), curvature: () => [0, 0, 0], fields: [],
    });
    sketch.path('tendon', 'cord', rod, [0.06, 0], (t) => 3 + 2 * t, 'N', 0.05);
    sketch.path('chamber', 'bag', rod, [-0.06, 0], (t) => 2 + 3 * t, 'Pa', 0.05);
    sketch.arrow('wheel', 'hidden', 'N', () => [-0.5, 0, 0.4, 0, 0, 5]);
    sketch.arrow('wheel', 'noise', 'N m', () => [-0.5, 0, 0.5, 0, 3e-16, 0]);
    return sketch;
}

/** Pages by name. */
export const samples = {
    arm: (path) => writePage(path, [arm().run(timesOf(601, 12))]),
    ghosts: (path) => writePage(path, [arm().run(timesOf(301, 6)), arm({ gain: 0.7, title: 'elver view softer.h5' }).run(timesOf(201, 5))]),
    strangers: (path) => writePage(path, [arm().run(timesOf(31, 3)), eel().run(timesOf(31, 3))]),
    post: (path) => writePage(path, [post().run(timesOf(101, 2))]),
    eel: (path) => writePage(path, [eel().run(timesOf(401, 8))]),
    meadow: (path) => writePage(path, [meadow(50).run(timesOf(400, 8))]),
    still: (path) => writePage(path, [arm().run([0.5])]),
    zoo: (path) => writePage(path, [zoo().run(timesOf(101, 4))]),
    crate: (path) => writePage(path, [crate().run([0, 1])]),
    crates: (path) => writePage(path, [crate().run([0, 1]), crate('again').run([0, 1])]),
    loads: (path) => writePage(path, [equilibria([0, 0.2, 0.4, 0.2, 0])]),
    pairs: (path) => writePage(path, [equilibria([0, 1, 2]), equilibria([0, 0.5, 1, 1.5, 2], 'finer')]),
};

/** A long run of many rods; its records repeat after 500, which saves the making of them. */
export function writeLongRun(path, nRod, nFrame) {
    // so many rods have nine stations each (docs/viewer.md)
    const sketch = meadow(nRod, { n: 9 });
    const kept = [];
    const fill = (i, v) => {
        const k = i % 500;
        if (!kept[k]) {
            kept[k] = new Float32Array(v.length);
            sketch.fill(0.02 * k, kept[k]);
        }
        v.set(kept[k]);
    };
    writePage(path, [{ scene: sketch.scene, times: timesOf(nFrame, 0.02 * (nFrame - 1)), fill }], { level: 1 });
}
