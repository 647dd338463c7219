"""The words that calls, prompts and answers are compared by."""

import json

from auditor.analysis.words import of_answer, of_call, of_result, payload, template


def message(**body: object) -> str:
    return json.dumps({"jsonrpc": "2.0", **body})


def test_neither_ids_nor_meta_are_words() -> None:
    meta = {"progressToken": "meadow", "traceparent": "00-ab"}
    params = {"name": "x", "arguments": {"service": "harbor", "id": "A-7"}, "_meta": meta}
    call = message(id="lantern", method="tools/call", params=params)
    assert payload(call) == {"service", "harbor", "a-7"}
    assert "lantern" not in payload(call[:60])
    assert "1234" not in payload(message(id=1234, result={"ok": "1"}))


def test_the_ends_of_sentences_and_lines_are_no_part_of_words() -> None:
    asked = message(id=1, method="elicitation/create", params={"message": "Deploy lantern.\nTo harbor?"})
    assert {"deploy", "lantern", "to", "harbor"} <= payload(asked)


def test_other_scripts_are_the_same_however_they_are_written() -> None:
    params = {"message": "Größe für 田中さん"}
    plain, escaped = json.dumps({"params": params}, ensure_ascii=False), json.dumps({"params": params})
    assert payload(plain) == payload(escaped)
    assert "größe" in payload(plain)


def test_redacted_values_are_words() -> None:
    secret = "[REDACTED:token:fp=ab12cd34]"
    assert secret.lower() in payload(message(params={"message": f"Use {secret}?"}))


def test_a_tool_is_known_by_the_words_of_its_name() -> None:
    for name in ("create_issue", "createIssue", "create-issue", "CreateIssue"):
        assert {"create", "issue"} <= of_call(message(params={"name": name}), name)


def test_a_refusal_is_known_by_any_form_of_the_word() -> None:
    declined = message(id=1, result={"content": [{"type": "text", "text": "Deployment declined by the user"}]})
    assert "decline" in of_result(declined)
    assert "decline" in of_answer(message(id=0, result={"action": "decline"}), "decline")
    assert "decline" not in of_result(message(id=1, result={"content": []}))


def test_what_is_no_json_has_words_too() -> None:
    assert payload('{"jsonrpc":"2.0","id":12345,"params":{"message":"Deploy lan') == {"deploy", "lan"}
    assert payload(None) == frozenset()
    assert payload("[1]") == frozenset()


def test_templates_do_not_depend_on_numbers() -> None:
    assert template("Refund order 17?", '{"a":1}') == template("Refund order 4711?", '{"a":1}')
    assert template("Refund order 17?", '{"a":1}') != template("Refund order 17?", '{"b":1}')
