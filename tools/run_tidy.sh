#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy (.clang-tidy) over the library and the command line, with the compile commands of a
# build made by clang, assertions seen. The count of warnings in system headers is left out of the output.
#   tools/run_tidy.sh BUILD_DIR
set -euo pipefail
cd "$(dirname "$0")/.."
find src cli -name '*.c' -print0 |
    xargs -0 --no-run-if-empty -n 1 -P "${JOBS:-$(nproc)}" clang-tidy --quiet -p "$1" --extra-arg=-UNDEBUG \
        2> >(grep -vE '^[0-9]+ warnings? generated' >&2)
