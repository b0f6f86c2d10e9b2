#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configure, build and test the given presets, then end with one line that counts their tests:
#   N passed, M failed[, K skipped]
#   tools/run_tests.sh PRESET[:CMAKE_OPTION...]...       e.g. release:-DELVER_WERROR=ON debug
# A preset that does not build counts as one failure. Exits non-zero if anything failed.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc)}
passed=0
failed=0
skipped=0

for entry in "$@"; do
    preset=${entry%%:*}
    options=()
    if [ "$entry" != "$preset" ]; then
        IFS=: read -r -a options <<<"${entry#*:}"
    fi

    echo "== $preset"
    if ! cmake --preset "$preset" "${options[@]}" >/dev/null || ! cmake --build --preset "$preset" -j "$jobs"; then
        echo "$preset: the build failed" >&2
        failed=$((failed + 1))
        continue
    fi

    # one more than there are processors: some tests wait
    # ctest closes with "P% tests passed, F tests failed out of T"; tests that could not start count as failed
    log=build/$preset/ctest.log
    status=0
    ctest --preset "$preset" -j $((jobs + 1)) --no-tests=error 2>&1 | tee "$log" || status=$?
    summary=$(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\)$/\1 \2/p' "$log")
    if [ -z "$summary" ]; then
        echo "$preset: ctest ran no test" >&2
        failed=$((failed + 1))
        continue
    fi
    read -r n_failed n_total <<<"$summary"
    n_skipped=$(grep -c '^[[:space:]]*[0-9]* - .* (Skipped)$' "$log" || true)
    if [ "$status" -ne 0 ] && [ "$n_failed" -eq 0 ]; then
        n_failed=1
        n_total=$((n_total + 1))
    fi
    failed=$((failed + n_failed))
    skipped=$((skipped + n_skipped))
    passed=$((passed + n_total - n_failed - n_skipped))
done

line="$passed passed, $failed failed"
if [ $skipped -gt 0 ]; then
    line="$line, $skipped skipped"
fi
echo "$line"
[ $failed -eq 0 ]
