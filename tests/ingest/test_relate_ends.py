"""What is said to have ended, was replaced, was wrong or is denied: what ends with it, and what it leaves alone.

The statements come as drafts with their facts, so that nothing here hangs on how a sentence is read.
"""

from __future__ import annotations

import pytest
from tests.conftest import HandClock, scope
from tests.ingest.telling import claim, current, day, known, lives, objects, rules, tell, windows, works

from treering.door import Treering
from treering.model.edge import Link
from treering.store.contract import EdgeFilter, Store


def test_what_is_said_to_have_ended_ends_then(mem: Treering, clock: HandClock) -> None:
    old = tell(mem, "User works at Google", works("User", "Google", "2020-03-01"))
    clock.advance(days=1)
    receipt = tell(
        mem, "User left Google in May 2025", works("User", "Google", "2025-05-01", stance="ends"), kind="episode"
    )
    assert rules(receipt) == {("Google", "ended")}
    assert windows(mem, "User", "WORKS_FOR") == [("Google", "2020-03-01", "2025-05-01")]
    assert receipt.superseded == (old.id,)


def test_what_a_rule_ends_is_certain_to_be_over(mem: Treering, clock: HandClock, store: Store) -> None:
    tell(mem, "User works at Google", works("User", "Google"))
    clock.advance(days=1)
    tell(mem, "User left Google", works("User", "Google", stance="ends"))
    with store.reader(scope(clock)) as reader:
        (link,) = reader.edges(EdgeFilter(relations=(Link.SUPERSEDES,)))
    assert link.meta == {"score": 1.0}


def test_an_end_of_something_nobody_had_heard_of_is_kept_as_a_past(mem: Treering) -> None:
    tell(mem, "User left Google in May 2025", works("User", "Google", "2025-05-01", stance="ends"))
    assert objects(mem, "User", "WORKS_FOR") == set()
    ((what, _, until),) = windows(mem, "User", "WORKS_FOR")
    assert (what, until) == ("Google", "2025-05-01")


def test_what_had_ended_before_it_was_spoken_of_is_over(mem: Treering, clock: HandClock) -> None:
    """ "I work at Google", and five minutes later: "I left Google last May to join Anthropic"."""
    old = tell(mem, "User works at Google", works("User", "Google"))
    clock.advance(minutes=5)
    receipt = tell(
        mem,
        "User left Google in May 2025 to join Anthropic",
        works("User", "Google", "2025-05-01", stance="ends"),
        works("User", "Anthropic", "2025-05-01"),
        cue="change",
    )
    assert objects(mem, "User", "WORKS_FOR") == {"Anthropic"}
    assert objects(mem, "User", "WORKS_FOR", as_of=day("2025-06")) == {"Anthropic"}
    assert receipt.superseded == (old.id,)
    assert objects(mem, "User", "WORKS_FOR", known_at=old.at, as_of=clock.now) == {"Google"}


