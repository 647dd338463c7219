"""The same bytes in the same order, whatever they are and however they come; and a record of them."""

import os
import random
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from auditor.journal.records import Oddity
from tests.tap.processes import events, read_line, recorded, records, run, script, sealed, spawn, tap, texts

ECHO = script("while d := os.read(0, 65536): os.write(1, d)")
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'

TEXTS = {
    "two messages": PING + b"\n" + PING + b"\n",
    "no newline at the end": PING,
    "CRLF": PING + b"\r\n" + PING + b"\r\n",
    "a byte order mark": b"\xef\xbb\xbf" + PING + b"\n",
    "NUL": b'{"a":"\x00"}\n' + PING + b"\n",
    "no UTF-8": b'{"jsonrpc":"2.0","method":"a","params":{"t":"\xff\xfe"}}\n' + PING + b"\n",
    "junk": b"Listening...\n\n\n" + PING + b"\n" + bytes(range(256)) * 10 + b"\n",
    "nothing": b"",
    "empty lines": b"\n\r\n\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_bytes_pass_unchanged_and_are_recorded(tmp_path: Path, name: str) -> None:
    data = TEXTS[name]
    done = run(tap(tmp_path / "a.duckdb", *ECHO), data)
    assert (done.stdout, done.stderr, done.returncode) == (data, b"", 0)
    found = recorded(tmp_path / "a.duckdb")
    assert len(texts(found, "c2s")) == data.count(PING) + (name == "no UTF-8")
    assert texts(found, "c2s") == texts(found, "s2c")
    assert [event.dir for event in events(found, "eof")] in (["c2s", "s2c"], ["s2c", "c2s"])
    odd = [record for record in found if isinstance(record, Oddity)]
    assert bool(odd) == (name in ("junk", "NUL"))


@pytest.mark.parametrize("seed", range(3))
def test_random_chunks_both_ways(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    lines = [b'{"jsonrpc":"2.0","id":%d,"method":"m","params":{"t":"%s"}}\n' % (n, b"x" * rng.choice((0, 9, 7000)))
             for n in range(150)]  # fmt: skip
    data = b"".join(lines)
    peer = spawn(tap(tmp_path / "a.duckdb", *ECHO))
    assert peer.stdin and peer.stdout and peer.stderr

    def write() -> None:
        at = 0
        while at < len(data):
            size = rng.choice((1, 1, 1, 2, 17, 1000, 70_000))
            os.write(peer.stdin.fileno(), data[at : at + size])  # type: ignore[union-attr]
            at += size
        peer.stdin.close()  # type: ignore[union-attr]

    writer = threading.Thread(target=write)
    writer.start()
    assert peer.stdout.read() == data
    writer.join()
    assert peer.wait(20) == 0
    peer.stdout.close()
    peer.stderr.close()
    wanted = [line[:-1].decode() for line in lines]
    found = recorded(tmp_path / "a.duckdb")
    assert texts(found, "c2s") == wanted
    assert texts(found, "s2c") == wanted


def test_one_byte_at_a_time(tmp_path: Path) -> None:
    data = (PING + b"\n") * 3
    slow = script("while d := os.read(0, 1): os.write(1, d)")
    assert run(tap(tmp_path / "a.duckdb", *slow), data).stdout == data
    assert texts(recorded(tmp_path / "a.duckdb"), "s2c") == [PING.decode()] * 3


def test_twenty_megabytes_in_one_line(tmp_path: Path) -> None:
    data = b'{"jsonrpc":"2.0","id":1,"result":{"text":"' + b"lorem " * 3_500_000 + b'"}}\n'
    assert run(tap(tmp_path / "a.duckdb", *ECHO), data).stdout == data
    found = recorded(tmp_path / "a.duckdb")
    assert texts(found, "c2s") == [data[:-1].decode()]
    assert texts(found, "s2c") == [data[:-1].decode()]


def test_a_message_is_forwarded_before_its_line_is_complete(tmp_path: Path) -> None:
    peer = spawn(tap(tmp_path / "a.duckdb", *ECHO))
    assert peer.stdin and peer.stdout
    for part in (b'{"jsonrpc"', b':"2.0",', b'"id":1,"method":"ping"}\n'):
        os.write(peer.stdin.fileno(), part)
        assert os.read(peer.stdout.fileno(), 100) == part
    peer.communicate(timeout=20)
    assert len(texts(recorded(tmp_path / "a.duckdb"), "c2s")) == 1


def test_a_server_that_floods_stderr_is_not_held_up_and_its_words_are_kept_in_order(tmp_path: Path) -> None:
    server = script(
        "for n in range(20000): os.write(2, b'%06d a line on stderr\\n' % n)\n"
        "while d := os.read(0, 9999): os.write(1, d)"
    )
    done = run(tap(tmp_path / "a.duckdb", *server), PING + b"\n")
    wanted = [b"%06d a line on stderr" % n for n in range(20000)]
    assert done.stderr == b"\n".join(wanted) + b"\n"
    assert done.stdout == PING + b"\n"
    said = "\n".join(event.text or "" for event in events(recorded(tmp_path / "a.duckdb"), "stderr"))
    assert said.encode() == b"\n".join(wanted)


def test_arguments_environment_and_folder_are_the_callers_own(tmp_path: Path) -> None:
    place = tmp_path / "a folder"
    place.mkdir()
    server = script("print(sys.argv[1:], os.getcwd(), sorted(os.environ.items()), os.listdir('/proc/self/fd'))")
    server += ["", "a b", "--", "-x", "ü", "--db"]
    env = {**os.environ, "ODD": "é\nx", "AUDITOR_DB": "elsewhere"}
    direct = run(server, cwd=place, env=env)
    wrapped = run(tap(tmp_path / "a.duckdb", *server), cwd=place, env=env)
    assert wrapped.stdout == direct.stdout


def test_sockets_as_standard_streams(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    out_ours, out_theirs = socket.socketpair()
    peer = subprocess.Popen(tap(tmp_path / "a.duckdb", *ECHO), stdin=theirs, stdout=out_theirs)
    theirs.close()
    out_theirs.close()
    ours.sendall(PING + b"\n")
    assert out_ours.recv(1000) == PING + b"\n"
    ours.shutdown(socket.SHUT_WR)
    assert out_ours.recv(1000) == b""
    assert peer.wait(20) == 0
    ours.close()
    out_ours.close()
    assert len(texts(recorded(tmp_path / "a.duckdb"), "s2c")) == 1


def test_files_as_standard_streams(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(PING + b"\n")
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as sink:
        done = subprocess.run(tap(tmp_path / "a.duckdb", *ECHO), stdin=source, stdout=sink, timeout=30, check=False)
    assert done.returncode == 0
    assert (tmp_path / "out").read_bytes() == PING + b"\n"
    assert len(texts(recorded(tmp_path / "a.duckdb"), "s2c")) == 1


def test_no_standard_stream_at_all(tmp_path: Path) -> None:
    command = tap(tmp_path / "a.duckdb", *script("sys.exit(5)"))
    done = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command], timeout=30, check=False)
    assert done.returncode == 5
    recorded(tmp_path / "a.duckdb")


def test_non_blocking_standard_streams(tmp_path: Path) -> None:
    read, write = os.pipe()
    back, out = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(out, False)
    big = (PING + b"\n") * 5_000
    peer = subprocess.Popen(tap(tmp_path / "a.duckdb", *ECHO), stdin=read, stdout=out)
    os.close(read)
    os.close(out)
    thread = threading.Thread(target=lambda: (_write_all(write, big), os.close(write)))
    thread.start()
    got = b""
    while chunk := os.read(back, 65536):
        got += chunk
    thread.join()
    os.close(back)
    assert got == big
    assert peer.wait(20) == 0
    assert len(texts(recorded(tmp_path / "a.duckdb"), "s2c")) == 5_000


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def test_two_sessions_at_once_make_two_captures(tmp_path: Path) -> None:
    """Clients that probe a server first start its command twice."""
    peers = [spawn(tap(tmp_path / "a.duckdb", *ECHO)) for _ in range(2)]
    for number, peer in enumerate(peers):
        assert peer.stdin and peer.stdout
        message = PING.replace(b"1}", b"%d}" % number) + b"\n"
        os.write(peer.stdin.fileno(), message)
        assert read_line(peer.stdout.fileno()) == message
    for peer in peers:
        peer.communicate(timeout=20)
    found = [texts(records(path), "c2s") for path in sealed(tmp_path / "a.duckdb", 2)]
    assert len(found) == 2
    assert all(len(capture) == 1 for capture in found)
