// SPDX-License-Identifier: Apache-2.0
// One recorded motion of the page: chunks are decoded when they are needed, and few are kept.
import { interpolate, quaternionsOf } from './motion.js';

const CACHE_BYTES = 64e6;
const CACHE_LEAST = 4;

export class Trajectory {
    constructor(scene, k, decoder) {
        this.scene = scene;
        this.k = k;
        this.decoder = decoder;
        this.quaternions = quaternionsOf(scene);
        this.first = [];
        this.t = new Float64Array(scene.n_frame);
        this.chunks = new Map();
        this.asked = new Set();
        this.broken = new Set();
        this.spare = [];
        this.hint = 0;
        this.onload = () => {};
        this.onbroken = () => {};
        let n = 0;
        for (const count of scene.chunks) {
            this.first.push(n);
            n += count;
        }
        const widest = Math.max(1, ...scene.chunks) * scene.n_value * 4;
        this.limit = Math.max(CACHE_LEAST, Math.floor(CACHE_BYTES / widest));
    }

    element(j) {
        return document.getElementById(`elver-chunk-${this.k}-${j}`);
    }

    /** Read the times of all records and the first chunk. */
    async open() {
        const { chunks } = this.scene;
        const beginnings = chunks.map((n, j) => {
            // long texts lie in several nodes: the first has the beginning
            const size = 4 * Math.ceil((2 * (8 + 8 * n) + 1024) / 3);
            const node = this.element(j).firstChild;
            const text = node.data.slice(0, size).trim();
            return text.slice(0, text.length - (text.length % 4));
        });
        const times = await this.decoder.run('times', { beginnings, counts: chunks });
        for (let j = 0; j < chunks.length; j++) {
            const t = times[j] ?? (await this.request('scan', j, { columns: [] })).t;
            this.t.set(t, this.first[j]);
        }
        await this.load(0);
        if (this.broken.has(0)) {
            throw new Error('its data cannot be read');
        }
    }

    request(name, j, input, transfer) {
        return this.decoder.run(name, { ...input, text: this.element(j).textContent.trim() }, transfer);
    }

    /** Decode chunk j, unless it is there, on its way or known to be broken. Never fails: see `broken`. */
    async load(j) {
        const isDone = this.chunks.has(j) || this.asked.has(j) || this.broken.has(j);
        if (j < 0 || j >= this.first.length || isDone) {
            return;
        }
        this.asked.add(j);
        const spare = this.spare.pop() ?? null;
        try {
            this.chunks.set(j, await this.request('records', j, { spare }, spare ? [spare.buffer] : []));
            this.forget();
        } catch (error) {
            this.miss(j, error);
        }
        this.asked.delete(j);
        this.onload();
    }

    /** Chunk j cannot be read; its records are passed over. */
    miss(j, error) {
        if (!this.broken.has(j)) {
            this.broken.add(j);
            this.onbroken(error);
        }
    }

    // drop what was not used for longest; its memory serves the next chunk
    forget() {
        while (this.chunks.size > this.limit) {
            const [oldest, chunk] = this.chunks.entries().next().value;
            this.chunks.delete(oldest);
            if (this.spare.length < 2) {
                this.spare.push(chunk.value);
            }
        }
    }

    /** Index of the last record not after t. */
    frameAt(t) {
        const times = this.t;
        const last = times.length - 1;
        let i = this.hint;
        // most often the same as before, or the next
        if (!(times[i] <= t && (i === last || t < times[i + 1]))) {
            let low = 0;
            let high = last;
            while (low < high) {
                const middle = (low + high + 1) >> 1;
                if (times[middle] <= t) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            i = low;
        }
        this.hint = i;
        return i;
    }

    chunkOf(frame) {
        let low = 0;
        let high = this.first.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.first[middle] <= frame) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    touch(j) {
        const chunk = this.chunks.get(j);
        if (chunk) {
            this.chunks.delete(j);
            this.chunks.set(j, chunk);
        }
        return chunk;
    }

    /** Load of the equilibrium at time t. */
    loadAt(t) {
        const { loads } = this.scene;
        const i = this.frameAt(t);
        const next = Math.min(i + 1, loads.length - 1);
        const span = this.t[next] - this.t[i];
        const u = span > 0 ? Math.min(1, Math.max(0, (t - this.t[i]) / span)) : 0;
        return loads[i] + u * (loads[next] - loads[i]);
    }

    /** Record at time t into out; false, and nothing written, while its chunk is being decoded; true, and nothing written,
     * where it is broken. */
    sample(t, out) {
        const m = this.scene.n_value;
        const i = this.frameAt(t);
        const next = Math.min(i + 1, this.t.length - 1);
        const ja = this.chunkOf(i);
        const jb = this.chunkOf(next);
        if (this.broken.has(ja) || this.broken.has(jb)) {
            return true;
        }
        const a = this.touch(ja);
        const b = jb === ja ? a : this.touch(jb);
        if (!a || !b) {
            this.load(ja);
            this.load(jb);
            return false;
        }
        // be ready for what comes next
        this.load(jb + 1);
        const span = this.t[next] - this.t[i];
        const u = span > 0 ? Math.min(1, Math.max(0, (t - this.t[i]) / span)) : 0;
        const ia = (i - this.first[ja]) * m;
        const ib = (next - this.first[jb]) * m;
        interpolate(a.value, ia, b.value, ib, u, m, this.quaternions, out);
        return true;
    }
}
