"""How well does a question find the turns that answer it? The protocol of the project, with default settings.

One fresh store a conversation; every turn told in order with its speaker, session, time and key; every question asked
at the end of its conversation with `recall(limit=100)`, through the public door. All of it is done twice: with turns
kept as they stand (`add`), and with turns read for what they say (`remember`). A hit counts for the turns it cites, in
order, each turn one place, so a hit that cites three turns takes three. Sessions are ranked by their first turn.
Intervals are 95 % by bootstrap over questions.

Adversarial questions of LoCoMo ask for what was never said: they count apart. Off topic are questions of the other data
sets: the best answer to them is none.

`--ablate` leaves out one signal, or one weight, at a time; there is no public way to ask for that, so there the bench
reaches into `Finder`. It is done with `remember`. `--entities` adds once more with names given as entities, found by a
plain rule, to show what the graph is worth when there is one.

    TREERING_BENCH_DATA=folder python -m bench.finding [--ablate] [--entities] [--sample 50] [--ways add]
"""

from __future__ import annotations

import argparse
import os
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from time import perf_counter
from typing import Any

import treering
from bench import conversations, record, scores
from bench.conversations import ADD, BEAM, FRIENDSQA, LOCOMO, REMEMBER, WAYS, Asked, Case, Turn, Way
from treering.mind import DEFAULT_EMBEDDER, open_embedder
from treering.mind.contract import Embedder
from treering.recall.answer import Answer
from treering.recall.fuse import SIGNALS, WEIGHTS, Weights
from treering.recall.wish import Wish

DEPTH = 100
OFF_TOPIC_A_CASE = 20
SHOWN = ("hit@5", "hit@10", "all@10", "recall@10")
"""What an ablation is measured by: ten hits are asked for, which is enough for these."""
TURNS, SESSIONS, ALL, CORE = "turns", "sessions", "all", "core"
GOALS: tuple[tuple[str, tuple[str, str, str, str], float], ...] = (
    ("LoCoMo turns, hit@5", (LOCOMO, TURNS, ALL, "hit@5"), 0.86),
    ("LoCoMo turns, hit@10", (LOCOMO, TURNS, ALL, "hit@10"), 0.91),
    ("LoCoMo turns, recall@10", (LOCOMO, TURNS, ALL, "recall@10"), 0.86),
    ("LoCoMo multi-hop turns, all@10", (LOCOMO, TURNS, "multi-hop", "all@10"), 0.40),
    ("LoCoMo sessions, all@10", (LOCOMO, SESSIONS, ALL, "all@10"), 0.95),
    ("BEAM turns, hit@10", (BEAM, TURNS, ALL, "hit@10"), 0.85),
    ("BEAM turns, all@10", (BEAM, TURNS, ALL, "all@10"), 0.58),
    ("BEAM core turns, recall@10", (BEAM, TURNS, CORE, "recall@10"), 0.86),
    ("FriendsQA turns, hit@10", (FRIENDSQA, TURNS, ALL, "hit@10"), 0.70),
)


@dataclass(slots=True)
class Gathered:
    """What the questions of one data set brought, kept by level and category."""

    scores: dict[str, dict[str, list[scores.Score]]] = field(
        default_factory=lambda: {TURNS: defaultdict(list), SESSIONS: defaultdict(list)}
    )
    seconds: list[float] = field(default_factory=list)
    empty: int = 0

    def take(self, case: Case, asked: Asked, answer: Answer) -> None:
        self.empty += not answer.hits
        keys = ranking(answer)
        sessions = [case.session_of[key] for key in keys if key in case.session_of]
        found = {TURNS: scores.score(keys, asked.evidence), SESSIONS: scores.score(sessions, asked.sessions)}
        for level, score in found.items():
            for category in (asked.category, ALL, *([CORE] if asked.core else [])):
                self.scores[level][category].append(score)

    def figures(self) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for level, by_category in self.scores.items():
            told[level] = {
                category: {
                    "n": len(found),
                    **scores.mean(found),
                    "intervals": {name: scores.interval([one[name] for one in found]) for name in scores.MEASURES},
                }
                for category, found in sorted(by_category.items())
            }
        return {**told, "speed": record.quantiles(self.seconds) if self.seconds else {}, "nothing": self.empty}


