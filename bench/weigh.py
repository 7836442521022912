"""Which weights should the signals have? Learns `treering.recall.fuse.Weights` on the development conversations.

For every question the features of the best candidates and of all evidence are taken from recall itself, and weights
are fitted so that each piece of evidence stands out among what is not evidence (a softmax over the list). The three
data sets count alike, however many questions they have. What is reported is cross-validated: each conversation (of
FriendsQA: each scene) is ranked with weights that were learned without it. Features of which the data say nothing keep
their present weights. Candidates are ranked as `recall` orders them, but repeats are not put together, so figures
differ a little from those of `bench.finding`.

    TREERING_BENCH_DATA=folder python -m bench.weigh --cache features.npz
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import treering
from bench import conversations, scores
from bench.conversations import BEAM, FILES, FRIENDSQA, Asked, Case
from treering.mind import DEFAULT_EMBEDDER, open_embedder
from treering.mind.contract import Embedder
from treering.recall.find import Stopwatch
from treering.recall.fuse import WEIGHTS, Weights
from treering.recall.select import LIST_SPREAD
from treering.recall.wish import Wish

Array = npt.NDArray[Any]

CANDIDATES = 200
FOLDS = 5
PENALTY = 0.002
STEPS, CLOSE_ENOUGH = 50, 1e-7
FEATURES = tuple(field.name for field in fields(Weights))
HELD = frozenset({"graph", "asked", "importance", "confidence", "phrase", "recency", "presently", "rerank"})
"""The data hold no entities, importance or quoted words, and ask for the present too seldom to learn from; and nobody
reranks."""
FREE = tuple(name for name in FEATURES if name not in HELD)
DATA_SETS = tuple(FILES)


@dataclass(frozen=True, slots=True)
class Sample:
    """One question: what each feature says of each candidate, and which candidates are evidence."""

    data: str
    fold: int
    category: str
    core: bool
    is_list: bool
    wanted: int
    features: Array
    evidence: Array
    sessions: Array


# gathering


def gather(names: tuple[str, ...]) -> list[Sample]:
    embedder = open_embedder(DEFAULT_EMBEDDER, cached_texts=200_000)
    found: list[Sample] = []
    for name in names:
        cases = conversations.load(name)
        for place, case in enumerate(cases):
            found += _of_case(name, place, case, embedder)
        print(f"{name}: {len(cases)} conversations, {sum(one.data == name for one in found)} questions", flush=True)
    return found


def _of_case(name: str, place: int, case: Case, embedder: Embedder) -> Iterator[Sample]:
    scenes = {session: number for number, session in enumerate(dict.fromkeys(turn.session for turn in case.turns))}
    with conversations.remembered(case, embedder, conversations.ADD) as mem:
        keys = _keys(mem)
        resting: dict[str, list[str]] = {}
        for memory, key in keys.items():
            resting.setdefault(key, []).append(memory)
        for asked in case.questions:
            if asked.answerable:
                fold = (scenes[asked.sessions[0]] if name == FRIENDSQA else place) % FOLDS
                yield _sample(mem, asked, name, fold, keys, resting)


def _keys(mem: treering.Treering) -> dict[str, str]:
    """For each memory the key of the turn that it rests on."""
    memories, cursor = [], None
    while True:
        page = mem.list(view="all", limit=1_000, cursor=cursor)
        memories += list(page)
        cursor = page.next
        if cursor is None:
            break
    with mem._reading(None) as reader:
        sources = reader.sources({memory.source_id for memory in memories})
    return {memory.id: sources[memory.source_id].key or "" for memory in memories}


def _sample(
    mem: treering.Treering, asked: Asked, name: str, fold: int, keys: dict[str, str], resting: dict[str, list[str]]
) -> Sample:
    evidence = {memory for key in asked.evidence for memory in resting.get(key, [])}
    wish = Wish(query=asked.text, limit=100)
    with mem._finder.weighing(mem._scope(None), wish, Stopwatch(), tuple(sorted(evidence))) as weighing:
        weighed = weighing.spaces[0]
        fused, index = weighed.fused, weighed.search.index
        is_evidence = np.array([index.ids[int(one)] in evidence for one in fused.pool], bool)
        best = np.lexsort((fused.pool, -fused.score))
        taken = best[(np.arange(len(best)) < CANDIDATES) | is_evidence[best]]
        said = [fused.features.get(feature, np.zeros(len(fused.pool)))[taken] for feature in FEATURES]
        return Sample(
            data=name,
            fold=fold,
            category=asked.category,
            core=asked.core,
            is_list=weighing.question.is_list,
            wanted=len(asked.evidence),
            features=np.stack(said, axis=1).astype(np.float32),
            evidence=is_evidence[taken],
            sessions=weighed.search.column("session")[fused.pool[taken]],
        )


# keeping


def keep(path: Path, samples: list[Sample]) -> None:
    about = [(one.data, one.fold, one.category, one.core, one.is_list, one.wanted) for one in samples]
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            names=np.array(FEATURES),
            about=np.array(about, dtype=str),
            ends=np.cumsum([len(one.evidence) for one in samples]),
            features=np.concatenate([one.features for one in samples]),
            evidence=np.concatenate([one.evidence for one in samples]),
            sessions=np.concatenate([one.sessions for one in samples]),
        )


def kept(path: Path) -> list[Sample]:
    with np.load(path) as file:
        held = {name: file[name] for name in file.files}
    if tuple(held["names"]) != FEATURES:
        raise SystemExit(f"{path} holds other features than recall has now: remove it, and they are gathered anew.")
    found = []
    for (data, fold, category, core, is_list, wanted), start, end in zip(
        held["about"], [0, *held["ends"][:-1]], held["ends"], strict=True
    ):
        found.append(
            Sample(
                data=str(data),
                fold=int(fold),
                category=str(category),
                core=core == "True",
                is_list=is_list == "True",
                wanted=int(wanted),
                features=held["features"][start:end],
                evidence=held["evidence"][start:end],
                sessions=held["sessions"][start:end],
            )
        )
    return found


# learning


def fit(samples: list[Sample], start: Weights) -> Weights:
    """Newton's method, with the step halved until it helps. The loss is convex."""
    present = np.array([getattr(start, name) for name in FEATURES])
    free = np.array([name in FREE for name in FEATURES])
    share = {name: sum(one.data == name for one in samples) for name in {one.data for one in samples}}
    spread = _spread(samples, share)
    free &= spread > 0
    told = [one for one in samples if one.evidence.any() and not one.evidence.all()]
    lists = [
        (
            one.features[one.evidence][:, free] / spread[free],
            one.features[~one.evidence][:, free] / spread[free],
            one.features[one.evidence][:, ~free] @ present[~free],
            one.features[~one.evidence][:, ~free] @ present[~free],
            1 / share[one.data] / len(share),
        )
        for one in told
    ]
    scaled = present[free] * spread[free]
    loss, slope, curve = _loss(lists, scaled)
    for _ in range(STEPS):
        step = np.linalg.solve(curve, slope)
        size = 1.0
        while (new := _loss(lists, scaled - size * step))[0] > loss and size > CLOSE_ENOUGH:
            size /= 2
        gained = loss - new[0]
        if gained <= CLOSE_ENOUGH:
            break
        scaled, (loss, slope, curve) = scaled - size * step, new
    learned = present.copy()
    learned[free] = scaled / spread[free]
    return Weights(**dict(zip(FEATURES, map(float, learned), strict=True)))


