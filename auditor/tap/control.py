"""What pump and recorder tell each other: one page of shared memory.

Rules. Each field has one writer. The recorder's place is written in two slots in turn, and counts only once the number
that names the slot is written: a recorder killed in the middle leaves the older place, which is still right.

The pump loads this module: standard library only.
"""

from __future__ import annotations

import mmap
import struct

TYPE_CHECKING = False  # the real one costs loading `typing`, in a pump that needs it for this alone
if TYPE_CHECKING:
    from auditor.tap.place import Place

SIZE = mmap.PAGESIZE
FREED, TROUBLE, SLOT, SEALED, LOST, SERVER, READY = range(7)  # words; the pump writes LOST and SERVER
_SLOTS = (256, 512)
_PLACE = struct.Struct("<8q")


class Control:
    """The page behind a descriptor; `words` are its fields by the names above."""

    def __init__(self, fd: int) -> None:
        self._map = mmap.mmap(fd, SIZE)
        self.words = memoryview(self._map).cast("q")

    def keep(self, place: Place) -> None:
        """Note how far the recorder is."""
        count = self.words[SLOT] >> 1
        slot = 1 - (self.words[SLOT] & 1)
        flat = [n for pair in place.pending for n in pair]
        _PLACE.pack_into(self._map, _SLOTS[slot], place.done, place.seq, *flat)
        self.words[SLOT] = ((count + 1) << 1) | slot

    def place(self) -> Place:
        """How far a recorder before this one was; the beginning when there was none."""
        from auditor.tap.place import Place

        if self.words[SLOT] == 0:
            return Place()
        done, seq, *flat = _PLACE.unpack_from(self._map, _SLOTS[self.words[SLOT] & 1])
        return Place(done, seq, ((flat[0], flat[1]), (flat[2], flat[3]), (flat[4], flat[5])))
