// SPDX-License-Identifier: Apache-2.0

const names = (list) => Object.fromEntries(list.map((name) => [name, 'readonly']));

const both = names(['console', 'setTimeout', 'URL', 'URLSearchParams', 'Blob', 'Response', 'DecompressionStream', 'atob', 'performance', 'Float32Array']);
const browser = names([
    'window', 'document', 'self', 'location', 'localStorage', 'requestAnimationFrame', 'getComputedStyle', 'Event', 'ResizeObserver',
    'MediaRecorder', 'WebSocket', 'ImageData', 'AbortController', 'createImageBitmap', 'OffscreenCanvas',
]);
const node = names(['process', 'Buffer']);

const rules = {
    'no-undef': 'error',
    'no-unused-vars': 'error',
    'prefer-const': 'error',
    'no-var': 'error',
    eqeqeq: 'error',
    curly: 'error',
    'no-shadow': 'error',
    'max-lines': ['error', 300],
    'max-lines-per-function': ['error', { max: 50, skipComments: true, skipBlankLines: true }],
    'max-depth': ['error', 4],
    'no-implicit-globals': 'error',
};

export default [
    { ignores: ['dist/', 'node_modules/', 'sample/'] },
    { files: ['src/**/*.js'], languageOptions: { ecmaVersion: 2025, globals: { ...both, ...browser } }, rules },
    { files: ['*.js', 'tests/**/*.js'], languageOptions: { ecmaVersion: 2025, globals: { ...both, ...node } }, rules },
    {
        files: ['**/*.mjs'],
        languageOptions: { ecmaVersion: 2025, globals: { ...both, ...node, ...browser } },
        rules,
    },
];
