// SPDX-License-Identifier: Apache-2.0
// Surface of swept rods as arrays of vertices. Between stations the centre line is a cubic Hermite curve with the
// sections' normals (x axes) as tangents: for an arc of angle a, tangents of length chord / cos(a/4)^2 give the best
// cubic. Sections turn with the interpolated orientation. All rods share one set of arrays, written in place.

/** Outline of a section: points and normals for half widths 1; `edges`: pairs of points joined by a strip. */
export function outlineOf(section, around) {
    const points = [];
    const edges = [];
    if (section === 'rectangle') {
        // two points a corner, so that the faces are flat
        const corner = [[1, -1], [1, 1], [-1, 1], [-1, -1]];
        const normal = [[1, 0], [0, 1], [-1, 0], [0, -1]];
        for (let k = 0; k < 4; k++) {
            points.push([...corner[k], ...normal[k]], [...corner[(k + 1) % 4], ...normal[k]]);
            edges.push([2 * k, 2 * k + 1]);
        }
    } else {
        for (let k = 0; k < around; k++) {
            const angle = (2 * Math.PI * k) / around;
            points.push([Math.cos(angle), Math.sin(angle), Math.cos(angle), Math.sin(angle)]);
            edges.push([k, (k + 1) % around]);
        }
    }
    return { points: Float32Array.from(points.flat()), n: points.length, edges, isFlat: section === 'rectangle' };
}

/** How finely to draw: pieces between stations, points around, for about `budget` vertices in all. */
export function finenessFor(rods, budget = 60000) {
    const spans = rods.reduce((sum, rod) => sum + Math.max(1, rod.stations.length - 1), 0) || 1;
    const pieces = Math.max(1, Math.min(8, Math.round(Math.sqrt(budget / spans / 5))));
    const around = Math.max(8, Math.min(32, 4 * Math.floor(budget / (spans * pieces) / 4)));
    return { pieces, around };
}

// triangles of one rod: strips between rings, fans at the ends
function indexRod(rod, index) {
    const { outline, n_ring: nRing, firstVertex: first } = rod;
    for (let r = 0; r + 1 < nRing; r++) {
        for (const [a, b] of outline.edges) {
            const at = first + r * outline.n;
            index.push(at + a, at + b, at + outline.n + a);
            index.push(at + b, at + outline.n + b, at + outline.n + a);
        }
    }
    for (let end = 0; end < 2; end++) {
        const at = first + nRing * outline.n + end * (outline.n + 1);
        for (const [a, b] of outline.edges) {
            const [p, q] = end === 0 ? [b, a] : [a, b];
            index.push(at, at + 1 + p, at + 1 + q);
        }
    }
}

export class Tubes {
    constructor(rods, fineness = finenessFor(rods)) {
        this.pieces = fineness.pieces;
        this.widen = 1;
        this.rods = [];
        let n = 0;
        for (const rod of rods) {
            const outline = outlineOf(rod.section, fineness.around);
            const nRing = (rod.stations.length - 1) * this.pieces + 1;
            const count = nRing * outline.n + 2 * (outline.n + 1);
            this.rods.push({ ...rod, outline, n_ring: nRing, firstVertex: n, n_vertex: count });
            n += count;
        }
        this.position = new Float32Array(3 * n);
        this.normal = new Float32Array(3 * n);
        this.uv = new Float32Array(2 * n).fill(0.5);
        const index = [];
        for (const rod of this.rods) {
            rod.firstIndex = index.length;
            indexRod(rod, index);
            rod.n_index = index.length - rod.firstIndex;
        }
        this.index = Uint32Array.from(index);
        // centre, axes x, y, z, half widths y, z, colour coordinates of the ring at hand
        this.ring = new Float64Array(16);
    }

    /** Move all rods to the record v; field: name of what colours them, or null. */
    update(v, field, low, high) {
        const scale = high > low ? 1 / (high - low) : 0;
        for (const rod of this.rods) {
            const at = field === null ? undefined : rod.fields[field];
            let vertex = rod.firstVertex;
            // the row of colours, or that of rods without the field
            this.ring[15] = at === undefined ? 0.75 : 0.25;
            const n = rod.stations.length;
            for (let i = 0; i < n; i++) {
                const pieces = i + 1 < n ? this.pieces : 1;
                for (let k = 0; k < pieces; k++) {
                    const u = k / this.pieces;
                    this.placeRing(rod, v, i, u);
                    this.ring[14] = at === undefined ? 0.5 : this.colourAt(v, at, i, u, n, low, scale);
                    this.writeRing(rod.outline, vertex);
                    if (i === 0 && k === 0) {
                        this.writeCap(rod, rod.firstVertex + rod.n_ring * rod.outline.n, -1);
                    }
                    vertex += rod.outline.n;
                }
            }
            this.writeCap(rod, rod.firstVertex + rod.n_ring * rod.outline.n + rod.outline.n + 1, 1);
        }
    }

    colourAt(v, at, i, u, n, low, scale) {
        const next = Math.min(i + 1, n - 1);
        const value = v[at + i] + u * (v[at + next] - v[at + i]);
        return Math.min(0.998, Math.max(0.002, (value - low) * scale));
    }

