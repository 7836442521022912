"""Which times does a text speak of? Finds every expression from left to right and fixes it on the calendar.

At each place the longest reading that survives the doubts is taken, and reading goes on after it. The day is that of
the reference's own time zone: "yesterday", said at eleven in the evening in New York, is New York's.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from treering.errors import InvalidRequest
from treering.language.when.doubting import torn_before
from treering.language.when.grammar import Parse
from treering.language.when.languages import times_in
from treering.language.when.signs import Tenses
from treering.language.when.stretch import Open, Recurring, TimeStretch
from treering.language.when.time_context import TimeContext, TimeDirection, pick
from treering.language.when.window import Window
from treering.language.which import language_of
from treering.model.time import utc

Found = tuple[int, TimeStretch | Open]
LOOK_AHEAD_TOKENS = 5
REMEMBERED_TOKENS = 256
"""How far back readings are kept: no expression is longer, and a long text should not fill the memory."""


def when(text: str, reference: datetime | str) -> list[Window]:
    """The windows that `text` speaks of, in its order, seen from `reference`; none where no time is meant."""
    if not isinstance(text, str):
        raise InvalidRequest(f"text: {text!r} is not text; give a str")
    now, zone = _local(reference)
    return _Reading(text, now, zone).windows()


def looks_back(text: str, span: tuple[int, int]) -> bool:
    """Whether what is told at this place in the text has happened, by its verbs and by plain words."""
    language = times_in(language_of(text))
    tokens = language.tokenise(text)
    inside = [place for place, token in enumerate(tokens) if span[0] <= token.start < span[1]]
    if not inside:
        return False
    return Tenses(tokens, *language.signs).at(inside[0], inside[-1] + 1) is TimeDirection.PAST


def _local(reference: datetime | str) -> tuple[datetime, tzinfo]:
    moment = utc(reference, "reference")
    if isinstance(reference, str):
        written = datetime.fromisoformat(reference.strip().replace("z", "Z"))
        zone = written.tzinfo or UTC
    else:
        zone = reference.tzinfo or UTC
    return moment.astimezone(zone).replace(tzinfo=None), zone


class _Reading:
    """One text under one reference."""

    def __init__(self, text: str, now: datetime, zone: tzinfo) -> None:
        self._text = text
        self._now = now
        self._zone = zone
        self._language = times_in(language_of(text))
        self._tokens = self._language.tokenise(text)
        self._tenses: Tenses | None = None
        self._direction = TimeDirection.UNSAID
        self._parse = Parse(self._language.grammar, self._tokens, TimeContext(now, self._direction))

    def windows(self) -> list[Window]:
        found = []
        i = forgotten = 0
        while i < len(self._tokens):
            if i - forgotten > REMEMBERED_TOKENS:
                self._parse.forget(TimeContext(self._now, self._direction))
                forgotten = i
            match = self._longest(i) if self._may_begin(i) else None
            window = self._window(i, *match) if match else None
            if match and window:
                found.append(window)
                i = match[0]
            else:
                i += 1
        return found

    def _may_begin(self, i: int) -> bool:
        """A cheap look before the parse: "the" and "in" begin a time only if a word that tells of one is near."""
        if not self._parse.may_begin("TIME", i) or torn_before(self._tokens, i):
            return False
        near = self._tokens[i : i + LOOK_AHEAD_TOKENS]
        return any(token.classes or token.text in self._language.telling for token in near)

    def _longest(self, i: int) -> Found | None:
        self._look(self._said(i, i + 1))
        for end, _ in self._parse.read("TIME", i):
            if self._language.doubts.doubtful(self._tokens, i, end):
                continue
            self._look(self._direction_of(i, end))
            value = dict(self._parse.read("TIME", i)).get(end)
            fixed = self._fix(value)
            if fixed is not None:
                return end, fixed
        return None

    def _direction_of(self, i: int, end: int) -> TimeDirection:
        """A text that is nothing but the time is read as a calendar's entry: what comes next."""
        if self._at(i, end) is TimeDirection.UNSAID and self._language.doubts.stands_alone(self._tokens, i, end):
            return TimeDirection.FUTURE
        return self._said(i, end)

    def _said(self, i: int, end: int) -> TimeDirection:
        said = self._at(i, end)
        return self._language.unsaid if said is TimeDirection.UNSAID else said

    def _at(self, i: int, end: int) -> TimeDirection:
        if self._tenses is None:
            self._tenses = Tenses(self._tokens, *self._language.signs)
        return self._tenses.at(i, end)

    def _look(self, direction: TimeDirection) -> None:
        if direction is not self._direction:
            self._direction = direction
            self._parse.forget(TimeContext(self._now, direction))

    def _fix(self, value: object) -> TimeStretch | Open | None:
        if isinstance(value, Recurring):
            value = pick(TimeContext(self._now, self._direction), value)
        return value if isinstance(value, (TimeStretch, Open)) else None

    def _window(self, i: int, end: int, fixed: TimeStretch | Open) -> Window | None:
        last = self._tokens[end - 1]
        cut_short = self._tokens[end - 2].text if end - 1 > i else ""
        if last.text == "." and len(cut_short) > 1 and cut_short.isalpha():
            last = self._tokens[end - 2]
        span = (self._tokens[i].start, last.end)
        try:
            start, until = self._utc(fixed.start), self._utc(fixed.end)
        except (OverflowError, ValueError):
            return None
        return Window(start, until, self._text[span[0] : span[1]], span, fixed.grain)

    def _utc(self, point: datetime | None) -> datetime | None:
        return None if point is None else point.replace(tzinfo=self._zone).astimezone(UTC)
