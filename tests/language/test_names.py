"""Who and what is named: sentences with the names that a reader would underline."""

from __future__ import annotations

import re

import pytest

from treering.language import clues
from treering.language.english import read
from treering.language.gazetteer import Listing, gazetteer
from treering.language.names import KINDS, kind_asked_for, names_in


def named(text: str, **more: object) -> dict[str, str]:
    return {name.text: name.kind for name in names_in(read(text), **more)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("My aunt Perpetua moved to Uccle", {"Perpetua": "person", "Uccle": "place"}),
        ("had lunch with Dagfinn, he quit Vellora in May", {"Dagfinn": "person", "Vellora": "organization"}),
        ("Prof. Achterhuis runs the lab", {"Achterhuis": "person"}),
        ("we saw Thandeka's new flat", {"Thandeka": "person"}),
        ("I started at Quillfeather Labs on Monday", {"Quillfeather Labs": "organization"}),
        ("she studied law at Coimbra", {"Coimbra": "organization"}),
        ("they live in Coimbra", {"Coimbra": "place"}),
        ("our hamster is called Pretzel", {"Pretzel": "object"}),
        ("we have two rabbits, Basil and Thyme", {"Basil": "object", "Thyme": "object"}),
        ("I bought a Bialetti and a Volvo 740", {"Bialetti": "object", "Volvo 740": "object"}),
        ("switched from Vim to Helix last week", {"Vim": "technology", "Helix": "technology"}),
        ("we run Postgres 15 on Hetzner", {"Postgres 15": "technology", "Hetzner": "technology"}),
        ("I'm building an app called Snailmail", {"Snailmail": "project"}),
        ("the Larkspur migration is late again", {"Larkspur": "project"}),
        ("turn left into Cobbler Lane", {"Cobbler Lane": "place"}),
        ("my cousin June teaches at Elmwood school", {"June": "person", "Elmwood school": "organization"}),
        ('just read "The Glass Orchard" in one go', {"The Glass Orchard": "object"}),
    ],
)
def test_names_are_found_with_their_kind(text: str, names: dict[str, str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Kids are learning Portuguese on Mondays and in June",
        "Honestly, I was tired. Things have been rough",
        "Woohoo! Awesome! Glad to hear it",
        "the VP of Sales wants OKRs and KPIs by Friday",
        "Happy Easter, everyone",
        "seat 32A, room 204, Part 3 and 5 GB",
        "I WANT TO GO HOME NOW PLEASE",
        "make it 8 slides max and mark the date",
        "",
    ],
)
def test_months_peoples_abbreviations_and_first_words_are_no_names(text: str) -> None:
    assert named(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "Erm, the boiler is out again",
        "Pfft, as if I cared",
        "Ow! My knee",
        "Drat, the bus is gone",
        "Wow, Congrats on the new flat",
        "  Yup, the fence is painted",
        "D'you know, he never called. Y'see, I waited",
        "I-I-I've had enough of it",
        "Somethin' is burning",
        "taxes, forms and Ugh! more forms",
        "she just said 'Hiya' and left",
        "so is P(king) smaller than P(queen) here?",
    ],
)
def test_sounds_nods_and_shortenings_are_no_names_however_large_they_are_written(text: str) -> None:
    assert named(text) == {}


def test_what_is_said_in_passing_may_still_be_the_name_of_a_pet() -> None:
    assert named("our cat Boo is asleep") == {"Boo": "object"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Happy Rachel could come along", {"Rachel": "person"}),
        ("Poor Tobias Winkler!", {"Tobias Winkler": "person"}),
        ("D-D-Daniel said he would come", {"Daniel": "person"}),
        ("we all bow to King Daniel", {"King Daniel": "person"}),
        ("Vlogging can be a real job", {}),
        ("a scarf forHelen would be nice", {}),
        ("they drew a map of Winter-land", {"Winter-land": "place"}),
        ("we asked for a Norway-wide search", {"Norway": "place"}),
        ("Follow-ups are due on Monday", {}),
    ],
)
def test_a_name_is_neither_more_nor_less_than_the_words_that_name(text: str, names: dict[str, str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('we read "The Baker\'s Last Loaf" aloud', {"The Baker's Last Loaf": "object"}),
        ('have you seen "A Winter at Home"?', {"A Winter at Home": "object"}),
        ("what does she like about Clash of Feathers?", {"Clash of Feathers": "object"}),
    ],
)
def test_a_title_is_one_name(text: str, names: dict[str, str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "the goats climbed the steep cliff",
        "it is thousands of miles from here",
        "a lily in the vase and some rosemary in the pot",
        "he wears a lot of cologne",
        "we gave the rope some slack",
        "every job has its ups and downs",
        "the pandas slept all day",
    ],
)
def test_a_listed_word_written_small_is_a_word_like_any_other(text: str) -> None:
    assert named(text) == {}


