"""Where files lie, and that nobody else can read them.

Files are 0600 and folders 0700 whatever the umask says, from the moment they exist.
"""

from __future__ import annotations

import os
import sys

from auditor.errors import StoreError

TYPE_CHECKING = False  # a tap finds the policy before it starts the server: neither `typing` nor `pathlib` is loaded
if TYPE_CHECKING:
    from pathlib import Path

FILE_MODE = 0o600
DIR_MODE = 0o700


def default_db() -> Path:
    """The database that commands use: `$AUDITOR_DB`, else `audit.duckdb` in the user's data folder."""
    from pathlib import Path

    return Path(default_db_name())


def default_db_name() -> str:
    """`default_db` as a plain string; in the most usual case without loading what knows all systems."""
    named, home, env = os.environ.get("AUDITOR_DB"), os.environ.get("HOME", ""), os.environ
    if named:
        return named
    if sys.platform == "linux" and home.startswith("/") and not ("XDG_DATA_HOME" in env or "ANDROID_ROOT" in env):
        folder = f"{home}/.local/share/auditor"
    else:
        import platformdirs

        folder = platformdirs.user_data_dir("auditor", appauthor=False)
    return os.path.join(folder, "audit.duckdb")  # noqa: PTH118


def journals_dir(db: Path) -> Path:
    """The folder of journals that belongs to a database: `<db>.journals`."""
    return db.with_name(db.name + ".journals")


def private_dir(path: Path, *, parents: bool = True) -> Path:
    """Make a folder (and, unless told otherwise, its missing parents) that only its owner can enter.

    Raises:
        StoreError: when it cannot be made.
    """
    try:
        missing = [p for p in (path, *(path.parents if parents else ())) if not p.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=DIR_MODE, exist_ok=True)
            folder.chmod(DIR_MODE)
    except OSError as e:
        raise StoreError(f"cannot make the folder {path}: {e.strerror}; name another place with --db") from e
    return path


def open_private(path: str | Path, flags: int = os.O_WRONLY | os.O_CREAT) -> int:
    """Open a file that only its owner can read; gives a raw descriptor that children do not inherit.

    Raises:
        OSError: as `os.open` does.
    """
    fd = os.open(path, flags | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0), FILE_MODE)
    if hasattr(os, "fchmod") and flags & os.O_CREAT:
        os.fchmod(fd, FILE_MODE)
    return fd


POLICY_NAME = "auditor.toml"


def find_policy(start: Path | None = None) -> Path | None:
    """The policy file that holds in a folder (by default the working one): the nearest upward, else the user's own."""
    from pathlib import Path

    found = policy_file(None if start is None else str(start))
    return None if found is None else Path(found)


def policy_file(start: str | None = None) -> str | None:
    """`find_policy` in plain strings."""
    try:
        folder = os.path.abspath(start or os.getcwd())  # noqa: PTH100, PTH109
    except OSError:
        folder = ""  # the working folder is gone
    while folder:
        path = os.path.join(folder, POLICY_NAME)  # noqa: PTH118
        if os.path.isfile(path):  # noqa: PTH113
            return path
        above = os.path.dirname(folder)  # noqa: PTH120
        folder = "" if above == folder else above
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
    path = os.path.join(base, "auditor", POLICY_NAME)  # noqa: PTH118
    return path if os.path.isfile(path) else None  # noqa: PTH113
