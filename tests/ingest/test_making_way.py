"""What makes way for a new statement, and what is none of its business."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import treering


@pytest.fixture
def mem() -> Iterator[treering.Treering]:
    with treering.open(":memory:", space="told", embedder="turnfinder", extractor="reader") as door:
        yield door


def _facts(mem: treering.Treering) -> set[tuple[str, str, str]]:
    return {(one.subject, one.relation, one.object) for one in mem.facts()}


def test_a_correction_about_one_person_leaves_the_job_of_another_alone(mem: treering.Treering) -> None:
    mem.remember("My friend Alex works at Square.", speaker="Sam", at="2024-06-20T09:00:00Z")
    mem.remember("I work at Anthropic.", speaker="Sam", at="2025-05-12T09:00:00Z")
    told = mem.remember("Sorry, Alex works at Stripe, not Square.", speaker="Sam", at="2026-02-10T09:00:00Z")
    assert [(one.source, one.target, one.rule) for one in told.closed] == [("Alex", "Square", "corrected")]
    assert {("Sam", "WORKS_FOR", "Anthropic"), ("Alex", "WORKS_FOR", "Stripe")} <= _facts(mem)


def test_two_who_may_be_one_are_said_so_once(mem: treering.Treering) -> None:
    mem.remember("I met Anna from choir.", at="2026-02-14T09:00:00Z")
    told = mem.remember("My dentist Anna moved to Bonn.", at="2026-02-14T10:00:00Z")
    assert [one.why for one in told.possible_same] == ["both are called Anna"]
