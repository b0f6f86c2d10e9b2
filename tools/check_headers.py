#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that each public header compiles alone, and twice over, as C17 and as C++17."""

import argparse
import subprocess
import sys
from pathlib import Path

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def compiles(command, name):
    """Compile a file that includes the header twice; return the compiler's complaint, or ""."""
    text = f'#include "elver/{name}"\n#include "elver/{name}"\nextern int elver_not_empty;\n'
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    return "" if run.returncode == 0 else run.stderr or f"exit {run.returncode}"


def check(root, cc, cxx, generated):
    """All complaints, and the number of headers."""
    folders = [root / "include"] + ([generated] if generated else [])
    headers = [path for folder in folders for path in sorted((folder / "elver").glob("*.h"))]
    flags = WARNINGS + [f"-I{folder}" for folder in folders] + ["-fsyntax-only", "-"]
    problems = []
    for header in headers:
        for language, command in (
            ("C17", [cc, "-x", "c", "-std=c17", "-Wstrict-prototypes"]),
            ("C++17", [cxx, "-x", "c++", "-std=c++17"]),
        ):
            text = compiles(command + flags, header.name)
            if text:
                problems.append(f"{header.name} as {language}:\n{text}")
    return problems, len(headers)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cc", default="cc", help="C compiler")
    parser.add_argument("--cxx", default="c++", help="C++ compiler")
    parser.add_argument("--include", type=Path, help="folder of the generated public headers")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    args = parser.parse_args()
    problems, count = check(args.root, args.cc, args.cxx, args.include)
    print("\n".join(problems) if problems else f"headers: {count} stand alone")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
