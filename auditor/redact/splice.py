"""Writing a document back with only its secrets changed.

Rules. The text as sent is kept, and the leaves that change are replaced in it where they stand. That it worked is
proved by reading the result: it must be the document that is wanted. Where it did not, the document is written anew.
"""

import json
import re
from collections.abc import Callable, Iterator
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from auditor.redact.document import Edit

_MOST_EDITS = 2000  # beyond this many, writing anew is cheaper than looking for places


def splice(text: str, wanted: Any, edits: list[Edit], read: Callable[[str], Any]) -> str:
    """`text` with `edits` made, such that `read` of it gives `wanted`."""
    if len(edits) <= _MOST_EDITS:
        spliced = _replace(text, edits)
        if spliced is not None:
            try:
                if read(spliced) == wanted:
                    return spliced
            except ValueError:
                pass
    return json.dumps(wanted, ensure_ascii=False, separators=(",", ":"))


def splice_texts(text: str, edits: list[tuple[str, str]]) -> str | None:
    """`text`, a readable document, with `edits` of texts made; None where one stands twice, and nobody can tell which
    is meant. In such a document a text is spelled in one way only."""
    escapes = "\\" in text
    for old, new in edits:
        quoted = f'"{_escaped(old) if escapes else old}"'
        at = text.find(quoted)
        if at < 0 or text.find(quoted, at + 1) >= 0:
            return None
        if escapes or '"' in new or "\\" in new:
            new = _escaped(new)
        text = f'{text[:at]}"{new}"{text[at + len(quoted) :]}'
    return text


def _escaped(text: str) -> str:
    if "\\" in text or '"' in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def _replace(text: str, edits: list[Edit]) -> str | None:
    for edit in {(e.key, type(e.old), e.old): e for e in edits}.values():
        new = _plain(edit.new)
        for old in _spellings(edit.old):
            if old in text:
                text = _put(text, edit.key, old, new)
                break
        else:
            return None
    return text


def _put(text: str, key: str | None, old: str, new: str) -> str:
    if key and (len(old) < 12 or not old.startswith('"')):
        for name in _spellings(key):
            found = re.compile(re.escape(name) + r"(\s*:\s*)" + re.escape(old) + r"(?=[\s,}\]])")
            text = found.sub(lambda m, name=name: name + m[1] + new, text)  # type: ignore[misc]
        return text
    return text.replace(old, new)


def _plain(value: Any) -> str:
    return encode_basestring(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _spellings(value: Any) -> Iterator[str]:
    """The ways in which JSON writers spell a value."""
    plain = _plain(value)
    yield plain
    if isinstance(value, str):
        escaped = encode_basestring_ascii(value)
        if escaped != plain:
            yield escaped
            yield re.sub(r"\\u[0-9a-f]{4}", lambda m: m[0][:2] + m[0][2:].upper(), escaped)
        for spelling in (plain, escaped):
            if "/" in spelling:
                yield spelling.replace("/", "\\/")
            html = spelling.translate(_HTML)
            if html != spelling:
                yield html


_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
