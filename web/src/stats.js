// SPDX-License-Identifier: Apache-2.0
// How long the page works for a frame, for tests and for the curious: window.elver.stats.

const KEPT = 512;

export class Stats {
    constructor() {
        this.frames = 0;
        this.moved = 0;
        this.opened = 0;
        this.times = new Float64Array(KEPT);
        this.renders = new Float64Array(KEPT);
    }

    /** Milliseconds of own work and of handing the picture over. */
    add(work, render, hasMoved) {
        this.times[this.frames % KEPT] = work;
        this.renders[this.frames % KEPT] = render;
        this.frames++;
        this.moved += hasMoved ? 1 : 0;
    }

    /** Median, 95th percentile and greatest of the last frames' work, in ms. */
    get work() {
        return summary(this.times, this.frames);
    }

    get render() {
        return summary(this.renders, this.frames);
    }
}

function summary(times, n) {
    const sorted = times.slice(0, Math.min(n, KEPT)).sort();
    const at = (u) => sorted[Math.min(sorted.length - 1, Math.floor(u * sorted.length))] ?? 0;
    return { median: at(0.5), p95: at(0.95), max: at(1) };
}
