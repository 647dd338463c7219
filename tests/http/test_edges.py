"""TLS on either side, addresses that cannot be listened on, and sessions that must not go unrecorded."""

import datetime
import http.server
import ipaddress
import json
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from .conftest import ROOT, Tap, free_port

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine that signs itself: (certificate, key)."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    cert_file, key_file = folder / "cert.pem", folder / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return cert_file, key_file


class Answering(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


@pytest.fixture
def upstream(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server that answers pings; over TLS when asked for by parameter."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    scheme = "http"
    if getattr(request, "param", None) == "tls":
        cert, key = request.getfixturevalue("certificate")
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(cert, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"{scheme}://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    server.server_close()


def post(url: str, context: ssl.SSLContext | None = None) -> tuple[int, dict[str, object]]:
    request = urllib.request.Request(url, json.dumps(PING).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=20, context=context) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as e:
        return e.code, json.loads(e.read())


@pytest.mark.parametrize("upstream", ["tls"], indirect=True)
def test_an_upstream_whose_certificate_is_trusted(
    tap: Callable[..., Tap], upstream: str, certificate: tuple[Path, Path]
) -> None:
    t = tap(upstream, "--ca-file", str(certificate[0]))
    assert post(t.url) == (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
    t.stop()
    assert t.query("SELECT count(*) FROM messages") == [(2,)]


@pytest.mark.parametrize("upstream", ["tls"], indirect=True)
def test_an_upstream_whose_certificate_is_not(tap: Callable[..., Tap], upstream: str) -> None:
    t = tap(upstream)
    status, body = post(t.url)
    assert status == 502 and "error" in body
    t.stop()
    assert any("certificate" in (r.get("http") or {}).get("error", "").lower() for r in t.records())


@pytest.mark.parametrize("upstream", ["tls"], indirect=True)
def test_unchecked_is_said_in_the_record(tap: Callable[..., Tap], upstream: str) -> None:
    t = tap(upstream, "--insecure")
    assert post(t.url)[0] == 200
    t.stop()
    assert any("--insecure" in (r.get("text") or "") for r in t.records())


def test_clients_come_over_tls(tap: Callable[..., Tap], upstream: str, certificate: tuple[Path, Path]) -> None:
    t = tap(upstream, "--tls-cert", str(certificate[0]), "--tls-key", str(certificate[1]))
    assert t.url.startswith("https://")
    assert post(t.url, ssl.create_default_context(cafile=str(certificate[0])))[0] == 200
    t.stop()


def refused(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "auditor", "record", "--upstream", "http://127.0.0.1:9/mcp", *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)
    return done.returncode, done.stderr


def test_a_port_that_is_taken(upstream: str, tmp_path: Path) -> None:
    port = upstream.rsplit(":", 1)[1].split("/")[0]
    code, said = refused("--db", str(tmp_path / "x.duckdb"), "--listen", f"127.0.0.1:{port}")
    assert code == 2 and "cannot listen" in said and said.count("\n") == 1


@pytest.mark.parametrize("options", [
    ("--listen", "0.0.0.0:0"), ("--listen", "nowhere"), ("--listen", "127.0.0.1:99999"), ("--tls-key", "key.pem"),
    ("--ca-file", "missing.pem"), ("--tls-cert", "missing.pem"), ("--", "cat"), ("--strict", "--lossless"),
])  # fmt: skip
def test_options_that_cannot_be_followed(options: tuple[str, ...], tmp_path: Path) -> None:
    code, said = refused("--db", str(tmp_path / "x.duckdb"), *options)
    assert code == 2 and said.startswith("auditor: ") and said.count("\n") == 1


def test_other_machines_are_let_in_on_purpose_only(tap: Callable[..., Tap], upstream: str) -> None:
    t = tap(upstream, "--listen", "0.0.0.0:0", "--allow-remote")
    assert post(t.url.replace("0.0.0.0", "127.0.0.1"))[0] == 200
    t.stop()
    assert any("--allow-remote" in (r.get("text") or "") for r in t.records())


def test_a_strict_tap_ends_when_no_journal_can_be_made(tmp_path: Path, upstream: str) -> None:
    (tmp_path / "x.duckdb.journals").write_text("a file where the folder should be")
    code = [
        sys.executable,
        "-m",
        "auditor",
        "record",
        "--strict",
        "--db",
        str(tmp_path / "x.duckdb"),
        "--upstream",
        upstream,
    ]
    done = subprocess.run(
        [*code, "--listen", f"127.0.0.1:{free_port()}"], capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    assert done.returncode == 4 and "--strict" in done.stderr.splitlines()[-1]


def test_traffic_goes_on_when_no_journal_can_be_made(tap: Callable[..., Tap], upstream: str, tmp_path: Path) -> None:
    blocked = tmp_path / "0.duckdb.journals"
    blocked.write_text("a file where the folder should be")
    t = tap(upstream)
    assert post(t.url)[0] == 200
    blocked.unlink()
    deadline = time.monotonic() + 20
    while '"ping"' not in t.journal():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    t.stop()
    assert t.query("SELECT count(*) FROM messages") == [(2,)]
