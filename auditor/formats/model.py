"""What a foreign recording is made of, whatever its format."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from auditor.capture.writer import EventName
from auditor.errors import InputError
from auditor.journal.records import Direction, Http


class Opening(msgspec.Struct, frozen=True):
    """A capture begins; a second one in a file opens another capture."""

    ts_ns: int
    cmd: list[str] = []
    env: dict[str, str] = {}
    name: str | None = None
    upstream: str | None = None
    cwd: str | None = None
    pid: int | None = None
    inferred_directions: bool = False


class Text(msgspec.Struct, frozen=True):
    """One text on a channel of messages, without its line end; `wire_bytes` with it."""

    ts_ns: int
    dir: Direction
    data: bytes
    wire_bytes: int
    ch: int = 0
    http: Http | None = None
    torn: bool = False


class Happening(msgspec.Struct, frozen=True):
    """Something that is no message: eof, exit, http, stderr, gap or warning, as in `journal.records.Event`."""

    ts_ns: int
    ev: EventName
    dir: Direction | None = None
    rc: int | None = None
    signal: int | None = None
    text: str | None = None
    lost_bytes: int | None = None
    lost_messages: int | None = None
    http: Http | None = None


Item = Opening | Text | Happening
Reader = Callable[[Path], Iterator[Item]]


def refuse(path: Path, line: int, why: str) -> InputError:
    """The error for a line that is not understood; lines count from 1."""
    return InputError(f"{path}, line {line}: {why}; nothing of this file was imported")


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers, without their ends.

    Raises:
        InputError: when the file cannot be read.
    """
    try:
        with path.open("rb") as f:
            for number, line in enumerate(f, 1):
                text = line.rstrip(b"\r\n")
                if number == 1:
                    text = text.removeprefix(b"\xef\xbb\xbf")
                if text.strip():
                    yield number, text
    except OSError as e:
        raise InputError(f"{path} cannot be read: {e.strerror}") from e


def utf8(text: str) -> bytes:
    """The bytes that a text stood for. Lone surrogates are bytes that were no UTF-8, where they can be."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
