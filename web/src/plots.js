// SPDX-License-Identifier: Apache-2.0
// The panel of curves: which signals are drawn, and their plots.
import { choice, h, iconButton } from './dom.js';
import { runList } from './legend.js';
import { Plot } from './plot.js';

const FIRST = 3;

export class Plots {
    /** runs: list of {scene, history, color, title}; the first is the one whose signals can be chosen. The source says where
     * a click leads to, and what the load is of equilibria. */
    constructor(runs, { onseek, loadAt }, onclose) {
        this.runs = runs;
        this.onseek = onseek;
        this.loadAt = loadAt ?? null;
        this.signals = runs[0].scene.signals;
        this.plots = [];
        this.list = h('div', { class: 'plot-list' }, runList(runs));
        this.adder = h('div', {});
        const close = iconButton('close', 'Close the plots', onclose);
        this.element = h(
            'section',
            { class: 'panel plots', 'aria-label': 'Plots' },
            h('header', {}, h('h2', {}, 'Plots'), close),
            this.list,
            this.adder,
        );
        this.span = [0, 1];
        this.observer = new ResizeObserver(() => this.measure());
        this.observer.observe(this.list);
        this.firstChoice(runs[0].ranges).forEach((i) => this.add(i));
        this.offer();
    }

    // the first signals of those that change, as far as is known
    firstChoice({ min, max }) {
        const all = this.signals.map((_, i) => i);
        const moving = all.filter((i) => max[this.signals[i].index] - min[this.signals[i].index] > 1e-9);
        return (moving.length > 0 ? moving : all).slice(0, FIRST);
    }

    add(i) {
        const plot = new Plot(this.signals[i], this.onseek, this.loadAt);
        plot.number = i;
        plot.head.append(iconButton('close', `Remove ${this.signals[i].name}`, () => this.remove(plot)));
        this.plots.push(plot);
        this.list.append(plot.element);
        this.measure();
    }

    remove(plot) {
        plot.element.remove();
        this.plots.splice(this.plots.indexOf(plot), 1);
        this.offer();
    }

    // the signals that are not drawn yet
    offer() {
        const rest = this.signals.map(({ name }, i) => [i, name]).filter(([i]) => !this.plots.some(({ number }) => number === i));
        const list = choice('Add a signal', [['', 'Add a signal\u2026'], ...rest], '', (value) => {
            this.add(Number(value));
            this.offer();
        });
        this.adder.replaceChildren(...(rest.length > 0 ? [list] : []));
    }

    measure() {
        this.plots.forEach((plot) => plot.measure());
    }

    // curves of the same name in all runs
    curvesOf(plot) {
        plot.curves ??= this.runs
            .map(({ scene, history, color }, k) => {
                const column = scene.signals.findIndex(({ name }) => name === plot.signal.name);
                return { history, column, color, isGhost: k > 0 };
            })
            .filter(({ column }) => column >= 0);
        return plot.curves;
    }

    /** Curves between two times, the cursor at t with record v. */
    update(begin, end, t, v, colors) {
        if (this.element.hidden) {
            return;
        }
        this.span[0] = begin;
        this.span[1] = end;
        for (const plot of this.plots) {
            plot.draw(this.curvesOf(plot), this.span, colors);
            plot.point(t, v[plot.signal.index]);
        }
    }

    dispose() {
        this.observer.disconnect();
        this.element.remove();
    }
}
