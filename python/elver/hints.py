# SPDX-License-Identifier: Apache-2.0
"""Messages in the words of Python: what was meant, where a name is near another one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from elver.errors import Error


def nearest(name: str, names: Iterable[str]) -> str:
    """``", did you mean 'x'?"``, or nothing where no name is near."""
    import difflib

    near = difflib.get_close_matches(name, list(names), 1, 0.6)
    return f", did you mean '{near[0]}'?" if near else ""


def reword(error: Error, text: str, message: str | None = None) -> Error:
    """The same error with another text, and no place in a text that nobody has seen."""
    error.args = (text,)
    error.message = error.message if message is None else message
    error.file, error.line, error.column = "", 0, 0
    return error


def of_set(error: Error, values: Mapping[str, Any], devices: Iterable[Mapping[str, Any]], is_built: bool) -> Error:
    """An error of a model with values put over it: which of them, as Python writes it."""
    if not error.file.startswith("--set "):
        # a text that Python made has no lines that somebody could look up
        place = f"{error.file}:{error.line}:{error.column}: "
        return reword(error, str(error).removeprefix(place)) if is_built and error.line else error
    key = next((key for key in values if error.file.startswith(f"--set {key}=")), "")
    text, message = str(error).removeprefix(f"{error.file}: "), None
    word, _, rest = key.partition(".")
    error.element = error.element or (word if rest else "")
    name = rest.partition(".")[0]
    if any(device["kind"] == word and device["name"] == name for device in devices):
        text = message = f"'{key}' is the name of an input; to change the model, set '{rest}'"
    return reword(error, f"{{{key!r}: {values.get(key)!r}}}: {text}", message)


def of_input(error: Error, names: Iterable[str], inputs: Iterable[Mapping[str, Any]]) -> Error:
    """An error about inputs: a name without its kind, or without what is driven, finds the whole one."""
    known = [str(entry["name"]) for entry in inputs]
    wrong = next((name for name in names if f"'{name}'" in str(error) and name not in known), None)
    if wrong is None or "did you mean" in str(error):
        return error
    inside = [name for name in known if f".{wrong}." in f".{name}."]
    found = f", did you mean '{inside[0]}'?" if inside else nearest(wrong, known)
    listed = ", ".join(known[:8]) + (" ..." if len(known) > 8 else "")
    text = f"there is no input '{wrong}'{found or '; there are: ' + listed if known else ''}"
    return reword(error, text if known else str(error), text if known else None)


def of_frame(error: Error, frame: str, nodes: Iterable[Mapping[str, Any]]) -> Error:
    """An error about a frame: a station off its rod, or a word that is near another one."""
    known = [node["name"] for node in nodes]
    rods = [node["name"] for node in nodes if node["is_rod"]]
    station = re.fullmatch(r"(.+)\.at\(([^)]*)\)", frame)
    text = str(error)
    if station and station[1] in rods and "not known" in text:
        return reword(error, f"{text}, or ask model.sections({station[1]!r}, [{station[2]}])")
    if station and station[1] in rods:
        return reword(error, f"'{frame}': stations of a rod are numbers from 0 to 1")
    if "did you mean" in text:
        return error
    ends = [f"{rod}.{end}" for rod in rods for end in ("root", "tip")]
    return reword(error, text + nearest(frame, [*known, *ends]))