def ranking(answer: Answer) -> list[str]:
    """The keys of the turns that the hits cite, in order, each once."""
    return list(dict.fromkeys(source.key for hit in answer for source in hit.sources if source.key is not None))


def sampled(questions: Iterable[Asked], most: int | None, seed: str) -> list[Asked]:
    every = list(questions)
    return every if most is None or len(every) <= most else random.Random(seed).sample(every, most)


# the protocol


@dataclass(frozen=True, slots=True)
class Ablation:
    """What is left out: a signal, or a weight."""

    name: str
    skip: frozenset[str] = frozenset()
    weights: Weights = WEIGHTS


NOTHING = Ablation("nothing")
"""Measured like the others, so that they can be compared with it."""


NOT_SET_UP = frozenset({"rerank"})


def ablations() -> list[Ablation]:
    signals = [Ablation(f"without {name}", frozenset({name})) for name in SIGNALS]
    names = [one.name for one in fields(Weights) if getattr(WEIGHTS, one.name) and one.name not in NOT_SET_UP]
    return [NOTHING, *signals, *(Ablation(f"{name} = 0", weights=replace(WEIGHTS, **{name: 0.0})) for name in names)]


@dataclass(slots=True)
class Findings:
    answered: dict[str, Gathered] = field(default_factory=lambda: defaultdict(Gathered))
    adversarial: Gathered = field(default_factory=Gathered)
    off_topic: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    ablated: dict[str, dict[str, Gathered]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Gathered)))
    memories: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def examine(
    cases: dict[str, list[Case]],
    embedder: Embedder,
    way: Way,
    without: Sequence[Ablation] = (),
    sample: int | None = None,
    names: Callable[[Turn], list[str]] | None = None,
) -> Findings:
    """Asks every case its own questions, and some of others; `without` asks them again with something left out."""
    found = Findings()
    strange = {name: [one for other in cases if other != name for one in _answerable(cases[other])] for name in cases}
    for name, of_set in cases.items():
        for case in of_set:
            with conversations.remembered(case, embedder, way, names) as mem:
                found.memories[name] += sum(mem.status().memories.values())
                mem.recall("Is anybody there?")  # the index is made by the first question
                own = sampled((one for one in case.questions if one.answerable), sample, case.id)
                for asked in own:
                    _ask(mem, case, asked, found.answered[name])
                for asked in sampled((one for one in case.questions if not one.answerable), sample, case.id):
                    _ask(mem, case, asked, found.adversarial)
                for asked in sampled(strange[name], OFF_TOPIC_A_CASE, case.id):
                    found.off_topic[name].append(len(mem.recall(asked.text)))
                for one in without:
                    for asked in own:
                        found.ablated[one.name][name].take(case, asked, _ask_without(mem, asked, one))
    return found


def _answerable(cases: list[Case]) -> list[Asked]:
    return [asked for case in cases for asked in case.questions if asked.answerable]


def _ask(mem: treering.Treering, case: Case, asked: Asked, into: Gathered) -> None:
    start = perf_counter()
    answer = mem.recall(asked.text, limit=DEPTH)
    into.seconds.append(perf_counter() - start)
    into.take(case, asked, answer)


def _ask_without(mem: treering.Treering, asked: Asked, one: Ablation) -> Answer:
    wish = Wish(query=asked.text, limit=10, skip=one.skip, weights=one.weights)
    return mem._finder.recall(mem._scope(None), wish)


# names, by a plain rule

_NAME = re.compile(r"(?<![.!?:\"“\n\]]\s)(?<!^)\b[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*")
_NO_NAMES = frozenset({"I", "Oh", "Ok", "Okay", "Yes", "No", "Yeah", "Wow", "Hey", "Hi", "Mr", "Mrs", "Ms", "Dr"})


