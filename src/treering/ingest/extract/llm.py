"""What if a language model reads? It is asked, its answer is held against what was said and mended once; and whatever
it does not account for, another extractor reads. No text is lost to a model that is down, slow, mad, or too dear.

A model only proposes statements. What they mean for older ones is decided where they are related.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from treering.errors import InvalidRequest, Unavailable
from treering.ingest.extract.answer import Unfit, answer_schema, read
from treering.ingest.extract.budget import Account, Budget, OverBudget, SpendingInMemory, SpendingLog, Tokens
from treering.ingest.extract.contract import Extracted, Extraction, Extractor, Heard, PassedOver, Turn
from treering.ingest.extract.said import SaidWords, speaks_to_a_model
from treering.language.sentences import sentences
from treering.mind.model import LanguageModel, ModelMessage, tokens_of
from treering.mind.prompts.extraction import Earlier, extraction, repair
from treering.model.time import Clock, system_clock

Span = tuple[int, int]
TROUBLE_CHARACTERS = 300
REPEATED_CHARACTERS = 20_000  # of an unfit answer, when it is to be mended
INSTRUCTION = "it speaks to the model that would read it"


@dataclass(frozen=True, slots=True)
class ReadingPolicy:
    """A longer text is read in parts of about `part_characters`, cut between sentences, each with the end of the part
    before it. Of what was said before, the last `before_turns` are sent, as far as `before_characters` reach. An answer
    may take `answer_tokens` and `answer_tokens_per_character` of the part. After `failures_in_a_row` without an answer
    the rest of a call is not asked about."""

    part_characters: int = 2_000
    before_turns: int = 10
    before_characters: int = 4_000
    answer_tokens: int = 1_500
    answer_tokens_per_character: float = 3.0
    at_once: int = 4
    failures_in_a_row: int = 2

    def __post_init__(self) -> None:
        for field in ("part_characters", "answer_tokens", "at_once", "failures_in_a_row"):
            if getattr(self, field) < 1:
                raise InvalidRequest(f"{field}: {getattr(self, field)} is less than 1")

    def tokens_for(self, part: str) -> int:
        return self.answer_tokens + int(self.answer_tokens_per_character * len(part))


@dataclass(frozen=True, slots=True)
class _Read:
    """What the model made of one text: statements, the stretches nobody has accounted for, and what went wrong."""

    statements: tuple[Extracted, ...]
    gaps: tuple[Span, ...]
    troubles: tuple[str, ...]


class _Patience:
    """Counts failures of one call, over all its threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._failures = 0
        self._lost: str | None = None
        self._lock = threading.Lock()

    @property
    def lost(self) -> str | None:
        return self._lost

    def note(self, failure: str | None) -> None:
        with self._lock:
            self._failures = self._failures + 1 if failure else 0
            if self._failures >= self._most:
                self._lost = failure


