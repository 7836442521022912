"""Which headings do lists stand under? "hobbies", "stuff I pay for", "our stack": each says what its items are."""

from __future__ import annotations

import re

# a heading, and what each thing under it is to who speaks
HEADINGS: tuple[tuple[str, str], ...] = (
    (r"\b(?:hobbies|interests|passions|likes|things i (?:like|love|enjoy)|favou?rites?)\b", "LIKES"),
    (r"\b(?:dislikes|pet peeves|things i hate)\b", "DISLIKES"),
    (r"\b(?:subscriptions?|memberships?|i pay for|we pay for)\b", "SUBSCRIBES_TO"),
    (r"\b(?:allergies|allergic to|intolerances)\b", "ALLERGIC_TO"),
    (r"\b(?:meds|medications?|prescriptions)\b", "TAKES"),
    (r"\b(?:conditions|diagnoses)\b", "HAS_CONDITION"),
    (r"\blanguages? (?:i|we) speak\b|\bspoken languages\b", "SPEAKS"),
    (r"\b(?:skills|i know|good at)\b", "KNOWS"),
    (r"\b(?:stack|tools|tooling|toolchain|lang(?:uage)?s?|tech|software|apps)\b", "USES"),
    (r"\b(?:setup|gear|devices|kit|rig|equipment|instruments|vehicles|cars|bikes|cameras|consoles)\b", "OWNS"),
    (r"\b(?:new (?:city|home|address|place|town)|living in)\b", "LIVES_IN"),
    (r"\b(?:trips|travel plans|bucket list|going to)\b", "PLANNED"),
    (r"\b(?:friends)\b", "FRIEND_OF"),
)
_HEADINGS = tuple((re.compile(heading, re.I), relation) for heading, relation in HEADINGS)
HOUSEHOLD = re.compile(r"\b(?:household|family|pets|about me|me|roles|team|people)\b", re.I)
LONGEST_HEADING_WORDS = 8


def heading_relation(heading: str) -> str | None:
    for pattern, relation in _HEADINGS:
        if pattern.search(heading):
            return relation
    return None


def is_list(heading: str) -> bool:
    """Whether what stands under it is a list of things that can change apart."""
    words = heading.split()
    return 0 < len(words) <= LONGEST_HEADING_WORDS and (
        heading_relation(heading) is not None or HOUSEHOLD.search(heading) is not None
    )
