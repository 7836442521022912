"""Is a turn plain talk? Code, markup and long texts are kept as they stand: to reword them would be to spoil them."""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST_TALK_CHARS = 600
_CODE = re.compile(
    r"```|^\s*(?:def|class|import|from \w[\w.]* import|function|const|let|var|public|private|return|if \(|for \("
    r"|SELECT|#include"
    r"|<\?php|@\w+|\$ )\b|</?[a-z][a-z0-9]*(?: [^<>]*)?>|[{};]\s*$|=>|\w+\(\w*\)\s*[{:;]|^\s*[-+]{3} |\w+\.\w+\("
    r"|^\s*\|.*\|\s*$",
    re.M,
)


def has_code(text: str) -> bool:
    return _CODE.search(text) is not None if len(text) > LONGEST_TALK_CHARS else _short_has_code(text)


@lru_cache(maxsize=256)
def _short_has_code(text: str) -> bool:
    """Asked of a text when it is said, and again with each of those after it."""
    return _CODE.search(text) is not None
