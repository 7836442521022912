"""Who vouches for a change? An actor's Ed25519 key pair, and the check of what it signed.

Keys travel as text: the 32 raw bytes in unpadded URL-safe base64. Where a private key is kept is not decided here.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import field
from enum import StrEnum
from typing import Any

from treering.errors import InvalidRequest
from treering.values import dataclass


class Attestation(StrEnum):
    """How far an edge is vouched for: by nobody, by who observed it, or by somebody else too."""

    UNSIGNED = "unsigned"
    SELF_SIGNED = "self_signed"
    PEER_ATTESTED = "peer_attested"


def attestation(by_observer: bool, by_others: bool) -> Attestation:
    if by_others:
        return Attestation.PEER_ATTESTED
    return Attestation.SELF_SIGNED if by_observer else Attestation.UNSIGNED


@dataclass(frozen=True, slots=True)
class Identity:
    """A private key, never shown in a repr. `public` is what others need to check a signature."""

    public: str
    _private: Any = field(repr=False, compare=False)

    @classmethod
    def generate(cls) -> Identity:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls._of(Ed25519PrivateKey.generate())

    @classmethod
    def from_secret(cls, secret: str) -> Identity:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        raw = _decoded(secret.strip())
        if len(raw) != 32:
            raise InvalidRequest("identity: a secret is 32 bytes in URL-safe base64, as Identity.secret() gives it")
        return cls._of(Ed25519PrivateKey.from_private_bytes(raw))

    @classmethod
    def _of(cls, private: Any) -> Identity:
        return cls(_encoded(private.public_key().public_bytes_raw()), private)

    def secret(self) -> str:
        return _encoded(self._private.private_bytes_raw())

    def sign(self, message: bytes) -> str:
        return _encoded(self._private.sign(message))


def signed_by(public: str, signature: str, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(_decoded(public)).verify(_decoded(signature), message)
    except (InvalidSignature, InvalidRequest, ValueError, TypeError):  # damage can change the type of what was read
        return False
    # base64 leaves spare bits in its last character: only the one spelling we write counts as the signature
    return _encoded(_decoded(signature)) == signature


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidRequest("identity: a key is 32 bytes in URL-safe base64") from None
