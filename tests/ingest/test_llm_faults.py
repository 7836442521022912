"""A language model that is down, slow, mad or too dear: what was said is read all the same, and the reason is told."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.endpoint import Play, says
from tests.ingest.reading import (
    JOB,
    JOINED,
    LEFT,
    Reader,
    claim,
    contents,
    entity,
    heard,
    statement,
    writes,
    writes_text,
)  # fmt: skip

from treering.errors import InvalidRequest
from treering.ingest.extract.budget import Budget, SpendingInMemory, Term, Tokens
from treering.ingest.extract.llm import ReadingPolicy

GOOD = writes(LEFT, JOINED)


def slowly(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    time.sleep(0.5)
    return GOOD(asked)


@pytest.mark.parametrize(
    ("parts", "requests", "trouble"),
    [
        ([says(500)], 3, "status 500, 3 times"),
        ([says(429, retry_after="2")], 3, "status 429, 3 times"),
        ([says(401)], 1, "the key was refused"),
        ([slowly], 1, "no answer in time"),
        ([says(200, b"<html>", content_type="text/html")], 1, "not JSON"),
        ([says(200, b'{"choices": []}')], 1, "not a chat answer"),
        ([says(200, b"x" * (5 << 20))], 1, "longer than 4,194,304 bytes"),
        ([writes_text("I would rather not.")], 2, "unfit twice: the answer: Invalid JSON"),
        ([writes_text('{"statements": [{"content": "x"}]}')], 2, "unfit twice: statements[0].quote: Field required"),
        ([writes_text('{"statements": [], "admin": true}')], 2, "unfit twice: admin: Extra inputs"),
        ([writes_text("[" * 100_000)], 2, "unfit twice"),
        ([writes(*[LEFT] * 101)], 2, "101 are too many"),
        ([writes(LEFT, finish="length")], 1, "its answer was longer than"),
    ],
)
def test_whatever_goes_wrong_the_text_is_read_by_another_and_the_reason_is_told(
    reader: Reader, parts: list[Play], requests: int, trouble: str
) -> None:
    found = reader.read(JOB, *parts, options={"timeout_seconds": 0.25})
    assert contents(found) == [JOB]
    assert found.extractor == "none"
    assert found.trouble is not None
    assert found.trouble.startswith("llm: ")
    assert trouble in found.trouble
    assert found.trouble.endswith("none read it instead") or len(found.trouble) == 300
    assert "\n" not in found.trouble
    assert len(reader.endpoint.requests) == requests


def test_a_server_that_is_not_there_loses_nothing(reader: Reader) -> None:
    found = reader.read(JOB, GOOD, options={"base_url": "http://127.0.0.1:9/v1"})
    assert (contents(found), found.extractor) == ([JOB], "none")
    assert "the connection failed (ConnectError), 3 times" in str(found.trouble)


def test_too_many_requests_are_waited_out(reader: Reader) -> None:
    found = reader.read(JOB, says(429, retry_after="2"), says(503), GOOD)
    assert (found.extractor, found.trouble) == ("llm", None)
    assert 2.0 <= reader.endpoint.waits[0] <= 2.5


def test_once_a_server_is_found_down_the_rest_of_a_call_does_not_wait_for_it(reader: Reader) -> None:
    texts = [heard(f"I own {count} boats.") for count in range(20)]
    found = reader.by(says(500), policy=ReadingPolicy(at_once=1)).extract(texts)
    assert [contents(one) for one in found] == [[one.text] for one in texts]
    assert all("status 500" in str(one.trouble) for one in found)
    assert len(reader.endpoint.requests) == 6  # two texts, three tries each


def test_an_unfit_answer_is_asked_for_again_with_what_is_wrong_in_it(reader: Reader) -> None:
    unfit = statement("User works at Anthropic.", "employed by Anthropic", entities=[entity("OpenAI")])
    found = reader.read(JOB, writes(unfit), writes(LEFT, JOINED))
    assert (len(found.extracted), found.extractor, found.trouble) == (2, "llm", None)
    first, second = (request["messages"] for request in reader.endpoint.requests)
    assert second[: len(first)] == first
    assert second[-2]["role"] == "assistant"
    wrong = json.loads(second[-1]["content"].partition(": ")[2])
    assert wrong == [
        "statements[0].quote: 'employed by Anthropic' is not in the text; copy the words exactly, as one piece",
        "statements[0].entities[0].name: 'OpenAI' was not said; names stay as they are in the text",
    ]


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"kind": "rumour"}, "kind"),
        ({"certainty": "very"}, "certainty"),
        ({"cue": "maybe"}, "cue"),
        ({"event_time": "last May"}, "event_time: 'last May' is not an ISO 8601 time"),
        ({"event_time": "2025-05-01T09:00:00"}, "event_time: '2025-05-01T09:00:00' has no time zone"),
        ({"event_time": "2025-13-01T09:00:00Z"}, "is not a time that exists"),
        ({"event_time": "2025-05-02", "event_end": "2025-05-01"}, "event_end: 2025-05-01 is before 2025-05-02"),
        ({"event_time": "2024-05-01"}, "event_time: 2024-05-01 is no time that was spoken of; null if none was"),
        ({"event_time": "0000-05-01"}, "is not a time that exists"),
        ({"expires_at": "9999-12-31T23:59:59Z"}, "expires_at: 9999-12-31 is no time that was spoken of"),
        ({"event_time": "0001-01-01T00:00:00Z"}, "event_time: 1-01-01 is no time that was spoken of"),
        ({"expires_at": "2025-05-09"}, "expires_at: 2025-05-09 is before 2026-02-10"),
        ({"quote": ""}, "quote: '' is not in the text"),
        ({"content": "  "}, "content: is empty"),
        ({"content": "I left Google."}, "content: 'I left Google.' does not stand alone; say who is meant"),
        ({"content": "User left Google. " * 200}, "content: 3,600 characters"),
        ({"content": "User left Google\x00"}, "content: holds a NUL character"),
        ({"entities": [entity("Mozilla")]}, "entities[0].name: 'Mozilla' was not said"),
        ({"entities": [entity("Google", role="rival")]}, "entities[0].role: 'rival' was not said"),
        ({"entities": [entity("Google", kind="admin")]}, "entities[0].kind"),
        ({"entities": [entity("Google")] * 201}, "entities: 201 are too many"),
        ({"claims": [claim("Sundar", "WORKS_FOR", "Google")]}, "claims[0].subject: 'Sundar' was not said"),
        ({"claims": [claim("User", "WORKS_FOR", "Alphabet")]}, "claims[0].object: 'Alphabet' was not said"),
        ({"claims": [claim("User", "IS_ADMIN_OF", "Google")]}, "relation: 'IS_ADMIN_OF' is neither a known one"),
        ({"claims": [claim("User", "→", "Google")]}, "cannot be written as UPPER_SNAKE"),
        ({"claims": [claim("User", "WORKS_FOR", "Anthropic", instead_of="Apple")]}, "instead_of: 'Apple' was not said"),
        ({"claims": [claim("User", "WORKS_FOR", "Google", stance="maybe")]}, "stance"),
        ({"claims": [claim("User", "WORKS_FOR", "Google", valid_from="May")]}, "valid_from: 'May' is not"),
        ({"claims": [claim("User", "USES", "Google", valid_from="2025-05-02", valid_until="2025-05-01")]}, "period"),
    ],
)
def test_an_answer_with_a_value_out_of_bounds_is_not_believed(
    reader: Reader, changed: dict[str, Any], complaint: str
) -> None:
    found = reader.read(JOB, writes({**LEFT, **changed}))
    assert (contents(found), found.extractor) == ([JOB], "none")
    assert complaint in str(found.trouble)


def test_without_an_answer_nothing_is_left_of_a_budget_nor_taken_from_it(reader: Reader) -> None:
    spending = SpendingInMemory()
    reader.read(JOB, says(500), spending=spending)
    assert spending.spent("lab") == Tokens()


def test_what_an_endpoint_counts_is_what_a_space_has_spent(reader: Reader, clock: HandClock) -> None:
    spending = SpendingInMemory()
    reader.read(JOB, GOOD, spending=spending, clock=clock)
    assert spending.spent("lab") == spending.spent("lab", clock.now.date()) == Tokens(100, 50)
    assert spending.spent("other") == Tokens()


def test_where_an_endpoint_counts_nothing_tokens_are_reckoned(reader: Reader) -> None:
    spending = SpendingInMemory()
    reader.read(JOB, writes_text('{"statements": []}', tokens=None), spending=spending)
    assert spending.spent("lab").read > 500
    assert spending.spent("lab").written == 7


def test_a_budget_that_is_spent_ends_in_the_fallback_until_the_next_day(reader: Reader, clock: HandClock) -> None:
    spending, budget = SpendingInMemory(), Budget(tokens=10_000)
    model = reader.by(writes(LEFT, JOINED, tokens=(8_000, 1_000)), spending=spending, budget=budget, clock=clock)
    first, second = model.extract([heard()]), model.extract([heard()])
    assert (first[0].extractor, first[0].trouble) == ("llm", None)
    assert (contents(second[0]), second[0].extractor) == ([JOB], "none")
    assert "the budget of 10,000 tokens a day is spent or would be; 9,000 tokens were used" in str(second[0].trouble)
    assert len(reader.endpoint.requests) == 1
    clock.advance(days=1)
    assert model.extract([heard()])[0].extractor == "llm"


def test_a_budget_in_all_does_not_come_back_with_the_day(reader: Reader, clock: HandClock) -> None:
    budget = Budget(cost=0.02, price_read=1.0, price_written=5.0, term=Term.TOTAL)
    model = reader.by(writes(LEFT, JOINED, tokens=(2_000, 3_000)), budget=budget, clock=clock)
    assert model.extract([heard()])[0].extractor == "llm"  # 0.017 of 0.02
    clock.advance(days=400)
    assert "the budget of 0.02 in all is spent" in str(model.extract([heard()])[0].trouble)


def test_texts_read_at_once_do_not_break_a_budget_together(reader: Reader) -> None:
    spending = SpendingInMemory()
    dear = writes(LEFT, JOINED, tokens=(2_000, 1_000))
    model = reader.by(lambda asked: (time.sleep(0.05), dear(asked))[1], spending=spending, budget=Budget(tokens=7_500))
    found = model.extract([heard()] * 8)
    assert spending.spent("lab").both <= 7_500
    assert {one.extractor for one in found} == {"llm", "none"}


@pytest.mark.parametrize("wrong", [{"tokens": -1}, {"cost": 1.0}, {"cost": float("nan")}])
def test_a_budget_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        Budget(**wrong)


def test_purses_of_two_days_are_two(clock: HandClock) -> None:
    spending = SpendingInMemory()
    day, next_day = datetime(2026, 1, 1, tzinfo=UTC).date(), datetime(2026, 1, 2, tzinfo=UTC).date()
    spending.spend("lab", day, Tokens(3, 1))
    spending.spend("lab", next_day, Tokens(5, 2))
    assert (spending.spent("lab", day), spending.spent("lab")) == (Tokens(3, 1), Tokens(8, 3))
