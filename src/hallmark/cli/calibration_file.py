"""Which calibration did the user name?"""

from pathlib import Path

from hallmark.errors import InputError
from hallmark.judge.calibrate import Calibration, read_model

LARGEST = 1_000_000
"""Bytes of a model file; those that `hallmark calibrate` writes have some ten thousand."""


def calibration_of(path: Path | None) -> Calibration | None:
    """Return the model of a file; None, which stands for the packaged one, where none is named.

    Raises:
        InputError: the file cannot be read, or holds no model that can be used.
    """
    if path is None:
        return None
    try:
        with path.open("rb") as stream:
            text = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"The calibration {path} cannot be read: {error.strerror}.") from None
    if len(text) > LARGEST:
        raise InputError(f"{path} is no calibration model: it is larger than {LARGEST:,} bytes.")
    return Calibration(read_model(text, str(path)))
