"""Cases of rules, written as transcripts, and turned into recordings.

A case is `fires: …` or `silent: …` and the lines up to the next one:
  session REV [client=JSON] [server=JSON] [name=TEXT]   the handshake; since 2026-07-28 what each request says
  > ID METHOD PARAMS     the client asks (`-` for the id of a notification); `<` the server
  > ID = RESULT          an answer; `> ID ! CODE "message" DATA` an error; `> raw TEXT` a line as it stands
  < torn TEXT            the last line, cut off
  +2s, +50ms             time passes (a tenth of a second does between lines)
  12x LINE ;; LINE       lines repeated, {n} counted from 1, {p} one less
  http JSON              HTTP facts of what follows
  start                  another capture
  server exits RC        the server ends first (else the client closes, and the server ends with 0)
  stderr TEXT, gap BYTES, unstored > JSON   what no trace can say
  expect KEY=VALUE …     what a finding of the case must say
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

_DECODER = json.JSONDecoder()
_DIRECTIONS = {">": "c2s", "<": "s2c"}
_META = "io.modelcontextprotocol/"
STATELESS = "2026-07-28"


class Case(msgspec.Struct):
    """One case: `kind` is fires or silent."""

    rule: str
    kind: str
    title: str
    lines: list[str]

    @property
    def name(self) -> str:
        return f"{self.rule}-{self.kind}"

    @property
    def expected(self) -> dict[str, str]:
        said = [line.removeprefix("expect ") for line in self.lines if line.startswith("expect ")]
        return dict(pair.split("=", 1) for line in said for pair in line.split())


def read(path: Path) -> list[Case]:
    """The cases of one file, which is named after its rule."""
    cases: list[Case] = []
    for line in path.read_text("utf-8").splitlines():
        if m := re.match(r"^(fires|silent): (.+)$", line):
            cases.append(Case(path.stem, m[1], m[2], []))
        elif line.strip():
            cases[-1].lines.append(line)
    return cases


class _Player:
    """Turns lines into steps: (microseconds, kind, facts)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.now_us = 1_760_000_000_000_000
        self.http: dict[str, Any] | None = None
        self.meta: dict[str, Any] | None = None
        self.ended = False

    def steps(self, lines: list[str]) -> Iterator[tuple[int, str, Any]]:
        yield self._at("start", None)
        for line in lines:
            for part in _repeated(line):
                yield from self._line(part)
        yield from self._end()

    def _at(self, kind: str, facts: Any) -> tuple[int, str, Any]:
        self.now_us += 100_000
        return self.now_us, kind, facts

    def _end(self) -> Iterator[tuple[int, str, Any]]:
        if not self.ended:
            yield self._at("eof", "c2s")
            yield self._at("exit", 0)

    def _line(self, line: str) -> Iterator[tuple[int, str, Any]]:
        word, _, rest = line.partition(" ")
        if word in _DIRECTIONS:
            yield self._message(_DIRECTIONS[word], rest)
        elif m := re.fullmatch(r"\+(\d+)(ms|s)", line):
            self.now_us += int(m[1]) * (1000 if m[2] == "ms" else 1_000_000) - 100_000
        elif word == "session":
            yield from self._session(rest)
        elif word == "http":
            self.http = json.loads(rest)
        elif word == "start":
            yield from self._end()
            self.ended, self.meta = False, None
            yield self._at("start", None)
        elif line.startswith("server exits "):
            self.ended = True
            yield self._at("eof", "s2c")
            yield self._at("exit", int(line.removeprefix("server exits ")))
        elif word in ("stderr", "gap", "unstored"):
            yield self._at(word, rest)
        elif word != "expect":
            raise ValueError(f"{self.name}: what is `{line}`?")

    def _session(self, text: str) -> Iterator[tuple[int, str, Any]]:
        revision, _, rest = text.partition(" ")
        given: dict[str, Any] = {"client": {}, "server": {"tools": {}}, "name": self.name}
        while rest := rest.strip():
            key, _, rest = rest.partition("=")
            if key == "name":
                given[key], _, rest = rest.partition(" ")
            else:
                given[key], end = _DECODER.raw_decode(rest)
                rest = rest[end:]
        if revision == STATELESS:
            self.meta = {_META + "protocolVersion": revision, _META + "clientCapabilities": given["client"]}
            return
        ask = {"protocolVersion": revision, "capabilities": given["client"], "clientInfo": _info("tester")}
        told = {"protocolVersion": revision, "capabilities": given["server"], "serverInfo": _info(given["name"])}
        yield self._message("c2s", f'"init" initialize {json.dumps(ask)}')
        yield self._message("s2c", f'"init" = {json.dumps(told)}')
        yield self._message("c2s", "- notifications/initialized {}")

    def _message(self, direction: str, text: str) -> tuple[int, str, Any]:
        if text.startswith(("raw ", "torn ")):
            kind, _, raw = text.partition(" ")
            return self._at("text", {"dir": direction, "raw": raw, "torn": kind == "torn", "http": self.http})
        ident, _, rest = text.partition(" ")
        word, _, rest = rest.partition(" ")
        message: dict[str, Any] = {"jsonrpc": "2.0"}
        if ident != "-":
            message["id"] = json.loads(ident)
        if word == "=":
            message["result"] = json.loads(rest)
        elif word == "!":
            code, _, rest = rest.partition(" ")
            said, end = _DECODER.raw_decode(rest)
            message["error"] = {"code": int(code), "message": said}
            if rest[end:].strip():
                message["error"]["data"] = json.loads(rest[end:])
        else:
            message |= {"method": word, "params": json.loads(rest)}
            if self.meta is not None and direction == "c2s" and ident != "-":
                message["params"].setdefault("_meta", self.meta)
        raw = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        return self._at("text", {"dir": direction, "raw": raw, "torn": False, "http": self.http})


def _info(name: str) -> dict[str, str]:
    return {"name": name, "version": "1"}


def _repeated(line: str) -> list[str]:
    m = re.match(r"^(\d+)x (.+)$", line)
    if not m:
        return [line]
    return [
        part.strip().replace("{n}", str(n)).replace("{p}", str(n - 1))
        for n in range(1, int(m[1]) + 1)
        for part in m[2].split(";;")
    ]


def steps(case: Case) -> list[tuple[int, str, Any]]:
    """What happens in a case: (microseconds, kind, facts); kind is start, text, eof, exit, stderr, gap or unstored."""
    return list(_Player(case.name).steps(case.lines))


def needs_journal(case: Case) -> bool:
    """Whether the case says what no trace can."""
    return any(line.split(" ")[0] in ("stderr", "gap", "unstored") for line in case.lines)


def trace(case: Case) -> list[str]:
    """The case as lines of a trace."""
    out = []
    for at, kind, facts in steps(case):
        row: dict[str, Any] = {"ts": at / 1e6}
        if kind == "text":
            row |= {"dir": facts["dir"], "raw": facts["raw"]}
            row |= {"partial": True} if facts["torn"] else {}
            row |= {"http": {"ctype": "application/json", **facts["http"]}} if facts["http"] else {}
        else:
            row["ev"] = kind
            row |= {"start": {"cmd": [case.name]}, "eof": {"dir": facts}, "exit": {"rc": facts}}[kind]
        out.append(json.dumps(row, ensure_ascii=False))
    return out
