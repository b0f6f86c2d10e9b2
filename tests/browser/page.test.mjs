// SPDX-License-Identifier: Apache-2.0
// The page in a browser: it opens from disk alone, draws what it should where it should, plays, scrubs, toggles, saves.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { launch, openFile, openPage, pixelsOf } from './browser.mjs';
import { samples } from './robots.mjs';

const NAMES = ['arm', 'ghosts', 'strangers', 'post', 'eel', 'zoo', 'still'];

let browser;
let folder;
const path = (name) => join(folder, `${name}.html`);

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'elver-page-'));
    for (const name of NAMES) {
        samples[name](path(name));
    }
    browser = await launch();
});

after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
});

const isRemote = (url) => !url.startsWith('file://') && !url.startsWith('blob:') && !url.startsWith('data:');

for (const name of NAMES) {
    test(`${name}: opens from disk without a request or a complaint`, async () => {
        const page = await openPage(browser, { width: 640, height: 400 });
        await openFile(page, path(name));
        await page.waitForFunction(() => window.elver?.source.isScanned);
        assert.deepEqual(page.complaints, []);
        assert.deepEqual(page.asked.filter(isRemote), []);
        // and nothing else from the disk than the page
        assert.equal(page.asked.filter((url) => url.startsWith('file:')).length, 1);
        await page.context().close();
    });
}

test('the rod has its colour where it stands, the background is elsewhere', async () => {
    const page = await openPage(browser, { width: 640, height: 400 });
    await openFile(page, path('post'), '#play=0&theme=light&panels=0');
    // the middle of the post, of the box, and a place beside both, on the screen
    const places = await page.evaluate(() => {
        const { stage } = window.elver.viewer;
        const project = (x, y, z) => {
            const p = stage.project(stage.center.clone().set(x, y, z), stage.center.clone());
            return [p.x, p.y];
        };
        stage.controls.enableDamping = false;
        return { rod: project(0, 0, 0.6), box: project(0.7, 0, 0.15), beside: project(-0.6, 0, 0.6) };
    });
    const { rod, box, beside } = await pixelsOf(page, places);
    assert.ok(rod[0] > rod[2] + 60 && rod[0] > rod[1] + 40, `orange rod, not ${rod}`);
    assert.ok(Math.max(...box) - Math.min(...box) < 45, `grey box, not ${box}`);
    assert.ok(Math.max(...box) < 225, `a box darker than the background, not ${box}`);
    assert.ok(Math.min(...beside) > 200, `light background, not ${beside}`);
    // without the rods there is no orange
    await page.evaluate(() => {
        const { viewer } = window.elver;
        viewer.display.rods = false;
        viewer.displayChanged('rods');
    });
    const { rod: gone } = await pixelsOf(page, places);
    assert.ok(gone[0] < gone[2] + 40, `background where the rod was, not ${gone}`);
    await page.context().close();
});

test('plays, pauses, scrubs and obeys keys', async () => {
    const page = await openPage(browser, { width: 900, height: 600 });
    await openFile(page, path('arm'), '#play=0');
    const time = () => page.evaluate(() => window.elver.source.t);
    const tip = () => page.evaluate(() => window.elver.viewer.runs[0].record[7 * 16]);
    assert.equal(await time(), 0);
    await page.getByRole('button', { name: 'Play (space)' }).click();
    await page.waitForFunction(() => window.elver.source.t > 0.3);
    await page.getByRole('button', { name: 'Pause (space)' }).click();
    const stopped = await time();
    await page.waitForTimeout(200);
    assert.equal(await time(), stopped);
    // the slider to a third of the run
    const start = await tip();
    await page.getByRole('slider', { name: 'Time' }).fill('3333');
    assert.ok(Math.abs((await time()) - 12 / 3) < 0.01);
    await page.waitForFunction((x) => Math.abs(window.elver.viewer.runs[0].record[7 * 16] - x) > 1e-4, start);
    await page.locator('#stage').focus();
    await page.keyboard.press('Home');
    assert.equal(await time(), 0);
    await page.keyboard.press('ArrowRight');
    assert.ok(Math.abs((await time()) - 0.02) < 1e-9);
    await page.keyboard.press('End');
    assert.equal(await time(), 12);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.elver.source.t < 6);
    await page.keyboard.press('Space');
    await page.keyboard.press('?');
    assert.ok(await page.getByRole('dialog').isVisible());
    assert.deepEqual(page.complaints, []);
    await page.context().close();
});

