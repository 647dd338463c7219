"""`auditor report`: write the HTML file and say where it is."""

from pathlib import Path

from auditor.cli.health import report_health
from auditor.cli.render import emit


def write_report(db: Path, output: Path | None, open_it: bool, *, told: bool = True) -> Path:
    """Bring the database up to date and write the report; its path goes to stdout when `told`."""
    from auditor.pipeline import reading
    from auditor.report.build import write

    path = output if output is not None else db.with_name(f"{db.stem}-report.html")
    with reading(db) as con:
        report_health(con)
        write(con, path)
    if told:
        emit(str(path))
    if open_it:
        import webbrowser

        webbrowser.open(path.absolute().as_uri())
    return path
