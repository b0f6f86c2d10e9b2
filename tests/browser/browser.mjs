// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium without a window, and pages in it that are watched for errors and requests.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require('playwright-core');

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const executablePath = PLACES.find((path) => path && existsSync(path));

/** A browser; GPU work is done by the processor. */
export function launch(more = []) {
    if (!executablePath) {
        throw new Error('no Chromium found: install the package chromium, or name one in $CHROMIUM');
    }
    return chromium.launch({
        executablePath,
        args: [
            '--headless=new', '--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
            '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
            '--disable-extensions', '--js-flags=--expose-gc', '--enable-precise-memory-info', ...more,
        ],
    });
}

/** A page whose complaints and requests are kept: page.complaints, page.asked. */
export async function openPage(browser, { width = 1280, height = 800, ...more } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, acceptDownloads: true, ...more });
    const page = await context.newPage();
    page.complaints = [];
    page.asked = [];
    page.on('console', (message) => {
        // drawing without a GPU is slow, and Chromium says so
        const isDriver = message.text().includes('GL Driver Message');
        if ((message.type() === 'error' || message.type() === 'warning') && !isDriver) {
            page.complaints.push(message.text());
        }
    });
    page.on('pageerror', (error) => page.complaints.push(String(error)));
    page.on('request', (request) => page.asked.push(request.url()));
    return page;
}

/** Open a page from disk and wait for its first pictures. */
export async function openFile(page, path, hash = '') {
    await page.goto(`file://${path}${hash}`);
    await page.waitForFunction(() => window.elver?.stats.frames > 0 || document.querySelector('#loading.failed'));
}

/** Colours (r, g, b) of the page at named places, after it has drawn once more. */
export async function pixelsOf(page, places) {
    await page.evaluate(async () => {
        const n = window.elver.stats.frames;
        window.elver.viewer.isStale = true;
        while (window.elver.stats.frames < n + 2) {
            window.elver.viewer.isStale = true;
            await new Promise(requestAnimationFrame);
        }
    });
    const image = (await page.screenshot()).toString('base64');
    return page.evaluate(
        async ([data, wanted]) => {
            const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes]));
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const context = canvas.getContext('2d', { willReadFrequently: true });
            context.drawImage(bitmap, 0, 0);
            const at = ([x, y]) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)];
            return Object.fromEntries(Object.entries(wanted).map(([name, place]) => [name, at(place)]));
        },
        [image, places],
    );
}
