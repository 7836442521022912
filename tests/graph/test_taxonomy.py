"""Which spaces are there, and how much is in each? A tree whose counts are true, however much of it is cut."""

from __future__ import annotations

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.graph.taxonomy import Branch

SPACES = {"acme": 1, "acme/research": 2, "acme/research/papers": 3, "acme/sales/eu/north": 4, "acme-2": 5, "zoo": 1}


@pytest.fixture
def forest(mem: Treering) -> Treering:
    for space, number in SPACES.items():
        mem.add_many([{"content": f"{space} {n}"} for n in range(number)], space=space)
    return mem


def drawn(branch: Branch) -> dict[str, tuple[int, int]]:
    """Count and count with all below, by space."""
    found = {branch.space: (branch.count, branch.subtree_count)}
    for child in branch.children:
        found |= drawn(child)
    return found


def test_every_space_is_in_the_tree_with_what_it_holds_and_what_all_below_it_do(forest: Treering) -> None:
    assert drawn(forest.taxonomy()) == {
        "": (0, 16),
        "acme": (1, 10),
        "acme/research": (2, 5),
        "acme/research/papers": (3, 3),
        "acme/sales": (0, 4),
        "acme/sales/eu": (0, 4),
        "acme/sales/eu/north": (4, 4),
        "acme-2": (5, 5),
        "zoo": (1, 1),
    }


def test_a_prefix_is_the_root_of_its_own_tree(forest: Treering) -> None:
    assert drawn(forest.taxonomy("acme/research")) == {"acme/research": (2, 5), "acme/research/papers": (3, 3)}
    assert drawn(forest.taxonomy("acme/sales")) == {
        "acme/sales": (0, 4),
        "acme/sales/eu": (0, 4),
        "acme/sales/eu/north": (4, 4),
    }
    assert drawn(forest.taxonomy("nowhere")) == {"nowhere": (0, 0)}


@pytest.mark.parametrize("depth", [1, 2, 3, 8])
@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_counts_are_true_however_much_is_cut_and_it_says_how_much_is_left_out(
    forest: Treering, depth: int, limit: int
) -> None:
    whole, cut = drawn(forest.taxonomy()), forest.taxonomy(depth=depth, limit=limit)
    shown = drawn(cut)
    assert shown.items() <= whole.items()
    assert len(shown) <= limit + 1
    assert max(space.count("/") + 1 if space else 0 for space in shown) <= depth
    assert (cut.left_out > 0) == (limit < 3)


def test_only_what_holds_and_may_be_seen_is_counted(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    first = ann.add("one").id
    before = clock.now
    clock.advance(hours=1)
    ann.add("a secret", visibility="private")
    ann.add("two", space="lab/deep")
    ann.forget(first)
    counted = ann.taxonomy("lab").subtree_count, bob.taxonomy("lab").subtree_count
    assert counted == (2, 1)
    assert ann.taxonomy("lab", principal="bob").subtree_count == 1
    assert drawn(ann.taxonomy("lab", known_at=before)) == {"lab": (1, 1), "lab/deep": (0, 0)}
