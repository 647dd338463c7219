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
    trace: str | None = None
    rpc_id: str = ""


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

    def lean(self, template: str, tool: str) -> float:
        """How much a template speaks for a tool, as a log-likelihood ratio; 0 when nothing is known."""
        seen = self.templates.get(template)
        if not seen:
            return 0.0
        total = sum(seen.values())
        return _LEAN * (seen.get(tool, 0) / total - 0.5) * total / (total + 2)


_LEAN = 8.0  # a template seen often, and from one tool only, weighs about e^4 against another tool


def learn(pairs: list[tuple[str, str]], before: Learned | None = None) -> Learned:
    """Learn from (template, tool) of certain cases, on top of what was known."""
    known = before or Learned()
    if not pairs:
        return known
    templates = dict(known.templates)
    for template, tool in pairs:
        seen = templates.get(template, {})
        templates[template] = {**seen, tool: seen.get(tool, 0) + 1}
    return Learned(templates)
