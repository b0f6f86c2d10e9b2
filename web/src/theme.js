// SPDX-License-Identifier: Apache-2.0
// Light and dark: what the system prefers, until the switch is used. Colours are in style.css.

const KEY = 'elver-theme';

function stored() {
    try {
        return localStorage.getItem(KEY);
    } catch {
        return null;
    }
}

function store(theme) {
    try {
        localStorage.setItem(KEY, theme);
    } catch {
        // pages from disk may have no storage: the choice lasts as long as the page
    }
}

export class Theme {
    constructor(onchange, wanted = null) {
        this.onchange = onchange;
        this.system = window.matchMedia('(prefers-color-scheme: dark)');
        this.chosen = wanted ?? stored();
        this.system.addEventListener('change', () => this.apply());
        this.apply();
    }

    get isDark() {
        return this.chosen ? this.chosen === 'dark' : this.system.matches;
    }

    flip() {
        this.chosen = this.isDark ? 'light' : 'dark';
        store(this.chosen);
        this.apply();
    }

    apply() {
        document.documentElement.dataset.theme = this.isDark ? 'dark' : 'light';
        const style = getComputedStyle(document.documentElement);
        const read = (name) => style.getPropertyValue(`--${name}`).trim();
        this.colors = {
            text: read('text'),
            soft: read('soft'),
            line: read('line'),
            panel: read('panel-solid'),
            top: read('stage-top'),
            bottom: read('stage-bottom'),
            sky: read('stage-sky'),
            grid: read('stage-grid'),
            water: read('stage-water'),
            shadow: Number(read('stage-shadow')),
            accent: read('accent'),
        };
        this.onchange(this.colors);
    }
}
