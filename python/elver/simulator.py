# SPDX-License-Identifier: Apache-2.0
"""Simulators: a model in motion, step by step or for a while."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from elver import _elver
from elver.dynamics import texts
from elver.records import WITHOUT_MODES, Records, raise_with
from elver.state import Array, State

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from elver.model import Model


#: A controller: called with the time (s) and the state, it returns inputs, some of them by name, or None: as they were.
Controller = Callable[[float, State], Any]


class Simulator:
    """One motion of a model. One thread at a time may use it; others may have simulators of their own."""

    inputs: tuple[str, ...]  #: Names of what ``step(u)`` sets.
    u: Array  #: What the inputs are at the moment: a view.
    model: Model  #: The model as it was when the simulator was made, with the inputs as they are at the moment.

    def __init__(
        self, model: Model, method: str | None, dt: float, inputs: Sequence[str], controller: Controller | None = None
    ) -> None:
        self.inputs = tuple(inputs)
        twice = sorted({str(name) for name in self.inputs if self.inputs.count(name) > 1})
        if twice:
            raise ValueError(f"inputs are named once, not twice: {', '.join(twice)}")
        # a model with inputs that are held has none of its own to be set
        self._model = model._fresh(self.inputs) if self.inputs or model._driven[0] else model._core
        self._core = _elver.Simulator(self._model, method, dt)
        self._state = State(self._core.state, self._core)
        self._step = self._core.step
        name = self._model.method(False) if method is None else method
        self._lacks_modes = name if name in WITHOUT_MODES else ""
        self.u = np.asarray(self._core.u)
        self.model = model._frozen(self._model, self.inputs, self.u)
        self._controller = controller
        if controller is not None:
            self._check_controller(controller)
            # what the controller sees: the state, but not to write
            self._seen = State(self._core.state, self._core)
            for part in (self._seen.q, self._seen.v, self._seen.a, self._seen.z):
                part.flags.writeable = False

    def _check_controller(self, controller: object) -> None:
        if not callable(controller):
            raise TypeError(f"a controller is a function of t and state, not {type(controller).__name__}")
        if not self.inputs:
            raise ValueError("a controller sets inputs: name them, simulate(inputs=[...], controller=...)")
        if self._lacks_modes:
            raise ValueError(f"states of the method {self._lacks_modes} have no modes of rods, so that a controller would not see them")

    def _decide(self) -> Array | None:
        """What the controller wants at the state as it is now."""
        assert self._controller is not None
        u = self._controller(self._state.t, self._seen)
        return u if u is None or type(u) is np.ndarray else self._numbers(u)

    def step(self, u: ArrayLike | Mapping[str, float] | None = None) -> float:
        """Make one time step ``dt``; returns the time at its end, s.

        ``u`` are the inputs that are held over it: numbers in the order of ``inputs``, or some of them by their names. Inputs
        that are not given stay what they were. A contiguous array of doubles is taken as it is, all else is converted.
        Where there is a controller, it says what they are.
        """
        if self._controller is not None:
            if u is not None:
                raise TypeError("this simulator has a controller, which sets the inputs: step()")
            return self._step(self._decide())
        if u is None or type(u) is np.ndarray:
            return self._step(u)
        return self._step(self._numbers(u))

    def _numbers(self, u: Any) -> Array:
        """Values of all inputs, from numbers or a mapping."""
        if not isinstance(u, Mapping):
            given = np.asarray(u)
            return np.array(given.astype(float, casting="unsafe" if given.dtype == object else "same_kind"), ndmin=1)
        values = self.u.copy()
        for name, value in u.items():
            if name not in self.inputs:
                raise ValueError(f"'{name}' is no input of this simulator; there are: {', '.join(self.inputs) or 'none'}")
            values[self.inputs.index(name)] = value
        return values

    def evaluate(self, names: str | Sequence[str]) -> Array:
        """Signals at the state as it is now, with the inputs as they are now: ``sim.model.evaluate(names, sim.state)``."""
        return self.model.evaluate(names, self._state)

    @property
    def state(self) -> State:
        """The state; its arrays are views. What is written into ``t``, ``q``, ``v`` or ``z`` is what the next step starts from.
        Assigning a state copies it."""
        return self._state

    @state.setter
    def state(self, value: State) -> None:
        if not isinstance(value, State):
            raise TypeError(f"a State is wanted, not {type(value).__name__}")
        self._core.assign(value._core)

    @property
    def t(self) -> float:
        """Time, s."""
        return self._state.t

    @property
    def dt(self) -> float:
        """Time step, s."""
        return self._core.dt

    def restart(self) -> None:
        """Start again from the state as it is now, and forget what the integrator remembers of the steps before; done by the next
        step itself where t, q, v or z were changed by hand."""
        self._core.restart()

    def reset(self) -> None:
        """Back to the initial state of the model."""
        self._core.reset()

    def report(self) -> dict[str, Any]:
        """What was done. By ``step`` since the last start: numbers of ``steps``, of ``rejected`` ones, of ``evaluations`` of the
        dynamics, Newton ``iterations`` and ``tangents``; ``last_iterations`` and ``last_residual`` (relative) of the last step. What
        contacts had to do: ``pulls`` of the last ``run``, a list of those that can only push and would have to pull (``contact``,
        ``t`` when first, s, ``worst``, N, ``t_worst``), and ``preload_share``, the smallest part of a preload that they balanced in
        steps and in the last run, or None without one."""
        return self._core.report()

    def run(self, duration: float, *, every: float | None = None, signals: str | Sequence[str] | None = None) -> Records:
        """Let it run; ``signals`` are recorded at t, then at every multiple of ``every``, and at the end.

        Defaults are those of the model file. A controller is called at t, and at every multiple of ``dt`` after it. Ctrl-C, an
        exception in a law or a controller, or a step that fails is raised, with what was recorded until then as attribute
        ``records`` of the exception.
        """
        if not (math.isfinite(duration) and duration > 0):
            raise ValueError("duration must be a positive number")
        if every is not None and not (math.isfinite(every) and every > 0):
            raise ValueError("every must be a positive number")
        names = texts(self._model.record()[1] if signals is None else signals)
        ends: list[float] = []
        rows: list[Array] = []

        def decide() -> Array | None:
            # inputs until now; those before the first call are nobody's
            if ends:
                rows.append(self.u.copy())
            ends.append(self.t)
            return self._decide()

        controller = None if self._controller is None else decide
        columns, table, raised = self._core.run(duration, every or 0.0, names, controller)
        held = (np.array(ends[1:]), np.array([*rows, self.u]))
        return raise_with(Records(self.model, columns, table, self._model, self.u.copy(), self._lacks_modes, held, self.inputs), raised)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Simulator cannot be pickled or copied: make another one, and give it a copy of the state")

    def __repr__(self) -> str:
        return f"Simulator({self.model.name!r}, t={self.t:g}, dt={self.dt:g})"
