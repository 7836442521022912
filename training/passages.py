"""Questions over the sentences of a passage, half of them without an answer, out of SQuAD 2.0 (CC BY-SA 4.0).

`python -m training.passages FILE.json OUT`

What they teach is plain answering: which sentence says it, and that none does. Nothing is ever outdated in them.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'])")
SHORTEST, LONGEST = 20, 260
"""Characters of a sentence."""
FEWEST = 3


def passages(data: list[Any]) -> list[dict[str, Any]]:
    """Each with its sentences and, for each question, the sentence that answers; -1 for none."""
    found = []
    for article in data:
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            starts = [0, *(hit.end() for hit in _END.finditer(text))]
            ends = [*starts[1:], len(text)]
            sentences = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
            fit = [place for place, one in enumerate(sentences) if SHORTEST <= len(one) <= LONGEST]
            if len(fit) < FEWEST:
                continue
            asked = []
            for one in paragraph["qas"]:
                if one.get("is_impossible"):
                    asked.append({"q": one["question"], "at": -1})
                elif one["answers"]:
                    at = one["answers"][0]["answer_start"]
                    place = max(number for number, start in enumerate(starts) if start <= at)
                    if place in fit:
                        asked.append({"q": one["question"], "at": fit.index(place)})
            found.append({"sentences": [sentences[place] for place in fit], "questions": asked})
    return [one for one in found if one["questions"]]


if __name__ == "__main__":
    source, out = map(Path, sys.argv[1:])
    told = passages(json.loads(source.read_text(encoding="utf-8"))["data"])
    out.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    print(len(told), "passages,", sum(len(one["questions"]) for one in told), "questions")
