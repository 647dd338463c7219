"""What a peer sends that no UTF-8 can hold, or that only a lenient reader takes, is recorded, and ends no recording."""

import json
from pathlib import Path

import pytest

from auditor.capture.writer import CaptureWriter
from auditor.journal.reader import read_journal
from auditor.journal.records import Message, Seal, Start
from auditor.redact.redactor import Redactor

LONE = '"\\ud800"'


def _recorded(folder: Path, *lines: str) -> list[Message]:
    start = Start(seq=0, ts_ns=1, v=1, capture="hostile", transport="stdio")
    writer = CaptureWriter.create(folder / "journals", start, Redactor.load(folder / "db", folder).for_capture(None))
    for at, line in enumerate(lines):
        writer.line("c2s", 2 + at, line.encode(), len(line))
    writer.seal(99)
    records = [entry.record for entry in read_journal(writer.path)]
    assert isinstance(records[-1], Seal)
    return [record for record in records if isinstance(record, Message)]


@pytest.mark.parametrize(
    "line",
    [
        f'{{"jsonrpc":"2.0","id":{LONE},"method":"tools/call","params":{{"name":{LONE}}}}}',
        f'{{"jsonrpc":"2.0","id":1,"method":{LONE},"params":{{"_meta":{{"progressToken":{LONE}}}}}}}',
        f'{{"jsonrpc":"2.0","id":1,"result":{{"inputRequests":{{{LONE}:{{}}}},"action":{LONE}}}}}',
        f'{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{LONE},"reason":{LONE}}}}}',
        f'{{"jsonrpc":"2.0","id":1,"result":{{{LONE}:{{"password":"hunter2-Zebra!"}}}}}}',
    ],
)
def test_a_lone_surrogate_ends_no_recording(line: str, tmp_path: Path) -> None:
    odd, after = _recorded(tmp_path, line, '{"jsonrpc":"2.0","id":2,"method":"ping"}')
    assert after.env.method == "ping"
    assert odd.raw is not None
    assert "hunter2" not in odd.raw
    if "password" not in line:
        assert odd.raw == line


def test_a_lone_surrogate_in_an_id_stays_visible(tmp_path: Path) -> None:
    (message,) = _recorded(tmp_path, f'{{"jsonrpc":"2.0","id":{LONE},"method":"ping"}}')
    assert (message.env.id, message.env.id_type) == ("\\ud800", "string")


def test_the_elements_of_a_lenient_batch_are_cut_byte_for_byte(tmp_path: Path) -> None:
    elements = [
        f'{{"jsonrpc":"2.0", "id":NaN,"method":{LONE}}}',
        '{"jsonrpc":"2.0","id":1e2,  "method":"a","params":{"x":NaN,"x":[1, "],"]}}',
        '{"jsonrpc":"2.0","id":' + "9" * 40 + ',"method":"b"}',
    ]
    found = _recorded(tmp_path, "[ " + " , ".join(elements) + " ]")
    assert [message.raw for message in found] == elements
    assert [message.batch for message in found] == [0, 1, 2]
    assert json.loads(found[2].raw or "")["id"] == int("9" * 40)
