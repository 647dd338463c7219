"""Lines on a pipe: whatever the split, the frames are the same, and nothing of the bytes is lost."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from auditor.wire.frames import Frame, LineFramer

_PARTS = [b"\n", b"\r", b"\r\n", b"a", b"\x00", b"\xff", b"\xef\xbb\xbf", b"{}"]
_BYTES = st.lists(st.sampled_from(_PARTS)).map(b"".join)


def _frames(chunks: list[bytes]) -> list[Frame]:
    framer = LineFramer()
    return [frame for chunk in chunks for frame in framer.feed(chunk)] + framer.close()


@given(_BYTES, st.lists(st.integers(0, 60)))
def test_any_split_gives_the_same_frames(data: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(data), *(c for c in cuts if c < len(data))})
    chunks = [data[a:b] for a, b in itertools.pairwise(places)]
    assert _frames(chunks) == _frames([data]) == _frames([data[i : i + 1] for i in range(len(data))])


@given(_BYTES)
def test_every_byte_is_counted(data: bytes) -> None:
    assert sum(frame.wire_bytes for frame in _frames([data])) == len(data)


@given(_BYTES)
def test_what_waits_is_what_follows_the_last_line_end(data: bytes) -> None:
    framer = LineFramer()
    framer.feed(data)
    assert framer.pending_bytes == len(data) - (data.rfind(b"\n") + 1)


def test_a_carriage_return_is_no_part_of_a_line_and_an_unfinished_line_is_torn() -> None:
    assert _frames([b"one\r\ntwo\n", b"thr", b"ee"]) == [
        Frame(b"one", 5),
        Frame(b"two", 4),
        Frame(b"three", 5, torn=True),
    ]


def test_a_carriage_return_split_from_its_line_feed() -> None:
    assert _frames([b"one\r", b"\n"]) == [Frame(b"one", 5)]
