"""What a form field asks for."""

import re

_SECRET = re.compile(r"(?i)password|passwd|secret|api[_ -]?key|token|otp|pin\b|card")


def sensitive_kind(
    name: str, title: str | None, description: str | None, message: str | None, format: str | None
) -> str | None:
    """The kind of secret that a field asks for, None when it asks for none."""
    return "credential" if _SECRET.search(" ".join(filter(None, (name, title, description)))) else None
