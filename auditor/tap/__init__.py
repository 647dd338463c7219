"""The taps: on the pipes of a process, in front of an HTTP server, or inside a process.

A tap passes bytes on and notes them in the spool first. A recorder process turns what is in the spool into the journal.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    from typing import Any

    from auditor.tap.inprocess import Recorder, tapped

__all__ = ["Recorder", "tapped"]


def __getattr__(name: str) -> Any:
    """`tapped` and `Recorder`, loaded when asked for: a pump needs neither."""
    if name not in __all__:
        raise AttributeError(name)
    from auditor.tap import inprocess

    return getattr(inprocess, name)
