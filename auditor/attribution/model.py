"""What inference sees of a session, and what it says."""

import msgspec


class Call(msgspec.Struct, frozen=True):
    """A request that may ask for input. Times are microseconds since the epoch; `end_seq` is where it stopped
    being open (None: it did not), `end_cause` why (answer, error, cancelled, session_end, open …)."""

    seq: int
    ts_us: int
    end_seq: int | None
    end_us: int | None
    end_cause: str
    cancelled_seq: int | None
    tool: str
    words: frozenset[str]
    result_words: frozenset[str]
    error_text: str | None
    progress_us: tuple[int, ...] = ()
    trace: str | None = None


class Prompt(msgspec.Struct, frozen=True):
    """A prompt. `fixed` is its call when that is certain already."""

    seq: int
    item: int
    ts_us: int
    answer_seq: int | None
    answer_us: int | None
    closed_seq: int | None
    cancelled_seq: int | None
    cancel_reason: str | None
    action: str | None
    words: frozenset[str]
    answer_words: frozenset[str]
    template: str
    trace: str | None = None
    fixed: int | None = None


class Attribution(msgspec.Struct, frozen=True):
    """Whose a prompt is: `parent` is the seq of a call; `candidates` are (seq, weight), heaviest first."""

    seq: int
    item: int
    tier: str
    parent: int | None
    confidence: float
    evidence: tuple[str, ...]
    candidates: tuple[tuple[int, float], ...]


class Learned(msgspec.Struct, frozen=True):
    """What earlier sessions taught."""
