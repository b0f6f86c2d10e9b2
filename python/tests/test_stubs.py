# SPDX-License-Identifier: Apache-2.0
"""The stubs of the extension name what it has, and nothing else; everything public has a docstring and types."""

import ast
import inspect
from pathlib import Path

import elver
from elver import _elver

STUB = Path(elver.__file__).with_name("_elver.pyi")


def stub_names():
    """Names of the stub, and of the members of its classes."""
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    fields = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    classes = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            values = {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
            classes[node.name] = {name for name in methods | values if not name.startswith("__")}
    return functions | fields, classes


def test_stubs_are_those_of_the_extension():
    names, classes = stub_names()
    there = {name for name in dir(_elver) if not name.startswith("__")}
    assert names | set(classes) == there
    for name, members in classes.items():
        assert members == {member for member in vars(getattr(_elver, name)) if not member.startswith("__")}, name


def test_everything_public_is_documented():
    bare = []
    for name in elver.__all__:
        item = getattr(elver, name)
        if not (inspect.isclass(item) or inspect.isfunction(item)):
            continue
        parts = [(name, item)]
        if inspect.isclass(item):
            parts += [(f"{name}.{key}", value) for key, value in vars(item).items() if not key.startswith("_")]
        for label, part in parts:
            target = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
            if not (inspect.isclass(target) or inspect.isfunction(target)):
                continue
            if not inspect.getdoc(target):
                bare.append(label)
            if inspect.isfunction(target) and "return" not in target.__annotations__:
                bare.append(f"{label} (types)")
    assert not bare
