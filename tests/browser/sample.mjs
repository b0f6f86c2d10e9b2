// SPDX-License-Identifier: Apache-2.0
// node tests/browser/sample.mjs NAME FILE.html: a page with made-up data to look at and to develop with.
import { samples } from './robots.mjs';

const [name, path] = process.argv.slice(2);
if (!samples[name] || !path) {
    console.error(`sample.mjs NAME FILE.html; names: ${Object.keys(samples).join(' ')}`);
    process.exit(2);
}
samples[name](path);
