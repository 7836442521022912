"""How is a file kept from those who have no passphrase? It is sealed: a key is made of the passphrase (scrypt), and the
file is encrypted with it in chunks (ChaCha20-Poly1305), so that it need not fit in memory.

Each chunk is bound to its place, and the last one says that it is the last: a file that was cut off, put together anew
or changed in one bit does not open. The header says how the key is made, and is bound to all of it.

    treering sealed 1\\n {"cipher": …, "kdf": …, …}\\n <HMAC-SHA256 of these lines> <chunks, each with its tag>
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from treering.errors import Corrupted, Forbidden, InvalidRequest
from treering.values import dataclass

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

MAGIC = b"treering sealed 1\n"
CHUNK_BYTES = 64 * 1024
LEAST_PASSPHRASE_CHARS = 12
_TAG_BYTES, _MAC_BYTES, _KEY_BYTES, _SALT_BYTES, _NONCE_BYTES = 16, 32, 32, 16, 7
_MOST_HEADER_BYTES = 1024


@dataclass(frozen=True, slots=True)
class KeyDerivation:
    """How hard it is to guess a passphrase: 128 MiB and some tenths of a second a guess."""

    n: int = 2**17
    r: int = 8
    p: int = 1


WORK = KeyDerivation()
MOST_WORK = KeyDerivation(2**20, 16, 4)
"""What a header may ask for: a file from elsewhere must not make us work for hours."""


def must_be_long(passphrase: str) -> str:
    if len(passphrase) < LEAST_PASSPHRASE_CHARS:
        raise InvalidRequest(
            f"passphrase: has {len(passphrase)} characters; give at least {LEAST_PASSPHRASE_CHARS}, best some words "
            "drawn by chance"
        )
    return passphrase


def is_sealed(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise InvalidRequest(f"path: {path} cannot be read ({error.strerror})") from error


def seal(plain: BinaryIO, sealed: BinaryIO, passphrase: str, work: KeyDerivation | None = None) -> None:
    work = work or WORK
    header: dict[str, Any] = {
        "cipher": "chacha20-poly1305",
        "kdf": "scrypt",
        "n": work.n,
        "r": work.r,
        "p": work.p,
        "salt": secrets.token_hex(_SALT_BYTES),
        "nonce": secrets.token_hex(_NONCE_BYTES),
        "chunk": CHUNK_BYTES,
    }
    written = MAGIC + json.dumps(header).encode() + b"\n"
    cipher, mac = _keys(must_be_long(passphrase), header, written)
    sealed.write(written + mac)
    for nonce, chunk in _numbered(plain, CHUNK_BYTES, header["nonce"]):
        sealed.write(cipher.encrypt(nonce, chunk, mac))


def unsealed(sealed: BinaryIO, passphrase: str, where: str) -> Iterator[bytes]:
    """What was sealed, piece by piece; each is right when it comes, and the last says that all came."""
    from cryptography.exceptions import InvalidTag

    written, header = _header(sealed, where)
    cipher, mac = _keys(passphrase, header, written)
    if not hmac.compare_digest(mac, sealed.read(_MAC_BYTES)):
        raise Forbidden(f"passphrase: does not open {where}; give the one it was sealed with")
    try:
        for nonce, chunk in _numbered(sealed, header["chunk"] + _TAG_BYTES, header["nonce"]):
            yield cipher.decrypt(nonce, chunk, mac)
    except InvalidTag:
        raise Corrupted(f"{where}: was cut off or changed after it was sealed; take another backup") from None


def _header(sealed: BinaryIO, where: str) -> tuple[bytes, dict[str, Any]]:
    first, line = sealed.read(len(MAGIC)), sealed.readline(_MOST_HEADER_BYTES)
    try:
        header = json.loads(line)
        known = first == MAGIC and _is_known(header)
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise Corrupted(f"{where}: is no sealed backup that this version can open")
    return first + line, header


def _is_known(header: dict[str, Any]) -> bool:
    kinds = header["cipher"] == "chacha20-poly1305" and header["kdf"] == "scrypt"
    bounded = all(0 < int(header[one]) <= getattr(MOST_WORK, one) for one in ("n", "r", "p"))
    drawn = len(bytes.fromhex(header["nonce"])) == _NONCE_BYTES and len(bytes.fromhex(header["salt"])) == _SALT_BYTES
    return kinds and bounded and drawn and 0 < int(header["chunk"]) <= 16 * CHUNK_BYTES


def _keys(passphrase: str, header: dict[str, Any], written: bytes) -> tuple[ChaCha20Poly1305, bytes]:
    """What encrypts, and what says that the header belongs to the passphrase."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    kdf = Scrypt(salt=bytes.fromhex(header["salt"]), length=2 * _KEY_BYTES, n=header["n"], r=header["r"], p=header["p"])
    key = kdf.derive(passphrase.encode())
    return ChaCha20Poly1305(key[:_KEY_BYTES]), hmac.digest(key[_KEY_BYTES:], written, hashlib.sha256)


def _numbered(file: BinaryIO, size: int, prefix: str) -> Iterator[tuple[bytes, bytes]]:
    """Chunks, each with the nonce of its place; there is always a last one, if need be an empty one."""
    here = file.read(size)
    for number in count():
        after = file.read(size)
        yield bytes.fromhex(prefix) + number.to_bytes(4) + bytes([not after]), here
        if not after:
            return
        here = after