def _spread(samples: list[Sample], share: dict[str, int]) -> Array:
    """The standard deviation of each feature, each data set counting alike."""
    first, second = np.zeros(len(FEATURES)), np.zeros(len(FEATURES))
    for one in samples:
        part = 1 / share[one.data] / len(share)
        first += part * one.features.mean(axis=0, dtype=float)
        second += part * (one.features.astype(float) ** 2).mean(axis=0)
    spread: Array = np.sqrt(np.maximum(second - first**2, 0))
    return np.where(spread < 1e-6, 0, spread)


def _loss(lists: list[tuple[Array, Array, Array, Array, float]], weights: Array) -> tuple[float, Array, Array]:
    """How unlikely the evidence is to be drawn from its list, with slope and curvature in the weights."""
    size = len(weights)
    loss, slope = PENALTY * float(weights @ weights), 2 * PENALTY * weights
    curve = 2 * PENALTY * np.eye(size)
    for true, false, true_held, false_held, part in lists:
        score = false @ weights + false_held
        most = float(score.max())
        drawn = np.exp(score - most)
        whole = float(drawn.sum())
        drawn /= whole
        usual = drawn @ false
        beside = (false * drawn[:, None]).T @ false
        against = most + math.log(whole)
        apart = true @ weights + true_held - against
        unlikely = np.logaddexp(0, -apart)
        chance = np.exp(-unlikely)  # of each piece of evidence against all that is none
        each = part / len(true)
        loss += each * float(unlikely.sum())
        expected = chance[:, None] * true + (1 - chance)[:, None] * usual
        slope += each * (expected - true).sum(axis=0)
        curve += each * ((true * chance[:, None]).T @ true + float((1 - chance).sum()) * beside - expected.T @ expected)
    return loss, slope, curve


