"""What does a phrase say by itself? "my daughter Wren" makes a parent, "our cat Miso" an owner.

The same is read where the name comes later or in a list: "my partner is Solveig", "two dogs (Momo and Rufus)", "Esra
and Wouter, my oldest friends".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from treering.ingest.extract.contract import Claim, Mentioned, Stance
from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.bygone import is_over, is_to_come
from treering.ingest.extract.rules.clauses import Clause, numbers
from treering.ingest.extract.rules.phrases import Phrase

# what the noun is, then the claim: W is whose it is, N the name
_BY_NOUN: tuple[tuple[frozenset[str], str], ...] = (
    (lexicon.PARTNERS | {"ex"}, "W PARTNER_OF N"),
    (lexicon.CHILDREN | frozenset(("kids", "sons", "daughters", "children", "boys", "girls")), "W PARENT_OF N"),
    (lexicon.PARENTS, "N PARENT_OF W"),
    (lexicon.BOSSES, "N MANAGES W"),
    (lexicon.SUPERVISORS, "N SUPERVISES W"),
    (lexicon.FRIENDS, "W FRIEND_OF N"),
    (lexicon.PETS, "W OWNS N"),
)
_PLURAL_TOO = (
    lexicon.PETS
    | lexicon.FRIENDS
    | lexicon.CHILDREN
    | frozenset(("kids", "sons", "daughters", "children", "boys", "girls"))
)
_EX = re.compile(r"^ex ?- ?")
_ONE_AT_A_TIME = frozenset(("PARTNER_OF", "MANAGES", "SUPERVISES"))
_FOR_LIFE = frozenset(("PARENT_OF",))
_PEOPLE_AND_PETS = lexicon.KIN | lexicon.FRIENDS | lexicon.BOSSES | lexicon.SUPERVISORS | lexicon.PETS
_IS = re.compile(r"^(\[c\d+\]) (?:is|was) (?:called |named )?(\[n\d+\](?: and \[n\d+\])*)(?! (?:is|at|of|in|on|for)\b)")
_INSIDE = re.compile(
    r"(\[[cn]\d+\])(?: \( | , | : | and | )(\[n\d+\](?: (?:and|,|, and) \[n\d+\])*)(?: \)|(?= ,|$| \.))"
)
_AFTER = re.compile(r"(\[n\d+\](?: (?:and|,|, and) \[n\d+\])*) , (\[c\d+\])")


def kin_claims(clause: Clause) -> list[Claim]:
    found = [claim for phrase in _phrases(clause) for claim in _said_by(phrase, [phrase], clause)]
    named = _IS.match(clause.line)
    if named:
        told = _listed(clause, named[1], named[2], alone=True)
        found += [_was(claim) for claim in told] if " was " in named[0] else told
    for several in _INSIDE.finditer(clause.full_line):
        found += _listed(clause, several[1], several[2], alone=False)
    for behind in _AFTER.finditer(clause.full_line):
        found += _listed(clause, behind[2], behind[1], alone=False)
    return list({(c.subject, c.relation, c.object): c for c in found}.values())


@dataclass(frozen=True, slots=True)
class Aside:
    """What a question says in passing, worded to stand alone."""

    content: str
    claims: tuple[Claim, ...] = ()


def asides(clause: Clause) -> list[Aside]:
    """ "a present for my husband Ferran who only eats rice?" says who Ferran is, and what he eats."""
    found: list[Aside] = []
    for phrase in _phrases(clause):
        claims = tuple(_said_by(phrase, [phrase], clause))
        if not claims or phrase.name is None:
            continue
        found.append(Aside(f"{phrase.name} is {phrase.whose or clause.reading.me}'s {phrase.noun}", claims))
        after = phrase.end
        if after + 1 < clause.end and clause.reading.words[after].lower_ == "who":
            rest = clause.reading.text(after + 1, clause.end).rstrip(" ?!.")
            found.append(Aside(f"{phrase.name} {rest}"))
    return found


def roles(clause: Clause) -> Iterator[Mentioned]:
    """Names that are told apart by what they are to somebody: "Anna from my choir", "my dentist Anna"."""
    for phrase in _phrases(clause):
        if phrase.name is None or phrase.sort != "n":
            continue
        role = phrase.noun if _is_to_somebody(phrase) else _from_where(phrase, clause)
        if role:
            yield Mentioned(phrase.name, phrase.kind, role)


def _is_to_somebody(phrase: Phrase) -> bool:
    """Whether the noun before the name says who that is. What is said to somebody with that name does not: "Thanks for
    the tip, Anna", "How is your sister, Anna?"; nor does a thing that bears it, "the Anna Karenina film", nor what she
    is to nobody, "a girl called Anna"."""
    if not phrase.noun or phrase.kind not in ("person", None) or not phrase.text.endswith(phrase.name or ""):
        return False
    noun = lexicon.last_word(phrase.noun)
    somebody = noun in _PEOPLE_AND_PETS or lexicon.is_role(phrase.noun)
    of_nobody = noun in lexicon.CHILDREN and phrase.whose is None
    mine = phrase.whose == "" and "," not in phrase.text  # "my client Anna", but not "I like my job, Anna"
    return mine or (somebody and not of_nobody and phrase.whose != "your")


def _phrases(clause: Clause) -> list[Phrase]:
    return [p for p in clause.reading.phrases if clause.start <= p.start < clause.end]


def _listed(clause: Clause, of: str, names: str, alone: bool) -> list[Claim]:
    phrase = clause.phrase(numbers(of)[0])
    noun = phrase.noun.lower()
    counted = noun in _PLURAL_TOO or lexicon.last_word(noun) in _PLURAL_TOO
    if not counted and not alone:
        return []
    mine = re.match(rf"^\[i\d+\] has (?:got )?{re.escape(of)}", clause.line)
    if phrase.whose is None and not alone and not mine and lexicon.last_word(noun) not in lexicon.PETS:
        return []
    if phrase.whose is None and alone and phrase.article:
        return []
    named = [clause.phrase(number) for number in numbers(names)]
    if phrase.name:
        named = [phrase, *named]
    return [claim for one in named for claim in _said_by(phrase, [one], clause, loose=True)]


def _said_by(phrase: Phrase, named: list[Phrase], clause: Clause, loose: bool = False) -> Iterator[Claim]:
    if phrase.sort not in "nc" or not phrase.noun or (phrase.whose is None and not loose):
        return
    owner = phrase.whose or clause.reading.me
    if owner in ("his", "her", "their", "its", "your"):
        return
    for nouns, template in _BY_NOUN:
        noun = _EX.sub("", phrase.noun.lower())
        if noun not in nouns and lexicon.last_word(noun) not in nouns:
            continue
        if lexicon.last_word(noun) in lexicon.PARTNERS and not lexicon.is_partner(noun):
            return
        for one in named:
            if one.name is None or one.name == owner:
                continue
            subject, relation, value = template.split()
            stance = _stance(phrase, relation)
            if stance is not None:
                filled = {"W": owner, "N": one.name}
                yield Claim(subject=filled[subject], relation=relation, object=filled[value], stance=stance)
        return


def _stance(phrase: Phrase, relation: str) -> Stance | None:
    """Whether they are that to each other now; a parent is one for life, and who is yet to be something is nothing."""
    if is_to_come(phrase):
        return None
    over = relation not in _FOR_LIFE and is_over(phrase, relation in _ONE_AT_A_TIME)
    return Stance.ENDS if over else Stance.HOLDS


def _was(claim: Claim) -> Claim:
    """ "My manager was Omar" tells of what is over."""
    return replace(claim, stance=Stance.ENDS) if claim.relation in _ONE_AT_A_TIME else claim


def _from_where(phrase: Phrase, clause: Clause) -> str | None:
    """ "Anna from my choir", "Lamar from accounting"; "Anna my dentist"."""
    words = clause.reading.words
    if phrase.kind != "person" or phrase.end >= len(words):
        return None
    after = phrase.end
    if words[after].lower_ == "from":
        after += 1
    elif words[after].lower_ != "my":
        return None
    number = clause.reading.phrase_at.get(after)
    if number is None:
        return None
    other = clause.reading.phrases[number]
    return other.noun if other.sort == "c" and other.noun else None
