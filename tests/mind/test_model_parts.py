"""A model that is cut in two says what it says as a whole, to the last bit, on one thread and on several."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from treering.errors import Corrupted
from treering.mind.inner_output import with_output
from treering.mind.judging import FoundStatement, Pair
from treering.mind.model_parts import cut_at
from treering.mind.transformer import Session, open_session
from treering.mind.turnreader import MASK, MIDDLE, MODEL, QUESTION, TurnReader, _data_file

SAID = [
    "User: I live in Bergen, close to the harbour.",
    "Nora: We moved the launch of Blue Harbor to June. Paul was against it.",
    "User: ok",
    "User: Moved to Oslo last week, and the kids go to school there; it is far, but they like it.",
    "User: The milk is in the fridge.",
]
OUTPUTS = ["verdict", "cut", "tag", "name", "asks", "states"]


@pytest.fixture(scope="module")
def model() -> bytes:
    with ExitStack() as stack:
        return _data_file(MODEL, stack).read_bytes()


@pytest.fixture(scope="module")
def whole(model: bytes) -> Session:
    return open_session(with_output(model, MIDDLE))


@pytest.fixture(scope="module")
def reader() -> TurnReader:
    return TurnReader(lanes=1)


def given(reader: TurnReader, first: str, second: list[str]) -> dict[str, Any]:
    coder = reader._model.get()
    opening, said = coder.pieces(first, QUESTION), [coder.pieces(one, 44) for one in second]
    ids = [coder._opening, *opening, coder._closing, *(one for part in said for one in (*part, coder._closing))]
    row = np.array([ids], np.int64)
    kinds = np.array([[0] * (len(opening) + 2) + [1] * (len(ids) - len(opening) - 2)], np.int64)
    return {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": kinds}


@pytest.mark.parametrize("many", [0, 1, 5, 10])
def test_a_model_in_two_parts_says_what_it_says_as_a_whole(whole: Session, reader: TurnReader, many: int) -> None:
    coder, said = reader._model.get(), (SAID * 2)[:many]
    plain = whole.run([*OUTPUTS, MIDDLE], given(reader, "Where do I live?", said))
    second = [coder.pieces(one, 44) for one in said]
    asked = coder.pieces("Where do I live?", QUESTION)
    found = coder.outputs(OUTPUTS, [asked], second)
    for name, one, other in zip(OUTPUTS, plain, found, strict=False):
        assert np.array_equal(one[0], other), name
    assert np.array_equal(plain[-1], coder._lower_of(*coder._coded([asked], second)))


def test_one_thread_says_what_several_say(model: bytes, reader: TurnReader) -> None:
    asked = given(reader, "Where do I live?", SAID * 2)
    alone, together = (open_session(model, threads).run(OUTPUTS, asked) for threads in (1, 3))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


@pytest.mark.parametrize("before", ["", "Nora: Where do you live now?", "Nora: And then? " * 30])
def test_facts_read_after_the_message_are_those_read_alone(reader: TurnReader, before: str) -> None:
    text = "I moved to Oslo last week and work at Harbor Labs as a nurse. " * 4
    reader.read(text, "User", before)
    after = reader.facts(text, "User", before)
    reader._model.get()._half_read.cache_clear()
    assert after == reader.facts(text, "User", before)
    assert after


def test_a_short_message_goes_through_the_first_layers_once(reader: TurnReader) -> None:
    half = reader._model.get()._half_read
    half.cache_clear()
    reader.read("I moved to Oslo last week.", "User", "Nora: Where do you live?")
    reader.facts("I moved to Oslo last week.", "User", "Nora: Where do you live?")
    assert half.cache_info()[:2] == (1, 1)
    reader.facts("I moved to Oslo last week.", "Nora", "Nora: Where do you live?")
    assert half.cache_info()[:2] == (1, 2)


def test_a_forked_process_reads_what_its_parent_reads(reader: TurnReader) -> None:
    """The runtime's threads stay behind."""
    said = tuple(FoundStatement(one) for one in SAID * 2)
    found = reader._roles_of("Where do I live?", said)
    child = os.fork()
    if child == 0:
        same = False
        try:
            same = reader._roles_of("Where do I live?", said) == found
            same = same and len(reader.judge([Pair(SAID[0], SAID[3])])) == 1
        finally:
            os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_mask_that_is_handed_on_and_one_that_is_left_out_come_to_the_same(model: bytes, reader: TurnReader) -> None:
    asked = given(reader, "Where do I live?", SAID * 2)
    lower, upper = (open_session(one) for one in cut_at(model, [MIDDLE, MASK]))
    middle, mask = lower.run([MIDDLE, MASK], asked)
    assert not mask.any()
    plain = upper.run(OUTPUTS, {MIDDLE: middle, MASK: mask, "attention_mask": asked["attention_mask"]})
    lower, upper = (open_session(one) for one in cut_at(model, [MIDDLE], zeros=MASK))
    (middle,) = lower.run([MIDDLE], {name: asked[name] for name in ("input_ids", "token_type_ids")})
    found = upper.run(OUTPUTS, {MIDDLE: middle, "attention_mask": asked["attention_mask"]})
    assert all(np.array_equal(one, other) for one, other in zip(plain, found, strict=True))


@pytest.mark.parametrize("tensor", ["nowhere", MIDDLE])
def test_zeros_that_are_not_only_added_are_refused(model: bytes, tensor: str) -> None:
    with pytest.raises(Corrupted, match="does not add"):
        cut_at(model, [MIDDLE], zeros=tensor)


def test_a_model_that_has_no_such_tensor_or_breaks_off_is_refused(model: bytes) -> None:
    with pytest.raises(Corrupted, match="nowhere"):
        cut_at(model, [MIDDLE, "nowhere"])
    with pytest.raises(Corrupted, match="ends within"):
        cut_at(model[: len(model) // 2], [MIDDLE, MASK])
    with pytest.raises(Corrupted, match="begins no field"):
        cut_at(b"\x07" + model, [MIDDLE, MASK])
    with pytest.raises(Corrupted, match="no graph"):
        cut_at(b"", [MIDDLE, MASK])
    with pytest.raises(Corrupted, match="ends within a number"):
        cut_at(b"\xff", [MIDDLE, MASK])
