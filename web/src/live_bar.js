// SPDX-License-Identifier: Apache-2.0
// The bar below a running simulation: pause, step, reset, speed, and how it is doing.
import { choice, h, iconButton, setIcon } from './dom.js';
import { SPEEDS } from './player.js';

const set = (element, text) => {
    if (element.textContent !== text) {
        element.textContent = text;
    }
};

export class LiveBar {
    constructor(send, onpull) {
        this.send = send;
        this.isPaused = false;
        this.isLost = false;
        this.pauseButton = iconButton('pause', 'Pause (space)', () => this.pause());
        this.pauseButton.classList.add('primary');
        this.time = h('output', { class: 'time' }, '0.00');
        this.step = h('output', { title: 'Processor time of a step' });
        this.iterations = h('output', { title: 'Newton iterations of the last step' });
        this.ratio = h('output', { title: 'Simulated to real time' });
        this.note = h('b', { class: 'late', role: 'status' });
        this.pullButton = iconButton('hand', 'Pull with the mouse (or shift-drag)', onpull);
        this.element = h(
            'div',
            { class: 'timeline live', role: 'group', 'aria-label': 'Simulation' },
            this.pauseButton,
            iconButton('step', 'One step (right arrow)', () => send({ type: 'step' })),
            iconButton('reset', 'Start again (home)', () => send({ type: 'reset' })),
            this.pullButton,
            h('div', { class: 'clock' }, this.time, h('span', {}, ' s')),
            h('div', { class: 'readout' }, this.ratio, this.step, this.iterations, this.note),
            choice('Speed', SPEEDS.map((s) => [s, `${s}\u00d7`]), 1, (value) => send({ type: 'speed', value: Number(value) })),
        );
    }

    pause() {
        this.send({ type: 'pause', value: !this.isPaused });
    }

    showPull(isOn) {
        this.pullButton.setAttribute('aria-pressed', isOn);
    }

    setConnected(isOpen) {
        this.isLost = !isOpen;
        this.element.classList.toggle('lost', !isOpen);
        set(this.note, isOpen ? '' : 'Connection lost, trying again');
    }

    show({ t, step, iterations, ratio, isPaused, isLate, hasFailed }) {
        // what has failed stands still
        const isStill = isPaused || hasFailed;
        if (isStill !== this.isPaused) {
            const label = isStill ? 'Go on (space)' : 'Pause (space)';
            this.isPaused = isStill;
            setIcon(this.pauseButton, isStill ? 'play' : 'pause');
            this.pauseButton.setAttribute('aria-label', label);
            this.pauseButton.title = label;
        }
        set(this.time, t.toFixed(2));
        set(this.step, `step ${step < 10 ? step.toFixed(2) : step.toFixed(0)} ms`);
        set(this.iterations, `${iterations.toFixed(0)} iteration${iterations === 1 ? '' : 's'}`);
        set(this.ratio, `${ratio.toFixed(2)}\u00d7 real time`);
        // what came before the connection broke says nothing of now
        if (this.isLost) {
            return;
        }
        set(this.note, hasFailed ? 'Stopped: the simulation failed' : isLate ? 'Cannot keep up' : '');
    }
}
