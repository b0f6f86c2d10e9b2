#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install a build into a temporary prefix, then use it as a stranger would: build every program of
# examples/c out of the tree, through pkg-config (shared and static) and through find_package(elver),
# and run it. Exits 77 (skipped) while there is no example.
#   tools/test_install.sh BUILD_DIR [CC]
set -euo pipefail
build=$1
cc=${2:-cc}
root=$(cd "$(dirname "$0")/.." && pwd)

examples=$(find "$root/examples/c" -maxdepth 1 -name '*.c' 2>/dev/null | sort || true)
if [ -z "$examples" ]; then
    echo "examples/c has no program yet"
    exit 77
fi

# the installed tree is moved before use, to show that nothing remembers where it was put
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
prefix=$work/prefix
cp -r "$root/examples/c" "$work/examples"
mkdir "$work/run"
cd "$work/run"

# files that must be there, wherever the platform keeps its libraries
for file in include/elver/version.h include/elver/status.h share/elver/models libelver.a libelver.so elver.pc; do
    if [ -z "$(find "$prefix" -path "*/$file")" ]; then
        echo "not installed: $file" >&2
        exit 1
    fi
done

# shared objects hand out our names alone
library=$(find "$prefix" -name libelver.so)
strange=$(nm -D --defined-only "$library" | awk '{print $NF}' | grep -v '^elv_' || true)
if [ -n "$strange" ]; then
    echo "exported without the prefix elv_: $strange" >&2
    exit 1
fi

run() {
    echo "-- $1: $(basename "$2")"
    LD_LIBRARY_PATH=$(dirname "$library") "$2"
}

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name elver.pc)")
export PKG_CONFIG_PATH
read -r -a cflags <<<"$(pkg-config --cflags elver)"
read -r -a libs <<<"$(pkg-config --libs elver)"
read -r -a static_libs <<<"$(pkg-config --static --libs elver | sed 's/-lelver\b/-l:libelver.a/')"
for example in $examples; do
    name=$(basename "$example" .c)
    "$cc" -std=c17 "${cflags[@]}" "$example" -o "$name-shared" "${libs[@]}" -lm
    run "pkg-config, shared" "./$name-shared"
    "$cc" -std=c17 "${cflags[@]}" "$example" -o "$name-static" "${static_libs[@]}"
    run "pkg-config, static" "./$name-static"
done

cmake -G Ninja -S "$work/examples" -B "$work/cmake" -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/cmake"
for example in $examples; do
    run "find_package" "$work/cmake/$(basename "$example" .c)"
done

# the program, when it is built
if [ -x "$prefix/bin/elver" ]; then
    "$prefix/bin/elver" --version
fi
