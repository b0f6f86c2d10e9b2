# SPDX-License-Identifier: Apache-2.0
"""Models: from files, from text, or built in Python; their dynamics at a state."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from elver import _elver
from elver.analysis import Analysis
from elver.dynamics import Pool, texts
from elver.element import Element, Parameters
from elver.simulator import Simulator
from elver.state import Array

Law = Callable[..., Any]


def _folders() -> list[str]:
    """Where shipped examples are looked for, the first folder first."""
    folders = [os.environ["ELVER_MODELS"]] if os.environ.get("ELVER_MODELS") else []
    return [*folders, os.path.join(os.path.dirname(__file__), "models")]


def shipped() -> list[str]:
    """Names of the shipped examples: ``elver.load("@NAME")``."""
    names = {name for folder in _folders() if os.path.isdir(folder) for name in os.listdir(folder)}
    return sorted(name[: -len(".yaml")] for name in names if name.endswith(".yaml"))


def _find(name: str) -> str:
    for folder in _folders():
        path = os.path.join(folder, f"{name}.yaml")
        if os.path.isfile(path):
            return path
    from elver.errors import InputError

    raise InputError(f"no shipped example '@{name}'; elver.shipped() lists them")


def load(path: str | os.PathLike[str], *, set: Mapping[str, Any] | None = None, laws: Mapping[str, Law] | None = None) -> Model:
    """A model from a file, from a shipped example (``"@name"``), or from the trajectory (``.h5``) that stores it.

    ``set`` puts values over those of the file (``{"arm.length": 0.5, "E": 2e6}``); ``laws`` puts callables behind inputs (see
    :attr:`Model.inputs`): functions of t, for fields of t and s, that return a number, or value, rate and acceleration.
    """
    name = os.fspath(path)
    if name.startswith("@"):
        return Model(None, name=_find(name[1:]), set=set, laws=laws)
    if name.endswith((".h5", ".hdf5")):
        from elver.trajectory import Trajectory

        with Trajectory(name) as trajectory:
            return Model(trajectory._model_text(), name=name, set=set, laws=laws)
    return Model(None, name=name, set=set, laws=laws)


def _name(name: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"a name is a text, not {type(name).__name__}")
    return name


def rod(name: str, **keys: Any) -> dict[str, Any]:
    """A rod of a tree, with the keys of the model format."""
    return {"rod": _name(name), **keys}


def body(name: str, **keys: Any) -> dict[str, Any]:
    """A rigid body of a tree, with the keys of the model format."""
    return {"body": _name(name), **keys}


def _plain(value: Any) -> Any:
    """What JSON, and so YAML, can say of NumPy's numbers and arrays."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot stand in a model; laws of Python go into laws={{...}}")


