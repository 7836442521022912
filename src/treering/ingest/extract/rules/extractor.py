"""What is there to remember in a turn, without any model? Statements by rules: kinds, times, names and claims.

Reads a whole batch with one pass of the parser. Every stretch of the text is in a statement or passed over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from treering.ingest.extract.contract import (
    Claim,
    Cue,
    Extracted,
    Extraction,
    Heard,
    Mentioned,
    PassedOver,
    Stance,
    Turn,
)
from treering.ingest.extract.foreign import in_its_own_words, is_foreign
from treering.ingest.extract.importance import MINOR, by_claims
from treering.ingest.extract.nothing_said import only_small_talk
from treering.ingest.extract.plain import LONGEST_TALK_CHARS, has_code, is_talk
from treering.ingest.extract.rules.answers import completed
from treering.ingest.extract.rules.attributes import attribute_claims
from treering.ingest.extract.rules.clauses import clauses
from treering.ingest.extract.rules.engine import Found, claims_in
from treering.ingest.extract.rules.kinds import cue_of, importance_of, kind_of
from treering.ingest.extract.rules.kinship import asides, kin_claims, roles
from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.rules.lists import listed_claims
from treering.ingest.extract.rules.moods import UNREAL, Mood, Spoken, spoken
from treering.ingest.extract.rules.plans import plan_claims
from treering.ingest.extract.rules.reading import TextReading, reading
from treering.ingest.extract.rules.recent import Parsed, Recent
from treering.ingest.extract.rules.scope import project_of, within
from treering.ingest.extract.rules.standing_in import until_back, while_away
from treering.ingest.extract.rules.statements import ReadClause, StatementGroup, grouped
from treering.ingest.extract.rules.tables import RULES
from treering.ingest.extract.rules.times import happened, worth_until
from treering.ingest.extract.rules.wording import worded
from treering.ingest.extract.sections import sections
from treering.language.coreference import SpokenTurn, meant
from treering.language.english import written
from treering.language.names import Name
from treering.language.sentences import sentences
from treering.language.small_talk import small_talk
from treering.model.memory import Kind

ASSISTANTS = frozenset(("assistant", "ai", "bot", "system", "tool"))
BEFORE_TURNS, JUST_BEFORE = 4, timedelta(hours=2)
"""How many turns before are read for whom a pronoun means, and how long ago they may have been said."""
UNSURE = 0.5
SURE = 0.95
_READ_CHARS = 4000
"""A longer turn is a document: it is split at its sections, and not read for claims."""


class RulesExtractor:
    name = "rules"

    def __init__(self) -> None:
        self._recent = Recent()

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        heard = [_readable(one) for one in heard]
        parsed = self._recent.parsed(_texts(heard))
        return [self._one(one, parsed) for one in heard]

    def _one(self, heard: Heard, docs: dict[str, Parsed]) -> Extraction:
        if _is_assistant(heard.speaker) or len(heard.text) > _READ_CHARS:
            return self._as_it_stands(heard)
        if is_foreign(heard):
            return in_its_own_words(heard, self.name)
        if not is_talk(heard.text):
            return self._whole(heard, docs)
        meaning = completed(heard)
        if meaning is None:
            return _extraction(_reading(heard, docs), self.name)
        made = _extraction(_reading(replace(heard, text=meaning.text), docs), self.name)
        whole = (0, len(heard.text))
        cue = Cue.CORRECTION if meaning.corrects else None
        told = tuple(replace(one, span=whole, cue=cue or one.cue) for one in made.extracted)
        return replace(made, extracted=told, passed_over=())

    def _whole(self, heard: Heard, docs: dict[str, Parsed]) -> Extraction:
        """A long text is one statement in its own words, with what its speaker surely says of themselves; code says
        nothing of anybody."""
        text = heard.text
        if not text.strip():
            return Extraction(extracted=(), passed_over=_blank(text), extractor=self.name)
        content = f"{heard.first_person}: {text.strip()}"
        whole = Extracted(content=content, span=(0, len(text)), kind=Kind.EPISODE)
        if has_code(text):
            return Extraction(extracted=(whole,), extractor=self.name)
        read = _extraction(_reading(heard, docs), self.name).extracted
        sure = [claim for one in read for claim in one.claims if claim.confidence >= SURE]
        mine = tuple(claim for claim in sure if claim.subject == heard.first_person and claim.relation != "PLANNED")
        first = read[0] if read else whole
        entities = tuple({one.name: one for part in read for one in part.entities}.values())
        kept = replace(
            whole,
            kind=first.kind,
            event_time=first.event_time,
            event_end=first.event_end,
            importance=first.importance,
            entities=entities,
            claims=_unique(list(mine)),
        )
        return Extraction(extracted=(kept,), extractor=self.name)

    def _as_it_stands(self, heard: Heard) -> Extraction:
        if not heard.text.strip():
            return Extraction(extracted=(), passed_over=_blank(heard.text), extractor=self.name)
        over = only_small_talk(heard.text)
        if over:
            return Extraction(extracted=(), passed_over=over, extractor=self.name)
        who = heard.speaker or heard.first_person
        made = tuple(
            Extracted(content=f"{who}: {heard.text[a:b]}", span=(a, b), kind=Kind.EPISODE, importance=MINOR)
            for a, b in sections(heard.text)
        )
        return Extraction(extracted=made, extractor=self.name)


def _readable(heard: Heard) -> Heard:
    """A NUL cannot be kept in a memory; a blank in its place keeps every other character where it is."""
    if "\0" not in heard.text and not any("\0" in turn.text for turn in heard.before):
        return heard
    before = tuple(replace(turn, text=turn.text.replace("\0", " ")) for turn in heard.before)
    return replace(heard, text=heard.text.replace("\0", " "), before=before)


def _texts(heard: Sequence[Heard]) -> Iterator[str]:
    """What is to be parsed: each text, and those just before it."""
    for one in heard:
        if _is_assistant(one.speaker) or len(one.text) > _READ_CHARS or has_code(one.text):
            continue
        meaning = completed(one)
        yield meaning.text if meaning else one.text
        for turn in _near(one):
            yield turn.text


def _reading(heard: Heard, parsed: dict[str, Parsed]) -> TextReading:
    read = parsed[heard.text]
    said = SpokenTurn(read.doc, read.names, read.mentions)
    earlier = ((parsed[turn.text], turn.speaker) for turn in _near(heard))
    before = tuple(SpokenTurn(one.doc, one.names, one.mentions, speaker) for one, speaker in earlier)
    project = project_of([*((written(one.doc), one.names) for one in before), (heard.text, read.names)])
    return reading(heard, read, meant(said, before), project)


def _near(heard: Heard) -> list[Turn]:
    return [
        turn
        for turn in heard.before[-BEFORE_TURNS:]
        if heard.at - turn.at <= JUST_BEFORE and len(turn.text) <= LONGEST_TALK_CHARS and not has_code(turn.text)
    ]


def _is_assistant(speaker: str | None) -> bool:
    return speaker is not None and speaker.casefold() in ASSISTANTS


def _blank(text: str) -> tuple[PassedOver, ...]:
    return (PassedOver((0, len(text)), "blank"),) if text else ()


def _extraction(read: TextReading, name: str) -> Extraction:
    text = read.heard.text
    passed, kept = [], []
    for start, end in sentences(text):
        why = small_talk(text[start:end])
        if why is None:
            kept.append((start, end))
        else:
            passed.append(PassedOver((start, end), why))
    if not kept:
        return Extraction(extracted=(), passed_over=tuple(passed) or _blank(text), extractor=name)
    said = spoken(clauses(read, [_tokens(read, span) for span in kept]))
    reads = [_clause_read(one, said[k - 1] if k else None) for k, one in enumerate(said)]
    made: list[Extracted] = []
    for group in grouped(reads):
        made += _statements(read, group)
    return Extraction(extracted=tuple(made), passed_over=tuple(passed), extractor=name)


def _tokens(read: TextReading, span: tuple[int, int]) -> tuple[int, int]:
    inside = read.parsed.tokens(*span)
    return (inside.start, inside.stop) if inside else (0, 0)


def _clause_read(one: Spoken, before: Spoken | None) -> ReadClause:
    every = claims_in(one, RULES)
    perhaps = [claim for each in every if each.rule.if_known for claim in each.claims]
    found = [each for each in every if not each.rule.if_known]
    claims = [claim for each in found for claim in each.claims]
    known = {(c.subject, c.object) for c in claims}
    claims += [
        c
        for c in (*attribute_claims(one, before), *plan_claims(one), *listed_claims(one.clause))
        if (c.subject, c.object) not in known
    ]
    kin = [] if one.mood in UNREAL else _not_over(kin_claims(one.clause), claims)
    claims = [claim for claim in claims if not {claim.subject.lower(), claim.object.lower()} & _NOBODY]
    claims = within(claims, one.clause.reading.project, one.clause.reading.me)
    return ReadClause(one, found, while_away(one.clause, claims), kin, perhaps)


def _not_over(kin: list[Claim], claims: list[Claim]) -> list[Claim]:
    """What a phrase says by itself, unless the clause says that it has ended: "my wife Ana and I split up"."""
    over = {frozenset((claim.subject, claim.object)) for claim in claims if claim.stance is Stance.ENDS}
    return [claim for claim in kin if frozenset((claim.subject, claim.object)) not in over]


def _statements(read: TextReading, group: StatementGroup) -> list[Extracted]:
    said = [one.spoken for one in group.reads]
    parts = [one.clause for one in said]
    claims = _unique([*group.claims, *(claim for one in group.reads for claim in one.kin)])
    found = [each for one in group.reads for each in one.found]
    change = next((each for each in found if each.rule.state and _holding(each)), None)
    kind = kind_of(said, found, group.claims)
    if change is not None and change.rule.kind is None:
        kind = kind_of(said, [each for each in found if each is not change], ())
    ahead = any(one.mood is Mood.PLANNED for one in said) or any(claim.relation == "PLANNED" for claim in claims)
    event, event_end = happened(parts, ahead or (kind is Kind.EPISODE and _is_told_now(said)))
    span = (parts[0].span[0], parts[-1].span[1])
    asked = _asks(said) and not group.claims
    entities = _entities(read, group, claims)
    text = worded(read, parts) or read.heard.text[span[0] : span[1]]
    if asked:
        text = f"{read.me} asked: {read.heard.text[span[0] : span[1]].strip()}"
    real = any(one.mood not in UNREAL for one in said)
    cue = cue_of(read.heard.text[span[0] : span[1]], found, bool(claims)) if real else None
    episode = Extracted(
        content=text,
        span=span,
        kind=kind,
        event_time=event,
        event_end=event_end,
        expires_at=worth_until(parts) or until_back(read, parts),
        importance=importance_of(said, claims, asked),
        confidence=_confidence(group.reads),
        entities=entities,
        claims=claims,
        cue=cue,
        perhaps=tuple(claim for one in group.reads for claim in one.perhaps),
    )
    if asked:
        return [replace(episode, claims=(), perhaps=()), *_asides(group, episode)]
    if change is None:
        state = _state_beside(read, group, episode) if kind is Kind.EPISODE else None
        return [episode] if state is None else [replace(episode, claims=()), state]
    return [replace(episode, claims=()), _state(change, claims, episode)]


def _confidence(reads: Sequence[ReadClause]) -> float:
    """Half where all of it is guessed or hearsay, and the more, the less of it is: "I finished the report. I think they
    liked it" is certain of the report."""
    doubtful = sum(one.spoken.mood in (Mood.GUESSED, Mood.REPORTED) for one in reads)
    return round(1 - (1 - UNSURE) * doubtful / len(reads), 2)


