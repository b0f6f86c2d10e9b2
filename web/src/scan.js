// SPDX-License-Identifier: Apache-2.0
// Goes once through all chunks while the page has nothing else to do: curves of the signals, ranges of all numbers.

const pause = () =>
    new Promise((resolve) => {
        if (window.requestIdleCallback) {
            window.requestIdleCallback(resolve, { timeout: 60 });
        } else {
            setTimeout(resolve, 20);
        }
    });

/** onchunk: called after each chunk with the part that is done, 0 to 1. */
export async function scanTrajectory(trajectory, history, ranges, onchunk) {
    const { columns } = history;
    const n = trajectory.first.length;
    for (let j = 0; j < n; j++) {
        await pause();
        const first = trajectory.first[j];
        try {
            const { n: count, value, min, max } = await trajectory.request('scan', j, { columns });
            history.addChunk(first, trajectory.t.subarray(first, first + count), value);
            ranges.include(min, max);
        } catch (error) {
            trajectory.miss(j, error);
        }
        onchunk((j + 1) / n);
    }
}
