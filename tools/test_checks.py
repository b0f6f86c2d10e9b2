#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the checks: each must pass a sound tree and complain about each kind of fault."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_docs
import check_headers
import check_layers
import check_paper_map


class TreeTest(unittest.TestCase):
    """A small project in a temporary folder."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.write("include/elver/lie.h", "#ifndef L\n#define L\n#include <math.h>\ndouble elv_exp(double x);\n#endif\n")
        self.write("src/lie/so3.h", "double elv_so3(double x);\n")
        self.write("src/lie/so3.c", '#include "lie/so3.h"\n#include "elver/lie.h"\n// [P20 (2)-(3)]\n')
        self.write("src/rod/rod.h", '#include "lie/so3.h"\n')
        self.write("src/joint/joint.h", "")
        self.write("cli/main.c", '#include "cmd.h"\n#include "elver/version.h"\n#include <stdio.h>\n')
        self.write("cli/cmd.h", "")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def complains(self, problems, *words):
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])


class LayersTest(TreeTest):
    def check(self):
        return check_layers.check(self.root)

    def test_sound(self):
        self.assertEqual(self.check(), [])

    def test_faults(self):
        for name, include, word in (
            ("src/lie/bad.c", '"rod/rod.h"', "not to the left"),
            ("src/joint/bad.c", '"rod/rod.h"', "not to the left"),
            ("src/lie/bad.c", '"so3.h"', "layer/stem.h"),
            ("src/lie/bad.c", '"../lie/so3.h"', "layer/stem.h"),
            ("src/rod/bad.c", '"lie/so3.c"', "no such header"),
            ("src/lie/bad.c", '"elver/none.h"', "no such public header"),
            ("cli/bad.c", '"lie/so3.h"', "only public headers"),
            ("cli/bad.c", "<elver/none.h>", "no such public header"),
            ("include/elver/bad.h", '"lie/so3.h"', "only public headers"),
        ):
            with self.subTest(name=name, include=include):
                self.write(name, f"\n#include {include}\n")
                self.complains(self.check(), f"{name}:2:", word)
                (self.root / name).unlink()

    def test_unknown_layer(self):
        self.write("src/util/x.c", "")
        self.complains(self.check(), "src/util", "not a layer")


class HeadersTest(TreeTest):
    def check(self):
        return check_headers.check(self.root, "cc", "c++", None)[0]

    def test_sound(self):
        self.assertEqual(self.check(), [])

    def test_not_self_contained(self):
        self.write("include/elver/bad.h", "size_t elv_size(void);\n")
        self.assertEqual(len(self.check()), 2)

    def test_not_cxx(self):
        self.write("include/elver/bad.h", "int elv_f(int class);\n")
        self.complains(self.check(), "bad.h as C++17")

    def test_no_guard(self):
        self.write("include/elver/bad.h", "typedef struct { int x; } ElvX;\n")
        self.assertEqual(len(self.check()), 2)


class PaperMapTest(TreeTest):
    PAPERS = {"P20": {"": 4}}
    ROWS = "| [P20 (1)] | a | not yet | |\n| [P20 (2)-(4)] | b | `elv_exp`, `so3.c`, `src/lie/so3.h:elv_so3` | |\n"

    def check(self, text=None):
        self.write("docs/paper_map.md", "| tag | what | where | command |\n|---|---|---|---|\n" + (text or self.ROWS))
        return check_paper_map.check(self.root, self.PAPERS)[0]

    def test_sound(self):
        self.assertEqual(self.check(), [])

    def test_missing_map(self):
        self.complains(check_paper_map.check(self.root)[0], "missing")

    def test_faults_of_the_map(self):
        self.complains(self.check(self.ROWS.replace("-(4)", "-(3)")), "no row for [P20 (4)]")
        self.complains(self.check(self.ROWS.replace("elv_exp", "elv_log")), "paper_map.md:4", "elv_log")
        self.complains(self.check(self.ROWS.replace("so3.c", "so4.c")), "so4.c", "no such file")
        self.complains(self.check(self.ROWS.replace(":elv_so3", ":elv_exp")), "no such identifier")
        self.complains(self.check(self.ROWS.replace("not yet", "later")), "neither")
        self.complains(self.check(self.ROWS + "| [P20 (99)] | c | not yet | |\n"), "no such equation")

    def test_uncited(self):
        self.assertEqual(self.check(), [])
        self.assertEqual(check_paper_map.check(self.root, self.PAPERS)[1], [("P20", "(4)")])

    def test_names_in_comments_do_not_exist(self):
        self.write("src/lie/note.h", "// elv_ghost\n/* elv_ghost\n elv_ghost */\n")
        self.complains(self.check(self.ROWS.replace("elv_exp", "elv_ghost")), "elv_ghost")

    def test_cited_but_not_implemented(self):
        for cited in ("[P20 (1)]", "[P23 (7)]", "[P20 (2), P23 (1)]", "[ALI (A.3)]", "[P20 fig 9]"):
            with self.subTest(cited=cited):
                self.write("src/lie/cite.c", f"\n/* {cited} */\n")
                self.complains(self.check(), "src/lie/cite.c:2", "names no place")

    def test_citations_that_cannot_be_read(self):
        for cited in ("[P20 eq. 3]", "[P20 (68)]", "[P20 (3)-(2)]", "[ALI (13)]", "[P20 (2) see]"):
            with self.subTest(cited=cited):
                self.write("src/lie/cite.c", f"// {cited}\n")
                self.complains(self.check(), "src/lie/cite.c:1", cited)

    def test_sections_are_not_equations(self):
        self.write("src/lie/cite.c", "// [P23 section IX], [P20], [P20 test 2], a[P20_MAX (3)]\n")
        self.assertEqual(self.check(), [])


class DocsTest(TreeTest):
    """Pages, beside a program that refuses whatever has the word `bad` in it."""

    def setUp(self):
        super().setUp()
        self.write("Makefile", "demo: ## show\n")
        self.write("README.md", "[format](docs/model-format.md)\n")
        self.write("docs/model-format.md", "| `rod` | name |\n| `length` | m |\n")
        self.write("docs/cli.md", "")
        self.write("models/arm.yaml", "")
        script = '#!/bin/sh\ncase "$*" in *bad*) echo refused >&2; exit 1;; esac\necho "--out FILE"\n[ "$1" = help ] || touch "$1"\n'
        self.write("build/elver", script)
        (self.root / "build" / "elver").chmod(0o755)

    def check(self, text):
        self.write("docs/page.md", text)
        folder = self.root / "work"
        folder.mkdir(exist_ok=True)
        return check_docs.Checker(self.root, self.root / "build").page(self.root / "docs" / "page.md", folder)

    def test_sound(self):
        for text in (
            "```yaml\nrod: a\nlength: 1\n```\n",
            "```yaml\n# arm.yaml: a model\nelver: 1\n```\n",
            "```sh\nmake demo   # all\nelver run @arm -o out\n```\n",
            "```text\nwhatever\n```\n",
            "```{toctree}\npage\n```\n",
            "    elver run @arm [--out FILE]\n",
        ):
            self.assertEqual(self.check(text), [])
        self.assertTrue((self.root / "work" / "arm.yaml").is_file())
        self.assertTrue((self.root / "work" / "run").is_file())

    def test_faults(self):
        for text, word in (
            ("```yaml\nrod: [\n```\n", "not YAML"),
            ("```yaml\nrod: a\nlenght: 1\n```\n", "lenght"),
            ("```yaml\n# bad.yaml: a model\nelver: 1\n```\n", "refused"),
            ("```sh\nelver run bad.yaml\n```\n", "refused"),
            ("```sh\nmake nothing\n```\n", "no such target"),
            ("```sh\nrm -r out\n```\n", "nobody runs"),
            ("```sh\npython3 examples/none.py\n```\n", "no such file"),
            ("```\nwhatever\n```\n", "what is a block"),
            ("    elver bad\n", "no such command"),
            ("    elver run @arm --speed 2\n", "--speed"),
            ("    elver run @leg\n", "no such example"),
        ):
            with self.subTest(text=text):
                self.complains(self.check(text), word)

    def test_links(self):
        self.assertEqual(check_docs.check_links(self.root), [])
        self.write("docs/page.md", "[gone](gone.md#there)\n")
        self.complains(check_docs.check_links(self.root), "gone.md")

    def test_python_is_handed_over_with_its_line(self):
        self.write("docs/page.md", "\n```python\nx = 1\n```\n")
        seen = []
        checker = check_docs.Checker(self.root, self.root / "build")
        self.assertEqual(checker.page(self.root / "docs" / "page.md", self.root, lambda *block: seen.append(block) or []), [])
        self.assertEqual(seen, [(3, "x = 1\n")])


if __name__ == "__main__":
    unittest.main()
