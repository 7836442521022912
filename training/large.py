"""A larger encoder to learn from: all-mpnet-base-v2 (Apache-2.0), under the small one's word pieces.

It is trained as the small net is, is too slow to run where people ask, and gives its opinion while the small one is
trained. `python -m training.large MODEL_FOLDER DATA` packs its weights for the way to a training machine.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

SHIFT = 4
"""Its vocabulary is BERT's, so many places on."""
PIECES = {0: 1, 101: 0, 102: 2, 100: 3}
"""Padding, opening, closing and unknown have numbers of their own."""
BUCKETS, FARTHEST = 32, 128
FILES = 2


class Layer(nn.Module):
    def __init__(self, width: int, inner: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.after, self.last = (nn.LayerNorm(width, eps=1e-5) for _ in range(2))
        self.wide, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, states: Any, bias: Any) -> Any:
        rows, places, width = states.shape
        drop = self.dropout if self.training else 0.0
        parts = [layer(states).view(rows, places, self.heads, -1).transpose(1, 2) for layer in (self.q, self.k, self.v)]
        seen = F.scaled_dot_product_attention(*parts, attn_mask=bias.to(parts[0].dtype), dropout_p=drop)
        seen = self.o(seen.transpose(1, 2).reshape(rows, places, width))
        states = self.after(states + F.dropout(seen, drop))
        told = self.narrow(F.gelu(self.wide(states)))
        return self.last(states + F.dropout(told, drop))


class Large(nn.Module):
    """Takes what the small trunk takes; which of two kinds a piece is of is learned anew."""

    def __init__(self, config: dict[str, Any], dropout: float) -> None:
        super().__init__()
        width, heads = config["hidden_size"], config["num_attention_heads"]
        self.dropout = dropout
        self.words = nn.Embedding(config["vocab_size"], width)
        self.places = nn.Embedding(config["max_position_embeddings"], width)
        self.types = nn.Embedding(2, width)
        nn.init.zeros_(self.types.weight)
        self.norm = nn.LayerNorm(width, eps=1e-5)
        self.near = nn.Embedding(BUCKETS, heads)
        self.layers = nn.ModuleList(
            Layer(width, config["intermediate_size"], heads, dropout) for _ in range(config["num_hidden_layers"])
        )

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any, beside: Any = 0.0) -> tuple[Any]:
        """`beside`: what else is told of each piece, as its states."""
        ids = input_ids + SHIFT
        for mine, its in PIECES.items():
            ids = ids.masked_fill(input_ids == mine, its)
        place = torch.arange(ids.shape[1], device=ids.device)
        states = self.norm(self.words(ids) + self.places(place + 2) + self.types(token_type_ids) + beside)
        if self.training:
            states = F.dropout(states, self.dropout)
        # What nearness counts for stays as it was learned: a gradient for every pair of pieces would cost too much.
        bias = self.near(buckets(place[None] - place[:, None])).detach().permute(2, 0, 1)[None]
        bias = bias.masked_fill(attention_mask[:, None, None] == 0, -1e4)
        for layer in self.layers:
            states = layer(states, bias)
        return (states,)

    def start_from(self, weights: Path) -> None:
        found: dict[str, Any] = {}
        for number in range(FILES):
            packed = np.load(weights.with_name(f"{weights.stem}_{number}.npz"))
            for name in packed.files:
                if not name.endswith("|scale"):
                    value = packed[name].astype(np.float32)
                    scale = packed[name + "|scale"] if name + "|scale" in packed.files else 1.0
                    found[_own(name)] = torch.from_numpy(value * scale)
        told = self.load_state_dict(found, strict=False)
        assert (told.missing_keys, told.unexpected_keys) == (["types.weight"], []), told


def buckets(away: Any) -> Any:
    """How far one piece stands from another: exact when near, by logarithm when far, by side."""
    half = BUCKETS // 2
    side, far, exact = (away > 0).long() * half, away.abs(), half // 2
    by_log = exact + (torch.log(far.clamp(min=1) / exact) / math.log(FARTHEST / exact) * (half - exact)).long()
    return side + torch.where(far < exact, far, by_log.clamp(max=half - 1))


_NAMES = {
    "embeddings.word_embeddings": "words",
    "embeddings.position_embeddings": "places",
    "embeddings.LayerNorm": "norm",
    "encoder.relative_attention_bias": "near",
    "attention.attn": "",
    "attention.LayerNorm": "after",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "last",
}


def _own(name: str) -> str:
    name = name.removeprefix("mpnet.").replace("encoder.layer.", "layers.")
    for its, mine in _NAMES.items():
        name = name.replace(its, mine)
    return name.replace("..", ".")


def pack(folder: Path, out: Path) -> None:
    """In eight bits by row, in files small enough to travel."""
    from safetensors.numpy import load_file

    files: list[dict[str, Any]] = [{} for _ in range(FILES)]
    sizes = [0] * FILES
    for name, value in load_file(folder / "model.safetensors").items():
        if name.startswith("pooler") or "position_ids" in name:
            continue
        to = sizes.index(min(sizes))
        if value.ndim == 2 and value.size > 100_000:
            scale = np.abs(value).max(1, keepdims=True) / 127 + 1e-12
            files[to][name] = np.round(value / scale).astype(np.int8)
            files[to][name + "|scale"] = scale.astype(np.float32)
        else:
            files[to][name] = value.astype(np.float32)
        sizes[to] += files[to][name].nbytes
    for number, some in enumerate(files):
        np.savez(out / f"large_{number}.npz", **some)
    kept = json.loads((folder / "config.json").read_text())
    (out / "large.json").write_text(json.dumps(kept))


if __name__ == "__main__":
    pack(*map(Path, sys.argv[1:]))
