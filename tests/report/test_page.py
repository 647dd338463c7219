"""The report as a file: what it says, that it stands alone, and that it is the same every time."""

import base64
import hashlib
import re
import stat
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import msgspec
import pytest

from auditor.errors import StoreError
from auditor.report.build import embedded, write
from auditor.report.data import curve, interval, rows
from auditor.report.text import label, shown

from .store import HOSTILE, connect, fill, insert, prompt


class Elements(HTMLParser):
    """The elements of a page, and the texts of its scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.text: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.seen and self.seen[-1][0] in ("script", "style") and self.cdata_elem:
            self.raw.append((self.seen[-1][0], data))
        else:
            self.text.append(data)


def page_of(con: duckdb.DuckDBPyConnection, folder: Path) -> str:
    return write(con, folder / "report.html").read_text("utf-8")


@pytest.fixture
def con(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    return connect(tmp_path / "a.duckdb")


def test_hostile_words_are_text(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    fill(con, HOSTILE)
    page = Elements(page_of(con, tmp_path))
    assert not [name for _, attrs in page.seen for name in attrs if name.startswith("on")]
    assert not [tag for tag, _ in page.seen if tag in ("img", "svg", "iframe", "object", "embed", "base", "form")]
    assert {attrs["href"] for tag, attrs in page.seen if tag == "a"} == {
        f"#{name}" for name in ("main", "overview", "health", "outcomes", "time", "findings", "prompts", "orphans",
                                "secrets", "sessions", "reading")
    }  # fmt: skip
    assert sum(tag == "script" for tag, _ in page.seen) == 3
    words = "".join(page.text)
    assert "\u202e" not in words
    assert "‹U+202E›gnp.exe" in words
    assert "<script>window.hit=1</script>" in words


def test_policy_names_every_script_and_style(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    fill(con, "deploy")
    page = Elements(page_of(con, tmp_path))
    policy = next(attrs["content"] for tag, attrs in page.seen if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "http" not in policy
    figures = next(text for tag, text in page.raw if tag == "script")
    for tag, text in page.raw:
        if text != figures and text.strip():
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            part = next(
                p for p in policy.split("; ") if p.startswith("script-src" if tag == "script" else "style-src-elem")
            )
            assert f"'sha256-{digest}'" in part
    assert not [attrs for tag, attrs in page.seen if tag in ("link", "script", "style") and attrs.get("src")]


def test_every_figure_is_json(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    fill(con, HOSTILE)
    raw = next(text for tag, text in Elements(page_of(con, tmp_path)).raw if tag == "script")
    figures = msgspec.json.decode(raw)
    assert sum(sum(t["x"]) for t in figures["outcomes"]["traces"]) == 7  # the eighth outcome is none
    assert not re.search("[<>&\u2028]", raw)


def test_nothing_recorded(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    text = "".join(Elements(page_of(con, tmp_path)).text)
    assert "Nothing was recorded yet." in text
    assert "0\u2009%" not in text


def test_same_data_same_bytes(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    fill(con, "deploy")
    assert page_of(con, tmp_path) == page_of(con, tmp_path)


def test_many_prompts_are_cut_and_counted(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    fill(con, "deploy")
    con.execute(
        "INSERT INTO elicitations BY NAME SELECT e.* REPLACE (n AS seq, if(n % 3 = 0, 'decline', 'accept') AS outcome,"
        " to_microseconds(n * 1000) + asked_at AS asked_at, n * 37 % 90000000 AS latency_us)"
        " FROM (FROM elicitations LIMIT 1) e, (SELECT unnest(range(1000, 101000)) AS n)"
    )  # fmt: skip
    page = page_of(con, tmp_path)
    text = "".join(Elements(page).text)
    assert "The latest 1\u2009000 of 100\u2009008 are shown" in text
    assert len(page) < 9_000_000
    assert "100\u2009003 answered" in text


def test_the_file_is_private_and_replaced_whole(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    target.write_text("old")
    write(con, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir() if "out.html" in p.name] == ["out.html"]
    with pytest.raises(StoreError, match="name another file with -o"):
        write(con, tmp_path / "no" / "such" / "folder.html")


def test_findings_say_why_and_how_to_mend(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    fill(con, "deploy")
    text = "".join(Elements(page_of(con, tmp_path)).text)
    assert "What is typed into a form passes through the client" in text
    assert "Send the user to a page of your own" in text


def test_prompt_of_an_unknown_call(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    insert(
        con,
        "elicitations",
        [prompt(1, parent_tool=None, parent_method=None, root_seq=None, tier="none", confidence=0.0)],
    )
    assert "not known" in "".join(Elements(page_of(con, tmp_path)).text)


def test_interval_is_wilsons() -> None:
    half = interval(5, 10)
    assert half is not None
    assert (round(half["low"], 3), half["value"], round(half["high"], 3)) == (0.237, 0.5, 0.763)
    assert interval(0, 0) is None


def test_time_to_answer_counts_the_unanswered(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    """Answered after 1 and 3 s, given up after 2 s, still open at 60 s; by hand S(1) = 3/4, S(3) = 3/4 · 1/2."""
    asked = [("accept", 1), ("timeout", 2), ("decline", 3), ("pending", 60)]
    made = [(prompt(n, outcome), timedelta(seconds=s)) for n, (outcome, s) in enumerate(asked, 1)]
    times = [
        {"latency_us": open_for // timedelta(microseconds=1), "closed_at": p["asked_at"] + open_for}
        for p, open_for in made
    ]
    insert(con, "elicitations", [p | t for (p, _), t in zip(made, times, strict=True)])
    found = curve(rows(con, "survival"))
    assert [round(y, 3) for y in found["y"]] == [0.75, 0.75, 0.375, 0.375]
    assert (found["median"], found["p95"], found["answered"], found["censored"]) == ("3.0 s", None, 2, 2)


def test_texts_hide_nothing() -> None:
    assert shown("a\x1b[31mb\u202e") == "a‹U+001B›[31mb‹U+202E›"
    assert shown(None) == "—"
    assert label("<b>x</b> &\u2028y") == "&lt;b&gt;x&lt;/b&gt; &amp;‹U+2028›y"
    assert "</" not in embedded({"a": "</script>\u2028&"})
