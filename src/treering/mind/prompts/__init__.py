"""WHAT IS A MODEL TOLD? Every prompt of the product, and nothing that decides.

What people said travels inside JSON strings in which nothing can look like the end of a message: `quoted` sees to that.
"""

from __future__ import annotations

import json
import re
from typing import Any

_SIGNS = re.compile(r"[<>|\u2028\u2029]|\[(?=/?[A-Z_]+\])")


def quoted(value: Any) -> str:
    """JSON in which the signs that mark turns in chat templates (`<|im_end|>`, `</s>`, `[INST]`) are escaped: a server
    that reads marks out of what a user says would otherwise let a remembered text speak as the system."""
    return inert(json.dumps(value, ensure_ascii=False))


def inert(written: str) -> str:
    """JSON that somebody else wrote, with those signs escaped."""
    return _SIGNS.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
