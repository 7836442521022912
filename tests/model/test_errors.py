"""The tree of errors is the one that is drawn, and each kind has a word of its own."""

from __future__ import annotations

import inspect
import re

import treering
from treering import errors


def kinds() -> list[type[errors.TreeringError]]:
    found = [one for _, one in inspect.getmembers(errors, inspect.isclass)]
    return [one for one in found if issubclass(one, errors.TreeringError)]


def drawn() -> dict[str, str | None]:
    """Name and parent of every kind, as the docstring draws them."""
    parents: dict[str, str | None] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"([│ ]*(?:[├└]── )?)(\w+)(?:  .*)?$", line)
        if found and (found[2] in vars(errors)):
            depth = len(found[1]) // 4
            path = [*path[:depth], found[2]]
            parents[found[2]] = path[depth - 1] if depth else None
    return parents


def test_the_tree_is_as_drawn() -> None:
    assert drawn() == {
        one.__name__: None if one is errors.TreeringError else one.__bases__[0].__name__ for one in kinds()
    }
    assert len(kinds()) >= 11


def test_every_kind_has_a_code_of_its_own_named_after_it() -> None:
    codes = {one.__name__: one.code for one in kinds()}
    assert len(set(codes.values())) == len(codes)
    del codes["TreeringError"]
    assert codes == {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in codes}


def test_the_kinds_a_caller_meets_are_public() -> None:
    for one in kinds():
        if one.__name__ not in ("CallerError", "Fault"):
            assert getattr(treering, one.__name__) is one
