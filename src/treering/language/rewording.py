"""Which words are read for search: those of a statement, or those in which it was said?

A statement that only makes what was said stand alone ("User paints" for "I paint") is searched by the words of the
speaker: questions are answered in them, and embedders were taught on them. One that was drawn from what was said
("User works at Anthropic" from "I left Google to join Anthropic") is searched by its own.
"""

from __future__ import annotations

from treering.language.words import words

SAME_WORDS = 0.6
"""The share of the words said that a statement must hold to be a rewording of them."""


def as_read(content: str, said: str | None) -> str:
    """`said` is the stretch of the source that the statement rests on."""
    if not said or said == content:
        return content
    spoken = set(words(said))
    kept = spoken & set(words(content))
    return said if spoken and len(kept) >= SAME_WORDS * len(spoken) else content
