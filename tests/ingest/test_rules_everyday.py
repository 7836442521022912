"""What people say of a day is no fact of their life: a parcel, a visit, a sideline, an ex. What is one, is read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.ingest.telling import current, known, objects, tell, works

import treering
from treering.door import Treering
from treering.ingest.extract.contract import Claim, Heard, Stance
from treering.ingest.extract.rules import RulesExtractor

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)
CLOSING = 0.6
"""A claim less certain than this closes nothing."""


def claims(text: str) -> list[Claim]:
    (extraction,) = RulesExtractor().extract([Heard(text=text, at=SAID)])
    return [claim for one in extraction.extracted for claim in one.claims]


def held(text: str, relation: str) -> set[str]:
    return {one.object for one in claims(text) if one.relation == relation and one.stance is Stance.HOLDS}


def surely_held(text: str, relation: str) -> set[str]:
    sure = [one for one in claims(text) if one.confidence >= CLOSING and one.stance is Stance.HOLDS]
    return {one.object for one in sure if one.relation == relation}


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Treering]:
    with treering.open(tmp_path / "life.db") as door:
        yield door


def told(mem: Treering, *sentences: str) -> None:
    for days, sentence in enumerate(sentences):
        mem.remember(sentence, at=SAID + timedelta(days=3 * days))


# --- what comes from somebody is no job


@pytest.mark.parametrize(
    "text",
    [
        "I got a voucher from Zalando",
        "I got a refund from Apple.",
        "I got a call from Siemens this morning",
        "I accepted an award from IEEE.",
        "I accepted a friend request from Igor.",
        "I found a good deal at Target.",
        "I signed a contract with Verizon.",
        "I got a rejection from Stripe.",
        "I got a job interview at Meta.",
    ],
)
def test_what_is_got_from_a_company_is_no_job_there(text: str) -> None:
    assert held(text, "WORKS_FOR") == set()


@pytest.mark.parametrize(
    "text",
    [
        "I got an offer from Bosch.",
        "I got a job offer from Bosch but turned it down",
        "I got an offer from Bosch, then declined",
        "I got a job at Bosch for my cousin.",
        "We landed an internship at Bosch for our daughter",
    ],
)
def test_an_offer_that_was_not_taken_or_is_for_somebody_else_is_no_job(text: str) -> None:
    assert held(text, "WORKS_FOR") == set()


@pytest.mark.parametrize("text", ["I got hired by Bosch", "I started at Bosch"])
def test_a_job_that_was_begun_is_a_job(text: str) -> None:
    assert surely_held(text, "WORKS_FOR") == {"Bosch"}


# --- where somebody is just now


@pytest.mark.parametrize(
    "text",
    [
        "I'm at Walmart now.",
        "I'm at Legoland with the twins",
        "I'm with my sister at Tesco",
        "I've been at Lidl all morning",
        "We're staying at the Marriott until Friday",
        "We're staying at Novotel",
        "I'm with Vodafone",
        "I'm at Google for a meeting",
        "I'll be at Google tomorrow",
        "I spent three hours at IKEA",
        "My wife is at Target.",
    ],
)
def test_who_is_at_a_place_as_a_guest_does_not_work_there(text: str) -> None:
    assert held(text, "WORKS_FOR") == set()


@pytest.mark.parametrize(
    "text",
    [
        "I'm at Nvidia now",
        "I'm at Nvidia now, since March",
        "I've been at Nvidia for six years",
        "I'm still at Nvidia",
        "Alex is at Nvidia, not at Square",
        "I'm at Nvidia, senior designer",
    ],
)
def test_who_is_at_a_company_for_good_works_there(text: str) -> None:
    assert surely_held(text, "WORKS_FOR") == {"Nvidia"}


@pytest.mark.parametrize(
    "text",
    [
        "I'm in Turin today",
        "we're in Turin for our anniversary weekend, flying home on Sunday",
        "I'm in Turin for a conference",
        "I'm in Turin visiting my aunt",
        "we're in Turin on holiday",
        "I'm in Turin until Thursday",
        "I'm housesitting in Turin",
    ],
)
def test_a_visit_is_no_home(text: str) -> None:
    assert (held(text, "LIVES_IN"), held(text, "VISITED")) == (set(), {"Turin"})


@pytest.mark.parametrize(
    "text",
    [
        "I'm in Turin these days",
        "we're in Turin now",
        "I'm back in Turin",
        "I've lived in Turin for ten years",
    ],
)
def test_who_is_somewhere_for_good_lives_there(text: str) -> None:
    assert surely_held(text, "LIVES_IN") == {"Turin"}


def test_who_only_says_where_they_are_is_believed_until_something_else_is_known() -> None:
    assert held("I'm in Turin", "LIVES_IN") == {"Turin"}
    assert surely_held("I'm in Turin", "LIVES_IN") == set()


@pytest.mark.parametrize(
    "text", ["I'm with Marta at the gym", "I'm seeing Dr. Patel on Friday", "I'm with Marta today", "I'm with Marta"]
)
def test_who_is_in_company_is_no_partner(text: str) -> None:
    assert held(text, "PARTNER_OF") == set()


@pytest.mark.parametrize("text", ["I'm dating Igor", "I've been dating Igor since 2019"])
def test_who_is_with_somebody_for_long_is_a_partner(text: str) -> None:
    assert surely_held(text, "PARTNER_OF") == {"Igor"}


@pytest.mark.parametrize(
    "text", ["We moved to Slack.", "I live in Slack all day", "We moved to the new office in Boulder."]
)
def test_nobody_lives_in_a_product_or_an_office(text: str) -> None:
    assert held(text, "LIVES_IN") == set()


# --- a sideline takes nobody's place


@pytest.mark.parametrize(
    "second",
    [
        "I also work at Lidl",
        "I work part-time at Lidl",
        "I work at Lidl on Saturdays",
        "I volunteer at the Red Cross.",
        "I freelance for Vice.",
        "I work with Dana on the Apollo project.",
        "I work with React.",
        "I work at the Zurich office.",
        "I'm a PhD student at MIT.",
        "I joined Discord.",
        "I joined Netflix for the free trial.",
        "I joined Dana for lunch.",
        "I'm a volunteer firefighter on weekends.",
        "I'm a guitarist",
        "I left Volvo early today.",
        "I also teach at Denver Community College.",
        "I'm the treasurer of our choir.",
        "I'm a member of the Rotary Club.",
        "I joined the Mozilla community.",
        "I almost joined Nokia.",
        "I found my old job at Nokia boring.",
        "I'm working at Starbucks today.",
    ],
)
def test_a_sideline_leaves_the_job_and_what_was_said_of_it(mem: Treering, second: str) -> None:
    told(mem, "I work at Volvo as an engineer.", second)
    assert {("User", "WORKS_FOR", "Volvo"), ("User", "HAS_ROLE", "engineer")} <= known(mem)
    assert "User works at Volvo as an engineer" in current(mem)


@pytest.mark.parametrize(
    "second",
    ["I joined Stripe as a designer", "I started at Reddit", "I work at Lidl now"],
)
def test_another_job_takes_the_place_of_the_first(mem: Treering, second: str) -> None:
    told(mem, "I work at Volvo.", second)
    assert "Volvo" not in objects(mem, "User", "WORKS_FOR")


def test_where_somebody_works_stays_known_when_they_name_another_role(mem: Treering) -> None:
    told(mem, "I work at Volvo as an engineer.", "I'm a firefighter.")
    assert "User works at Volvo as an engineer" in current(mem)


def test_what_says_the_old_role_makes_way_where_that_is_said_to_have_changed(mem: Treering) -> None:
    told(mem, "I work at Volvo as an engineer.", "I got promoted to director.")
    assert ("User", "WORKS_FOR", "Volvo") in known(mem)
    assert "User works at Volvo as an engineer" not in current(mem)


# --- who somebody was to somebody


@pytest.mark.parametrize(
    "text",
    [
        "I had coffee with my ex boyfriend Marco",
        "My ex-husband Marco called.",
        "My late husband Marco loved roses.",
        "my first wife Marta was from Bari",
        "My old manager was Marta.",
        "my former boss Marta moved away",
        "My next boss is Marta.",
        "My future wife is Marta",
        "Marta is my ex boss",
        "My business partner is Marta.",
        "My dance partner Marta is great",
        "Marta is my work wife",
        "I broke up with my girlfriend Marta",
        "Marta is my future wife",
    ],
)
def test_who_was_or_will_be_something_to_somebody_is_not_so_now(text: str) -> None:
    assert held(text, "PARTNER_OF") | held(text, "MARRIED_TO") | held(text, "MANAGES") == set()


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("My manager is Omar", "MANAGES"),
        ("my new boss is Omar", "MANAGES"),
        ("my old friend Omar came by", "FRIEND_OF"),
        ("my late father Omar was a cook", "PARENT_OF"),
        ("my old dog Omar is sick", "OWNS"),
        ("My husband Omar called", "PARTNER_OF"),
        ("my long-term partner Omar called", "PARTNER_OF"),
    ],
)
def test_who_is_something_to_somebody_is_so_now(text: str, relation: str) -> None:
    assert [one.stance for one in claims(text) if one.relation == relation] == [Stance.HOLDS]


def test_an_ex_ends_nothing_but_what_was_with_them(mem: Treering) -> None:
    told(mem, "My girlfriend is Lily.", "I met my ex girlfriend Nora")
    assert objects(mem, "User", "PARTNER_OF") == {"Lily"}
    told(mem, "My girlfriend is Lily.", "I met my ex girlfriend Lily")
    assert objects(mem, "User", "PARTNER_OF") == set()


# --- what somebody is called


@pytest.mark.parametrize(
    "text",
    ["I'm a Leo.", "I'm Team Edward.", "I'm Gen Z.", "They call me Mister Tibbs!", "call me an Uber", "We are Paul"],
)
def test_what_is_no_name_names_nobody(text: str) -> None:
    assert held(text, "NAMED") == set()


@pytest.mark.parametrize("text", ["I'm Robert", "Hi, I'm Robert", "call me Robert", "I'm Dr. Robert"])
def test_who_says_their_name_is_called_so(text: str) -> None:
    assert held(text, "NAMED") == {"Robert"}


def test_who_says_what_they_are_not_called_keeps_their_name(mem: Treering) -> None:
    told(mem, "I'm Teun.", "I'm not Robert.", "My name isn't Robert", "I like tea")
    assert "Teun likes tea" in current(mem)


def test_what_is_said_not_to_be_so_is_no_value() -> None:
    assert claims("my rent isn't 900") == []
    assert held("my rent is 950, not 900", "RENT") == {"950"}


# --- what ends without its name


@pytest.mark.parametrize(
    "end", ["I divorced Ben.", "Ben and I got divorced.", "Ben and I are divorced", "I got divorced", "we split up"]
)
@pytest.mark.parametrize("before", ["I'm married to Ben.", "Ben and I got married in May", "My husband is Ben."])
def test_a_divorce_ends_the_marriage_however_it_was_told(mem: Treering, before: str, end: str) -> None:
    told(mem, before, end)
    assert not [fact for fact in known(mem) if fact[1] in ("PARTNER_OF", "MARRIED_TO", "ENGAGED_TO")]


@pytest.mark.parametrize("end", ["I got laid off yesterday", "I retired", "I was let go last week", "I resigned"])
def test_who_loses_their_job_works_nowhere(mem: Treering, end: str) -> None:
    told(mem, "I work at Volvo.", end)
    assert objects(mem, "User", "WORKS_FOR") == set()


@pytest.mark.parametrize(
    "end",
    [
        "I almost got laid off",
        "I want to be laid off",
        "I got laid off in my second job",
        "I was laid off in 2019",
        "My brother got laid off",
        "I retired the old server",
        "we split up the bill",
    ],
)
def test_what_is_no_end_of_a_job_leaves_it(mem: Treering, end: str) -> None:
    told(mem, "I work at Volvo.", end)
    assert objects(mem, "User", "WORKS_FOR") == {"Volvo"}


def test_an_end_without_a_name_ends_nothing_where_it_could_be_either(mem: Treering) -> None:
    mem.remember("I work at Volvo.", at=SAID)
    tell(mem, "User also works at Lidl", works("User", "Lidl", confidence=0.5), call={"at": SAID + timedelta(days=3)})
    assert objects(mem, "User", "WORKS_FOR") == {"Volvo", "Lidl"}
    mem.remember("I got laid off", at=SAID + timedelta(days=6))
    assert objects(mem, "User", "WORKS_FOR") == {"Volvo", "Lidl"}


def test_parting_from_a_business_partner_ends_no_marriage(mem: Treering) -> None:
    told(mem, "My wife is Ana.", "My business partner and I split up.")
    assert objects(mem, "User", "PARTNER_OF") == {"Ana"}
