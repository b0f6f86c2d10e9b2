#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that README.md tells the truth: its model runs, its commands work, its program compiles.

    tools/check_readme.py BUILD_DIR [--cc CC] [--links-only]

Blocks of ```yaml and ```c are written to the file that their first comment names ("# arm.yaml: …").
Of the ```sh blocks, lines of `make` must name a target of the Makefile, and lines of `build/elver`
are run in a temporary folder. The program is compiled against the headers and the library of the build,
and must say that it reached the end. Relative links of README.md and docs/ must lead to a file.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^(?:#|//) ([\w.-]+\.\w+)\b")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
WARNINGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def run(command, folder, env=None):
    """Output of a command, or its complaint with False."""
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    return done.returncode == 0, done.stdout if done.returncode == 0 else done.stderr + done.stdout


def check_links(root):
    problems = []
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                problems.append(f"{page.relative_to(root)}: no such file: {target}")
    return problems


def write_blocks(text, folder):
    """Write the named blocks of a page; (complaints, file names)."""
    problems, names = [], []
    for language, body in BLOCK.findall(text):
        name = NAME.match(body)
        if language in ("yaml", "c") and not name:
            problems.append(f"a block of {language} does not begin with a comment that names its file")
        elif language in ("yaml", "c"):
            (folder / name.group(1)).write_text(body, encoding="utf-8")
            names.append(name.group(1))
    return problems, names


def check_make(line, root):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    wanted = [word for word in shlex.split(line, comments=True)[1:] if "=" not in word]
    return [f"no such target: {line}" for word in wanted if not re.search(rf"^{word}:", makefile, re.MULTILINE)]


def check_commands(text, folder, build, root):
    """Run the lines of `build/elver` and look up those of `make`."""
    problems, n_run = [], 0
    lines = [line for language, body in BLOCK.findall(text) if language == "sh" for line in body.splitlines()]
    for line in lines:
        if line.startswith("make "):
            problems += check_make(line, root)
        if line.startswith("build/elver "):
            words = shlex.split(line, comments=True)
            good, output = run([str(build / "elver"), *words[1:]], folder)
            n_run += 1
            problems += [] if good else [f"{line}\n{output}"]
    return problems if n_run else ["no line of build/elver was found"]


def check_program(name, folder, build, root, cc):
    """Compile one program and run it beside the model."""
    command = [cc, *WARNINGS, f"-I{root / 'include'}", f"-I{build / 'include'}", name]
    good, output = run(command + ["-o", "program", f"-L{build}", "-lelver"], folder)
    if not good:
        return [f"{name} does not compile:\n{output}"]
    good, output = run(["./program"], folder, dict(os.environ, LD_LIBRARY_PATH=str(build)))
    if not good:
        return [f"{name} fails:\n{output}"]
    # the model runs for 2 s
    return [] if "t = 2 s" in output and ": ok" in output else [f"{name} printed: {output.strip()}"]


def check(root, build, cc):
    text = (root / "README.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        problems, files = write_blocks(text, folder)
        programs = [file for file in files if file.endswith(".c")]
        if len(programs) == len(files) or not programs:
            problems.append("README.md shows no model, or no program")
        problems += check_commands(text, folder, build, root)
        for program in programs:
            problems += check_program(program, folder, build, root, cc)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="folder of a build")
    parser.add_argument("--cc", default="cc", help="C compiler")
    parser.add_argument("--links-only", action="store_true", help="look at the links alone")
    args = parser.parse_args()
    problems = check_links(ROOT)
    if not args.links_only:
        problems += check(ROOT, args.build.resolve(), args.cc)
    print("\n".join(problems) if problems else "README.md: does what it says")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
