"""Who is it, by the word of an identity provider? A bearer token that an OpenID Connect issuer has signed, checked
against the keys that the issuer publishes.

What a token says of itself is believed in nothing before its signature holds: not the algorithm, which must be one that
signs with a private key and fits the published key, and not the address of a key. Only the issuer that was set up is
ever asked, at the addresses that its own discovery document names.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from treering import extras
from treering.errors import InvalidRequest, Unavailable, Unsupported
from treering.model import limits
from treering.values import dataclass

if TYPE_CHECKING:
    import httpx

ALGORITHMS: dict[str, tuple[str, tuple[str | None, ...]]] = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), ("RSA", (None,))),
    "ES256": ("EC", ("P-256",)),
    "ES384": ("EC", ("P-384",)),
    "ES512": ("EC", ("P-521",)),
    "EdDSA": ("OKP", ("Ed25519", "Ed448")),
}
"""Those that take a private key to sign, with the kind and curve of key that each needs. None that takes a shared
secret: then whoever can check a token could make one, with the published key for the secret."""
TYPES = frozenset({None, "jwt", "at+jwt", "application/at+jwt"})
"""What a token may call itself; what is signed for another purpose, such as a logout, is no way in."""
SPACED = frozenset({"scope", "scp"})
"""Claims whose words stand in one text, apart by blanks; in any other claim a text is one group."""
TOKEN_CHARS, GROUPS = 16 * 1024, 1_000
DISCOVERY = "/.well-known/openid-configuration"
PREFIX = "user:"
"""Before the name of everybody who comes in so: a key's name can never be taken by whom a provider calls so."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_RSA_BITS = 2048


class Unauthentic(Exception):
    """A token that does not hold, and why. Who lets callers in turns it into a refusal."""


@dataclass(frozen=True, slots=True)
class OidcPolicy:
    issuer: str
    audience: tuple[str, ...]
    """A token must be meant for one of them."""
    name_claim: str = "sub"
    groups_claim: str = "groups"
    skew_seconds: float = 60.0
    """By how much the issuer's clock may differ from ours."""
    keys_seconds: float = 3600.0
    """After so long the issuer's keys are fetched anew, so that one it has withdrawn is trusted no longer."""
    again_seconds: float = 30.0
    """A token that names a key we do not know may be signed with a new one: then they are fetched at once, but not more
    often than this, whatever callers send."""
    stale_seconds: float = 24 * 3600.0
    """So long what was fetched last is used while the issuer cannot be reached."""
    timeout_seconds: float = 5.0
    answer_bytes: int = 1 << 20

    def __post_init__(self) -> None:
        must_be_safe(self.issuer, "TREERING_OIDC_ISSUER")
        if not self.audience:
            raise InvalidRequest(
                "TREERING_OIDC_AUDIENCE: is missing; say for whom tokens must be meant, such as treering or the URL of "
                "this server, or the issuer's tokens for any other service would open this one"
            )


@dataclass(frozen=True, slots=True)
class Person:
    """Who a token is of, as far as the issuer says."""

    name: str
    groups: frozenset[str]
    expires_at: datetime


