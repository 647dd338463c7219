"""Which format a file has: its name from the user, or a look at its beginning."""

from pathlib import Path

from auditor.errors import UsageError
from auditor.formats import trace
from auditor.formats.model import Reader

READERS: dict[str, Reader] = {"trace": trace.read}


def reader_for(path: Path, fmt: str | None) -> Reader:
    """The reader of a file; `fmt` None finds it by looking.

    Raises:
        UsageError: when there is no format of that name.
        InputError: when the file cannot be read or has no known format.
    """
    if fmt is not None:
        if fmt not in READERS:
            raise UsageError(f"there is no format `{fmt}`; these are: {', '.join(sorted(READERS))}")
        return READERS[fmt]
    return trace.read
