"""Which addresses no webhook may have: every block of the special-purpose registries of IANA, in each form in which
IPv6 can carry it, and nothing beside them."""

from __future__ import annotations

import ipaddress
import random
from collections.abc import Iterator

import pytest

from treering.errors import InvalidRequest
from treering.exchange.webhooks.address import FURTHER, Address, is_public, resolved

SPECIAL_4 = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
    *("192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/31", "192.0.2.0/24"),
    *("192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15"),
    *("198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "255.255.255.255/32"),
    "224.0.0.0/4",  # multicast, a registry of its own
)
SPECIAL_6 = (
    *("::1/128", "::/128", "::ffff:0:0/112", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64"),
    *("2001::/23", "2001::/32", "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:2::/48", "2001:3::/32"),
    *("2001:4:112::/48", "2001:10::/28", "2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16"),
    *("2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10"),
    *("ff00::/8", "fec0::/10", "::/96"),  # multicast, and what was given up
)
CLOUDS = {
    "169.254.169.254": "most",
    "169.254.170.2": "containers of AWS",
    "fd00:ec2::254": "AWS",
    "fd20:ce::254": "Google",
    "100.100.100.200": "Alibaba",
    "168.63.129.16": "Azure",
    "192.0.0.192": "Oracle",
}
"""Where clouds serve their own machines, credentials among it."""


def some_of(block: str) -> Iterator[Address]:
    """Both ends, the middle, and a few by chance."""
    network = ipaddress.ip_network(block)
    chance, size = random.Random(block), network.num_addresses
    yield from (network[at] for at in {0, size - 1, size // 2, *(chance.randrange(size) for _ in range(5))})


def carried(address: ipaddress.IPv4Address) -> Iterator[ipaddress.IPv6Address]:
    """The forms in which IPv6 carries an IPv4 address."""
    number = int(address)
    for prefix in ("::ffff:0:0", "64:ff9b::", "64:ff9b:1:ffff::", "::"):
        yield ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) | number)
    relayed = int(ipaddress.IPv6Address("2002::"))
    yield ipaddress.IPv6Address(relayed | number << 80)
    yield ipaddress.IPv6Address(relayed | number << 80 | 1)
    teredo = int(ipaddress.IPv6Address("2001::"))
    yield ipaddress.IPv6Address(teredo | 0x08080808 << 64 | number ^ 0xFFFFFFFF)  # a client behind a server
    yield ipaddress.IPv6Address(teredo | number << 64 | 0x08080808 ^ 0xFFFFFFFF)  # a server


@pytest.mark.parametrize("block", [*SPECIAL_4, *(f"{one}/32" for one in CLOUDS if "." in one)])
def test_no_special_address_is_public_in_whatever_form(block: str) -> None:
    for one in some_of(block):
        assert isinstance(one, ipaddress.IPv4Address)
        assert not is_public(one), one
        for form in carried(one):
            assert not is_public(form), (one, form)


@pytest.mark.parametrize("block", [*SPECIAL_6, *(f"{one}/128" for one in CLOUDS if ":" in one)])
def test_no_special_address_of_ipv6_is_public(block: str) -> None:
    for one in some_of(block):
        assert not is_public(one), one


def test_what_a_translator_or_tunnel_leads_to_is_never_public() -> None:
    mapped, *others = carried(ipaddress.IPv4Address("8.8.8.8"))
    assert is_public(mapped), "this is the address itself"
    assert [str(one) for one in others if is_public(one)] == []


def test_whatever_the_standard_library_keeps_apart_is_kept_apart() -> None:
    """Also what a later Python will have learned."""
    chance = random.Random(7)
    every: list[Address] = [ipaddress.IPv4Address(chance.getrandbits(32)) for _ in range(20_000)]
    every += [ipaddress.IPv6Address(chance.getrandbits(128)) for _ in range(5_000)]
    every += [ipaddress.IPv6Address(0x20 << 120 | chance.getrandbits(125)) for _ in range(5_000)]
    for one in every:
        kept = (not one.is_global, one.is_private, one.is_loopback, one.is_link_local, one.is_unspecified)
        if any(kept) or one.is_multicast or one.is_reserved:
            assert not is_public(one), one


@pytest.mark.parametrize("block", [one for one in (*SPECIAL_4, *SPECIAL_6) if ipaddress.ip_network(one).prefixlen])
def test_what_lies_beside_a_special_block_is_public_unless_it_is_one_itself(block: str) -> None:
    special = [ipaddress.ip_network(one) for one in (*SPECIAL_4, *SPECIAL_6)]
    network = ipaddress.ip_network(block)
    first, last = int(network.network_address), int(network.broadcast_address)
    for number in (first - 1, last + 1):
        if not 0 <= number < 1 << network.max_prefixlen:
            continue
        one = type(network.network_address)(number)
        allotted = one.version == 4 or number >> 125 == 1  # IANA has given out 2000::/3 alone
        known = any(one in other for other in special if other.version == one.version)
        assert is_public(one) == (allotted and not known), one


def test_the_list_of_our_own_holds_only_what_is_in_a_registry_or_a_cloud() -> None:
    registered = [ipaddress.ip_network(one) for one in (*SPECIAL_4, *SPECIAL_6, "168.63.129.16/32")]
    assert set(FURTHER) <= set(registered)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "8.8.8.8", "192.0.1.1", "2606:4700::1111", "2a00:1450::1", "2001:4860::8"]
)
def test_public_addresses_are(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "host",
    [
        *("2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),
        *("[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2001::8:0:0:80ff:fffe]", "[fe80::1%25lo]", "localhost"),
    ],
)
def test_no_way_of_writing_it_gets_past(host: str) -> None:
    with pytest.raises(InvalidRequest, match=r"not a public address|cannot be found|no http address"):
        resolved(f"http://{host}/hook", private=False)
