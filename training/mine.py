"""Which lines of other histories does a search find for a question, though they do not answer it?

`python -m training.mine DATA [QUESTIONS [unjudged]]` writes DATA/near.json: by question, lines that stand nearest to it
among some hundreds of other people's, as in the store of somebody who tells much, without those that the shipped judge,
reading each alone with the question, takes for an answer. A judge that has only seen talk without a word of the
question between the answers takes whatever was said last for what holds now. Unjudged lines, for a training that holds
them against its teacher, are written to DATA/near_raw.json.
"""

from __future__ import annotations

import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from training import train
from treering.mind.judging import AnswerRole, FoundStatement
from treering.mind.turnfinder2 import Turnfinder2
from treering.mind.turnreader import TurnReader

STORE = 600
"""Lines of others that a question is held against."""
NEAREST = 8
ANSWERS = 0.25
"""From this score on a line may answer."""
QUESTIONS, POOL = 9_000, 12_000
"""Questions, and lines of all, that are looked at."""


def main() -> None:
    folder, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else QUESTIONS
    judged = sys.argv[3:] != ["unjudged"]
    threads = train.load(folder, 1)["threads"]
    draw = random.Random(5)
    lines = [(number, line) for number, thread in enumerate(threads) for line in thread["lines"]]
    lines = draw.sample(lines, min(POOL, len(lines)))
    asked = [(number, str(one["q"])) for number, thread in enumerate(threads) for one in thread["questions"]]
    asked = list({question: (number, question) for number, question in asked}.values())
    asked = draw.sample(asked, min(most, len(asked)))
    finder, judge = Turnfinder2(), TurnReader()
    said = np.asarray(finder.embed([line.partition(": ")[2] for _, line in lines]), np.float32)
    questions = np.asarray(finder.embed([question for _, question in asked]), np.float32)

    def near(place: int) -> list[str]:
        number, question = asked[place]
        others = [one for one in rows[place] if lines[one][0] != number]
        best = sorted(others, key=lambda one: -float(said[one] @ questions[place]))[:NEAREST]
        found = [lines[one][1] for one in best]
        if not judged:
            return found
        told = [judge.roles(question, [FoundStatement(line)])[0].of(AnswerRole.NOW, AnswerRole.OVER) for line in found]
        return [line for line, answers in zip(found, told, strict=True) if answers < ANSWERS]

    rows = [draw.sample(range(len(lines)), STORE) for _ in asked]
    with ThreadPoolExecutor(2) as pool:
        found = {asked[place][1]: some for place, some in enumerate(pool.map(near, range(len(asked)))) if some}
    path = folder / ("near.json" if judged else "near_raw.json")
    path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    print(len(found), "questions,", sum(map(len, found.values())), "lines")


if __name__ == "__main__":
    main()
