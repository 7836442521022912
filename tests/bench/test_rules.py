"""What a rule is worth: what it claims, and how much of it the authors of a text wrote down."""

from __future__ import annotations

from bench import rules

BERGEN = ("User", "LIVES_IN", "Bergen")


def test_a_claim_counts_by_what_the_author_of_the_text_wrote() -> None:
    wrote = [(BERGEN,), (("User", "BORN_IN", "Bergen"),), ()]
    found = rules.fired([rules.Told("I live in Bergen", "User", facts) for facts in wrote])
    spoke = {name: dict(tally) for name, tally in found.items() if tally}
    assert spoke == {"lives in": {"claims": 3, "pairs": 2, "facts": 1}}
    assert rules.rows(found)[0] == ("lives in", "3", "2", "1", "0", "0.667")
    assert rules.rows(found)[-1][0] == f"all {len(found)}"


def test_the_authors_texts_tell_facts() -> None:
    texts = [one for one, _ in zip(rules.told(), range(200), strict=False)]
    assert sum(bool(one.facts) for one in texts) > 100