    // centre, axes and widths of the section at u between stations i and i + 1
    placeRing(rod, v, i, u) {
        const { ring } = this;
        const a = rod.pose + 7 * i;
        const b = i + 1 < rod.stations.length ? a + 7 : a;
        const next = b > a ? i + 1 : i;
        ring[12] = 0.5 * this.widen * (rod.width[0][i] + u * (rod.width[0][next] - rod.width[0][i]));
        ring[13] = 0.5 * this.widen * (rod.width[1][i] + u * (rod.width[1][next] - rod.width[1][i]));
        if (Number.isInteger(rod.scale)) {
            // sections that keep their volume grow thinner when stretched
            const factor = v[rod.scale + i] + u * (v[rod.scale + next] - v[rod.scale + i]);
            ring[12] *= factor;
            ring[13] *= factor;
        }
        this.turnRing(v, a + 3, b + 3, u);
        if (u === 0) {
            ring[0] = v[a];
            ring[1] = v[a + 1];
            ring[2] = v[a + 2];
            return;
        }
        this.curveRing(v, a, b, u);
    }

    // axes from the orientation between two quaternions
    turnRing(v, a, b, u) {
        const { ring } = this;
        const cosine = v[a] * v[b] + v[a + 1] * v[b + 1] + v[a + 2] * v[b + 2] + v[a + 3] * v[b + 3];
        const wb = cosine < 0 ? -u : u;
        const wa = 1 - u;
        let w = wa * v[a] + wb * v[b];
        let x = wa * v[a + 1] + wb * v[b + 1];
        let y = wa * v[a + 2] + wb * v[b + 2];
        let z = wa * v[a + 3] + wb * v[b + 3];
        const s = 1 / (Math.sqrt(w * w + x * x + y * y + z * z) || 1);
        w *= s;
        x *= s;
        y *= s;
        z *= s;
        ring[3] = 1 - 2 * (y * y + z * z);
        ring[4] = 2 * (x * y + w * z);
        ring[5] = 2 * (x * z - w * y);
        ring[6] = 2 * (x * y - w * z);
        ring[7] = 1 - 2 * (x * x + z * z);
        ring[8] = 2 * (y * z + w * x);
        ring[9] = 2 * (x * z + w * y);
        ring[10] = 2 * (y * z - w * x);
        ring[11] = 1 - 2 * (x * x + y * y);
    }

    // centre on the Hermite curve from the pose at a to the pose at b
    curveRing(v, a, b, u) {
        const { ring } = this;
        // x axes of both ends
        const ax = 1 - 2 * (v[a + 5] * v[a + 5] + v[a + 6] * v[a + 6]);
        const ay = 2 * (v[a + 4] * v[a + 5] + v[a + 3] * v[a + 6]);
        const az = 2 * (v[a + 4] * v[a + 6] - v[a + 3] * v[a + 5]);
        const bx = 1 - 2 * (v[b + 5] * v[b + 5] + v[b + 6] * v[b + 6]);
        const by = 2 * (v[b + 4] * v[b + 5] + v[b + 3] * v[b + 6]);
        const bz = 2 * (v[b + 4] * v[b + 6] - v[b + 3] * v[b + 5]);
        const dx = v[b] - v[a];
        const dy = v[b + 1] - v[a + 1];
        const dz = v[b + 2] - v[a + 2];
        // cos(a/4)^2 from the cosine of the angle a between the tangents
        const cosine = Math.max(-1, Math.min(1, ax * bx + ay * by + az * bz));
        const half = Math.sqrt(0.5 * (1 + cosine));
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz) / (0.5 * (1 + half));
        const h = u * u * (3 - 2 * u);
        const ha = length * u * (1 - u) * (1 - u);
        const hb = length * u * u * (u - 1);
        ring[0] = v[a] + h * dx + ha * ax + hb * bx;
        ring[1] = v[a + 1] + h * dy + ha * ay + hb * by;
        ring[2] = v[a + 2] + h * dz + ha * az + hb * bz;
    }

    writeRing(outline, vertex) {
        const { ring, position, normal, uv } = this;
        const { points, n } = outline;
        const hy = ring[12];
        const hz = ring[13];
        const isRound = hy === hz || outline.isFlat;
        for (let k = 0, p = 3 * vertex, c = 2 * vertex; k < n; k++, p += 3, c += 2) {
            const y = points[4 * k] * hy;
            const z = points[4 * k + 1] * hz;
            let ny = points[4 * k + 2];
            let nz = points[4 * k + 3];
            if (!isRound) {
                // the normal of an ellipse leans towards its short axis
                ny *= hz;
                nz *= hy;
                const s = 1 / (Math.sqrt(ny * ny + nz * nz) || 1);
                ny *= s;
                nz *= s;
            }
            position[p] = ring[0] + ring[6] * y + ring[9] * z;
            position[p + 1] = ring[1] + ring[7] * y + ring[10] * z;
            position[p + 2] = ring[2] + ring[8] * y + ring[11] * z;
            normal[p] = ring[6] * ny + ring[9] * nz;
            normal[p + 1] = ring[7] * ny + ring[10] * nz;
            normal[p + 2] = ring[8] * ny + ring[11] * nz;
            uv[c] = ring[14];
            uv[c + 1] = ring[15];
        }
    }

    // end face: its middle, then the outline once more with the normal of the face
    writeCap(rod, vertex, side) {
        const { ring, position, normal, uv } = this;
        const { n } = rod.outline;
        this.writeRing(rod.outline, vertex + 1);
        position[3 * vertex] = ring[0];
        position[3 * vertex + 1] = ring[1];
        position[3 * vertex + 2] = ring[2];
        for (let k = 0, p = 3 * vertex; k <= n; k++, p += 3) {
            normal[p] = side * ring[3];
            normal[p + 1] = side * ring[4];
            normal[p + 2] = side * ring[5];
        }
        uv[2 * vertex] = ring[14];
        uv[2 * vertex + 1] = ring[15];
    }
}