def names_in(turn: Turn) -> list[str]:
    """Who speaks, and words with a capital inside a sentence. No more than that: it stands in for a reader of names."""
    found = [one for one in _NAME.findall(turn.text) if one not in _NO_NAMES]
    return list(dict.fromkeys([turn.speaker, *found]))[:50]


# telling


def figures(found: Findings) -> dict[str, Any]:
    told: dict[str, Any] = {
        name: {"memories": found.memories[name], **gathered.figures()} for name, gathered in found.answered.items()
    }
    off_topic = {
        name: {
            "asked": len(counts),
            "nothing": round(counts.count(0) / len(counts), 4),
            "mean_hits": round(sum(counts) / len(counts), 2),
        }
        for name, counts in found.off_topic.items()
        if counts
    }
    wrongly = {name: told[name]["nothing"] for name in told}
    answer: dict[str, Any] = {"data": told, "off_topic": off_topic, "answerable_but_nothing": wrongly}
    if found.adversarial.seconds:
        of_turns = found.adversarial.figures()[TURNS][ALL]
        share = round(found.adversarial.empty / len(found.adversarial.seconds), 4)
        answer["adversarial"] = {"n": of_turns["n"], "hit@10": of_turns["hit@10"], "nothing": share}
    if found.ablated:
        answer["ablation"] = {
            name: {data: short(gathered) for data, gathered in by_set.items()} for name, by_set in found.ablated.items()
        }
    return answer


def short(gathered: Gathered) -> dict[str, float]:
    found = scores.mean(gathered.scores[TURNS][ALL])
    return {name: found[name] for name in SHOWN}


