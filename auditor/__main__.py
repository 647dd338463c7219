"""Where the program begins: `auditor …` and `python -m auditor …`.

`record` goes to the tap without the command-line framework, which costs more than the tap itself.
"""

import sys

from auditor.cli.diagnostics import guarded


def main() -> None:
    """Run the command that the arguments name, and end the process with its exit code."""
    argv = sys.argv[1:]
    sys.exit(guarded(lambda: _record(argv[1:]) if argv[:1] == ["record"] else _command(argv)))


def _record(argv: list[str]) -> int:
    from auditor.tap.command import record_main

    return record_main(argv)


def _command(argv: list[str]) -> int:
    from auditor.cli.app import run

    return run(argv)


if __name__ == "__main__":
    main()
