# SPDX-License-Identifier: Apache-2.0
"""The documentation site: `make docs` builds it into build/docs/html.

Pages are Markdown; the C reference comes from the headers by Doxygen (XML made beforehand, see the Makefile), the Python one from the
package, which must be importable (PYTHONPATH).
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

project = "Elver"
author = "the Elver developers"
copyright = author
release = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx.ext.mathjax", "breathe"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4
exclude_patterns = ["images"]
html_theme = "furo"
html_title = "Elver"
html_static_path = []

breathe_projects = {"elver": str(ROOT / "build" / "docs" / "xml")}
breathe_default_project = "elver"

autodoc_member_order = "bysource"
autodoc_typehints = "description"

# pages link to files of the tree too, which are not part of the site
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
