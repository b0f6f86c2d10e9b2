# SPDX-License-Identifier: Apache-2.0
"""Elements of a model, as its file has them: keys are read and set like attributes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from elver import build
from elver.errors import InputError
from elver.hints import nearest, reword

if TYPE_CHECKING:
    from elver.model import Model

# short names of what lies deeper
_SHORT = {
    "young": "material.young",
    "density": "material.density",
    "poisson": "material.poisson",
    "shear": "material.shear",
}


# keys that elements of a tree may have, as the functions that make them say
_KEYS = {kind: list(inspect.signature(make).parameters)[1:] for kind, make in (("rod", build.rod), ("body", build.body))}


class Parameters(Mapping[str, float]):
    """Parameters of the formulas of a model, to read: ``model.set(E=2e6)`` changes one."""

    def __init__(self, values: dict[str, float]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __setitem__(self, name: str, value: float) -> NoReturn:
        raise TypeError(f"parameters are changed by the model: model.set({name}={value!r})")

    def __repr__(self) -> str:
        return repr(self._values)


class Element:
    """A rod, body or other element, or a part of one: ``model["arm"].material.young = 2e6``.

    Keys are those of the model format. ``young``, ``density``, ``poisson`` and ``shear`` of a rod are short for those of its
    material; where that is a name of ``materials:``, the rod gets a copy of its own, and other rods of the material stay what
    they are (``model.set({"materials.steel.young": 2e11})`` changes all of them). What is set holds
    for models compiled afterwards; simulators that are there keep theirs.
    """

    _model: Model
    _path: str

    def __init__(self, model: Model, path: str) -> None:
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_path", path)

    def _key(self, name: str) -> str:
        is_short = name in _SHORT and any(node["is_rod"] and node["name"] == self._path for node in self._model.nodes)
        return f"{self._path}.{_SHORT[name] if is_short else name}"

    def _possible(self) -> list[str]:
        """Keys that it may have, where that is known: of rods and bodies."""
        nodes = {node["name"]: node["is_rod"] for node in self._model.nodes}
        if self._path not in nodes:
            return []
        return [*_KEYS["rod"], *_SHORT] if nodes[self._path] else _KEYS["body"]

    def keys(self) -> list[str]:
        """Keys that the model gives."""
        return list(self._model._mapping(self._path))

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.keys(), *self._possible()})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._model._lookup(self._key(name))
        except AttributeError:
            possible = self._possible()
            if name in possible:
                raise AttributeError(f"'{name}' of '{self._path}' is not given in the model: it has its default") from None
            near = nearest(name, possible or self.keys())
            raise AttributeError(f"'{self._path}' has no '{name}' in the model{near}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self._model.set({self._key(name): value})
        except InputError as error:
            if f"unknown key '{name}'" not in str(error) or "did you mean" in str(error):
                raise
            near = nearest(name, self._possible())
            raise (reword(error, str(error).partition(", expected")[0] + near) if near else error) from None

    def __getitem__(self, name: str) -> Any:
        return self.__getattr__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Element, (self._model, self._path)

    def __repr__(self) -> str:
        return f"Element({self._path!r})"
