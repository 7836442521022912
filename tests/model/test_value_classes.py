"""A class of values made by treering.values behaves as one made by the standard library."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from treering.values import dataclass

HOW = ({}, {"slots": True}, {"slots": True, "kw_only": True}, {"slots": True, "repr": False})


def pair(make: Callable[..., Any], how: dict[str, bool]) -> type:
    class Pair:
        KIND: ClassVar[str] = "pair"
        left: int
        right: list[int] = dataclasses.field(default_factory=list, hash=False)
        note: str = dataclasses.field(default="", compare=False)

        def __post_init__(self) -> None:
            if self.left < 0:
                raise ValueError("left is below zero")

    return make(Pair, frozen=True, **how)  # type: ignore[no-any-return]


@pytest.fixture(params=HOW, ids=str)
def both(request: pytest.FixtureRequest) -> tuple[type, type]:
    return pair(dataclass, request.param), pair(dataclasses.dataclass, request.param)


def test_it_is_called_compared_counted_and_shown_as_the_standard_one(both: tuple[type, type]) -> None:
    shown = []
    for kind in both:
        one, same, other = kind(left=1), kind(left=1, note="seen"), kind(left=1, right=[2])
        assert (one == same, one == other, one == 1) == (True, False, False)
        assert hash(one) == hash(same) == hash(other)
        assert one.right is not same.right
        shown.append(repr(one).replace(hex(id(one)), "at"))
    assert shown[0] == shown[1]


def test_its_description_is_that_of_the_standard_one(both: tuple[type, type]) -> None:
    ours, theirs = both
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert ours.__match_args__ == theirs.__match_args__
    assert hasattr(ours, "__slots__") == hasattr(theirs, "__slots__")
    assert [(one.name, one.type, one.kw_only) for one in dataclasses.fields(ours)] == [
        (one.name, one.type, one.kw_only) for one in dataclasses.fields(theirs)
    ]


def test_wrong_arguments_are_refused_with_the_same_words(both: tuple[type, type]) -> None:
    said = []
    for kind in both:
        with pytest.raises(TypeError) as lacking:
            kind()
        with pytest.raises(ValueError, match="below zero"):
            kind(left=-1)
        said.append(str(lacking.value))
    assert said[0] == said[1]


def test_nothing_of_it_is_changed_and_a_copy_is_equal(both: tuple[type, type]) -> None:
    one = both[0](left=1, right=[3])
    with pytest.raises(dataclasses.FrozenInstanceError, match="left"):
        one.left = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="left"):
        del one.left
    assert copy.copy(one) == copy.deepcopy(one) == one
    assert dataclasses.replace(one, left=2) == both[0](left=2, right=[3])
    assert dataclasses.asdict(one) == {"left": 1, "right": [3], "note": ""}


@dataclass(frozen=True, slots=True)
class Kept:
    name: str

    def __repr__(self) -> str:
        return f"<{self.name}>"


@dataclass(frozen=True, slots=True)
class KeptLonger(Kept):
    years: int = 1


def test_it_is_pickled_keeps_its_own_methods_and_others_stand_on_it() -> None:
    assert pickle.loads(pickle.dumps(Kept("a"))) == Kept("a")
    assert repr(Kept("a")) == "<a>"
    assert KeptLonger("a", 2) == KeptLonger("a", years=2) != KeptLonger("a")
    assert str(inspect.signature(KeptLonger)) == "(name: 'str', years: 'int' = 1) -> None"


def test_the_door_is_loaded_with_few_of_its_values_written() -> None:
    """What a command does not use costs it nothing; a hundred of four hundred are those of other packages."""
    ask = (
        "import dataclasses\n"
        "made, process = [], dataclasses._process_class\n"
        "dataclasses._process_class = lambda cls, init, *a, **k: (made.append(init), process(cls, init, *a, **k))[1]\n"
        "import treering.door\n"
        "print(sum(made), len(made))"
    )
    answer = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True).stdout.split()
    assert int(answer[0]) < int(answer[1]) / 2
