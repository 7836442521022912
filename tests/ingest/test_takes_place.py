"""Which of two statements takes the other's place? Every rule on its own example, and pairs that only look alike."""

from __future__ import annotations

import pytest

from treering.ingest.extract.contract import Cue
from treering.ingest.takes_place import RULES, Pair, Rule, takes_place
from treering.language.values import clash, is_value, topic, values_of

CUES = {"corrected": Cue.CORRECTION, "untrue": Cue.CORRECTION, "another value": Cue.CHANGE, "another name": Cue.CHANGE}
NAMES = {"corrected": ("Hilda", "Hulda"), "another name": ("Jo", "Fenna"), "untrue": ("Ingrid, Pål", "Ingrid, Pål")}


def pair(old: str, new: str, cue: Cue | None = None, names: tuple[str, str] = ("", ""), **more: bool) -> Pair:
    old_name, new_name = (frozenset(one.split(", ")) - {""} for one in names)
    return Pair(old, new, cue, old_name, new_name, **more)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_takes_its_own_example(rule: Rule) -> None:
    example = pair(rule.old, rule.new, CUES.get(rule.name), NAMES.get(rule.name, ("", "")))
    assert rule.holds(example)
    assert takes_place(example) == rule.name


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.name in CUES], ids=lambda rule: rule.name)
def test_without_a_word_that_says_so_nothing_takes_anythings_place(rule: Rule) -> None:
    assert takes_place(pair(rule.old, rule.new, None, NAMES.get(rule.name, ("", "")))) is None


