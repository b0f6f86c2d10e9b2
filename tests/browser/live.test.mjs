// SPDX-License-Identifier: Apache-2.0
// Live mode against a stand-in of the server: sliders reach the simulation and its answer the picture, pulls are forces,
// and the page lives on when the simulation is slow or goes away.
import assert from 'node:assert/strict';
import { after, before, beforeEach, afterEach, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { LiveServer } from './live_server.mjs';

let browser;
let server;
let page;

before(async () => {
    browser = await launch();
});

after(() => browser?.close());

beforeEach(async () => {
    server = new LiveServer();
    const url = await server.start();
    page = await openPage(browser, { width: 900, height: 600 });
    await page.goto(url);
    await page.waitForFunction(() => window.elver?.stats.moved > 2);
});

afterEach(async () => {
    await page.context().close();
    await server.stop();
});

const got = (type) => server.state.got.filter((message) => message.type === type);

test('a slider moves the tip', async () => {
    const tip = () => page.evaluate(() => window.elver.viewer.runs[0].record[7 * 16]);
    const start = await tip();
    const slider = page.locator('.control input[type=range][data-name=tendon-1]');
    await slider.fill('6');
    await page.waitForFunction((x) => Math.abs(window.elver.viewer.runs[0].record[7 * 16] - x) > 0.1, start);
    assert.ok(Math.abs(got('input').at(-1).value - 6) < 0.02);
    assert.equal(got('input').at(-1).name, 'tendon-1');
    assert.deepEqual(page.complaints, []);
});

test('a parameter changes the geometry, and settings stay', async () => {
    await page.keyboard.press('d');
    const length = page.getByRole('spinbutton', { name: 'length, value' });
    await length.fill('0.8');
    await length.press('Enter');
    await page.waitForFunction(() => window.elver.viewer.runs[0].scene.rods[0].length === 0.8);
    assert.ok(await page.locator('.panel.display').isVisible());
    assert.equal(got('parameter').at(-1).value, 0.8);
});

test('a slider shows what the law of the file gives, until it is touched', async () => {
    const row = page.locator('.slider', { has: page.locator('[data-name=tendon-1]') });
    const number = row.locator('input[type=number]');
    assert.match(await row.getAttribute('class'), /law/);
    server.setLaw(3.5);
    await page.waitForFunction(() => document.querySelector('[data-name=tendon-1]').valueAsNumber === 3.5);
    assert.equal(await number.inputValue(), '3.5');
    assert.equal(got('input').length, 0);
    // what is being typed is left alone
    await number.pressSequentially('1');
    server.setLaw(2);
    await page.waitForTimeout(200);
    assert.match(await number.inputValue(), /1/);
    await number.fill('6');
    await number.press('Enter');
    await page.waitForFunction(() => !document.querySelector('.slider.law'));
    await page.waitForFunction(() => document.querySelector('[data-name=tendon-1]').valueAsNumber === 6);
});

test('an input is not set beyond what it may be', async () => {
    const number = page.getByRole('spinbutton', { name: 'tendon-1, value' });
    await number.fill('-10');
    await number.press('Enter');
    assert.equal(await number.inputValue(), '0');
    for (let i = 0; i < 50 && got('input').length === 0; i++) {
        await page.waitForTimeout(50);
    }
    assert.deepEqual(got('input').map(({ value }) => value), [0]);
});

test('a parameter that is refused goes back, and its note goes with the next', async () => {
    const length = page.getByRole('spinbutton', { name: 'length, value' });
    await length.fill('-5');
    await length.press('Enter');
    await page.waitForFunction(() => document.querySelector('.note.error'));
    await page.waitForFunction(() => document.querySelector('[aria-label="length, value"]').value === '0.5');
    // the same note twice is one
    await length.fill('-4');
    await length.press('Enter');
    await page.waitForFunction(() => document.querySelector('[aria-label="length, value"]').value === '0.5');
    assert.equal(await page.locator('.note').count(), 1);
    await length.fill('0.7');
    await length.press('Enter');
    await page.waitForFunction(() => window.elver.viewer.runs[0].scene.rods[0].length === 0.7);
    assert.equal(await page.locator('.note.error').count(), 0);
});

test('a simulation that failed shows that it stands', async () => {
    server.state.flags = 4;
    await page.waitForFunction(() => document.querySelector('.late').textContent.startsWith('Stopped'));
    assert.match(await page.locator('.live .primary').getAttribute('aria-label'), /^Go on/);
});

test('every record is a point of the curves, also while the page draws slowly', async () => {
    const few = await page.evaluate(() => window.elver.viewer.runs[0].history.n);
    await page.evaluate(() => {
        const { stage } = window.elver.viewer;
        stage.render = () => {
            stage.isDirty = false;
        };
        window.elver.viewer.tick = () => {};
    });
    await page.waitForFunction((n) => window.elver.viewer.runs[0].history.n > n + 40, few);
    const gap = await page.evaluate(() => {
        const { t, n } = window.elver.viewer.runs[0].history;
        return Math.max(...Array.from({ length: n - 1 }, (_, i) => t[i + 1] - t[i]));
    });
    assert.ok(gap < 0.0201, `${gap} s between two points`);
});

test('all in sight again keeps the direction', async () => {
    const [first, last] = await page.evaluate(() => {
        const { viewer } = window.elver;
        const { camera, controls } = viewer.stage;
        const way = () => camera.position.clone().sub(controls.target);
        viewer.look(2);
        const one = way();
        camera.position.addScaledVector(one, 6);
        viewer.layout.ui.querySelector('[aria-label="All in sight (F)"]').click();
        return [one, way()].map((v) => [v.length(), ...v.normalize().toArray()]);
    });
    first.forEach((x, i) => assert.ok(Math.abs(x - last[i]) < 0.05 * Math.abs(x) + 1e-3, `${first} ${last}`));
});

test('pause, step, reset, speed and the readout', async () => {
    await page.locator('#stage').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('.live .primary').getAttribute('aria-label').startsWith('Go on'));
    await page.getByRole('button', { name: 'One step (right arrow)' }).click();
    await page.getByRole('button', { name: 'Start again (home)' }).click();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('2');
    const text = await page.locator('.readout').innerText();
    assert.match(text, /0\.50\u00d7 real time/);
    assert.match(text, /step 1\.25 ms/);
    assert.match(text, /3 iterations/);
    assert.equal(got('pause')[0].value, true);
    assert.equal(got('step').length, 1);
    assert.equal(got('reset').length, 1);
    assert.equal(got('speed').at(-1).value, 2);
});

