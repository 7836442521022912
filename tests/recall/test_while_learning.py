"""Questions are answered while another thread learns what is new: what they go through must not change under them."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from treering.door import Treering
from treering.recall.index.space import SpaceIndex
from treering.recall.question import named_speakers, read_question
from treering.store import open_store

SECONDS = 2.0
NAMES, ASKING = 300, 4


@pytest.fixture(autouse=True)
def threads_in_quick_turn() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@contextmanager
def meanwhile(learn: Callable[[int], object]) -> Iterator[Callable[[], bool]]:
    """Learns one thing after the other as long as this is; says whether there is time for more."""
    over, give_up = threading.Event(), time.monotonic() + SECONDS

    def work() -> None:
        number = 0
        while not over.is_set():
            learn(number)
            number += 1
            if number % 20 == 0:
                time.sleep(0.0005)  # who asks is to come to something too

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield lambda: time.monotonic() < give_up
    finally:
        over.set()
        thread.join()


def spoken_by(many: int) -> SpaceIndex:
    index = SpaceIndex("lab")
    for number in range(many):
        index._speaker(f"Melanie{number} Smith")
    return index


def test_who_is_named_is_found_while_others_are_met() -> None:
    index, question = spoken_by(NAMES), read_question("What does Mel like?", datetime(2026, 1, 1, tzinfo=UTC))
    everyone = frozenset(range(NAMES))
    with meanwhile(lambda number: index._speaker(f"Zoe{number}")) as going_on:
        while going_on():
            assert named_speakers(question, index.speaker_words, everyone).speakers == ()  # it fits too many


def test_a_speaker_is_found_in_any_spelling_while_others_are_met() -> None:
    index = spoken_by(NAMES)
    with meanwhile(lambda number: index._speaker(f"Zoe{number}")) as going_on:
        while going_on():
            assert index.spelled_like("MELANIE7 smith") == ["Melanie7 Smith"]


def test_questions_are_answered_while_new_people_speak(tmp_path: Path) -> None:
    """Who asks learns what is new first, and others are being answered meanwhile."""
    store = open_store(str(tmp_path / "lab.db"), "normal")
    door, several = Treering(store, actor="ann", space="lab"), ThreadPoolExecutor(ASKING)
    door.add_many(
        [
            {"content": f"I like {'tea' if n % 2 else 'jam'} number {n}", "speaker": f"Melanie{n} Smith{n}"}
            for n in range(NAMES)
        ]
    )

    def told(number: int) -> None:
        door.add(f"I like milk {number}", speaker=f"Zoe{number} Jones{number}")

    def ask(number: int) -> bool:
        return bool(door.recall(f"What tea does Melanie{number % NAMES} Smi like?", limit=3).hits)

    with meanwhile(told) as going_on, several:
        while going_on():
            assert all(several.map(ask, range(4 * ASKING)))
    store.close()
