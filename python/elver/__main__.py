# SPDX-License-Identifier: Apache-2.0
"""``python -m elver``: which version this is, and where it lies."""

import os

import elver

print(f"elver {elver.__version__}, {len(elver.shipped())} examples, in {os.path.dirname(elver.__file__)}")
