"""What redaction costs: CPU time of one thread for typical and for pathological messages.

    python benchmarks/redaction.py

Prints µs a message and MB a second; for pathological texts of 0.25 and 1 MB the growth (4 is linear).
"""

import json
import random
import string
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

START = time.process_time()
from auditor.redact.fingerprints import Key  # noqa: E402
from auditor.redact.policy import Policy  # noqa: E402
from auditor.redact.redactor import Redactor  # noqa: E402
from auditor.wire.jsontext import Parsed, parse  # noqa: E402

PROSE = "The deployment of service web to staging finished, and nobody had to be called. "
PATHOLOGICAL = {
    "digits": "1234567890", "base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo", "quotes": '\\"', "names": "password:",
    "percent": "%41", "urls": "https://a:b@c ", "pem": "-----BEGIN RSA PRIVATE KEY-----", "lines": "\n{", "eyJ": "eyJ",
    "names, colons": "pin: pin: ", "names that are": "password is password is ",
    "names of": "the password is the secret of a token, ",
}  # fmt: skip


def message(value: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "result": value}).encode()


def cost(redactor: Redactor, raw: bytes, times: int) -> float:
    """Seconds of CPU a message: the median of five rounds."""
    parsed = parse(raw)
    assert isinstance(parsed, Parsed)
    rounds = []
    for _ in range(5):
        capture = redactor.for_capture(None)
        start = time.thread_time()
        for _ in range(times):
            capture.message(raw, parsed, "s2c")
        rounds.append((time.thread_time() - start) / times)
    return median(rounds)


def cost_of_each(redactor: Redactor, raws: list[bytes]) -> float:
    """Seconds of CPU a message, none of which comes twice in a capture: the median of five rounds."""
    given = [(raw, p) for raw in raws if isinstance(p := parse(raw), Parsed)]
    rounds = []
    for _ in range(5):
        capture = redactor.for_capture(None)
        start = time.thread_time()
        for raw, parsed in given:
            capture.message(raw, parsed, "s2c")
        rounds.append((time.thread_time() - start) / len(given))
    return median(rounds)


def main() -> None:
    redactor = Redactor(Policy(), "", [Key("k", "ab" * 32, 0)])
    sys.stdout.write(f"import and load     {(time.process_time() - START) * 1e3:8.0f} ms" + "\n")
    items = [{"id": n, "title": f"item {n}", "done": True} for n in range(6)]
    content = [{"type": "text", "text": PROSE * 7}]
    clean = message({"content": content, "structuredContent": {"status": "done", "items": items}, "isError": False})

    def speaking(password: str, token: str) -> bytes:
        prose = [{"type": "text", "text": PROSE * 8}]
        return message({"content": prose, "password": password, "note": f"with {token}"})

    secret = speaking("Lantern-5521-a", "ghp_" + "aB3dE6gH9j" * 3 + "kL1mN4")
    dice = random.Random(1)
    new = [
        speaking(f"Lantern-{n}-a", "ghp_" + "".join(dice.choices(string.ascii_letters + string.digits, k=36)))
        for n in range(5000, 5500)
    ]
    large = message({"content": [{"type": "text", "text": PROSE * 1250}]})
    for name, raw, times in (("clean", clean, 2000), ("with secrets", secret, 500), ("clean, large", large, 20)):
        seconds = cost(redactor, raw, times)
        sys.stdout.write(
            f"{name:14} {len(raw):7} B {seconds * 1e6:8.1f} µs {len(raw) / seconds / 1e6:8.1f} MB/s" + "\n"
        )
    seconds = cost_of_each(redactor, new)
    sys.stdout.write(f"new secrets    {len(new[0]):7} B {seconds * 1e6:8.1f} µs\n")
    for name, piece in PATHOLOGICAL.items():
        small, big = (cost(redactor, message({"text": piece * (n // len(piece))}), 1) for n in (250_000, 1_000_000))
        sys.stdout.write(f"{name:14}    1 MB {big * 1e3:8.1f} ms   grows × {big / small:.1f}" + "\n")


if __name__ == "__main__":
    main()
