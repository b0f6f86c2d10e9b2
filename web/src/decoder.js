// SPDX-License-Identifier: Apache-2.0
// Hands jobs to the decoding thread and gives promises of their results.
import DecodeWorker from './decode_worker.js?worker&inline';
import { runJob } from './decode_job.js';

export class Decoder {
    constructor() {
        this.waiting = new Map();
        this.lastId = 0;
        try {
            this.worker = new DecodeWorker();
            this.worker.onmessage = ({ data }) => this.finish(data);
            this.worker.onerror = () => this.giveUp();
        } catch {
            this.worker = null;
        }
    }

    /** Result of a job; `transfer`: buffers of the input that may be given away. */
    run(name, input, transfer = []) {
        if (!this.worker) {
            return runJob(name, input).then((done) => done.result);
        }
        const id = ++this.lastId;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject, name, input });
            this.worker.postMessage({ id, name, input }, transfer);
        });
    }

    finish({ id, result, error }) {
        const job = this.waiting.get(id);
        this.waiting.delete(id);
        if (!job) {
            // it was given up, and is done here
            return;
        }
        if (error) {
            job.reject(new Error(error));
        } else {
            job.resolve(result);
        }
    }

    // no thread could be started: do here what it was asked for
    giveUp() {
        this.worker = null;
        for (const { resolve, reject, name, input } of this.waiting.values()) {
            runJob(name, { ...input, spare: null }).then((done) => resolve(done.result), reject);
        }
        this.waiting.clear();
    }
}
