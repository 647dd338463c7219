"""What everything recorded passes through before it reaches a disk.

Rules. Redaction is on, always. A message keeps its text byte for byte unless it holds a secret. What a user typed into
a field that asks for a secret is one, whatever it looks like; a secret that was found once is looked for from then on.
Whatever goes wrong, nothing of the text is stored.
"""

import json
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from auditor.files import find_policy
from auditor.redact import policy as policies
from auditor.redact.document import Secret
from auditor.redact.engine import Engine, failed
from auditor.redact.fingerprints import Key, load_keys
from auditor.redact.hide import hidden, metadata
from auditor.redact.prompts import Prompts
from auditor.redact.result import Redacted, Redaction
from auditor.redact.text import Scanner, Words
from auditor.redact.urls import without_query_values
from auditor.wire.jsontext import Parsed, apart, parse

_REMEMBERED = 512  # secrets of a capture that are looked for in what follows
_FRESH = 32  # spellings that are looked for one by one: more are cheaper together
_LEAST_REMEMBERED = 6  # characters; shorter ones stand everywhere by chance


class Redactor:
    """What a store's policy and key say, ready to be applied."""

    def __init__(self, policy: policies.Policy, policy_hash: str, keys: list[Key]) -> None:
        self.policy, self.policy_hash = policy, policy_hash
        self.keys = keys
        self.key_id = keys[-1].id if keys else ""
        self.content_level = policies.effective(policy, None, None).content
        self._scanner = scanner(tuple((d.kind, tuple(d.shapes)) for d in policy.detector))

    @classmethod
    def load(cls, db: Path, policy_start: Path | None = None) -> "Redactor":
        """For a database: its fingerprint key (made when there is none), and the policy that holds in a folder.

        Raises:
            UsageError: when the policy is not understood.
            StoreError: when the key cannot be had.
        """
        policy, digest = policies.load(find_policy(policy_start))
        return cls(policy, digest, load_keys(db))

    def for_capture(self, server: str | None) -> "CaptureRedactor":
        """For one capture of a server, known by the name that it was given."""
        return CaptureRedactor(self, server)

    def engine(self, effective: policies.Effective) -> Engine:
        """The detectors under what holds for a server or tool."""
        import re

        fingerprint = self.keys[-1].fingerprint if self.keys else (lambda _value: "")
        denied = [re.compile(d.pattern) for d in effective.deny if d.pattern is not None]
        keys = frozenset(d.key for d in effective.deny if d.key is not None)
        allow = effective.allow
        allowed = (lambda kind, value: policies.allows(allow, kind, value)) if allow else None
        return Engine(self._scanner, fingerprint, allowed, denied, keys)


