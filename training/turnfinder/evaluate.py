"""How well is a held-out question answered by the turns of a whole conversation? By cosine alone.

Held-out talks of one source are laid together, under the same names, until there are some hundreds of turns, as in a
long conversation. `hit@k`: one answer at least among the first k; `all@10`: all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from training.turnfinder.talks import SOURCES, Batch, Drawer, Talks

TURNS = 300  # of a conversation
MOST = 6  # conversations of a source


def conversations(talks: Talks) -> list[tuple[str, Batch]]:
    drawer = Drawer(talks, 5, 1, 1, 1, 1)
    found = []
    for source in SOURCES:
        group: list[int] = []
        given = 0
        for talk in talks.of(source, True):
            group.append(int(talk))
            if sum(talks.turns_at[one + 1] - talks.turns_at[one] for one in group) >= TURNS and given < MOST:
                found.append((source, drawer.batch(group, whole=True)))
                group, given = [], given + 1
        if group and not given:
            found.append((source, drawer.batch(group, whole=True)))
    return found


def measures(near: Any, marks: Any) -> dict[str, list[float]]:
    """Of each question; `marks` as in a batch."""
    near = np.where(marks == 2, -2.0, near)
    order = np.argsort(-near, axis=1, kind="stable")[:, :10]
    right = np.take_along_axis(marks == 1, order, 1)
    wanted = (marks == 1).sum(1)
    return {
        "hit@1": list(right[:, :1].any(1).astype(float)), "hit@5": list(right[:, :5].any(1).astype(float)),
        "hit@10": list(right.any(1).astype(float)),
        "all@10": list((right.sum(1) >= np.minimum(wanted, 10)).astype(float)),
        "several all@10": list((right.sum(1) >= wanted)[wanted > 1].astype(float)),
    }  # fmt: skip


def shown(title: str, found: dict[str, dict[str, list[float]]]) -> None:
    everything: dict[str, list[float]] = {}
    for source, by_name in found.items():
        for name, some in by_name.items():
            everything[name] = [*everything.get(name, []), float(np.mean(some))] if some else everything.get(name, [])
        told = " ".join(f"{name} {np.mean(some):.3f}" for name, some in by_name.items() if some)
        print(f"{title}: {source:9} n {len(by_name['hit@1']):5} {told}", flush=True)
    print(
        f"{title}: mean of sources",
        {name: round(float(np.mean(some)), 4) for name, some in everything.items()},
        flush=True,
    )


def report(asker: Any, net: Any, reader: Any, title: str) -> None:
    import torch

    from training.turnfinder.rows import vectors

    found: dict[str, dict[str, list[float]]] = {}
    with torch.no_grad():
        for source, batch in conversations(reader.talks):
            yes, row = np.ones(len(batch.asked), bool), batch.asked_row
            asked, _ = vectors(asker, reader, "asked", batch.asked, row, batch.names, yes, 2)
            yes = np.ones(len(batch.turns), bool)
            turns, _ = vectors(net, reader, "turn", batch.turns, batch.turns_row, batch.names, yes, 8)
            told = measures((asked @ turns.T).cpu().numpy(), batch.marks)
            by_name = found.setdefault(source, {name: [] for name in told})
            for name, some in told.items():
                by_name[name] += some
    shown(title, found)
