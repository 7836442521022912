"""What is a message about, if it is about anything? The names and terms of it, and else its words that carry meaning.

For what is kept alive by being spoken of. A message that only asks, or is too short, is about nothing here: what it
asks for is recalled, not reinforced.
"""

from __future__ import annotations

from treering.ingest.advise.cues import message, named, terms
from treering.language.words import words
from treering.mind.reading import OpensReader

SHORTEST_CHARS, FEWEST_WORDS = 10, 2
MOST_TOPICS = 12


def topics_of(text: str, opens: OpensReader) -> list[str]:
    said = message(text)
    if said.says_nothing or said.only_asks or len(text.strip()) < SHORTEST_CHARS:
        return []
    stems = dict.fromkeys(words(said.text))
    if len(stems) < FEWEST_WORDS:
        return []
    found = terms(said, [one.name for one in named(said, opens)])
    return (found or list(stems))[:MOST_TOPICS]