# ranking


def ranked(sample: Sample, weights: Weights) -> scores.Score:
    score = sample.features.astype(float) @ np.array([getattr(weights, name) for name in FEATURES])
    order = _spread_out(score, sample.sessions) if sample.is_list else np.argsort(-score, kind="stable")
    places = np.flatnonzero(sample.evidence[order]).tolist()
    return scores.of_places(places, max(sample.wanted, len(places)))


def _spread_out(score: Array, sessions: Array, depth: int = 60) -> Array:
    """The first few in the order in which recall would choose them, then the others as they are."""
    left, given, cost, chosen = score.copy(), dict[int, int](), np.zeros(len(score)), []
    for _ in range(min(depth, len(score))):
        place = int(np.argmax(left - cost))
        chosen.append(place)
        left[place] = -np.inf
        session = int(sessions[place])
        given[session] = given.get(session, 0) + 1
        cost[sessions == session] = LIST_SPREAD * math.log(1 + given[session])
    others = np.argsort(-left, kind="stable")[: len(score) - len(chosen)]
    return np.concatenate([np.array(chosen, int), others])


def cross_validated(samples: list[Sample]) -> tuple[list[scores.Score], list[Weights]]:
    """Each question ranked by weights that never saw its conversation; and those weights, by fold."""
    learned = [fit([one for one in samples if one.fold != fold], WEIGHTS) for fold in range(FOLDS)]
    return [ranked(one, learned[one.fold]) for one in samples], learned


# telling


def figures(samples: list[Sample], found: list[scores.Score]) -> dict[str, scores.Score]:
    def of(belongs: Any) -> scores.Score:
        return scores.mean([score for one, score in zip(samples, found, strict=True) if belongs(one)])

    there = [name for name in DATA_SETS if any(one.data == name for one in samples)]
    told = {name: of(lambda one, name=name: one.data == name) for name in there}
    if conversations.LOCOMO in told:
        told["locomo multi-hop"] = of(lambda one: one.category == "multi-hop")
    if BEAM in told:
        told["beam core"] = of(lambda one: one.core)
    told["mean of the sets"] = {
        measure: round(float(np.mean([told[name][measure] for name in there])), 4) for measure in scores.MEASURES
    }
    return told


def tell(title: str, told: dict[str, scores.Score]) -> None:
    print(f"\n{title}\n{'':18}" + "".join(f"{name:>11}" for name in scores.MEASURES))
    for name, row in told.items():
        print(f"{name:18}" + "".join(f"{row[measure]:11.4f}" for measure in scores.MEASURES))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cache", type=Path, help="a file to keep the features in, and to take them from if there")
    options.add_argument("--sets", nargs="+", choices=DATA_SETS, default=DATA_SETS)
    given = options.parse_args()
    cache: Path | None = given.cache
    if cache is not None and cache.exists():
        samples = kept(cache)
    else:
        samples = gather(tuple(given.sets))
        if cache is not None:
            keep(cache, samples)
    samples = [one for one in samples if one.data in given.sets]
    tell("present weights", figures(samples, [ranked(one, WEIGHTS) for one in samples]))
    found, by_fold = cross_validated(samples)
    tell("learned, cross-validated", figures(samples, found))
    learned = fit(samples, WEIGHTS)
    tell("learned on all, ranked on the same", figures(samples, [ranked(one, learned) for one in samples]))
    print("\nlearned on all (beside: present, least and most of the folds)")
    for name in FEATURES:
        if name in HELD:
            print(f"    {name}: float = {getattr(WEIGHTS, name):g}  # held")
            continue
        parts = [getattr(one, name) for one in by_fold]
        print(
            f"    {name}: float = {getattr(learned, name):.3g}"
            f"  # {getattr(WEIGHTS, name):g}; {min(parts):.3g} to {max(parts):.3g}"
        )


if __name__ == "__main__":
    main()
