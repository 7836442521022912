"""turnjudge reads a question together with a turn; it and the finders read by one word table, joined when opened."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import treering
from treering.errors import Corrupted, InvalidRequest
from treering.mind import turnjudge
from treering.mind.rerank import open_reranker
from treering.mind.transformer import open_session
from treering.mind.turnfinder import MODEL, WORDS, Turnfinder, data_file
from treering.mind.turnjudge import Turnjudge
from treering.mind.word_table import NAME, WIDTH, with_words

ASKED = "Which instrument is Priya learning?"
TURNS = [
    "Priya: my teacher moved the cello lesson to Thursdays, third month of it and my fingers still hurt",
    "Priya: Tom plays the piano in a bar on Fridays",
    "Tom: I gave up the violin when I was ten",
    "Priya: the concert on Sunday was packed",
    "Priya: I learned to swim before I could read",
]


def test_what_answers_stands_before_what_only_sounds_alike() -> None:
    scores = Turnjudge().scores(ASKED, TURNS)
    assert int(np.argmax(scores)) == 0
    assert Turnjudge().scores(ASKED, []) == []


def test_a_score_does_not_depend_on_what_is_read_beside() -> None:
    judge = Turnjudge()
    together = judge.scores(ASKED, TURNS)
    assert [judge.scores(ASKED, [turn])[0] for turn in TURNS] == together
    assert judge.scores(ASKED, TURNS[::-1]) == together[::-1]


def test_a_long_turn_is_read_as_far_as_the_reach() -> None:
    judge = Turnjudge(reach=32)
    long = TURNS[0] + " and so on" * 300
    assert judge.scores(ASKED, [long]) == judge.scores(ASKED, [long + " and the answer is the cello"])
    with pytest.raises(InvalidRequest, match="reach: 2 word pieces"):
        Turnjudge(reach=2)


def test_the_door_takes_it_by_name_and_says_who_reranked() -> None:
    with treering.open(":memory:", space="me", embedder="turnfinder", reranker="turnjudge", judge="none") as mem:
        for turn in TURNS:
            speaker, _, text = turn.partition(": ")
            mem.add(text, speaker=speaker)
        answer = mem.recall(ASKED, explain=True)
        assert answer.reranked_by == "turnjudge"
        told = {hit.memory.content: hit.explanation.modifiers.get("rerank", 0.0) for hit in answer if hit.explanation}
        assert "cello" in answer[0].memory.content
        assert "cello" in max(told, key=lambda content: told[content])
        assert min(told.values()) < max(told.values()) == 0.0
        assert mem.without_reranker().recall(ASKED).reranked_by is None


def test_settings_of_other_rerankers_do_not_disturb_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_RERANKER", "turnjudge")
    monkeypatch.setenv("TREERING_RERANKER_MODEL", "/nowhere")
    monkeypatch.setenv("TREERING_RERANKER_URL", "http://localhost:1")
    with treering.open(":memory:", space="me", judge="none") as mem:
        mem.add("I live in Oslo")
        assert mem.recall("Where do I live?").reranked_by == "turnjudge"


def test_a_damaged_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turnjudge, "DIGEST", "0" * 64)
    with pytest.raises(Corrupted, match="sha256"):
        open_reranker("turnjudge").scores(ASKED, TURNS[:1])


# the word table


def test_a_model_asks_for_the_table_and_has_none_of_its_own() -> None:
    for kind in (Turnfinder, Turnjudge):
        graph = onnx.load(Path(__import__(kind.__module__, fromlist=["x"]).__file__).parent / MODEL).graph
        assert NAME not in {one.name for one in graph.initializer}
        assert any(NAME in node.input for node in graph.node)
        assert max(numpy_helper.to_array(one).nbytes for one in graph.initializer) < 1_000_000


def test_the_table_that_is_joined_is_the_one_that_is_read() -> None:
    with ExitStack() as stack:
        model, words = (data_file(name, stack).read_bytes() for name in (MODEL, WORDS))
    given = {name: np.array([[101, 2054, 102]]) for name in ("input_ids",)}
    given["attention_mask"] = np.ones_like(given["input_ids"])
    right = open_session(with_words(model, words)).run(None, given)[0]
    assert np.allclose(right, Turnfinder().embed(["what"]), atol=1e-6)
    changed = bytearray(words)
    changed[2054 * WIDTH : 2055 * WIDTH] = bytes(WIDTH)
    assert not np.allclose(open_session(with_words(model, bytes(changed))).run(None, given)[0], right, atol=1e-2)


@pytest.mark.parametrize("words", [b"", b"x" * (WIDTH + 1)])
def test_a_table_without_whole_rows_is_refused(words: bytes) -> None:
    with pytest.raises(Corrupted, match="no whole rows"):
        with_words(b"", words)
