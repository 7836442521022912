"""How well is something said read? Labelled messages through `remember(dry_run=True)`, held against what people drew.

Each message is read in a space of its own; what was said before it is remembered there first, in the same session. A
labelled memory is covered by a memory of the receipt that holds all the words it must; each covers one, and of all ways
to match them the one counts that covers most, then has most kinds right, then most dates. Kinds and dates count among
the covered, `kinds of all` and `dates of all` among all. Names are those of a whole message, without the speaker. Facts
count with their relation, `facts, any relation` without.

    TREERING_BENCH_DATA=folder python -m bench.extraction [--only ed-001 ed-002] [--misses 20]
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from time import perf_counter
from typing import Any

import treering
from bench import labels, record
from bench.conversations import Now
from bench.labels import Item, Tally, ends_of, fact_key, moment, name_key, plain, same_date, says
from treering.ingest.receipt import Receipt, Remembered

DATA_FILE = "extraction/extraction_dev.jsonl"
SESSION = "talk"
GOALS: tuple[tuple[str, tuple[str, ...], float, bool], ...] = (
    ("memories covered", ("covered",), 0.90, False),
    ("kinds right of the covered", ("kinds",), 0.90, False),
    ("memories made for one wanted", ("made",), 1.3, True),
    ("small talk that made none", ("quiet",), 0.95, False),
    ("names, F1", ("names", "f1"), 0.85, False),
    ("facts, F1", ("facts", "f1"), 0.65, False),
    ("dates right of the covered", ("dates",), 0.85, False),
)
HEADS = (
    "tag", "messages", "memories", "covered", "kinds", "made", "quiet", "lost", "names P", "names R", "names F1",
    "facts P", "facts R", "facts F1", "any relation F1", "dates", "expiry",
)  # fmt: skip
Misses = list[Item]
Matching = tuple[int | None, ...]
"""For each labelled memory the number of the one that covers it."""


# reading


class Reader:
    """One store for all messages, a space for each."""

    def __init__(self, extractor: str | None = None) -> None:
        self._clock, self._extractor = Now(None), extractor
        self._mem = treering.open(":memory:", clock=self._clock)
        self.seconds: list[float] = []

    def read(self, case: Item) -> Receipt:
        said_at = moment(case["at"])
        space = f"read/{case['id'].lower()}"
        more: Item = {"space": space, "session": SESSION, "extractor": self._extractor}
        for minutes, turn in zip(range(len(case["context"]), 0, -1), case["context"], strict=True):
            self._clock.move_to(said_at - timedelta(minutes=minutes))
            at = said_at - timedelta(minutes=minutes)
            self._mem.remember(turn["text"], at=at, speaker=turn["speaker"], **more)
        self._clock.move_to(said_at)
        start = perf_counter()
        receipt = self._mem.remember(case["text"], at=said_at, speaker=case["speaker"], dry_run=True, **more)
        self.seconds.append(perf_counter() - start)
        return receipt


# matching


def covers(made: Remembered, wanted: Item) -> bool:
    """Whether it holds all the words; of several spellings one is enough."""
    every = ([one] if isinstance(one, str) else one for one in wanted["must_contain"])
    return all(any(says(made.content, spelling) for spelling in one) for one in every)


def right_kind(made: Remembered, wanted: Item) -> bool:
    return made.kind.value in (wanted.get("kind_any") or [wanted["kind"]])


def right_date(made: Remembered, wanted: Item) -> bool:
    return bool(wanted["event"]) and same_date(made.event_time or made.valid_from, wanted["event"])


def matchings(fitting: Sequence[Sequence[int]], taken: frozenset[int] = frozenset()) -> Iterator[Matching]:
    if not fitting:
        yield ()
        return
    for rest in matchings(fitting[1:], taken):
        yield None, *rest
    for one in fitting[0]:
        if one not in taken:
            for rest in matchings(fitting[1:], taken | {one}):
                yield one, *rest


def matched(wanted: Sequence[Item], made: Sequence[Remembered]) -> Matching:
    fitting = [[number for number, one in enumerate(made) if covers(one, each)] for each in wanted]

    def worth(matching: Matching) -> tuple[int, int, int]:
        pairs = [(made[one], each) for one, each in zip(matching, wanted, strict=True) if one is not None]
        return len(pairs), sum(right_kind(*pair) for pair in pairs), sum(right_date(*pair) for pair in pairs)

    return max(matchings(fitting), key=worth)


# counting


def judge(case: Item, receipt: Receipt, misses: Misses) -> Tally:
    found = Tally(messages=1)

    def miss(what: str, wanted: object, given: object) -> None:
        misses.append({"message": case["id"], "missed": what, "wanted": wanted, "given": given})

    if case["none"]:
        found["small talk"] += 1
        found["quiet"] += not receipt.memories
        if receipt.memories:
            miss("small talk", [], [one.content for one in receipt.memories])
    else:
        _memories(case, receipt, found, miss)
        _expiry(case, receipt, found)
    _names(case, receipt, found, miss)
    _facts(case, receipt, found, miss)
    return found


def _memories(case: Item, receipt: Receipt, found: Tally, miss: Any) -> None:
    wanted, made = case["memories"], receipt.memories
    found.update({"talk": 1, "lost": not made, "made": len(made), "memories": len(wanted)})
    found["shared"] += sum(any(covers(one, each) for one in made) for each in wanted)
    for number, each in zip(matched(wanted, made), wanted, strict=True):
        found["dated"] += bool(each["event"])
        if number is None:
            miss("memory", each["must_contain"], [one.content for one in made])
            continue
        one = made[number]
        kind, when = right_kind(one, each), right_date(one, each)
        found.update({"covered": 1, "kinds": kind, f"{each['kind']} covered": 1, f"{each['kind']} right": kind})
        if not kind:
            miss("kind", each["kind"], [one.kind.value, one.content])
        if each["event"]:
            found.update({"dated covered": 1, "dates": when})
        if each["event"] and not when:
            miss("date", each["event"], [str(one.event_time or one.valid_from), one.content])


def _expiry(case: Item, receipt: Receipt, found: Tally) -> None:
    given = [one.expires_at.date() for one in receipt.memories if one.expires_at is not None]
    if case["expires"]:
        wanted = date.fromisoformat(case["expires"])
        found.update({"expiring": 1, "expiries": any(abs((one - wanted).days) <= 1 for one in given)})
    else:
        found.update({"lasting": 1, "said to expire": bool(given)})


def _names(case: Item, receipt: Receipt, found: Tally, miss: Any) -> None:
    speaker = {"user", name_key(case["speaker"])}
    wanted = {name_key(one["name"]): one["kind"] for each in case["memories"] for one in each["entities"]}
    given = {name_key(one.name): plain(one.kind) for each in receipt.memories for one in each.entities}
    wanted, given = ({name: kind for name, kind in one.items() if name not in speaker} for one in (wanted, given))
    found.compare("names", wanted, given)
    found["names of right kind"] += sum(wanted[name] == given[name] for name in wanted.keys() & given.keys())
    if wanted.keys() - given.keys():
        miss("names", sorted(wanted.keys() - given.keys()), sorted(given.keys() - wanted.keys()))


def _facts(case: Item, receipt: Receipt, found: Tally, miss: Any) -> None:
    wanted = {fact_key(*one) for one in case["triples"]}
    told = (one for each in receipt.memories for one in each.triples)
    given = {fact_key(one.subject, one.relation, one.object) for one in told}
    found.compare("facts", wanted, given)
    found.compare("facts, any relation", map(ends_of, wanted), map(ends_of, given))
    if wanted - given:
        miss("facts", sorted(wanted - given), sorted(given - wanted))


def figures(found: Tally) -> dict[str, Any]:
    kinds = ("episode", "semantic", "viewpoint")
    return {
        "messages": found["messages"],
        "memories": found["memories"],
        "covered": found.share("covered", "memories"),
        "covered, one memory for several": found.share("shared", "memories"),
        "kinds": found.share("kinds", "covered"),
        "kinds of all": found.share("kinds", "memories"),
        "by kind": {kind: found.share(f"{kind} right", f"{kind} covered") for kind in kinds},
        "made": found.share("made", "memories"),
        "quiet": found.share("quiet", "small talk"),
        "small talk": found["small talk"],
        "lost": found.share("lost", "talk"),
        "names": found.found("names"),
        "names of right kind": found.share("names of right kind", "names found"),
        "facts": found.found("facts"),
        "facts, any relation": found.found("facts, any relation"),
        "dates": found.share("dates", "dated covered"),
        "dates of all": found.share("dates", "dated"),
        "expiries": found.share("expiries", "expiring"),
        "wrongly said to expire": found.share("said to expire", "lasting"),
    }


# telling


def examine(cases: list[Item], reader: Reader) -> tuple[dict[str, Any], Misses]:
    whole, tags, misses = Tally(), defaultdict[str, Tally](Tally), Misses()
    for case in cases:
        found = judge(case, reader.read(case), misses)
        whole.update(found)
        for tag in case["tests"]:
            tags[tag].update(found)
    in_order = sorted(tags, key=lambda tag: (-tags[tag]["messages"], tag))
    told = {
        "all": figures(whole),
        "tags": {tag: figures(tags[tag]) for tag in in_order},
        "speed": record.quantiles(reader.seconds),
    }
    return told, misses


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    shown = []
    for what, path, goal, most in GOALS:
        value: Any = told["all"]
        for name in path:
            value = value[name]
        shown.append(labels.judged(what, value, goal, most))
    speed = told["speed"]
    return [*shown, ("a message", f"p50 {speed['p50_ms']:.1f} ms, p95 {speed['p95_ms']:.1f} ms", "", "")]


def tag_table(told: dict[str, Any], least: int = 1) -> list[str]:
    """Tags that at least so many messages have."""
    tags = [(tag, row) for tag, row in told["tags"].items() if row["messages"] >= least]
    return labels.by_tag(HEADS, [_row(tag, row) for tag, row in [*tags, ("**all**", told["all"])]])


def _row(tag: str, row: dict[str, Any]) -> list[str]:
    names, facts, loose = row["names"], row["facts"], row["facts, any relation"]
    shares = [row["covered"], row["kinds"], row["made"], row["quiet"], row["lost"]]
    shares += [each[name] for each in (names, facts) for name in ("precision", "recall", "f1")]
    shares += [loose["f1"], row["dates"], row["expiries"]]
    return [tag, str(row["messages"]), str(row["memories"]), *map(labels.shown, shares)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="+", default=(), help="these messages, by id")
    options.add_argument("--extractor", help="another than the default")
    options.add_argument("--misses", type=int, default=0, help="show so many of what was missed")
    given = options.parse_args()
    told, misses = examine(labels.load(DATA_FILE, given.only), Reader(given.extractor))
    print("\n".join(tag_table(told)) + "\n\n" + record.table(rows(told)))
    for miss in misses[: given.misses]:
        print(json.dumps(miss, ensure_ascii=False))
    if given.only or given.extractor:
        print("\nnot written down: not all of it, or not by the default extractor")
    else:
        print(f"\nwritten to {record.write('extraction', told)}")


if __name__ == "__main__":
    main()
