"""Secrets out of messages: the interface that everything recorded passes through."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from auditor.redact.result import Redacted, Redaction
from auditor.wire.jsontext import Parsed

_KEY = re.compile(r"(?i)(password|passwd|secret|api_?-?key|token|authorization|otp|pin)$")
_BENIGN = re.compile(r"(?i)progresstoken|requeststate|max_?tokens|pagetoken|cursor")


class Redactor:
    """What a store's policy says, ready to be applied."""

    def __init__(self) -> None:
        self.policy_hash, self.key_id, self.content_level = "", "", "full"

    @classmethod
    def load(cls, db: Path, policy_start: Path | None = None) -> "Redactor":
        """For a database."""
        return cls()

    def for_capture(self, server: str | None) -> "CaptureRedactor":
        """For one capture of a server."""
        return CaptureRedactor()


class CaptureRedactor:
    """Redaction of one capture."""

    def message(self, raw: bytes, parsed: Parsed, direction: str) -> Redacted:
        """Redact one message."""
        hits: list[Redaction] = []
        value = _walk(parsed.value, "", hits)
        return Redacted(msgspec.json.encode(value), value, hits) if hits else Redacted(raw, parsed.value)

    def text(self, data: bytes, where: str) -> Redacted:
        """Redact text."""
        return Redacted(data)

    def argv(self, argv: list[str]) -> tuple[list[str], list[Redaction]]:
        """Redact a command line."""
        return argv, []

    def environ(self, env: Mapping[str, str]) -> tuple[dict[str, str], list[Redaction]]:
        """Redact an environment."""
        return {k: v for k, v in env.items() if not _KEY.search(k)}, []

    def url(self, url: str, where: str) -> tuple[str, list[Redaction]]:
        """Redact a URL."""
        return url, []

    def header(self, name: str, value: str) -> tuple[str, list[Redaction]]:
        """Redact a header."""
        return value, []


def _walk(value: Any, where: str, hits: list[Redaction]) -> Any:
    if isinstance(value, list):
        return [_walk(v, f"{where}/{i}", hits) for i, v in enumerate(value)]
    if not isinstance(value, dict):
        return value
    out = {}
    for k, v in value.items():
        if isinstance(v, str) and _KEY.search(k) and not _BENIGN.search(k):
            hits.append(Redaction(f"{where}/{k}", "key"))
            out[k] = "[REDACTED:key]"
        else:
            out[k] = _walk(v, f"{where}/{k}", hits)
    return out
