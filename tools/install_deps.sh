#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Install the packages named in the given lists that are not there yet, without questions.
#   tools/install_deps.sh [--check] LIST...
# --check only tells what is missing. With nothing missing it does nothing and needs no network.
set -euo pipefail

check_only=0
if [ "${1:-}" = --check ]; then
    check_only=1
    shift
fi

if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: install the counterparts of the packages in $*" >&2
    exit 0
fi

# what is installed: the packages, and what they stand for (a Node.js from elsewhere brings npm and conflicts with Debian's)
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}, ${Provides}\n' |
    sed -n -e 's/ *([^)]*)//g' -e 's/^installed //p' | tr -s ', ' '\n')

# what the lists name, less comments and what is there
missing=()
while read -r package; do
    if ! grep -qxF -- "$package" <<<"$installed"; then
        missing+=("$package")
    fi
done < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$@")

if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi
if [ $check_only -eq 1 ]; then
    echo "missing packages: ${missing[*]} ('make deps' installs them)" >&2
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "missing packages: ${missing[*]}; install them as root, for there is no sudo here" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "installing ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