def test_a_tool_whose_name_is_a_word_is_known_by_what_is_done_with_it() -> None:
    assert named("we talk on slack and i use pandas") == {"slack": "organization", "pandas": "technology"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [("do I need Django-Filter here?", "technology"), ("she asked for GitLab Runner", "technology"),
     ("I learned what CORS means from the RFC, and CORS is fiddly", "concept")],
)  # fmt: skip
def test_parts_of_tools_and_abbreviations_are_nobody(text: str, kind: str) -> None:
    assert set(named(text).values()) == {kind}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The Krondell is our favourite pub", {"Krondell": "object"}),
        ("I could watch shows like Zorvath all day", {"Zorvath": "object"}),
        ("she is in talks with Hallbrook about a loan", {"Hallbrook": "organization"}),
        ("it was signed by Mrs. London", {"London": "person"}),
        ("Ada Winkler wrote it. Who lives in the Winkler place?", {"Ada Winkler": "person", "Winkler": "person"}),
        ("he sang for Tilda Brennan The rest was quiet", {"Tilda Brennan": "person"}),
        ("Our Plan For the summer is simple", {}),
        ("this is my Zen", {}),
        ("Scene: Mill Abbey, Anna and Jo wait", {"Mill Abbey": "object", "Anna": "person", "Jo": "person"}),
    ],
)
def test_words_around_a_name_tell_what_is_somebody_and_what_is_not(text: str, names: dict[str, str]) -> None:
    assert named(text) == names


def test_where_every_word_has_a_capital_none_is_a_name_for_that() -> None:
    assert named("My Neighbour Ate All Of The Green Beans Today") == {}


def test_headings_of_a_list_are_no_names() -> None:
    assert named("what I need:\n\n1. **Guest List**\n   - Add Guest\n   - Print Seats\nwe use Django") == {
        "Django": "technology"
    }


def test_places_in_the_text_are_those_of_the_name_alone() -> None:
    text = "met Mrs. Oyelaran's brother 🙂 in Zürich"
    for name in names_in(read(text)):
        assert text[name.start : name.end] == name.text
    assert named(text) == {"Oyelaran": "person", "Zürich": "place"}


def test_names_in_lower_case_are_known_by_the_lists() -> None:
    assert named("i use python and docker, living in lisbon") == {
        "python": "technology",
        "docker": "technology",
        "lisbon": "place",
    }


def test_a_name_met_before_is_known_again_whatever_its_first_letter_means() -> None:
    assert named("Biscuit ate my sock") == {}
    assert named("Biscuit ate my sock", known={"Biscuit": "object"}) == {"Biscuit": "object"}


def test_an_answer_may_be_a_bare_name() -> None:
    assert named("borgmatic, nightly", asked="Which backup tool do you use?") == {"borgmatic": "technology"}
    assert named("Ferrous Gate", asked="What's the company called?") == {"Ferrous Gate": "organization"}
    assert named("tomorrow at five", asked="What's the name of your dentist?") == {}


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who told you?", "person"),
        ("Where do you live?", "place"),
        ("Which school is it?", "organization"),
        ("Why?", None),
    ],
)
def test_a_question_says_what_kind_of_name_it_wants(question: str, kind: str | None) -> None:
    assert kind_asked_for(question) == kind


@pytest.mark.parametrize("clue", [*clues.BEFORE, *clues.AFTER, *clues.INSIDE], ids=lambda clue: clue.example)
def test_every_clue_is_heard_in_its_example(clue: clues.Clue) -> None:
    before, name, after = re.split(r"[\[\]]", clue.example)
    words = {True: before.lower(), False: after}
    held_against = words[clue in clues.BEFORE] if clue not in clues.INSIDE else name
    assert clue.pattern.search(held_against)
    assert clue.kind in (*KINDS, clues.OF_NOUN)


def test_no_list_holds_a_name_twice() -> None:
    held = gazetteer().listings
    for name, listings in held.items():
        lists = [listing for listing, _ in listings]
        assert len(lists) == len(set(lists)), name
    assert len(held) > 4000
    assert gazetteer().of("Go") == {Listing.TECHNOLOGY}
    assert gazetteer().of("go") == frozenset()
