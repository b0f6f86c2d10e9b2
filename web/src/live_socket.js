// SPDX-License-Identifier: Apache-2.0
// The connection to a running simulation (docs/viewer.md, "Live"): messages as JSON, records as bytes; it comes back
// by itself after it broke.

const HEAD = 24;

/** What stands before the numbers of a record. */
export function readHead(buffer) {
    const view = new DataView(buffer);
    const flags = view.getUint32(20, true);
    return {
        t: view.getFloat64(0, true),
        step: view.getFloat32(8, true),
        iterations: view.getFloat32(12, true),
        ratio: view.getFloat32(16, true),
        isPaused: (flags & 1) !== 0,
        isLate: (flags & 2) !== 0,
        hasFailed: (flags & 4) !== 0,
    };
}

/** The numbers of a record of n; null if it has another length. */
export function readNumbers(buffer, n) {
    return buffer.byteLength === HEAD + 4 * n ? new Float32Array(buffer, HEAD, n) : null;
}

export class LiveSocket {
    /** on: {message(object), record(buffer), state(isOpen)}. */
    constructor(url, on) {
        this.url = url;
        this.on = on;
        this.wait = 400;
        this.connect();
    }

    connect() {
        const socket = new WebSocket(this.url);
        socket.binaryType = 'arraybuffer';
        socket.onopen = () => {
            this.wait = 400;
            this.on.state(true);
        };
        socket.onmessage = ({ data }) => {
            if (typeof data === 'string') {
                this.on.message(JSON.parse(data));
            } else if (data.byteLength >= HEAD) {
                this.on.record(data);
            }
        };
        socket.onclose = () => {
            this.on.state(false);
            setTimeout(() => this.connect(), this.wait);
            this.wait = Math.min(4000, 1.6 * this.wait);
        };
        this.socket = socket;
    }

    send(message) {
        if (this.socket.readyState === WebSocket.OPEN) {
            this.socket.send(JSON.stringify(message));
        }
    }
}
