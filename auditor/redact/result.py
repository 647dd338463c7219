"""What redaction gives back."""

from typing import Any

import msgspec


class Redaction(msgspec.Struct, frozen=True, array_like=True):
    """A secret that was taken out. `where` is a JSON pointer into the message (or `/stderr`, `/cmd/3`,
    `/env/NAME`, `/headers/authorization`, `/path`); `fp` is null for what could be guessed."""

    where: str
    kind: str
    fp: str | None = None


class Redacted(msgspec.Struct, frozen=True):
    """A text with its secrets taken out.

    `text` is the input byte for byte when `hits` is empty. `value` is `text` decoded (None when it is no JSON).
    When `error` is set redaction failed: `text` is empty, and nothing of the input may be stored but
    what the envelope of `value` (method, id) says.
    """

    text: bytes
    value: Any = None
    hits: list[Redaction] = []
    error: str | None = None
