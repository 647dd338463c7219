"""Lines on a pipe.

Two rules. A frame ends at LF, and a CR before it is not part of the frame. What stands after the last LF is a
frame of its own when the stream ends, and is marked as torn.
"""

import msgspec


class Frame(msgspec.Struct, frozen=True):
    """One line, without its end. `wire_bytes` counts what was on the wire, line end included."""

    data: bytes
    wire_bytes: int
    torn: bool = False


class LineFramer:
    """Cuts a stream of chunks into lines: any split of the same bytes gives the same frames.

    The buffer is bounded only by the longest line, which the protocol does not bound; the caller that must not
    grow watches `pending_bytes`.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.pending_bytes = 0

    def feed(self, chunk: bytes) -> list[Frame]:
        """Take the next chunk; give the frames that it completes."""
        if b"\n" not in chunk:
            if chunk:
                self._parts.append(chunk)
                self.pending_bytes += len(chunk)
            return []
        if not self._parts and chunk.index(b"\n") == len(chunk) - 1:
            return [_frame(chunk[:-1])]
        first, *rest = chunk.split(b"\n")
        self._parts.append(first)
        frames = [_frame(b"".join(self._parts))]
        last = rest.pop()
        frames.extend(_frame(line) for line in rest)
        self._parts = [last] if last else []
        self.pending_bytes = len(last)
        return frames

    def close(self) -> list[Frame]:
        """The stream ended: give what is left, if anything."""
        data = b"".join(self._parts)
        self._parts, self.pending_bytes = [], 0
        return [Frame(data, len(data), torn=True)] if data else []


def _frame(line: bytes) -> Frame:
    return Frame(line[:-1] if line.endswith(b"\r") else line, len(line) + 1)
