// SPDX-License-Identifier: Apache-2.0
// Curves of the signals over the whole run, thinned: of each bucket of records the least and the greatest value.

const MOST = 4096;

export class History {
    /** n: records in all, or 0 if they come one by one without end (then the last ones are kept). */
    constructor(scene, n) {
        this.columns = scene.signals.map(({ index }) => index);
        this.bucket = Math.max(1, Math.ceil(n / MOST));
        this.isRolling = n === 0;
        this.capacity = this.isRolling ? MOST : Math.ceil(n / this.bucket);
        this.t = new Float64Array(this.capacity);
        this.low = this.columns.map(() => new Float32Array(this.capacity));
        this.high = this.columns.map(() => new Float32Array(this.capacity));
        this.n = 0;
        this.version = 0;
    }

    /** Values of a chunk whose first record has number `first`: columns one after the other. */
    addChunk(first, t, value) {
        const n = t.length;
        for (let i = 0; i < n; i++) {
            const b = Math.floor((first + i) / this.bucket);
            const isNew = b >= this.n;
            if (isNew) {
                this.n = b + 1;
                this.t[b] = t[i];
            }
            for (let c = 0; c < this.columns.length; c++) {
                const x = value[c * n + i];
                this.low[c][b] = isNew ? x : Math.min(this.low[c][b], x);
                this.high[c][b] = isNew ? x : Math.max(this.high[c][b], x);
            }
        }
        this.version++;
    }

    /** One record more. */
    addRecord(t, v) {
        // back in time: a new start
        if (this.n > 0 && t < this.t[this.n - 1]) {
            this.n = 0;
        }
        if (this.n === this.capacity) {
            this.dropHalf();
        }
        const b = this.n++;
        this.t[b] = t;
        for (let c = 0; c < this.columns.length; c++) {
            this.low[c][b] = v[this.columns[c]];
            this.high[c][b] = v[this.columns[c]];
        }
        this.version++;
    }

    dropHalf() {
        const half = this.capacity >> 1;
        for (const array of [this.t, ...this.low, ...this.high]) {
            array.copyWithin(0, half);
        }
        this.n = this.capacity - half;
    }
}
