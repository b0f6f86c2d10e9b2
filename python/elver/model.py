# SPDX-License-Identifier: Apache-2.0
"""Models: from files, from text, or built in Python; their dynamics at a state."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from elver import _elver
from elver.analysis import Analysis
from elver.dynamics import Pool, texts
from elver.element import Element, Parameters
from elver.errors import Error, InputError
from elver.hints import nearest, of_input, of_set
from elver.simulator import Controller, Simulator
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
    near = nearest(f"@{name}", [f"@{known}" for known in shipped()])
    raise InputError(f"no shipped example '@{name}'{near or '; elver.shipped() lists them'}")


def load(path: str | os.PathLike[str], *, set: Mapping[str, Any] | None = None, laws: Mapping[str, Law] | None = None) -> Model:
    """A model from a file, from a shipped example (``"@name"``), or from the trajectory (``.h5``) that stores it.

    ``set`` puts values over those of the file (``{"arm.length": 0.5, "E": 2e6}``); ``laws`` puts callables behind inputs (see
    :attr:`Model.inputs`): functions of t, for fields of t and s, that return a number, or value, rate and acceleration; behind
    ``"fluid.current"`` a function of t and the place (x, y, z) that returns the velocity of the fluid there.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"a path or the name of an example is wanted, not {type(path).__name__}")
    name = os.fspath(path)
    if name.startswith("@"):
        return Model._read(_find(name[1:]), set, laws)
    if name.endswith((".h5", ".hdf5")):
        from elver.trajectory import Trajectory

        with Trajectory(name) as trajectory:
            return trajectory._make_model(set, laws)
    return Model._read(name, set, laws)


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
    changed. Methods that take a state take one of this model, or of one whose elements, joints, modes and devices have the same
    names and sizes, as this one after a change of a number; without one they use the initial state.
    """

    def __init__(
        self,
        text: str,
        *,
        name: str = "model",
        set: Mapping[str, Any] | None = None,
        laws: Mapping[str, Law] | None = None,
    ) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a model is text (YAML), not {type(text).__name__}: elver.load reads files, Model.build takes values")
        self._open(text, name, set, laws)

    def _open(
        self, text: str | None, name: str, set: Mapping[str, Any] | None, laws: Mapping[str, Law] | None, is_built: bool = False
    ) -> None:
        self._text = text
        self._file = name
        self._is_built = is_built
        self._set: dict[str, Any] = dict(set or {})
        self._laws: dict[str, Law] = dict(laws or {})
        self._document: Any = None
        self._driven: tuple[tuple[str, ...], Array] = ((), np.empty(0))
        self._steered: list[tuple[tuple[Pool, tuple[str, ...]], _elver.Model]] = []
        self._is_frozen = False
        self.revision = 0
        self.compile()

    @classmethod
    def _read(cls, path: str, set: Mapping[str, Any] | None, laws: Mapping[str, Law] | None) -> Model:
        """A model from a file."""
        model = object.__new__(cls)
        model._open(None, path, set, laws)
        return model

    @classmethod
    def from_yaml(cls, text: str, **options: Any) -> Model:
        """A model from YAML text."""
        return cls(text, **options)

    @classmethod
    def build(cls, *, laws: Mapping[str, Law] | None = None, **keys: Any) -> Model:
        """A model from Python values, with the keys of the model format.

        >>> import elver
        >>> elver.Model.build(
        ...     name="arm",
        ...     gravity=[0, 0, -9.81],
        ...     tree=[elver.rod("arm", length=0.5, section={"circle": {"diameter": 0.02}},
        ...                     material={"density": 1100, "young": 5e6}, strain={"bend_y": 3})],
        ... )
        Model('arm', nq=3, nv=3)
        """
        model = object.__new__(cls)
        text = json.dumps({"elver": 1, **keys}, default=_plain)
        model._open(text, str(keys.get("name", "model")), None, laws, is_built=True)
        return model

    # ---- changes

    def __setattr__(self, name: str, value: Any) -> None:
        # classes made of it may have attributes of their own
        if type(self) is Model and not name.startswith("_") and name != "revision":
            raise AttributeError(f"a model has no attribute '{name}' to set: model.set({{'{name}': ...}}) changes what its file says")
        super().__setattr__(name, value)

    def set(self, values: Mapping[str, Any] | None = None, /, **keys: Any) -> None:
        """Put values over those of the model: ``set({"arm.length": 0.5})``, and of parameters and keys of the whole file also
        ``set(E=2e6, gravity=[0, 0, 0])``. A bad one is refused and changes nothing."""
        if not isinstance(values, Mapping) and not (values is None and keys):
            raise TypeError(f"values are set by names, {{'arm.length': 0.5}}, not by {type(values).__name__}")
        values = {**(values or {}), **keys}
        nothing = [key for key, value in values.items() if value is None]
        if nothing:
            raise ValueError(f"'{nothing[0]}' wants a value, not None")
        if self._is_frozen:
            raise TypeError("this is the model as a simulator or a run has it: change the one that it was made of, or a copy of this")
        before = self._set
        # what is set last holds, also over parts of it that were set before
        kept = {key: value for key, value in before.items() if not any(f"{key}.".startswith(f"{new}.") for new in values)}
        self._set = {**kept, **values}
        try:
            self.compile()
        except Exception as error:
            self._set = before
            own = self._own_material(values, str(error))
            if not own:
                raise
        else:
            return
        self.set(own)

    def _own_material(self, values: Mapping[str, Any], complaint: str) -> dict[str, Any] | None:
        """Values to set in place of some that go into a rod's material, where that is a name: the rod gets a copy of its own."""
        for key in values:
            rod, middle, field = str(key).partition(".material.")
            name = re.search(r"within the value '([^']*)'", complaint)
            if not middle or "." in field or not name or f"'{field}'" not in complaint or f"{rod}.material" in values:
                continue
            from elver.document import own_material

            if self._text is None:
                with open(self._file, encoding="utf-8") as file:
                    text = file.read()
            else:
                text = self._text
            own = own_material(text, self._set, name[1])
            if own is not None:
                rest = {other: value for other, value in values.items() if other != key}
                return {**rest, f"{rod}.material": {**own, field: values[key]}}
        return None

    def compile(self) -> None:
        """Compile the model as it is now; done after every change."""
        self._pool = Pool(self._fresh(()))
        self._document = None
        self.revision += 1

    def _fresh(self, inputs: Sequence[str], laws: Mapping[str, Law] | None = None) -> _elver.Model:
        values = [(str(key), value if isinstance(value, str) else json.dumps(value, default=_plain)) for key, value in self._set.items()]
        bound = self._held(inputs) if laws is None else laws
        try:
            return _elver.Model(self._file, self._text, values, list(bound.items()), list(inputs))
        except Error as error:
            devices = self.devices if hasattr(self, "_pool") else []
            known = self.inputs if hasattr(self, "_pool") else []
            raise of_input(of_set(error, self._set, devices, self._is_built), [*inputs, *bound], known) from None

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
        frozen._pool, frozen._is_frozen, frozen._steered = Pool(core), True, []
        return frozen

    def _at_inputs(self, u: Array) -> Model:
        """A model that was frozen with inputs, its inputs being held at u."""
        frozen = self._frozen(self._core)
        frozen._laws = {**self._laws, **{name: Held(float(value)) for name, value in zip(self._driven[0], u)}}
        frozen._pool = Pool(frozen._fresh(()))
        return frozen

    @staticmethod
    def _fill(core: _elver.Model, u: Mapping[str, float]) -> Array:
        """Set the inputs of a core; returns the view of them."""
        values = np.array([float(value) for value in u.values()])
        if not np.isfinite(values).all():
            raise ValueError("values of inputs must be finite numbers")
        view = np.asarray(core.u())
        view[:] = values
        return view

    @contextmanager
    def _steer(self, u: Mapping[str, float]) -> Iterator[_elver.Model]:
        """A core for one computation, with inputs at values; it is kept for others with the same inputs, so that these cost nothing."""
        key = (self._pool, tuple(u))
        try:
            kept = self._steered.pop()
        except IndexError:
            kept = None
        core = kept[1] if kept and kept[0] == key else self._fresh(tuple(u))
        self._fill(core, u)
        try:
            yield core
        finally:
            self._steered.append((key, core))

    def with_inputs(self, u: Mapping[str, float]) -> Model:
        """This model with inputs held at values in place of their laws (``{"tendon.left.tension": 3.0}``), as it is now: all of
        its functions know them. It cannot be changed."""
        if not isinstance(u, Mapping):
            raise TypeError(f"u is a mapping of names of inputs to values, not {type(u).__name__}")
        core = self._fresh(tuple(u))
        return self._frozen(core, tuple(u), self._fill(core, u))

    def __getstate__(self) -> dict[str, Any]:
        """Models are pickled, and copied, as their text and what was put over it: laws must be functions that can be."""
        file = self._file if self._text is not None else os.path.abspath(self._file)
        return {"text": self._text, "file": file, "set": dict(self._set), "laws": self._held(), "is_built": self._is_built}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self._open(kept["text"], kept["file"], kept["set"], kept["laws"], kept["is_built"])

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
        is one of t and s. Set points of joint controllers, efforts of motors, tensions and pressures are among them:
        controllers in Python set them, see :meth:`simulate`."""
        return self._core.inputs()

    @property
    def parameters(self) -> Parameters:
        """Parameters of formulas, to read: ``model.set(E=2e6)`` changes one."""
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
            raise KeyError(f"no element '{name}'{nearest(str(name), known) or '; there are: ' + ', '.join(known)}")
        return Element(self, name)

    def to_yaml(self) -> str:
        """The model as YAML text, values put over it included; laws of Python cannot be written."""
        if self._held():
            raise ValueError(f"laws of Python and inputs cannot stand in YAML: {', '.join(self._held())}")
        return self._core.yaml()

    def _parsed(self) -> Any:
        """The model's YAML, parsed."""
        if self._document is None:
            from elver.document import parse

            self._document = parse(self._fresh((), {}).yaml())
        return self._document

    def _lookup(self, path: str) -> Any:
        """What the model has at a path, read from its YAML."""
        from elver.document import lookup

        return lookup(self, self._parsed(), path)

    def _mapping(self, path: str) -> Mapping[str, Any]:
        """The keys that the model has at a path."""
        from elver.document import find

        found = find(self._parsed(), path)
        return found if isinstance(found, dict) else {}

    # ---- motion

    def simulate(
        self,
        dt: float | None = None,
        method: str | None = None,
        inputs: str | Sequence[str] = (),
        controller: Controller | None = None,
    ) -> Simulator:
        """A simulator at the initial state, with time steps ``dt``, s. Defaults are those of the model file; ``inputs`` are names
        of :attr:`inputs`, which ``step(u)`` then sets.

        ``controller`` sets them in its place, in ``step`` and in ``run``: a function ``f(t, state)`` that is called at the start
        of each time step ``dt``, and at the start of a run, and returns what ``step`` takes: numbers in the order of ``inputs``,
        some of them by their names, or None where nothing changes. The inputs are held until its next call. It may read the
        state (its arrays are views that cannot be written) and ask the model for poses, signals and so on; what it raises ends
        the run and comes out of it, once.
        """
        if dt is not None and not (math.isfinite(dt) and dt > 0):
            raise ValueError("dt must be a positive number")
        return Simulator(self, method, 0.0 if dt is None else dt, texts(inputs), controller)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, nq={self.nq}, nv={self.nv})"
