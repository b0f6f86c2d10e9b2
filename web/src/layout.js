// SPDX-License-Identifier: Apache-2.0
// Title, tool bar and panels around the picture.
import { DisplayPanel } from './display.js';
import { h, iconButton } from './dom.js';
import { Film, savePicture } from './export.js';
import { saveGltf } from './gltf.js';
import { Help } from './keyboard.js';
import { Legend } from './legend.js';
import { Plots } from './plots.js';

const MOST_NOTES = 3;

const isNarrow = () => window.innerWidth < 760;

export class Layout {
    constructor(viewer, ui) {
        this.viewer = viewer;
        this.ui = ui;
        this.open = {};
        this.notes = h('div', { class: 'notes' });
        document.body.append(this.notes);
    }

    /** All panels for the runs of the viewer. */
    build() {
        const { viewer } = this;
        const { scene } = viewer.runs[0];
        this.plots?.dispose();
        this.display = new DisplayPanel(
            scene,
            viewer.runs.slice(1),
            viewer.display,
            (name) => viewer.displayChanged(name),
            () => this.toggle('display', false),
        );
        this.legend = new Legend(viewer.runs);
        this.plots = scene.signals.length > 0 ? new Plots(viewer.runs, viewer.source, () => this.toggle('plots', false)) : null;
        this.help = new Help(viewer.source.isLive);
        this.panels = { display: this.display, ...(this.plots && { plots: this.plots }), ...viewer.source.panels };
        const left = ['control', 'display'].filter((name) => this.panels[name]).map((name) => this.panels[name].element);
        const old = this.open;
        this.open = {};
        this.ui.replaceChildren(
            this.title(scene),
            this.tools(),
            h('div', { class: 'left' }, left),
            h('div', { class: 'right' }, this.plots ? [this.plots.element] : []),
            h('div', { class: 'bottom' }, this.legend.element, viewer.source.bar),
            this.help.element,
        );
        const first = { display: false, plots: !isNarrow(), control: !isNarrow() };
        for (const name of Object.keys(this.panels)) {
            this.toggle(name, old[name] ?? first[name]);
        }
    }

    title({ name, title }) {
        document.title = name ? `${name} - Elver` : 'Elver';
        const subtitle = title && title !== name ? h('p', {}, title) : null;
        return h('div', { class: 'title' }, h('h1', {}, name || 'Elver'), subtitle);
    }

    tools() {
        const { viewer } = this;
        const button = (name, picture, label, text) => {
            const element = iconButton(picture, label, () => this.toggle(name), text);
            element.dataset.panel = name;
            return element;
        };
        this.saveMenu = this.menu();
        this.saveButton = iconButton('save', 'Save a picture, a film or the shape', () => this.toggleMenu(), 'Save');
        this.saveButton.setAttribute('aria-haspopup', 'menu');
        return h(
            'nav',
            { class: 'tools', 'aria-label': 'Tools' },
            viewer.source.panels.control ? button('control', 'sliders', 'Controls (C)', 'Controls') : null,
            button('display', 'layers', 'Display settings (D)', 'Display'),
            this.plots ? button('plots', 'plot', 'Plots (P)', 'Plots') : null,
            h('div', { class: 'menu-holder' }, this.saveButton, this.saveMenu),
            iconButton('fit', 'All in sight (F)', () => viewer.look(null)),
            iconButton('theme', 'Light or dark (T)', () => viewer.theme.flip()),
            iconButton('help', 'Help (?)', () => this.help.toggle()),
        );
    }

    menu() {
        const { viewer } = this;
        const item = (text, action) => {
            const run = () => {
                this.toggleMenu(false);
                Promise.resolve(action()).catch((error) => this.say(String(error)));
            };
            return h('button', { type: 'button', role: 'menuitem', onclick: run }, text);
        };
        this.filmItem = item('Film (WebM)', () => this.film());
        const onkeydown = (event) => {
            if (event.key === 'Escape') {
                this.toggleMenu(false);
                this.saveButton.focus();
            }
        };
        return h(
            'div',
            { class: 'menu', role: 'menu', hidden: true, onkeydown },
            item('Picture (PNG)', () => savePicture(viewer, false)),
            item('Picture with plots and legend (PNG)', () => savePicture(viewer, true)),
            this.filmItem,
            item('Shape (glTF)', () => saveGltf(viewer)),
        );
    }

    toggleMenu(isOpen = this.saveMenu.hidden) {
        this.saveMenu.hidden = !isOpen;
        this.saveButton.setAttribute('aria-expanded', isOpen);
        if (isOpen) {
            const away = (event) => {
                if (!this.saveMenu.parentElement.contains(event.target)) {
                    this.toggleMenu(false);
                    window.removeEventListener('pointerdown', away, true);
                }
            };
            window.addEventListener('pointerdown', away, true);
            this.saveMenu.firstChild.focus();
        }
    }

    // from here to the end of the run, or until asked to stop
    async film() {
        if (this.running) {
            this.running.stop();
            return;
        }
        const { viewer } = this;
        const film = new Film(viewer.stage.canvas, viewer.fileName);
        this.running = film;
        this.filmItem.textContent = 'End the film';
        this.saveButton.classList.add('recording');
        viewer.source.film(() => film.stop());
        await film.done;
        this.running = null;
        this.filmItem.textContent = 'Film (WebM)';
        this.saveButton.classList.remove('recording');
    }

    /** Open or close a panel; on a small screen there is one at a time. */
    toggle(name, isOpen = !this.open[name]) {
        if (!this.panels[name]) {
            return;
        }
        if (isOpen && isNarrow()) {
            Object.keys(this.panels).filter((other) => other !== name).forEach((other) => this.toggle(other, false));
        }
        this.open[name] = isOpen;
        this.panels[name].element.hidden = !isOpen;
        this.ui.querySelector(`[data-panel=${name}]`)?.setAttribute('aria-pressed', isOpen);
        this.ui.classList.toggle('with-plots', Boolean(this.open.plots));
        if (name === 'plots') {
            this.plots.measure();
        } else if (isOpen) {
            this.panels[name].element.scrollIntoView({ block: 'nearest' });
        }
        const isOpenLeft = this.open.display || this.open.control;
        // on a small screen the tools stand at the right
        const [left, right] = isNarrow() ? [0, 48] : [isOpenLeft ? 276 : 0, this.open.plots ? 344 : 0];
        // legends of cords are always there
        this.viewer.stage.pad(left, right, this.viewer.runs[0].scene.paths.length > 0 ? 60 : 0);
    }

    rangesChanged() {
        this.legend?.update(this.viewer.display);
        this.display?.showBounds();
    }

    displayChanged() {
        this.rangesChanged();
        if (this.display.follow) {
            this.display.follow.value = this.viewer.display.follow;
        }
    }

    /** What changes with every frame. */
    update() {
        const { source, runs, theme } = this.viewer;
        source.update();
        this.plots?.update(source.span[0], source.span[1], source.t, runs[0].record, theme.colors);
    }

    /** A line for people, for a while. */
    say(text, isError = true) {
        // the same again takes the place of the first
        [...this.notes.children].filter((note) => note.textContent === text).forEach((note) => note.remove());
        const note = h('div', { class: isError ? 'note error' : 'note', role: 'alert' }, text);
        this.notes.append(note);
        while (this.notes.children.length > MOST_NOTES) {
            this.notes.firstChild.remove();
        }
        setTimeout(() => note.remove(), 6000);
    }

    /** What went wrong is done with. */
    forgive() {
        this.notes.querySelectorAll('.error').forEach((note) => note.remove());
    }
}
