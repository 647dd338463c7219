"""What the proxy tells the recorder of an HTTP exchange.

Three kinds of notes a direction, in this order: a head, pieces of the body as they passed, an end. A body that was
there at once stands in the head, which then ends it, too. Heads hold only the headers that a record uses:
`Authorization` and cookies are never among them.
"""

from typing import Protocol

import msgspec

from auditor.journal.records import Direction


class Note(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """One note about an exchange; `ex` is its number, from 1."""

    ex: int
    ts_ns: int
    dir: Direction


class Asked(Note, frozen=True, tag="ask"):
    """A request's head. `target` is path and query as sent; `headers` are lower-case names and values."""

    conn: int
    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""
    whole: bool = False


class Answered(Note, frozen=True, tag="answer"):
    """A response's head. `made_here` is why the tap answered itself, where upstream did not."""

    status: int
    headers: dict[str, str]
    body: bytes = b""
    whole: bool = False
    made_here: str | None = None


class Piece(Note, frozen=True, tag="piece"):
    """A piece of a body, as it passed."""

    data: bytes


class Ended(Note, frozen=True, tag="end"):
    """A body is over. `cut` says who or what cut it off; None when it is complete."""

    cut: str | None = None


class Trouble(Note, frozen=True, tag="trouble"):
    """Something on a connection that never became an exchange (`ex` is 0)."""

    conn: int
    status: int
    why: str


class StillOpen(Note, frozen=True, tag="still"):
    """An exchange that goes on, with its heads once more: what came before them is not needed any longer."""

    asked: Asked
    answered: Answered | None


class RollCall(Note, frozen=True, tag="roll"):
    """After a loss: the exchanges that are under way; of any other, the end was lost."""

    open: list[int]


AnyNote = Asked | Answered | Piece | Ended | Trouble | StillOpen | RollCall

_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[AnyNote] = msgspec.msgpack.Decoder(AnyNote)


def encode(note: AnyNote) -> bytes:
    """A note as the spool carries it."""
    return _encoder.encode(note)


def decode(data: bytes) -> AnyNote:
    """The other way.

    Raises:
        msgspec.DecodeError: when it is no note.
    """
    return _decoder.decode(data)


class Sink(Protocol):
    """Where notes go: into the spool, before what they tell of is passed on."""

    def put(self, note: AnyNote) -> None:
        """Take a note; never raises for want of room, unless recording is strict."""

    def is_full(self) -> bool:
        """Whether more has to wait, because nothing may be left out."""

    async def room(self) -> None:
        """Wait while it is full."""


KEPT_HEADERS = frozenset({
    "content-type", "content-encoding", "accept", "mcp-session-id", "mcp-protocol-version", "last-event-id",
    "mcp-method", "mcp-name",
})  # fmt: skip
"""The headers that a record uses."""
