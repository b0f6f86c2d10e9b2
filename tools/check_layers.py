#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that includes follow the order of the layers.

    base -> law -> lie -> linalg -> joint -> rod -> multibody -> solve -> strong -> view -> io -> cli

A file in src/<layer> includes headers of its own folder and of folders to its left, written
"layer/stem.h", and public headers, written "elver/name.h". Public headers include public headers
alone, and so does the command line, beside its own.
"""

import argparse
import re
import sys
from pathlib import Path

ORDER = [{"base"}, {"law"}, {"lie"}, {"linalg"}, {"joint"}, {"rod"}, {"multibody"}, {"solve"}, {"strong"}, {"view"}, {"io"}]
LEVEL = {layer: level for level, layers in enumerate(ORDER) for layer in layers}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(elver/[^>]+)>)')


def includes(path):
    """Line number and target of each include of a project header."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) or match.group(2)


def complaint_public(root, target):
    """Why a target is not a public header, or None. The version header is made by the build."""
    if not target.startswith("elver/"):
        return "only public headers \"elver/...\" may be included here"
    if target != "elver/version.h" and not (root / "include" / target).is_file():
        return "no such public header"
    return None


def complaint_cli(root, target):
    if "/" not in target and (root / "cli" / target).is_file():
        return None
    return complaint_public(root, target)


def complaint_layer(root, layer, target):
    if target.startswith("elver/"):
        return complaint_public(root, target)
    parts = target.split("/")
    if len(parts) != 2 or parts[0] not in LEVEL:
        return "write \"layer/stem.h\" or \"elver/name.h\""
    if not target.endswith(".h") or not (root / "src" / target).is_file():
        return "no such header in src/"
    if parts[0] != layer and LEVEL[parts[0]] >= LEVEL[layer]:
        return f"{parts[0]} is not to the left of {layer}"
    return None


def check(root):
    """All complaints, as file:line: text."""
    problems = []

    def visit(folder, complaint):
        for path in sorted((root / folder).glob("*.[ch]")):
            for number, target in includes(path):
                text = complaint(target)
                if text:
                    problems.append(f"{path.relative_to(root)}:{number}: \"{target}\": {text}")

    visit("include/elver", lambda target: complaint_public(root, target))
    visit("cli", lambda target: complaint_cli(root, target))
    for folder in sorted(path for path in (root / "src").iterdir() if path.is_dir()):
        if folder.name in LEVEL:
            visit(folder.relative_to(root), lambda target: complaint_layer(root, folder.name, target))
        else:
            problems.append(f"src/{folder.name}: not a layer; add it to ORDER in tools/check_layers.py")
    for path in sorted((root / "src").glob("*.[ch]")):
        problems.append(f"{path.relative_to(root)}: a source belongs in a layer's folder")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    problems = check(parser.parse_args().root)
    print("\n".join(problems) if problems else "layers: in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
