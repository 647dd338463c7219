"""What starting each part costs in modules: asked of real interpreters."""

import subprocess
import sys

import pytest

HEAVY = ("duckdb", "polars", "typer", "mcp", "plotly", "jinja2", "rich", "pydantic", "aiohttp")


def loaded(code: str) -> set[str]:
    """The top-level modules that an interpreter has after running the code."""
    script = f"{code}\nimport sys\nprint(*sorted({{m.partition('.')[0] for m in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


LIGHT = ("tap.command", "capture.writer", "journal.records", "redact.redactor", "wire.envelope")


@pytest.mark.parametrize("module", LIGHT)
def test_the_tap_stays_light(module: str) -> None:
    assert loaded(f"import auditor.{module}").isdisjoint(HEAVY)


def test_record_imports_no_framework_and_no_database() -> None:
    code = (
        "import sys, runpy; sys.argv = ['auditor', 'record', '--help']\n"
        "import contextlib, io\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    runpy.run_module('auditor', run_name='__main__')"
    )
    assert loaded(code).isdisjoint(HEAVY)


def test_help_needs_the_framework_alone() -> None:
    code = (
        "import sys, runpy; sys.argv = ['auditor', '--help']\n"
        "import contextlib, io\n"
        "with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "    runpy.run_module('auditor', run_name='__main__')"
    )
    assert loaded(code).isdisjoint(set(HEAVY) - {"typer", "rich"})


def test_help_is_quick() -> None:
    """Processor time, the best of three: other work on the machine does not count."""
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'auditor', '--help'], check=True, stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime)"
    )
    times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)]
    assert min(times) < 0.4
