"""WHAT may a note be called? A name that every system can hold, every sync carry, and Obsidian link to."""

from __future__ import annotations

import re
import unicodedata

NAME_BYTES = 120
"""Of the name without its ending: encrypted folders keep no more than 143 in all, and a number may follow."""
SUFFIX = ".md"
_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]%&{}$!`=@+]+')
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|desktop|thumbs)\s*(?:\.|$)", re.IGNORECASE
)
_JOINER = "\u200d"


def safe_name(words: str, otherwise: str) -> str:
    """From a title or statement; `otherwise` if nothing of it can be used."""
    plain = "".join(one if _is_plain(one) else " " for one in unicodedata.normalize("NFC", words))
    name = _cut(" ".join(_FORBIDDEN.sub(" ", plain).split())).strip(" .-~_")
    if not name or not any(one.isalnum() or unicodedata.category(one) == "So" for one in name):
        return otherwise
    return f"Note {name}" if _RESERVED.match(name) else name


def numbered(name: str, number: int) -> str:
    return f"{name}{SUFFIX}" if number == 1 else f"{name} {number}{SUFFIX}"


def alike(name: str) -> str:
    """The same for names that some system takes for one: in other letters, or with accents put together otherwise."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", name).casefold())


def _is_plain(sign: str) -> bool:
    """No control, format or private sign: they cannot be seen, and can make one name look like another."""
    return sign == _JOINER or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _cut(name: str) -> str:
    """At a blank if there is one near, and never within a letter and its accents or a joined sign."""
    if len(name.encode()) <= NAME_BYTES:
        return name
    end = len(name.encode()[:NAME_BYTES].decode("utf-8", "ignore"))
    while end > 1 and _belongs_before(name, end):
        end -= 1
    blank = name.rfind(" ", end // 2, end)
    return name[: blank if blank > 0 else end]


def _belongs_before(name: str, place: int) -> bool:
    sign = name[place]
    joined = sign == _JOINER or name[place - 1] == _JOINER or sign == "\ufe0f" or "\U0001f3fb" <= sign <= "\U0001f3ff"
    return joined or unicodedata.combining(sign) > 0
