# SPDX-License-Identifier: Apache-2.0
"""Robots made of rigid bodies and Cosserat rods.

    >>> import elver
    >>> model = elver.load("@cantilever-swing")
    >>> sim = model.simulate(dt=1e-3)
    >>> run = sim.run(0.1)
    >>> run["t"].shape
    (11,)

SI units throughout; arrays are NumPy's, and what can be a view of the library's memory is one.
"""

import atexit

from elver import _elver
from elver._elver import version as __version__
from elver.build import body, rod
from elver.element import Element
from elver.errors import (
    CancelledError,
    Error,
    FileError,
    InputError,
    NumericalError,
    OutOfMemoryError,
    SingularError,
    StepError,
)
from elver.linear import LinearModel, Modes
from elver.model import Model, load, shipped
from elver.records import Continuation, Equilibria, Inverse, Records
from elver.riccati import Riccati
from elver.shooting import Shooting
from elver.simulator import Simulator
from elver.state import State
from elver.trajectory import Trajectory

__all__ = [
    "CancelledError",
    "Continuation",
    "Element",
    "Equilibria",
    "Error",
    "FileError",
    "InputError",
    "Inverse",
    "LinearModel",
    "Model",
    "Modes",
    "NumericalError",
    "OutOfMemoryError",
    "Records",
    "Riccati",
    "Shooting",
    "Simulator",
    "SingularError",
    "State",
    "StepError",
    "Trajectory",
    "__version__",
    "body",
    "load",
    "rod",
    "shipped",
]

# threads that are not joined leave the library before the interpreter goes
atexit.register(_elver.end)
