// SPDX-License-Identifier: Apache-2.0
// Sliders of a running simulation: inputs by kind, parameters of the model, the strength of pulls.
import { h, iconButton, short } from './dom.js';

// kinds of inputs as headings: Motors, Tendons, ...
const titleOf = (kind) => (kind ? `${kind[0].toUpperCase()}${kind.slice(1)}s` : 'Inputs');

/** Bounds for a number that has none. */
export function boundsFor(value, min, max) {
    if (Number.isFinite(min) && Number.isFinite(max) && min < max) {
        return [min, max];
    }
    return value === 0 ? [-1, 1] : [Math.min(0, 2 * value), Math.max(0, 2 * value)];
}

/** A number for a field: all of its digits that matter, also where it is large or small. */
export function fieldText(value) {
    const rounded = Number(value.toPrecision(5));
    const size = Math.abs(rounded);
    return size !== 0 && (size >= 1e5 || size < 1e-3) ? rounded.toExponential().replace('e+', 'e') : String(rounded);
}

// time for which a value that was just set is not overruled by what is on its way, ms
const HOLD = 600;

/** Slider and number, each following the other. info: {name, unit, value, min, max, lower, upper, is_taken}. */
class Slider {
    constructor(info, onchange) {
        const { name, unit, value } = info;
        this.lower = info.lower ?? -Infinity;
        this.upper = info.upper ?? Infinity;
        this.onchange = onchange;
        this.isHeld = false;
        this.isTyped = false;
        this.lastSet = -Infinity;
        const [min, max] = boundsFor(value, info.min ?? NaN, info.max ?? NaN);
        this.width = max - min;
        this.range = h('input', { type: 'range', min, max, step: (max - min) / 1000, 'aria-label': name, 'data-name': name });
        this.number = h('input', { type: 'number', step: 'any', 'aria-label': `${name}, value` });
        const label = h('span', { title: name }, name, unit && unit !== '1' ? h('small', {}, ` ${unit}`) : null);
        this.element = h('div', { class: 'slider' }, label, this.number, this.range);
        this.listen();
        this.write(value);
    }

    listen() {
        const { range, number } = this;
        range.addEventListener('pointerdown', () => {
            this.isHeld = true;
        });
        ['pointerup', 'pointercancel', 'blur'].forEach((name) =>
            range.addEventListener(name, () => {
                this.isHeld = false;
            }),
        );
        range.addEventListener('input', () => this.set(range.valueAsNumber));
        number.addEventListener('input', () => {
            this.isTyped = true;
        });
        number.addEventListener('change', () => {
            this.isTyped = false;
            if (Number.isFinite(number.valueAsNumber)) {
                this.set(number.valueAsNumber);
            } else {
                this.write(this.value);
            }
        });
    }

    // by the user: not beyond what may be
    set(value) {
        this.lastSet = performance.now();
        this.write(Math.min(this.upper, Math.max(this.lower, value)));
        this.markLaw(false);
        this.onchange(this.value);
    }

    write(value) {
        this.value = value;
        this.range.value = value;
        // what is nothing beside the range is rounding
        this.number.value = fieldText(Math.abs(value) < 1e-9 * this.width ? 0 : value);
    }

    /** The law of the model file acts, not the slider. */
    markLaw(isLaw) {
        this.element.classList.toggle('law', isLaw);
        this.number.title = isLaw ? 'by the law of the model file' : '';
    }

    /** What the simulation has, unless the user is at it; isFinal: also right after it was set. */
    tell(value, isFinal) {
        const isBusy = this.isHeld || this.isTyped || (!isFinal && performance.now() - this.lastSet < HOLD);
        if (!isBusy && value !== this.value) {
            this.write(value);
        }
        return !isBusy;
    }
}

const group = (title, children) => h('fieldset', {}, h('legend', {}, title), children);

export class ControlPanel {
    /** onvalue: called with 'input' or 'parameter', name, value; onstrength: N a length of the robot. */
    constructor(inputs, parameters, onvalue, onstrength, onclose) {
        const kinds = new Map();
        this.inputs = new Map();
        this.parameters = new Map();
        for (const input of inputs) {
            const title = titleOf(input.kind);
            const row = new Slider(input, (value) => onvalue('input', input.name, value));
            row.markLaw(input.is_taken === false);
            this.inputs.set(input.name, row);
            kinds.set(title, [...(kinds.get(title) ?? []), row.element]);
        }
        for (const parameter of parameters) {
            this.parameters.set(parameter.name, new Slider(parameter, (value) => onvalue('parameter', parameter.name, value)));
        }
        const rows = [...this.parameters.values()].map(({ element }) => element);
        this.element = h(
            'section',
            { class: 'panel control', 'aria-label': 'Controls' },
            h('header', {}, h('h2', {}, 'Controls'), iconButton('close', 'Close the controls', onclose)),
            [...kinds].map(([title, children]) => group(title, children)),
            rows.length > 0 ? group('Parameters', rows) : null,
            group('Pull', [this.strength(onstrength)]),
        );
    }

    /** Values as the simulation has them: lists of {name, value, is_taken}. */
    tell({ inputs = [], parameters = [] }) {
        for (const { name, value, is_taken: isTaken } of inputs) {
            const row = this.inputs.get(name);
            if (row?.tell(value, false)) {
                row.markLaw(isTaken === false);
            }
        }
        parameters.forEach(({ name, value }) => this.parameters.get(name)?.tell(value, true));
    }

    // logarithmic, from 0.01 to 1000 N
    strength(onstrength) {
        const shown = h('output', {}, '1 N');
        const range = h('input', { type: 'range', min: -2, max: 3, step: 0.05, value: 0, 'aria-label': 'Strength of pulls' });
        range.addEventListener('input', () => {
            const value = 10 ** range.valueAsNumber;
            shown.textContent = `${short(value, 2)} N`;
            onstrength(value);
        });
        return h('div', { class: 'slider' }, h('span', {}, 'Strength (shift-drag)'), shown, range);
    }
}
