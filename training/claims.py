"""Which claims are right? `python -m training.claims` writes `claims.toml` (of `ingest/extract`) and `belief.npz`.

`data/claims` holds turns of the stores, facts that readers have claimed of them, down to those they hardly believed,
and what judges who saw `briefs/claims.md` and the turns only said of each: right, wrong, or empty (true and of no use).
The heads that say how far the states of the reader bear a claim out (`training.belief`) learn from all of them, whoever
made the claim; what speaks for a claim beside that, how sure the reader is of it and what both its readings see, is
fitted on those that it makes itself. How likely people are to list a claim is fitted in the same way on what authors
of blind sets have listed (`training.listed`). What is printed is cross-validated, a tenth of the stores at a time.
Needs torch.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from training.belief import trained
from training.data import HERE
from training.listed import Listed, listed
from treering.ingest.extract import learned_facts
from treering.ingest.extract.contract import Heard, Turn
from treering.ingest.extract.learned_facts import TurnFacts
from treering.ingest.extract.reader import SeenTurn, kept_whole
from treering.mind import turnreader
from treering.mind.reading import AssertedFact
from treering.mind.turnreader import TurnReader
from treering.mind.turnreader.belief import belief, parts_of

FOLDS, PENALTY, OFTEN = 10, 1.0, 14
"""A relation claimed so often has a weight of its own."""
BARS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
WEIGHTS = Path(learned_facts.__file__).with_name("claims.toml")
HEADS = Path(turnreader.__file__).with_name(turnreader.BELIEF)
READER = TurnReader()
HEAD = (
    "# How much speaks for a claim: written by `python -m training.claims`, which says how. Log odds of being right.\n"
)


@dataclass(frozen=True)
class Judged:
    store: str
    relation: str
    parts: Any
    """States of the value, the subject and the whole."""
    loud: dict[str, float]
    """What speaks for it; nothing where the reader does not make the claim."""
    right: bool


def judged() -> list[Judged]:
    found = []
    for told, turn in _turns():
        spoken = {(claim.subject, claim.relation, claim.object): loud for claim, _, loud in turn.weighed}
        for one in told["claims"]:
            said = one["subject"], one["relation"], one["value"]
            own = one["by"] == "learned"
            parts = _parts(turn, AssertedFact(*said)) if not one["ends"] or own else None
            if parts is not None and (said in spoken or not own):
                loud = spoken[said] if own else {}
                found.append(Judged(told["store"], one["relation"], parts, loud, one["verdict"] == "right"))
    return found


def _parts(turn: TurnFacts, claim: AssertedFact) -> Any:
    text, speaker = turn.heard.text, turn.heard.first_person
    stands = (parts_of(claim, text, turn.before, speaker, *one) for one in READER.states(text, speaker, turn.before))
    return next((one for one in stands if one is not None), None)


def _turns() -> Iterator[tuple[dict[str, Any], TurnFacts]]:
    for path in sorted((HERE / "data" / "claims").glob("*.jsonl")):
        for line in path.open():
            told: dict[str, Any] = json.loads(line)
            said = (one.split(": ", 1) for one in told["before"])
            before = tuple(Turn(speaker, text, AT) for speaker, text in said)
            heard = Heard(text=told["text"], at=AT, speaker="User", before=before)
            if kept_whole(heard, READER.name) is None:
                seen = SeenTurn.of(heard, READER)
                yield told, seen.facts


def believed(told: Sequence[Judged]) -> tuple[dict[str, Any], list[Judged]]:
    """Heads trained on all; and of each claim, what heads say of it that were trained on other stores."""
    parts, right = np.stack([one.parts for one in told]).astype(np.float32), np.array([one.right for one in told])
    relations, fold = [one.relation for one in told], _folds(told)
    score = np.zeros(len(told))
    for one in range(FOLDS):
        others = np.flatnonzero(fold != one)
        heads = trained(parts[others], [relations[place] for place in others], right[others])
        for place in np.flatnonzero(fold == one):
            score[place] = belief(relations[place], parts[place], heads)
    heard = [
        replace(one, loud=one.loud | {"believed": float(said)})
        for one, said in zip(told, score, strict=True)
        if one.loud is not None
    ]
    return trained(parts, relations, right), heard


def _folds(told: Sequence[Judged | Listed]) -> Any:
    return np.array([zlib.crc32(one.store.encode()) % FOLDS for one in told])


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


def fitted(told: Sequence[Judged | Listed]) -> dict[str, float]:
    """The weights; prints how well they tell right from wrong, cross-validated."""
    often = Counter(name for one in told for name in one.loud)
    names = [name for name in often if not name.startswith("as ") or often[name] >= OFTEN]
    given = np.array([[one.loud.get(name, 0.0) for name in names] for one in told])
    right, fold = np.array([one.right for one in told]), _folds(told)
    score = np.zeros(len(told))
    for one in range(FOLDS):
        mine = fold == one
        score[mine] = 1 / (1 + np.exp(-given[mine] @ fit(given[~mine], right[~mine])))
    print(f"{len(told)} claims, {right.mean():.3f} right; right before wrong {ranked(score, right):.3f}")
    for bar in BARS:
        kept = score >= bar
        shares = f"{right[kept].mean():.3f} right, of all that are {kept[right].mean():.3f}"
        print(f"from {bar}: {kept.sum()} claims, {shares}")
    return {name: round(float(weight), 2) for name, weight in zip(names, fit(given, right), strict=True)}


def as_toml(name: str, weights: dict[str, float]) -> str:
    plain = [f'"{key}" = {value}' for key, value in weights.items() if not key.startswith("as ")]
    by = sorted(f"{key[3:]} = {value}" for key, value in weights.items() if key.startswith("as "))
    return "\n".join([f"\n[{name}]", *plain, f"\n[{name}.as]", *by, ""])


def main() -> None:
    heads, own = believed(judged())
    np.savez_compressed(HEADS, **heads)
    print(HEADS.name, hashlib.sha256(HEADS.read_bytes()).hexdigest())
    right = fitted(own)
    READER._model.get().belief_heads = heads  # those on the disk are of the training before
    asked = list(listed(READER))
    WEIGHTS.write_text(HEAD + as_toml("right", right) + as_toml("listed", fitted(asked)))


if __name__ == "__main__":
    main()
