"""Random derivations, and a plain account of which of them still stand.

`Deriving` writes memories that rest on one another and lets things happen to what lies beneath. Beside each write it
notes in `World` what it did, as plain values; `support` then says by brute force what must come out at any moment.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypothesis import strategies as st
from tests.conftest import START, HandClock

from treering.door import Treering
from treering.errors import CallerError
from treering.store import open_store

HOUR = timedelta(hours=1)
DEEPEST = 8


@dataclass
class Tie:
    """An edge: its id, where it begins and ends, and the ends it had before."""

    id: str
    begins: datetime
    ends: datetime | None = None
    before: list[tuple[datetime, datetime | None]] = field(default_factory=list)
    """When it was closed, and the end it had until then."""
    unlinked: bool = False

    def over(self, as_of: datetime) -> bool:
        return self.ends is not None and self.ends <= as_of


@dataclass
class World:
    """All that is known at one time."""

    expires: dict[str, datetime | None] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    cites: dict[tuple[str, str], list[Tie]] = field(default_factory=dict)
    supersedes: dict[tuple[str, str], list[Tie]] = field(default_factory=dict)
    facts: dict[str, Tie] = field(default_factory=dict)
    """By the memory that is its evidence."""

    def superseded(self, one: str, as_of: datetime) -> bool:
        ties = [
            tie
            for (new, old), each in self.supersedes.items()
            if old == one and new not in self.forgotten
            for tie in each
        ]
        return any(tie.begins <= as_of and not tie.unlinked and not tie.over(as_of) for tie in ties)

    def fallen(self, one: str, as_of: datetime) -> bool:
        expires, fact = self.expires[one], self.facts.get(one)
        return (
            one in self.forgotten
            or (expires is not None and expires <= as_of)
            or self.superseded(one, as_of)
            or (fact is not None and fact.over(as_of))
        )

    def current(self, one: str, as_of: datetime) -> bool:
        expires = self.expires[one]
        expired = expires is not None and expires <= as_of
        return one not in self.forgotten and not expired and not self.superseded(one, as_of)

    def support(self, one: str, as_of: datetime, above: tuple[str, ...] = ()) -> str:
        """Follows every way down, however often it comes by the same memory, until it would go round."""
        rests = [(old, _begun(ties, as_of)) for (new, old), ties in self.cites.items() if new == one]
        rests = [(old, ties) for old, ties in rests if ties]
        if not rests:
            return "unknown"
        return "stale" if any(self._shakes(old, ties, as_of, (*above, one)) for old, ties in rests) else "current"

    def _shakes(self, old: str, ties: list[Tie], as_of: datetime, above: tuple[str, ...]) -> bool:
        if all(tie.over(as_of) for tie in ties) or self.fallen(old, as_of):
            return True
        return old not in above and self.support(old, as_of, above) == "stale"


def _begun(ties: list[Tie], as_of: datetime) -> list[Tie]:
    return [tie for tie in ties if tie.begins <= as_of and not tie.unlinked]


@dataclass(frozen=True)
class Planned:
    """A memory to be written: how many places back each that it cites lies, when it expires, what it states."""

    cites: tuple[int, ...]
    expires: int | None
    states: bool


@dataclass(frozen=True)
class Happening:
    what: str
    one: int
    other: int
    hours: int


@dataclass(frozen=True)
class Script:
    planned: tuple[Planned, ...]
    happenings: tuple[Happening, ...]
    moments: tuple[tuple[int, int], ...]
    """As of, in hours from the start; known after so many writes, counted from the last."""


WHAT = ("restore", "forget", "reopen", "relink", "supersede", "restore", "close", "unlink", "expire", "cite", "restore",
        "reopen fact", "end fact")  # fmt: skip

_cites = st.sampled_from([(1,), (1,), (1,), (1, 2), (1, 3), (2,), (1, 5), ()])
_planned = st.builds(Planned, _cites, st.sampled_from([None, None, None, None, None, 30, 60]), st.booleans())
_happening = st.builds(Happening, st.sampled_from(WHAT), st.integers(0, 40), st.integers(0, 40), st.integers(0, 50))
_moment = st.tuples(st.integers(0, 60), st.sampled_from([0, 0, 1, 2, 3, 5, 8, 12]))


def scripts(memories: int, happenings: int) -> st.SearchStrategy[Script]:
    """Graphs up to so deep, in which so much happens."""
    return st.builds(
        Script,
        st.lists(_planned, min_size=memories // 2, max_size=memories).map(tuple),
        st.lists(_happening, min_size=happenings // 2, max_size=happenings).map(tuple),
        st.lists(_moment, min_size=3, max_size=5).map(tuple),
    )


class Deriving:
    """Carries a script out on a store, an hour a write, and keeps the world as it was known after each."""

    def __init__(self, url: str) -> None:
        self.clock = HandClock()
        self.mem = Treering(open_store(url, "normal"), clock=self.clock, actor="ann", space="lab")
        self.ids: list[str] = []
        self.world = World()
        self.worlds: list[tuple[datetime, World]] = [(START, deepcopy(self.world))]

    def run(self, script: Script) -> None:
        for planned in script.planned:
            self._write(planned)
        for one in script.happenings:
            self.clock.advance(hours=1)
            try:
                self._happen(one, START + one.hours * HOUR)
            except CallerError:
                continue  # refused, and so without effect
            self._note()

    def _note(self) -> None:
        self.worlds.append((self.clock.now, deepcopy(self.world)))

    def _write(self, planned: Planned, cited: list[str] | None = None) -> str:
        self.clock.advance(hours=1)
        number = len(self.ids)
        expires = None if planned.expires is None else self.clock.now + planned.expires * HOUR
        facts = [[f"Thing {number}", "USES", f"Tool {number}"]] if planned.states else []
        made = self.mem.add(f"Statement {number}", expires_at=expires, triples=facts)
        self.ids.append(made.id)
        self.world.expires[made.id] = expires
        if facts:
            [fact] = self.mem.facts(subject=f"Thing {number}")
            self.world.facts[made.id] = Tie(fact.id, fact.valid_from)
        self._note()
        back = [number - one for one in planned.cites if one <= number]
        for old in cited if cited is not None else dict.fromkeys(self.ids[place] for place in back):
            self._link(made.id, old, "derived_from", None)
            self._note()
        return made.id

    def _link(self, new: str, old: str, relation: str, begins: datetime | None) -> None:
        self.clock.advance(hours=1)
        made = self.mem.link(new, old, relation, valid_from=begins)
        if made.created:
            ties = self.world.cites if relation == "derived_from" else self.world.supersedes
            ties.setdefault((new, old), []).append(Tie(made.edge.id, made.edge.valid_from))

    def _happen(self, one: Happening, at: datetime) -> None:
        memory, other = self.ids[one.one % len(self.ids)], self.ids[one.other % len(self.ids)]
        pairs = sorted(self.world.cites)
        new, old = pairs[one.one % len(pairs)] if pairs else (memory, other)
        match one.what:
            case "supersede":
                self._link(self._write(Planned((), None, False), []), memory, "supersedes", at)
            case "expire":
                # what expires is known when it is written: it rests on another memory from now on, which does
                self._link(memory, self._write(Planned((), one.hours % 9 + 1, False), []), "derived_from", None)
            case "cite":
                newer, older = sorted((memory, other), reverse=True)
                self._link(newer, older, "derived_from", at)
            case "forget":
                self.mem.forget(memory)
                self.world.forgotten.add(memory)
            case "restore":
                self.mem.restore(memory)
                self.world.forgotten.discard(memory)
            case _:
                self._turn(one.what, memory, new, old, at)

    def _turn(self, what: str, memory: str, new: str, old: str, at: datetime) -> None:
        """Edges close and open again, and links come and go."""
        ties = self.world.cites.get((new, old), [])
        number = self.ids.index(memory)
        match what:
            case "close":
                self.mem.invalidate(new, old, "derived_from", at=at)
                self._close([tie for tie in ties if not tie.unlinked], at)
            case "reopen":
                self.mem.reopen(new, old, "derived_from")
                self._reopen([tie for tie in ties if not tie.unlinked])
            case "unlink":
                self.mem.unlink(new, old, "derived_from")
                for tie in ties:
                    tie.unlinked = True
            case "relink":
                for tie in ties[-1:]:
                    self.mem.restore(tie.id)
                    tie.unlinked = False
            case "end fact":
                self.mem.invalidate(f"Thing {number}", f"Tool {number}", "USES", at=at)
                self._close([self.world.facts[memory]], at)
            case "reopen fact":
                self.mem.reopen(f"Thing {number}", f"Tool {number}", "USES")
                self._reopen([self.world.facts[memory]])

    def _close(self, ties: list[Tie], at: datetime) -> None:
        for tie in ties:
            if tie.begins <= at and (tie.ends is None or tie.ends > at):
                tie.before.append((self.clock.now, tie.ends))
                tie.ends = at

    def _reopen(self, ties: list[Tie]) -> None:
        closed = [tie for tie in ties if tie.before]
        if closed:
            last = max(closed, key=lambda tie: (tie.before[-1][0], tie.id))
            last.ends = last.before.pop()[1]

    def known(self, back: int) -> tuple[datetime, World]:
        return self.worlds[-1 - back % len(self.worlds)]

    def expected(self, as_of: datetime, world: World) -> dict[str, str]:
        return {one: world.support(one, as_of) for one in world.expires}
