#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run each libFuzzer target of tests/fuzz_*.c for some seconds. Inputs start from models/ and from
# tests/corpus/<stem>, both read only; what is found is kept in the build folder, and an input that
# breaks the program is left there as crash-*.
#   tools/run_fuzz.sh [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}

if ! compgen -G 'tests/fuzz_*.c' >/dev/null; then
    echo "there is no tests/fuzz_*.c"
    exit 0
fi

cmake --preset fuzz >/dev/null
for source in tests/fuzz_*.c; do
    name=$(basename "$source" .c)
    cmake --build --preset fuzz -j "${JOBS:-$(nproc)}" --target "$name"
    found=build/fuzz/corpus/$name
    mkdir -p "$found"
    seeds=()
    for folder in models "tests/corpus/${name#fuzz_}"; do
        if [ -d "$folder" ]; then
            seeds+=("$folder")
        fi
    done
    echo "== $name, $seconds s"
    "build/fuzz/fuzz/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -verbosity=0 -artifact_prefix="build/fuzz/$name-" "$found" "${seeds[@]}"
done
