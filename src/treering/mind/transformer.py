"""How does a small BERT in an ONNX file read? Word pieces in; one vector a text out, or a state for each word piece.

A graph that ends in token states is pooled here by their mean; one that pools inside is taken as it is, and may be
asked to give the states it pools as well.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from treering.mind.batches import default_lanes
from treering.mind.inner_output import with_output

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

REACH = 254  # word pieces of a text that one pass reads; with the opening and the closing one, 256


@dataclass(frozen=True, slots=True)
class WordPieces:
    """A text as the model sees it: the ids, all of them, and the character of the text where each begins."""

    ids: list[int]
    starts: list[int]


class Transformer:
    """One session and its tokenizer. Both may be used by several threads at once."""

    def __init__(self, model: Path | bytes, vocabulary: Path, states: str | None = None) -> None:
        """`states`: the tensor that holds the token states, for a graph that pools inside."""
        from tokenizers import BertWordPieceTokenizer

        self._tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
        self._opening, self._closing = (self._tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]"))
        self._session = open_session(model if states is None else with_output(_bytes(model), states))
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self._outputs = [entry.name for entry in self._session.get_outputs()]

    def read(self, texts: list[str]) -> Vectors:
        """One row a text, read together and as far as the model reaches."""
        coded = [self._tokenizer.encode(text, add_special_tokens=False).ids[:REACH] for text in texts]
        output, mask = self._run(coded, self._outputs[:1])
        return np.asarray(output[0] if output[0].ndim == 2 else _mean_of_tokens(output[0], mask), np.float32)

    def pieces(self, text: str) -> WordPieces:
        coded = self._tokenizer.encode(text, add_special_tokens=False)
        return WordPieces(coded.ids, [start for start, _ in coded.offsets])

    def look(self, coded: list[list[int]]) -> list[tuple[Vectors, Vectors]]:
        """One pass over texts of at most `REACH` word pieces each: for each the row that `read` gives, and a state for
        each of its word pieces."""
        output, mask = self._run(coded, self._outputs)
        rows = output[0] if output[0].ndim == 2 else _mean_of_tokens(output[0], mask)
        return [(rows[place], output[-1][place, 1 : len(ids) + 1]) for place, ids in enumerate(coded)]

    def _run(self, coded: list[list[int]], outputs: list[str]) -> tuple[list[Any], Any]:
        ids = np.zeros((len(coded), 2 + max(len(row) for row in coded)), np.int64)
        mask = np.zeros_like(ids)
        for place, row in enumerate(coded):
            ids[place, : len(row) + 2] = (self._opening, *row, self._closing)
            mask[place, : len(row) + 2] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        return self._session.run(outputs, {name: given[name] for name in self._inputs}), mask


def _bytes(model: Path | bytes) -> bytes:
    return model if isinstance(model, bytes) else model.read_bytes()


def _mean_of_tokens(states: Vectors, mask: Any) -> Any:
    weight = mask[..., None].astype(np.float32)
    return (states * weight).sum(axis=1) / weight.sum(axis=1)


class Session:
    """The runtime's own, with as many runs at once as there are cores to run them. More would be done no sooner; and
    each that runs beside others takes room of its own in the runtime's arena, which never becomes smaller: a server
    grew whenever more of its threads than ever before happened to read at the same moment."""

    def __init__(self, session: Any, at_once: int) -> None:
        self._session, self._room = session, threading.Semaphore(at_once)
        self.get_inputs, self.get_outputs = session.get_inputs, session.get_outputs

    def run(self, outputs: list[str] | None, given: dict[str, Any]) -> list[Any]:
        with self._room:
            found: list[Any] = self._session.run(outputs, given)
        return found


def open_session(model: Path | bytes, threads: int = 1) -> Session:
    """`threads`: of one run. The answer does not depend on them: every sum is one thread's."""
    # The runtime reports on its host to its maker unless told not to before it is first imported.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime  # type: ignore[import-untyped]

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    # Most texts are short: one thread each, and several texts side by side, beats several threads on one text.
    options.intra_op_num_threads = threads
    # A thread that waits for the next step by asking for it without pause takes a core from whoever else has work.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.inter_op_num_threads = 1
    # Every length of text is a shape of its own: patterns would be planned for each. The arena stays, it grows to the
    # largest batch and no further; without it the peak was higher (165 MB against 138 for turnfinder).
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    opened = model if isinstance(model, bytes) else str(model)
    # Adding and levelling in one step is slower here than in two (a question 1.56 ms against 1.37), and less exact.
    session = onnxruntime.InferenceSession(
        opened, options, providers=["CPUExecutionProvider"], disabled_optimizers=["SkipLayerNormFusion"]
    )
    session._model_bytes = None  # it would hold them for a change of providers, which never comes: 24 MB
    return Session(session, default_lanes())
