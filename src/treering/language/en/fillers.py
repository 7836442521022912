"""Which words of a sentence need not be told? Those by which it is one, and those that only say that it is so now."""

from __future__ import annotations

_BY_WHICH_IT_IS_ONE = "a an the am is are in at on for of to"
_ABOUT_NOW = "now actually currently presently these days nowadays finally anymore today still ok yes well"
NEED_NOT_BE_TOLD = frozenset(f"{_BY_WHICH_IT_IS_ONE} {_ABOUT_NOW}".split())