def rows(told: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Of both ways, what was aimed at first."""
    ways: dict[str, dict[str, Any]] = told["ways"]
    shown = []
    for what, (data, level, category, measure), goal in GOALS:
        for way, found in ways.items():
            row = found["data"].get(data, {}).get(level, {}).get(category)
            if row is not None:
                low, high = row["intervals"][measure]
                measured = f"{row[measure]:.3f} ({low:.3f} to {high:.3f}), n {row['n']}"
                met = "met" if row[measure] >= goal else "NOT MET"
                shown.append((f"{what}, {way}", measured, f"≥ {goal:.2f}", met))
    return shown + [(f"{what}, {way}", measured, "", "") for way in ways for what, measured in _besides(ways[way])]


def _besides(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What has no goal."""
    for data, row in found["data"].items():
        speed = row["speed"]
        yield f"{data}: a question, {DEPTH} hits", f"p50 {speed['p50_ms']:.1f} ms, p95 {speed['p95_ms']:.1f} ms"
        yield f"{data}: memories", f"{row['memories']:,}"
    if "adversarial" in found:
        row = found["adversarial"]
        yield "LoCoMo adversarial, hit@10", f"{row['hit@10']:.3f}, n {row['n']}"
        yield "LoCoMo adversarial, nothing returned", f"{row['nothing']:.3f}"
    for data, row in found["off_topic"].items():
        measured = f"{row['nothing']:.3f} of {row['asked']}, {row['mean_hits']:.1f} hits on average"
        yield f"{data}: off topic, nothing returned", measured
    for data, count in found["answerable_but_nothing"].items():
        yield f"{data}: answerable, nothing returned", f"{count} of {found['data'][data][TURNS][ALL]['n']}"


def by_category(told: dict[str, Any], data: str, level: str) -> list[str]:
    """The lines of a table in Markdown."""
    lines = [f"| {data}, {level} | n | {' | '.join(scores.MEASURES)} |", "|---|--:|" + "--:|" * len(scores.MEASURES)]
    for category, row in told["data"][data][level].items():
        lines.append(
            f"| {category} | {row['n']} | " + " | ".join(f"{row[name]:.3f}" for name in scores.MEASURES) + " |"
        )
    return lines


def changes(told: dict[str, Any], measure: str = "hit@10") -> list[tuple[str, dict[str, float], float]]:
    """For each ablation: by how much each set changes, and the mean of that, the worst loss first."""
    ablated = told.get("ablation", {})
    found = []
    for name, by_set in ablated.items():
        if name != NOTHING.name:
            each = {data: row[measure] - ablated[NOTHING.name][data][measure] for data, row in by_set.items()}
            found.append((name, each, sum(each.values()) / len(each)))
    return sorted(found, key=lambda one: one[2])


def ablation_table(told: dict[str, Any]) -> list[str]:
    """Changes of hit@10 by set, then the means over the sets."""
    sets, others = list(told["data"]), ("all@10", "recall@10")
    means = {measure: {name: middle for name, _, middle in changes(told, measure)} for measure in others}
    heads = [*(f"{data} hit@10" for data in sets), *(f"mean {measure}" for measure in ("hit@10", *others))]
    lines = [f"| left out | {' | '.join(heads)} |", "|---|" + "--:|" * len(heads)]
    for name, each, middle in changes(told):
        shown = [*(each[data] for data in sets), middle, *(means[measure][name] for measure in others)]
        lines.append(f"| {name} | " + " | ".join(f"{one:+.3f}" for one in shown) + " |")
    return lines


def entities_table(told: dict[str, Any]) -> list[str]:
    """Without entities, with them, and with them but without the graph."""
    sets = told["ways"][ADD]["data"]
    lines = ["| | " + " | ".join(f"{data} {name}" for data in sets for name in SHOWN) + " |"]
    lines.append("|---|" + "--:|" * (len(sets) * len(SHOWN)))
    columns = {
        "no entities": {data: row[TURNS][ALL] for data, row in sets.items()},
        "names as entities": told["entities"]["with"],
        "names as entities, without graph": told["entities"]["without_graph"],
    }
    for what, by_set in columns.items():
        lines.append(f"| {what} | " + " | ".join(f"{by_set[data][name]:.3f}" for data in sets for name in SHOWN) + " |")
    return lines


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--ablate", action="store_true", help="leave out each signal and each weight in turn")
    options.add_argument("--entities", action="store_true", help="once more, with names given as entities")
    options.add_argument("--sample", type=int, help="at most so many questions of each conversation, for a quick look")
    options.add_argument("--sets", nargs="+", choices=tuple(conversations.FILES), default=tuple(conversations.FILES))
    options.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="how turns are told")
    given = options.parse_args()
    if given.entities and ADD not in given.ways:
        options.error("--entities compares with add: it needs --ways add")
    cases = {name: conversations.load(name) for name in given.sets}
    embedder = open_embedder(DEFAULT_EMBEDDER, cached_texts=200_000)
    told: dict[str, Any] = {"ways": {}}
    for way in given.ways:
        without = ablations() if given.ablate and way == REMEMBER else ()
        told["ways"][way] = figures(examine(cases, embedder, way, without, given.sample))
    if given.entities:
        graph = Ablation("without graph", frozenset({"graph"}))
        found = examine(cases, embedder, ADD, [graph], given.sample, names_in)
        told["entities"] = {
            "with": {name: short(gathered) for name, gathered in found.answered.items()},
            "without_graph": {name: short(gathered) for name, gathered in found.ablated[graph.name].items()},
        }
    told["load_average"] = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    print("\n".join(report(told)))
    if given.sample is None and len(cases) == len(conversations.FILES) and len(given.ways) == len(WAYS):
        print(f"written to {record.write('finding', told)}")
    else:
        print("not written down: only a part was asked")


def report(told: dict[str, Any]) -> Iterator[str]:
    for way, found in told["ways"].items():
        for data in found["data"]:
            for level in (TURNS, SESSIONS):
                yield from ("", f"by {way}", *by_category(found, data, level))
        if "ablation" in found:
            yield from ("", f"change of hit@10, by {way}", *ablation_table(found))
    if "entities" in told:
        yield from ("", *entities_table(told))
    yield from ("", record.table(rows(told)), "", f"load of the machine {told['load_average']}")


if __name__ == "__main__":
    main()
