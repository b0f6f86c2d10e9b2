// SPDX-License-Identifier: Apache-2.0
// What the decoding thread does, as one function, so that the page can do it itself where there are no threads.
import { bytesOfBase64, decodeRecords, inflate, inflateBeginning, readTimes, scanRecords } from './chunk.js';

// times of chunks of which the beginnings are given; null where a beginning is too short
async function readBeginnings({ beginnings, counts }) {
    const times = [];
    for (let j = 0; j < counts.length; j++) {
        const buffer = await inflateBeginning(bytesOfBase64(beginnings[j]), 8 + 8 * counts[j]);
        times.push(buffer ? readTimes(buffer).t : null);
    }
    return { result: times, transfer: [] };
}

async function readRecords({ text, spare }) {
    const result = decodeRecords(await inflate(bytesOfBase64(text)), spare);
    return { result, transfer: [result.value.buffer] };
}

async function scan({ text, columns }) {
    const result = scanRecords(await inflate(bytesOfBase64(text)), columns);
    return { result, transfer: [] };
}

const jobs = { times: readBeginnings, records: readRecords, scan };

/** Run the job of that name: {result, transfer}. */
export function runJob(name, input) {
    return jobs[name](input);
}
