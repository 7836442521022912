"""Which claims are right? Fits `treering.ingest.extract.learned_facts.WEIGHTS`: `python -m training.claims`.

`data/claims` holds turns of the stores, the facts that the reader claimed of them, down to those it hardly believed,
and what six judges who saw `briefs/claims.md` and the turns only said of each: right, wrong, or empty (true and of no
use). Features come from the reader as it is. What is printed is cross-validated, a tenth of the stores at a time.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np

from training.data import HERE
from treering.ingest.extract.contract import Heard, Turn
from treering.ingest.extract.learned_facts import TurnFacts, WithLearnedFacts, before_of
from treering.ingest.extract.rules import RulesExtractor
from treering.mind.judges import open_reader

FOLDS, PENALTY, OFTEN = 10, 1.0, 14
"""A relation claimed so often has a weight of its own."""
AT = datetime(2026, 1, 5, 9, tzinfo=UTC)


def judged() -> Iterator[tuple[str, dict[str, float], bool]]:
    """The store, what speaks for a claim, and whether it is right."""
    reader = open_reader()
    extractor = WithLearnedFacts(RulesExtractor(), lambda: reader)
    for line in (HERE / "data" / "claims" / "stores.jsonl").read_text().splitlines():
        told: dict[str, Any] = json.loads(line)
        said = (one.split(": ", 1) for one in told["before"])
        before = tuple(Turn(speaker, text, AT) for speaker, text in said)
        heard = Heard(text=told["text"], at=AT, speaker="User", before=before)
        message = extractor.read(heard)
        if message is None:
            continue
        earlier = " ".join(before_of(heard))
        found = reader.facts(heard.text, heard.first_person, earlier)
        spoken = {
            (claim.subject, claim.relation, claim.object): loud
            for claim, loud in TurnFacts(heard, earlier, found, message).weighed()
        }
        for one in told["claims"]:
            loud = spoken.get((one["subject"], one["relation"], one["value"]))
            if loud is not None and one["by"] == "learned":
                yield told["store"], loud, one["verdict"] == "right"


def fit(given: Any, right: Any) -> Any:
    """Logistic regression by Newton's method."""
    weights = np.zeros(given.shape[1])
    for _ in range(40):
        likely = 1 / (1 + np.exp(-given @ weights))
        curve = given.T @ (given * (likely * (1 - likely))[:, None]) + PENALTY * np.eye(len(weights))
        weights += np.linalg.solve(curve, given.T @ (right - likely) - PENALTY * weights)
    return weights


def ranked(score: Any, right: Any) -> float:
    """How often a right one stands before a wrong one."""
    place = np.argsort(np.argsort(score, kind="stable"), kind="stable")
    count = right.sum()
    return float((place[right].sum() - count * (count - 1) / 2) / (count * (len(right) - count)))


def main() -> None:
    told = list(judged())
    often = Counter(name for _, loud, _ in told for name in loud)
    names = [name for name in often if not name.startswith("as ") or often[name] >= OFTEN]
    given = np.array([[loud.get(name, 0.0) for name in names] for _, loud, _ in told])
    right = np.array([one for _, _, one in told])
    fold = np.array([zlib.crc32(store.encode()) % FOLDS for store, _, _ in told])
    score = np.zeros(len(told))
    for one in range(FOLDS):
        mine = fold == one
        score[mine] = 1 / (1 + np.exp(-given[mine] @ fit(given[~mine], right[~mine])))
    print(f"{len(told)} claims, {right.mean():.3f} right; right before wrong {ranked(score, right):.3f}")
    for bar in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        kept = score >= bar
        shares = f"{right[kept].mean():.3f} right, of all that are {kept[right].mean():.3f}"
        print(f"from {bar}: {kept.sum()} claims, {shares}")
    print({name: round(float(weight), 2) for name, weight in zip(names, fit(given, right), strict=True)})


if __name__ == "__main__":
    main()
