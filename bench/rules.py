"""What is each rule of reading worth on sentences that its author never saw? All texts of training/data, read by rules.

Streams and messages were written by people who knew the relations and not the rules, with the facts that they tell. For
each rule: how many claims it makes, how many of them are of a pair that the authors wrote (whatever the relation), how
many with that relation, and how many things it ends. Rules decide in their order, and one that comes after another
says only what is left; without the first it may say more.

    python -m bench.rules [--texts 2000]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from unittest.mock import patch

from training import data, streams

from bench.labels import FactKey, Tally, ends_of, fact_key, shown
from treering.ingest.extract.contract import OWNER, Heard, Stance
from treering.ingest.extract.rules import RulesExtractor, extractor
from treering.ingest.extract.rules.engine import Found, claims_in
from treering.ingest.extract.rules.moods import Spoken
from treering.ingest.extract.rules.pattern import Rulebook
from treering.ingest.extract.rules.tables import TABLE

AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
HEADS = ("rule", "claims", "pairs", "facts", "ends", "pairs of claims")
SEED = 1


@dataclass(frozen=True)
class Told:
    """One text, and the facts that its author wrote down for it: those that it tells and those that it ends."""

    text: str
    speaker: str
    facts: tuple[tuple[str, str, str], ...]

    @property
    def owner(self) -> str | None:
        return self.speaker if self.speaker.casefold() == OWNER.casefold() else None


def told(folder: Path = data.HERE / "data") -> Iterator[Told]:
    named = data.canonical()
    for stream in streams.authored((folder / "streams").glob("*.jsonl")):
        for place, turn in enumerate(stream["turns"]):
            some = [one for one in stream["facts"] if place in (one["turn"], one.get("over"))]
            facts = tuple((one["subject"], named.get(one["relation"], one["relation"]), one["value"]) for one in some)
            yield Told(turn["text"], turn.get("speaker") or OWNER, facts)
    for one in data.messages((folder / "messages").glob("*.jsonl")):
        stated = [each for each in one["statements"] if each["relation"] and each["value"]]
        facts = tuple((str(s["subject"]), named.get(s["relation"], s["relation"]), str(s["value"])) for s in stated)
        yield Told(one["text"], one["speaker"], facts)


def fired(texts: list[Told]) -> dict[str, Tally]:
    """By the name of the rule."""
    found = {rule.name: Tally() for rule in TABLE}
    heard: list[Found] = []

    def listening(spoken: Spoken, rules: Rulebook) -> list[Found]:
        some = claims_in(spoken, rules)
        heard.extend(some)
        return some

    rules = RulesExtractor()
    with patch.object(extractor, "claims_in", listening):
        for one in texts:
            heard.clear()
            rules.extract([Heard(text=one.text, at=AT, speaker=one.speaker)])
            count(one, heard, found)
    return found


def count(one: Told, heard: list[Found], found: dict[str, Tally]) -> None:
    facts = {fact_key(*fact, one.owner) for fact in one.facts}
    pairs: set[FactKey] = {ends_of(fact) for fact in facts}
    for each in heard:
        tally = found[each.rule.name]
        for claim in each.claims:
            if claim.stance is not Stance.HOLDS:
                tally["ends"] += 1
                continue
            key = fact_key(claim.subject, claim.relation, claim.object, one.owner)
            tally.update(claims=1, pairs=ends_of(key) in pairs, facts=key in facts)


def rows(found: dict[str, Tally]) -> list[tuple[str, ...]]:
    """Most claims first, and all rules together at the end."""
    whole = Tally()
    for tally in found.values():
        whole.update(tally)
    ordered = sorted(found.items(), key=lambda named: (-named[1]["claims"], -named[1]["ends"], named[0]))
    return [_row(*named) for named in (*ordered, (f"all {len(found)}", whole))]


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    numbers = (str(tally[what]) for what in ("claims", "pairs", "facts", "ends"))
    return (name, *numbers, shown(tally.share("pairs", "claims")))


def table(found: dict[str, Tally]) -> str:
    lines = [HEADS, *rows(found)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEADS))]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(line[at].rjust(widths[at]) for at in range(1, len(HEADS)))])
        for line in lines
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--texts", type=int, help="so many of them, the same ones each time")
    texts = list(told())
    Random(SEED).shuffle(texts)
    texts = texts[: options.parse_args().texts]
    print(table(fired(texts)))
    print(f"\nof {len(texts)} texts; {sum(bool(one.facts) for one in texts)} of them tell facts")


if __name__ == "__main__":
    main()