def test_the_rules_have_names_and_examples_of_their_own() -> None:
    assert len({rule.name for rule in RULES}) == len({rule.old for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    ("old", "new", "cue", "names", "rule"),
    [
        ("the deadline is March 3", "the deadline moved to March 10", Cue.CHANGE, ("", ""), "another value"),
        ("standup is at 9:30", "standup is at 10:00 now", Cue.CHANGE, ("", ""), "another value"),
        ("my seat is 32A", "they moved me to seat 14C", Cue.CHANGE, ("", ""), "another value"),
        ("rent is $1,200", "actually rent is $1,350", Cue.CORRECTION, ("", ""), "corrected"),
        ("the wedding is on May 9", "no, the wedding is on May 16, not May 9", Cue.CORRECTION, ("", ""), "denied"),
        ("my fee is 300 euros", "my fee is no longer 300 euros", Cue.CHANGE, ("", ""), "no longer"),
        ("I am on the 20 euro plan", "I am not on the 20 euro plan anymore", Cue.CHANGE, ("", ""), "no longer"),
        ("my fee is 300 euros", "my fee is not 300 but 350 euros", Cue.CORRECTION, ("", ""), "denied"),
        ("they live in Oslo", "they do not live in Oslo", None, ("Oslo", "Oslo"), "denied"),
        ("planning a trip to Peru", "the Peru trip fell through", None, ("", ""), "called off"),
        ("I signed up for the half marathon", "I backed out of the half marathon", None, ("", ""), "called off"),
        (
            "Jo leads the reading group",
            "Fenna leads the reading group now",
            Cue.CHANGE,
            ("Jo", "Fenna"),
            "another name",
        ),
    ],
)
def test_further_pairs_that_make_way(old: str, new: str, cue: Cue | None, names: tuple[str, str], rule: str) -> None:
    assert takes_place(pair(old, new, cue, names)) == rule


@pytest.mark.parametrize(
    ("old", "new", "cue", "names"),
    [
        pytest.param(
            "Dentist appointment on March 3", "Concert tickets for March 10", Cue.CHANGE, ("", ""), id="other topics"
        ),
        pytest.param("my rent is $1,200", "my phone bill is $40 now", Cue.CHANGE, ("", ""), id="other bills"),
        pytest.param(
            "Ran 5 km on Monday by the river", "Swam 2 km on Tuesday at the pool", Cue.CHANGE, ("", ""), id="two days"
        ),
        pytest.param("the gate code is 7730", "the alarm code changed to 1144", Cue.CHANGE, ("", ""), id="other codes"),
        pytest.param("my rent is 900", "the neighbours' rent went up to 1100", Cue.CHANGE, ("", ""), id="others' rent"),
        pytest.param("my shoe size is 42", "new jacket in size 50 arrived", Cue.CHANGE, ("", ""), id="other things"),
        pytest.param("Ada is 31", "Bo bought a bike for 300", Cue.CHANGE, ("Ada", "Bo"), id="two people"),
        pytest.param("Ada's rent is 900", "Bo's rent is 1000 now", Cue.CHANGE, ("Ada", "Bo"), id="two people's rent"),
        pytest.param(
            "Ada's birthday is May 9", "actually Bo's birthday is May 12", Cue.CORRECTION, ("Ada", "Bo"),
            id="two people's birthdays",
        ),
        pytest.param("Jo picks the film", "Fenna walks a dog now", Cue.CHANGE, ("Jo", "Fenna"), id="other doings"),
        pytest.param("the budget is 80k", "the budget is 80k, still", Cue.CHANGE, ("", ""), id="the same value"),
        pytest.param("thinking of moving to Lisbon", "the concert got cancelled", None, ("", ""), id="other plans"),
        pytest.param("I live in Lisbon", "the Lisbon trip is cancelled", None, ("", ""), id="no plan to call off"),
        pytest.param("the app costs 80k", "I am not happy about the app", None, ("", ""), id="not what it says"),
        pytest.param(
            "I live in Austin", "I do not live in Boston", None, ("Austin", "Boston"), id="another home is denied"
        ),
        pytest.param(
            "Bo works at Hatch", "Bo is no longer at Finch", Cue.CHANGE, ("Bo, Hatch", "Bo, Finch"), id="another job"
        ),
        pytest.param("my budget is 500 euros", "my budget is no longer 300 euros", Cue.CHANGE, ("", ""), id="not 300"),
        pytest.param("the exam is on May 3", "wait, it is not on May 5", Cue.CORRECTION, ("", ""), id="not May 5"),
        pytest.param(
            "my neighbor's name is Hilda", "actually the train leaves at 9:40", Cue.CORRECTION, ("Hilda", ""),
            id="a correction of something else",
        ),
    ],
)  # fmt: skip
def test_pairs_that_only_look_alike_stay_two(old: str, new: str, cue: Cue | None, names: tuple[str, str]) -> None:
    assert takes_place(pair(old, new, cue, names)) is None


def test_who_is_named_by_a_part_of_the_name_is_the_same() -> None:
    names = "User's sister", "sister"
    said = pair("my sister's flight is at 9:40", "my sister's flight is at 10:15 now", Cue.CHANGE, names)
    assert takes_place(said) == "another value"


def test_a_bare_value_corrects_what_was_said_in_the_same_session_only() -> None:
    said = "the train leaves at 9:40", "wait, 9:50", Cue.CORRECTION
    assert takes_place(pair(*said, same_session=True)) == "corrected"
    assert takes_place(pair(*said)) is None


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("standup at 09:40", "clock", "09:40"),
        ("at 3 pm sharp", "clock", "3 pm"),
        ("on May 9th", "date", "may 9th"),
        ("on the 15th", "date", "the 15th"),
        ("every Tuesday", "weekday", "tuesday"),
        ("seat 32A", "seat", "32a"),
        ("a 2 week sprint", "span", "2 week"),
        ("grew 12%", "share", "12%"),
        ("a 512GB disk", "size", "512gb"),
        ("costs $1,200", "number", "$1,200"),
    ],
)
def test_a_value_is_read_with_its_kind(text: str, kind: str, value: str) -> None:
    assert values_of(text) == {kind: frozenset({value})}


def test_values_clash_only_within_a_kind() -> None:
    assert clash("sprint length is 3 weeks", "2 week sprints") == "span"
    assert clash("sprint length is 3 weeks", "the sprint costs 400") is None
    assert clash("on Monday or Tuesday", "on Tuesday") is None


@pytest.mark.parametrize("text", ["3 weeks", "100 requests/min per key", "$1,200", "May 9"])
def test_a_value_alone_is_one_at_a_time(text: str) -> None:
    assert is_value(text)


@pytest.mark.parametrize("text", ["Pixel 6", "Berlin", "tea", "the long and winding road to 9 o'clock bells in town"])
def test_a_thing_with_a_number_in_its_name_is_no_value(text: str) -> None:
    assert not is_value(text)


def test_what_a_text_speaks_of_leaves_its_values_out() -> None:
    assert topic("sprint length is 3 weeks") == topic("sprint length is 2 weeks")
    assert not topic("3 weeks now")


def test_a_long_statement_is_never_put_aside_for_one_value_nor_does_it_put_one_aside() -> None:
    old, new = "the deadline is March 3", "the deadline moved to March 10"
    much = " and the rest of the plan stays as it was agreed with everybody" * 3
    assert takes_place(pair(old, new, Cue.CHANGE)) == "another value"
    assert takes_place(pair(old + much, new, Cue.CHANGE)) is None
    assert takes_place(pair(old, new + much, Cue.CHANGE)) is None
