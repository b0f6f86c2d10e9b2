// SPDX-License-Identifier: Apache-2.0
// A stand-in for `elver view MODEL`: the page and a WebSocket with a made-up arm whose tendon bends it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { PAGE } from './encode.mjs';
import { Sketch, tipOf } from './robots.mjs';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { WebSocketServer } = require('ws');

/** state.input: what the sliders say; state.got: all messages of pages. delay: ms a record takes. */
export class LiveServer {
    constructor({ delay = 5, port = 0 } = {}) {
        this.delay = delay;
        this.port = port;
        this.state = { t: 0, tension: 0, length: 0.5, flags: 0, isPaused: false, isTaken: false, got: [] };
        this.describe();
    }

    describe() {
        const { state } = this;
        const sketch = new Sketch('live-arm', '', { size: 0.5 });
        const rod = sketch.rod('arm', {
            length: state.length,
            width: () => [0.04, 0.04],
            base: () => ({ p: [0, 0, 0], q: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] }),
            curvature: () => [0, 0.5 * state.tension, 0],
        });
        sketch.signal('arm.tip.x', 'm', (t, v) => v[tipOf(rod)]);
        this.sketch = sketch;
    }

    start() {
        const page = readFileSync(PAGE, 'utf8').replace('<!--elver-data-->', '<script id="elver-live" type="application/json">{}</script>');
        this.http = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page));
        this.sockets = new WebSocketServer({ server: this.http, path: '/live' });
        this.sockets.on('connection', (socket) => this.serve(socket));
        return new Promise((resolve) => {
            this.http.listen(this.port, '127.0.0.1', () => {
                this.port = this.http.address().port;
                resolve(`http://127.0.0.1:${this.port}/`);
            });
        });
    }

    stop() {
        this.sockets.clients.forEach((socket) => socket.terminate());
        this.http.closeAllConnections();
        return new Promise((resolve) => this.http.close(resolve));
    }

    serve(socket) {
        this.sendScene(socket);
        this.sendRecord(socket);
        socket.wanted = 0;
        this.feed(socket);
        socket.on('message', (data) => this.take(socket, JSON.parse(data)));
    }

    // a record each `delay`, while the page wants some
    feed(socket) {
        setTimeout(() => {
            if (socket.readyState !== 1) {
                return;
            }
            if (socket.wanted > 0) {
                socket.wanted--;
                this.sendRecord(socket);
            }
            this.feed(socket);
        }, this.delay);
    }

    sendScene(socket) {
        const inputs = [{ name: 'tendon-1', kind: 'tendon', unit: 'N', value: this.state.tension, min: 0, max: 10, lower: 0, upper: null, is_taken: this.state.isTaken }];
        const parameters = [{ name: 'length', value: this.state.length }];
        socket.send(JSON.stringify({ type: 'scene', scene: this.sketch.scene, inputs, parameters }));
    }

    /** What the inputs and, where asked for, the parameters have now. */
    sendValues(socket, hasParameters = false) {
        const { state } = this;
        const parameters = hasParameters ? [{ name: 'length', value: state.length }] : [];
        socket.send(JSON.stringify({ type: 'values', inputs: [{ name: 'tendon-1', value: state.tension, is_taken: state.isTaken }], parameters }));
    }

    /** The law of the file gives another tension. */
    setLaw(tension) {
        this.state.tension = tension;
        this.sockets.clients.forEach((socket) => this.sendValues(socket));
    }

    sendRecord(socket) {
        const { state, sketch } = this;
        const n = sketch.scene.n_value;
        const v = new Float64Array(n);
        state.t += state.isPaused ? 0 : 0.02;
        sketch.fill(state.t, v);
        const bytes = Buffer.alloc(24 + 4 * n);
        bytes.writeDoubleLE(state.t, 0);
        bytes.writeFloatLE(1.25, 8);
        bytes.writeFloatLE(3, 12);
        bytes.writeFloatLE(0.5, 16);
        bytes.writeUInt32LE(state.flags | (state.isPaused ? 1 : 0), 20);
        v.forEach((x, i) => bytes.writeFloatLE(x, 24 + 4 * i));
        socket.send(bytes);
    }

    take(socket, message) {
        const { state } = this;
        state.got.push(message);
        if (message.type === 'ready') {
            socket.wanted += message.n ?? 1;
        } else if (message.type === 'input') {
            state.tension = message.value;
            state.isTaken = true;
        } else if (message.type === 'parameter' && message.value <= 0) {
            socket.send(JSON.stringify({ type: 'status', message: 'this value does not go', is_error: true }));
            this.sendValues(socket, true);
        } else if (message.type === 'parameter') {
            state.length = message.value;
            this.describe();
            this.sendScene(socket);
        } else if (message.type === 'pause') {
            state.isPaused = message.value;
        } else if (message.type === 'step') {
            state.t += 0.02;
        } else if (message.type === 'reset') {
            state.t = 0;
        }
    }
}
