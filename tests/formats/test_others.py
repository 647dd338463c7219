"""Logs of clients, journals from elsewhere, and bare messages; each found by looking at the file."""

from pathlib import Path

import pytest

from auditor.errors import InputError
from auditor.files import journals_dir
from auditor.formats.detect import READERS, detect
from auditor.formats.importer import import_file
from auditor.formats.model import Happening, Opening, Text
from auditor.journal.records import Message
from tests.formats.test_import import CALL, SESSION, brought_in, file
from tests.store.journals import conversation, lines

CLAUDE = """\
2026-03-01T10:00:00.100Z [weather] [info] Initializing server...
2026-03-01T10:00:00.200Z [files] [info] Initializing server...
2026-03-01T10:00:00.300Z [weather] [info] Server started and connected successfully { metadata: undefined }
2026-03-01T10:00:00.400Z [weather] [info] Message from client: {"jsonrpc":"2.0","id":0,"method":"ping"} { metadata: undefined }
warming up
2026-03-01T10:00:00.500Z [files] [info] Message from client: {"jsonrpc":"2.0","id":0,"method":"tools/list"}
2026-03-01T10:00:00.600Z [weather] [info] Message from server: {"jsonrpc":"2.0","id":0,"result":{"a":"}"}}
2026-03-01T10:00:00.700Z [files] [info] Message from server: {"jsonrpc":"2.0","id":0,"resu
2026-03-01T10:00:00.800Z [weather] [info] Server transport closed
2026-03-01T10:00:09.000Z [weather] [info] Initializing server...
2026-03-01T10:00:09.400Z [weather] [info] Message from client: {"jsonrpc":"2.0","id":0,"method":"ping"}
"""  # noqa: E501
VSCODE = """\
2026-03-01 10:00:00.100 [info] Starting server weather
2026-03-01 10:00:00.110 [info] Starting server from LocalProcess extension host
2026-03-01 10:00:00.200 [debug] [editor -> server] {"jsonrpc":"2.0","id":1,"method":"ping"}
2026-03-01 10:00:00.300 [warning] [server stderr] warming up
2026-03-01 10:00:00.400 [debug] [server -> editor] {"jsonrpc":"2.0","id":1,"result":{}}
2026-03-01 10:00:00.500 [info] [Client Says] {"jsonrpc":"2.0","id":2,"method":"ping"}
2026-03-01 10:00:00.600 [info] [Server Says] {"jsonrpc":"2.0","id":2,"result":{}}
"""
BARE = """\
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}
{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}
{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}
{"jsonrpc":"2.0","id":1,"result":{"content":[]}}
{"jsonrpc":"2.0","id":2,"method":"roots/list"}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
[{"jsonrpc":"2.0","method":"notifications/message"}]
"""


def texts(path: Path, fmt: str) -> list[tuple[str, str]]:
    return [(x.dir, x.data.decode()) for x in READERS[fmt](path) if isinstance(x, Text)]


def test_a_log_of_claude_desktop(tmp_path: Path) -> None:
    path = tmp_path / "mcp.log"
    path.write_text(CLAUDE)
    assert detect(path) == "claude"
    items = list(READERS["claude"](path))
    assert [(x.name, x.ts_ns) for x in items if isinstance(x, Opening)] == [
        ("weather", 1772359200100000000), ("weather", 1772359209000000000), ("files", 1772359200200000000),
    ]  # fmt: skip
    assert texts(path, "claude") == [
        ("c2s", '{"jsonrpc":"2.0","id":0,"method":"ping"}'), ("s2c", '{"jsonrpc":"2.0","id":0,"result":{"a":"}"}}'),
        ("c2s", '{"jsonrpc":"2.0","id":0,"method":"ping"}'), ("c2s", '{"jsonrpc":"2.0","id":0,"method":"tools/list"}'),
        ("s2c", '{"jsonrpc":"2.0","id":0,"resu'),
    ]  # fmt: skip
    assert [x.torn for x in items if isinstance(x, Text)] == [False] * 4 + [True]


def test_an_output_of_vs_code(tmp_path: Path) -> None:
    path = tmp_path / "weather.log"
    path.write_text(VSCODE)
    assert detect(path) == "vscode"
    assert [d for d, _ in texts(path, "vscode")] == ["c2s", "s2c", "c2s", "s2c"]
    first, *rest = READERS["vscode"](path)
    assert isinstance(first, Opening)
    assert first.name == "weather"
    assert [x.text for x in rest if isinstance(x, Happening)] == ["warming up"]


def test_bare_messages_have_inferred_directions(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(BARE)
    assert detect(path) == "jsonrpc"
    first, *_ = READERS["jsonrpc"](path)
    assert isinstance(first, Opening)
    assert first.inferred_directions
    assert [d for d, _ in texts(path, "jsonrpc")] == ["c2s", "s2c", "c2s", "s2c", "s2c", "s2c", "s2c"]


def test_a_bare_line_that_is_no_message_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(BARE + '{"hello":1}\n')
    with pytest.raises(InputError, match=r"line 8: it is no JSON-RPC message"):
        import_file(path, None, tmp_path / "a.duckdb")
    assert list(journals_dir(tmp_path / "a.duckdb").iterdir()) == []


def test_a_journal_from_elsewhere_is_recorded_anew(tmp_path: Path) -> None:
    path = tmp_path / "one.ndjson"
    path.write_bytes(b"".join(lines("one", conversation())))
    assert detect(path) == "journal"
    (records,) = brought_in(tmp_path / "a.duckdb", path, None)
    messages = [r for r in records if isinstance(r, Message)]
    assert [m.raw for m in messages] == [m.raw for m in conversation() if isinstance(m, Message)]
    assert len(records) == 13
    assert records[1].ts_ns == 1796098886001000000


def test_a_journal_keeps_batches_together(tmp_path: Path) -> None:
    place = tmp_path / "first"
    batch = {"ts": 1, "dir": "c2s", "raw": f"[{CALL},{CALL}]"}
    (capture,) = import_file(file(tmp_path, [SESSION[0], batch, batch, SESSION[1]]), "trace", place / "a.duckdb")
    journal = journals_dir(place / "a.duckdb") / f"{capture}.ndjson"
    (records,) = brought_in(tmp_path / "second" / "a.duckdb", journal, None)
    assert [(r.batch, r.raw) for r in records if isinstance(r, Message)] == [(n, CALL) for n in (0, 1, 0, 1, None)]


def test_a_broken_journal_is_refused_and_a_torn_one_says_so(tmp_path: Path) -> None:
    whole = lines("one", conversation())
    path = tmp_path / "one.ndjson"
    path.write_bytes(b"".join([*whole[:4], whole[4].replace(b"deploy", b"deplox"), *whole[5:]]))
    with pytest.raises(InputError, match="line 5: broken chain"):
        import_file(path, None, tmp_path / "a.duckdb")
    path.write_bytes(b"".join([*whole[:4], whole[4][:30]]))
    (records,) = brought_in(tmp_path / "a.duckdb", path, None)
    assert [getattr(r, "ev", None) for r in records][-2:] == ["warning", None]


def test_what_is_none_of_these_is_refused_as_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("dear diary\n")
    with pytest.raises(InputError, match="line 1: no trace"):
        import_file(path, None, tmp_path / "a.duckdb")
