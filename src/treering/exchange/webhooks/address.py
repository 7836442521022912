"""May we call that address? A webhook could be pointed at what only this machine can reach: its own services, its
neighbours, the cloud's. Every address that a name stands for must be a public one, and that very address is called."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from treering.errors import InvalidRequest

URL_CHARS = 2_000
SPECIAL = tuple(
    ipaddress.ip_network(one)
    for one in (
        # IANA's special-purpose registries, those that are not globally reachable or lead to somewhere else
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32",
        "::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23",
        "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10",
        "fec0::/10", "ff00::/8",
        # services of clouds for their own machines, at addresses that look public
        "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32", "fd00:ec2::254/128", "fd20:ce::254/128",
    )
)  # fmt: skip
"""Addresses that no webhook may have, whatever the library of this Python thinks of them. As registered in 2025."""
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
    mapped = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    if mapped is not None:
        return is_public(mapped)
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    return not any(address in one for one in SPECIAL if one.version == address.version)