def _asks(said: Sequence[Spoken]) -> bool:
    """A request with what it says of itself: "explain tides like I'm ten"."""
    main = next((one for one in said if one.clause.has_verb), said[0])
    plays = (
        main.mood is Mood.SUPPOSED
        and main.clause.words & {"imagine", "pretend"}
        and main.clause.words & {"you", "you're", "tell", "me"}
    )
    return main.mood is Mood.ASKED or said[0].mood is Mood.ASKED or bool(plays)


def _asides(group: StatementGroup, asked: Extracted) -> list[Extracted]:
    """Facts that a question states in passing are statements of their own."""
    found = []
    for aside in (each for one in group.reads for each in asides(one.spoken.clause)):
        taste = not aside.claims and bool(set(aside.content.lower().split()) & _TASTING)
        kind = Kind.VIEWPOINT if taste else Kind.SEMANTIC
        named = tuple(one for one in asked.entities if one.name in aside.content)
        found.append(
            replace(
                asked,
                content=aside.content,
                kind=kind,
                event_time=None,
                event_end=None,
                expires_at=None,
                importance=by_claims(aside.claims, group.reads[0].spoken.clause.reading.me),
                entities=named,
                claims=aside.claims,
            )
        )
    return found


def _is_told_now(said: Sequence[Spoken]) -> bool:
    """An appointment is told in the present: "my flight's on the 15th"."""
    main = next((one for one in said if one.clause.has_verb), None)
    if main is None:
        return True
    tags = main.clause.reading.tags[main.clause.start : main.clause.end]
    return " is " in f" {main.line} " and "VBD" not in tags and "VBN" not in tags


