// SPDX-License-Identifier: Apache-2.0
// Where the page begins. Its address may say how: #t=1.5&play=0&view=2&theme=dark&field=bend_y&follow=b0&panels=0.
import './style.css';
import { followable } from './display.js';
import { FileSource } from './file_source.js';
import { listenToKeys } from './keyboard.js';
import { LiveSource } from './live_source.js';
import { Viewer } from './viewer.js';

const options = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const wantedTime = options.t && Number.isFinite(Number(options.t)) ? Number(options.t) : null;

function keysOf(viewer, source) {
    const { layout } = viewer;
    const looks = [1, 2, 3, 4].map((k) => [String(k), () => viewer.look(k)]);
    return {
        ...source.keys(),
        ...Object.fromEntries(looks),
        0: () => viewer.look(4),
        f: () => viewer.look(null),
        g: () => viewer.follow(),
        d: () => layout.toggle('display'),
        p: () => layout.toggle('plots'),
        c: () => layout.toggle('control'),
        t: () => viewer.theme.flip(),
        '?': () => layout.help.toggle(),
    };
}

// what the address asks for, as far as there is such a thing
function obey(viewer, source) {
    const { display, layout } = viewer;
    if (options.field && viewer.runs[0].scene.fields.some(({ name }) => name === options.field)) {
        display.field = options.field;
        layout.display.field.value = options.field;
        viewer.displayChanged('field');
    }
    const isKnown = options.follow === '' || followable(viewer.runs[0].scene).some(([key]) => key === options.follow);
    if (isKnown) {
        display.follow = options.follow;
        viewer.displayChanged('follow');
    }
    if (['1', '2', '3', '4'].includes(options.view)) {
        viewer.look(Number(options.view));
    }
    if (options.panels) {
        document.documentElement.classList.toggle('bare', options.panels === '0');
    }
    if (wantedTime !== null && source.seek) {
        source.seek(wantedTime);
    }
}

async function beginFile(viewer) {
    const source = new FileSource();
    if (source.scenes.length === 0 || source.scenes.some(({ n_frame: n }) => n === 0)) {
        throw new Error('there are no data in this page: `elver view` puts them in');
    }
    source.onbroken = () => viewer.layout.say('Some of the data of this page cannot be read: they are passed over');
    const runs = await source.open();
    viewer.show(runs, source);
    source.strangers().forEach((title) => viewer.layout.say(`${title} is of another model than ${runs[0].title}`, false));
    obey(viewer, source);
    const isStill = options.play === '0' || wantedTime !== null || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    source.player.play(!isStill);
    source.scan(() => viewer.rangesChanged()).catch((error) => viewer.layout.say(String(error)));
    return source;
}

async function beginLive(viewer) {
    document.querySelector('#loading span').textContent = 'Waiting for the simulation';
    const source = new LiveSource(viewer);
    await source.open();
    obey(viewer, source);
    return source;
}

async function begin() {
    const loading = document.getElementById('loading');
    try {
        const viewer = new Viewer(document.getElementById('stage'), document.getElementById('ui'), options);
        const isLive = document.getElementById('elver-live') !== null;
        const source = await (isLive ? beginLive(viewer) : beginFile(viewer));
        listenToKeys(keysOf(viewer, source));
        viewer.start();
        viewer.stats.opened = performance.now();
        window.elver = { viewer, source, stats: viewer.stats };
        loading.remove();
    } catch (error) {
        console.error(error);
        loading.className = 'failed';
        loading.textContent = `This page cannot be shown: ${error.message}`;
    }
}

// the script stands before the data: wait for them
if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', begin);
} else {
    begin();
}
