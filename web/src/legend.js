// SPDX-License-Identifier: Apache-2.0
// What the colours mean: a bar with its bounds for the field of the rods and for each kind of path.
import { colorTable, pathMaps } from './colormap.js';
import { h, short } from './dom.js';

function stripe(map) {
    const canvas = h('canvas', { width: 256, height: 1, 'aria-hidden': 'true' });
    const data = new ImageData(new Uint8ClampedArray(colorTable(map)), 256, 1);
    canvas.getContext('2d').putImageData(data, 0, 0);
    return canvas;
}

class Bar {
    constructor(map) {
        this.title = h('span', {});
        this.low = h('output', {});
        this.high = h('output', {});
        this.unit = h('span', {});
        this.canvas = stripe(map);
        this.element = h('div', { class: 'bar' }, this.title, this.canvas, h('div', {}, this.low, this.unit, this.high));
        this.shown = '';
    }

    set(title, unit, low, high) {
        const key = `${title}/${unit}/${low}/${high}`;
        if (key !== this.shown) {
            this.shown = key;
            this.title.textContent = title;
            this.unit.textContent = unit && unit !== '1' ? unit : '';
            this.low.textContent = short(low);
            this.high.textContent = short(high);
        }
    }
}

/** Names of the runs with their colours; null where there is one alone. */
export function runList(runs) {
    const item = ({ color, title }) => h('li', { title }, h('i', { class: 'dot', style: `background:${color}` }), h('span', {}, title));
    return runs.length > 1 ? h('ul', { class: 'runs', 'aria-label': 'Runs' }, runs.map(item)) : null;
}

const plural = { tendon: 'Tendons', chamber: 'Chambers', muscle: 'Muscles' };
const quantity = { tendon: 'tension', chamber: 'pressure', muscle: 'activation' };

export class Legend {
    constructor(runs) {
        const [{ scene }] = runs;
        this.scene = scene;
        this.field = new Bar('lagoon');
        this.paths = new Map();
        this.element = h('aside', { class: 'legend', 'aria-label': 'Legend' }, runList(runs), this.field.element);
        for (const { kind } of scene.paths) {
            if (!this.paths.has(kind)) {
                this.paths.set(kind, new Bar(pathMaps[kind] ?? 'tide'));
                this.element.append(this.paths.get(kind).element);
            }
        }
    }

    /** The bars that are to be seen, top first: for pictures. */
    get bars() {
        return [this.field, ...this.paths.values()].filter((bar) => !bar.element.hidden);
    }

    update(display) {
        const info = this.scene.fields.find(({ name }) => name === display.field);
        this.field.element.hidden = !info;
        if (info) {
            this.field.set(info.label || info.name, info.unit, display.low, display.high);
        }
        for (const [kind, bar] of this.paths) {
            const range = display.pathRanges[kind];
            bar.element.hidden = !display.paths || !range;
            if (range) {
                const title = `${plural[kind] ?? kind}: ${quantity[kind] ?? 'value'}`;
                bar.set(title, range.unit, range.low, range.high);
            }
        }
    }
}
