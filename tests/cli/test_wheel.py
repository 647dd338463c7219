"""The wheel, installed into an environment of its own, brings everything that it needs."""

import json
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_it_holds_sql_types_and_license(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for path in (ROOT / "queries").rglob("*.sql"):
        assert f"auditor/_queries/{path.relative_to(ROOT / 'queries').as_posix()}" in names
    for path in (ROOT / "auditor").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.relative_to(ROOT).as_posix() in names
    assert "auditor/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_it_works_where_no_checkout_is(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "env"
    base = sysconfig.get_config_var("BINDIR")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True, cwd=base)
    scripts = environment / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(scripts / "python"),
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*pip, str(wheel)], check=True)
    (packages,) = environment.rglob("site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def auditor(*args: str) -> str:
        command = [str(scripts / "auditor"), *args]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    assert len(json.loads(auditor("rules", "--format", "json"))) >= 20
    assert len(json.loads(auditor("query", "list", "--format", "json"))) >= 8
    db = str(tmp_path / "store" / "audit.duckdb")
    auditor("import", str(ROOT / "sample_logs" / "answers.jsonl"), "--db", db)
    found = json.loads(auditor("elicitations", "--db", db, "--format", "json"))
    assert [e["outcome"] for e in found] == ["accept", "decline", "cancel"]
    where = subprocess.run(
        [str(scripts / "python"), "-c", "import auditor; print(auditor.__file__)"],
        cwd=tmp_path, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert Path(where.strip()).is_relative_to(packages)