class Held:
    """A law that is what an input was."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __call__(self, *where: float) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"Held({self.value:g})"


class Model(Analysis):
    """A tree of rigid bodies and rods.

    A model is text (YAML) with values put over it. It is compiled when it is first used, and again after a change; states,
    simulators and runs made before keep the model that they were made of, as ``sim.model`` and ``run.model``, which cannot be
    changed. Methods that take a state take one of this model; without
    one they use the initial state.
    """

    def __init__(
        self,
        text: str | None,
        *,
        name: str = "model",
        set: Mapping[str, Any] | None = None,
        laws: Mapping[str, Law] | None = None,
    ) -> None:
        self._text = text
        self._file = name
        self._set: dict[str, Any] = dict(set or {})
        self._laws: dict[str, Law] = dict(laws or {})
        self._document: Any = None
        self._driven: tuple[tuple[str, ...], Array] = ((), np.empty(0))
        self._is_frozen = False
        self.revision = 0
        self.compile()

    @classmethod
    def from_yaml(cls, text: str, **options: Any) -> Model:
        """A model from YAML text."""
        return cls(text, **options)

    @classmethod
    def build(cls, *, laws: Mapping[str, Law] | None = None, **keys: Any) -> Model:
        """A model from Python values, with the keys of the model format.

        Example::

            elver.Model.build(
                name="arm",
                gravity=[0, 0, -9.81],
                tree=[elver.rod("arm", length=0.5, section={"circle": {"diameter": 0.02}},
                                material={"density": 1100, "young": 5e6}, strain={"bend_y": 3})],
            )
        """
        return cls(json.dumps({"elver": 1, **keys}, default=_plain), name=str(keys.get("name", "model")), laws=laws)

    # ---- changes

    def __setattr__(self, name: str, value: Any) -> None:
        # classes made of it may have attributes of their own
        if type(self) is Model and not name.startswith("_") and name != "revision":
            raise AttributeError(f"a model has no attribute '{name}' to set: model.set({{'{name}': ...}}) changes what its file says")
        super().__setattr__(name, value)

    def set(self, values: Mapping[str, Any]) -> None:
        """Put values over those of the model; a bad one is refused and changes nothing."""
        if self._is_frozen:
            raise TypeError("this is the model as a simulator or a run has it: change the one that it was made of, or a copy of this")
        before = dict(self._set)
        self._set.update(values)
        try:
            self.compile()
        except Exception:
            self._set = before
            raise

    def compile(self) -> None:
        """Compile the model as it is now; done after every change."""
        self._pool = Pool(self._fresh(()))
        self._document = None
        self.revision += 1

    def _fresh(self, inputs: Sequence[str], laws: Mapping[str, Law] | None = None) -> _elver.Model:
        values = [(str(key), value if isinstance(value, str) else json.dumps(value, default=_plain)) for key, value in self._set.items()]
        bound = self._held(inputs) if laws is None else laws
        return _elver.Model(self._file, self._text, values, list(bound.items()), list(inputs))

    def _held(self, inputs: Sequence[str] = ()) -> dict[str, Law]:
        """Laws of Python, among them inputs as they are at the moment, but for those that are inputs again."""
        names, u = self._driven
        return {**self._laws, **{name: Held(float(value)) for name, value in zip(names, u) if name not in inputs}}

    def _frozen(self, core: _elver.Model, inputs: tuple[str, ...] = (), u: Array | None = None) -> Model:
        """This model as it was compiled into a core, whatever is changed later; inputs of the core have the values u."""
        frozen = object.__new__(type(self))
        frozen.__dict__.update(self.__dict__)
        frozen._set, frozen._laws = dict(self._set), self._held(inputs)
        frozen._driven = (inputs, np.empty(0) if u is None else u)
        frozen._pool, frozen._is_frozen = Pool(core), True
        return frozen

    def _at_inputs(self, u: Array) -> Model:
        """A model that was frozen with inputs, its inputs being held at u."""
        frozen = self._frozen(self._core)
        frozen._laws = {**self._laws, **{name: Held(float(value)) for name, value in zip(self._driven[0], u)}}
        frozen._pool = Pool(frozen._fresh(()))
        return frozen

    def __getstate__(self) -> dict[str, Any]:
        """Models are pickled, and copied, as their text and what was put over it: laws must be functions that can be."""
        file = self._file if self._text is not None else os.path.abspath(self._file)
        return {"text": self._text, "file": file, "set": dict(self._set), "laws": self._held()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__init__(kept["text"], name=kept["file"], set=kept["set"], laws=kept["laws"])  # type: ignore[misc]

    # ---- what it consists of

    @property
    def name(self) -> str:
        """Its name."""
        return str(self._core.sizes()["name"])

    @property
    def mass(self) -> float:
        """Mass of all bodies and rods, kg."""
        return float(self._core.sizes()["mass"])

    @property
    def gravity(self) -> Array:
        """Acceleration of gravity, m/s², in world axes (3): ``model.set({"gravity": [0, 0, -9.81]})`` changes it."""
        return np.array(self._core.sizes()["gravity"])

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """Laws that can be driven from outside, without components of loads, stresses and poses that are constantly 0, which have
        names all the same (``"loads[0].force.z"``): ``name``, ``kind``, ``unit``, ``value`` at t = 0, suggested range ``min`` to
        ``max``; ``is_motion``: an imposed motion, which needs a law and cannot be an input of ``step``; ``is_field``: its law
        is one of t and s. Set points of joint controllers, efforts of motors, tensions and pressures are among them: so
        controllers in Python set inputs between steps, or are laws."""
        return self._core.inputs()

    @property
    def parameters(self) -> Parameters:
        """Parameters of formulas, to read: ``model.set({"E": 2e6})`` changes one."""
        return Parameters(self._core.parameters())

    @property
    def every(self) -> float:
        """Interval of recording, s."""
        return self._core.record()[0]

    @property
    def duration(self) -> float:
        """How long the model file wants it simulated, s."""
        return float(self._core.sizes()["duration"])

    @property
    def elements(self) -> list[str]:
        """Names of bodies, rods and devices: ``model[name]`` is one of them."""
        return [node["name"] for node in self.nodes] + [device["name"] for device in self.devices]

    def __iter__(self) -> Iterator[str]:
        return iter(self.elements)

    def __contains__(self, name: object) -> bool:
        return name in self.elements

    def __getitem__(self, name: str) -> Element:
        known = self.elements
        if name not in known:
            raise KeyError(f"no element '{name}'; there are: {', '.join(known)}")
        return Element(self, name)

    def to_yaml(self) -> str:
        """The model as YAML text, values put over it included; laws of Python cannot be written."""
        if self._held():
            raise ValueError(f"laws of Python and inputs cannot stand in YAML: {', '.join(self._held())}")
        return self._core.yaml()

    def _lookup(self, path: str) -> Any:
        """What the model has at a path, read from its YAML."""
        from elver.document import lookup

        if self._document is None:
            from elver.document import parse

            self._document = parse(self._fresh((), {}).yaml())
        return lookup(self, self._document, path)

    # ---- motion

    def simulate(self, dt: float | None = None, method: str | None = None, inputs: str | Sequence[str] = ()) -> Simulator:
        """A simulator at the initial state. Defaults are those of the model file; ``inputs`` are names of :attr:`inputs`, which
        ``step(u)`` then sets."""
        if dt is not None and not (math.isfinite(dt) and dt > 0):
            raise ValueError("dt must be a positive number")
        return Simulator(self, method, 0.0 if dt is None else dt, texts(inputs))

    def __repr__(self) -> str:
        return f"Model({self.name!r}, nq={self.nq}, nv={self.nv})"
