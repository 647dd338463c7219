"""Shapes of tokens: literal text and sets, turned into patterns that are matched where the literal text was found."""

import re
from typing import NamedTuple

SETS = {
    "hex": "[0-9a-f]", "HEX": "[0-9A-F]", "xhex": "[0-9A-Fa-f]", "dec": "[0-9]", "up": "[A-Z0-9]", "lo": "[a-z0-9]",
    "an": "[A-Za-z0-9]", "w": r"\w", "u": "[A-Za-z0-9_-]", "ua": "[A-Za-z0-9_.-]",
    "b64": "(?:[A-Za-z0-9+/=_-]|%2[BFbf]|%3[Dd])",
}  # fmt: skip
_PART = re.compile(r"\{(\w+):(\d+)(\+|-\d+)?\}")
_LONGEST = 4000  # of one open-ended part: keeps a hostile text linear


class Shape(NamedTuple):
    """One shape: `literal` begins it, `pattern` matches all of it."""

    literal: str
    pattern: re.Pattern[str]


def shape(text: str) -> Shape:
    """Compile one shape, as `detectors/tokens.toml` explains them.

    Raises:
        ValueError: when it does not begin with literal text or names an unknown set.
    """
    body, _, end = text.partition("|")
    out, at, last = [], 0, ""
    for m in _PART.finditer(body):
        if m[1] not in SETS:
            raise ValueError(f"the shape {text!r} names the set {m[1]!r}, which there is not")
        last = SETS[m[1]]
        out.append(re.escape(body[at : m.start()]))
        least, more = int(m[2]), m[3] or ""
        most = _LONGEST if more == "+" else int(more[1:]) if more else least
        out.append(f"{last}{{{least},{most}}}" if most != least else f"{last}{{{least}}}")
        at = m.end()
    out.append(re.escape(body[at:]))
    literal = body.partition("{")[0]
    if len(literal) < 2:
        raise ValueError(f"the shape {text!r} begins with too little literal text to be found by")
    if end == "end" and last:
        out.append(f"(?!{last})")
    return Shape(literal, re.compile("".join(out), re.ASCII))
