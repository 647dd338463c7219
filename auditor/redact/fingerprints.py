"""Fingerprints: equal secrets are seen to be equal, and no value can be told from one.

Rules. A fingerprint is HMAC-SHA256 under a key of 32 random bytes, which lies beside the database and not in it. It is
of the value alone, so that the same secret is the same wherever it was found. What can be guessed has none.
"""

import hashlib
import os
import secrets
import time
from functools import lru_cache
from pathlib import Path

import msgspec

from auditor.errors import StoreError
from auditor.files import open_private, private_dir

FINGERPRINT_HEX = 12
_BLOCK_BYTES = 64  # of SHA-256
_READ_TRIES = 50


class Key(msgspec.Struct, frozen=True):
    """A fingerprint key: its id (8 hex digits), its secret (64 hex digits) and since when it is in force."""

    id: str
    secret: str
    since: int

    def fingerprint(self, value: str) -> str:
        """The fingerprint of a value: 12 hex digits."""
        data = value.encode("utf-8", "surrogatepass")
        first, second = _keyed(self.secret)
        inner, outer = first.copy(), second.copy()
        inner.update(data)
        outer.update(inner.digest())
        return outer.hexdigest()[:FINGERPRINT_HEX]


@lru_cache(maxsize=16)
def _keyed(secret: str) -> "tuple[hashlib._Hash, hashlib._Hash]":
    """The two hashes of HMAC (RFC 2104) when they have taken the key in: that is most of the work, and done once."""
    key = bytes.fromhex(secret).ljust(_BLOCK_BYTES, b"\0")
    return hashlib.sha256(bytes(b ^ 0x36 for b in key)), hashlib.sha256(bytes(b ^ 0x5C for b in key))


def key_path(db: Path) -> Path:
    """Where the keys of a database are: `<db>.key`."""
    return db.with_name(db.name + ".key")


def load_keys(db: Path) -> list[Key]:
    """The keys of a database, the one in force last; made when there is none.

    Raises:
        StoreError: when the file cannot be read, made or understood.
    """
    path = key_path(db)
    try:
        if not path.exists():
            _create(path)
        return _read(path)
    except OSError as e:
        raise StoreError(
            f"the fingerprint key {path} cannot be had: {e.strerror}; name another database with --db"
        ) from e


def _read(path: Path) -> list[Key]:
    for _ in range(_READ_TRIES):
        try:
            keys = msgspec.json.decode(path.read_bytes(), type=list[Key])
        except msgspec.DecodeError:
            time.sleep(0.01)
            continue
        if keys and all(len(k.secret) == 64 for k in keys):
            return keys
    raise StoreError(
        f"{path} holds no fingerprint keys; put it back from a copy, or move it away to begin with a new key"
    )


def _create(path: Path) -> None:
    """Write the first key; of several taps that do it at once, one is the first."""
    private_dir(path.parent)
    aside = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    _write(aside, [_new()])
    try:
        os.link(aside, path)
    except FileExistsError:
        pass
    finally:
        aside.unlink()


def _new() -> Key:
    secret = secrets.token_hex(32)
    return Key(hashlib.sha256(secret.encode()).hexdigest()[:8], secret, int(time.time()))


def _write(path: Path, keys: list[Key]) -> None:
    fd = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(fd, "wb") as f:
        f.write(msgspec.json.encode(keys))
        f.flush()
        os.fsync(f.fileno())


def rotate(db: Path) -> Key:
    """Put a new key in force; the old ones stay, so that what they marked can still be looked up.

    Raises:
        StoreError: as `load_keys` does.
    """
    path = key_path(db)
    keys = [*load_keys(db), _new()]
    aside = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        _write(aside, keys)
        aside.replace(path)
    except OSError as e:
        raise StoreError(f"the fingerprint key {path} cannot be written: {e.strerror}") from e
    return keys[-1]


def fingerprints_of(value: str, keys: list[Key]) -> list[str]:
    """The fingerprints that a value has under these keys."""
    return [key.fingerprint(value) for key in keys]
