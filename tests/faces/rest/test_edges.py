"""TLS with a certificate that is renewed, pages of other origins, and proxies: over real connections."""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import ssl
import warnings
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_stream import Server

from treering.door import Treering
from treering.errors import Forbidden, InvalidRequest
from treering.faces.rest.edges import Certificate, checked
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.serve import must_be_safe

APP, OTHER = "https://app.example.com", "https://evil.example.com"
LAB = "/v1/spaces/lab"


def certificate(folder: Path, name: str = "box") -> tuple[Path, Path]:
    """Signed by itself, for this machine; the second time in place of the first."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain, pem = serialization.NoEncryption(), serialization.Encoding.PEM
    written = {
        folder / "cert.pem": made.public_bytes(pem),
        folder / "key.pem": key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain),
    }
    for path, text in written.items():
        beside = path.with_suffix(".new")
        beside.write_bytes(text)
        os.replace(beside, path)  # noqa: PTH105
    return folder / "cert.pem", folder / "key.pem"


def trusting(cert: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(cert))


@pytest.fixture(params=[pytest.param("1", id="one process"), pytest.param("2", id="several", marks=pytest.mark.slow)])
def secure(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    cert, key = certificate(tmp_path)
    given = ("--processes", request.param, "--tls-cert", str(cert), "--tls-key", str(key))
    server = Server(tmp_path / "served.db", *given)
    yield server, cert
    server.end(signal.SIGINT)
    assert "Traceback" not in "".join(server.lines)


def test_a_server_with_a_certificate_speaks_tls_and_nothing_else(secure: tuple[Server, Path]) -> None:
    server, cert = secure
    assert server.url.startswith("https://127.0.0.1:")
    with httpx.Client(base_url=server.url, verify=trusting(cert), trust_env=False) as client:
        assert client.post(f"{LAB}/add", json={"content": "Ada sings"}).status_code == 200
        assert client.get(f"{LAB}/list").json()["memories"][0]["content"] == "Ada sings"
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(f"{server.url}/healthz", trust_env=False)
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"{server.url.replace('https', 'http')}/healthz", trust_env=False)
    old = trusting(cert)
    with warnings.catch_warnings():  # that these are deprecated is the point
        warnings.simplefilter("ignore")
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/healthz", verify=old, trust_env=False)
    assert httpx.get(f"{server.url}/healthz", verify=trusting(cert), trust_env=False).status_code == 200


def test_a_renewed_certificate_is_taken_and_half_of_one_is_not(tmp_path: Path) -> None:
    held = Certificate(*map(str, certificate(tmp_path, "first")))
    assert not held.look()
    first = (tmp_path / "key.pem").read_bytes()
    certificate(tmp_path, "second")
    second = (tmp_path / "key.pem").read_bytes()
    (tmp_path / "key.pem").write_bytes(first)  # the certificate is there, its key is not yet
    assert not held.look()
    (tmp_path / "key.pem").write_bytes(second)
    assert held.look()
    (tmp_path / "cert.pem").unlink()
    assert not held.look()


def test_what_cannot_be_kept_to_is_refused_before_anything_listens(tmp_path: Path, served: Treering) -> None:
    cert, key = map(str, certificate(tmp_path))
    wrong: tuple[tuple[dict[str, object], str], ...] = (
        ({"tls_cert": cert}, "--tls-key: a certificate and its key belong together"),
        ({"tls_key": key}, "--tls-cert: a certificate and its key belong together"),
        ({"tls_cert": str(tmp_path / "none"), "tls_key": key}, "cannot be read"),
        ({"tls_cert": key, "tls_key": cert}, "are no certificate with its key in PEM"),
        ({"origins": ("app.example.com",)}, "is not an origin"),
        ({"origins": ("https://app.example.com/",)}, "is not an origin"),
        ({"proxies": ("proxy",)}, "is no address or network"),
        ({"proxies": ("10.0.0.1/8",)}, "is no address or network"),
    )
    for given, said in wrong:
        with pytest.raises(InvalidRequest, match=said):
            checked(ServerPolicy(**given))  # type: ignore[arg-type]
    checked(ServerPolicy(tls_cert=cert, tls_key=key, origins=(APP, "*"), proxies=("::1", "10.0.0.0/8")))
    with pytest.raises(Forbidden, match="any page that is open in a browser"):
        must_be_safe(served, ServerPolicy(origins=("*",)))


# pages of other origins


def test_only_pages_of_allowed_origins_may_read_answers(serving: Serving, served: Treering) -> None:
    key = served.key_create("page", spaces=["lab"], role="read").secret
    client = serving(origins=(APP,))
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization, content-type"}
    before = client.options(f"{LAB}/recall", headers={"Origin": APP, **asks})
    assert before.status_code == 200
    assert before.headers["access-control-allow-origin"] == APP
    assert "authorization" in before.headers["access-control-allow-headers"].lower()
    assert "access-control-allow-credentials" not in before.headers
    bearer = {"Authorization": f"Bearer {key}"}
    read = client.get(f"{LAB}/list", headers={"Origin": APP, **bearer})
    assert (read.status_code, read.headers["access-control-allow-origin"]) == (200, APP)
    refused = client.get(f"{LAB}/list", headers={"Origin": APP})
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, APP)
    assert client.options(f"{LAB}/recall", headers={"Origin": OTHER, **asks}).status_code == 400
    read = client.get(f"{LAB}/list", headers={"Origin": OTHER, **bearer})
    assert "access-control-allow-origin" not in read.headers


def test_without_an_allowed_origin_no_page_elsewhere_may_read_anything(serving: Serving) -> None:
    plain = serving()
    assert plain.get("/healthz", headers={"Origin": APP}).headers.get("access-control-allow-origin") is None
    assert plain.get(f"{LAB}/list", headers={"Origin": APP}).status_code == 403
    assert serving(origins=(APP,)).get(f"{LAB}/list", headers={"Origin": APP}).status_code == 200
    assert serving(origins=(APP,)).get(f"{LAB}/list", headers={"Origin": OTHER}).status_code == 403


# proxies


@pytest.mark.parametrize(
    ("trusted", "told"), [((), "testclient"), (("10.0.0.0/8",), "testclient"), (("*",), "203.0.113.9")]
)
def test_only_a_proxy_that_is_trusted_says_who_calls(
    serving: Serving, caplog: pytest.LogCaptureFixture, trusted: tuple[str, ...], told: str
) -> None:
    client = serving(proxies=trusted)
    with caplog.at_level("INFO", "treering.faces.rest"):
        client.get(f"{LAB}/list", headers={"X-Forwarded-For": "203.0.113.9"})
    [line] = [json.loads(one.message) for one in caplog.records if "request" in json.loads(one.message)]
    assert line["client"] == told
