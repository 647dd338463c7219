"""`auditor redact`: a filter from stdin to stdout.

A line that is JSON is treated as a message, another one as text. A text that opens a key block is held back until the
block ends, so that a key over many lines is seen whole.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from auditor.cli.diagnostics import say
from auditor.cli.values import to_json
from auditor.redact.redactor import CaptureRedactor, Redactor
from auditor.redact.result import Redacted
from auditor.wire.jsontext import Parsed, parse

MAX_HELD_LINES = 400  # of a key block without an end; the longest keys have under 150
_OPENS, _CLOSES = b"-----BEGIN ", b"-----END "


def redact_stdin(db: Path, *, explain: bool) -> None:
    """Copy stdin to stdout without its secrets; what was taken out goes to stderr when explained."""
    redactor = Redactor.load(db, Path.cwd()).for_capture(None)
    out = sys.stdout.buffer
    for number, block in _blocks(sys.stdin.buffer):
        text = block.rstrip(b"\r\n")
        done = _redacted(redactor, text)
        out.write(done.text + block[len(text) :])
        out.flush()
        if explain:
            for hit in done.hits:
                mark = f", fingerprint {hit.fp}" if hit.fp else ""
                say(f"line {number}, {hit.where}: {hit.kind}{mark}")


def _blocks(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The input as (number of the first line, lines that belong together)."""
    held: list[bytes] = []
    first = 0
    for number, line in enumerate(stream, 1):
        if not held and (_OPENS not in line or _CLOSES in line):
            yield number, line
            continue
        first = first if held else number
        held.append(line)
        if _CLOSES in line or len(held) >= MAX_HELD_LINES:
            yield first, b"".join(held)
            held = []
    if held:
        yield first, b"".join(held)


def _redacted(redactor: CaptureRedactor, text: bytes) -> Redacted:
    parsed = parse(text) if text.strip() else None
    if not isinstance(parsed, Parsed) or not isinstance(parsed.value, dict | list):
        done = redactor.text(text, "/stdin")
        return done if done.error is None else Redacted(b"[REDACTED:redaction-failed]")
    done = redactor.message(text, parsed, _direction(parsed.value))
    if done.error is None:
        return done
    known = parsed.value if isinstance(parsed.value, dict) else {}
    kept = {k: known[k] for k in ("jsonrpc", "id", "method") if k in known}
    return Redacted(to_json(kept | {"redaction_error": done.error}).encode())


def _direction(value: Any) -> str:
    """Who sends a message of this kind, as far as that can be told: what a user answered comes from the client."""
    if not isinstance(value, dict):
        return "s2c"
    method = value.get("method")
    if isinstance(method, str):
        return "s2c" if method.startswith(_ASKED_BY_SERVERS) else "c2s"
    result = value.get("result")
    return "c2s" if isinstance(result, dict) and "action" in result else "s2c"


_ASKED_BY_SERVERS = ("elicitation/", "sampling/", "roots/", "notifications/message", "notifications/elicitation")
