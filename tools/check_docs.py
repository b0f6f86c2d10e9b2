#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that README.md and the pages of docs/ tell the truth: models run, commands work, programs compile.

    tools/check_docs.py BUILD_DIR [--cc CC] [--links-only] [PAGE]...

Each page has a temporary folder, in which its fenced blocks are worked off in order. What they are is told by their language:

  yaml    with a first comment that names a file ("# arm.yaml: ..."): written there, and `elver check` must like it;
          with a key `elver`, without a name: a model all the same; else a fragment, whose keys docs/model-format.md knows: it is put
          into a small model with the elements that it names, which `elver check` must like; of a key that stands there twice, each
  c       with such a comment: a program, compiled against the build and run; else a fragment of a function, compiled alone
  sh      lines of `elver` and `build/elver` are run in the folder; `make` must name a target; `cc`, `pip`, `sudo`, `python3 -m venv`
          and scripts of examples/ are not run here (the scripts must be there)
  python  run by python/tests/test_docs.py, together with the rest of its page
  text    not code: formulas, output, synopses; so are indented blocks

Of indented lines that begin with `elver`, command, options and @examples must exist. Other languages are refused. Relative links must lead
to a file.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```([^\s`]*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^(?:#|//) ([\w.-]+\.\w+)\b")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
INDENTED = re.compile(r"^    elver (.*)$", re.MULTILINE)
WARNINGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
NOT_RUN = ("cc ", "pip ", "sudo ", "python3 -m venv ")
FRAGMENT = """#include <elver/elver.h>
#include <stdio.h>
#include <stdlib.h>
int fragment(const ElvModel* model, ElvState* state, ElvData* data, ElvStatus status);
int fragment(const ElvModel* model, ElvState* state, ElvData* data, ElvStatus status) {
(void)model; (void)state; (void)data; (void)status;
%s
return status == ELV_OK; }
"""


# what a fragment is part of, by its keys, and what a small model around it has
ROD_KEYS = {"section", "elements", "motion", "follow"}
BODY_KEYS = {"joint", "shape"}
LIST_OF = {"slider": "loops", **dict.fromkeys(("velocity", "rolling", "wheel", "coupling", "contact"), "constraints")}
ROD = {"length": 0.5, "section": {"circle": {"diameter": 0.04}}, "material": {"density": 1000, "young": 1e6}, "strain": {"bend_y": 2, "bend_z": 2}}
BODY = {"mass": 1, "inertia": [1, 1, 1]}


def entries(body):
    """A fragment, or its parts where a key stands there twice, as alternatives."""
    lines = [line for line in body.splitlines() if line.strip()]
    starts = [i for i, line in enumerate(lines) if re.match(r"\w", line)]
    keys = [lines[i].partition(":")[0] for i in starts]
    if len(set(keys)) == len(keys):
        return [body]
    return ["\n".join(lines[i:j]) for i, j in zip(starts, [*starts[1:], len(lines)])]


def named(value, key=""):
    """Names of elements that a fragment speaks of, and whether each must be a rod."""
    if isinstance(value, dict):
        return [pair for inner, item in value.items() for pair in named(item, inner)]
    if isinstance(value, list):
        return [pair for item in value for pair in named(item, key)]
    if not isinstance(value, str) or key not in ("at", "rod", "between", "point", "strain_control", "joint") or value == "world":
        return []
    name, _, part = value.partition(".")
    # joints of loops have types
    if key == "joint" and name in ("fixed", "revolute", "spherical"):
        return []
    return [(name, key in ("rod", "strain_control") or bool(part))]


def complete(value):
    """A small model around a fragment: rods and bodies that it names, and a place for what is part of an element."""
    model = {"elver": 1, "parameters": {"A": 1, "V": 0.1}}
    if isinstance(value, list):
        groups = {LIST_OF.get(next(iter(item)), "actuators") for item in value}
        value = {groups.pop(): value}
    own = {key: value[key] for key in value if key in ROD_KEYS | BODY_KEYS}
    if "path" in value:
        value = {"actuators": [{"tendon": "cable", "path": value["path"], "tension": 1}]}
    names = dict(named({key: value[key] for key in value if key not in own}))
    names.update({name: True for name, is_rod in named(value) if is_rod})
    is_rod = bool(ROD_KEYS & set(own)) or "inverse" in value or "simulate" in value
    if own or not names:
        names["element"] = is_rod
    turning = {part["joint"] for item in value.get("constraints", []) for part in item.get("joints", [])}
    tree = []
    for name, rod in names.items():
        joint = {"revolute": {"axis": "y"}} if name in turning else "free"
        item = {"rod": name, **ROD} if rod else {"body": name, "joint": joint, **BODY}
        if name == "element":
            item.update(own)
        if name == "element" and {"elements", "motion", "follow"} & set(own):
            del item["strain"]
        is_held = any("contact" in other for other in value.get("constraints", []))
        if rod and ("follow" in own or is_held):
            item["joint"] = "free"
        if rod and is_held:
            item.update(strain={}, motion={"bend_z": "sin(6*s)"})
        tree.append(item)
    # what some keys need beside them
    if "inverse" in value:
        model["actuators"] = [{"tendon": "cable", "path": {"rod": "element", "y": 0.01}, "tension": 1}]
    if any("contact" in item for item in value.get("constraints", [])):
        model["simulate"] = {"method": "explicit"}
    held = [item["rod"] for item in value.get("constraints", []) if "preload" in item]
    others = [{"contact": f"ring{i}", "rod": rod, "type": "ring", "station": station} for rod in held for i, station in enumerate((0, 0.15, 0.6, 0.9))]
    if others:
        value = {**value, "constraints": [*value["constraints"], *others]}
    return {**model, "tree": tree, **{key: value[key] for key in value if key not in own}}


def run(command, folder, env=None):
    """Whether a command works, and its output or its complaint."""
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    return done.returncode == 0, done.stdout if done.returncode == 0 else done.stderr + done.stdout


def pages(root):
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def blocks(text):
    """(line, language, body) of the fenced blocks; directives of the site ({toctree}) are not among them."""
    found = ((text.count("\n", 0, match.start(2)) + 1, *match.groups()) for match in BLOCK.finditer(text))
    return [block for block in found if not block[1].startswith("{")]


def check_links(root):
    problems = []
    for page in pages(root):
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                problems.append(f"{page.relative_to(root)}: no such file: {target}")
    return problems


def keys_of(value):
    """All keys in nested maps and lists."""
    if isinstance(value, dict):
        return [str(key) for key in value] + [key for item in value.values() for key in keys_of(item)]
    return [key for item in value for key in keys_of(item)] if isinstance(value, list) else []


class Checker:
    """What a page is checked against: a tree, a build, a compiler."""

    def __init__(self, root, build, cc="cc"):
        self.root, self.build, self.cc = root, build, cc
        self.elver = build / "elver"
        self.makefile = (root / "Makefile").read_text(encoding="utf-8")
        format_page = (root / "docs" / "model-format.md").read_text(encoding="utf-8")
        quoted = [*re.findall(r"`[^`\n]+`", format_page), *re.findall(r"`[^`\n]+`", (root / "docs" / "cli.md").read_text(encoding="utf-8"))]
        self.words = set(re.findall(r"\w+", " ".join(quoted)))
        self.help = {}

    def page(self, path, folder, python=None, skip=()):
        """Work off the blocks of a page, but for languages to skip; complaints, each with its line."""
        text = path.read_text(encoding="utf-8")
        problems = []
        for line, language, body in blocks(text):
            name = NAME.match(body)
            if language in skip:
                continue
            if language == "yaml":
                found = self.check_yaml(body, name and name.group(1), folder)
            elif language == "c":
                found = self.check_c(body, name and name.group(1), folder)
            elif language == "sh":
                found = self.check_sh(body, folder)
            elif language == "python":
                found = python(line, body) if python else []
            else:
                found = [] if language == "text" else [f"what is a block of '{language}'? Plain text is ```text"]
            problems += [f"{path.relative_to(self.root)}:{line}: {problem}" for problem in found]
        for line in INDENTED.findall(text):
            problems += [f"{path.relative_to(self.root)}: {problem}" for problem in self.check_usage(line)]
        return problems

    def check_yaml(self, body, name, folder):
        try:
            value = yaml.safe_load(body)
        except yaml.YAMLError as error:
            return [f"not YAML: {error}"]
        if name or (isinstance(value, dict) and "elver" in value):
            file = folder / (name or "unnamed.yaml")
            file.write_text(body, encoding="utf-8")
            good, output = run([self.elver, "check", file.name], folder)
            return [] if good else [output.strip()]
        unknown = sorted(set(keys_of(value)) - self.words)
        problems = [f"no such key in docs/model-format.md: {', '.join(unknown)}"] if unknown else []
        for part in entries(body):
            value = yaml.safe_load(part)
            found = self.check_fragment(value, folder)
            # items of a list may be of one model, or of several
            if found and isinstance(value, list):
                found = [problem for item in value for problem in self.check_fragment([item], folder)]
            problems += found
        return problems

    def check_fragment(self, value, folder):
        (folder / "fragment.yaml").write_text(json.dumps(complete(value)), encoding="utf-8")
        good, output = run([self.elver, "check", "fragment.yaml"], folder)
        return [] if good else [f"in a small model: {output.strip()}"]

    def check_c(self, body, name, folder):
        command = [self.cc, *WARNINGS, f"-I{self.root / 'include'}", f"-I{self.build / 'include'}"]
        if not name:
            (folder / "fragment.c").write_text(FRAGMENT % body, encoding="utf-8")
            good, output = run([*command, "-Wno-unused", "-fsyntax-only", "fragment.c"], folder)
            return [] if good else [output.strip()]
        (folder / name).write_text(body, encoding="utf-8")
        good, output = run([*command, name, "-o", "program", f"-L{self.build}", "-lelver", "-lm"], folder)
        if good:
            good, output = run(["./program"], folder, dict(os.environ, LD_LIBRARY_PATH=str(self.build)))
        # a program tells how it ended
        return [] if good and ": ok" in output else [f"{name}: {output.strip()}"]

    def check_sh(self, body, folder):
        problems = []
        for line in body.splitlines():
            words = shlex.split(line, comments=True)
            if not words or line.startswith(NOT_RUN):
                continue
            if words[0] == "make":
                targets = [word for word in words[1:] if "=" not in word]
                problems += [f"no such target: {line}" for word in targets if not re.search(rf"^{word}:", self.makefile, re.MULTILINE)]
            elif words[0] in ("elver", "build/elver"):
                good, output = run([self.elver, *words[1:]], folder)
                problems += [] if good else [f"{line}\n{output}"]
            elif words[0] == "python3" and words[1].startswith("examples/"):
                problems += [] if (self.root / words[1]).is_file() else [f"no such file: {line}"]
            else:
                problems.append(f"nobody runs this line: {line}")
        return problems

    def check_usage(self, line):
        """Command, options and examples of a line that is not run."""
        words = line.split("   ")[0].split()
        command = words[0].strip(",")
        if command in ("help", "--version") or command.startswith("-"):
            return []
        if command not in self.help:
            self.help[command] = run([self.elver, "help", command], self.root)
        good, output = self.help[command]
        if not good:
            return [f"no such command: elver {line}"]
        problems = []
        for word in words[1:]:
            option = re.match(r"\[?(--[a-z-]+)", word)
            if option and option.group(1) not in output:
                problems.append(f"`elver help {command}` knows no {option.group(1)}: elver {line}")
            if word.startswith("@") and not (self.root / "models" / f"{word[1:]}.yaml").is_file():
                problems.append(f"no such example: elver {line}")
        return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="folder of a build")
    parser.add_argument("page", type=Path, nargs="*", help="only these pages")
    parser.add_argument("--cc", default="cc", help="C compiler")
    parser.add_argument("--links-only", action="store_true", help="look at the links alone")
    args = parser.parse_args()
    problems, n_page = check_links(ROOT), 0
    if not args.links_only:
        checker = Checker(ROOT, args.build.resolve(), args.cc)
        for page in [path.resolve() for path in args.page] or pages(ROOT):
            n_page += 1
            with tempfile.TemporaryDirectory() as folder:
                problems += checker.page(page, Path(folder))
    print("\n".join(problems) if problems else f"{n_page} pages: do what they say")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
