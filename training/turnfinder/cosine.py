"""What does a model find by cosine alone? `python -m training.turnfinder.cosine locomo|beam|friendsqa MODEL_FOLDER …`.

Development halves, where TREERING_BENCH_DATA says. A quick look before `bench`, which asks the whole product: no words,
no graph, no time. `FOLDER+FOLDER`: turns read by the first, questions by the second.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from bench import conversations, scores
from treering.mind.transformer import Transformer
from treering.mind.turnfinder import MODEL, VOCABULARY, WORDS, data_file
from treering.mind.word_table import with_words


def opened(folder: str) -> Transformer:
    with ExitStack() as stack:
        vocabulary, words = (data_file(name, stack) for name in (VOCABULARY, WORDS))
        return Transformer(with_words((Path(folder) / MODEL).read_bytes(), words.read_bytes()), vocabulary)


def found(cases: list[Any], turns: Transformer, questions: Transformer) -> list[scores.Score]:
    told = []
    for case in cases:
        rows = np.concatenate([turns.read([f"{turn.speaker}: {turn.text}"]) for turn in case.turns])
        for asked in (one for one in case.questions if one.evidence and one.answerable):
            order = np.argsort(-(rows @ questions.read([asked.text])[0]), kind="stable")[:100]
            told.append(scores.score([case.turns[place].key for place in order], asked.evidence))
    return told


def main() -> None:
    cases = conversations.load(sys.argv[1])
    for given in sys.argv[2:]:
        turns, _, questions = given.partition("+")
        reading = opened(turns)
        told = found(cases, reading, opened(questions) if questions else reading)
        print(given, len(told), scores.mean(told), flush=True)


if __name__ == "__main__":
    main()
