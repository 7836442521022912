"""WHAT is told to all of them? Little statements to write and search for, and stories in which something changes.

All made up here, the same ones for the same numbers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

WHO = ("Ada", "Bruno", "Chidi", "Dora", "Emil", "Farah", "Goran", "Hana", "Igor", "Jana", "Kofi", "Lena")
CHANGES = (
    ("{who} works at {old}.", "{who} left {old} and now works at {new}.", "Where does {who} work now?",
     ("Siemens", "Lufthansa", "Ikea", "Nokia", "Bosch", "Spotify", "Philips", "Adidas")),
    ("{who} lives in {old}.", "{who} moved from {old} to {new}.", "Where does {who} live now?",
     ("Lisbon", "Krakow", "Bergen", "Turin", "Ghent", "Riga", "Porto", "Graz")),
    ("{who} drives a {old}.", "{who} sold the {old} and drives a {new} now.", "Which car does {who} drive today?",
     ("Fiat", "Volvo", "Skoda", "Mazda", "Renault", "Toyota", "Opel", "Honda")),
    ("{who}'s favourite drink is {old}.", "{who} does not like {old} any more; the favourite drink is {new} now.",
     "What is {who}'s favourite drink?", ("coffee", "green tea", "cocoa", "lemonade", "cider", "mint tea", "cola")),
)  # fmt: skip
BESIDE = (
    "{who} fixed the bicycle on Sunday.", "{who} reads a book about whales.", "{who} cooked lentil soup.",
    "{who} went to the dentist.", "{who} bought new running shoes.", "{who} planted tomatoes on the balcony.",
)  # fmt: skip
PLACES = ("harbour", "library", "orchard", "museum", "station", "bakery", "stadium", "chapel", "quarry", "lighthouse")
THINGS = ("violin", "kayak", "telescope", "typewriter", "hammock", "drone", "compass", "carpet", "lantern", "kettle")


@dataclass(frozen=True)
class Story:
    """`said` in this order; afterwards `old` is no answer to `asked` any more, and `new` is."""

    who: str
    said: tuple[str, ...]
    asked: str
    old: str
    new: str


def statements(count: int) -> list[str]:
    chance = random.Random(7)
    return [
        f"{chance.choice(WHO)} left the {chance.choice(THINGS)} number {n} at the {chance.choice(PLACES)}."
        for n in range(count)
    ]


def questions(said: list[str], count: int) -> list[tuple[str, str]]:
    """A question and the statement that answers it."""
    chosen = random.Random(8).sample(said, min(count, len(said)))
    asked = []
    for one in chosen:
        who, rest = one.split(" left the ")
        asked.append((f"Where did {who} leave the {rest.split(' at the ')[0]}?", one))
    return asked


def stories(count: int) -> list[Story]:
    chance = random.Random(9)
    made = []
    for n in range(count):
        was, became, asked, values = CHANGES[n % len(CHANGES)]
        who = f"{WHO[n % len(WHO)]} {chr(65 + n // len(WHO))}."
        old, new = chance.sample(values, 2)
        beside = [one.format(who=who) for one in chance.sample(BESIDE, 3)]
        said = (was.format(who=who, old=old), *beside[:2], became.format(who=who, old=old, new=new), beside[2])
        made.append(Story(who, said, asked.format(who=who), old, new))
    return made
