"""The errors that reach a user, each with its exit code.

A message says what is wrong and what to do about it, in one sentence. Everything else that goes wrong is a
fault of the program and raises as itself; `auditor.__main__` turns it into one sentence, too.
"""

OK, CHECK_FAILED, USAGE, INPUT, STORE, VERIFICATION = range(6)


class AuditorError(Exception):
    """Something a user can mend; `exit_code` is what the process ends with."""

    exit_code: int = CHECK_FAILED


class UsageError(AuditorError):
    """Wrong usage: an option, an argument or a policy that cannot be followed."""

    exit_code = USAGE


class InputError(AuditorError):
    """Input that was not understood: a file that is no trace, a session nobody recorded."""

    exit_code = INPUT


class StoreError(AuditorError):
    """The store cannot be had: locked, foreign, too new, or not writable."""

    exit_code = STORE


class VerificationError(AuditorError):
    """The record does not hold what it claims."""

    exit_code = VERIFICATION
