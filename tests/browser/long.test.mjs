// SPDX-License-Identifier: Apache-2.0
// A run of 10,000 records of 50 rods: opens in under 5 s, the page works less than 10 ms a frame, and 2,000 frames leave
// the memory where it was. Times are of the page, not of drawing without a GPU.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openFile, openPage } from './browser.mjs';
import { writeLongRun } from './robots.mjs';

let browser;
let folder;
let page;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'elver-long-'));
    writeLongRun(join(folder, 'long.html'), 50, 10000);
    browser = await launch();
    page = await openPage(browser, { width: 640, height: 400 });
});

after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
});

test('opens in under 5 s', async (t) => {
    const path = join(folder, 'long.html');
    await openFile(page, path, '#play=0&field=bend_z');
    const opened = await page.evaluate(() => window.elver.stats.opened);
    t.diagnostic(`${(statSync(path).size / 1e6).toFixed(0)} MB opened in ${(opened / 1000).toFixed(2)} s`);
    assert.ok(opened < 5000, `${opened} ms`);
    assert.equal(await page.evaluate(() => window.elver.source.runs[0].trajectory.t.length), 10000);
    assert.deepEqual(page.complaints, []);
});

// frames without drawing, as fast as they come; chunks are decoded beside
const play = (n) =>
    page.evaluate(async (count) => {
        const { viewer, source } = window.elver;
        const times = [];
        source.player.play(true);
        for (let k = 0; times.length < count && k < 20 * count; k++) {
            const begin = performance.now();
            const hasMoved = viewer.work(1 / 60);
            if (hasMoved) {
                times.push(performance.now() - begin);
            }
            if (!hasMoved || k % 20 === 0) {
                await new Promise((resolve) => setTimeout(resolve, 1));
            }
        }
        source.player.play(false);
        times.sort((a, b) => a - b);
        const at = (u) => times[Math.floor(u * times.length)];
        return { n: times.length, median: at(0.5), p90: at(0.9) };
    }, n);

test('works less than 10 ms a frame', async (t) => {
    await play(100);
    // nine of ten frames, in the best of three runs: other programs of the machine take their time too
    const runs = [await play(300), await play(300), await play(300)];
    const { n, median, p90 } = runs.sort((a, b) => a.p90 - b.p90)[0];
    t.diagnostic(`${n} frames: median ${median.toFixed(2)} ms, 90 % below ${p90.toFixed(2)} ms`);
    assert.equal(n, 300);
    assert.ok(p90 < 10, `median ${median} ms, 90 % below ${p90} ms`);
});

test('2,000 frames leave the memory where it was', async (t) => {
    // few chunks are kept, so that many are dropped
    await page.evaluate(() => {
        const [{ trajectory }] = window.elver.source.runs;
        trajectory.limit = 6;
        trajectory.forget();
    });
    const heap = async () => {
        await page.evaluate(async () => {
            for (let i = 0; i < 3; i++) {
                window.gc();
                await new Promise((resolve) => setTimeout(resolve, 100));
            }
        });
        const session = await page.context().newCDPSession(page);
        const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
        await session.detach();
        return (usedSize + backingStorageSize) / 1e6;
    };
    await play(400);
    const first = await heap();
    assert.equal((await play(2000)).n, 2000);
    const last = await heap();
    t.diagnostic(`${first.toFixed(1)} MB before, ${last.toFixed(1)} MB after`);
    assert.ok(last < first + 6, `${first} MB before, ${last} MB after`);
});
