"""What does a phrase say by itself? "my daughter Wren" makes a parent, "my boss Henrike" a boss, "our cat Miso" an owner."""

from __future__ import annotations

from collections.abc import Iterator

from treering.ingest.extract.contract import Claim, Mentioned
from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.clauses import Clause
from treering.ingest.extract.rules.phrases import Phrase

# what the noun is, then the claim: W is whose it is, N the name
_BY_NOUN: tuple[tuple[frozenset[str], str], ...] = (
    (lexicon.PARTNERS, "W PARTNER_OF N"),
    (lexicon.CHILDREN, "W PARENT_OF N"),
    (lexicon.PARENTS, "N PARENT_OF W"),
    (lexicon.BOSSES, "N MANAGES W"),
    (lexicon.SUPERVISORS, "N SUPERVISES W"),
    (lexicon.FRIENDS, "W FRIEND_OF N"),
    (lexicon.PETS, "W OWNS N"),
)


def kin_claims(clause: Clause) -> list[Claim]:
    return [claim for phrase in _phrases(clause) for claim in _said_by(phrase, clause)]


def roles(clause: Clause) -> Iterator[Mentioned]:
    """Names that are told apart by what they are to somebody: "Anna from my choir", "my dentist Anna"."""
    for phrase in _phrases(clause):
        if phrase.name is None or phrase.sort != "n":
            continue
        role = phrase.noun if phrase.noun and phrase.kind in ("person", None) else _from_where(phrase, clause)
        if role:
            yield Mentioned(phrase.name, phrase.kind, role)


def _phrases(clause: Clause) -> list[Phrase]:
    found = [p for p in clause.reading.phrases if clause.start <= p.start < clause.end]
    return found


def _said_by(phrase: Phrase, clause: Clause) -> Iterator[Claim]:
    if phrase.sort != "n" or phrase.name is None or phrase.whose is None or not phrase.noun:
        return
    owner = phrase.whose or clause.reading.me
    if owner == phrase.name or owner in ("his", "her", "their", "its", "your"):
        return
    for nouns, template in _BY_NOUN:
        noun = phrase.noun.lower()
        if noun in nouns or lexicon.last_word(noun) in nouns:
            subject, relation, value = template.split()
            filled = {"W": owner, "N": phrase.name}
            yield Claim(subject=filled[subject], relation=relation, object=filled[value])
            return


def _from_where(phrase: Phrase, clause: Clause) -> str | None:
    """ "Anna from my choir", "Lamar from accounting"; "Anna my dentist"."""
    doc = clause.reading.doc
    if phrase.kind != "person" or phrase.end >= len(doc):
        return None
    after = phrase.end
    if doc[after].lower_ == "from":
        after += 1
    elif doc[after].lower_ != "my":
        return None
    number = clause.reading.phrase_at.get(after)
    if number is None:
        return None
    other = clause.reading.phrases[number]
    return other.noun if other.sort == "c" and other.noun else None
