"""How much of a prompt does a text take? About, and the same for every model: nobody's tokenizer is asked."""

from __future__ import annotations

import math
import re

CHARACTERS_A_TOKEN = 4
_ONE_EACH = re.compile(
    "[\u1100-\u11ff\u3040-\u30ff\u3100-\u312f\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uff9f\u2600-\u27bf\U0001f000-\U0001faff\U00020000-\U0003ffff]"
)
"""Chinese characters, kana, hangul and emoji: each is a word or a syllable, and a token by itself or nearly so."""


def tokens_of(text: str) -> int:
    """About how many tokens a language model will see in it."""
    alone = 0 if text.isascii() else len(_ONE_EACH.findall(text))
    return alone + math.ceil((len(text) - alone) / CHARACTERS_A_TOKEN)


def characters_within(text: str, tokens: int) -> int:
    """How many of its first characters take about so many tokens."""
    most = tokens * CHARACTERS_A_TOKEN
    if text.isascii() or tokens_of(text) <= tokens:
        return most
    spent = 0.0
    for place, character in enumerate(text):
        spent += 1 if _ONE_EACH.match(character) else 1 / CHARACTERS_A_TOKEN
        if spent > tokens:
            return place
    return most
