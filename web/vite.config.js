// SPDX-License-Identifier: Apache-2.0
// Builds one file, dist/viewer.html, with all scripts and styles in it. In development the data of the page named in
// ELVER_PAGE, or of sample/sample.html, are shown; ELVER_LIVE=PORT shows the simulation that `elver view` serves there.
import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const PLACE = '<!--elver-data-->';

// text of a script element: nothing in it may look like its end, or like the place of the data
const guard = (code) => code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

// the page holds three.js, whose licence wants to be told
function notice() {
    const { version } = JSON.parse(readFileSync(new URL('node_modules/three/package.json', import.meta.url)));
    const licence = readFileSync(new URL('node_modules/three/LICENSE', import.meta.url), 'utf8').replaceAll('\u00a9', '(c)');
    return `<!-- Viewer of Elver, SPDX-License-Identifier: Apache-2.0. It contains three.js ${version}:\n\n${licence.trim()}\n-->`;
}

function oneFile() {
    return {
        name: 'one-file',
        enforce: 'post',
        apply: 'build',
        generateBundle(_, bundle) {
            let code = '';
            let style = '';
            let page = null;
            for (const [name, item] of Object.entries(bundle)) {
                if (item.type === 'chunk') {
                    code += item.code;
                    delete bundle[name];
                } else if (name.endsWith('.css')) {
                    style += item.source;
                    delete bundle[name];
                } else if (name.endsWith('.html')) {
                    page = item;
                }
            }
            const plain = String(page.source)
                .replace(/\s*<script type="module"[^>]*><\/script>/, '')
                .replace(/\s*<link rel="stylesheet"[^>]*>/, '');
            // functions, for `$` has a meaning in texts
            page.source = plain
                .replace('<head>', () => `<head>\n${notice()}`)
                .replace('</head>', () => `<style>${style.trim()}</style>\n</head>`)
                .replace(PLACE, () => `<script>${guard(code).trim()}</script>\n${PLACE}`);
        },
    };
}

function sampleData() {
    const file = process.env.ELVER_PAGE ?? new URL('sample/sample.html', import.meta.url).pathname;
    return {
        name: 'sample-data',
        apply: 'serve',
        transformIndexHtml(html) {
            if (process.env.ELVER_LIVE) {
                return html.replace(PLACE, '<script id="elver-live" type="application/json">{}</script>');
            }
            if (!existsSync(file)) {
                return html;
            }
            const data = readFileSync(file, 'utf8').match(/<script [^>]*id="elver-(scene|chunk)-[^]*?<\/script>/g);
            return html.replace(PLACE, () => (data ?? []).join('\n'));
        },
    };
}

export default defineConfig({
    plugins: [oneFile(), sampleData()],
    server: {
        host: '127.0.0.1',
        open: '/viewer.html',
        proxy: { '/live': { target: `http://127.0.0.1:${process.env.ELVER_LIVE ?? 8000}`, ws: true } },
    },
    worker: { format: 'iife' },
    build: {
        target: 'es2022',
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 1e8,
        chunkSizeWarningLimit: 2000,
        rollupOptions: { input: 'viewer.html', output: { format: 'iife' } },
    },
});
