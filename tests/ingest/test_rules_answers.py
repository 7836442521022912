"""A fragment is read with what was said before it: answers, nods, and words that are taken back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Cue, Extraction, Heard, Turn
from treering.ingest.extract.rules import RulesExtractor

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


def read(text: str, *before: tuple[str | None, str]) -> Extraction:
    turns = tuple(Turn(speaker, said, SAID) for speaker, said in before)
    (extraction,) = RulesExtractor().extract([Heard(text=text, at=SAID, before=turns)])
    return extraction


def contents(text: str, *before: tuple[str | None, str]) -> list[str]:
    return [one.content for one in read(text, *before).extracted]


def facts(text: str, *before: tuple[str | None, str]) -> set[str]:
    return {
        f"{claim.subject} {claim.relation} {claim.object} {claim.stance}"
        for one in read(text, *before).extracted
        for claim in one.claims
    }


@pytest.mark.parametrize(
    ("question", "answer", "content"),
    [
        ("Where does your sister Ida live?", "Bergen.", "User's sister Ida lives in Bergen"),
        ("Where's your uncle based?", "Lyon", "User's uncle lives in Lyon"),
        ("Where do your parents live?", "Leeds", "User's parents live in Leeds"),
        ("Which city does Marta live in now?", "Ghent", "Marta lives in Ghent"),
        ("Does your daughter have any allergies?", "Sesame", "User's daughter is allergic to Sesame"),
        ("What's Tom allergic to?", "Cats", "Tom is allergic to Cats"),
        ("How old is your nephew?", "Nine.", "User's nephew is nine"),
        ("Which school does Leo go to?", "Lincoln High", "Leo goes to Lincoln High"),
        ("Who does your wife work for?", "Volvo", "User's wife works at Volvo"),
        ("What medication does your mum take?", "Lisinopril", "User's mum takes Lisinopril"),
        ("What\u2019s your brother\u2019s job?", "Plumber.", "User's brother works as plumber"),
        ("Which languages does Ana speak?", "Spanish", "Ana speaks Spanish"),
    ],
)
def test_an_answer_is_about_whom_the_question_was(question: str, answer: str, content: str) -> None:
    assert contents(answer, ("assistant", question)) == [content]
    assert not any(fact.startswith("User ") for fact in facts(answer, ("assistant", question)))


@pytest.mark.parametrize(
    ("question", "answer", "content"),
    [
        ("Where do you live?", "In Ghent.", "User lives in Ghent"),
        ("Where do you work?", "for Nokia", "User works at Nokia"),
        ("Where do you live?", "Near Ghent", "User lives near Ghent"),
        ("Where do you live?", "With my parents", "User lives with User's parents"),
        ("How old is your cat?", "5 years", "User's cat is 5 years old"),
        ("When's Ana's birthday?", "March 3", "User: Ana's birthday is March 3 (2026-03-03)"),
        ("Which editor do you use?", "Depends", "User: Depends"),
        ("What's your opinion on this?", "Bad", "User: Bad"),
    ],
)
def test_an_answer_may_bring_its_own_words(question: str, answer: str, content: str) -> None:
    assert contents(answer, ("assistant", question)) == [content]


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("Where did you live before that?", "Riga", "User LIVES_IN Riga ends"),
        ("Where did you work before?", "Nokia", "User WORKS_FOR Nokia ends"),
        ("Which city are you flying to?", "Rome", "User PLANNED Rome holds"),
        ("Where did you go to university?", "Yale", "User STUDIED_AT Yale holds"),
    ],
)
def test_an_answer_is_in_the_tense_of_its_question(question: str, answer: str, found: str) -> None:
    assert facts(answer, ("assistant", question)) == {found}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which city has the best food?", "Lyon"),
        ("What company did you leave to join Google?", "Yahoo"),
        ("Where would you like to live?", "Rome"),
        ("Where do you and Tom live?", "Rome"),
        ("Where do you live? And where would you rather be?", "Rome"),
        ("Any allergies in the family?", "Peanuts"),
        ("What do you do when it rains?", "Chess"),
    ],
)
def test_an_answer_to_another_question_makes_no_fact(question: str, answer: str) -> None:
    assert facts(answer, ("assistant", question)) == set()
    assert read(answer, ("assistant", question)).extracted


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("Got it! Where do you live?", "Porto", {"User LIVES_IN Porto holds"}),
        ("Where do you live? Which city?", "Porto", {"User LIVES_IN Porto holds"}),
        ("Where's everyone based?", "Porto", {"User LIVES_IN Porto holds"}),
        ("What do you do?", "Product manager.", {"User HAS_ROLE product manager holds"}),
        (
            "What do you do for a living?",
            "Nurse at Mercy Hospital",
            {"User HAS_ROLE nurse holds", "User WORKS_FOR Mercy Hospital holds"},
        ),
        ("How old are you?", "34", {"User AGE 34 holds"}),
        ("Where were you born?", "Lima", {"User BORN_IN Lima holds"}),
        ("Where did you move to?", "Lima", {"User LIVES_IN Lima holds"}),
        ("Do you live in Oslo?", "No, Bergen.", {"User LIVES_IN Bergen holds"}),
        ("What's your dog called?", "Rex", {"User OWNS Rex holds"}),
    ],
)
def test_an_answer_about_oneself_is_still_one(question: str, answer: str, found: set[str]) -> None:
    assert facts(answer, ("assistant", question)) == found


# --- yes and no


@pytest.mark.parametrize(
    ("question", "answer", "content"),
    [
        ("Do you smoke?", "No.", "User does not smoke"),
        ("Do you smoke?", "Not anymore.", "User does not smoke anymore"),
        ("Are you vegan?", "I am.", "User is vegan"),
        ("Thanks! By the way, are you left-handed?", "yep", "User is left-handed"),
        ("Do you still live in Oslo?", "Yes!", "User still lives in Oslo"),
        ("Do you still live in Oslo?", "nope", "User does not live in Oslo anymore"),
        ("Have you ever been to Japan?", "No", "User has never been to Japan"),
        ("Have you ever been to Japan?", "Yes, I have.", "User has been to Japan"),
        ("Do you have any pets?", "Nah", "User does not have any pets"),
        ("Do you have any pets?", "Yes", "User has pets"),
        ("Do you like your job?", "Yes", "User likes User's job"),
        ("Did you leave Volvo?", "I did", "User left Volvo"),
        ("Have you renewed your passport?", "not yet", "User has not renewed User's passport yet"),
    ],
)
def test_yes_and_no_say_what_was_asked(question: str, answer: str, content: str) -> None:
    assert contents(answer, ("assistant", question)) == [content]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are you sure?", "Yes"),
        ("Do you want me to book it?", "yes"),
        ("Do you have any other questions?", "No."),
        ("Can you send me the file?", "Yes"),
        ("Are you vegan or vegetarian?", "Yes"),
        ("Where do you live?", "No."),
        ("Do you know what I mean?", "yeah"),
        ("Does Tom smoke?", "No"),
    ],
)
def test_a_nod_to_any_other_question_is_small_talk(question: str, answer: str) -> None:
    made = read(answer, ("assistant", question))
    assert not made.extracted
    assert made.passed_over


# --- words that are taken back


@pytest.mark.parametrize(
    ("said", "text", "content"),
    [
        ("I live in Oslo.", "Sorry, I meant Bergen.", "User lives in Bergen"),
        ("I live in Oslo. I like tea.", "Wait no, Bergen.", "User lives in Bergen"),
        ("I work at Acme Labs.", "Correction: Zeta Corp.", "User works at Zeta Corp"),
        ("I met Anna at Google.", "I mean Meta.", "User met Anna at Meta"),
        ("I met Anna at Google.", "I meant Ida.", "User met Ida at Google"),
        ("We use Postgres.", "make that SQLite", "User uses SQLite"),
        ("I have three kids.", "I mean four.", "User has four kids"),
        ("Tom lives in Rome.", "*Milan", "Tom lives in Milan"),
        ("I live in Oslo.", "no, Bergen", "User lives in Bergen"),
    ],
)
def test_a_name_alone_takes_the_place_of_the_wrong_one(said: str, text: str, content: str) -> None:
    (one,) = read(text, (None, said)).extracted
    assert one.content == content
    assert one.cue is Cue.CORRECTION


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("I live in Oslo, actually no, Bergen.", "User lives in Bergen"),
        ("I work at Google. Wait, I mean Meta.", "User works at Meta"),
        ("I live in Oslo, sorry, Bergen.", "User lives in Bergen"),
        ("I'm seeing Ann at Nokia, I mean Volvo, next week.", "User is seeing Ann at Volvo, next week (2026-02-16)"),
        ("My brother is 32, no wait, 33", "User's brother is 33"),
        ("We flew to Nice, actually to Cannes.", "User flew to Cannes"),
        ("I live in Oslo, no, Bergen.", "User lives in Bergen"),
    ],
)
def test_a_word_taken_back_in_one_breath_was_never_said(text: str, content: str) -> None:
    (one,) = read(text).extracted
    assert one.content == content
    assert one.cue is None


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I live with Bob.", "Sorry, Anna!"),
        ("I moved to Oslo.", "Actually, Anna called me"),
        ("I ran 5 km.", "Sorry, I have to go"),
        ("Tom and Greg live with me.", "I mean Ida"),
    ],
)
def test_what_takes_nothing_back_says_nothing_again(said: str, text: str) -> None:
    assert not any("Oslo" in one or "lives" in one or "km" in one for one in contents(text, (None, said)))


def test_a_sentence_that_goes_on_after_an_excuse_is_left_as_it_was_said() -> None:
    assert contents("I love Rome, I mean it.")[0].startswith("User loves Rome")
    assert contents("We ran 5 km, sorry, 10 people came.")[0].startswith("User ran 5 km")
