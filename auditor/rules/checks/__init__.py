"""What SQL cannot say: functions that judge one row of a rule's SELECT. A rule's header names one with `check:`."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from auditor.rules.checks import contents, forms, tools, urls
from auditor.rules.checks.hit import Hit

Check = Callable[[Mapping[str, Any]], Iterable[Hit]]

CHECKS: dict[str, Check] = {
    "content_fits": contents.content_fits,
    "content_flat": contents.content_flat,
    "output_fits": contents.output_fits,
    "schema_choices": forms.choices,
    "schema_consistent": forms.consistent,
    "schema_flat": forms.flat,
    "schema_portable": forms.portable,
    "tool_changed": tools.changed,
    "url_host": urls.host,
    "url_plain": urls.plain,
    "url_signed_in": urls.signed_in,
    "url_usable": urls.usable,
}
