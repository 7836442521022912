"""Does memory keep up with a changing life? Labelled streams of talk, replayed through the door and asked in between.

Each stream lives in a space of its own; turns that have nothing to do with it are mixed in, always the same ones at the
same times. The clock follows the stream: a question is asked at its own time, when nothing said later is remembered.
Three hits are asked for.

`current` are questions about the present whose answer is in the hits; `stale`, of those for which something outdated
is known, those where a hit states it as true now: it is active, its window is open, it does not hold the answer too,
and its words do not say that it is over (`bench.asserted`). `as of` and `known at` are questions about the past;
`leaked`, where a hit shows what was learned only later. `closed` is what should have stayed and is only found
superseded or ended, `gone` what is not found at all. Of `facts now`, precision counts among facts whose subject and
relation the labels know, since they do not list all; `facts before` are found among those that have ended, with windows
right to the month.

    TREERING_BENCH_DATA=folder python -m bench.updates [--only ud-001 ud-002] [--noise 0] [--misses 20]
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any

import treering
from bench import labels, record
from bench.asserted import asserts
from bench.conversations import Now
from bench.labels import MONTH, FactKey, Item, Tally, ends_of, fact_key, moment, plain, same_date, says
from treering.graph.facts import Fact
from treering.model.memory import Kind, Memory, State

DATA_FILE, NOISE_FILE = "updates/update_streams_dev.jsonl", "updates/distractors_dev.txt"
NOISE = 10
TOP = 3
MOST = 1_000
GOALS: tuple[tuple[str, tuple[str, ...], float, bool], ...] = (
    ("current answer in the first three", ("current",), 0.93, False),
    ("stale served", ("stale",), 0.02, True),
    ("wrongly closed", ("closed",), 0.01, True),
    ("as of, answered", ("as of",), 0.90, False),
    ("facts now, F1", ("facts now", "f1"), 0.65, False),
)
HEADS = (
    "tag", "streams", "current", "first", "stale", "as of", "known at", "leaked", "closed", "gone", "now P", "now R",
    "now F1", "any relation F1", "before R", "windows",
)  # fmt: skip
Misses = list[Item]
Keyed = Callable[[Any], FactKey]


# streams


@dataclass(frozen=True, slots=True)
class Turn:
    text: str
    at: datetime
    speaker: str
    session: str


def turns_of(case: Item, neutral: Sequence[str], wanted: int) -> list[Turn]:
    """What is said in a stream, with neutral turns in between: which ones and when follows from its id."""
    own = [Turn(one["text"], moment(one["at"]), one["speaker"], one["session"]) for one in case["turns"]]
    mixed = own + [one for one in _neutral(case, own, neutral, wanted) if one.at >= own[0].at]
    return sorted(mixed, key=lambda turn: turn.at)


def _neutral(case: Item, own: Sequence[Turn], lines: Sequence[str], wanted: int) -> Iterable[Turn]:
    if not lines:
        return
    draw = int.from_bytes(hashlib.sha256(case["id"].encode()).digest(), "big")
    stride = 2 * (draw % 17) + 1
    chosen = dict.fromkeys(lines[(draw + place * stride) % len(lines)] for place in range(min(wanted, len(lines))))
    speakers = list(dict.fromkeys(turn.speaker for turn in own))
    said, taken = plain(" ".join(turn.text for turn in own)), {turn.at for turn in own}
    begin = own[0].at
    lasts = max(moment(check["at"]) for check in case["checks"]) - begin
    for place, text in enumerate(chosen):
        at = begin + lasts * ((place + 0.5) / len(chosen))
        at = at.replace(second=(draw + 7 * place) % 60, microsecond=0)
        if plain(text) not in said and at not in taken:
            taken.add(at)
            yield Turn(text, at, speakers[place % len(speakers)], f"n{place + 1}")


class Replay:
    """One stream in its space: told up to a moment, then asked."""

    def __init__(self, mem: treering.Treering, clock: Now, turns: list[Turn]) -> None:
        self._mem, self._clock, self._left = mem, clock, turns
        self.told: list[float] = []
        self.asked: list[float] = []

    def tell(self, until: datetime | None = None) -> None:
        while self._left and (until is None or self._left[0].at <= until):
            turn = self._left.pop(0)
            self._clock.move_to(turn.at)
            start = perf_counter()
            self._mem.remember(turn.text, at=turn.at, speaker=turn.speaker, session=turn.session)
            self.told.append(perf_counter() - start)

    def ask(self, check: Item) -> list[Memory]:
        self._clock.move_to(moment(check["at"]))
        start = perf_counter()
        answer = self._mem.recall(check["ask"], limit=TOP, as_of=check["as_of"], known_at=check["known_at"])
        self.asked.append(perf_counter() - start)
        return [replace(hit.memory, state=hit.state) for hit in answer]  # what is outdated is told so


# judging


def stands(memory: Memory, at: datetime) -> bool:
    active = memory.state in (State.ACTIVE, State.PROMOTED)
    return active and (memory.valid_until is None or memory.valid_until > at)


def ways_of(wanted: Sequence[Any]) -> list[list[str]]:
    """The answers that would do, each as words that must all be there."""
    if not wanted:
        return []
    return [list(one) for one in wanted] if isinstance(wanted[0], list) else [list(wanted)]


def answers(hits: Sequence[Memory], wanted: Sequence[Any]) -> bool:
    return any(all(any(says(hit.content, word) for hit in hits) for word in way) for way in ways_of(wanted))


def begins_with(hits: Sequence[Memory], wanted: Sequence[Any]) -> bool:
    """Whether the first hit has at least a part of it."""
    return any(says(hits[0].content, word) for way in ways_of(wanted) for word in way) if hits else False


def stale_hits(hits: Sequence[Memory], check: Item) -> list[Memory]:
    outdated = (hit for hit in hits if stands(hit, moment(check["at"])) and not answers([hit], check["want"]))
    return [hit for hit in outdated if any(asserts(hit.content, value) for value in check["stale"])]


def judge_check(check: Item, hits: list[Memory], found: Tally, miss: Callable[..., None]) -> None:
    clocks = [name for name in ("as_of", "known_at") if check[name]]
    if check["want"]:
        right = answers(hits, check["want"])
        asked = "past" if clocks else "current"
        found.update({f"{asked} asked": 1, asked: right, f"{asked} first": begins_with(hits, check["want"])})
        for name in clocks:
            found.update({f"{name} asked": 1, name: right})
        if not right:
            miss(asked, check["ask"], check["want"], [hit.content for hit in hits])
    if check["stale"] and not clocks:
        stale = stale_hits(hits, check)
        states = [hit for hit in stale if hit.kind is not Kind.EPISODE]
        found.update({"stale asked": 1, "stale": bool(stale), "stale states": bool(states)})
        if stale:
            miss("stale", check["ask"], check["stale"], [hit.content for hit in stale])
    if check["stale"] and check["known_at"]:
        leaked = [hit.content for hit in hits if any(says(hit.content, value) for value in check["stale"])]
        found.update({"leak asked": 1, "leaked": bool(leaked)})
        if leaked:
            miss("leaked", check["ask"], check["stale"], leaked)


@dataclass(frozen=True, slots=True)
class Known:
    """The facts of a stream at its end."""

    facts: Sequence[Fact]
    at: datetime

    @property
    def open(self) -> list[Fact]:
        return [one for one in self.facts if (one.valid_from or self.at) <= self.at and not self._ended(one)]

    @property
    def ended(self) -> list[Fact]:
        return [one for one in self.facts if self._ended(one)]

    def _ended(self, fact: Fact) -> bool:
        return fact.valid_until is not None and fact.valid_until <= self.at


def judge_facts(case: Item, known: Known, found: Tally) -> None:
    def key(fact: Any) -> FactKey:
        given = (fact.subject, fact.relation, fact.object) if isinstance(fact, Fact) else fact[:3]
        subject, relation, object_ = given
        return fact_key(subject, relation, object_, case.get("owner"))

    def ends(fact: Any) -> FactKey:
        return ends_of(key(fact))

    now, before = case["facts_now"], case["facts_before"]
    spoken_of = {key(one)[:2] for one in now + before}
    _judge_now("facts now", now, known.open, [one for one in known.open if key(one)[:2] in spoken_of], key, found)
    pairs = {ends(one) for one in now + before}
    loose = [one for one in known.open if ends(one) in pairs]
    _judge_now("facts now, any relation", now, known.open, loose, ends, found)
    found["facts before"] += len(before)
    for name, by in (("facts before found", key), ("facts before found, any relation", ends)):
        over = {by(one) for one in known.ended}
        found[name] += sum(by(one) in over for one in before)
    _judge_windows(now, before, known, ends, found)


def _judge_now(what: str, wanted: list[Any], given: list[Fact], weighed: list[Fact], by: Keyed, found: Tally) -> None:
    right, told = {by(one) for one in wanted}, {by(one) for one in given}
    found[f"{what} wanted"] += len(wanted)
    found[f"{what} found"] += sum(by(one) in told for one in wanted)
    found[f"{what} weighed"] += len(weighed)
    found[f"{what} right"] += sum(by(one) in right for one in weighed)


def _judge_windows(now: list[Any], before: list[Any], known: Known, by: Keyed, found: Tally) -> None:
    still, over = defaultdict[FactKey, list[Fact]](list), defaultdict[FactKey, list[Fact]](list)
    for facts, into in ((known.open, still), (known.ended, over)):
        for one in facts:
            into[by(one)].append(one)
    for one in now:
        found["shut"] += by(one) in over and by(one) not in still
        if one[3] and by(one) in still:
            found.update({"starts": 1, "right starts": any(_from(each, one[3]) for each in still[by(one)])})
    for one in before:
        if by(one) in over and (one[3] or one[4]):
            right = any(_from(each, one[3]) and _until(each, one[4]) for each in over[by(one)])
            found.update({"windows": 1, "right windows": right})


def _from(fact: Fact, wanted: str | None) -> bool:
    return not wanted or same_date(fact.valid_from, wanted, MONTH)


def _until(fact: Fact, wanted: str | None) -> bool:
    return not wanted or same_date(fact.valid_until, wanted, MONTH)


def judge_what_stays(
    case: Item, memories: Sequence[Memory], known: Known, found: Tally, miss: Callable[..., None]
) -> None:
    for words in case["must_stay"]:
        told = [memory for memory in memories if says(memory.content, words)]
        stated = [one for one in known.facts if says(one.subject, words) or says(one.object, words)]
        there = bool(told or stated)
        stays = any(stands(memory, known.at) for memory in told) or any(one in known.open for one in stated)
        outcome = "stayed" if stays else "closed" if there else "gone"
        found.update({"to stay": 1, outcome: 1})
        if not stays:
            miss(outcome, "", words, [memory.content for memory in told])


# telling


@dataclass(slots=True)
class Examined:
    told: dict[str, Any]
    misses: Misses


def examine(cases: list[Item], neutral: Sequence[str], noise: int) -> Examined:
    clock, whole, tags = Now(None), Tally(), defaultdict[str, Tally](Tally)
    misses, told, asked = Misses(), list[float](), list[float]()
    with treering.open(":memory:", clock=clock) as mem:
        for case in cases:
            space = mem.space(f"stream/{case['id'].lower()}")
            replay = Replay(space, clock, turns_of(case, neutral, noise))
            found = run(case, replay, space, misses)
            told += replay.told
            asked += replay.asked
            whole.update(found)
            for tag in case["tests"]:
                tags[tag].update(found)
    in_order = sorted(tags, key=lambda tag: (-tags[tag]["streams"], tag))
    speed = {"told": record.quantiles(told), "asked": record.quantiles(asked)}
    by_tag = {tag: figures(tags[tag]) for tag in in_order}
    return Examined({"noise": noise, "all": figures(whole), "tags": by_tag, "speed": speed}, misses)


def run(case: Item, replay: Replay, mem: treering.Treering, misses: Misses) -> Tally:
    found = Tally(streams=1)

    def miss(what: str, asked: str, wanted: object, given: object) -> None:
        misses.append({"stream": case["id"], "missed": what, "asked": asked, "wanted": wanted, "given": given})

    for check in sorted(case["checks"], key=lambda one: moment(one["at"])):
        replay.tell(moment(check["at"]))
        judge_check(check, replay.ask(check), found, miss)
    replay.tell()
    end = max(moment(one["at"]) for one in case["checks"] + case["turns"])
    known = Known(mem.facts(include_closed=True), end)
    judge_facts(case, known, found)
    judge_what_stays(case, mem.list(view="history", limit=MOST).memories, known, found, miss)
    return found


def figures(found: Tally) -> dict[str, Any]:
    def facts_now(what: str) -> dict[str, labels.Share]:
        precision, recall = (
            found.share(f"{what} right", f"{what} weighed"),
            found.share(f"{what} found", f"{what} wanted"),
        )
        if precision is None and found[f"{what} wanted"]:
            precision = 0.0
        return {"precision": precision, "recall": recall, "f1": labels.f1(precision, recall)}

    return {
        "streams": found["streams"],
        "current": found.share("current", "current asked"),
        "current first": found.share("current first", "current asked"),
        "current asked": found["current asked"],
        "stale": found.share("stale", "stale asked"),
        "stale states": found.share("stale states", "stale asked"),
        "stale asked": found["stale asked"],
        "past": found.share("past", "past asked"),
        "past first": found.share("past first", "past asked"),
        "as of": found.share("as_of", "as_of asked"),
        "as of asked": found["as_of asked"],
        "known at": found.share("known_at", "known_at asked"),
        "known at asked": found["known_at asked"],
        "leaked": found.share("leaked", "leak asked"),
        "stayed": found.share("stayed", "to stay"),
        "closed": found.share("closed", "to stay"),
        "gone": found.share("gone", "to stay"),
        "to stay": found["to stay"],
        "facts now": facts_now("facts now"),
        "facts now, any relation": facts_now("facts now, any relation"),
        "facts now, shut": found.share("shut", "facts now wanted"),
        "facts now, starts": found.share("right starts", "starts"),
        "facts before": found.share("facts before found", "facts before"),
        "facts before, any relation": found.share("facts before found, any relation", "facts before"),
        "facts before, windows": found.share("right windows", "windows"),
    }


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    shown = []
    for what, path, goal, most in GOALS:
        value: Any = told["all"]
        for name in path:
            value = value[name]
        shown.append(labels.judged(what, value, goal, most))
    for what, name in (("a turn told", "told"), ("a question asked", "asked")):
        speed = told["speed"][name]
        shown.append((what, f"p50 {speed['p50_ms']:.1f} ms, p95 {speed['p95_ms']:.1f} ms", "", ""))
    return shown


def tag_table(told: dict[str, Any], least: int = 1) -> list[str]:
    """Tags that at least so many streams have."""
    tags = [(tag, row) for tag, row in told["tags"].items() if row["streams"] >= least]
    return labels.by_tag(HEADS, [_row(tag, row) for tag, row in [*tags, ("**all**", told["all"])]])


def _row(tag: str, row: dict[str, Any]) -> list[str]:
    now, loose = row["facts now"], row["facts now, any relation"]
    shares = [
        row[name] for name in ("current", "current first", "stale", "as of", "known at", "leaked", "closed", "gone")
    ]
    shares += [now["precision"], now["recall"], now["f1"], loose["f1"]]
    shares += [row["facts before"], row["facts before, windows"]]
    return [tag, str(row["streams"]), *map(labels.shown, shares)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", default=(), help="these streams, by id")
    options.add_argument("--noise", type=int, default=NOISE, help="neutral turns mixed into each stream")
    options.add_argument("--misses", type=int, default=0, help="show so many of what was missed")
    given = options.parse_args()
    neutral = [line.strip() for line in labels.lines_of(NOISE_FILE)] if given.noise else []
    found = examine(labels.load(DATA_FILE, given.only), neutral, given.noise)
    print("\n".join(tag_table(found.told)) + "\n\n" + record.table(rows(found.told)))
    for miss in found.misses[: given.misses]:
        print(json.dumps(miss, ensure_ascii=False))
    if given.only or given.noise != NOISE:
        print("\nnot written down: not all of it, or with other noise")
    else:
        print(f"\nwritten to {record.write('updates', found.told)}")


if __name__ == "__main__":
    main()
