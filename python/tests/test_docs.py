# SPDX-License-Identifier: Apache-2.0
"""Every block of Python in the documentation runs, page by page, from top to bottom, with the files and commands around it."""

import importlib.util
import os
from pathlib import Path

import pytest

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
