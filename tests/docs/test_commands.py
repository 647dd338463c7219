"""Every command that the README and the docs show is run, and every configuration is read as its program reads it."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "sample_logs" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SERVER = [sys.executable, "-m", "auditor.demo.server"]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[Any]:
    """The fenced blocks of a language, each named by its page and number."""
    found = []
    for page in PAGES:
        if page.exists():
            hits = [text for lang, text in _BLOCK.findall(page.read_text("utf-8")) if lang == language]
            found += [pytest.param(t, id=f"{page.relative_to(ROOT).as_posix()}-{n}") for n, t in enumerate(hits, 1)]
    return found


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that holds the samples."""
    db = tmp_path_factory.mktemp("docs") / "audit.duckdb"
    samples = [str(p) for p in sorted((ROOT / "sample_logs").glob("*.jsonl"))]
    command = [sys.executable, "-m", "auditor", "import", *samples, "--db", str(db)]
    subprocess.run(command, check=True, capture_output=True)
    return db


@pytest.mark.parametrize("block", blocks("sh"))
def test_shell_commands_run(block: str, store: Path, tmp_path: Path) -> None:
    shown = [line for line in block.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]
    assert shown
    for line in shown:
        if "--upstream" in line:
            takes_these_options(shlex.split(line))
        elif line.startswith("make "):
            run(["make", "--dry-run", "--silent", *shlex.split(line)[1:]], store, ROOT)
        elif line.startswith("auditor ") or "| auditor " in line:
            run_auditor(line, store, tmp_path)
        else:
            wraps_a_server(shlex.split(line))


def run_auditor(line: str, store: Path, folder: Path) -> None:
    """Run a line as a shell does; `auditor` is the program under test, and samples are found."""
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "auditor"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m auditor "$@"\n')
    program.chmod(0o755)
    if not (folder / "sample_logs").exists():
        (folder / "sample_logs").symlink_to(ROOT / "sample_logs")
    run(["sh", "-ec", line], store, folder)


def run(command: list[str], store: Path, folder: Path) -> None:
    bins = os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    env = os.environ | {"AUDITOR_DB": str(store), "PATH": bins}
    done = subprocess.run(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stderr}"


def wraps_a_server(argv: list[str]) -> None:
    """A line of another program: what stands from `auditor` on is a recorder before a server."""
    wrapped(argv[argv.index("auditor") :])


def wrapped(argv: list[str]) -> None:
    """The recorder takes these options: run with the bundled server in place of the named one."""
    assert argv[:2] == ["auditor", "record"]
    end = argv.index("--", 1)
    assert argv[end + 1 :], "no server behind --"
    command = [sys.executable, "-m", *argv[:end], "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def takes_these_options(argv: list[str]) -> None:
    """A proxy's options: understood up to the port, which is one that nobody may take."""
    argv = ["192.0.2.1:1" if word == "127.0.0.1:9000" else word for word in argv]
    done = subprocess.run([sys.executable, "-m", *argv], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2 and "--allow-remote" in done.stderr


def servers(value: Any) -> list[dict[str, Any]]:
    """Every object in a configuration that starts a program."""
    if isinstance(value, dict):
        own = [value] if "command" in value or "cmd" in value else []
        return own + [s for v in value.values() for s in servers(v)]
    return []


@pytest.mark.parametrize("block", blocks("json"))
def test_json_configurations_wrap_a_server(block: str) -> None:
    for server in servers(json.loads(block)):
        wrapped([server["command"], *server["args"]])


@pytest.mark.parametrize("block", blocks("toml"))
def test_toml_can_be_read(block: str) -> None:
    for server in servers(tomllib.loads(block)):
        wrapped([server["command"], *server["args"]])


@pytest.mark.parametrize("block", blocks("yaml"))
def test_yaml_configurations_wrap_a_server(block: str) -> None:
    args = re.search(r"args: \[(.*)\]", block)
    assert args is not None and "cmd: auditor" in block
    wrapped(["auditor", *[a.strip().strip('"') for a in args[1].split(",")]])


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        if not page.exists():
            continue
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_generated_documents_are_fresh() -> None:
    command = [sys.executable, str(ROOT / "tools" / "docs.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_page_of_this_machine_or_of_a_registry() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    hosts = re.compile("py" + r"pi\.org|python" + r"hosted\.org|registry\.npm" + r"js\.org|/(?:work|root)/")
    for name in tracked:
        path = ROOT / name
        if path.suffix in (".png",) or not path.is_file():
            continue
        assert not hosts.search(path.read_text("utf-8", "replace")), name
