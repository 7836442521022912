"""How does a small BERT in an ONNX file read a batch? Word pieces in, one vector a text out.

A graph that ends in token states is pooled here by their mean; one that pools inside is taken as it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

TOKENS_READ = 256


class Transformer:
    """One session and its tokenizer. Both may be used by several threads at once."""

    def __init__(self, model: Path, vocabulary: Path) -> None:
        from tokenizers import BertWordPieceTokenizer

        self._tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
        self._tokenizer.enable_truncation(TOKENS_READ)
        self._session = _open_session(model)
        self._inputs = {entry.name for entry in self._session.get_inputs()}

    def read(self, texts: list[str]) -> Vectors:
        coded = [self._tokenizer.encode(text).ids for text in texts]
        ids = np.zeros((len(coded), max(len(row) for row in coded)), np.int64)
        mask = np.zeros_like(ids)
        for place, row in enumerate(coded):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (output,) = self._session.run(None, {name: given[name] for name in self._inputs})
        return np.asarray(output if output.ndim == 2 else _mean_of_tokens(output, mask), np.float32)


def _mean_of_tokens(states: Vectors, mask: Any) -> Any:
    weight = mask[..., None].astype(np.float32)
    return (states * weight).sum(axis=1) / weight.sum(axis=1)


def _open_session(model: Path) -> Any:
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    # Texts are short: one thread each, and several texts side by side, beats several threads on one text, and the
    # answer does not depend on how many cores there are.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Every length of text is a shape of its own: patterns would be planned for each. The arena stays, it grows to the
    # largest batch and no further; without it the peak was higher (165 MB against 138 for turnfinder).
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