class Issuer:
    """An identity provider, and its keys as they were last fetched."""

    def __init__(
        self,
        policy: OidcPolicy,
        clock: Callable[[], datetime],
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        """`ticks`: how long ago keys were fetched is told by a clock that nobody sets."""
        _library()
        self.policy, self._clock, self._ticks = policy, clock, ticks
        self._lock = threading.Lock()
        self._keys: tuple[Mapping[str, Any], ...] = ()
        self._fetched_at: float | None = None
        self._tried_at: float | None = None

    def person(self, token: str) -> Person:
        """Whose token it is. Unauthentic if it does not hold; Unavailable if no key could be fetched to tell."""
        header = self._header(token)
        key = self._key(header)
        claims = self._claims(token, key, header["alg"])
        return Person(self._name(claims), self._groups(claims), self._expiry(claims))

    # the token

    def _header(self, token: str) -> Mapping[str, Any]:
        if len(token) > TOKEN_CHARS:
            raise Unauthentic("it is too long")
        jwt = _library()
        try:
            header: Mapping[str, Any] = jwt.get_unverified_header(token)
        except jwt.InvalidTokenError as error:
            raise Unauthentic(f"it cannot be read ({error})") from None
        if header.get("alg") not in ALGORITHMS:
            raise Unauthentic(f"its algorithm {str(header.get('alg'))[:40]!r} is not one that is taken")
        kind = header.get("typ")
        if (kind.lower() if isinstance(kind, str) else kind) not in TYPES:
            raise Unauthentic(f"it is a {str(kind)[:40]!r}, which is for something else")
        if "crit" in header:
            raise Unauthentic("it needs an extension that is not known here")
        return header

    def _claims(self, token: str, key: Mapping[str, Any], algorithm: str) -> Mapping[str, Any]:
        """Signature, issuer and audience by the library; times by our own clock, in `_expiry`."""
        jwt = _library()
        times = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}
        try:
            public = jwt.PyJWK(dict(key), algorithm=algorithm).key
            _must_be_strong(public)
            claims: Mapping[str, Any] = jwt.decode(
                token,
                public,
                algorithms=[algorithm],
                audience=list(self.policy.audience),
                issuer=self.policy.issuer,
                options={**times, "require": ["exp", "iss", "aud", "sub"]},
            )
        except (jwt.PyJWTError, ValueError) as error:
            raise Unauthentic(f"{error}") from None
        return claims

    def _expiry(self, claims: Mapping[str, Any]) -> datetime:
        now, skew = self._clock(), timedelta(seconds=self.policy.skew_seconds)
        ends = _moment(claims, "exp")
        assert ends is not None, "the library has seen that it is there"
        if now >= ends + skew:
            raise Unauthentic("it has expired")
        for name in ("nbf", "iat"):
            begins = _moment(claims, name)
            if begins is not None and begins > now + skew:
                raise Unauthentic(f"it does not hold yet ({name})")
        return ends + skew

    def _name(self, claims: Mapping[str, Any]) -> str:
        said = _claim(claims, self.policy.name_claim)
        if not isinstance(said, str) or not said.strip() or len(PREFIX + said) > limits.NAME_CHARS:
            raise Unauthentic(f"its claim {self.policy.name_claim!r} names nobody")
        return PREFIX + said

    def _groups(self, claims: Mapping[str, Any]) -> frozenset[str]:
        """None where it names none: then nothing is granted to it."""
        name = self.policy.groups_claim
        said = _claim(claims, name)
        if isinstance(said, str):
            said = said.split() if name in SPACED else [said]
        if not isinstance(said, list):
            return frozenset()
        return frozenset(one for one in said[:GROUPS] if isinstance(one, str))

    # the keys

    def _key(self, header: Mapping[str, Any]) -> Mapping[str, Any]:
        for latest in (False, True):
            fitting = [one for one in self._published(latest) if _fits(one, header)]
            if len(fitting) == 1:
                return fitting[0]
        raise Unauthentic("it is signed with none of the issuer's keys" if not fitting else "it does not say which key")

    def _published(self, latest: bool) -> tuple[Mapping[str, Any], ...]:
        """`latest`: fetched anew, unless they have just been. Who could do with the last ones does not wait while
        somebody else fetches."""
        if self._is_due(latest) and self._lock.acquire(blocking=latest or self._fetched_at is None):
            try:
                if self._is_due(latest):
                    self._fetch()
            finally:
                self._lock.release()
        if self._fetched_at is None:
            raise Unavailable("the identity provider did not answer a moment ago; try again", self.policy.again_seconds)
        return self._keys

    def _fetch(self) -> None:
        self._tried_at = self._ticks()
        try:
            self._keys = self._fetched()
            self._fetched_at = self._ticks()
        except Unavailable:
            if self._fetched_at is None:
                raise
            if self._ticks() - self._fetched_at >= self.policy.stale_seconds:
                self._keys, self._fetched_at = (), None
                raise

    def _is_due(self, latest: bool) -> bool:
        if self._tried_at is not None and self._ticks() - self._tried_at < self.policy.again_seconds:
            return False
        age = None if self._fetched_at is None else self._ticks() - self._fetched_at
        return latest or age is None or age >= self.policy.keys_seconds

    def _fetched(self) -> tuple[Mapping[str, Any], ...]:
        import httpx

        with httpx.Client(timeout=self.policy.timeout_seconds, follow_redirects=False) as client:
            return self._discovered(client)

    def _discovered(self, client: httpx.Client) -> tuple[Mapping[str, Any], ...]:
        issuer = self.policy.issuer
        found = self._asked(client, issuer.rstrip("/") + DISCOVERY)
        if found.get("issuer") != issuer:
            raise Unavailable(
                f"{issuer}: its discovery document is of {found.get('issuer')!r}; set that, if it is meant"
            )
        where = found.get("jwks_uri")
        if not isinstance(where, str) or (urlsplit(issuer).scheme == "https" and urlsplit(where).scheme != "https"):
            raise Unavailable(f"{issuer}: its discovery document names no address of keys that can be trusted")
        must_be_safe(where, "jwks_uri")
        keys = self._asked(client, where).get("keys")
        return tuple(one for one in keys if isinstance(one, dict)) if isinstance(keys, list) else ()

    def _asked(self, client: httpx.Client, url: str) -> Mapping[str, Any]:
        import httpx

        try:
            with client.stream("GET", url, headers={"accept": "application/json"}) as answer:
                if answer.status_code != 200:
                    raise Unavailable(f"{url}: answered {answer.status_code}")
                said = json.loads(_read(answer, self.policy.answer_bytes))
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            why = str(error) or type(error).__name__
            raise Unavailable(f"{url}: the identity provider could not be asked ({why})") from None
        return said if isinstance(said, dict) else {}