def _holding(found: Found) -> bool:
    return any(claim.stance is Stance.HOLDS for claim in found.claims)


def _state_beside(read: TextReading, group: StatementGroup, episode: Extracted) -> Extracted | None:
    """ "left Volvo, I'm at Scania now": the episode holds both, and the state stands by itself."""
    ends = any(claim.stance is Stance.ENDS for claim in episode.claims)
    for one in group.reads[1:]:
        lasting = [each for each in one.found if each.rule.kind is not Kind.EPISODE and _holding(each)]
        if ends and lasting:
            text = worded(read, [one.spoken.clause])
            return replace(episode, content=text, kind=Kind.SEMANTIC, expires_at=None, perhaps=())
    return None


def _state(change: Found, claims: tuple[Claim, ...], episode: Extracted) -> Extracted:
    """The state that a change leads to."""
    template = change.rule.state or ""
    text = _agreeing(template, change).format_map(defaultdict(str, change.labels))
    named = {name for claim in claims for name in (claim.subject, claim.object) if claim.stance is Stance.HOLDS}
    return replace(
        episode,
        content=text,
        kind=change.rule.state_kind,
        expires_at=None,
        importance=by_claims(claims, change.labels["I"]),
        entities=tuple(one for one in episode.entities if one.name in text or one.name in named),
        claims=claims,
        perhaps=(),
    )


