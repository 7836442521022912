"""Every rule reads the sentences that stand beside it, and claims of them what is written there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Claim, Heard, Stance
from treering.ingest.extract.rules import RulesExtractor
from treering.ingest.extract.rules.tables import TABLE

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)
EXAMPLES = [(rule.name, *example) for rule in TABLE for example in rule.examples]


def written(claim: Claim) -> str:
    ending = "" if claim.stance is Stance.HOLDS else f" {claim.stance}"
    return f"{claim.subject} {claim.relation} {claim.object}{ending}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example[0]}: {example[1]}")
def test_a_rule_reads_its_examples(example: tuple[str, ...]) -> None:
    (extraction,) = RulesExtractor().extract([Heard(text=example[1], at=SAID)])
    claimed = {written(claim) for one in extraction.extracted for claim in one.claims}
    perhaps = {f"{written(claim)} perhaps" for one in extraction.extracted for claim in one.perhaps}
    assert set(example[2:]) <= claimed | perhaps


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [rule.name for rule in TABLE]
    assert len(names) == len(set(names))
