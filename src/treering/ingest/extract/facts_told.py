"""How is a statement told that states a fact? In its own words; in the relation's sentence where that says them all.

A change is told twice: what happened, and the state that it leads to, which is what is asked for later. Of a statement
that surely states several things each is also told by itself, so that it is found and ends by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from treering.ingest.extract.contract import Claim, Cue, Extracted, Heard, Stance
from treering.ingest.extract.importance import MINOR, by_claims
from treering.ingest.extract.learned_facts import LikelyClaim, StatedFacts
from treering.ingest.extract.learned_names import has_code_name
from treering.language.en.fillers import NEED_NOT_BE_TOLD
from treering.language.en.roles import is_a_person
from treering.language.standing import corrects
from treering.language.words import words
from treering.mind.reading import FactMood
from treering.model.memory import Kind
from treering.relations import Cardinality, table, with_mark
from treering.relations.own import TABLE

TASTES = frozenset(one.name for one in table().values() if one.taste is not None)
CHANGES = frozenset((FactMood.BECAME, FactMood.ENDED))
CERTAIN = 0.9
"""So likely to be right is what is told by itself beside a statement that says more."""
_BY_THE_WAY = with_mark("in_passing")
_PLAIN = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_STOPS = ".,;:!)"
_I = frozenset(("i", "i'm", "im"))


def told(stated_facts: StatedFacts, heard: Heard, *, whole: bool = False) -> Iterator[Extracted]:
    """`whole`: what is certain in it is not told by itself too."""
    said, sure = stated_facts.said, stated_facts.sure
    kept = [each for each in stated_facts.facts if each.is_worth_a_fact]
    words_said = heard.text[slice(*said.span)]
    one = replace(
        said,
        claims=tuple(each.claim for each in kept),
        importance=said.importance
        if said.importance == MINOR and not sure
        else by_claims([each.claim for each in sure], heard.first_person),
        cue=_cue(words_said, sure),
    )
    no_other = len(sure) == 1 and all(each is sure[0] for each in kept)
    alone = sure[0].claim if no_other and sure[0].claim.stance is Stance.HOLDS else None
    if alone is not None and says_all(alone, words_said, heard):
        yield replace(one, content=_sentence(alone))
        return
    changes = [each.claim for each in sure if not corrects(words_said) and _leads_to_a_state(each, heard)]
    others = [each for each in kept if each.claim not in changes and not whole and _is_certain(each, heard)]
    others = others if len(changes) + len(others) > 1 else []
    apart = [*changes, *(each.claim for each in others)]
    rest = tuple(each for each in one.claims if each not in apart)
    is_event = changes or (sure and all(each.mood is FactMood.ENDED for each in sure))
    yield replace(one, claims=rest, kind=Kind.EPISODE if is_event else one.kind)
    for state in changes:
        yield _state(one, state, heard)
    for each in others:
        start, end = max(one.span[0], each.stretch[0]), min(one.span[1], each.stretch[1])
        rests = replace(one, event_time=None, event_end=None, span=(start, end) if start < end else one.span)
        yield _state(rests, each.claim, heard)


def _leads_to_a_state(one: LikelyClaim, heard: Heard) -> bool:
    """A taste says more in its own words: which is the favourite, and when."""
    return one.mood is FactMood.BECAME and one.claim.relation not in TASTES and _has_sentence(one.claim, heard)


def _is_certain(one: LikelyClaim, heard: Heard) -> bool:
    """What is said so that it may be told without the words around it. Not what is said by the way: "my wife Ana"."""
    holds = one.is_sure and one.claim.stance is Stance.HOLDS and one.claim.relation not in _BY_THE_WAY
    return holds and one.likely >= CERTAIN and _has_sentence(one.claim, heard)


def says_all(claim: Claim, said: str, heard: Heard) -> bool:
    """Whether the sentence of the relation leaves no word of a statement untold."""
    if not _has_sentence(claim, heard):
        return False
    told = _sentence(claim)
    as_written, meant = set(told.split()), {*words(told), *words(heard.first_person)}
    return all(_is_told(one, as_written, meant) for one in said.split())


def _is_told(word: str, as_written: set[str], meant: set[str]) -> bool:
    """A code, a path and what is asked stand only as they were written."""
    bare = word.rstrip(_STOPS).lstrip("(")
    if bare in as_written or not bare:
        return True
    plain, stem = bare.lower().replace("\u2019", "'"), words(bare)
    if _PLAIN.fullmatch(plain) is None:
        return False
    return plain in NEED_NOT_BE_TOLD | _I or (bool(stem) and set(stem) <= meant)


def _state(said: Extracted, claim: Claim, heard: Heard) -> Extracted:
    content = _sentence(claim)
    return replace(
        said,
        content=content,
        kind=_kind(claim),
        expires_at=None,
        importance=by_claims((claim,), heard.first_person),
        entities=tuple(one for one in said.entities if one.name in content),
        claims=(claim,),
    )


def _kind(claim: Claim) -> Kind:
    """What one likes is a viewpoint, what happened or is planned an episode, all else stands."""
    row = table()[claim.relation]
    if row.taste is not None:
        return Kind.VIEWPOINT
    return Kind.EPISODE if row.cardinality is Cardinality.EVENT or row.intends else Kind.SEMANTIC


def _cue(said: str, sure: Sequence[LikelyClaim]) -> Cue | None:
    if not sure:
        return None
    if corrects(said):
        return Cue.CORRECTION
    return Cue.CHANGE if any(one.mood in CHANGES for one in sure) else None


def _has_sentence(claim: Claim, heard: Heard) -> bool:
    """Of who speaks or has a name; what is only described has the words it is described in."""
    who = claim.subject
    named = not who[:1].islower() or (has_code_name(who) and not is_a_person(who))
    return (named or who == heard.first_person) and claim.relation in table()


def _sentence(claim: Claim) -> str:
    return TABLE.stated(claim.subject, claim.relation, claim.object)
