"""How far a recorder is."""

from typing import NamedTuple


class Place(NamedTuple):
    """Everything before spool offset `done` is in the journal, which then held `seq` records.

    `pending` holds (offset of a piece, byte in its data) where an unfinished line begins, for client, server and
    stderr; (-1, 0) where there is none.
    """

    done: int = 0
    seq: int = 0
    pending: tuple[tuple[int, int], tuple[int, int], tuple[int, int]] = ((-1, 0), (-1, 0), (-1, 0))
