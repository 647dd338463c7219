"""Seven secrets as a person would meet them, through real processes: none is in any file afterwards."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from auditor.pipeline import reading

ROOT = Path(__file__).parents[2]
SECRETS = {
    "argument": "Harbor-Kestrel-7781", "result": "Glacier_Ember_5520", "base64": "Timber.Rocket.3391x",
    "otp": "482915", "header": "mZ8qT4vB1nK6yR3wX9cL2pD7", "query": "7Hd93kLs02mQpZx81VbnTr45", "environment": "Saffron!Pixel!6604",
}  # fmt: skip
SERVER = r'''
import base64, json, os, sys
def say(m): print(json.dumps({"jsonrpc": "2.0", **m}), flush=True)
planted = json.loads(os.environ["PLANTED"])
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "tools/call":
        say({"id": 9, "method": "elicitation/create", "params": {"message": "Code?", "requestedSchema": {"type": "object",
            "properties": {"otp": {"type": "string", "title": "One-time code"}}}}})
    elif m.get("id") == 9:
        say({"method": "notifications/message", "params": {"level": "info", "data": "sent Authorization: Bearer " + planted["header"]}})
        say({"id": 1, "result": {"content": [
            {"type": "text", "text": json.dumps({"user": "bob", "password": planted["result"]})},
            {"type": "text", "text": base64.b64encode(json.dumps({"password": planted["base64"]}).encode()).decode()},
            {"type": "text", "text": "https://files.example.com/a?sig=" + planted["query"] + "&n=1"},
            {"type": "text", "text": json.dumps({"env": {"SERVICE_PASSWORD": os.environ["SERVICE_PASSWORD"]}})}]}})
'''  # fmt: skip


def test_seven_planted_secrets(tmp_path: Path) -> None:
    db = tmp_path / "store" / "audit.duckdb"
    env = {**os.environ, "PLANTED": json.dumps(SECRETS), "SERVICE_PASSWORD": SECRETS["environment"]}
    command = [sys.executable, "-m", "auditor", "record", "--db", str(db), "--", sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env, cwd=ROOT) as tap:
        assert tap.stdin is not None and tap.stdout is not None
        call = {"name": "connect", "arguments": {"user": "bob", "password": SECRETS["argument"]}}
        tap.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}) + "\n")
        tap.stdin.flush()
        assert "elicitation/create" in tap.stdout.readline()
        answer = {"action": "accept", "content": {"otp": SECRETS["otp"]}}
        tap.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 9, "result": answer}) + "\n")
        tap.stdin.flush()
        passed = tap.stdout.readline() + tap.stdout.readline()
        assert SECRETS["header"] in passed and SECRETS["environment"] in passed
        tap.stdin.close()
    deadline = time.monotonic() + 60
    journals = db.with_name(db.name + ".journals")
    while not any('"k":"seal"' in j.read_text() for j in journals.glob("*.ndjson")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    with reading(db) as con:
        places = {row[0] for row in con.execute("SELECT place FROM redactions").fetchall()}
        assert con.execute("SELECT count(*) FROM messages").fetchall() == [(5,)]
    assert {"/params/arguments/password", "/result/content/otp"} <= places
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert len(files) >= 3
    for path in files:
        held = path.read_bytes()
        for kind, secret in SECRETS.items():
            assert secret.encode() not in held, (kind, path.name)