test('between records the pose is between theirs', async () => {
    const page = await openPage(browser, { width: 400, height: 300 });
    await openFile(page, path('post'), '#play=0');
    const box = await page.evaluate(async () => {
        const { source, viewer } = window.elver;
        const at = viewer.runs[0].scene.bodies[0].pose;
        return [0, 0.013, 1.2345, 2].map((t) => {
            source.seek(t);
            source.advance(0);
            return viewer.runs[0].record[at];
        });
    });
    [0.7, 0.7039, 1.07035, 1.3].forEach((x, i) => assert.ok(Math.abs(box[i] - x) < 2e-5, `${box[i]} is not ${x}`));
    await page.context().close();
});

test('switches: field with legend, ghosts, theme, follow, plots', async () => {
    const page = await openPage(browser, { width: 1200, height: 800, colorScheme: 'light' });
    await openFile(page, path('ghosts'), '#play=0');
    await page.getByRole('button', { name: 'Display settings (D)' }).click();
    await page.getByRole('combobox', { name: 'Colour of the rods' }).selectOption('bend_z');
    assert.match(await page.locator('.legend').innerText(), /bend z[^]*1\/m/);
    // every switch can be thrown
    const boxes = page.locator('.panel.display input[type=checkbox]');
    for (let i = 0; i < (await boxes.count()); i++) {
        await boxes.nth(i).click({ force: true });
    }
    const display = await page.evaluate(() => ({ ...window.elver.viewer.display, ghost: window.elver.viewer.robots[1].group.visible }));
    assert.equal(display.isManual, true);
    assert.equal(display.rods, false);
    assert.equal(display.frames, true);
    assert.equal(display.ghost, false);
    assert.deepEqual(display.arrows, { load: false, contact: false });
    await page.getByRole('combobox', { name: 'Follow' }).selectOption('b1');
    await page.getByRole('button', { name: 'Light or dark (T)' }).click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    // a click in the middle of a plot goes there
    await page.waitForFunction(() => window.elver.source.isScanned);
    const plot = await page.locator('.plot-box').first().boundingBox();
    await page.mouse.click(plot.x + 50 + 0.5 * (plot.width - 58), plot.y + 30);
    assert.ok(Math.abs((await page.evaluate(() => window.elver.source.t)) - 3) < 0.05);
    await page.getByRole('combobox', { name: 'Add a signal' }).selectOption({ index: 1 });
    assert.equal(await page.locator('.plot').count(), 4);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
});

test('runs that are compared have their names, and the menu is above the plots', async () => {
    const page = await openPage(browser, { width: 1200, height: 800 });
    await openFile(page, path('ghosts'), '#play=0');
    for (const place of ['.legend', '.plot-list']) {
        assert.deepEqual(await page.locator(`${place} .runs span`).allInnerTexts(), ['elver view arm.h5', 'elver view softer.h5']);
    }
    assert.equal(await page.locator('.note').count(), 0);
    // the ghost has its tendons too, in its colour, dimmed, where its record says
    const ghost = await page.evaluate(() => {
        const { runs, robots } = window.elver.viewer;
        const { paths, cords, cordMaterial } = robots[1];
        const { record, scene } = runs[1];
        const off = [0, 1, 2].map((d) => cords.center[d] - record[scene.paths.at(-1).points + d]);
        return { isVisible: paths.visible, n: cords.paths.length, opacity: cordMaterial.opacity, off: Math.hypot(...off) };
    });
    assert.ok(ghost.isVisible && ghost.n > 0 && ghost.opacity < 1);
    assert.ok(ghost.off < 1e-5);
    await page.keyboard.press('d');
    await page.locator('.panel.display label', { hasText: /Tendons|Paths|Cords/ }).first().click();
    assert.equal(await page.evaluate(() => window.elver.viewer.robots[1].paths.visible), false);
    await page.keyboard.press('d');
    const { name, bytes } = await save(page, 'Picture with plots and legend (PNG)');
    assert.equal(name, 'tendon-arm.png');
    assert.deepEqual([readPng(bytes).width, readPng(bytes).height], [2400, 1600]);
    await page.context().close();
});

