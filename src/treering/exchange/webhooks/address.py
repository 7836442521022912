"""May we call that address? A webhook could be pointed at what only this machine can reach: its own services, its
neighbours, the cloud's. Every address that a name stands for must be a public one, and that very address is called."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit, urlunsplit

from treering.errors import InvalidRequest
from treering.values import dataclass

URL_CHARS = 2_000
FURTHER = tuple(
    ipaddress.ip_network(one)
    for one in (
        "192.0.0.0/24", "2001::/23", "3fff::/20",  # protocols and documentation: older libraries know them in part
        "192.88.99.0/24", "2002::/16",  # relays to IPv4 addresses
        "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2620:4f:8000::/48",  # who is nearest answers
        "168.63.129.16/32",  # at an address that looks public, what Azure serves to its own machines
    )
)  # fmt: skip
"""Special addresses that the standard library of a Python we run on calls global. All others are its to know: it
follows IANA's registries. Other clouds serve their machines at addresses that are private, shared or link-local."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Called:
    """A URL with the address its name stands for, so that the name cannot come to mean another one meanwhile."""

    url: str
    host: str
    """As the server is to be called, in the request and in its certificate."""


def checked_url(url: str) -> str:
    """Refuses what can be no webhook, without asking anybody."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidRequest(f"address: {url!r} cannot be read ({error})") from None
    if parts.scheme not in ("https", "http") or not parts.hostname or len(url) > URL_CHARS or port == 0:
        raise InvalidRequest(f"address: {url!r} is no http address, such as https://example.org/hook")
    if parts.username or parts.password:
        raise InvalidRequest("address: must not hold a name and password; what is sent is signed instead")
    return url


def resolved(url: str, private: bool) -> Called:
    """`private`: addresses that are not public may be called too."""
    parts = urlsplit(checked_url(url))
    host = str(parts.hostname)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        addresses = _addresses(host, port)
    except (OSError, UnicodeError) as error:
        raise InvalidRequest(f"address: {host} cannot be found ({error})") from None
    if not private:
        _must_be_public(host, addresses)
    chosen = addresses[0]
    where = f"[{chosen}]" if chosen.version == 6 else str(chosen)
    called = urlunsplit((parts.scheme, f"{where}:{port}", parts.path or "/", parts.query, ""))
    return Called(called, host if parts.port is None else f"{host}:{port}")


def refuse_private(url: str) -> None:
    """What is private now is refused at once; what cannot be found now is looked at again when it is called."""
    host = str(urlsplit(url).hostname)
    with suppress(OSError, ValueError):
        _must_be_public(host, _addresses(host, None))


def is_plainly_private(url: str) -> bool:
    """Whether the address says by itself that it is not a public one, without asking anybody."""
    host = str(urlsplit(url).hostname)
    try:
        return not is_public(ipaddress.ip_address(host))
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _addresses(host: str, port: int | None) -> list[Address]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [ipaddress.ip_address(str(one[4][0]).partition("%")[0]) for one in found]


def _must_be_public(host: str, addresses: Sequence[Address]) -> None:
    for one in addresses:
        if not is_public(one):
            raise InvalidRequest(
                f"address: {host} is {one}, which is not a public address; the server may be told to allow it"
            )


def is_public(address: Address) -> bool:
    """An IPv4 address written as an IPv6 one is called as what it is. All that leads to one by way of a translator or
    a tunnel (NAT64, 6to4, Teredo) is no public address, whatever it leads to."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address.is_site_local:
            return False
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    return not any(address in one for one in FURTHER if one.version == address.version)