_TASTING = words("eats, likes, loves, hates, prefers, only, drinks, enjoys, wants, dislikes, adores")
_NOBODY = words(
    """
    he, she, they, it, his, her, their, its, him, them, this, that, one, your, you, nobody, none, everyone, everybody,
    someone, somebody, anyone, anybody, anything, something, nothing, everything
    """
)
_SEVERAL = {
    " lives ": " live ",
    " works ": " work ",
    " uses ": " use ",
    " is ": " are ",
    " prefers ": " prefer ",
    " owns ": " own ",
}


def _agreeing(template: str, change: Found) -> str:
    who = change.labels.get("S", "")
    if not (" and " in who or ("'s " in who and who.endswith("s") and not who.endswith("ss"))):
        return template
    for one, several in _SEVERAL.items():
        template = template.replace(one, several)
    return template


def _unique(claims: list[Claim]) -> tuple[Claim, ...]:
    seen: dict[tuple[str, str, str], Claim] = {}
    for claim in claims:
        if claim.subject.lower() in _NOBODY or claim.object.lower() in _NOBODY:
            continue
        if not any(_says_more(other, claim) for other in seen.values()):
            seen.setdefault((claim.subject, claim.relation, claim.object), claim)
    return tuple(seen.values())


def _says_more(other: Claim, claim: Claim) -> bool:
    """ "CTO" and "CTO of Fluxly" are one role."""
    same = (other.subject, other.relation, other.stance) == (claim.subject, claim.relation, claim.stance)
    return same and claim.relation == "HAS_ROLE" and claim.object.startswith(f"{other.object} ")


def _entities(read: TextReading, group: StatementGroup, claims: tuple[Claim, ...]) -> tuple[Mentioned, ...]:
    """Names in the words of the statement, those that its pronouns mean, and who speaks if it is not the owner."""
    found: dict[str, Mentioned] = {}
    role_of = {one.name: one.role for part in group.reads for one in roles(part.spoken.clause)}
    spans = [part.spoken.clause.span for part in group.reads]
    inside: list[Name] = [n for n in read.names if any(a <= n.start < b for a, b in spans)]
    for (start, _), stands in read.stand_ins.items():
        if any(a <= start < b for a, b in spans):
            inside += stands.names
    for name in inside:
        found.setdefault(name.text, Mentioned(name.text, name.kind, role_of.get(name.text)))
    if read.heard.speaker and read.me == read.heard.speaker:
        found.setdefault(read.me, Mentioned(read.me, "person"))
    return tuple(found.values())
