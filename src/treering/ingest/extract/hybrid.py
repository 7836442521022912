"""Who reads what, where rules read beside a model? Each what it is better at.

Rules are sure of plain sentences, and know roles, names and times by the parts of a sentence; a model sees where one
statement ends and the next begins, how it is meant, and facts that no rule knows. So a short turn in which rules are
sure of a fact is told in their words, and so is what somebody answers in a word or two, and what others say to one
another, which leans on what stands beside it. In any other turn the model makes the statements, each as it was said;
what rules claim goes to the one in whose words it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from treering.ingest.extract.contract import Claim, Extracted, Extraction, Heard, Mentioned
from treering.ingest.extract.foreign import is_foreign
from treering.ingest.extract.learned_facts import MOST
from treering.ingest.extract.learned_names import mentioned, unknown_of
from treering.ingest.extract.plain import has_code
from treering.ingest.extract.reader import SeenTurn, by_name, is_asked, others_talk, overlap
from treering.ingest.extract.rules import RulesExtractor
from treering.ingest.extract.rules.answers import completed
from treering.ingest.extract.statements import LONG
from treering.ingest.extract.wholes import is_document
from treering.mind.reading import MessageReader, Span


class HybridExtractor:
    name = "hybrid"

    def __init__(self, rules: RulesExtractor, reader: Callable[[], MessageReader]) -> None:
        self._rules, self._reader = rules, reader

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        read = self._rules.extract(heard)
        return [self._one(one, replace(ruled, extractor=self.name)) for one, ruled in zip(heard, read, strict=True)]

    def _one(self, heard: Heard, ruled: Extraction) -> Extraction:
        if not ruled.extracted or is_document(heard) or is_foreign(heard) or has_code(heard.text):
            return ruled
        seen = SeenTurn.of(heard, self._reader())
        if _is_plain(heard, ruled.extracted):
            return replace(ruled, extracted=tuple(seen.with_facts(_of_kinds(seen, ruled.extracted))))
        return seen.told_as(Joined(seen, ruled.extracted).statements(), self.name)


def _is_plain(heard: Heard, ruled: Sequence[Extracted]) -> bool:
    if others_talk(heard):
        return True
    sure = any(claim.confidence > MOST for one in ruled for claim in one.claims)
    return (sure and len(heard.text) < LONG) or completed(heard) is not None


def _of_kinds(seen: SeenTurn, ruled: Sequence[Extracted]) -> list[Extracted]:
    """Rules know best what is a change and the state it leads to, and what is only asked."""
    spans = [one.span for one in ruled]
    own = (spans.count(one.span) == 1 and not is_asked(one, seen.heard) for one in ruled)
    return [replace(one, kind=seen.kind(one, one.kind)) if free else one for one, free in zip(ruled, own, strict=True)]


@dataclass(frozen=True)
class Joined:
    """The statements of a turn as the model sees them, with what rules read in their words."""

    seen: SeenTurn
    ruled: Sequence[Extracted]

    def statements(self) -> list[Extracted]:
        """A state that rules tell by itself stands behind the change that led to it."""
        made = [replace(one, entities=self._entities(one.span)) for one in self.seen.statements]
        led: dict[int, list[Extracted]] = {}
        spans: set[Span] = set()
        for one in self.ruled if made else ():
            if one.span in spans:
                place = next((self._stands_in(claim, one, made) for claim in one.claims), _home(one.span, made))
                led.setdefault(place, []).append(replace(one, span=made[place].span))
                continue
            spans.add(one.span)
            home = _home(one.span, made)
            made[home] = self._with(made[home], one)
            for claim in one.claims:
                place = self._stands_in(claim, one, made)
                made[place] = replace(made[place], claims=(*made[place].claims, claim))
        return [each for place, one in enumerate(made) for each in (one, *led.get(place, ()))]

    def _with(self, made: Extracted, one: Extracted) -> Extracted:
        """Where both see a time, rules know better which one it is; and they know what is of every day."""
        timed = one if one.event_time and made.event_time else made
        minor = one.importance if self._is_all_of(one.span, made.span) else made.importance
        asked = is_asked(made, self.seen.heard)
        return replace(
            made,
            kind=made.kind if asked else self.seen.kind(made, one.kind),
            event_time=timed.event_time,
            event_end=timed.event_end,
            cue=made.cue or one.cue,
            perhaps=(*made.perhaps, *one.perhaps),
            importance=min(made.importance, minor),
            confidence=min(made.confidence, one.confidence),
        )

    def _is_all_of(self, span: Span, stretch: Span) -> bool:
        return overlap(span, stretch) >= len(self.seen.heard.text[slice(*stretch)].strip())

    def _entities(self, span: Span) -> tuple[Mentioned, ...]:
        """What rules name in it, and what only the model sees."""
        said = self.seen.heard.text[slice(*span)]
        ruled = [name for one in self.ruled for name in one.entities]
        known = {name.name.casefold() for name in ruled} | {self.seen.heard.first_person.casefold()}
        more = mentioned(self.seen.heard.text, span, unknown_of(self.seen.heard.text, self.seen.told.names, known))
        here = [name for name in ruled if name.name in said]
        return by_name([*here, *more, *self.seen.also_named(span)])

    def _stands_in(self, claim: Claim, one: Extracted, made: Sequence[Extracted]) -> int:
        beside = [place for place, each in enumerate(made) if overlap(each.span, one.span)]
        named = [place for place in beside if claim.object in self.seen.heard.text[slice(*made[place].span)]]
        return named[0] if named else _home(one.span, made)


def _home(span: Span, made: Sequence[Extracted]) -> int:
    return max(range(len(made)), key=lambda place: (overlap(made[place].span, span), -place))
