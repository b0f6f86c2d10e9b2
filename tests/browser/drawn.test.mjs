// SPDX-License-Identifier: Apache-2.0
// What is drawn means what it says: cords have the colours of their legends, forces within bodies are seen, rounding is no
// arrow, ghosts do not colour what they coincide with, frames can be seen of every robot, arrows stay in the picture.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { colorTable } from '../../web/src/colormap.js';
import { launch, openFile, openPage, pixelsOf } from './browser.mjs';
import { samples } from './robots.mjs';

let browser;
let folder;
const path = (name) => join(folder, `${name}.html`);

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'elver-drawn-'));
    for (const name of ['arm', 'crate', 'crates', 'eel']) {
        samples[name](path(name));
    }
    browser = await launch();
});

after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
});

async function open(name, hash) {
    const page = await openPage(browser, { width: 900, height: 600 });
    await openFile(page, path(name), hash);
    await page.waitForFunction(() => window.elver?.source.isScanned);
    return page;
}

// where points of the world are on the screen
const placesOf = (page, points) =>
    page.evaluate((list) => {
        const { stage } = window.elver.viewer;
        stage.controls.enableDamping = false;
        const project = (point) => {
            const { x, y } = stage.project(stage.center.clone().fromArray(point), stage.center.clone());
            return [x, y];
        };
        return Object.fromEntries(Object.entries(list).map(([name, point]) => [name, project(point)]));
    }, points);

const set = (page, name, value) =>
    page.evaluate(([key, x]) => {
        const { viewer } = window.elver;
        viewer.display[key] = x;
        viewer.displayChanged(key);
    }, [name, value]);

const apart = (a, b) => Math.max(...a.map((x, d) => Math.abs(x - b[d])));
const colourAt = (map, u) => [...colorTable(map).slice(4 * Math.round(255 * u), 4 * Math.round(255 * u) + 3)];

// from the front y is along the line of sight: the rod's own y, where the cords lie, is then across the picture
for (const [name, theme] of [['crate', 'light'], ['crate', 'dark'], ['crates', 'light']]) {
    test(`cords of ${name}, ${theme}, have the colours of their legends`, async () => {
        const page = await open(name, `#t=0&view=2&theme=${theme}&panels=0`);
        const places = await placesOf(page, { tendon: [0.5, 0.06, 0.6], chamber: [0.5, -0.06, 0.6] });
        const { tendon, chamber } = await pixelsOf(page, places);
        // 3 N of 0 to 5 N, 2 Pa of 0 to 5 Pa; a pixel may be one entry of the table off
        const [blue, violet] = [colourAt('tide', 3 / 5), colourAt('heather', 2 / 5)];
        assert.ok(apart(tendon, blue) <= 4, `tendon ${tendon}, legend ${blue}`);
        assert.ok(apart(chamber, violet) <= 4, `chamber ${chamber}, legend ${violet}`);
        // and the bars of the legend are those tables
        const bars = await page.evaluate(() =>
            window.elver.viewer.layout.legend.bars.map(({ canvas }) => [...canvas.getContext('2d').getImageData(153, 0, 1, 1).data.slice(0, 3)]),
        );
        assert.deepEqual(bars, [colourAt('tide', 153 / 255), colourAt('heather', 153 / 255)]);
        await page.context().close();
    });
}

test('a body that coincides with its ghost keeps its colour', async () => {
    const page = await open('crates', '#t=0&theme=light&panels=0');
    // on the edge between two faces one never knows: in the middle of one
    const places = await placesOf(page, { top: [-0.5, 0, 0.7], front: [-0.5, -0.2, 0.35] });
    const both = await pixelsOf(page, places);
    await set(page, 'ghosts', [false]);
    const alone = await pixelsOf(page, places);
    ['top', 'front'].forEach((name) => assert.ok(apart(both[name], alone[name]) <= 2, `${name}: ${both[name]}, alone ${alone[name]}`));
    await page.context().close();
});

test('a force within a body is seen through it, and rounding is no moment', async () => {
    const page = await open('crate', '#t=0&view=1&theme=light&panels=0');
    assert.equal(await page.evaluate(() => window.elver.viewer.display.arrowScales['N m']), 0);
    // the force has 0.35 m: from 0.4 to 0.75, in a box that ends at 0.7
    const places = await placesOf(page, { shaft: [-0.5, 0, 0.5], beside: [-0.58, 0, 0.5] });
    const shown = await pixelsOf(page, places);
    assert.ok(apart(shown.shaft, shown.beside) > 30, `arrow ${shown.shaft}, box ${shown.beside}`);
    assert.ok(shown.shaft[2] > shown.shaft[1] + 20, `violet, not ${shown.shaft}`);
    await set(page, 'arrows', { wheel: false });
    const hidden = await pixelsOf(page, places);
    assert.ok(apart(hidden.shaft, hidden.beside) < 8, `box ${hidden.shaft}, box ${hidden.beside}`);
    await page.context().close();
});

test('frames of bodies, roots and tips are there where the model names none', async () => {
    const page = await open('eel', '#t=0&view=3&theme=light&panels=0');
    assert.equal(await page.evaluate(() => window.elver.viewer.runs[0].scene.frames.length), 0);
    // the root stands at the origin, turned by nothing: its y bar, green, runs across the eel, out of it
    await page.evaluate(() => document.documentElement.classList.remove('bare'));
    await page.getByRole('button', { name: 'Display settings (D)' }).click();
    await page.locator('.panel.display').getByText('Frames', { exact: true }).click();
    assert.equal(await page.evaluate(() => window.elver.viewer.display.frames), true);
    // no panel before the picture
    await page.evaluate(() => document.documentElement.classList.add('bare'));
    // the bar is three pixels wide: one of those about its middle is its own
    const { bar: [x, y] } = await placesOf(page, { bar: [0, 0.04, 0] });
    const about = Object.fromEntries([-2, -1, 0, 1, 2].map((d) => [d, [x + d, y]]));
    const isGreen = ([r, g, b]) => g > r + 60 && g > b + 60;
    const seen = Object.values(await pixelsOf(page, about));
    assert.ok(seen.some(isGreen), `green, not ${seen.join(' / ')}`);
    await set(page, 'frames', false);
    assert.ok(!Object.values(await pixelsOf(page, about)).some(isGreen));
    await set(page, 'frames', true);
    assert.deepEqual(await page.evaluate(() => window.elver.viewer.robot.frames.items.map(({ name }) => name)), ['body, root', 'body, tip']);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
});

test('arrows stay in the picture', async () => {
    const page = await open('arm', '#play=0');
    const far = await page.evaluate(async () => {
        const { viewer, source } = window.elver;
        const { stage, runs: [{ scene, record, trajectory }], display } = viewer;
        viewer.look(4);
        stage.controls.update();
        stage.camera.updateMatrixWorld();
        let most = 0;
        for (let t = 0; t <= 12; t += 0.1) {
            source.seek(t);
            await trajectory.load(trajectory.chunkOf(Math.round(50 * t)));
            trajectory.sample(t, record);
            for (const { index, unit } of scene.arrows) {
                const tip = [0, 1, 2].map((d) => record[index + d] + display.arrowScales[unit] * record[index + 3 + d]);
                const { x, y } = stage.center.clone().fromArray(tip).project(stage.camera);
                most = Math.max(most, Math.abs(x), Math.abs(y));
            }
        }
        return most;
    });
    assert.ok(far < 1, `${far} of half the picture`);
    await page.context().close();
});
