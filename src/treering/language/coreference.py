"""Whom does "she" mean, and what is "the second one"? Pronouns and stand-ins of a text, with what they stand for.

Looks in the text itself and in what was said just before. In doubt it says nothing: better a pronoun than a
wrong name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from treering.language.english import written
from treering.language.mentions import Gender, Mention
from treering.language.names import Name

if TYPE_CHECKING:
    from treering.language.parse.doc import Doc, Token

Place = tuple[int, int]
Mentions = Sequence[Mention]

WINDOW = 8
"""Turns that are looked back at for somebody."""
SHORT_WINDOW = 2
"""And for anything else, of which more is spoken."""
THINGS = frozenset(("technology", "object", "project", "organization"))
ENUMERATED = frozenset(("technology", "object", "project", "organization", "place", "person"))

_GENDERED = {
    **dict.fromkeys(("he", "him", "his"), Gender.MAN),
    **dict.fromkeys(("she", "her", "hers"), Gender.WOMAN),
}
_PLURAL = frozenset(("they", "them", "their", "theirs"))
_NEUTRAL = frozenset(("it", "its"))
_NAMES_ITSELF = re.compile(r"(?:call(?:ed|ing)?|nam(?:ed|ing)|christened)\s+$")  # "they called her Fenja"
_NAMING = re.compile(r"(?i:his|her|their)\s+(?:\w+\s+)?name\b|(?i:he|she)(?:['’]s| is)\s+[A-Z]\w+(?=\s*[,.!]|$)")  # noqa: RUF001
_FOR_SOMEBODY = re.compile(r"there for (?:me|you|us|him|her|them|each|one)")
_ORDINALS = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1, "other": -1}
_ORDINAL = re.compile(
    r"\bthe (?P<which>first|second|third|last|former|latter|other)(?: one)?\b(?! \w+(?:day|time|week))", re.I
)
_ONE_AND_ONE = re.compile(
    r"\b(?:two|2|three|3|a couple of|both|several)\s+(?:[\w-]+\s+)?(?P<noun>[\w-]+?)s\b[,:]?\s+(?:the\s+)?(?:first\s+)?"
    r"one\s+(?P<one>[^,.;!?]+?),?\s+(?:and|,)\s+(?:the\s+)?(?:second\s+|other\s+)?(?:one\s+)?(?P<other>[^,.;!?]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One turn as it was read. No speaker is whoever the space belongs to."""

    doc: Doc
    names: tuple[Name, ...]
    mentions: tuple[Mention, ...]
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Meant:
    """What a stand-in means, as words that can take its place ("Oksana", "Ottokar and Bente", "my sister"). `names` are
    the names in it; their places are those of the text in which they were named. `said_before` counts the turns back to
    that text, 0 being this one: the "my" of a description belongs to whoever spoke then."""

    text: str
    names: tuple[Name, ...] = ()
    said_before: int = 0


def meant(said: SpokenTurn, before: Sequence[SpokenTurn] = ()) -> Mapping[Place, Meant]:
    """By the place in the text where the stand-in is: `doc.text[start:end]` is "she", "her", "the second one". A
    possessive ("her", "their") is given without its ending: it is for the writer to say "Oksana's"."""
    doc, here = said.doc, said.mentions
    earlier: list[Mentions] = [one.mentions for one in reversed(before[-WINDOW:])]
    found: dict[Place, Meant] = {}
    for token in doc:
        means = _pronoun(
            token, _without_doer(token, here, found), [_without_doer(token, one, found) for one in earlier]
        )
        if means:
            found[token.idx, token.idx + len(token.text)] = means
    found.update(_ordinals(doc, here, before, earlier))
    return found


def _without_doer(token: Token, spoken_of: Mentions, found: Mapping[Place, Meant]) -> Mentions:
    """ "He gave him his bike": two of one clause are two people, so whoever gave it is not who got it."""
    if token.tag_ != "PRP" or token.lower_ not in _GENDERED or _is_subject(token):
        return spoken_of
    doers = [child for child in _verb_of(token).children if _is_subject(child)]
    names = {found[place].text for child in doers if (place := (child.idx, child.idx + len(child.text))) in found}
    return [mention for mention in spoken_of if mention.text not in names] if names else spoken_of


def _is_subject(token: Token) -> bool:
    return token.dep_ in ("nsubj", "nsubjpass")


def _verb_of(token: Token) -> Token:
    """The verb of its clause, and not one that only completes another: "wants to see him"."""
    verb = token.head
    while verb.pos_ not in ("VERB", "AUX") and verb.head.i != verb.i:
        verb = verb.head
    while verb.dep_ == "xcomp" and not any(child.dep_ == "nsubj" for child in verb.children):
        verb = verb.head
    return verb


