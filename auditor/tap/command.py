"""`auditor record`: what follows the word, understood without a framework, so that the first answer comes soon.

Until the server runs, nothing is loaded that it does not need: every millisecond here delays the first answer.
"""

from __future__ import annotations

import gc

from auditor.tap.options import Options

TYPE_CHECKING = False  # the real one costs loading `typing`
if TYPE_CHECKING:
    from auditor.tap.child import Child


def record_main(argv: list[str]) -> int:
    """Record one session; `argv` is what follows `record`. Gives the exit code.

    Raises:
        UsageError: when the options cannot be followed; nothing was started then.
    """
    own, command = _split(argv)
    if any(word.split("=")[0] == "--upstream" for word in own):
        from auditor.tap.http.command import http_main

        return http_main(argv)
    options = Options.usual(own) if command else None
    if options is None:
        from auditor.tap.parser import full

        options = full(own, command)
    _check_policy()
    from auditor.tap.child import hold_standard_descriptors, start

    gc.disable()  # a pump makes no circles
    hold_standard_descriptors()
    child: Child | OSError
    try:
        child = start(command)
    except OSError as e:
        child = e
    from auditor.tap.session import run

    return run(command, child, options)


def _check_policy() -> None:
    from auditor.files import policy_file

    if policy_file() is not None:
        from auditor.tap.launch import check_policy

        check_policy()


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    if "--" in argv:
        at = argv.index("--")
        return argv[:at], argv[at + 1 :]
    return argv, []
