"""Another system's namespaces and our spaces: one name for one name, whatever it is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.errors import InvalidRequest, LimitExceeded
from treering.model.namespaces import namespace_of, namespace_or_none, space_of
from treering.model.space import space_name

TOLD = {
    "alphaone/research/papers": "alphaone/research/papers",
    "my-app": "my-app",
    "v1.2_x": "v1.2_x",
    "Team:a": "..54eam..3aa",
    "user:ann": "user..3aann",
    "AlphaOne": "..41lpha..4fne",
    "a b": "a..20b",
    "é": "..c3..a9",
    "a..b": "a..2e.b",
    ".A": "..2e..41",
    "..41": "..2e.41",
    "a//b": "a/../b",
    "/a": "../a",
    "a/": "a/..",
    "1/2/3/4/5/6/7/8/9": "1/2/3/4/5/6/7/8..2f9",
}


@pytest.mark.parametrize(("namespace", "space"), TOLD.items())
def test_a_namespace_has_its_space_and_the_space_its_namespace(namespace: str, space: str) -> None:
    assert space_of(namespace) == space
    assert namespace_of(space) == namespace


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=14))
def test_any_namespace_comes_back_as_it_was(namespace: str) -> None:
    try:
        space = space_of(namespace)
    except InvalidRequest:
        assert not namespace.strip()
        return
    assert space_name(space) == space
    assert namespace_of(space) == namespace_or_none(space) == namespace


@given(st.text(".a4/:A", min_size=1, max_size=12), st.text(".a4/:A", min_size=1, max_size=12))
def test_two_namespaces_never_share_a_space(one: str, other: str) -> None:
    assert (space_of(one) == space_of(other)) == (one == other)


@given(st.from_regex(r"[a-f0-9._-]{1,8}(/[a-f0-9._-]{1,8}){0,3}", fullmatch=True))
def test_a_space_is_asked_for_by_its_namespace_or_has_none(space: str) -> None:
    namespace = namespace_or_none(space)
    assert namespace is None or space_of(namespace) == space


def test_an_escape_that_nobody_wrote_here_stays_as_it_is() -> None:
    assert namespace_of("a..ff") == "a..ff"
    assert namespace_or_none("a..ff") is None
    assert namespace_or_none("..61") is None


@pytest.mark.parametrize("wrong", ["", "   ", "a\x00b", "\ud800"])
def test_a_namespace_that_no_store_can_hold_is_refused_by_name(wrong: str) -> None:
    with pytest.raises(InvalidRequest, match="namespace"):
        space_of(wrong)


def test_a_namespace_too_long_for_a_space_is_refused_with_the_reason() -> None:
    assert len(space_of("x" * 200)) == 200
    for long in ("x" * 201, "X" * 51):
        with pytest.raises(LimitExceeded, match=r"namespace: .*at most 200"):
            space_of(long)