def _pronoun(token: Token, here: Mentions, earlier: list[Mentions]) -> Meant | None:
    word = token.lower_
    if word in _GENDERED:
        return _somebody(token, _GENDERED[word], here, earlier)
    if word in _PLURAL:
        return _several(token, here, earlier)
    if word in _NEUTRAL:
        return _something(token, here)
    if word == "there" and token.tag_ != "EX" and token.dep_ != "expl" and not _FOR_SOMEBODY.match(_rest(token)):
        return _nearest(token, here, earlier, lambda mention: mention.kind in ("place", "organization"))
    if word == "one" and _stands_alone(token):
        return _talked_about(earlier)
    return None


def _somebody(token: Token, gender: Gender, here: Mentions, earlier: list[Mentions]) -> Meant | None:
    if _NAMES_ITSELF.search(written(token.doc)[max(0, token.idx - 20) : token.idx].lower()):
        return None
    ahead = [
        mention
        for mention in here
        if mention.start < token.idx and not _same_clause_subject(token, mention) and not _describes(token.doc, mention)
    ]
    for turns, spoken_of in enumerate([ahead, *earlier]):
        fitting = _fitting(spoken_of, gender)
        if _tells_a_name(token):
            fitting = [mention for mention in fitting if not mention.is_a_name]
        if fitting:
            chosen = _the_one(token, fitting, gender) if turns == 0 else _only_one(fitting, gender)
            return _as_meant(chosen, turns)
    return None


def _describes(doc: Doc, mention: Mention) -> bool:
    """ "Alex, now a PM at Stripe": who that is has been said, and is nobody else."""
    return not mention.is_a_name and doc[mention.head].dep_ == "appos"


def _rest(token: Token) -> str:
    """The text from this word on."""
    return written(token.doc)[token.idx : token.idx + 80]


def _tells_a_name(token: Token) -> bool:
    """ "her name's Oksana", "she's Hulda": who is being named has no name yet."""
    return _NAMING.match(_rest(token)) is not None


def _fitting(spoken_of: Mentions, gender: Gender) -> list[Mention]:
    """People of that gender or of none known."""
    return [m for m in spoken_of if m.kind == "person" and not m.many and m.gender in (gender, Gender.UNKNOWN)]


def _the_one(token: Token, fitting: list[Mention], gender: Gender) -> Mention | None:
    """In one text: the nearest, unless two of one sentence fit equally well and neither is its subject."""
    sure = [mention for mention in fitting if mention.gender is gender] or fitting
    sentence = [m for m in sure if token.doc[m.head].sent == token.sent] or sure
    different = {mention.text for mention in sentence}
    if len(different) == 1:
        return sentence[-1]
    subjects = [m for m in sentence if _is_subject(token.doc[m.head])]
    return subjects[-1] if len({mention.text for mention in subjects}) == 1 else None


def _only_one(fitting: list[Mention], gender: Gender) -> Mention | None:
    sure = [mention for mention in fitting if mention.gender is gender] or fitting
    named = [mention for mention in sure if mention.is_a_name] or sure
    return named[-1] if len({mention.text for mention in named}) == 1 else None


def _same_clause_subject(token: Token, mention: Mention) -> bool:
    """ "Momo looks for him": what is done to him is not done by him."""
    head = token.doc[mention.head]
    if token.tag_ != "PRP" or _is_subject(token) or not _is_subject(head):
        return False
    return bool(head.head == _verb_of(token))


def _several(token: Token, here: Mentions, earlier: list[Mentions]) -> Meant | None:
    ahead = [mention for mention in here if mention.start < token.idx]
    for turns, spoken_of in enumerate([ahead, *earlier[:SHORT_WINDOW]]):
        groups = [mention for mention in spoken_of if mention.many]
        if groups:
            return _as_meant(groups[-1], turns) if len({g.text for g in groups}) == 1 or turns == 0 else None
        organizations = [m for m in spoken_of if m.kind == "organization"]
        if organizations and token.lower_ != "them":  # those to whom something is done are seldom the firm
            return _as_meant(organizations[-1], turns) if len({o.text for o in organizations}) == 1 else None
        if spoken_of:
            return None
    return None


