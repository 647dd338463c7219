"""The one place that talks on stderr and decides exit codes.

Three rules. A fault that a user can mend is one sentence and its exit code. A fault of the program is one sentence,
too, and exit code 1; `AUDITOR_DEBUG=1` shows its traceback. A reader that goes away and Ctrl-C are no faults.
"""

from __future__ import annotations

import os
import sys

from auditor.errors import CHECK_FAILED, AuditorError

TYPE_CHECKING = False  # the real one costs loading `typing`, and the start of a tap passes here
if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPTED = 130
BROKEN_PIPE = 141


def say(text: str) -> None:
    """One line for a person, on stderr; control characters in it are made visible."""
    try:
        sys.stderr.write(f"auditor: {visible(text)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # nobody can be told: stderr is closed


def guarded(work: Callable[[], int]) -> int:
    """Do the work and give the exit code of the process; nothing but a debug traceback escapes."""
    try:
        code = work()
        sys.stdout.flush()
    except AuditorError as e:
        return _mendable(e)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _reader_left()
    except OSError as e:
        return _system(e)
    except Exception as e:  # noqa: BLE001 - the last line: whatever it is, a person gets a sentence and not a traceback
        return _fault(e)
    return code


def visible(text: str) -> str:
    r"""Text that cannot move the cursor, change colours, or reorder what a person reads.

    >>> visible("a\x1b[31mb\u202ec")
    'a\\x1b[31mb\\u202ec'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escaped(c) for c in text)


def _escaped(c: str) -> str:
    return c.encode("unicode_escape").decode("ascii")


def _debugging() -> bool:
    return os.environ.get("AUDITOR_DEBUG", "") not in ("", "0")


def _mendable(e: AuditorError) -> int:
    if _debugging():
        raise e
    say(str(e))
    return e.exit_code


def _fault(e: Exception) -> int:
    if _debugging():
        raise e
    what = " ".join(str(e).split())[:300]
    say(f"a fault of the program ({type(e).__name__}: {what}); run it again with AUDITOR_DEBUG=1 to see where")
    return CHECK_FAILED


def _system(e: OSError) -> int:
    """What the system refused: mostly a full disk below stdout, which would refuse again at exit."""
    if _debugging():
        raise e
    say(f"{e.filename or 'the output'}: {e.strerror or e}")
    _reader_left()
    return CHECK_FAILED


def _reader_left() -> int:
    """Point stdout at nothing, so that the interpreter's own flush at exit does not complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return BROKEN_PIPE
    return BROKEN_PIPE
