"""What inference sees of a session, and what it says."""

import msgspec

NOBODY = -1  # no call at all
CROWD = -2  # one of the many that never end, whichever


class Call(msgspec.Struct, frozen=True):
    """A request that may ask for input. Times are microseconds since the epoch; `end_seq` is where it stopped
    being open (None: it did not), `end_cause` why (answer, error, cancelled, session_end, open …). `late_seq` is where
    it was answered after its cancellation; `timed_out`: its result says that it waited in vain."""

    seq: int
    ts_us: int
    end_seq: int | None
    end_us: int | None
    end_cause: str
    cancelled_seq: int | None
    tool: str
    words: frozenset[str]
    result_words: frozenset[str]
    trace: str | None = None
    rpc_id: str = ""
    late_seq: int | None = None
    timed_out: bool = False


class Prompt(msgspec.Struct, frozen=True):
    """A prompt. `closed_seq` is where it stopped being open; `fixed` is its call when that is certain already.

    `template` is equal for prompts that differ only in values: the words of the message and the names of the fields.
    """

    seq: int
    item: int
    ts_us: int
    answer_seq: int | None
    answer_us: int | None
    closed_seq: int | None
    closed_us: int | None
    cancelled_seq: int | None
    cancel_reason: str | None
    action: str | None
    words: frozenset[str]
    answer_words: frozenset[str]
    template: str
    trace: str | None = None
    fixed: int | None = None


class Attribution(msgspec.Struct, frozen=True):
    """Whose a prompt is: `parent` is the seq of a call; `candidates` are (seq, weight), heaviest first. What the
    weights lack to 1 is the weight of no call at all."""

    seq: int
    item: int
    tier: str
    parent: int | None
    confidence: float
    evidence: tuple[str, ...]
    candidates: tuple[tuple[int, float], ...]


class Learned(msgspec.Struct, frozen=True):
    """What certain cases taught of one server: how often each tool asked with each template."""

    templates: dict[str, dict[str, int]] = {}
