# SPDX-License-Identifier: Apache-2.0
"""Elements of a model, as its file has them: keys are read and set like attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from elver.model import Model

# short names of what lies deeper
_SHORT = {
    "young": "material.young",
    "density": "material.density",
    "poisson": "material.poisson",
    "shear": "material.shear",
}


class Parameters(Mapping[str, float]):
    """Parameters of the formulas of a model, to read: ``model.set({"E": 2e6})`` changes one."""

    def __init__(self, values: dict[str, float]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __setitem__(self, name: str, value: float) -> NoReturn:
        raise TypeError(f"parameters are changed by the model: model.set({{{name!r}: {value!r}}})")

    def __repr__(self) -> str:
        return repr(self._values)


class Element:
    """A rod, body or other element, or a part of one: ``model["arm"].material.young = 2e6``.

    Keys are those of the model format. ``young``, ``density``, ``poisson`` and ``shear`` of a rod are short for those of its
    material. What is set holds for models compiled afterwards; simulators that are there keep theirs.
    """

    _model: Model
    _path: str

    def __init__(self, model: Model, path: str) -> None:
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_path", path)

    def _key(self, name: str) -> str:
        is_element = "." not in self._path
        return f"{self._path}.{_SHORT.get(name, name) if is_element else name}"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._model._lookup(self._key(name))

    def __setattr__(self, name: str, value: Any) -> None:
        self._model.set({self._key(name): value})

    def __getitem__(self, name: str) -> Any:
        return self.__getattr__(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Element, (self._model, self._path)

    def __repr__(self) -> str:
        return f"Element({self._path!r})"
