"""Framing of server-sent events: what a browser would dispatch, whatever the chunks."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.wire.sse import SseEvent, SseFramer


def frame(*chunks: bytes) -> list[SseEvent]:
    framer = SseFramer()
    events = [event for chunk in chunks for event in framer.feed(chunk)]
    return events + framer.close()


@pytest.mark.parametrize(
    ("text", "events"),
    [
        (b"data: a\n\n", [SseEvent(b"a")]),
        (b"data:a\r\n\r\n", [SseEvent(b"a")]),
        (b"data: a\r\rdata: b\r\r", [SseEvent(b"a"), SseEvent(b"b")]),
        (b"\xef\xbb\xbfdata: a\n\n", [SseEvent(b"a")]),
        (b"data: a\ndata: b\ndata\n\n", [SseEvent(b"a\nb\n")]),
        (b"data:  two\n\n", [SseEvent(b" two")]),
        (b": ping\n\n: ping\n\n", []),
        (b"event: message\nid: 7\ndata: {}\n\n", [SseEvent(b"{}", "message", "7")]),
        (b"id: 1\nretry: 500\ndata:\n\n", [SseEvent(b"", None, "1", 500)]),
        (b"retry: soon\nid: a\x00b\ndata: x\n\n", [SseEvent(b"x")]),
        (b"event: gone\n\ndata: x\n\n", [SseEvent(b"x")]),
        (b"colour: red\nDATA: no\ndata: x\n\n", [SseEvent(b"x")]),
        (b"data: cut", [SseEvent(b"cut", torn=True)]),
        (b"data: cut\n", [SseEvent(b"cut", torn=True)]),
    ],
)
def test_events(text: bytes, events: list[SseEvent]) -> None:
    assert frame(text) == events


_pieces = st.sampled_from(
    [b"data", b": ", b":", b"\n", b"\r", b"\r\n", b"id", b"event", b"retry", b"12", b"x", b"\xef\xbb\xbf"]
)


@given(st.lists(_pieces, max_size=40).map(b"".join), st.data())
def test_any_split_gives_the_same_events(text: bytes, data: st.DataObject) -> None:
    whole = frame(text)
    assert frame(*(text[i : i + 1] for i in range(len(text)))) == whole
    at = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=5)))
    cuts = [0, *at, len(text)]
    assert frame(*(text[a:b] for a, b in pairwise(cuts))) == whole


def test_a_large_event_costs_linear_time() -> None:
    def cost(size: int) -> float:
        chunk, framer, began = b"x" * 4096, SseFramer(), time.thread_time()
        framer.feed(b"data: ")
        for _ in range(size // 4096):
            framer.feed(chunk)
        (event,) = framer.feed(b"\n\n")
        assert len(event.data) == size // 4096 * 4096
        return time.thread_time() - began

    cost(1 << 20)
    assert cost(20 << 20) < 12 * max(cost(5 << 20), 0.004)


def test_many_data_lines_cost_linear_time() -> None:
    framer, began = SseFramer(), time.thread_time()
    for _ in range(50_000):
        framer.feed(b"data: xxxxxxxxxxxxxxxxxxxx\n")
    (event,) = framer.feed(b"\n")
    assert event.data.count(b"\n") == 49_999
    assert time.thread_time() - began < 1.5
