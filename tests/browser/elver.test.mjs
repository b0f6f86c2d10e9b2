// SPDX-License-Identifier: Apache-2.0
// The page with the program itself (build/elver, or $ELVER): a run of 10 s as a file, and a running simulation.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { launch, openFile, openPage } from './browser.mjs';

const ELVER = process.env.ELVER ?? new URL('../../build/elver', import.meta.url).pathname;
const skip = existsSync(ELVER) ? false : `${ELVER} is not built`;

let browser;
let folder;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'elver-program-'));
    browser = await launch();
});

after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
});

test('a run of 10 s is a page of less than 5 MB that opens without a complaint', { skip }, async (t) => {
    const path = join(folder, 'swimmer.html');
    const made = spawnSync(ELVER, ['view', '@swimmer-tendon', '--quiet', '-o', path], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    const { size } = statSync(path);
    t.diagnostic(`${(size / 1e6).toFixed(2)} MB`);
    assert.ok(size < 5e6);
    const page = await openPage(browser, { width: 640, height: 400 });
    await openFile(page, path, '#play=0');
    await page.waitForFunction(() => window.elver?.source.isScanned);
    const span = await page.evaluate(() => window.elver.source.span);
    assert.deepEqual(span, [0, 10]);
    // the ranges found by the page hold for every record: quaternions have length one
    const worst = await page.evaluate(() => {
        const { source, viewer } = window.elver;
        let most = 0;
        for (let now = 0; now <= 10; now += 0.37) {
            source.player.seek(now);
            const { trajectory, record } = source.runs[0];
            if (trajectory.sample(now, record)) {
                for (const at of trajectory.quaternions) {
                    most = Math.max(most, Math.abs(Math.hypot(...record.subarray(at, at + 4)) - 1));
                }
            }
        }
        viewer.isStale = true;
        return most;
    });
    assert.ok(worst < 1e-6);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
});

// address that the program prints
function serve(...args) {
    const child = spawn(ELVER, ['view', ...args, '--no-open'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const address = new Promise((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
            createInterface({ input: stream }).on('line', (line) => {
                const found = line.match(/http:\/\/127\.0\.0\.1:\d+\//);
                if (found) {
                    resolve(found[0]);
                }
            });
        }
        child.on('exit', (code) => reject(new Error(`elver ended with ${code}`)));
    });
    return { child, address };
}

test('live: a tendon is pulled by its slider, and the tip follows', { skip }, async () => {
    const { child, address } = serve('@cable-parallel', '--set', 'rod.length=0.6');
    try {
        const page = await openPage(browser, { width: 900, height: 600 });
        await page.goto(await address);
        await page.waitForFunction(() => window.elver?.stats.moved > 2);
        const tip = 'window.elver.viewer.runs[0].scene.rods[0].pose + 7 * 16 + 2';
        const start = await page.evaluate(`window.elver.viewer.runs[0].record[${tip}]`);
        const slider = page.locator('.control input[type=range]').first();
        await slider.evaluate((input) => {
            input.value = input.max;
            input.dispatchEvent(new Event('input'));
        });
        await page.waitForFunction(`Math.abs(window.elver.viewer.runs[0].record[${tip}] - ${start}) > 0.05`);
        // the rod, which is not 1 m long, is pulled where it is grabbed; it swings, so that it is grabbed while time stands
        await page.getByRole('button', { name: /^Pause/ }).click();
        await page.waitForTimeout(500);
        const place = await page.evaluate(() => {
            const { stage, runs } = window.elver.viewer;
            const { pose, stations, length } = runs[0].scene.rods[0];
            const point = stage.center.clone().fromArray(runs[0].record, pose + 7 * 12);
            const { x, y } = stage.project(point, point.clone());
            window.sent = [];
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function keep(text) {
                window.sent.push(JSON.parse(text));
                send.call(this, text);
            };
            return { x, y, station: stations[12], length };
        });
        assert.deepEqual([place.station, place.length], [0.75, 0.6]);
        await page.keyboard.down('Shift');
        await page.mouse.move(place.x, place.y);
        await page.mouse.down();
        await page.mouse.move(place.x + 40, place.y);
        await page.waitForFunction(() => window.sent.some(({ type, force }) => type === 'force' && Math.hypot(...force) > 0));
        const pull = await page.evaluate(() => window.sent.find(({ type }) => type === 'force'));
        await page.mouse.up();
        await page.keyboard.up('Shift');
        await page.waitForFunction(() => window.sent.some(({ type, force }) => type === 'force' && Math.hypot(...force) === 0));
        await page.waitForTimeout(300);
        assert.ok(pull.station > 0.4 && pull.station <= 1, `station ${pull.station}`);
        assert.equal(await page.locator('.note.error').count(), 0);
        assert.deepEqual(page.complaints, []);
        await page.context().close();
    } finally {
        child.kill('SIGINT');
    }
});
