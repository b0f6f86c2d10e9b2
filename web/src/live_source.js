// SPDX-License-Identifier: Apache-2.0
// Records from a running simulation. The server sends as many as the page has asked for: however slow either is, the
// other stays responsive. All of them go into the curves, the newest one into the picture.
import { ControlPanel } from './control_panel.js';
import { Ranges, RecentRanges } from './extent.js';
import { History } from './history.js';
import { LiveBar } from './live_bar.js';
import { LiveSocket, readHead, readNumbers } from './live_socket.js';
import { Pull } from './pull.js';

const SPAN = 10;

// records that may be on their way while a picture is drawn
const AHEAD = 120;

export class LiveSource {
    constructor(viewer) {
        this.viewer = viewer;
        this.isLive = true;
        this.onseek = null;
        this.t = 0;
        this.span = [0, SPAN];
        this.waiting = new Map();
        this.next = null;
        this.hasDrawn = false;
        this.lastRange = 0;
        this.controls = new LiveBar((message) => this.send(message), () => this.pull.toggle());
        this.bar = this.controls.element;
        this.panels = {};
    }

    /** Ready when the first record is there. */
    open() {
        const protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
        return new Promise((resolve) => {
            this.onfirst = resolve;
            this.socket = new LiveSocket(`${protocol}//${location.host}/live`, {
                message: (message) => this.take(message),
                record: (buffer) => this.takeRecord(buffer),
                state: (isOpen) => {
                    this.controls.setConnected(isOpen);
                    this.ask(isOpen && this.hasDrawn);
                },
            });
        });
    }

    send(message) {
        this.socket.send(message);
    }

    take(message) {
        if (message.type === 'scene') {
            this.described = message;
        } else if (message.type === 'values') {
            (this.described ? null : this.panels.control)?.tell(message);
        } else if (message.type === 'status') {
            this.viewer.layout.say(message.message, Boolean(message.is_error));
        }
    }

    takeRecord(buffer) {
        const scene = this.described?.scene ?? this.run?.scene;
        const numbers = scene && readNumbers(buffer, scene.n_value);
        if (this.hasDrawn) {
            this.send({ type: 'ready' });
        }
        if (!numbers) {
            return;
        }
        if (this.described) {
            this.begin(this.described, numbers);
            this.described = null;
        }
        const head = readHead(buffer);
        // time goes back after a reset; while paused it stands
        if (head.t !== this.tTaken) {
            this.tTaken = head.t;
            this.run.history.addRecord(head.t, numbers);
        }
        this.next = { head, numbers };
        this.onfirst?.();
        this.onfirst = null;
    }

    // a description: all is built anew, but what the user has set stays
    begin({ scene, inputs = [], parameters = [] }, numbers) {
        const ranges = new Ranges(scene.n_value);
        const recent = new RecentRanges(scene.n_value);
        ranges.include(numbers, numbers);
        recent.include(numbers, performance.now());
        this.tTaken = NaN;
        this.run = { scene, record: numbers.slice(), ranges, recent, history: new History(scene, 0), color: '#e2724c', title: scene.name };
        this.pull?.dispose();
        this.pull = new Pull(this.viewer.stage, this.run, (force) => this.waiting.set('force', { type: 'force', ...force }), (isOn) => this.controls.showPull(isOn));
        this.panels = {
            control: new ControlPanel(
                inputs,
                parameters,
                (type, name, value) => {
                    this.viewer.layout.forgive();
                    this.waiting.set(`${type} ${name}`, { type, name, value });
                },
                (strength) => {
                    this.pull.strength = strength;
                },
                () => this.viewer.layout.toggle('control', false),
            ),
        };
        this.viewer.show([this.run], this);
        this.viewer.stage.scene.add(this.pull.arrow.group);
    }

    /** Take over the record that came last; true if there is a new one. */
    advance() {
        this.flush();
        if (!this.next) {
            return false;
        }
        const { head, numbers } = this.next;
        this.next = null;
        this.run.record.set(numbers);
        this.t = head.t;
        this.span[1] = Math.max(SPAN, head.t);
        this.span[0] = this.span[1] - SPAN;
        this.controls.show(head);
        this.pull.update();
        this.grow();
        return true;
    }

    // ranges follow the run, but not at every record
    grow() {
        const now = performance.now();
        this.run.ranges.include(this.run.record, this.run.record);
        this.run.recent.include(this.run.record, now);
        if (now - this.lastRange > 500) {
            this.lastRange = now;
            this.viewer.rangesChanged();
        }
    }

    // of each slider the last value, once a frame
    flush() {
        if (this.waiting.size > 0) {
            this.waiting.forEach((message) => this.send(message));
            this.waiting.clear();
        }
    }

    ask(isWanted) {
        if (isWanted) {
            this.send({ type: 'ready', n: AHEAD });
        }
    }

    // the simulation waits for the first picture, which takes a while
    drawn() {
        this.ask(!this.hasDrawn);
        this.hasDrawn = true;
    }

    /** Films end when the user says so. */
    film() {}

    update() {}

    keys() {
        return {
            ' ': () => this.controls.pause(),
            ArrowRight: () => this.send({ type: 'step' }),
            Home: () => this.send({ type: 'reset' }),
        };
    }
}
