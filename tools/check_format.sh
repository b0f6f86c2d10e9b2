#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Check that every C file has the form that .clang-format gives; with --fix, give it that form.
# clang-format's opinion differs between versions: 14 is the one that counts.
set -euo pipefail
cd "$(dirname "$0")/.."

tool=$(command -v clang-format-14 || command -v clang-format || true)
if [ -z "$tool" ]; then
    echo "clang-format is missing: run 'make deps-check'" >&2
    exit 1
fi

mode=(--dry-run -Werror)
if [ "${1:-}" = --fix ]; then
    mode=(-i)
fi
find include src cli tests bench examples -name '*.[ch]' -print0 2>/dev/null |
    xargs -0 --no-run-if-empty "$tool" --style=file "${mode[@]}"
