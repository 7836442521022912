"""What says nothing, and what must never be taken for it."""

from __future__ import annotations

import pytest

from treering.language.languages import LANGUAGES
from treering.language.small_talk import small_talk
from treering.language.small_talk_phrases import SmallTalk, first_signs


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hiya!! how's it going?", "greeting"),
        ("Good evening everyone :)", "greeting"),
        ("long time no see, Marta!", "greeting"),
        ("ok, see you tomorrow then", "acknowledgement"),
        ("byeee, talk soon", "farewell"),
        ("have a lovely weekend 🌞", "farewell"),
        ("gotta run, ttyl", "farewell"),
        ("I'm out, bye!", "farewell"),
        ("I'm off to bed now", "farewell"),
        ("I'm in!", "acknowledgement"),
        ("thanks so much for your help!", "thanks"),
        ("you're the best, appreciate it", "thanks"),
        ("no problem at all", "thanks"),
        ("got it", "acknowledgement"),
        ("sounds like a plan", "acknowledgement"),
        ("wow, that's really cool!", "acknowledgement"),
        ("yep, makes sense", "acknowledgement"),
        ("hahahaha", "laughter"),
        ("lmaooo", "laughter"),
        ("hmmm", "filler"),
        ("👍👍", "filler"),
        ("", "filler"),
    ],
)
def test_talk_without_content_is_named_for_what_it_is(text: str, why: str) -> None:
    assert small_talk(text) == why


@pytest.mark.parametrize(
    "text",
    [
        "how do I reverse a list in Lua",
        "soup recipe for 4?",
        "thanks, the new tyres are great",
        "good morning from Oslo",
        "ok so the boiler is fixed",
        "see you at the station at 6",
        "congrats on the house!",
        "happy to be back in the choir",
        "nice, we moved into the flat yesterday",
        "yes, Luca.",
        "not bad, my knee still hurts",
        "842",
        "lol my landlord called again",
        "I love it here in Ghent",
        "no coffee for me",
        "remind me to call mum",
        "I'm out sick today.",
        "I'm off today",
        "I'm in today",
        "I'm out of milk",
        "Sick today",
        "我搬到柏林了",
        "x" * 5000,
    ],
)
def test_anything_with_content_is_kept(text: str) -> None:
    assert small_talk(text) is None


def test_only_the_empty_half_of_a_message_is_empty() -> None:
    assert small_talk("hey hey, happy thursday!") == "greeting"
    assert small_talk("btw the plumber's name is Runa") is None


@pytest.mark.parametrize(
    ("written", "signs"),
    [
        ("hey( there)?", "h"),
        ("(a )?(very )?(good )?(morning|day)", "avgmd"),
        ("((so|too) )*much|omg", "stmo"),
        ("[+-] ?1+", "+-"),
        (r" ?100|\^+", " 1^"),
        ("(b?w?(ha|ho){2,}|xd)", "bwhx"),
    ],
)
def test_a_phrase_is_looked_for_by_every_sign_it_may_begin_with(written: str, signs: str) -> None:
    assert first_signs(written) == frozenset(signs)


@pytest.mark.parametrize("told", [one.small_talk for one in LANGUAGES.values()], ids=[one.value for one in LANGUAGES])
def test_no_phrase_fits_nothing_at_all(told: SmallTalk) -> None:
    assert "" not in told.by_first_sign
    assert {one for some in told.by_first_sign.values() for one in some} == set(told.phrases)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("¡Hola! ¿Qué tal?", "greeting"),
        ("Buenos días a todos", "greeting"),
        ("Muchas gracias, de verdad", "thanks"),
        ("vale, perfecto", "acknowledgement"),
        ("Hasta luego, un abrazo", "farewell"),
        ("jajaja", "laughter"),
        ("Jejeje, vale", "laughter"),
        ("Hola Ana", "greeting"),
        ("¡Buenos días, Óscar!", "greeting"),
        ("Gracias, Marta", "thanks"),
        ("¡Sí, Ana!", "acknowledgement"),
    ],
)
def test_spanish_that_says_nothing(said: str, why: str) -> None:
    assert small_talk(said) == why


@pytest.mark.parametrize(
    "said",
    ["Gracias, vivo en Lima", "Hola, soy Ana", "Buenos Aires", "no como carne", "vale diez euros", "Se llama Ana"],
)
def test_spanish_that_says_something(said: str) -> None:
    assert small_talk(said) is None


def test_a_nod_of_another_language_is_no_laughter_of_spanish() -> None:
    assert small_talk("ja") == "acknowledgement"
    assert small_talk("je") is None
