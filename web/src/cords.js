// SPDX-License-Identifier: Apache-2.0
// Surface of tendons, chambers and muscles: thin tubes along a smooth curve (Catmull-Rom) through the points of a
// record, with frames carried along without twist. One set of arrays, written in place.
import { pathMaps } from './colormap.js';

const AROUND = 8;
const RINGS = 48;

export class Cords {
    constructor(paths, size) {
        this.paths = [];
        let n = 0;
        const index = [];
        for (const path of paths) {
            // thin ones are drawn thicker than they are: what is finer than a pixel falls to dots
            const radius = 0.5 * (path.width > 0 ? Math.max(path.width, 0.006 * size) : 0.006 * size);
            const firstIndex = index.length;
            const pieces = path.n > 2 ? Math.max(1, Math.min(8, Math.floor(RINGS / (path.n - 1)))) : 1;
            const nRing = (path.n - 1) * pieces + 1;
            for (let r = 0; r + 1 < nRing; r++) {
                for (let k = 0; k < AROUND; k++) {
                    const a = n + r * AROUND + k;
                    const b = n + r * AROUND + ((k + 1) % AROUND);
                    index.push(a, b, a + AROUND, b, b + AROUND, a + AROUND);
                }
            }
            const nVertex = nRing * AROUND;
            this.paths.push({ ...path, radius, pieces, n_ring: nRing, first: n, n_vertex: nVertex, firstIndex, n_index: index.length - firstIndex });
            n += nVertex;
        }
        this.position = new Float32Array(3 * n);
        this.normal = new Float32Array(3 * n);
        this.uv = new Float32Array(2 * n);
        // the row of its kind in the table of colours
        const kinds = Object.keys(pathMaps);
        for (const { kind, first, n_vertex: nVertex } of this.paths) {
            const row = (Math.max(0, kinds.indexOf(kind)) + 0.5) / kinds.length;
            for (let i = first; i < first + nVertex; i++) {
                this.uv[2 * i + 1] = row;
            }
        }
        this.index = Uint32Array.from(index);
        this.cosine = Float32Array.from({ length: AROUND }, (_, k) => Math.cos((2 * Math.PI * k) / AROUND));
        this.sine = Float32Array.from({ length: AROUND }, (_, k) => Math.sin((2 * Math.PI * k) / AROUND));
        this.axis = new Float64Array(9);
        this.center = new Float64Array(3 * Math.max(2, ...this.paths.map((path) => path.n_ring)));
    }

    /** Move to the record v; ranges: by kind, {low, high} of the colours. */
    update(v, ranges) {
        for (const path of this.paths) {
            const { low, high } = ranges[path.kind] ?? { low: 0, high: 1 };
            const u = high > low ? (v[path.value] - low) / (high - low) : 0;
            const colour = Math.min(0.998, Math.max(0.002, u));
            this.axis.fill(0);
            this.smooth(v, path);
            for (let i = 0; i < path.n_ring; i++) {
                this.turn(path, i);
                this.write(path, i, colour);
            }
        }
    }

    // centres of the rings: between points 1 and 2 a cubic whose ends run along the lines 0 to 2 and 1 to 3
    smooth(v, path) {
        const { center } = this;
        const last = path.n - 1;
        for (let i = 0, at = 0; i <= last; i++) {
            const p0 = path.points + 3 * Math.max(0, i - 1);
            const p1 = path.points + 3 * i;
            const p2 = path.points + 3 * Math.min(last, i + 1);
            const p3 = path.points + 3 * Math.min(last, i + 2);
            for (let k = 0; k < (i < last ? path.pieces : 1); k++) {
                const u = k / path.pieces;
                for (let d = 0; d < 3; d++, at++) {
                    const a = 0.5 * (v[p2 + d] - v[p0 + d]);
                    const b = 0.5 * (v[p3 + d] - v[p1 + d]);
                    const h = v[p2 + d] - v[p1 + d];
                    center[at] = v[p1 + d] + u * (a + u * (3 * h - 2 * a - b + u * (a + b - 2 * h)));
                }
            }
        }
    }

    // axes at ring i: along the path, and two across, the last ones turned as little as can be
    turn(path, i) {
        const { axis: e, center: v } = this;
        const a = 3 * Math.max(0, i - 1);
        const b = 3 * Math.min(path.n_ring - 1, i + 1);
        let x = v[b] - v[a];
        let y = v[b + 1] - v[a + 1];
        let z = v[b + 2] - v[a + 2];
        const s = Math.sqrt(x * x + y * y + z * z);
        if (s < 1e-12) {
            x = e[0] || 1;
            y = e[1];
            z = e[2];
        } else {
            x /= s;
            y /= s;
            z /= s;
        }
        if (i === 0) {
            // any direction across
            const flat = Math.abs(z) < 0.9;
            e[3] = flat ? -y : 0;
            e[4] = flat ? x : -z;
            e[5] = flat ? 0 : y;
        }
        const along = e[3] * x + e[4] * y + e[5] * z;
        let p = e[3] - along * x;
        let q = e[4] - along * y;
        let r = e[5] - along * z;
        const t = 1 / (Math.sqrt(p * p + q * q + r * r) || 1);
        p *= t;
        q *= t;
        r *= t;
        e[0] = x;
        e[1] = y;
        e[2] = z;
        e[3] = p;
        e[4] = q;
        e[5] = r;
        e[6] = y * r - z * q;
        e[7] = z * p - x * r;
        e[8] = x * q - y * p;
    }

    write(path, i, colour) {
        const { axis: e, center, position, normal, uv, cosine, sine } = this;
        const at = 3 * i;
        for (let k = 0, p = 3 * (path.first + i * AROUND); k < AROUND; k++, p += 3) {
            for (let d = 0; d < 3; d++) {
                const across = cosine[k] * e[3 + d] + sine[k] * e[6 + d];
                normal[p + d] = across;
                position[p + d] = center[at + d] + path.radius * across;
            }
            uv[2 * (path.first + i * AROUND + k)] = colour;
        }
    }
}
