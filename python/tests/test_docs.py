# SPDX-License-Identifier: Apache-2.0
"""Every block of Python in the documentation runs, page by page, from top to bottom, with the files and commands around it; so do
the examples of docstrings."""

import doctest
import importlib.util
import os
import pkgutil
from pathlib import Path

import pytest

import elver

ROOT = Path(os.environ.get("ELVER_SOURCE_DIR", Path(__file__).parents[2]))
spec = importlib.util.spec_from_file_location("check_docs", ROOT / "tools" / "check_docs.py")
check_docs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_docs)


def languages(page):
    return {language for _, language, _ in check_docs.blocks(page.read_text(encoding="utf-8"))}


PAGES = [page for page in check_docs.pages(ROOT) if "python" in languages(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_blocks_run(page, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    program = Path(os.environ.get("ELVER_BIN", ""))
    if not program.is_file() and languages(page) & {"yaml", "sh"}:
        pytest.skip("the program elver is not built (ELVER_BIN)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ELVER_MODELS", str(ROOT / "models"))
    names = {}

    def python(line, body):
        exec(compile("\n" * (line - 1) + body, str(page), "exec"), names)  # noqa: S102
        return []

    checker = check_docs.Checker(ROOT, program.parent)
    assert checker.page(page, tmp_path, python, skip=("c",)) == []


def test_examples_of_docstrings():
    """Those of the reference page do what they show."""
    finder, runner = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    modules = [elver, *(importlib.import_module(f"elver.{entry.name}") for entry in pkgutil.iter_modules(elver.__path__) if entry.name != "__main__")]
    for module in modules:
        for example in finder.find(module):
            runner.run(example)
    assert runner.tries >= 7 and runner.failures == 0


@pytest.mark.parametrize(
    ("fragment", "is_good"),
    [
        ("joint: {revolute: {axis: y}}\njoint: {revolute: {axis: z}}\n", True),
        ("joint: {revolute: {axis: y}}\njoint: {revolute: {axis: q}}\n", False),
        ("- {muscle: dorsal, rod: body, y: 0.01, force: 2, activation: 1}\n", True),
        ("- {muscle: dorsal, rod: body, y: 0.01, force: '2*', activation: 1}\n", False),
        ("section: {rectangle: {y: 0.02}}\n", False),
        ("statics: {loads: [1, 2], method: shooting}\n", True),
        ("statics: {loads: [1, 2], method: axis}\n", False),
    ],
)
def test_fragments_of_yaml_are_compiled(fragment, is_good, tmp_path):
    program = Path(os.environ.get("ELVER_BIN", ""))
    if not program.is_file():
        pytest.skip("the program elver is not built (ELVER_BIN)")
    found = check_docs.Checker(ROOT, program.parent).check_yaml(fragment, None, tmp_path)
    assert (found == []) == is_good, found
