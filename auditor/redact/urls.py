"""Queries of URLs: whatever their values look like, they are not kept."""

import re

OMITTED = "[omitted]"
_SESSION = re.compile(r"session_?id", re.IGNORECASE)
_MARK = re.compile(r"\[REDACTED:[^\]]*\]")


def without_query_values(url: str) -> str:
    """A URL without the values in its query, but for ids of sessions (they tell who is who) and what was redacted."""
    head, mark, query = url.partition("?")
    if not mark:
        return head.partition("#")[0]
    return f"{head}?{'&'.join(map(_parameter, query.partition('#')[0].split('&')))}"


def _parameter(text: str) -> str:
    name, equals, value = text.partition("=")
    if not equals:
        value, name = name, ""
    if not value or (equals and _SESSION.fullmatch(name)):
        return text
    marks = _MARK.findall(text)
    return f"{_MARK.sub('', name)}{equals}{''.join(marks) or OMITTED}"