@lru_cache(maxsize=4)
def scanner(extra: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> Scanner:
    """The detectors, with those of a policy."""
    return Scanner({kind: list(shapes) for kind, shapes in extra})


class CaptureRedactor:
    """Redaction of one capture: knows what was asked, and what was found before."""

    def __init__(self, redactor: Redactor, server: str | None) -> None:
        self._redactor, self._server = redactor, server
        self._prompts = Prompts()
        self._known: OrderedDict[str, Secret] = OrderedDict()
        self._words: Words | None = None
        self._fresh: dict[str, None] = {}  # spellings of those that `_words` lacks
        self._for_tool: dict[str | None, tuple[policies.Effective, Engine]] = {}

    def _rules(self, tool: str | None) -> tuple[policies.Effective, Engine]:
        named = self._redactor.policy.server.get(self._server or "")
        key = tool if named is not None and tool in named.tool else None
        if key not in self._for_tool:
            effective = policies.effective(self._redactor.policy, self._server, key)
            self._for_tool[key] = (effective, self._redactor.engine(effective))
        return self._for_tool[key]

    def message(self, raw: bytes, parsed: Parsed, direction: str) -> Redacted:
        """Redact one message (an element of a batch counts as one)."""
        try:
            return self._message(raw, parsed, direction)
        except Exception as e:  # noqa: BLE001  # whatever it is, the text must not be stored
            return failed(parsed.value, f"redaction failed: {type(e).__name__}")

    def _message(self, raw: bytes, parsed: Parsed, direction: str) -> Redacted:
        value = parsed.value
        forced = self._prompts.look(value, direction)
        effective, engine = self._rules(self._prompts.tool)
        if effective.content != "full":
            shown = metadata(value) if effective.content == "metadata" else hidden(value, self._prompts.answering)
            if shown is not value:
                text = _encode(shown)
                raw, value = text.encode("utf-8", "surrogatepass"), shown
                parsed = Parsed(value)
        text = raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        known = self._recall(text)
        if not forced and not known and not parsed.duplicates and not parsed.lenient and engine.clean(raw, text, value):
            return Redacted(raw, value)
        read = _Reader(parsed)
        new, done, hits, secrets = engine.document(text, read.value(text, value), read, forced, known)
        self._remember(secrets)
        if not hits:
            return Redacted(raw, value)
        return Redacted(new.encode("utf-8", "surrogatepass"), read.plain(new, done), hits)

    def text(self, data: bytes, where: str) -> Redacted:
        """Redact a text that is no message: a line of stderr, junk, a body."""
        try:
            effective, engine = self._rules(None)
            text = data.decode("utf-8", "surrogateescape")
            if effective.content == "metadata":
                return Redacted(b"", None, [])
            new, hits, secrets = engine.text(text, where, self._recall(text))
            self._remember(secrets)
            return Redacted(new.encode("utf-8", "surrogateescape") if hits else data, None, hits)
        except Exception as e:  # noqa: BLE001  # whatever it is, the text must not be stored
            return failed(None, f"redaction failed: {type(e).__name__}")

    def argv(self, argv: list[str]) -> tuple[list[str], list[Redaction]]:
        """Redact a command line."""
        return self._value(argv, "/cmd", [])

    def environ(self, env: Mapping[str, str]) -> tuple[dict[str, str], list[Redaction]]:
        """Redact an environment."""
        return self._value(dict(env), "/env", {})

    def url(self, url: str, where: str) -> tuple[str, list[Redaction]]:
        """Redact a URL. Of its query, only names and the ids of sessions are kept: any value may log somebody in."""
        done = self.text(url.encode("utf-8", "surrogateescape"), where)
        return without_query_values(done.text.decode("utf-8", "replace")), done.hits

    def header(self, name: str, value: str) -> tuple[str, list[Redaction]]:
        """Redact the value of a header."""
        done, hits = self._value({name: value}, "/headers", {name: ""})
        return done[name], hits

    def _value(self, value: Any, where: str, otherwise: Any) -> tuple[Any, list[Redaction]]:
        try:
            _, engine = self._rules(None)
            text = _encode(value)
            _, new, hits, secrets = engine.document(text, value, json.loads, frozenset(), self._recall(text))
            self._remember(secrets)
            return new, [Redaction(where + h.where, h.kind, h.fp) for h in hits]
        except Exception:  # noqa: BLE001  # whatever it is, the text must not be stored
            return otherwise, [Redaction(where, "unredacted", None)]

    def _recall(self, text: str) -> list[Secret]:
        """The secrets found before that stand in this text."""
        if not self._known:
            return []
        if len(self._fresh) > max(_FRESH, len(self._known) // 4):
            self._words = Words(sorted({s for v in self._known for s in _spelled(v)}))
            self._fresh.clear()
        for s in self._fresh:
            if s in text:
                return list(self._known.values())
        return list(self._known.values()) if self._words is not None and any(self._words.find(text)) else []

    def _remember(self, secrets: list[Secret]) -> None:
        for s in secrets:
            if len(s.value) < _LEAST_REMEMBERED or s.value in self._known or (s.value.isalpha() and len(s.value) < 16):
                continue
            self._known[s.value] = s
            self._fresh.update(dict.fromkeys(_spelled(s.value)))
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)


def _spelled(value: str) -> tuple[str, ...]:
    """A value as it may stand in JSON."""
    escaped = json.dumps(value)[1:-1]
    return (value,) if escaped == value else (value, escaped)


class _Reader:
    """Reads a document as its message was read, with every repeated key kept apart."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed

    def value(self, text: str, value: Any) -> Any:
        """The document to be looked at."""
        return self(text) if self._parsed.duplicates else value

    def __call__(self, text: str) -> Any:
        if self._parsed.duplicates:
            return apart(text)
        return json.loads(text) if self._parsed.lenient else msgspec.json.decode(text)

    def plain(self, text: str, done: Any) -> Any:
        """The document as a reader of the stored text has it."""
        if not self._parsed.duplicates:
            return done
        again = parse(text.encode("utf-8", "surrogatepass"))
        return again.value if isinstance(again, Parsed) else None


def _encode(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