def test_an_end_before_a_beginning_that_was_stated_leaves_that_alone(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User works at Google since 2024", works("User", "Google", "2024"))
    clock.advance(days=1)
    tell(mem, "User had left Google in 2019", works("User", "Google", "2019", stance="ends"))
    assert objects(mem, "User", "WORKS_FOR") == {"Google"}


@pytest.mark.parametrize("stance", ["ends", "never"])
def test_an_end_that_is_not_certain_ends_nothing(mem: Treering, clock: HandClock, stance: str) -> None:
    tell(mem, "Bo lives in Oslo", lives("Bo", "Oslo"))
    clock.advance(days=1)
    receipt = tell(mem, "Bo may not live in Oslo", lives("Bo", "Oslo", stance=stance), confidence=0.4)
    assert (receipt.closed, receipt.superseded) == ((), ())
    assert objects(mem, "Bo", "LIVES_IN") == {"Oslo"}


def test_the_end_of_one_value_leaves_the_others(mem: Treering, clock: HandClock) -> None:
    for one in ("Ada", "Bo"):
        tell(mem, f"User is friends with {one}", claim("User", "FRIEND_OF", one))
    clock.advance(days=1)
    tell(mem, "User and Bo are friends no more", claim("User", "FRIEND_OF", "Bo", stance="ends"))
    assert objects(mem, "User", "FRIEND_OF") == {"Ada"}


def test_what_is_between_two_people_ends_whichever_of_them_it_was_said_of(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada and Bo are a couple", claim("Ada", "PARTNER_OF", "Bo"))
    clock.advance(days=1)
    receipt = tell(mem, "Bo broke up with Ada", claim("Bo", "PARTNER_OF", "Ada", stance="ends"))
    assert {one.rule for one in receipt.closed} == {"ended"}
    assert mem.facts(relation="PARTNER_OF") == []


def test_what_is_no_longer_had_is_no_longer_used_either(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User uses a Pixel 6", claim("User", "USES", "Pixel 6"))
    clock.advance(days=1)
    tell(mem, "User sold the Pixel 6", claim("User", "OWNS", "Pixel 6", stance="ends"))
    assert objects(mem, "User", "USES") == set()


# replaced, taken over, returned


def test_a_value_that_is_replaced_by_name_ends_in_whatever_way_it_was_had(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User uses VS Code", claim("User", "USES", "VS Code"))
    tell(mem, "User uses Figma", claim("User", "USES", "Figma"))
    clock.advance(days=1)
    receipt = tell(
        mem, "User prefers Neovim over VS Code", claim("User", "PREFERS", "Neovim", instead_of="VS Code"), cue="change"
    )
    assert rules(receipt) == {("VS Code", "replaced")}
    assert objects(mem, "User", "USES") == {"Figma"}
    assert objects(mem, "User", "PREFERS") == {"Neovim"}


def test_of_several_values_the_one_that_is_named_is_replaced(mem: Treering, clock: HandClock) -> None:
    for what in ("Vim", "Emacs", "Vim Golf"):
        tell(mem, f"User uses {what}", claim("User", "USES", what))
    clock.advance(days=1)
    receipt = tell(mem, "User uses Helix instead of Emacs", claim("User", "USES", "Helix", instead_of="Emacs"))
    assert rules(receipt) == {("Emacs", "replaced")}
    assert objects(mem, "User", "USES") == {"Vim", "Vim Golf", "Helix"}


def test_replacing_what_somebody_else_has_leaves_it_to_them(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada uses VS Code", claim("Ada", "USES", "VS Code"))
    clock.advance(days=1)
    receipt = tell(mem, "User went to Neovim", claim("User", "USES", "Neovim", instead_of="VS Code"), cue="change")
    assert receipt.closed == ()
    assert objects(mem, "Ada", "USES") == {"VS Code"}


def test_who_takes_over_a_role_ends_it_for_who_had_it(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada manages the museum project", claim("Ada", "MANAGES", "Museum project"))
    clock.advance(days=1)
    receipt = tell(mem, "Bo manages the museum project now", claim("Bo", "MANAGES", "Museum project"), cue="change")
    assert rules(receipt) == {("Museum project", "taken over")}
    assert known(mem, relation="MANAGES") == {("Bo", "MANAGES", "Museum project")}


def test_without_a_word_of_change_two_may_manage_the_same(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Ada manages the museum project", claim("Ada", "MANAGES", "Museum project"))
    clock.advance(days=1)
    tell(mem, "Bo manages the museum project", claim("Bo", "MANAGES", "Museum project"))
    assert len(known(mem, relation="MANAGES")) == 2


def test_going_back_to_something_ends_what_had_taken_its_place(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User uses Vim", claim("User", "USES", "Vim"))
    clock.advance(days=1)
    tell(mem, "User switched to Zed", claim("User", "USES", "Zed", instead_of="Vim"), cue="change")
    clock.advance(days=1)
    receipt = tell(mem, "User is back on Vim", claim("User", "USES", "Vim"), cue="change")
    assert rules(receipt) == {("Zed", "returned")}
    assert objects(mem, "User", "USES") == {"Vim"}
    assert windows(mem, "User", "USES") == [
        ("Vim", "2026-01-01", "2026-01-02"),
        ("Zed", "2026-01-02", "2026-01-03"),
        ("Vim", "2026-01-03", None),
    ]


# what was wrong


def test_a_correction_makes_the_old_value_never_true_and_the_new_one_true_from_then(
    mem: Treering, clock: HandClock
) -> None:
    before = tell(mem, "Ada lives in Lyon", lives("Ada", "Lyon", "2020-01-01")).at
    clock.advance(days=1)
    receipt = tell(mem, "Actually Ada lives in Nice", lives("Ada", "Nice"), cue="correction")
    assert rules(receipt) == {("Lyon", "corrected")}
    assert objects(mem, "Ada", "LIVES_IN") == {"Nice"}
    for moment in ("2020-01-01", "2023-06-01"):
        assert objects(mem, "Ada", "LIVES_IN", as_of=day(moment)) == {"Nice"}
    assert objects(mem, "Ada", "LIVES_IN", as_of=day("2023"), known_at=before) == {"Lyon"}
    assert current(mem) == ["Actually Ada lives in Nice"]


def test_what_is_denied_was_never_so(mem: Treering, clock: HandClock) -> None:
    tell(mem, "Bo's blood is A positive", claim("Bo", "HAS_BLOOD_TYPE", "A positive", "2000-01-01"))
    clock.advance(days=1)
    receipt = tell(
        mem,
        "Bo's blood is A negative, not A positive",
        claim("Bo", "HAS_BLOOD_TYPE", "A positive", stance="never"),
        claim("Bo", "HAS_BLOOD_TYPE", "A negative"),
        cue="correction",
    )
    assert ("A positive", "corrected") in rules(receipt)
    assert objects(mem, "Bo", "HAS_BLOOD_TYPE") == {"A negative"}
    assert "A positive" not in objects(mem, "Bo", "HAS_BLOOD_TYPE", as_of=day("2010"))


def test_a_correction_of_a_correction_leaves_the_last_word(mem: Treering, clock: HandClock) -> None:
    for where in ("Lyon", "Nice", "Lille"):
        tell(mem, f"It is {where} where Ada lives", lives("Ada", where), cue=None if where == "Lyon" else "correction")
        clock.advance(days=1)
    assert objects(mem, "Ada", "LIVES_IN") == {"Lille"}
    assert objects(mem, "Ada", "LIVES_IN", as_of=day("2026-01-02")) == {"Lille"}


# what is denied


def test_to_deny_one_value_says_nothing_of_another(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User lives in Austin", lives("User", "Austin"))
    clock.advance(days=1)
    receipt = tell(mem, "User does not live in Boston", lives("User", "Boston", stance="ends"))
    assert (receipt.closed, receipt.superseded) == ((), ())
    assert objects(mem, "User", "LIVES_IN") == {"Austin"}
