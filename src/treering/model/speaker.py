"""Who speaks? The owner of a space, an assistant, or somebody else; and where do people talk with one another?"""

from __future__ import annotations

from collections.abc import Iterable

from treering.model.entity import fold

THE_OWNER = frozenset(("user", "human"))
ASSISTANTS = frozenset(("assistant", "ai", "bot", "system", "tool"))


def is_owner(speaker: str | None, owner: str | None) -> bool:
    """Whoever has no name is the owner; `owner`: the name that it has taken."""
    if speaker is None or speaker.casefold() in THE_OWNER:
        return True
    return owner is not None and fold(speaker) == fold(owner)


def is_assistant(speaker: str | None) -> bool:
    return speaker is not None and speaker.casefold() in ASSISTANTS


def is_somebody_else(speaker: str | None, owner: str | None) -> bool:
    return not is_owner(speaker, owner) and not is_assistant(speaker)


def talks_with_others(speaker: str | None, company: Iterable[str | None], owner: str | None) -> bool:
    """Whether it is said to other people: who says it and one of the company are neither the owner nor an assistant.
    What one person tells alone, under whatever name, is told to the memory."""
    if speaker is None or not is_somebody_else(speaker, owner):
        return False
    return any(one and is_somebody_else(one, owner) and fold(one) != fold(speaker) for one in company)
