#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The viewer's page: its sources are clean, web/dist/viewer.html is what they build, and it works in a browser.
#   tools/check_browser.sh [--build]
# --build only builds the page. Needs Node.js 20.19 or later (18 or later without building) and, to look at the page, Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."

missing() {
    echo "check_browser: $1" >&2
    exit 1
}

for program in node npm; do
    command -v $program >/dev/null || missing "$program is not there: install the packages nodejs and npm"
done
version=$(node -p 'process.versions.node.split(".").slice(0, 2).map(Number).reduce((a, b) => 1000 * a + b)')
[ "$version" -ge 18000 ] || missing "Node.js $(node --version) is too old: 18 or later is needed"

# without a registry there is nothing to look with; that is no fault of the page
if ! (cd web && npm ci --no-audit --no-fund --loglevel=error); then
    message="npm could not install what web/package-lock.json names: it needs the npm registry or a mirror of it"
    [ "${1:-}" != --build ] || missing "$message"
    echo "check_browser: SKIPPED: $message" >&2
    exit 0
fi

# the build is the same on every machine: exact versions, no dates
if [ "$version" -ge 20019 ]; then
    if [ "${1:-}" = --build ]; then
        exec npm --prefix web run --silent build
    fi
    npm --prefix web run --silent lint
    web/node_modules/.bin/eslint --config web/eslint.config.js tests/browser
    built=$(mktemp -d)
    trap 'rm -rf "$built"' EXIT
    (cd web && npx vite build --outDir "$built" --emptyOutDir --logLevel error)
    cmp "$built/viewer.html" web/dist/viewer.html ||
        missing "web/dist/viewer.html is not what web/src builds: run 'make web' and commit it"
else
    [ "${1:-}" != --build ] || missing "Node.js $(node --version) cannot build the page: 20.19 or later can"
    echo "check_browser: Node.js $(node --version) cannot build the page (20.19 or later can): web/dist is taken as it is" >&2
fi

npm --prefix web run --silent test

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null; then
    missing "no Chromium: install the package chromium, or name one in \$CHROMIUM"
fi
# one file after the other: they measure times
for file in tests/browser/*.test.mjs; do
    node --test "$file"
done
