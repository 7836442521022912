"""What of a model's answer may be believed? Its shape is checked, then every value in it, then every word against what
was said.

`read` gives statements or raises `Unfit` with all that is wrong, in sentences that the model can mend. A statement that
nobody made is not mended but left out: a model that invents is not asked to invent better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from treering.errors import CallerError, InvalidRequest
from treering.ingest.extract.contract import Claim, Cue, Extracted, Heard, Mentioned, Stance
from treering.ingest.extract.importance import DEFINING, MINOR, MODERATE, by_claims
from treering.ingest.extract.said import SaidWords
from treering.language.sentences import sentences
from treering.model import limits
from treering.model.edge import KNOWN_FACTS, fact_relation
from treering.model.memory import Kind
from treering.model.time import utc_or_none

STATEMENTS = 100  # of one text
STATEMENT_CHARS = 2_000
ERRORS_TOLD = 20
ERROR_CHARS = 200

CONFIDENCE = {"sure": 1.0, "likely": 0.8, "unsure": 0.5}
IMPORTANCE = {"minor": MINOR, "moderate": MODERATE, "defining": DEFINING}
_FENCE = re.compile(r"```(?:json)?\s*(.*?)\s*```", re.DOTALL)
_BLANKS = re.compile(r"\s+")
_FIRST_PERSON = re.compile(r"(?:I|My|We|Our)\b")
T = TypeVar("T")


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ClaimAnswer(_Shape):
    subject: str
    relation: str
    object: str
    stance: Literal["holds", "ends", "never"]
    valid_from: str | None
    valid_until: str | None
    instead_of: str | None


class EntityAnswer(_Shape):
    name: str
    kind: Literal["person", "organization", "technology", "project", "place", "event", "object", "concept"] | None
    role: str | None


class StatementAnswer(_Shape):
    content: str
    quote: str
    kind: Literal["episode", "semantic", "viewpoint"]
    certainty: Literal["sure", "likely", "unsure"]
    importance: Literal["minor", "moderate", "defining"] | None = Field(
        default=None,
        description="How much it matters: minor (of one day), moderate, defining (who somebody is: name, work, home, "
        "family, health), or null.",
    )
    event_time: str | None
    event_end: str | None
    expires_at: str | None
    cue: Literal["change", "correction"] | None
    entities: list[EntityAnswer]
    claims: list[ClaimAnswer]


class ModelAnswer(_Shape):
    statements: list[StatementAnswer]


@cache
def answer_schema() -> dict[str, Any]:
    """The shape as JSON schema, in the part of it that every provider understands: all fields required, no bounds."""
    return {name: _plain(part) for name, part in ModelAnswer.model_json_schema().items() if name != "title"}


def _plain(part: Any) -> Any:
    if isinstance(part, dict):
        # a title is pydantic's; a property of that name would hold an object
        kept = {name: _plain(one) for name, one in part.items() if not (name == "title" and isinstance(one, str))}
        if "properties" in kept:
            kept["required"] = list(kept["properties"])  # what we would forgive is asked for all the same
        return {name: one for name, one in kept.items() if name != "default"}
    return [_plain(one) for one in part] if isinstance(part, list) else part


class Unfit(Exception):
    """An answer that cannot be used, with all that is wrong in it."""

    def __init__(self, wrong: Sequence[str]) -> None:
        super().__init__(*wrong[:1])
        self.wrong = tuple(one[:ERROR_CHARS] for one in wrong[:ERRORS_TOLD])


@dataclass(frozen=True, slots=True)
class Believed:
    """What may be believed, and, of what was left out, why."""

    statements: tuple[Extracted, ...]
    left_out: tuple[str, ...]


def read(written: str, text: str, heard: Heard, said: SaidWords) -> Believed:
    """The answer about `text`, with spans in it. Raises `Unfit`."""
    answer = _shaped(written)
    checks = _Checks(text, heard, said)
    found = [checks.statement(f"statements[{place}]", one) for place, one in enumerate(answer.statements)]
    if checks.wrong:
        raise Unfit(checks.wrong)
    believed: dict[str, Extracted] = {}
    left_out = []
    for one in found:
        assert one is not None  # else something were wrong
        why = checks.unsaid(one)
        if why is None:
            believed.setdefault(_BLANKS.sub(" ", one.content).casefold(), one)
        else:
            left_out.append(why)
    return Believed(tuple(sorted(believed.values(), key=lambda one: one.span)), tuple(left_out))


def _shaped(written: str) -> ModelAnswer:
    fenced = _FENCE.fullmatch(written.strip())
    try:
        answer = ModelAnswer.model_validate_json(fenced[1] if fenced else written)
    except ValidationError as error:
        raise Unfit([_words(one) for one in error.errors(include_url=False, include_input=False)]) from None
    if len(answer.statements) > STATEMENTS:
        raise Unfit([f"statements: {len(answer.statements)} are too many; at most {STATEMENTS}"])
    return answer


def _words(error: Any) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"]).lstrip(".")
    return f"{place or 'the answer'}: {error['msg']}"


class _Checks:
    """Makes checked values of what was answered, and collects what is wrong instead of stopping at the first."""

    def __init__(self, text: str, heard: Heard, said: SaidWords) -> None:
        self._text = text
        self._heard = heard
        self._said = said
        self.wrong: list[str] = []

    def statement(self, place: str, given: StatementAnswer) -> Extracted | None:
        began, ended, expires = (self._time(place, given, name) for name in ("event_time", "event_end", "expires_at"))
        self._must_follow(place, "event_end", ended, began)
        self._must_follow(place, "expires_at", expires, self._heard.at)
        self._must_not_exceed(place, "entities", len(given.entities), limits.ENTITIES_OF_A_MEMORY)
        self._must_not_exceed(place, "claims", len(given.claims), limits.TRIPLES_OF_A_MEMORY)
        if _FIRST_PERSON.match(given.content):
            self.wrong.append(f"{place}.content: {given.content[:80]!r} does not stand alone; say who is meant")
        span = self._span(place, given.quote)
        confidence = CONFIDENCE[given.certainty]
        entities = [self._entity(f"{place}.entities[{at}]", one) for at, one in enumerate(given.entities)]
        claims = [self._claim(f"{place}.claims[{at}]", one, confidence) for at, one in enumerate(given.claims)]
        stated = tuple(dict.fromkeys(one for one in claims if one))
        return self._made(
            place,
            lambda: Extracted(
                content=limits.text(given.content, "content", STATEMENT_CHARS, least=1).strip(),
                span=span,
                kind=Kind(given.kind),
                confidence=confidence,
                entities=tuple(dict.fromkeys(one for one in entities if one)),
                # what is doubted is no claim
                claims=() if given.certainty == "unsure" else stated,
                importance=by_claims(stated, self._heard.first_person)
                if given.importance is None
                else IMPORTANCE[given.importance],
                cue=None if given.cue is None else Cue(given.cue),
                event_time=began,
                event_end=ended,
                expires_at=expires,
            ),
        )

    def unsaid(self, one: Extracted) -> str | None:
        """Why it cannot have been said, in words that name it."""
        why = self._said.unsaid(one.content, self._sentences_of(one.span))
        return None if why is None else f"{one.content[:80]!r}: {why}"

    def _sentences_of(self, span: tuple[int, int]) -> str:
        start, end = span
        touched = [self._text[begin:stop] for begin, stop in sentences(self._text) if begin < end and start < stop]
        return " ".join(touched)

    def _entity(self, place: str, given: EntityAnswer) -> Mentioned | None:
        self._must_be_said(place, "name", given.name)
        if given.role:
            self._must_be_said(place, "role", given.role)
        return self._made(place, lambda: Mentioned(given.name, given.kind, given.role or None))

    def _claim(self, place: str, given: ClaimAnswer, confidence: float) -> Claim | None:
        self._must_be_said(place, "subject", given.subject)
        self._must_be_said(place, "object", given.object)
        if given.instead_of:
            self._must_be_said(place, "instead_of", given.instead_of)
        since, until = (self._time(place, given, name) for name in ("valid_from", "valid_until"))
        return self._made(
            place,
            lambda: Claim(
                subject=given.subject,
                relation=self._relation(given.relation),
                object=given.object,
                stance=Stance(given.stance),
                valid_from=since,
                valid_until=until,
                instead_of=given.instead_of or None,
                confidence=confidence,
            ),
        )

    def _relation(self, given: str) -> str:
        relation = fact_relation(given)
        if relation not in KNOWN_FACTS and not self._said.relation(relation):
            raise InvalidRequest(f"relation: {given!r} is neither a known one nor a word that was said")
        return relation

    def _span(self, place: str, quote: str) -> tuple[int, int]:
        """Where the quote stands; blanks and the case of letters may differ from the text."""
        parts = [re.escape(part) for part in quote.strip().strip("\"'“”").split()]
        found = re.search(r"\s+".join(parts), self._text, re.IGNORECASE) if parts else None
        if found is None:
            self.wrong.append(f"{place}.quote: {quote[:80]!r} is not in the text; copy the words exactly, as one piece")
            return (0, 0)
        return found.span()

    def _time(self, place: str, given: BaseModel, name: str) -> datetime | None:
        point = self._made(place, lambda: utc_or_none(getattr(given, name) or None, name))
        if point is not None and not self._said.time(point):
            self.wrong.append(f"{place}.{name}: {point:%Y-%m-%d} is no time that was spoken of; null if none was")
        return point

    def _must_be_said(self, place: str, field: str, name: str) -> None:
        if not self._said.name(name):
            self.wrong.append(f"{place}.{field}: {name[:80]!r} was not said; names stay as they are in the text")

    def _must_follow(self, place: str, field: str, later: datetime | None, earlier: datetime | None) -> None:
        if later is not None and earlier is not None and later < earlier:
            self.wrong.append(f"{place}.{field}: {later:%Y-%m-%d} is before {earlier:%Y-%m-%d}")

    def _must_not_exceed(self, place: str, field: str, count: int, most: int) -> None:
        if count > most:
            self.wrong.append(f"{place}.{field}: {count} are too many; at most {most}")

    def _made(self, place: str, make: Callable[[], T]) -> T | None:
        try:
            return make()
        except CallerError as error:
            self.wrong.append(f"{place}.{error}")
            return None
