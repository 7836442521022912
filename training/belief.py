"""Trains the heads that say how far words bear out a claim (`treering.mind.turnreader.belief`), on verdicts.

Called by `training.claims`. The states below stay as they are, so that whoever reads a turn has them already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

WIDTH, HEADS, ROUNDS, BATCH, RATE, DECAY, DROPPED = 64, 3, 8, 64, 1e-3, 0.1, 0.6


class Head(nn.Module):
    def __init__(self, width: int, relations: int) -> None:
        super().__init__()
        self.parts = nn.ModuleList(nn.Linear(width, WIDTH) for _ in range(3))
        self.relation = nn.Embedding(relations + 1, WIDTH, padding_idx=relations)
        nn.init.normal_(self.relation.weight, 0, 0.3)
        self.inner, self.outer = nn.Linear(5 * WIDTH, WIDTH), nn.Linear(WIDTH, 1)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, parts: Any, relation: Any) -> Any:
        value, subject, opening = (one(self.drop(parts[:, place])) for place, one in enumerate(self.parts))
        said = self.relation(relation)
        given = torch.cat([value, subject, opening, value * said, subject * said], 1)
        return self.outer(self.drop(F.gelu(self.inner(given), approximate="tanh")))[:, 0]


def trained(parts: Any, relations: Sequence[str], right: Any) -> dict[str, Any]:
    """`parts`: (claims, 3, width). The heads as arrays, as they are shipped."""
    names = sorted(set(relations))
    known = torch.tensor([names.index(one) for one in relations])
    given, wanted = torch.tensor(parts), torch.tensor(right, dtype=torch.float32)
    made = []
    for seed in range(HEADS):
        torch.manual_seed(seed)
        head = Head(parts.shape[-1], len(names))
        with torch.no_grad():
            head.relation.weight[-1] = 0
        optimizer = torch.optim.AdamW(head.parameters(), lr=RATE, weight_decay=DECAY)
        for _ in range(ROUNDS):
            for some in torch.randperm(len(right)).split(BATCH):
                lost = F.binary_cross_entropy_with_logits(head(given[some], known[some]), wanted[some])
                optimizer.zero_grad()
                lost.backward()
                optimizer.step()
        made.append({name: value.detach().numpy() for name, value in head.state_dict().items()})
    return {
        "relations": np.array(names),
        "relation": np.stack([one["relation.weight"][:-1] for one in made]),
        "parts.weight": _stacked([[one[f"parts.{place}.weight"] for place in range(3)] for one in made]),
        "parts.bias": _stacked([[one[f"parts.{place}.bias"] for place in range(3)] for one in made]).swapaxes(0, 1),
        "inner.weight": _stacked([one["inner.weight"] for one in made]),
        "inner.bias": _stacked([one["inner.bias"] for one in made]),
        "outer.weight": _stacked([one["outer.weight"][0] for one in made]),
        "outer.bias": _stacked([one["outer.bias"][0] for one in made]),
    }


def _stacked(some: list[Any]) -> Any:
    return np.stack([np.stack(one) if isinstance(one, list) else one for one in some])
