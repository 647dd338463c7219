"""Texts inside texts: base64 and percent-encoding.

Rules. Only what is marked as encoded is decoded: by its alphabet, and by decoding to text. What is found inside is put
back in the same encoding, so that the rest of the text stays as it was.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9+/_=-])", re.ASCII)
LEAST_PERCENT = 3  # characters of a text that can be percent-encoded: %41
LEAST_BASE64 = 20  # characters in a row from which on they are decoded
_RUN = b"x" * LEAST_BASE64
_WINDOW = 1 << 18  # bytes of a large text that are looked at together: memory is bounded
_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_ALPHABET = bytes(120 if c in _CHARACTERS else 32 for c in range(256))
_MEDIA = ("iVBOR", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "SUkq", "T2dnUw", "SUQz", "UEsDB", "H4sI", "d09G", "AAEAAAA")
_LONGEST = 4_000_000  # characters of one run that are decoded
_PERCENT = re.compile(r"(?:[A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+", re.ASCII)
_HEX = re.compile(r"(?:0x)?(?:[0-9a-fA-F]{2}){12,}", re.ASCII)
_IS_HEX = -1  # in place of the characters skipped: the run was hexadecimal
_KEPT = "[]:="  # characters of a marker that stay readable


def has_run(data: bytes) -> bool:
    """Whether a text (as UTF-8) can hold base64: cheap, and never wrong with its no."""
    if len(data) <= _WINDOW:
        return _RUN in data.translate(_ALPHABET)
    return any(
        _RUN in data[at : at + _WINDOW + LEAST_BASE64].translate(_ALPHABET) for at in range(0, len(data), _WINDOW)
    )


def run_starts(text: str) -> list[int]:
    """Where runs of base64 may begin, one at least in each that holds no quotation mark."""
    shown = text.encode("ascii", "replace").translate(_ALPHABET)
    found = []
    at = shown.find(_RUN)
    while at >= 0:
        found.append(at)
        end = text.find('"', at)
        at = shown.find(_RUN, end) if end >= 0 else -1
    return found


def base64_runs(text: str) -> Iterator[tuple[int, int]]:
    """Where base64 may stand: start and end."""
    return (m.span() for m in _BASE64.finditer(text))


def open_base64(run: str) -> tuple[str, int] | None:
    """What a run of base64 says, and how many characters were skipped before it fell into step.

    None for media, for one letter again and again, and for what decodes to no text.
    """
    if _HEX.fullmatch(run) is not None and (inside := _from_hex(run)) is not None:
        return inside, _IS_HEX
    if run.startswith(_MEDIA) or len(run) > _LONGEST or run.count(run[0]) == len(run):
        return None
    return _decode(run)


def _from_hex(run: str) -> str | None:
    data = bytes.fromhex(run.removeprefix("0x"))
    try:
        return data.decode() if _printable(data) else None
    except UnicodeDecodeError:
        return None


def _decode(run: str) -> tuple[str, int] | None:
    body = run.rstrip("=").translate(_STANDARD)
    for skip in range(4):
        part = body[skip:]
        part = part[: len(part) - len(part) % 4] if len(part) % 4 == 1 else part
        try:
            data = binascii.a2b_base64(part + "=" * (-len(part) % 4))
        except binascii.Error:
            continue
        if not _printable(data):
            continue
        try:
            return data.decode(), skip
        except UnicodeDecodeError:
            continue
    return None


_STANDARD = str.maketrans("-_", "+/")
_CONTROL = bytes(range(9)) + bytes(range(14, 32)) + b"\x0b\x0c\x7f"


def _printable(data: bytes) -> bool:
    return len(data) >= 12 and len(data.translate(None, _CONTROL)) == len(data)


def encode_base64(text: str, like: str, skip: int) -> str:
    """Base64 of a text, in the alphabet and with the padding of `like`, behind the characters that were skipped."""
    data = text.encode()
    if skip == _IS_HEX:
        return ("0x" if like.startswith("0x") else "") + data.hex()
    out = (base64.urlsafe_b64encode(data) if "-" in like or "_" in like else base64.b64encode(data)).decode()
    padded = like.endswith("=") or (len(like) - skip) % 4 == 0
    return like[:skip] + (out if padded else out.rstrip("="))


def percent_runs(text: str) -> list[tuple[int, int, str]]:
    """Where percent-encoded text stands: (start, end, what it says)."""
    out = []
    at = text.find("%")
    while at >= 0:
        start = at
        while start and (text[start - 1].isalnum() or text[start - 1] in "._~+-"):
            start -= 1
        m = _PERCENT.match(text, start)
        if m is not None and m.end() > at:
            decoded = unquote(m[0], errors="replace")
            if decoded != m[0] and "\ufffd" not in decoded:
                out.append((m.start(), m.end(), decoded))
            at = text.find("%", m.end())
        else:
            at = text.find("%", at + 1)
    return out


def encode_percent(text: str) -> str:
    """Percent-encoding of a text, markers left readable."""
    return quote(text, safe=_KEPT)