def _something(token: Token, here: Mentions) -> Meant | None:
    """A thing by name, if nothing else was spoken of since; the "it" of weather, times and opinions means nothing. What
    was said in turns before is meant too seldom: of 18 such guesses 7 were right."""
    if token.dep_ == "expl" or _EMPTY_IT.match(_rest(token).lower()):
        return None
    ahead = [mention for mention in here if mention.start < token.idx and not _same_clause_subject(token, mention)]
    if ahead:
        last = ahead[-1]
        since = token.doc[last.head + 1 : token.i]
        clear = last.kind in THINGS and not any(
            word.pos_ in ("NOUN", "PROPN") for word in since if word.idx >= last.start + len(last.text)
        )
        return _as_meant(last, 0) if clear else None
    return None


_EMPTY_IT = re.compile(
    r"its?(?:['’]s| is| was| will be|'ll be| has been|'s been)? (?:\d|raining|snowing|cold|hot|warm|freezing|"  # noqa: RUF001
    r"sunny|dark|late|early|time|official|true|possible|weird that|(?:nice|hard|good|great) to|normal|clear|worth|"
    r"okay|ok|fine|not (?:that|true)|turns out|seems|looks like|sucks|been (?:an?|\w+ (?:year|month|week|day)s?)|"
    r"a shame|my|our|because|so that|all|like|just|me|takes|took|depends|feels like|means|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)"
)


def _nearest(token: Token, here: Mentions, earlier: list[Mentions], fits: Callable[[Mention], bool]) -> Meant | None:
    ahead = [mention for mention in here if mention.start < token.idx]
    for turns, spoken_of in enumerate([ahead, *earlier[:SHORT_WINDOW]]):
        fitting = [mention for mention in spoken_of if fits(mention)]
        if fitting:
            return _as_meant(fitting[-1], turns) if turns == 0 or len({f.text for f in fitting}) == 1 else None
    return None


def _stands_alone(token: Token) -> bool:
    """ "I flew on one", not "one day", "this one", "a new one", "one of them"."""
    before = token.nbor(-1) if token.i else None
    after = token.nbor() if token.i + 1 < len(token.doc) else None
    if before is None or before.pos_ not in ("ADP", "VERB", "PART", "AUX"):
        return False
    return after is None or (
        after.pos_ not in ("NOUN", "PROPN", "ADJ", "NUM") and after.lower_ not in ("of", "or", "-", "more")
    )


def _talked_about(earlier: list[Mentions]) -> Meant | None:
    for turns, spoken_of in enumerate(earlier[:SHORT_WINDOW], 1):
        things = [mention for mention in spoken_of if mention.kind in ("object", "technology")]
        if things:
            return _as_meant(things[-1], turns) if len({thing.text for thing in things}) == 1 else None
    return None


def _ordinals(
    doc: Doc, here: Mentions, before: Sequence[SpokenTurn], earlier: list[Mentions]
) -> Iterator[tuple[Place, Meant]]:
    for found in _ORDINAL.finditer(written(doc)):
        one = found[0].lower().endswith(" one")
        which = found["which"].lower()
        if not one and which not in ("former", "latter"):
            continue
        for turns, said in enumerate(reversed(before[-WINDOW:]), 1):
            items = _enumerated(said.doc, earlier[turns - 1])
            if items and -len(items) <= _ORDINALS[which] < len(items):
                text, names = items[_ORDINALS[which]]
                yield found.span(), Meant(text, names, turns)
                break


def _enumerated(doc: Doc, spoken_of: Mentions) -> list[tuple[str, tuple[Name, ...]]]:
    """What a turn counts up: "two flats, one on Via Mazzini and one by the canal", "Zola or Hugo"."""
    found = _ONE_AND_ONE.search(written(doc))
    if found:
        return [
            (f"the {found['noun']} {found[part].strip()}", _names_within(spoken_of, found.span(part)))
            for part in ("one", "other")
        ]
    listed = [mention for mention in spoken_of if mention.names and not mention.many and mention.kind in ENUMERATED]
    joined = len(listed) > 1 and all(
        re.fullmatch(
            r"\s*(?:,|and|or|,\s*and|,\s*or|vs\.?|&)\s*(?:the |a |an )?", written(doc)[one.names[-1].end : other.start]
        )
        for one, other in pairwise(listed)
    )
    return [(mention.text, mention.names) for mention in listed] if joined else []


def _names_within(spoken_of: Mentions, span: Place) -> tuple[Name, ...]:
    return tuple(m.names[0] for m in spoken_of if m.names and span[0] <= m.start < span[1] and not m.many)


def _as_meant(mention: Mention | None, turns: int) -> Meant | None:
    return Meant(mention.text, mention.names, turns) if mention else None