class ModelExtractor:
    name = "llm"

    def __init__(
        self,
        model: LanguageModel,
        fallback: Extractor,
        spending: SpendingLog | None = None,
        *,
        space: str,
        budget: Budget | None = None,
        policy: ReadingPolicy | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._model = model
        self._fallback = fallback
        self._account = Account(space, budget or Budget(), spending or SpendingInMemory(), clock)
        self._policy = policy or ReadingPolicy()

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        patience = _Patience(self._policy.failures_in_a_row)
        if len(heard) > 1 and self._policy.at_once > 1:
            with ThreadPoolExecutor(min(self._policy.at_once, len(heard))) as pool:
                found = list(pool.map(lambda one: self._read(one, patience), heard))
        else:
            found = [self._read(one, patience) for one in heard]
        return self._filled(heard, found)

    def _read(self, heard: Heard, patience: _Patience) -> _Read:
        statements: list[Extracted] = []
        troubles: list[str] = []
        for start, end in parts(heard.text, self._policy.part_characters):
            try:
                found, left_out = self._read_part(replace(heard, text=heard.text[start:end]), heard, start, patience)
            except _NotRead as failure:
                troubles.append(str(failure))
                continue
            statements += [replace(one, span=(one.span[0] + start, one.span[1] + start)) for one in found]
            troubles += [f"not said, and left out: {one}" for one in left_out]
        return _Read(tuple(statements), gaps(heard.text, [one.span for one in statements]), tuple(troubles))

    def _read_part(
        self, part: Heard, heard: Heard, start: int, patience: _Patience
    ) -> tuple[tuple[Extracted, ...], tuple[str, ...]]:
        if speaks_to_a_model(part.text):
            raise _NotRead(INSTRUCTION)
        before = self._before(heard, start)
        said = SaidWords(part.text, heard, before)
        asked = extraction(
            part.text,
            at=heard.at,
            first_person=heard.first_person,
            before=[Earlier(replace(heard, speaker=turn.speaker).first_person, turn.text, turn.at) for turn in before],
        )
        answer = self._ask(asked, part.text, patience)
        try:
            believed = read(answer, part.text, heard, said)
        except Unfit as unfit:
            mending = repair(asked, answer[:REPEATED_CHARACTERS], unfit.wrong)
            again = self._ask(mending, part.text, patience)
            try:
                believed = read(again, part.text, heard, said)
            except Unfit as still:
                raise _NotRead(f"its answer was unfit twice: {still.wrong[0]}") from None
        return believed.statements, believed.left_out

    def _before(self, heard: Heard, start: int) -> list[Turn]:
        """What was said before this part, oldest first, as far as it is to be sent."""
        room = self._policy.before_characters
        own = [Turn(heard.speaker, heard.text[max(0, start - room) : start], heard.at)] if start else []
        kept: list[Turn] = []
        for turn in [*heard.before, *own][: -self._policy.before_turns - 1 : -1]:
            if room <= 0:
                break
            text = turn.text[-room:]
            if not speaks_to_a_model(text):
                kept.append(replace(turn, text=text))
                room -= len(text)
        return kept[::-1]

    def _ask(self, messages: Sequence[ModelMessage], part: str, patience: _Patience) -> str:
        if patience.lost:
            raise _NotRead(patience.lost)
        most = Tokens(tokens_of(*(one.content for one in messages)), self._policy.tokens_for(part))
        try:
            with self._account.spending(most) as spent:
                done = self._model.complete(messages, schema=answer_schema(), max_tokens=most.written)
                spent.append(Tokens(done.tokens_in or most.read, done.tokens_out or tokens_of(done.text)))
        except OverBudget as over:
            raise _NotRead(str(over)) from None
        except Unavailable as failure:
            patience.note(str(failure))
            raise _NotRead(str(failure)) from None
        patience.note(None)
        if done.cut:
            raise _NotRead(f"its answer was longer than {most.written:,} tokens")
        return done.text

    def _filled(self, heard: Sequence[Heard], found: Sequence[_Read]) -> list[Extraction]:
        """Each text with its gaps read by the fallback, which is asked once for all of them."""
        asked = [_about(one, gap) for one, its in zip(heard, found, strict=True) for gap in its.gaps]
        answers = iter(self._fallback.extract(asked) if asked else [])
        return [self._whole(its, [(gap, next(answers)) for gap in its.gaps]) for its in found]

    def _whole(self, its: _Read, filled: Sequence[tuple[Span, Extraction]]) -> Extraction:
        moved = [_moved(answer, start) for (start, _), answer in filled]
        not_its = not its.statements and any(its.troubles or answer.extracted for answer in moved)
        others = [one for answer in moved for one in answer.extracted]
        everything = sorted((*its.statements, *others), key=lambda one: one.span)
        return Extraction(
            extracted=tuple(everything),
            passed_over=tuple(one for answer in moved for one in answer.passed_over),
            extractor=moved[0].extractor if not_its else self.name,
            trouble=self._trouble(its, moved),
        )

    def _trouble(self, its: _Read, filled: Sequence[Extraction]) -> str | None:
        read_instead = any(answer.extracted for answer in filled)
        whys = list(dict.fromkeys(its.troubles))
        whys += [answer.trouble for answer in filled if answer.trouble]
        if not whys and not read_instead:
            return None
        why = whys[0] if whys else "it left out some of what was said"
        more = f" (and {len(whys) - 1} more)" if len(whys) > 1 else ""
        instead = f"{self._fallback.name} read {'the rest' if its.statements else 'it'} instead" if read_instead else ""
        line = f"{self.name}: {why}{more}" + (f"; {instead}" if instead else "")
        return " ".join(line.split())[:TROUBLE_CHARACTERS]


class _NotRead(Exception):
    """The model did not read a part, and why."""


def parts(text: str, most: int) -> Iterator[Span]:
    """Stretches that hold all of the text, cut between sentences where one ends in reach."""
    begin = end = 0
    for start, stop in sentences(text):
        if stop - begin > most and end > begin:
            yield begin, end
            begin = start
        while stop - begin > most:
            yield begin, begin + most
            begin += most
        end = stop
    if begin < end:
        yield begin, end


def gaps(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    """Sentences in which no span lies, neighbours taken together; without any span, the whole text."""
    if not spans:
        return ((0, len(text)),)
    every = sentences(text)
    starts, ends = [start for start, _ in every], [end for _, end in every]
    told = {place for begin, stop in spans for place in range(bisect_right(ends, begin), bisect_left(starts, stop))}
    found: list[Span] = []
    for place, (start, end) in enumerate(every):
        if place in told:
            continue
        if found and place - 1 not in told:
            start = found.pop()[0]  # noqa: PLW2901
        found.append((start, end))
    return tuple(found)


def _about(heard: Heard, gap: Span) -> Heard:
    """A stretch of a text, with what stands before it as something said before."""
    start, end = gap
    own = (Turn(heard.speaker, heard.text[:start], heard.at),) if start else ()
    return replace(heard, text=heard.text[start:end], before=(*heard.before, *own))


def _moved(answer: Extraction, by: int) -> Extraction:
    """With its spans in the whole text."""
    return replace(
        answer,
        extracted=tuple(replace(one, span=(one.span[0] + by, one.span[1] + by)) for one in answer.extracted),
        passed_over=tuple(PassedOver((one.span[0] + by, one.span[1] + by), one.why) for one in answer.passed_over),
    )
