// SPDX-License-Identifier: Apache-2.0
// node tests/browser/picture.mjs PAGE.html OUT.png ['#t=2&theme=dark'] [1280x800]: what a page shows, as a picture.
import { resolve } from 'node:path';
import { launch, openFile, openPage } from './browser.mjs';

const [path, out, hash = '', size = '1280x800'] = process.argv.slice(2);
if (!path || !out) {
    console.error("picture.mjs PAGE.html OUT.png ['#t=2&theme=dark'] [1280x800]");
    process.exit(2);
}
const [width, height] = size.split('x').map(Number);
const browser = await launch();
const page = await openPage(browser, { width, height, deviceScaleFactor: 2 });
await openFile(page, resolve(path), hash || '#play=0');
await page.waitForFunction(() => window.elver?.source.isScanned);
// one picture more with all that the scan has found
await page.evaluate(async () => {
    const n = window.elver.stats.frames;
    while (window.elver.stats.frames < n + 2) {
        window.elver.viewer.isStale = true;
        await new Promise(requestAnimationFrame);
    }
});
await page.screenshot({ path: out });
await browser.close();
