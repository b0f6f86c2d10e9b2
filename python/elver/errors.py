# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one for each way in which the library can fail.

All of them are :class:`Error` and carry ``element`` and ``field`` (the part of the model at fault), ``file``, ``line``
and ``column`` (its place in a model file, 0 where there is none) and ``message`` (the text without the place).
"""

from __future__ import annotations


class Error(Exception):
    """Whatever the library has to complain about."""

    element: str = ""
    field: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    message: str = ""

    @staticmethod
    def from_status(
        status: str, text: str, element: str, field: str, line: int, column: int, file: str, message: str
    ) -> Error:
        """The exception for a status of the library, by its name in ``ElvStatus``."""
        error = _BY_STATUS.get(status, Error)(text)
        error.element, error.field, error.message = element, field, message
        error.file, error.line, error.column = file, line, column
        return error


class InputError(Error, ValueError):
    """A model, a name or an option that is not good."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class NumericalError(Error, ArithmeticError):
    """A computation that failed: no convergence, or numbers that are not finite."""


class SingularError(NumericalError):
    """Something that nothing resists."""


class StepError(NumericalError):
    """A time step that failed even when it was cut."""


class CancelledError(Error):
    """A run that was stopped."""


class OutOfMemoryError(Error, MemoryError):
    """No memory left."""


_BY_STATUS = {
    "ELV_ERROR_INPUT": InputError,
    "ELV_ERROR_MEMORY": OutOfMemoryError,
    "ELV_ERROR_FILE": FileError,
    "ELV_ERROR_NUMERIC": NumericalError,
    "ELV_ERROR_SINGULAR": SingularError,
    "ELV_ERROR_STEP": StepError,
    "ELV_ERROR_CANCELLED": CancelledError,
}
