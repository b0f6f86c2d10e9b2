// SPDX-License-Identifier: Apache-2.0
// The decoding thread: messages {id, name, input} in, {id, result} or {id, error} out.
import { runJob } from './decode_job.js';

self.onmessage = async ({ data }) => {
    try {
        const { result, transfer } = await runJob(data.name, data.input);
        self.postMessage({ id: data.id, result }, transfer);
    } catch (error) {
        self.postMessage({ id: data.id, error: String(error) });
    }
};
