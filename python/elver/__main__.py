# SPDX-License-Identifier: Apache-2.0
"""``python -m elver``: which version this is, and where it lies; with a command, the program ``elver``, where there is one."""

import os
import shutil
import subprocess
import sys

import elver


def program() -> str | None:
    """Where the program lies: in ``ELVER_BIN``, or on the path."""
    return os.environ.get("ELVER_BIN") or shutil.which("elver")


def main(words: list[str]) -> int:
    """Hand a command to the program, with the examples of the package where none are named; returns its exit code."""
    folder = os.path.dirname(elver.__file__)
    found = program() if words else None
    if found:
        models = os.environ.get("ELVER_MODELS") or os.path.join(folder, "models")
        return subprocess.call([found, *words], env={**os.environ, "ELVER_MODELS": models})
    print(f"elver {elver.__version__}, {len(elver.shipped())} examples, in {folder}")
    if not words:
        return 0
    print(
        "the package has no command line of its own: `make` in the sources builds the program elver, which is found on the path or "
        "by the environment variable ELVER_BIN",
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
