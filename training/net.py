"""The net: a small BERT with a head for each thing it is asked. Only training needs it; what runs is the export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertModel

from training.coding import KINDS, NAME_TAGS, TAGS
from training.data import MOODS
from training.examples import ASKS, ROLES, VERDICTS
from training.large import Large
from training.lists import PARTS

SLOT = 96


def head(width: int, out: int, bend: str = "none") -> nn.Module:
    return nn.Sequential(nn.Linear(2 * width, width), nn.GELU(approximate=bend), nn.Linear(width, out))


class Net(nn.Module):
    """`parts`: which heads it has. Its trunk is small, or the large one to learn from, as the configuration says."""

    def __init__(self, config: Path, layers: int, relations: int, parts: frozenset[str], dropout: float) -> None:
        super().__init__()
        given = json.loads(config.read_text())
        self.parts, width = parts, given["hidden_size"]
        self.trunk = Large(given, dropout) if given["model_type"] == "mpnet" else small(given, layers, dropout)
        heads: dict[str, nn.Module] = {}
        if "judge" in parts:
            heads["verdict"] = head(width, len(VERDICTS))
        if "role" in parts:
            heads["role"] = head(width, len(ROLES))
        if "list" in parts:
            heads["part"] = head(width, len(PARTS), "tanh")  # laid over statements outside the graph, without an erf
        if "read" in parts:
            heads |= {
                "cut": nn.Linear(width, 2), "tag": nn.Linear(width, len(TAGS)),
                "name": nn.Linear(width, len(NAME_TAGS)),
                "mood": nn.Linear(width, len(MOODS)), "relation": nn.Linear(width, relations),
                "kind": nn.Linear(width, len(KINDS)), "lasts": nn.Linear(width, 2), "importance": nn.Linear(width, 1),
                "worth": nn.Linear(width, 2), "asks": nn.Linear(width, len(ASKS)), "slot": nn.Linear(width, SLOT),
            }  # fmt: skip
        self.heads = nn.ModuleDict(heads)

    @property
    def words(self) -> Any:
        """Its word vectors."""
        return (
            self.trunk.words.weight if isinstance(self.trunk, Large) else self.trunk.embeddings.word_embeddings.weight
        )

    def start_from(self, weights: Path) -> None:
        """From packed base weights; with fewer layers, every second one from the first."""
        if isinstance(self.trunk, Large):
            self.trunk.start_from(weights)
            return
        packed = np.load(weights)
        found: dict[str, Any] = {}
        for name in packed.files:
            if not name.endswith("|scale"):
                value = packed[name].astype(np.float32)
                found[name] = torch.from_numpy(
                    value * packed[name + "|scale"] if name + "|scale" in packed.files else value
                )
        found = thinned(found, "encoder.layer.", spread(depth(found, "encoder.layer."), len(self.trunk.encoder.layer)))
        missing = self.trunk.load_state_dict(found, strict=False)
        assert not [name for name in missing.missing_keys if "position_ids" not in name], missing.missing_keys

    def states(self, ids: Any, types: Any) -> tuple[Any, Any, Any]:
        mask = (ids != 0).long()
        with torch.autocast("cuda", torch.bfloat16, enabled=ids.is_cuda):
            states = self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=types)[0]
        states = states.float()
        weight = mask.unsqueeze(-1).float()
        return states, (states * weight).sum(1) / weight.sum(1), mask

    def whole(self, name: str, ids: Any, types: Any) -> Any:
        states, mean, _ = self.states(ids, types)
        return self.heads[name](torch.cat([states[:, 0], mean], 1))

    def listed(self, ids: Any, types: Any, *whose: Any) -> list[Any]:
        """For each statement of a list, its part; and so for each stretch. `whose`: as in `read`."""
        states, _, _ = self.states(ids, types)
        found = []
        for one in whose:
            pooled, _ = _pooled(states, one)
            opening = states[:, :1].expand(-1, pooled.shape[1], -1)
            found.append(self.heads["part"](torch.cat([opening, pooled], -1)))
        return found

    def read(self, ids: Any, types: Any, whose: Any) -> dict[str, Any]:
        """`whose`: (rows, places), a number of a piece for each word piece."""
        states, mean, _ = self.states(ids, types)
        told = {name: self.heads[name](states) for name in ("cut", "tag", "name")}
        if int(whose.max().item()) >= 0:
            pooled, told["present"] = _pooled(states, whose)
            told |= {
                name: self.heads[name](pooled) for name in ("mood", "relation", "kind", "lasts", "importance", "worth")
            }
        told["asks"] = self.heads["asks"](mean)
        told["slot"] = torch.nn.functional.normalize(self.heads["slot"](mean), dim=-1)
        return told


def spread(deep: int, count: int, below: int = 0) -> list[int]:
    """The layers that a net of fewer begins with: the lowest `below` as they are, of the others some at even distances
    up to the last."""
    if count >= deep:
        return list(range(deep))
    above, left = deep - below, count - below
    if below:
        return [*range(below), *(below + round((place + 1) * above / left) - 1 for place in range(left))]
    return [round(place * (deep - 1) / max(1, count - 1)) for place in range(count)]


def thinned(weights: dict[str, Any], lead: str, chosen: list[int]) -> dict[str, Any]:
    """Weights of a net that has only these layers. `lead`: what their names begin with."""
    found = {name: value for name, value in weights.items() if not name.startswith(lead)}
    for place, layer in enumerate(chosen):
        own = f"{lead}{layer}."
        found |= {f"{lead}{place}.{name[len(own) :]}": value for name, value in weights.items() if name.startswith(own)}
    return found


def depth(weights: dict[str, Any], lead: str) -> int:
    return 1 + max(int(name[len(lead) :].split(".")[0]) for name in weights if name.startswith(lead))


def begun_from(weights: dict[str, Any], layers: int, below: int) -> dict[str, Any]:
    """Weights of a net, for one of so many layers."""
    lead = "trunk.encoder.layer."
    return thinned(weights, lead, spread(depth(weights, lead), layers, below))


def small(given: dict[str, Any], layers: int, dropout: float) -> nn.Module:
    made = BertConfig(
        **{k: v for k, v in given.items() if k not in ("architectures", "transformers_version", "_name_or_path")}
    )
    made.num_hidden_layers = layers
    made.hidden_dropout_prob = made.attention_probs_dropout_prob = dropout
    made._attn_implementation = "sdpa"
    return BertModel(made, add_pooling_layer=False)


def _pooled(states: Any, whose: Any) -> tuple[Any, Any]:
    """The mean of the states of each piece, and which pieces there are."""
    most = int(whose.max().item()) + 1
    member = torch.nn.functional.one_hot((whose + 1).clamp(min=0), most + 1)[..., 1:].float()  # rows, places, pieces
    count = member.sum(1)
    pooled = torch.einsum("rpk,rpd->rkd", member, states) / count.clamp(min=1).unsqueeze(-1)
    return pooled, count > 0
