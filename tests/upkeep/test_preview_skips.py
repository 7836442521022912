"""A preview shows what applying would do, also where one cluster is too long to be one memory."""

from __future__ import annotations

import treering


def test_a_cluster_that_is_too_long_holds_up_no_other() -> None:
    with treering.open(":memory:", space="me", embedder="none") as mem:
        for n in range(3):
            mem.add(" ".join(f"Kitchen renovation cabinet {n}-{k} needs tiles and an oven." for k in range(430)))
        mem.add("I love hiking in the Alps in summer.")
        mem.add("I love hiking in the Alps in the summer.")
        shown = mem.consolidate(auto=True)
        done = mem.consolidate(auto=True, mode="apply")
    assert [one.memory_count for one in shown.previews] == [2]
    assert shown.skipped.keys() == done.skipped.keys()
    assert "characters" in next(iter(shown.skipped.values()))
