"""Writing the report.

Rules. The file needs nothing but itself: no network, no other file, and its policy forbids both. Nothing of the traffic
is ever markup: jinja2 escapes, chart labels lose their tags, embedded data cannot leave its element. Equal databases
give equal bytes.
"""

import base64
import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import msgspec
from markupsafe import Markup

from auditor import __version__
from auditor.errors import StoreError
from auditor.files import open_private
from auditor.report import charts, data, text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_HERE = Path(__file__).parent
_EMPTY = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="  # SHA-256 of nothing: Plotly makes an empty <style>
_FOREIGN = re.compile(r'if\(!document\.getElementById\("([0-9a-f]{64})"\)\)')  # Plotly's styles for maps
_SAFE = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def write(con: "DuckDBPyConnection", path: Path) -> Path:
    """Write the report of everything in the database to `path`, whole or not at all.

    Raises:
        StoreError: when the file cannot be written.
    """
    page = render(data.collect(con)).encode("utf-8", "replace")
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fd = open_private(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        with os.fdopen(fd, "wb") as file:
            file.write(page)
        aside.replace(path)
    except OSError as e:
        aside.unlink(missing_ok=True)
        raise StoreError(f"cannot write the report {path}: {e.strerror}; name another file with -o") from e
    return path


def render(found: data.Row) -> str:
    """The page as HTML."""
    scripts = [_plotly(), _asset("report.js")]
    style = _asset("report.css")
    policy = "; ".join(
        (
            "default-src 'none'",
            "script-src " + " ".join(f"'sha256-{_digest(script)}'" for script in scripts),
            f"style-src-elem 'sha256-{_digest(style)}' 'sha256-{_EMPTY}'",
            "style-src-attr 'unsafe-inline'",  # Plotly lays out with style attributes
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    figures = {"outcomes": charts.outcomes(found["tools"]), "survival": charts.survival(found["curve"])}
    return _template().render(
        **found,
        all=data.total(found["tools"]),
        looks=charts.LOOKS,
        severities=data.SEVERITIES,
        policy=policy,
        style=Markup(style),
        foreign_styles=_FOREIGN.findall(scripts[0]),
        plotly=Markup(scripts[0]),
        script=Markup(scripts[1]),
        figures=Markup(embedded(figures)),
        version=__version__,
    )


def embedded(value: Any) -> str:
    """JSON that can stand inside a <script> element: nothing in it ends the element."""
    return msgspec.json.encode(value).decode().translate(_SAFE)


def _digest(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _asset(name: str) -> str:
    return (_HERE / "assets" / name).read_text("utf-8")


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]

    return str(get_plotlyjs()).replace("</script", "<\\/script")


@cache
def _template() -> jinja2.Template:
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "assets"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {
        "shown": text.shown,
        "moment": text.moment,
        "ms": text.spell_ms,
        "us": text.spell_us,
        "number": text.number,
        "count": text.count,
        "percent": text.percent,
        "sure": text.sure,
    }
    return env.get_template("report.html.j2")
