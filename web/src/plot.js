// SPDX-License-Identifier: Apache-2.0
// One curve over time on a canvas of its own, with a cursor above it. The canvas is drawn anew only when the curve, its
// bounds, the size or the colours change; the cursor moves by a style alone.
import { h, short } from './dom.js';
import { roundStep } from './ground.js';

const LEFT = 50;
const BOTTOM = 17;
const TOP = 6;
const RIGHT = 8;

/** Text of a tick: as many digits as the step between ticks needs. */
export function tickText(value, step) {
    const size = Math.abs(value);
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    if (size < 0.5 * step) {
        return '0';
    }
    if (size >= 1e5 || (size < 1e-3 && decimals > 4)) {
        const digits = Math.floor(Math.log10(size) + 1e-9) - Math.floor(Math.log10(step) + 1e-9);
        return value.toExponential(Math.min(12, Math.max(0, digits))).replace(/\.?0*e\+?/, 'e').replaceAll('-', '\u2212');
    }
    return value.toFixed(Math.min(12, decimals)).replace('-', '\u2212');
}

// longest text beside the axis
const LONGEST = 7;

export class Plot {
    /** onseek: called with a time; null where there is none to go to. loadAt: the load at a time, of equilibria; else null. */
    constructor(signal, onseek, loadAt = null) {
        this.signal = signal;
        this.loadAt = loadAt;
        this.canvas = h('canvas', { 'aria-label': `${signal.name} over ${loadAt ? 'the loads' : 'time'}` });
        this.cursor = h('i', { class: 'cursor' });
        this.value = h('output', {});
        this.box = h('div', { class: 'plot-box' }, this.canvas, this.cursor);
        const unit = signal.unit && signal.unit !== '1' ? ` [${signal.unit}]` : '';
        this.head = h('figcaption', {}, h('span', {}, signal.name + unit), this.value);
        this.element = h('figure', { class: 'plot' }, this.head, this.box);
        this.drawn = '';
        this.shown = '';
        this.span = [0, 1];
        if (onseek) {
            const seek = (event) => {
                if (event.buttons & 1) {
                    const x = event.clientX - this.canvas.getBoundingClientRect().left;
                    const u = Math.min(1, Math.max(0, (x - LEFT) / (this.width - LEFT - RIGHT)));
                    onseek(this.span[0] + u * (this.span[1] - this.span[0]));
                }
            };
            this.box.addEventListener('pointerdown', (event) => {
                this.box.setPointerCapture(event.pointerId);
                seek(event);
            });
            this.box.addEventListener('pointermove', seek);
        }
    }

    /** curves: list of {history, column, color}; span: first and last time. Nothing is done if nothing changed. */
    draw(curves, span, colors) {
        const versions = curves.map(({ history }) => history.version).join();
        const key = `${versions}/${this.width}/${this.height}/${span[0]}/${span[1]}/${colors.text}/${window.devicePixelRatio}`;
        if (key === this.drawn || !this.width) {
            return;
        }
        this.drawn = key;
        this.span[0] = span[0];
        this.span[1] = span[1];
        const context = this.prepare();
        const [low, high, isFlat] = this.bounds(curves);
        const x = (t) => LEFT + ((t - span[0]) / (span[1] - span[0] || 1)) * (this.width - LEFT - RIGHT);
        const y = (value) => TOP + ((high - value) / (high - low)) * (this.height - TOP - BOTTOM);
        this.prepareAxes(context, colors);
        this.drawLevels(context, isFlat ? [0.5 * (low + high)] : this.levels(low, high), isFlat, y);
        this.drawTimes(context, x);
        context.save();
        context.beginPath();
        context.rect(LEFT, 0, this.width - LEFT - RIGHT, this.height);
        context.clip();
        for (let k = curves.length - 1; k >= 0; k--) {
            this.drawCurve(context, curves[k], x, y);
        }
        context.restore();
    }

    measure() {
        this.width = this.box.clientWidth;
        this.height = this.box.clientHeight;
    }

