"""What is somebody to who speaks? "My dentist Anna", "Anna from choir": it tells her from another of her name."""

from __future__ import annotations

import re

KIN = frozenset(
    re.findall(
        r"\S+",
        """mother father mum mom dad parents sister brother siblings wife husband partner girlfriend boyfriend fiance
        fiancee son daughter kids children child cousin aunt uncle niece nephew grandma grandpa gran grandmother
        grandfather mother-in-law father-in-law sister-in-law brother-in-law roommate flatmate boss manager landlord
        dog cat family team company""",
    )
)
ANY_OF_SEVERAL = frozenset(
    re.findall(
        r"\S+",
        """friend buddy pal mate acquaintance coworker co-worker colleague workmate teammate classmate neighbour
        neighbor client customer patient student pupil""",
    )
)
APART = {
    "older": "older", "elder": "older", "big": "older", "younger": "younger", "little": "younger", "kid": "younger",
    "baby": "younger", "oldest": "oldest", "eldest": "oldest", "youngest": "youngest", "middle": "middle",
    "other": "other", "another": "other", "second": "second", "third": "third", "new": "new", "former": "former",
    "old": "former", "previous": "former", "late": "late", "ex": "former",
}  # fmt: skip
"""Words before a role that tell one from another who has it, and what they come to."""
_NOBODY = frozenset(["dog", "cat", "family", "team", "company"])
_DEAR = frozenset(["best", "good", "close", "dear", "own", "favourite", "favorite", "lovely", "amazing", "poor", "old"])
_MINE = re.compile(r"\b(?:my|our) (?P<more>[a-z]+ )?(?P<role>[a-z]{3,}(?:-in-law)?) $", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?:, | \(| )(?:my|our) (?P<role>[a-z]{3,}(?:-in-law)?)(?: (?P<more>[a-z]{3,})(?=[.,;:!?)]|$))?"
    r"|(?: \(| )from (?:my |our |the )?(?P<from>[a-z]{3,})\b"
)
_NO_ROLES = frozenset(
    [
        "now", "here", "there", "then", "today", "tonight", "yesterday", "tomorrow", "home", "abroad", "next", "last",
        "this", "that", "what", "where", "when", "dear", "name", "and", "with", "for", "from", "than", "like",
    ]
)  # fmt: skip


def role_of(text: str, start: int, end: int) -> str | None:
    """Of the name that stands there."""
    before, behind = _MINE.search(text[:start]), _BEHIND.match(text, end)
    if before is not None and before["role"].lower() not in _NO_ROLES:
        return _called(before["more"], before["role"])
    if behind is None or behind["from"]:
        return behind["from"] if behind is not None and behind["from"] not in _NO_ROLES else None
    first, second = behind["role"], behind["more"]
    return _called(first, second) if second is not None and second not in _NO_ROLES else _called(None, first)


def _called(more: str | None, role: str) -> str | None:
    """`more`: the word before it, which may be a part of it, dear to me, or the role itself: "my mum called Anna"."""
    before, last = (more or "").strip().lower(), role.lower()
    if before in KIN | ANY_OF_SEVERAL or last in _NO_ROLES:
        return None
    return last if not before or before in _DEAR | APART.keys() else f"{before} {last}"


def is_a_person(role: str | None) -> bool:
    """Whether only people are that to somebody."""
    return role is not None and role.rsplit(" ", maxsplit=1)[-1] in (KIN | ANY_OF_SEVERAL) - _NOBODY
