"""The report in a real browser: it draws, complains of nothing, asks for nothing, and hostile words stay words."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from auditor.report.build import write

from .browser import CHROMIUM, Page, opened
from .store import HOSTILE, connect, fill

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (Debian: apt-get install chromium)"),
]


async def look(page: Page) -> dict[str, Any]:
    found = await page.evaluate(
        """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done({
            ready: document.documentElement.dataset.ready, hit: window.hit ?? null,
            drawn: document.querySelectorAll(".main-svg").length,
            links: document.querySelectorAll("svg a").length,
            ticks: [...document.querySelectorAll("#chart-outcomes .ytick text")].map(t => t.textContent),
            wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        }))))"""
    )
    return dict(found)


def test_hostile_report(tmp_path: Path) -> None:
    con = connect(tmp_path / "a.duckdb")
    fill(con, HOSTILE)
    file = write(con, tmp_path / "report.html")

    async def main() -> None:
        async with opened(file) as page:
            found = await look(page)
            assert found["ready"] == "yes"
            assert found["drawn"] > 0
            assert found["ticks"][0].startswith("<script>window.hit=1")
            await page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; d.click(); })")
            left = await page.evaluate(
                "(() => { const box = document.querySelector('input[data-list=asked]'); box.value = 'declined';"
                " box.dispatchEvent(new Event('input'));"
                " return [...document.querySelectorAll('#asked > details')].filter(d => !d.hidden).length; })()"
            )
            assert left == 1
            after = await look(page)
            assert after["hit"] is None
            assert after["links"] == 0
            assert not after["wide"]
            assert page.complaints == []
            assert page.requests == [file.absolute().as_uri()]

    asyncio.run(main())


def test_empty_report(tmp_path: Path) -> None:
    file = write(connect(tmp_path / "a.duckdb"), tmp_path / "report.html")

    async def main() -> None:
        async with opened(file) as page:
            assert (await look(page))["ready"] == "yes"
            assert page.complaints == []
            assert page.requests == [file.absolute().as_uri()]

    asyncio.run(main())