    prepare() {
        const ratio = window.devicePixelRatio;
        if (this.canvas.width !== Math.round(this.width * ratio) || this.canvas.height !== Math.round(this.height * ratio)) {
            this.canvas.width = Math.round(this.width * ratio);
            this.canvas.height = Math.round(this.height * ratio);
        }
        const context = this.canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, this.width, this.height);
        return context;
    }

    bounds(curves) {
        let low = Infinity;
        let high = -Infinity;
        for (const { history, column } of curves) {
            for (let b = 0; b < history.n; b++) {
                low = Math.min(low, history.low[column][b]);
                high = Math.max(high, history.high[column][b]);
            }
        }
        if (!(low <= high)) {
            return [0, 1];
        }
        // a constant curve lies in the middle
        const isFlat = high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
        const room = isFlat ? 0.5 * Math.abs(high) || 1 : 0.06 * (high - low);
        return [low - room, high + room, isFlat];
    }

    prepareAxes(context, colors) {
        context.font = '10px system-ui, sans-serif';
        context.fillStyle = colors.soft;
        context.strokeStyle = colors.line;
        context.lineWidth = 1;
    }

    // round values between two
    levels(low, high) {
        const step = roundStep((high - low) / 2);
        const first = Math.ceil(low / step);
        const n = Math.floor(high / step) - first + 1;
        return Array.from({ length: n }, (_, k) => (first + k) * step);
    }

    // a line and a number for each
    drawLevels(context, levels, isFlat, y) {
        const step = levels.length > 1 ? levels[1] - levels[0] : 1;
        const text = (value) => (isFlat || levels.length < 2 ? short(value, 5) : tickText(value, step));
        // where numbers differ far behind the point alone, differences stand beside the axis
        const base = levels.some((value) => text(value).length > LONGEST) ? levels[0] : 0;
        context.textAlign = 'right';
        context.textBaseline = 'middle';
        for (const value of levels) {
            const at = Math.round(y(value)) + 0.5;
            context.beginPath();
            context.moveTo(LEFT, at);
            context.lineTo(this.width - RIGHT, at);
            context.stroke();
            context.fillText(text(value - base), LEFT - 6, at);
        }
        if (base !== 0) {
            context.textAlign = 'left';
            context.fillText(`+ ${short(base, 9)}`, LEFT + 3, TOP + 3);
        }
    }

    drawTimes(context, x) {
        const every = roundStep((this.span[1] - this.span[0]) / 3 || 1);
        context.textAlign = 'center';
        context.textBaseline = 'bottom';
        for (let k = Math.ceil(this.span[0] / every - 1e-9); k * every <= this.span[1] + 1e-9 * every; k++) {
            const at = Math.min(this.width - 14, Math.max(LEFT, x(k * every)));
            const text = this.loadAt ? short(this.loadAt(k * every), 3) : `${tickText(k * every, every)} s`;
            context.fillText(text, at, this.height);
        }
    }

    drawCurve(context, { history, column, color, isGhost }, x, y) {
        const low = history.low[column];
        const high = history.high[column];
        context.beginPath();
        for (let b = 0; b < history.n; b++) {
            const at = x(history.t[b]);
            context.lineTo(at, y(low[b]));
            if (high[b] !== low[b]) {
                context.lineTo(at, y(high[b]));
            }
        }
        context.strokeStyle = color;
        context.lineWidth = isGhost ? 1.2 : 1.6;
        context.lineJoin = 'round';
        context.setLineDash(isGhost ? [4, 3] : []);
        context.stroke();
        context.setLineDash([]);
    }

    /** Cursor at time t, where the signal has this value. */
    point(t, value) {
        const u = (t - this.span[0]) / (this.span[1] - this.span[0] || 1);
        this.cursor.style.transform = `translateX(${LEFT + u * (this.width - LEFT - RIGHT)}px)`;
        const text = short(value, 4);
        if (text !== this.shown) {
            this.shown = text;
            this.value.textContent = text;
        }
    }
}
