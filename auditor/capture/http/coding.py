"""Bodies as they passed, decoded for the record only."""

import zlib
from typing import Protocol


class Undecodable(Exception):
    """A body whose coding the recorder cannot read; what it holds may not be stored."""


class Decoder(Protocol):
    """Decodes a body piece by piece."""

    def feed(self, data: bytes) -> bytes:
        """Take the next piece of the body; give what it decodes to.

        Raises:
            Undecodable: when it is not in its coding.
        """


class Identity:
    """A body as it is."""

    def feed(self, data: bytes) -> bytes:
        """The data itself."""
        return data


class _Zlib:
    """gzip, and deflate with or without the zlib header that servers leave out."""

    def __init__(self, coding: str) -> None:
        self._gzip = coding.endswith("gzip")
        self._z = zlib.decompressobj(31 if self._gzip else zlib.MAX_WBITS)
        self._first = True

    def feed(self, data: bytes) -> bytes:
        out = []
        while data:
            out.append(self._one(data))
            data = self._z.unused_data
            if data and self._gzip:
                self._z = zlib.decompressobj(31)
            elif data:
                raise Undecodable("something follows the end of the deflated body")
        return b"".join(out)

    def _one(self, data: bytes) -> bytes:
        try:
            out = self._z.decompress(data)
        except zlib.error as e:
            if not self._first or self._gzip:
                raise Undecodable(str(e)) from None
            self._z = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                out = self._z.decompress(data)
            except zlib.error as again:
                raise Undecodable(str(again)) from None
        self._first = False
        return out


def decoder(content_encoding: str) -> Decoder:
    """What reads this `Content-Encoding`.

    Raises:
        Undecodable: when nothing here does.
    """
    coding = content_encoding.strip().lower()
    if coding in ("", "identity"):
        return Identity()
    if coding in ("gzip", "x-gzip", "deflate"):
        return _Zlib(coding)
    raise Undecodable(f"a body coded as {coding[:40]}")
