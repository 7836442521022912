"""The net: MiniLM, the mean of its token states, brought to length one. Only training needs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertModel

from training.net import depth, spread, thinned


class Finder(nn.Module):
    """`m` is the trunk: the names inside the exported graph, which the loader knows, begin with it."""

    def __init__(self, config: Path, layers: int = 6, dropout: float = 0.0, attention: str = "sdpa") -> None:
        super().__init__()
        left_out = ("architectures", "transformers_version", "_name_or_path", "gradient_checkpointing", "use_cache",
                    "position_embedding_type")  # fmt: skip
        given = {name: value for name, value in json.loads(config.read_text()).items() if name not in left_out}
        made = BertConfig(**given)
        made.num_hidden_layers = layers
        made.hidden_dropout_prob = made.attention_probs_dropout_prob = dropout
        made._attn_implementation = attention
        self.m = BertModel(made, add_pooling_layer=False)

    def states(self, ids: Any, mask: Any) -> Any:
        return self.m(input_ids=ids, attention_mask=mask)[0]

    def begin(self, weights: dict[str, Any], below: int = 0) -> None:
        """With fewer layers than the weights have: some of them, the lowest `below` and the last among them. Those
        `below`, and the embeddings with them, stay as they are."""
        lead = "m.encoder.layer."
        kept = thinned(weights, lead, spread(depth(weights, lead), len(self.m.encoder.layer), below))
        if below:
            self.m.embeddings.requires_grad_(False)
            self.m.encoder.layer[:below].requires_grad_(False)
        told = self.load_state_dict(kept, strict=False)
        missing = [name for name in told.missing_keys if "position_ids" not in name and "token_type_ids" not in name]
        assert not [*missing, *told.unexpected_keys], (missing, told.unexpected_keys)


class Judge(Finder):
    """One number for a question and a turn."""

    def __init__(self, config: Path, layers: int = 6, dropout: float = 0.0, attention: str = "sdpa") -> None:
        super().__init__(config, layers, dropout, attention)
        self.head = nn.Linear(self.m.config.hidden_size, 1)

    def begin(self, weights: dict[str, Any], below: int = 0) -> None:
        own = {name: value for name, value in weights.items() if name.startswith("head.")} or self._plain()
        super().begin(weights | own, below)

    def _plain(self) -> dict[str, Any]:
        return {f"head.{name}": value for name, value in self.head.state_dict().items()}

    def forward(self, ids: Any, mask: Any, types: Any) -> Any:
        states = self.m(input_ids=ids, attention_mask=mask, token_type_ids=types)[0]
        return self.head(states[:, 0]).squeeze(-1)


def base_weights(path: Path) -> dict[str, Any]:
    """As `training.pack_base` has written them."""
    packed = np.load(path)
    found = {}
    for name in packed.files:
        if not name.endswith("|scale"):
            value = packed[name].astype(np.float32)
            scale = packed[name + "|scale"] if name + "|scale" in packed.files else 1.0
            found[f"m.{name}"] = torch.from_numpy(np.asarray(value * scale, np.float32))
    return found


def mean(states: Any, weight: Any) -> Any:
    summed = (states.float() * weight.unsqueeze(-1)).sum(1)
    return torch.nn.functional.normalize(summed, dim=-1)
