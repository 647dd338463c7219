"""The page that lists every rule, made from the rules' headers and their cases, so that it cannot drift.

`python -m auditor.rules.docs` writes it, from a checkout.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from auditor.rules.model import Rule
from auditor.rules.registry import all_rules

_CASE = re.compile(r"^(fires|silent): (.+)$")
_HEAD = """\
# Rules

What `auditor findings` can say, why it matters, and how to mend it. This page is generated from the headers in
`queries/rules/` and the cases in `tests/*/cases/` by `python -m auditor.rules.docs`; do not edit it.

Severity says how grave it is: a `violation` breaks a MUST of the protocol, a `warning` a SHOULD or common sense,
`policy` is for an organisation to judge, `info` is worth knowing. Confidence says how sure the rule is of what it saw;
a finding can be less sure than its rule, after a gap in the record for one. `auditor check` gates on both.

Cases read like transcripts: `>` is the client, `<` the server; then the id (`-` for a notification) and the method
with its params, `=` and a result, or `!` and an error. `session` stands for the handshake with the capabilities given
(since 2026-07-28 for what each request says of its client), `+5s` for time that passes; between lines a tenth of a
second does.
"""


def render(rules: Iterable[Rule], cases: Mapping[str, str]) -> str:
    """The page as Markdown; `cases` holds the text of each rule's cases by its id."""
    rules = list(rules)
    table = ["| rule | severity | confidence | party | what |", "| --- | --- | --- | --- | --- |"]
    table += [f"| [{r.id}](#{r.id.lower()}) | {r.severity} | {r.confidence} | {r.party} | {r.title} |" for r in rules]
    return "\n".join([_HEAD, *table, "", *(_section(r, cases.get(r.id, "")) for r in rules)])


def _section(rule: Rule, text: str) -> str:
    lines = [
        f"## {rule.id}",
        f"**{rule.title}.** {rule.why}",
        "",
        f"- fix: {rule.fix}",
        f"- {rule.severity}, {rule.confidence} confidence, to be mended by: {rule.party}"
        + (f"; a finding may say another {' or '.join(rule.overrides)}" if rule.overrides else ""),
        f"- holds in: {', '.join(rule.revisions)}",
        f"- source: {rule.source}",
        f"- frameworks: {', '.join(rule.frameworks)}",
    ]
    lines += [f"- parameter `{p.name}` = {p.default}: {p.description}" for p in rule.params]
    for kind, title, shown in _split(text):
        lines += ["", f"{'Fires' if kind == 'fires' else 'Silent'}: {title}", "", "```text", *shown, "```"]
    return "\n".join([*lines, ""])


def _split(text: str) -> list[tuple[str, str, list[str]]]:
    """The cases of a file: (fires or silent, title, lines)."""
    found: list[tuple[str, str, list[str]]] = []
    for line in text.splitlines():
        if m := _CASE.match(line):
            found.append((m[1], m[2], []))
        elif found and line.strip() and not line.startswith("expect "):
            found[-1][2].append(line)
    return found


def page(root: Path) -> str:
    """The page of a checkout."""
    cases = {p.stem: p.read_text("utf-8") for p in sorted((root / "tests").glob("*/cases/*.txt"))}
    return render(all_rules(), cases)


def main() -> None:
    """Write `docs/rules.md` of the checkout that this module stands in."""
    root = Path(__file__).parents[2]
    (root / "docs" / "rules.md").write_text(page(root), "utf-8")


if __name__ == "__main__":
    main()
