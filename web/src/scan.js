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
        const found = await trajectory.request('scan', j, { columns });
        history.addChunk(trajectory.first[j], found.t, found.value);
        ranges.include(found.min, found.max);
        onchunk((j + 1) / n);
    }
}
