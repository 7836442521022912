"""Figures of sets that nobody had seen: the interval, what is met, and the sets themselves."""

from __future__ import annotations

import json
from math import isnan

import pytest

from bench import blind, second


@pytest.mark.parametrize(
    ("share", "count", "low", "high"),
    [(0.5, 100, 0.404, 0.596), (0.0, 10, 0.0, 0.278), (1.0, 10, 0.722, 1.0), (0.721, 517, 0.681, 0.758)],
)
def test_the_interval_is_wilsons(share: float, count: int, low: float, high: float) -> None:
    assert blind.interval(share, count) == pytest.approx((low, high), abs=0.001)


def test_of_nothing_anything_may_be() -> None:
    assert blind.interval(0.0, 0) == (0.0, 1.0)


def test_a_goal_is_a_least_or_a_most() -> None:
    told = {
        "rows": [("first", 0.83, 100, 0.82, False), ("stale", 0.09, 100, 0.08, True), ("three", 0.9, 100, None, False)]
    }
    assert [row[3] for row in blind.rows(told)] == ["met", "NOT MET", ""]


def test_the_newest_set_is_examined_by_the_parts() -> None:
    """A few of each, so that the parts fit together; the figures are `make bench-blind`'s."""

    def some(name: str) -> list[object]:
        newest = max(path for path in blind.SETS.iterdir() if (path / name).is_file())
        return [json.loads(line) for line in (newest / name).read_text(encoding="utf-8").splitlines()[:2]]

    found = [
        *blind.of_streams(some("streams.jsonl"), ["The kettle sings."]),
        *blind.of_stories("stories", some("stories.jsonl"), merged=True),
        *blind.of_stories("work", some("work.jsonl"), merged=False),
        *blind.of_messages(some("messages.jsonl")),
    ]
    assert len(found) == 22
    assert [what for what, *_ in found[-5:]] == [
        "messages: covered", "messages: kinds of covered", "messages: names, F1", "messages: facts, F1",
        "messages: dates of covered",
    ]  # fmt: skip
    assert all(0.0 <= share <= 1.0 for _, share, _, _, _ in found if not isnan(share))


def test_another_author_is_scored_by_what_they_wrote() -> None:
    folder = second.FOLDER
    cases = blind.lines(folder / "messages.jsonl")[:20]
    author = second.SecondAuthor(folder)
    by_name = {what: share for what, share, *_ in blind.of_messages(cases, author, "another")}
    assert 0.5 < by_name["messages, another: covered"] <= 1
    author._labels = {name: {**one, "memories": []} for name, one in author._labels.items()}
    assert blind.of_messages(cases, author, "another")[0][1] == 0
    assert all(share > 0.9 for _, share, *_ in second.stories(folder))
