"""Which of several exported models finds more of what was held out?

`python -m training.turnfinder.compare DATA MODEL_FOLDER … [asked=40]`

Each folder holds `model_int8.onnx`, such as `src/treering/mind/turnfinder`. All are asked the same questions over the
same conversations (`evaluate.conversations`), by cosine alone. `asked`: most questions of a conversation.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from training.turnfinder.evaluate import conversations, measures, shown
from training.turnfinder.talks import CLOSING, COLON, OPENING, Batch, Talks
from treering.mind.turnfinder import MODEL, WORDS, data_file
from treering.mind.word_table import with_words


class Model:
    def __init__(self, folder: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        with ExitStack() as stack:
            words = data_file(WORDS, stack).read_bytes()
        model = with_words((folder / MODEL).read_bytes(), words)
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def vector(self, ids: list[int]) -> Any:
        row = np.array([ids], np.int64)
        return self.session.run(None, {"input_ids": row, "attention_mask": np.ones_like(row)})[0][0]


def pieces(talks: Talks, batch: Batch, kind: str, place: int) -> list[int]:
    """As the product would read it."""
    names = batch.names[(batch.turns_row if kind == "turn" else batch.asked_row)[place]]
    which = (batch.turns if kind == "turn" else batch.asked)[place]
    every, start, length = (
        (talks.turn_ids, talks.turn_from[which], talks.turn_len[which])
        if kind == "turn"
        else (talks.asked_ids, talks.asked_from[which], talks.asked_len[which])
    )
    lead = [int(talks.turn_lead[which]), COLON] if kind == "turn" and talks.turn_lead[which] else []
    ids = [*lead, *(int(one) for one in every[start : start + length])]
    return [OPENING, *(int(names[one]) if 0 < one < 10 else one for one in ids), CLOSING]


def main() -> None:
    folders = [Path(one) for one in sys.argv[2:] if "=" not in one]
    most = next((int(one.split("=")[1]) for one in sys.argv[2:] if one.startswith("asked=")), 40)
    talks = Talks(Path(sys.argv[1]))
    models = {str(folder): Model(folder) for folder in folders}
    found: dict[str, dict[str, dict[str, list[float]]]] = {name: {} for name in models}
    for source, batch in conversations(talks):
        chosen = np.random.default_rng(3).permutation(len(batch.asked))[:most]
        for name, model in models.items():
            turns = np.stack([model.vector(pieces(talks, batch, "turn", n)) for n in range(len(batch.turns))])
            asked = np.stack([model.vector(pieces(talks, batch, "asked", int(n))) for n in chosen])
            told = measures(asked @ turns.T, batch.marks[chosen])
            by_name = found[name].setdefault(source, {one: [] for one in told})
            for one, some in told.items():
                by_name[one] += some
    for name, by_source in found.items():
        shown(name, by_source)


if __name__ == "__main__":
    main()
