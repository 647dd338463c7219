"""What the end-to-end tests stand on: the program as a user starts it, and environments for other SDKs."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import filelock
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CACHE = ROOT / "build" / "e2e"

Auditor = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A place for a database of the test's own."""
    return tmp_path / "store" / "audit.duckdb"


@pytest.fixture
def auditor(db: Path) -> Auditor:
    """Run `auditor ARGS… --db DB`, expecting success unless `code` says otherwise."""

    def run(*args: str, code: int = 0, stdin: str | None = None) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "auditor", *args, "--db", str(db)]
        done = subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=120, check=False)
        assert done.returncode == code, done.stderr
        return done

    return run


def recorded(db: Path, command: list[str], *options: str) -> list[str]:
    """The command behind the recorder."""
    return [sys.executable, "-m", "auditor", "record", "--db", str(db), *options, "--", *command]


@pytest.fixture(scope="session")
def server() -> list[str]:
    """The command of the test server."""
    return [sys.executable, str(HERE / "programs" / "server.py")]


@pytest.fixture(scope="session")
def sdk1_python() -> str:
    """An interpreter that has the `mcp` SDK 1.x, in an environment kept under build/."""
    return environment("sdk1", on_top=False)


@pytest.fixture(scope="session")
def fastmcp3_python() -> str:
    """An interpreter that has FastMCP 3 and the `mcp` SDK 1.x that it stands on."""
    return environment("fastmcp3", on_top=False)


@pytest.fixture(scope="session")
def fastmcp_python() -> str:
    """An interpreter that has FastMCP 4, on top of the packages of this one."""
    return environment("fastmcp", on_top=True)


def environment(name: str, *, on_top: bool) -> str:
    """The interpreter of an environment of `constraints/NAME.txt`; `on_top` adds the packages of this one."""
    folder = CACHE / "{}-{}.{}".format(name, *sys.version_info)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    CACHE.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(CACHE / f"{name}.lock"):
        if not (folder / ".ready").exists():
            pins = ROOT / "constraints" / f"{name}.txt"
            pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
            base = sysconfig.get_config_var("BINDIR")
            make = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)]
            subprocess.run(make, check=True, cwd=base)
            if on_top:
                asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
                packages = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())
                (packages / "on_top.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
            pip += ["--require-hashes", "-r", str(pins)]
            done = subprocess.run(pip, capture_output=True, text=True, check=False, timeout=600)
            if done.returncode != 0:
                pytest.skip(f"{name} of constraints/ cannot be installed here: {done.stderr.strip()[-200:]}")
            (folder / ".ready").touch()
    return str(python)


@pytest.fixture(scope="session")
def ts() -> Path:
    """The folder of the TypeScript clients with their packages."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node.js and npm are not installed")
    folder = HERE / "ts"
    CACHE.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(CACHE / "ts.lock"):
        if not (folder / "node_modules" / ".package-lock.json").exists():
            command = [npm, "ci", "--ignore-scripts"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
            if done.returncode != 0:
                pytest.skip(f"the TypeScript SDK cannot be installed here: {done.stderr.strip()[-200:]}")
    return folder
