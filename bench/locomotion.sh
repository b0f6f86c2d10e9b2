#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CPU time of every locomotion example, run as its file asks for it by `elver run`, reading and records included: the
# least of three runs each, and their sum.
#     bench/locomotion.sh [ELVER]      default: build/release/elver
set -euo pipefail
elver=${1:-build/release/elver}
root=$(cd "$(dirname "$0")/.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
models="satellite snakeboard snake-wheeled mobile-manipulator unicycle car two-axle three-axle earthworm inchworm
    snake-2d snake-2d-turn snake-2d-reissner snake-3d-turn snake-3d-spiral falling-cat scallop three-link-swimmer
    ellipse-swimmer imposed-wave rod-locomotor"
TIMEFORMAT='%U %S'
for model in $models; do
    least=
    for _ in 1 2 3; do
        spent=$({ time "$elver" run "$root/models/$model.yaml" -q -o "$out/run.csv" >/dev/null; } 2>&1)
        least=$(echo "$spent $least" | awk '{s = $1 + $2; print ($3 == "" || s < $3) ? s : $3}')
    done
    printf '%-20s %7.3f\n' "$model" "$least"
done | awk '{print; sum += $2} END {printf "%-20s %7.3f\n", "sum", sum}'
