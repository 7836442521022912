"""What is a thing called before it is written? Version 7 UUIDs (RFC 9562), minted by the operation that needs them.

Ids minted in one operation sort in the order they were minted, so that rows which share a known time keep the
order they were given in.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime

from treering.model.time import to_micros

Mint = Callable[[], str]

_COUNTER_BITS = 26
_RANDOM_BITS = 48


def mint(now: datetime) -> Mint:
    """A source of ids for one operation at `now`.

    48 bits of milliseconds, then a 26-bit counter that starts at a random place in its lower half, then 48 bits of
    fresh randomness an id: two operations in one millisecond cannot collide in practice.
    """
    millis = max(to_micros(now), 0) // 1000
    counter = secrets.randbits(_COUNTER_BITS - 1)

    def fresh() -> str:
        nonlocal counter
        counter += 1
        high, low = counter >> 14, counter & 0x3FFF
        value = (millis << 80) | (7 << 76) | (high << 64) | (2 << 62) | (low << _RANDOM_BITS)
        digits = f"{value | secrets.randbits(_RANDOM_BITS):032x}"
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

    return fresh
