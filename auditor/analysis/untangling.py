"""A share of the work of inference, here or in a process of its own: from rows and texts to what is said of prompts.

Rules. A job brings along all that is looked at; it touches no database.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from auditor.analysis.words import TIMED_OUT, of_answer, of_call, of_result, payload, template
from auditor.attribution.infer import untangle
from auditor.attribution.model import Call, Learned, Prompt
from auditor.crew import Work, serve


class Item(msgspec.Struct, array_like=True):
    """A call or a prompt (`asked`) as a row of `auditor.analysis.attribute`, its text and that of its answer."""

    asked: bool
    row: tuple[Any, ...]
    text: str | None
    answer: str | None


class Tangle(msgspec.Struct, array_like=True):
    """A session: calls and prompts in recorded order, of its undecided stretches."""

    session: str
    server: str
    items: list[Item]


class Job(msgspec.Struct, array_like=True):
    """Sessions to untangle, and what was learned of each server."""

    tangles: list[Tangle]
    known: dict[str, Learned]
    threshold: float
    grace_us: int


Said = list[tuple[Any, ...]]
"""Rows: session, seq, item, tier, parent, confidence, evidence, candidates."""


def run(job: Job) -> Said:
    """Untangle the sessions of a job."""
    return [row for tangle in job.tangles for row in _said(tangle, job)]


def _said(tangle: Tangle, job: Job) -> Iterator[tuple[Any, ...]]:
    items = (_prompt(i) if i.asked else _call(i) for i in tangle.items)
    for found in untangle(items, job.known.get(tangle.server, Learned()), job.threshold, job.grace_us):
        candidates = [{"seq": seq, "weight": weight} for seq, weight in found.candidates]
        evidence = list(found.evidence)
        yield tangle.session, found.seq, found.item, found.tier, found.parent, found.confidence, evidence, candidates


def _call(item: Item) -> Call:
    _, _, seq, ts, end_seq, end, cause, failed, cancelled, tool, answered, trace, rpc_id = item.row
    answer = item.answer
    return Call(
        seq, ts, end_seq, end, "error" if cause == "answer" and failed else cause, cancelled, tool,
        of_call(item.text, tool), of_result(answer), trace, rpc_id, answered if cause == "cancelled" else None,
        bool(failed and answer and TIMED_OUT.search(answer)),
    )  # fmt: skip


def _prompt(item: Item) -> Prompt:
    _, _, seq, number, ts, answer, answered, closed, end, cause, cancelled, reason, action, *rest = item.row
    message, schema, trace, fixed, _ = rest
    over = cause in ("answer", "cancelled")
    return Prompt(
        seq, number, ts, answer, answered, closed if over else None, end if over else None, cancelled, reason, action,
        payload(item.text), of_answer(item.answer, action), template(message, schema), trace, fixed,
    )  # fmt: skip


WORK = Work(__name__, run, Said)

if __name__ == "__main__":
    serve(run, Job)
