"""Where files lie, and that nobody else can read them.

Files are 0600 and folders 0700 whatever the umask says, from the moment they exist.
"""

import os
from pathlib import Path

from auditor.errors import StoreError

FILE_MODE = 0o600
DIR_MODE = 0o700


def default_db() -> Path:
    """The database that commands use: `$AUDITOR_DB`, else `audit.duckdb` in the user's data folder."""
    named = os.environ.get("AUDITOR_DB")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_data_dir("auditor", appauthor=False)) / "audit.duckdb"


def journals_dir(db: Path) -> Path:
    """The folder of journals that belongs to a database: `<db>.journals`."""
    return db.with_name(db.name + ".journals")


def private_dir(path: Path) -> Path:
    """Make a folder (and its missing parents) that only its owner can enter.

    Raises:
        StoreError: when it cannot be made.
    """
    try:
        missing = [p for p in (path, *path.parents) if not p.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=DIR_MODE, exist_ok=True)
            folder.chmod(DIR_MODE)
    except OSError as e:
        raise StoreError(f"cannot make the folder {path}: {e.strerror}; name another place with --db") from e
    return path


def open_private(path: Path, flags: int = os.O_WRONLY | os.O_CREAT) -> int:
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
    folder = (start or Path.cwd()).absolute()
    for place in (folder, *folder.parents):
        if (place / POLICY_NAME).is_file():
            return place / POLICY_NAME
    base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "auditor" / POLICY_NAME
    return base if base.is_file() else None
