"""Which tokens open nothing: for somebody else, expired, forged, saying too little or signed with a weak key."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.conftest import HandClock
from tests.faces.rest.oidc import Opened, issuer, now, opened, who
from tests.faces.rest.test_native import the_error
from tests.issuer import AUDIENCE, Issuer

from treering.access import oidc
from treering.access.oidc import OidcPolicy, Unauthentic

__all__ = ["issuer", "now", "opened"]


def test_a_token_for_somebody_else_opens_nothing(opened: Opened, issuer: Issuer) -> None:
    _, http = opened("research=read:*")
    refused = who(http, issuer.token("ann", "urn:elsewhere"))
    assert the_error(refused)[:2] == (401, "unauthorized")
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]


def test_a_token_signed_with_a_shared_secret_opens_nothing(opened: Opened, issuer: Issuer) -> None:
    _, http = opened("research=read:*")
    refused = the_error(who(http, issuer.token("ann", "urn:treering:hs")))
    assert refused[:2] == (401, "unauthorized")
    assert "its algorithm 'HS256' is not one that is taken" in refused[2]


def test_it_holds_until_it_expires_and_a_little_longer_for_clocks_that_differ(
    opened: Opened, issuer: Issuer, now: HandClock
) -> None:
    _, http = opened("research=read:*", skew_seconds=60)
    token = issuer.token("ann")
    claims = jwt.decode(token, options={"verify_signature": False})
    for seconds, status in ((-1, 200), (59, 200), (61, 401)):
        now.now = datetime.fromtimestamp(claims["exp"], UTC) + timedelta(seconds=seconds)
        assert who(http, token).status_code == status, seconds
    assert "it has expired" in who(http, token).text


def test_it_does_not_hold_before_it_was_made_but_for_clocks_that_differ(
    opened: Opened, issuer: Issuer, now: HandClock
) -> None:
    _, http = opened("research=read:*", skew_seconds=60)
    token = issuer.token("ann")
    made = datetime.fromtimestamp(jwt.decode(token, options={"verify_signature": False})["iat"], UTC)
    for seconds, status in ((-61, 401), (-59, 200)):
        now.now = made + timedelta(seconds=seconds)
        assert who(http, token).status_code == status, seconds


def test_a_stream_ends_with_its_token(opened: Opened, issuer: Issuer, now: HandClock) -> None:
    """What it had open is asked again and again whether it still may be."""
    door, _ = opened("research=read:*")
    person = door.issuer()
    assert person is not None
    token = issuer.token("ann")
    assert person.person(token).expires_at > now.now
    now.now += timedelta(hours=2)
    with pytest.raises(Unauthentic, match="it has expired"):
        person.person(token)


# forged


def _claims(issuer: Issuer, **other: Any) -> dict[str, Any]:
    moment = int(datetime.now(UTC).timestamp())
    told = {"iss": issuer.url, "aud": AUDIENCE, "sub": "boss", "groups": ["platform"], "iat": moment}
    return {**told, "exp": moment + 600, **other}


def _part(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _public_pem(issuer: Issuer) -> tuple[dict[str, str], bytes]:
    published = next(one for one in issuer.published() if one["kty"] == "RSA")
    pem = jwt.PyJWK(published, algorithm="RS256").key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return published, pem


def _own_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def _hmac(issuer: Issuer) -> str:
    """The published key taken for a shared secret, as a checker that believes the token would take it."""
    import hashlib
    import hmac

    published, pem = _public_pem(issuer)
    said = f"{_part({'alg': 'HS256', 'kid': published['kid'], 'typ': 'JWT'})}.{_part(_claims(issuer))}"
    signature = base64.urlsafe_b64encode(hmac.new(pem, said.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()
    return f"{said}.{signature}"


def _of_another(issuer: Issuer, **header: Any) -> str:
    kid = _public_pem(issuer)[0]["kid"]
    return jwt.encode(_claims(issuer), _own_key(), "RS256", headers={"kid": kid, **header})


def _brings_its_key(issuer: Issuer) -> str:
    own = _own_key()
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(own.public_key()))
    return jwt.encode(
        _claims(issuer), own, "RS256", headers={"jwk": public, "jku": f"{issuer.url}/jwks", "kid": "mine"}
    )


def _changed(issuer: Issuer) -> str:
    head, _, signature = issuer.token("ann").split(".")
    return f"{head}.{_part(_claims(issuer))}.{signature}"


def _with_another_curve(issuer: Issuer) -> str:
    kid = next(one["kid"] for one in issuer.published() if one["kty"] == "EC")
    return jwt.encode(_claims(issuer), ec.generate_private_key(ec.SECP384R1()), "ES384", headers={"kid": kid})


FORGED: dict[str, Callable[[Issuer], str]] = {
    "unsigned": lambda one: f"{_part({'alg': 'none', 'typ': 'JWT'})}.{_part(_claims(one))}.",
    "unsigned, written otherwise": lambda one: f"{_part({'alg': 'NoNe', 'typ': 'JWT'})}.{_part(_claims(one))}.",
    "no algorithm": lambda one: f"{_part({'typ': 'JWT'})}.{_part(_claims(one))}.x",
    "the public key for a secret": _hmac,
    "another's signature under their key's name": _of_another,
    "its own key in its header": _brings_its_key,
    "other words under their signature": _changed,
    "a curve that their key is not of": _with_another_curve,
    "a token for something else": lambda one: _of_another(one, typ="logout+jwt"),
    "an extension that must be known": lambda one: _of_another(one, crit=["b64"], b64=False),
    "no token": lambda one: "a.b.c",
    "very long": lambda one: "a." + "b" * 20_000 + ".c",
    "without its signature": lambda one: one.token("ann").rpartition(".")[0] + ".",
}


def test_what_the_provider_did_not_sign_opens_nothing(opened: Opened, issuer: Issuer) -> None:
    _, http = opened("research=read:*, platform=admin:*")
    assert who(http, issuer.token("boss")).json()["role"] == "admin"
    for kind, forge in FORGED.items():
        assert who(http, forge(issuer)).status_code == 401, kind


class Signer(oidc.Issuer):
    """A provider whose published key we hold: so that what only it could sign can be tried."""

    def __init__(self, policy: OidcPolicy, clock: HandClock) -> None:
        super().__init__(policy, clock)
        self.own = _own_key()
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.own.public_key()))
        self.keys: tuple[dict[str, Any], ...] = ({**public, "kid": "a", "use": "sig"},)

    def _fetched(self) -> tuple[dict[str, Any], ...]:
        return self.keys

    def signs(self, claims: dict[str, Any], kid: str | None = "a") -> str:
        return jwt.encode(claims, self.own, "RS256", headers={} if kid is None else {"kid": kid})


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"exp": None}, "exp"),
        ({"exp": "soon"}, "exp"),
        ({"exp": True}, "its exp is no time"),
        ({"exp": 1e40}, "its exp is no time"),
        ({"iss": "https://evil.example"}, "[Ii]ssuer"),
        ({"iss": None}, "iss"),
        ({"aud": None}, "aud"),
        ({"aud": ["elsewhere"]}, "[Aa]udience"),
        ({"sub": None}, "sub"),
        ({"sub": " "}, "names nobody"),
        ({"sub": "x" * 300}, "names nobody"),
        ({"nbf": 9_999_999_999}, "it does not hold yet"),
    ],
)
def test_a_token_that_says_too_little_or_too_much_is_refused(
    issuer: Issuer, now: HandClock, other: dict[str, Any], why: str
) -> None:
    one = Signer(OidcPolicy(issuer.url, (AUDIENCE,)), now)
    assert one.person(one.signs(_claims(issuer))).name == "user:boss"
    claims = {name: value for name, value in _claims(issuer, **other).items() if value is not None}
    with pytest.raises(Unauthentic, match=why):
        one.person(one.signs(claims))


def test_a_weak_key_and_one_for_another_use_are_not_believed(issuer: Issuer, now: HandClock) -> None:
    one = Signer(OidcPolicy(issuer.url, (AUDIENCE,)), now)
    token = one.signs(_claims(issuer))
    right = one.keys[0]
    for wrong in ({"use": "enc"}, {"alg": "PS256"}, {"kty": "oct", "k": "c2VjcmV0"}, {"kid": "b"}):
        other = Signer(OidcPolicy(issuer.url, (AUDIENCE,)), now)
        other.keys = ({**right, **wrong},)
        with pytest.raises(Unauthentic, match="none of the issuer's keys"):
            other.person(token)
    unnamed = one.signs(_claims(issuer), kid=None)
    assert one.person(unnamed).name == "user:boss"
    one.keys = (right, {**right, "kid": "b"})
    one._tried_at = one._fetched_at = None
    with pytest.raises(Unauthentic, match="does not say which key"):
        one.person(unnamed)
