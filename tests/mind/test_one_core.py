"""Numpy multiplies on one core while we do, and on as many as before when we are done."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from treering.mind import passages, turnreader
from treering.mind.judges import open_reader
from treering.one_core import OneCore, one_core, openblas


class Library:
    """As OpenBLAS, with what it was told."""

    def __init__(self, threads: int) -> None:
        self.threads, self.told = threads, list[int]()

    def ask(self) -> int:
        return self.threads

    def say(self, threads: int) -> None:
        self.threads = threads
        self.told.append(threads)

    def scope(self) -> OneCore:
        return OneCore(lambda: (self.ask, self.say))


def test_within_there_is_one_and_then_as_many_as_before() -> None:
    library = Library(8)
    scope = library.scope()
    with scope:
        assert library.threads == 1
    assert library.threads == 8


def test_who_is_within_keeps_it_when_another_leaves() -> None:
    library = Library(8)
    scope = library.scope()
    with scope:
        with scope:
            assert library.threads == 1
        assert library.threads == 1
    assert library.told == [1, 8]


def test_what_fails_within_leaves_it_as_it_was() -> None:
    library = Library(8)
    with pytest.raises(ValueError, match="within"), library.scope():
        raise ValueError("within")
    assert library.threads == 8


def test_a_number_that_is_one_already_is_left_alone() -> None:
    library = Library(1)
    with library.scope():
        pass
    assert library.told == []


def test_what_was_said_meanwhile_for_the_next_time_is_asked_anew() -> None:
    library = Library(8)
    scope = library.scope()
    with scope:
        pass
    library.threads = 4
    with scope:
        pass
    assert library.threads == 4


def test_without_the_library_nothing_is_said() -> None:
    with OneCore(lambda: None):
        pass


def test_many_threads_in_and_out_leave_it_as_it_was() -> None:
    library = Library(8)
    scope, start = library.scope(), threading.Barrier(4)

    def often() -> bool:
        start.wait()
        seen = []
        for _ in range(500):
            with scope:
                seen.append(library.threads)
        return set(seen) == {1}

    with ThreadPoolExecutor(4) as pool:
        assert all(one.result() for one in [pool.submit(often) for _ in range(4)])
    assert library.threads == 8


needs_openblas = pytest.mark.skipif(openblas() is None, reason="numpy came without OpenBLAS")


@pytest.fixture
def eight_threads() -> Any:
    """As if the machine had as many cores: the library makes so many threads, if it has not yet."""
    found = openblas()
    assert found is not None
    ask, say = found
    before = ask()
    say(8)
    yield ask
    say(before)


@needs_openblas
def test_the_real_one_takes_the_word(eight_threads: Any) -> None:
    with one_core:
        assert eight_threads() == 1
    assert eight_threads() == 8


@needs_openblas
def test_facts_are_read_on_one_core(eight_threads: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, facts_in = [], turnreader.facts_in

    def looked_at(*given: Any) -> Any:
        seen.append(eight_threads())
        return facts_in(*given)

    monkeypatch.setattr(turnreader, "facts_in", looked_at)
    open_reader().facts("I live in Bergen and work at Hatch.", "User")
    assert set(seen) == {1}
    assert eight_threads() == 8


@needs_openblas
def test_sentences_of_a_passage_are_summed_on_one_core(eight_threads: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, matmul = [], np.matmul

    def looked_at(*given: Any, **how: Any) -> Any:
        seen.append(eight_threads())
        return matmul(*given, **how)

    monkeypatch.setattr(passages.np, "matmul", looked_at)
    states = np.ones((4, 3), np.float32)
    passages._means(states[0], [0, 2, 4], [passages.PieceRange(0, 4, states)], 0)
    assert seen == [1]
