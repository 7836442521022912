"""The plainest memory that works, behind lines of JSON: MiniLM's nearness and BM25 by the sum of their ranks, kept in a
file of lines. Nothing is read, related or dated."""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from treering.mind.minilm import MiniLM

_WORD = re.compile(r"\w+")


class Plain:
    def __init__(self, folder: Path) -> None:
        self._file = (folder / "plain.jsonl").open("a", encoding="utf-8")
        self._model = MiniLM()
        self._texts: list[str] = []
        self._rows: list[Any] = []
        self._words: list[Counter[str]] = []
        self._in: Counter[str] = Counter()

    def write(self, text: str) -> None:
        row = np.asarray(self._model.embed([text]), dtype=np.float32)[0]
        self._file.write(json.dumps({"text": text, "vector": row.tolist()}) + "\n")
        self._file.flush()
        self._texts.append(text)
        self._rows.append(row)
        self._words.append(Counter(_WORD.findall(text.lower())))
        self._in.update(set(self._words[-1]))

    def search(self, asked: str, count: int = 5) -> list[str]:
        near = np.stack(self._rows) @ np.asarray(self._model.embed_question(asked), dtype=np.float32).reshape(-1)
        words = np.array([self._bm25(asked, held) for held in self._words])
        ranks = sum(1 / (60 + np.argsort(np.argsort(-one))) for one in (near, words))
        return [self._texts[n] for n in np.argsort(-ranks)[:count]]

    def _bm25(self, asked: str, held: Counter[str]) -> float:
        usual = sum(map(len, self._texts)) / len(self._texts) / 5
        score = 0.0
        for word in _WORD.findall(asked.lower()):
            if held[word]:
                rare = math.log(1 + (len(self._texts) - self._in[word] + 0.5) / (self._in[word] + 0.5))
                score += rare * held[word] * 2.2 / (held[word] + 1.2 * (0.25 + 0.75 * sum(held.values()) / usual))
        return score


def main() -> None:
    plain = Plain(Path(sys.argv[1]))
    say({"ready": True})
    for line in sys.stdin:
        asked = json.loads(line)
        if "write" in asked:
            plain.write(asked["write"])
            say({})
        else:
            say({"found": plain.search(asked["search"])})


def say(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
