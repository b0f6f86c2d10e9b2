# SPDX-License-Identifier: Apache-2.0
"""A model's YAML as nested dictionaries, to look values up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml  # type: ignore[import-untyped]

from elver.element import Element

_KINDS = ("rod", "body", "frame", "name", "tendon", "chamber", "muscle", "loop", "wheel", "pattern")


def parse(text: str) -> Any:
    """The elements of a document; numbers stay texts, which is how the library reads them."""
    document = yaml.load(text, Loader=yaml.BaseLoader)
    return [value for value in document.values() if isinstance(value, (dict, list))]


def _element(node: Any, name: str) -> Any:
    """The mapping whose kind or name is ``name``, anywhere in the document."""
    if isinstance(node, dict):
        if any(node.get(kind) == name for kind in _KINDS):
            return node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            found = _element(item, name)
            if found is not None:
                return found
    return None


def _value(text: Any) -> Any:
    """A number where the text is one, a truth value, or the text."""
    if isinstance(text, list):
        return [_value(item) for item in text]
    if not isinstance(text, str):
        return text
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def find(document: Any, path: str) -> Any:
    """What stands at ``ELEMENT.key.key``, as it was parsed."""
    name, *keys = path.split(".")
    node = _element(document, name)
    for key in keys:
        if not isinstance(node, dict) or key not in node:
            raise AttributeError(f"'{path}' is not given in the model")
        node = node[key]
    return node


def own_material(text: str, changes: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """A material that the text of a model has a name for, with what was put over it; None: there is none."""
    document = yaml.load(text, Loader=yaml.BaseLoader)
    materials = document.get("materials") if isinstance(document, dict) else None
    found = materials.get(name) if isinstance(materials, dict) else None
    if not isinstance(found, dict):
        return None
    start = f"materials.{name}."
    return {**found, **{key.removeprefix(start): value for key, value in changes.items() if key.startswith(start)}}


def lookup(model: Any, document: Any, path: str) -> Any:
    """What stands at ``ELEMENT.key.key``; a further mapping is an :class:`Element`."""
    node = find(document, path)
    return Element(model, path) if isinstance(node, dict) else _value(node)
