"""The policy file: what it can say, and how it is refused."""

import json
import re
from pathlib import Path

import pytest

from auditor.errors import UsageError
from auditor.redact.redactor import CaptureRedactor, Redactor
from auditor.wire.jsontext import Parsed, parse

DOCS = Path(__file__).parents[2] / "docs" / "redaction.md"


def load(folder: Path, text: str) -> Redactor:
    (folder / "auditor.toml").write_text(text, "utf-8")
    return Redactor.load(folder / "a.duckdb", folder)


def stored(redactor: CaptureRedactor, message: dict[str, object], direction: str = "c2s") -> str:
    raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
    parsed = parse(raw)
    assert isinstance(parsed, Parsed)
    done = redactor.message(raw, parsed, direction)
    assert done.error is None
    return done.text.decode()


def call(tool: str, **arguments: object) -> dict[str, object]:
    return {"id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


@pytest.fixture
def documented(tmp_path: Path) -> Redactor:
    """The policy that the documentation shows."""
    shown = re.search(r"```toml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert shown is not None
    return load(tmp_path, shown[1])


def test_own_detectors_allow_and_deny(documented: Redactor) -> None:
    token = "acme_" + "a1B2c3D4" * 4
    text = stored(
        documented.for_capture(None),
        call("t", note=f"{token} EMP-123456", salary=4200, password="not-a-secret-at-all", token="demo-abc-17"),
    )
    assert token not in text and "EMP-123456" not in text and "4200" not in text
    assert "not-a-secret-at-all" in text and "demo-abc-17" in text


def test_content_by_server_and_tool(documented: Redactor) -> None:
    answer = {"id": 0, "result": {"action": "accept", "content": {"name": "Ada", "age": 36}}}
    assert "Ada" in stored(documented.for_capture("other"), answer)
    hidden = json.loads(stored(documented.for_capture("payroll"), answer))
    assert hidden["result"] == {"action": "accept", "content": {"name": "<string of 3>", "age": "<number>"}}
    payroll = documented.for_capture("payroll")
    bare = json.loads(stored(payroll, call("export", who="Ada")))
    assert bare["params"] == {"name": "export"}
    assert "Ada" in stored(payroll, {**call("list", who="Ada"), "id": 2})
    result = json.loads(
        stored(payroll, {"id": 1, "result": {"content": [{"type": "text", "text": "Ada"}], "isError": False}}, "s2c")
    )
    assert result["result"] == {"isError": False}


def test_the_hash_changes_with_the_policy(tmp_path: Path) -> None:
    before = Redactor.load(tmp_path / "a.duckdb", tmp_path).policy_hash
    assert load(tmp_path, '[redaction]\ncontent = "metadata"\n').policy_hash != before


@pytest.mark.parametrize(("text", "line"), [
    ("[redaction]\ncontent = \n", 2),
    ('[redaction]\n\ncontent = "everything"\n', 3),
    ('[redaction]\nserver = 3\n', 2),
    ('[redaction]\n[[redaction.allow]]\nvalues = ["x"]\n', 3),
    ('[redaction]\n[[redaction.deny]]\npattern = "("\n', 3),
    ('[redaction]\n[[redaction.detector]]\nkind = "k"\nshapes = ["{an:4}"]\n', 4),
    ('[redaction]\n[[redaction.detector]]\nkind = "k"\nshapes = ["k_{nothing:4}"]\n', 4),
])  # fmt: skip
def test_a_policy_that_is_wrong_is_refused_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(UsageError) as refused:
        load(tmp_path, text)
    assert f"line {line}" in str(refused.value) and "auditor.toml" in str(refused.value)


def test_it_is_found_upward(tmp_path: Path) -> None:
    load(tmp_path, '[redaction]\ncontent = "metadata"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert Redactor.load(tmp_path / "x.duckdb", below).content_level == "metadata"
