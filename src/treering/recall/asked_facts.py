"""Which facts does a question ask for? The relations that its words stand for, and whether it is the owner who asks.

"Where do I live?" asks for LIVES_IN of whoever the space belongs to. The table says by which words, in their stems,
each known relation is asked for; any other is asked for by the words of its own name (RATE_LIMIT: rate, limit).
"""

from __future__ import annotations

import re

from treering.language.words import words

OWNER = "user"
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our|us)\b", re.IGNORECASE)

# relation: words that ask for it
_WORDS: dict[str, str] = {
    "LIVES_IN": "live living lived home city town address reside based move moved",  # Where is home?
    "WORKS_FOR": "work working worked job employer employed company employ",  # Who is my employer?
    "HAS_ROLE": "role title position job profession lead leads run runs head heads",  # What is my job title?
    "USES": "use uses using used editor app tool framework database language stack track shoot write written service",
    "SUBSCRIBES_TO": "subscribe subscription pay streaming plan service services",  # What do I pay for?
    "OWNS": "own owns pet pets dog dogs cat cats phone car camera laptop bike house called",  # What are my cats called?
    "PARTNER_OF": "partner wife husband girlfriend boyfriend dating date together relationship seeing married",
    "MARRIED_TO": "married wife husband spouse status",
    "ENGAGED_TO": "engaged fiance fiancee status",
    "STUDIED_AT": "school study studies university college attend student",
    "MANAGES": "manager manages manage boss report reports runs head",
    "SUPERVISES": "supervisor supervises supervise",
    "FOLLOWS_DIET": "diet eat vegan vegetarian food",
    "ALLERGIC_TO": "allergic allergy allergies eat",
    "LIKES": "like likes love favourite favorite enjoy drink into hobby hobbies interest interests passion pastime",
    "PREFERS": "prefer prefers preference rather favourite favorite drink",
    "DISLIKES": "dislike hate avoid",
    "SPEAKS": "speak speaks language languages",
    "MEMBER_OF": "member club gym band team party",
    "HAS_CONDITION": "condition health illness",
    "TAKES": "take takes medication medicine pills",
    "FRIEND_OF": "friend friends",
    "LOCATED_IN": "where located",
}
_ASKED: dict[str, frozenset[str]] = {relation: frozenset(words(said)) for relation, said in _WORDS.items()}


# relation: words that tell of its beginning
_BEGUN: dict[str, str] = {
    "LIVES_IN": "move moved moving settle settled relocate relocated living lived",  # before I moved to Austin
    "WORKS_FOR": "join joined joining start started starting hired working worked",  # since I joined Stripe
    "HAS_ROLE": "become became becoming promoted made",  # after I became a manager
    "STUDIED_AT": "start started enrolled enrolling joined studying",  # before I started at Yale
    "MARRIED_TO": "marry married marrying wedding",  # before I married Eva
    "ENGAGED_TO": "engaged proposed",  # after I got engaged to Eva
    "PARTNER_OF": "met meeting dating together",  # since I met Eva
    "MANAGES": "became took over manager joined",  # before Ben became my manager
    "OWNS": "bought buying got getting adopted adopting",  # before I got Rex
    "MEMBER_OF": "join joined joining",  # since I joined the Hoppers
}
_BEGINNING: dict[str, frozenset[str]] = {relation: frozenset(words(said)) for relation, said in _BEGUN.items()}
_GOING_ON = frozenset(words("live living lived work working worked study studying studied date dating own owned"))
_ENDING = frozenset(words("leave left leaving quit quitting sold selling divorced divorcing"))


def tells_the_beginning(relation: str, stems: frozenset[str]) -> bool:
    """`stems`: of words that name an event, such as "I moved to Austin"."""
    return not _BEGINNING.get(relation, frozenset()).isdisjoint(stems)


def tells_how_it_was(stems: frozenset[str]) -> bool:
    """And not only that it began: "while I lived in Austin"."""
    return not _GOING_ON.isdisjoint(stems)


def tells_the_end(stems: frozenset[str]) -> bool:
    return not _ENDING.isdisjoint(stems)


def by_the_owner(text: str) -> bool:
    return _FIRST_PERSON.search(text) is not None


def asks_for(relation: str, stems: frozenset[str]) -> bool:
    """`stems`: of the words of the question."""
    asked = _ASKED.get(relation) or frozenset(words(relation.replace("_", " ")))
    return not asked.isdisjoint(stems)
