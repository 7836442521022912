"""What a memory has about it is found whether or not the short cut past the expressions is taken."""

from __future__ import annotations

import random
from time import process_time

import pytest

from treering.language.words import spelled
from treering.recall import cues
from treering.recall.cues import Trait, flags_of

SAMPLE = """yesterday today This summer sept oct 3rd 10 pm 10am 2024 long for a the 5 00 one twice in my at
Berlin here "x y" that's why to help due feel Always never when I from now on I'd prefer i would my preference make
sure you to always remember that , . ; _a a_ 0 12_ März \u017fince please weekend mondays Friday couple 1,000 tea tea?
? [tea] ?)"""
FRAGMENTS = SAMPLE.split()


def plainly(content: str) -> int:
    """By every expression, on every text."""
    found = sum(cue for cue, pattern in cues._CUES.items() if pattern.search(content))
    asked = cues._INSTRUCTION.search(content[: cues.INSTRUCTION_CHARACTERS])
    return found | (Trait.INSTRUCTION if asked else 0) | (Trait.ASKS if cues._ASKS.search(content) else 0)


def test_the_short_cut_past_the_expressions_changes_nothing() -> None:
    chance = random.Random(1)
    for _ in range(8_000):
        joint = chance.choice((" ", " ", "", "_", "-"))
        text = joint.join(chance.choices(FRAGMENTS, k=chance.randrange(1, 7)))
        assert flags_of(text, "Ada") == flags_of(text, "Ada", spelled(text)) == plainly(text), text


def test_every_single_word_that_an_expression_looks_for_is_found_alone() -> None:
    for words in (*cues._ALONE.values(), *cues._BEGINNINGS.values()):
        for word in words.split():
            for text in (f"Xy {word} x", f"Xy {word.title()}", f"{word}_ {word}s", f'a "{word}" Ann'):
                assert flags_of(text, None) == flags_of(text, None, spelled(text)) == plainly(text), text


@pytest.mark.parametrize(
    "text",
    [
        "5th", "x5th", "12 am", "12  am", "12ams", "20245", "a 2024", "_2024", "2024_", "1,000th", "1,000", "5.x", "in",
        "in a", "in 5", "xin a", "in-a", "in  a", "into help", "to helpful", "to help", "onto help", "that's whyever",
        "that's why", "forthe", "for the", "for them", "therefor a", "this summers", "this summer", "mythis summer",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_beginning_is_none(text: str) -> None:
    for one in (text, f"Well {text} then", f"({text})", f"{text}\n{text}"):
        assert flags_of(one, None) == flags_of(one, None, spelled(one)) == plainly(one), one


@pytest.mark.parametrize(
    "asks",
    [
        "Any plans for the summer?",
        'Lovely. Did she say "who is it?"',
        "Do you like it? [shares a photo: a dog]",
        "\u4f60\u53bb\u54ea\u91cc\uff1f",
    ],
)
def test_who_ends_with_a_question_asks_whatever_stands_in_brackets_behind_it(asks: str) -> None:
    assert flags_of(asks, "Ada") & Trait.ASKS


@pytest.mark.parametrize("tells", ["Are you well? I am.", "Why [not]", "A dog [whose?] barked", ""])
def test_who_goes_on_after_a_question_does_not_ask(tells: str) -> None:
    assert not flags_of(tells, "Ada") & Trait.ASKS


def test_what_an_assistant_asks_is_an_offer() -> None:
    assert not flags_of("Shall I write it down for you?", "assistant") & Trait.ASKS


def test_a_text_of_question_marks_and_brackets_is_read_as_fast_as_any() -> None:
    start = process_time()
    flags_of("?[" * 50_000, "Ada")
    assert process_time() - start < 1.0
