#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that docs/paper_map.md and the equations cited in the code agree.

The map is made of Markdown tables whose rows begin with a tag:

    | [P20 (33)] | what it is | `elv_function`, `src/rod/file.c` | command |
    | [P23 (39)-(41)] | what it is | not yet | - |

A row is implemented when its third cell names something in backticks: an identifier of the code, a
file, or `file:identifier`; otherwise the cell says "not yet", or "-" where there is nothing to write.
Verified are: (a) every equation, figure, table and algorithm cited in src/, include/ and cli/ has an
implemented row; (b) every name in backticks exists; (c) every equation of the papers has a row. With
--uncited the implemented equations that no line of the code cites are listed too, which is no fault.
"""

import argparse
import re
import sys
from pathlib import Path

# last equation of each paper; the thesis numbers by chapter and appendix
PAPERS = {
    "P20": {"": 67},
    "P23": {"": 76},
    "OCP": {"": 113},
    "RKMK": {"": 9},
    "ALI": {"2.": 23, "3.": 87, "4.": 22, "5.": 42, "6.": 52, "7.": 3, "8.": 105, "A.": 9, "B.": 11},
}

# one citation: [P20 (33)], [P23 (20), (39)-(47)], [P20 (2), P23 (7)], [ALI (A.3)], [P20 fig 9], [P23 alg 1]
PAPER = "|".join(PAPERS)
NUMBER = r"\(((?:\d|[A-Z])\.)?(\d+)[a-z]?\)"
BRACKET = re.compile(rf"\[((?:{PAPER})\b[^\]]*)\]")
ITEM = re.compile(
    rf"(?P<paper>{PAPER})\b"
    rf"|{NUMBER}(?:\s*(?:-|–|to)\s*{NUMBER})?"
    r"|(?P<label>(?:fig|table|alg) [0-9.IVX]+)\b"
    r"|(?:[,;\s]|and\b)+"
)
# parts of a paper that the map does not list
ELSEWHERE = re.compile(r"\b(section|sec|appendix|app|remark|test|example|theorem)\b", re.IGNORECASE)

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
SOURCE_FOLDERS = ("src", "include", "cli")


def read(path):
    return path.read_text(encoding="utf-8")


def show(key):
    return f"[{key[0]} {key[1]}]"


def equations(paper, first, last):
    """Keys of a range of equations, each end a pair (chapter, n); raises ValueError."""
    chapter, n_first, n_last = first[0], int(first[1]), int(last[1])
    if first[0] != last[0] or n_last < n_first:
        raise ValueError("the range runs backwards or across chapters")
    if n_first < 1 or n_last > PAPERS[paper].get(chapter, 0):
        raise ValueError(f"{paper} has no such equation")
    return [(paper, f"({chapter}{n})") for n in range(n_first, n_last + 1)]


def parse_citation(inside):
    """Keys (paper, item) named inside one bracket; raises ValueError if it cannot be read."""
    if ELSEWHERE.search(inside) or inside in PAPERS:
        return []
    keys, paper, position = [], None, 0
    while position < len(inside):
        item = ITEM.match(inside, position)
        if not item:
            raise ValueError("cannot be read; write [P20 (33)], [P23 (39)-(41)] or [P20 fig 9]")
        position = item.end()
        first = (item.group(2) or "", item.group(3))
        last = (item.group(4) or "", item.group(5)) if item.group(5) else first
        if item.group("paper"):
            paper = item.group("paper")
        elif item.group("label"):
            keys.append((paper, item.group("label")))
        elif item.group(3):
            keys += equations(paper, first, last)
    return keys


def citations(text):
    """(line, bracket, keys, complaint) of each citation in a text."""
    for match in BRACKET.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        try:
            yield line, match.group(0), parse_citation(match.group(1)), None
        except ValueError as error:
            yield line, match.group(0), [], str(error)


class Tree:
    """The files and identifiers of the project that a map may name."""

    def __init__(self, root):
        self.root = root
        self.sources = {
            path: read(path)
            for folder in SOURCE_FOLDERS
            for path in sorted((root / folder).rglob("*.[ch]"))
        }
        self.names = {path: self.identifiers(text) for path, text in self.sources.items()}

    @staticmethod
    def identifiers(text):
        """Names in the code itself; a name that stands in comments alone does not exist."""
        return set(NAME.findall(COMMENT.sub(" ", text)))

    def find_file(self, name):
        """Paths that a file name in the map means: from the root, or any source of that name."""
        if (self.root / name).exists():
            return [self.root / name]
        return [path for path in self.sources if path.name == name]

    def complaint(self, name):
        """Why a name in backticks does not exist, or None."""
        file_name, _, identifier = name.rpartition(":")
        identifier = identifier.removesuffix("()")
        if not file_name and not NAME.fullmatch(identifier):
            return None if self.find_file(name) else "no such file"
        if not file_name:
            known = any(identifier in names for names in self.names.values())
            return None if known else "no such identifier in the code"
        files = self.find_file(file_name)
        if not files:
            return "no such file"
        known = any(identifier in self.names.get(path, ()) for path in files)
        return None if known else f"no such identifier in {file_name}"


def rows(text):
    """(line, keys, names in backticks, complaint) of each row of the map that begins with a tag."""
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or not BRACKET.match(cells[0]):
            continue
        where = cells[2] if len(cells) > 2 else ""
        names = re.findall(r"`([^`]+)`", where)
        not_yet = where == "-" or where.lower().startswith("not yet")
        keys, complaint = [], None
        for _, _, found, fault in citations(cells[0]):
            keys += found
            complaint = complaint or fault
        if not names and not not_yet:
            complaint = complaint or f"'{where}' is neither a name in backticks nor \"not yet\""
        yield number, keys, [] if not_yet else names, complaint


def check_map(text, tree):
    """Complaints about the map itself, and the keys that have a row and an implementation."""
    problems, mapped, implemented = [], set(), set()
    for line, keys, names, complaint in rows(text):
        mapped.update(keys)
        implemented.update(keys if names else ())
        complaints = [complaint] if complaint else []
        complaints += [f"`{name}`: {tree.complaint(name)}" for name in names if tree.complaint(name)]
        problems += [f"docs/paper_map.md:{line}: {text}" for text in complaints]
    return problems, mapped, implemented


def check_code(tree, implemented):
    """Complaints about the citations in the code, and the keys cited."""
    problems, cited = [], set()
    for path, text in tree.sources.items():
        for line, bracket, keys, complaint in citations(text):
            at = f"{path.relative_to(tree.root)}:{line}: {bracket}"
            cited.update(keys)
            missing = ", ".join(show(key) for key in keys if key not in implemented)
            if missing:
                complaint = f"docs/paper_map.md names no place for {missing}"
            if complaint:
                problems.append(f"{at}: {complaint}")
    return problems, cited


def check(root, papers=None):
    """All complaints about a tree, and the implemented equations that no line of the code cites."""
    map_path = root / "docs" / "paper_map.md"
    if not map_path.is_file():
        return ["docs/paper_map.md is missing"], []
    tree = Tree(root)
    problems, mapped, implemented = check_map(read(map_path), tree)
    more, cited = check_code(tree, implemented)
    problems += more
    for paper, chapters in (papers or PAPERS).items():
        for chapter, last in chapters.items():
            for key in equations(paper, (chapter, 1), (chapter, last)):
                if key not in mapped:
                    problems.append(f"docs/paper_map.md: no row for {show(key)}")
    return problems, sorted(implemented - cited)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--uncited", action="store_true", help="list what is implemented but never cited")
    args = parser.parse_args()
    problems, uncited = check(args.root)
    if args.uncited:
        print("\n".join(f"not cited in the code: {show(key)}" for key in uncited))
    print("\n".join(problems) if problems else "paper map: agrees with the code")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
