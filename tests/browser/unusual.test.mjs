// SPDX-License-Identifier: Apache-2.0
// Pages out of the ordinary: equilibria whose loads go back, addresses that ask for what is not there, data that cannot
// be read.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openFile, openPage } from './browser.mjs';
import { samples } from './robots.mjs';

let browser;
let folder;
const path = (name) => join(folder, `${name}.html`);

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'elver-unusual-'));
    for (const name of ['arm', 'loads', 'pairs']) {
        samples[name](path(name));
    }
    browser = await launch();
});

after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
});

test('equilibria are all shown, also where their loads go back, and the clock tells the load', async () => {
    const page = await openPage(browser, { width: 900, height: 600 });
    await openFile(page, path('loads'), '#play=0');
    const now = () =>
        page.evaluate(() => {
            const { source, viewer } = window.elver;
            source.advance(0);
            viewer.layout.update();
            const { record, scene } = viewer.runs[0];
            return [source.t, record[scene.bodies[0].pose + 2], document.querySelector('.clock').textContent];
        });
    const seen = [await now()];
    await page.locator('#stage').focus();
    for (let i = 0; i < 4; i++) {
        await page.keyboard.press('ArrowRight');
        seen.push(await now());
    }
    [0, 0.2, 0.4, 0.2, 0].forEach((load, i) => {
        const [t, height, clock] = seen[i];
        // times are whole tenths; heights have a quantum of 1e-5
        assert.ok(Math.abs(t - 0.1 * i) < 1e-9, `time ${t}`);
        assert.ok(Math.abs(height - load) < 1e-5, `height ${height} at load ${load}`);
        assert.equal(clock, `load ${load}`);
    });
    // it plays
    await page.getByRole('button', { name: 'Play (space)' }).click();
    await page.waitForFunction(() => window.elver.source.t > 0.1 && window.elver.source.t < 0.35);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
});

test('runs of equilibria are compared at the same load', async () => {
    const page = await openPage(browser, { width: 640, height: 400 });
    await openFile(page, path('pairs'), '#play=0');
    const heights = await page.evaluate(() => {
        const { source, viewer } = window.elver;
        const { player } = source;
        return [0, 0.25, 0.5, 1].map((u) => {
            source.seek(player.begin + u * (player.end - player.begin));
            source.advance(0);
            return viewer.runs.map(({ record, scene }) => record[scene.bodies[0].pose + 2]);
        });
    });
    [0, 0.5, 1, 2].forEach((load, i) => heights[i].forEach((x) => assert.ok(Math.abs(x - load) < 2e-5, `${x} at load ${load}`)));
    await page.context().close();
});

for (const hash of ['#follow=b9', '#follow=r9', '#follow=x', '#view=7', '#view=x', '#t=x', '#t=NaN', '#field=none', '#theme=x']) {
    test(`an address with ${hash} opens the page`, async () => {
        const page = await openPage(browser, { width: 640, height: 400 });
        await openFile(page, path('arm'), hash);
        assert.equal(await page.locator('#loading.failed').count(), 0);
        await page.waitForFunction(() => window.elver.source.t > 0.1);
        assert.deepEqual(page.complaints, []);
        await page.context().close();
    });
}

test('a chunk that cannot be read is told of and passed over', async () => {
    const text = readFileSync(path('arm'), 'utf8');
    const mark = 'id="elver-chunk-0-1">';
    const begin = text.indexOf(mark) + mark.length;
    const end = text.indexOf('</script>', begin);
    // its times are whole, its end is missing
    const kept = 4 * Math.floor((0.75 * (end - begin)) / 4);
    writeFileSync(path('broken'), text.slice(0, begin + kept) + text.slice(end));
    const page = await openPage(browser, { width: 640, height: 400 });
    await openFile(page, path('broken'), '#t=11');
    await page.locator('.note.error', { hasText: 'cannot be read' }).waitFor();
    const { t, first } = await page.evaluate(() => {
        const [{ trajectory }] = window.elver.viewer.runs;
        return { t: Array.from(trajectory.t), first: trajectory.first };
    });
    assert.equal(first.length, 2);
    assert.ok(t.every((x, i) => i === 0 || x > t[i - 1]));
    // the clock goes on within it, and what comes before it is shown
    await page.evaluate(() => {
        window.elver.source.player.isLooping = false;
        window.elver.source.player.play(true);
    });
    await page.waitForFunction(() => window.elver.source.t > 11.2);
    const tip = () => page.evaluate(() => window.elver.viewer.runs[0].record[7 * 16]);
    await page.evaluate(() => window.elver.source.seek(0));
    await page.waitForFunction(() => window.elver.source.isScanned && !window.elver.source.hasSought);
    const start = await tip();
    await page.evaluate(() => window.elver.source.seek(3));
    await page.waitForFunction((x) => Math.abs(window.elver.viewer.runs[0].record[7 * 16] - x) > 1e-4, start);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
});
