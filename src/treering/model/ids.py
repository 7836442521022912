"""What is a thing called before it is written? Version 7 UUIDs (RFC 9562), minted by the operation that needs them.

Ids minted in one operation sort in the order they were minted, so that rows which share a known time keep the
order they were given in.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from os import urandom

from treering.model.time import to_micros

Mint = Callable[[], str]

_COUNTER_BITS = 26
_RANDOM_BYTES = 6


def mint(now: datetime) -> Mint:
    """A source of ids for one operation at `now`.

    48 bits of milliseconds, then a 26-bit counter that starts at a random place in its lower half, then 48 bits of
    fresh randomness an id: two operations in one millisecond cannot collide in practice.
    """
    millis = max(to_micros(now), 0) // 1000
    prefix = f"{millis >> 16:08x}-{millis & 0xFFFF:04x}-7"
    counter = secrets.randbits(_COUNTER_BITS - 1)

    def fresh() -> str:
        nonlocal counter
        counter += 1
        return f"{prefix}{counter >> 14:03x}-{0x8000 | counter & 0x3FFF:04x}-{urandom(_RANDOM_BYTES).hex()}"

    return fresh
