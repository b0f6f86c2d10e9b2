// SPDX-License-Identifier: Apache-2.0
// What is to be seen, and the panel of its switches.
import { arrowColors } from './arrows.js';
import { choice, h, iconButton, toggle } from './dom.js';

/** What is shown at first. */
export function firstDisplay(scene, nGhost) {
    const kinds = [...new Set(scene.arrows.map(({ kind }) => kind))];
    return {
        field: null,
        low: 0,
        high: 1,
        isManual: false,
        rods: true,
        bodies: true,
        paths: true,
        widen: 1,
        seeThrough: scene.paths.length > 0,
        arrows: Object.fromEntries(kinds.map((kind) => [kind, kind !== 'control' && kind !== 'loop'])),
        arrowFactor: 1,
        arrowScales: {},
        pathRanges: {},
        frames: false,
        ground: true,
        water: true,
        ghosts: Array.from({ length: nGhost }, () => true),
        follow: '',
    };
}

/** What the camera can follow: [key, label] of bodies and tips of rods. */
export function followable(scene) {
    return [
        ['m', 'the whole robot'],
        ...scene.bodies.map(({ name }, i) => [`b${i}`, name]),
        ...scene.rods.map(({ name }, i) => [`r${i}`, `${name}, tip`]),
    ];
}

const group = (title, ...children) => h('fieldset', {}, h('legend', {}, title), ...children);

const arrowNames = { load: 'Loads', contact: 'Contacts', wheel: 'Wheels', loop: 'Loop reactions', control: 'Controls' };

export class DisplayPanel {
    /** onchange: something of `display` has changed. */
    constructor(scene, ghosts, display, onchange, onclose) {
        this.scene = scene;
        this.display = display;
        this.onchange = onchange;
        const content = [this.colourGroup(), this.partsGroup(), this.forcesGroup(), this.ghostGroup(ghosts), this.cameraGroup()];
        const close = iconButton('close', 'Close the display settings', onclose);
        this.element = h(
            'section',
            { class: 'panel display', 'aria-label': 'Display' },
            h('header', {}, h('h2', {}, 'Display'), close),
            ...content.filter(Boolean),
        );
    }

    set(name, value) {
        this.display[name] = value;
        this.onchange(name);
    }

    switchOf(label, name) {
        return toggle(label, this.display[name], (value) => this.set(name, value));
    }

    colourGroup() {
        const { scene, display } = this;
        if (scene.fields.length === 0 || scene.rods.length === 0) {
            return null;
        }
        const options = scene.fields.map(({ name, label }) => [name, label || name]);
        this.field = choice('Colour of the rods', [['', 'Plain'], ...options], display.field ?? '', (value) => this.set('field', value || null));
        this.low = this.boundInput('Lower bound of the colours', 'low');
        this.high = this.boundInput('Upper bound of the colours', 'high');
        const bounds = h('div', { class: 'bounds' }, this.low, h('span', {}, 'to'), this.high);
        this.manual = toggle('Own range', display.isManual, (value) => {
            bounds.hidden = !value;
            this.set('isManual', value);
        });
        bounds.hidden = !display.isManual;
        return group('Colour', this.field, this.manual, bounds);
    }

    boundInput(label, name) {
        const input = h('input', {
            type: 'number',
            step: 'any',
            'aria-label': label,
            onchange: () => {
                if (Number.isFinite(input.valueAsNumber)) {
                    this.set(name, input.valueAsNumber);
                }
            },
        });
        return input;
    }

    /** Write the bounds that are in use into their fields. */
    showBounds() {
        if (this.low && !this.display.isManual) {
            this.low.value = Number(this.display.low.toPrecision(4));
            this.high.value = Number(this.display.high.toPrecision(4));
        }
    }

    partsGroup() {
        const { scene } = this;
        const has = (list) => list.length > 0;
        const items = [
            has(scene.rods) && this.switchOf('Rods', 'rods'),
            has(scene.rods) && this.switchOf('See-through rods', 'seeThrough'),
            has(scene.bodies) && this.switchOf('Bodies', 'bodies'),
            has(scene.paths) && this.switchOf('Tendons and chambers', 'paths'),
            this.switchOf('Frames', 'frames'),
            this.switchOf('Ground', 'ground'),
            scene.surface !== null && scene.surface !== undefined && this.switchOf('Water', 'water'),
        ];
        if (has(scene.rods)) {
            items.push(this.widthSlider());
        }
        return group('Parts', ...items.filter(Boolean));
    }

    // thin rods can be drawn thicker than they are
    widthSlider() {
        const shown = h('output', {}, '1\u00d7');
        const range = h('input', { type: 'range', min: 1, max: 10, step: 0.5, value: 1, 'aria-label': 'Width of the rods' });
        range.addEventListener('input', () => {
            shown.textContent = `${range.value}\u00d7`;
            this.set('widen', range.valueAsNumber);
        });
        return h('label', { class: 'row' }, h('span', {}, 'Width'), range, shown);
    }

    forcesGroup() {
        const { display } = this;
        const kinds = Object.keys(display.arrows);
        if (kinds.length === 0) {
            return null;
        }
        const items = kinds.map((kind) =>
            toggle(
                arrowNames[kind] ?? kind,
                display.arrows[kind],
                (value) => {
                    display.arrows[kind] = value;
                    this.onchange('arrows');
                },
                arrowColors[kind],
            ),
        );
        const scale = h('input', { type: 'range', min: -1, max: 1, step: 0.05, value: 0, 'aria-label': 'Length of the arrows' });
        scale.addEventListener('input', () => this.set('arrowFactor', 10 ** scale.valueAsNumber));
        return group('Forces', ...items, h('label', { class: 'row' }, h('span', {}, 'Length'), scale));
    }

    ghostGroup(ghosts) {
        if (ghosts.length === 0) {
            return null;
        }
        const items = ghosts.map(({ title, color }, i) =>
            toggle(
                title,
                true,
                (value) => {
                    this.display.ghosts[i] = value;
                    this.onchange('ghosts');
                },
                color,
            ),
        );
        return group('Compared with', ...items);
    }

    cameraGroup() {
        const options = followable(this.scene);
        if (options.length === 0) {
            return null;
        }
        this.follow = choice('Follow', [['', 'Nothing'], ...options], this.display.follow, (value) => this.set('follow', value));
        return group('Camera follows', this.follow);
    }
}
