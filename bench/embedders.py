"""How fast does each embedder read? Distinct sentences in bulk, and questions one at a time, through the public door
of the room. An endpoint's speed is its own affair and is not measured.

    python -m bench.embedders             (TREERING_BENCH_SENTENCES and _QUESTIONS change how many)
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from statistics import median
from typing import Any

from bench import record
from treering.mind import open_embedder

EMBEDDERS = ("turnfinder-2", "turnfinder", "minilm", "static", "multilingual")
SENTENCES = int(os.environ.get("TREERING_BENCH_SENTENCES", "480"))
QUESTIONS = int(os.environ.get("TREERING_BENCH_QUESTIONS", "60"))
TOKENS = 20
ROUNDS = 3
GOAL_PER_SECOND = {"turnfinder-2": 230}

# each of these is one word piece of the default embedder
NAMES = ("Ann", "Tom", "Nora", "Paul", "Maria", "David")
# fmt: off
WORDS = (
    "garden", "river", "winter", "kitchen", "sister", "bought", "old", "blue", "lamp", "train", "market", "music",
    "teacher", "small", "house", "walked", "read", "letter", "summer", "friend", "dog", "morning", "city", "church",
    "school", "doctor", "money", "paint", "bread", "window", "street", "mountain", "boat", "horse", "apple",
)
# fmt: on


def sentences(count: int, seed: int) -> list[str]:
    """`Name: words`, 20 tokens with the opening and closing one and the colon."""
    draw = random.Random(seed)
    return [f"{draw.choice(NAMES)}: {' '.join(draw.choices(WORDS, k=TOKENS - 4))}" for _ in range(count)]


def questions(count: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [f"When did {draw.choice(NAMES)} see the {' and the '.join(draw.sample(WORDS, 3))}?" for _ in range(count)]


def measure(name: str) -> dict[str, Any]:
    embedder = open_embedder(name, cached_texts=0)
    load_seconds = record.timed(lambda: embedder.embed_question("Who is there?"))
    count = SENTENCES * (10 if name == "static" else 1)
    bulk = [count / _seconds(embedder.embed, sentences(count, seed)) for seed in range(ROUNDS)]
    asked = [_seconds(embedder.embed_question, question) for question in questions(QUESTIONS, 7)]
    return {
        "dims": embedder.dims,
        "load_seconds": round(load_seconds, 3),
        "sentences_per_second": round(median(bulk), 1),
        "sentences_per_second_rounds": [round(rate, 1) for rate in bulk],
        "question": record.quantiles(asked),
    }


def _seconds(embed: Callable[[Any], Any], given: Any) -> float:
    return record.timed(lambda: embed(given))


def rows(figures: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    shown = []
    for name, found in figures.items():
        goal, rate = GOAL_PER_SECOND.get(name), found["sentences_per_second"]
        met = "" if goal is None else "met" if rate >= goal else "MISSED"
        shown.append((f"{name}: sentences/s in bulk", f"{rate:,.0f}", f">= {goal}" if goal else "", met))
        times = found["question"]
        shown.append((f"{name}: a question", f"p50 {times['p50_ms']:.2f} ms, p95 {times['p95_ms']:.2f} ms", "", ""))
        shown.append((f"{name}: first text", f"{found['load_seconds']:.2f} s", "", ""))
    return shown


def main() -> None:
    figures = {name: measure(name) for name in EMBEDDERS}
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    path = record.write(
        "embedders", {"sentences": SENTENCES, "tokens": TOKENS, "load_average": load, "embedders": figures}
    )
    print(record.table(rows(figures)))
    print(f"\nmedian of {ROUNDS} rounds; load of the machine {load}; written to {path}")


if __name__ == "__main__":
    main()