test('a run of another model is said to be one, and is in sight', async () => {
    const page = await openPage(browser, { width: 1200, height: 800 });
    await openFile(page, path('strangers'), '#play=0');
    assert.match(await page.locator('.note').innerText(), /eel.* is of another model than .*arm/);
    const far = await page.evaluate(() => {
        const { stage, runs } = window.elver.viewer;
        const places = runs.flatMap(({ scene, record }) =>
            scene.rods.flatMap(({ pose, stations }) => stations.map((_, i) => stage.center.clone().fromArray(record, pose + 7 * i))),
        );
        return Math.max(...places.map((p) => p.project(stage.camera)).flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
    });
    assert.ok(far < 1, `${far} of half the picture`);
    await page.context().close();
});

// width, height and the bytes of the pixels of a PNG (8 bits, not interlaced): enough to see that it is no blank
function readPng(bytes) {
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    const parts = [];
    for (let at = 8; at < bytes.length; ) {
        const size = bytes.readUInt32BE(at);
        if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') {
            parts.push(bytes.subarray(at + 8, at + 8 + size));
        }
        at += 12 + size;
    }
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), raw: inflateSync(Buffer.concat(parts)) };
}

async function save(page, item) {
    await page.getByRole('button', { name: 'Save a picture, a film or the shape' }).click();
    const [file] = await Promise.all([page.waitForEvent('download', { timeout: 120000 }), page.getByRole('menuitem', { name: item, exact: true }).click()]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test('saves PNG, glTF and WebM', async () => {
    const page = await openPage(browser, { width: 480, height: 320 });
    await openFile(page, path('arm'), '#t=2');
    for (const item of ['Picture (PNG)', 'Picture with plots and legend (PNG)']) {
        const { name, bytes } = await save(page, item);
        const { width, height, raw } = readPng(bytes);
        assert.equal(name, 'tendon-arm.png');
        assert.deepEqual([width, height], [960, 640]);
        assert.ok(new Set(raw).size > 50, 'many shades');
    }
    const { name, bytes } = await save(page, 'Shape (glTF)');
    assert.equal(name, 'tendon-arm.glb');
    assert.equal(bytes.readUInt32LE(0), 0x46546c67);
    assert.equal(bytes.readUInt32LE(8), bytes.length);
    const gltf = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
    const names = gltf.nodes.map((node) => node.name);
    ['arm', 'base', 'gripper', 'tendon-1'].forEach((part) => assert.ok(names.includes(part), `${part} in ${names}`));
    await page.evaluate(() => window.elver.source.seek(11.5));
    const film = await save(page, 'Film (WebM)');
    assert.equal(film.name, 'tendon-arm.webm');
    assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
});

test('fits a phone', async () => {
    const page = await openPage(browser, { width: 360, height: 640, hasTouch: true, isMobile: true });
    await openFile(page, path('arm'), '#play=0');
    // all buttons within the screen, large enough for fingers
    const rects = await page.locator('.tools > button, .timeline button').evaluateAll((list) => list.map((b) => b.getBoundingClientRect().toJSON()));
    rects.forEach(({ left, right, top, bottom, width, height }) => {
        assert.ok(left >= 0 && right <= 360 && top >= 0 && bottom <= 640);
        assert.ok(width >= 34 && height >= 34);
    });
    await page.getByRole('button', { name: 'Plots (P)' }).tap();
    assert.ok(await page.locator('.panel.plots').isVisible());
    await page.getByRole('button', { name: 'Display settings (D)' }).tap();
    assert.ok(!(await page.locator('.panel.plots').isVisible()));
    await page.context().close();
});
