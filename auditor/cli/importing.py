"""`auditor import`: recordings made elsewhere."""

from collections.abc import Sequence
from pathlib import Path

from auditor.cli.diagnostics import say
from auditor.errors import InputError


def import_files(db: Path, files: Sequence[Path], form: str | None) -> None:
    """Import each file; one that is not understood does not keep the others out.

    Raises:
        InputError: when at least one file was not understood.
    """
    from auditor.formats.importer import import_file
    from auditor.pipeline import refresh

    refused: list[InputError] = []
    for file in files:
        try:
            captures = import_file(file, form, db)
        except InputError as e:
            refused.append(e)
            continue
        count = "1 capture" if len(captures) == 1 else f"{len(captures)} captures"
        say(f"{file}: {count} ({', '.join(captures[:3])}{' …' if len(captures) > 3 else ''})")
    if len(refused) < len(files):
        refresh(db)
    for refusal in refused[:-1]:
        say(str(refusal))
    if refused:
        raise refused[-1]
