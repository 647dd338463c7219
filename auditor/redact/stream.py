"""Redaction as a filter: one line of NDJSON or of text at a time."""

from auditor.redact.redactor import CaptureRedactor
from auditor.redact.result import Redacted
from auditor.wire.jsontext import Parsed, parse


def redact_line(line: bytes, redactor: CaptureRedactor) -> Redacted:
    """Redact one line, without its end: a message where it is one, else text."""
    parsed = parse(line)
    if isinstance(parsed, Parsed) and isinstance(parsed.value, (dict, list)):
        return redactor.message(line, parsed, "s2c")
    return redactor.text(line, "/line")
