// SPDX-License-Identifier: Apache-2.0
// Keys, and the page of help that lists them.
import { h, iconButton } from './dom.js';

const recorded = [
    ['Space', 'play or pause'],
    ['\u2190 \u2192', 'one record back or on; with Shift a tenth of the run'],
    ['Home End', 'first or last record'],
    ['\u2191 \u2193', 'faster, slower'],
    ['L', 'loop'],
];

const running = [
    ['Shift-drag', 'pull at a body or rod; on a phone with the hand button'],
    ['Space', 'pause or go on'],
    ['\u2192', 'one step, while paused'],
    ['Home', 'start again'],
    ['C', 'controls'],
];

const keys = [
    ['1 2 3 4', 'from the front, from the side, from above, at an angle'],
    ['0', 'all in sight again, at an angle'],
    ['F', 'all in sight again, from here'],
    ['G', 'go along with the robot, or stay'],
    ['D', 'display settings'],
    ['P', 'plots'],
    ['T', 'light or dark'],
    ['?', 'this help'],
];

const mouse = [
    ['Drag', 'turn; on a phone one finger'],
    ['Right-drag', 'move; on a phone two fingers'],
    ['Wheel', 'nearer or farther; on a phone pinch'],
];

export class Help {
    constructor(isLive) {
        const rows = [...mouse, ...(isLive ? running : recorded), ...keys];
        const table = h('dl', {}, rows.map(([key, what]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, what))));
        const close = iconButton('close', 'Close the help', () => this.element.close());
        this.element = h('dialog', { 'aria-label': 'Help' }, h('header', {}, h('h2', {}, 'Mouse and keys'), close), table);
        this.element.addEventListener('click', (event) => {
            if (event.target === this.element) {
                this.element.close();
            }
        });
    }

    toggle() {
        if (this.element.open) {
            this.element.close();
        } else {
            this.element.showModal();
        }
    }
}

/** Call actions[key] for keys that are not meant for a field of the page. */
export function listenToKeys(actions) {
    window.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const { tagName, type } = event.target;
        const isText = tagName === 'SELECT' || (tagName === 'INPUT' && type === 'number');
        const isOwn = tagName === 'BUTTON' || tagName === 'INPUT';
        if (isText || (isOwn && (event.key === ' ' || event.key === 'Enter')) || (type === 'range' && event.key.startsWith('Arrow'))) {
            return;
        }
        const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (action) {
            event.preventDefault();
            action(event.shiftKey);
        }
    });
}
