"""How much of a prompt does a text take? About, and the same for every model: nobody's tokenizer is asked."""

from __future__ import annotations

import math

CHARACTERS_A_TOKEN = 4


def tokens_of(text: str) -> int:
    """About how many tokens a language model will see in it."""
    return math.ceil(len(text) / CHARACTERS_A_TOKEN)