def must_be_safe(url: str, field_name: str) -> None:
    """Who could change what is fetched could sign in as anybody: only TLS will do, but on this machine itself."""
    parts = urlsplit(url)
    here = parts.scheme == "http" and parts.hostname in _LOOPBACK
    if not (parts.scheme == "https" and parts.hostname) and not here:
        raise InvalidRequest(f"{field_name}: {url!r} is not an https:// address (http:// only on this machine itself)")


def is_token(written: str) -> bool:
    """Whether it looks like one: three parts, apart by dots."""
    return written.count(".") == 2


def _read(answer: httpx.Response, most: int) -> bytes:
    read = b""
    for piece in answer.iter_bytes():
        read += piece
        if len(read) > most:
            raise ValueError(f"more than {most:,} bytes")
    return read


def _fits(key: Mapping[str, Any], header: Mapping[str, Any]) -> bool:
    """A key for this algorithm, to sign with, and by the name that the token gives, if it gives one."""
    algorithm = header["alg"]
    kind, curves = ALGORITHMS[algorithm]
    return (
        key.get("kty") == kind
        and key.get("crv") in curves
        and key.get("use") in (None, "sig")
        and key.get("alg") in (None, algorithm)
        and (header.get("kid") is None or key.get("kid") == header["kid"])
    )


def _must_be_strong(public: Any) -> None:
    bits = getattr(public, "key_size", None)
    if type(public).__name__ == "RSAPublicKey" and isinstance(bits, int) and bits < _RSA_BITS:
        raise ValueError(f"the issuer's key has {bits} bits, fewer than {_RSA_BITS}")


def _moment(claims: Mapping[str, Any], name: str) -> datetime | None:
    said = claims.get(name)
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, int | float):
        raise Unauthentic(f"its {name} is no time")
    try:
        return datetime.fromtimestamp(said, UTC)
    except (OverflowError, ValueError, OSError):
        raise Unauthentic(f"its {name} is no time") from None


def _claim(claims: Mapping[str, Any], name: str) -> Any:
    """By its name, which may have dots in it, or else step by step: realm_access.roles."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for step in name.split("."):
        found = found.get(step) if isinstance(found, dict) else None
    return found


def _library() -> Any:
    try:
        import jwt
        import jwt.algorithms
    except ImportError:
        raise Unsupported(extras.not_installed("oidc", "TREERING_OIDC_ISSUER", "jwt")) from None
    if not jwt.algorithms.has_crypto:  # an older cryptography than PyJWT takes
        raise Unsupported(extras.not_installed("oidc", "TREERING_OIDC_ISSUER", "cryptography for jwt"))
    return jwt