test('shift-drag is a force on the rod, and its end is its end', async () => {
    const place = await page.evaluate(() => {
        const { stage, runs } = window.elver.viewer;
        const at = 7 * 16;
        const tip = stage.center.clone().fromArray(runs[0].record, at);
        const p = stage.project(tip, tip.clone());
        return [p.x, p.y];
    });
    const camera = await page.evaluate(() => window.elver.viewer.stage.camera.position.toArray());
    await page.keyboard.down('Shift');
    await page.mouse.move(...place);
    await page.mouse.down();
    await page.mouse.move(place[0] + 60, place[1]);
    await page.waitForFunction(() => window.elver.source.pull.held);
    for (let i = 0; i < 50 && got('force').length === 0; i++) {
        await page.waitForTimeout(100);
    }
    const pull = got('force').at(-1);
    assert.equal(pull.element, 'arm');
    // stations run from 0 to 1, whatever the length
    assert.equal(pull.station, 1);
    assert.ok(Math.hypot(...pull.force) > 0.01);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    for (let i = 0; i < 50 && got('force').at(-1).force.some((x) => x !== 0); i++) {
        await page.waitForTimeout(100);
    }
    assert.deepEqual(got('force').at(-1).force, [0, 0, 0]);
    // the camera did not turn
    const now = await page.evaluate(() => window.elver.viewer.stage.camera.position.toArray());
    now.forEach((x, d) => assert.ok(Math.abs(x - camera[d]) < 1e-9));
});

test('says when the simulation cannot keep up, and stays responsive', async () => {
    server.state.flags = 2;
    server.delay = 700;
    await page.waitForFunction(() => document.querySelector('.late').textContent === 'Cannot keep up');
    const n = await page.evaluate(() => window.elver.stats.frames);
    await page.evaluate(() => window.elver.viewer.look(1));
    await page.waitForFunction((k) => window.elver.stats.frames > k, n);
    await page.getByRole('button', { name: 'Help (?)' }).click();
    assert.ok(await page.getByRole('dialog').isVisible());
});

test('comes back after the connection broke', async () => {
    await server.stop();
    await page.waitForFunction(() => document.querySelector('.live').classList.contains('lost'));
    assert.match(await page.locator('.late').innerText(), /Connection lost/);
    await server.start();
    const n = await page.evaluate(() => window.elver.stats.moved);
    await page.waitForFunction((k) => window.elver.stats.moved > k + 2, n);
    assert.ok(!(await page.evaluate(() => document.querySelector('.live').classList.contains('lost'))));
});
