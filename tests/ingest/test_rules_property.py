"""Whatever is said, the rules answer: nothing is lost, nothing lies outside, and the same text gives the same."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.ingest.extract.contract import Extraction, Heard, Turn
from treering.ingest.extract.rules import RulesExtractor

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)
SAYABLE = """
I i'm im we my our you she he they it Anna Rome Volvo Zed Django dog wife moved left joined to from in at the a an
and but so if maybe not n't never anymore now last May tomorrow since 2019 until Friday is are was have has been
working live love hate prefer over use using switched called , . ! ? : ; ( ) " ' - … “ ” 42 3pm €5 # @ lol 🙂 é ß
नमस्ते 日本
"""
WORDS = st.sampled_from([*SAYABLE.split(), "\n", "\n\n", ",", ","])
SENTENCES = st.lists(WORDS, max_size=30).map(" ".join)
TEXTS = st.one_of(st.text(max_size=120), SENTENCES, st.builds("{}{}".format, SENTENCES, st.text(max_size=30)))
SPEAKERS = st.sampled_from([None, "User", "Mireya", "assistant"])


def heard(text: str, before: str = "", speaker: str | None = None) -> Heard:
    turns = (Turn("assistant", before, SAID),) if before else ()
    return Heard(text=text, at=SAID, speaker=speaker, before=turns)


def uncovered(extraction: Extraction, text: str) -> str:
    """What stands in no statement and was not passed over."""
    open_ = set(range(len(text)))
    for start, end in [*(one.span for one in extraction.extracted), *(one.span for one in extraction.passed_over)]:
        open_ -= set(range(start, end))
    return "".join(text[i] for i in sorted(open_))


@settings(max_examples=examples(60), deadline=None)
@given(text=TEXTS, before=SENTENCES, speaker=SPEAKERS)
def test_any_text_is_read_and_every_stretch_is_accounted_for(text: str, before: str, speaker: str | None) -> None:
    (extraction,) = RulesExtractor().extract([heard(text, before, speaker)])
    for one in extraction.extracted:
        start, end = one.span
        assert 0 <= start <= end <= len(text)
        assert one.content.strip()
    assert not uncovered(extraction, text).replace("\0", " ").strip()


@settings(max_examples=examples(30), deadline=None)
@given(text=TEXTS, before=SENTENCES)
def test_the_same_text_gives_the_same_statements_alone_and_among_others(text: str, before: str) -> None:
    alone = RulesExtractor().extract([heard(text, before)])
    among = RulesExtractor().extract([heard("I live in Ghent."), heard(text, before), heard("thanks!")])
    assert alone[0] == among[1]


@settings(max_examples=examples(40), deadline=None)
@given(text=SENTENCES)
def test_what_is_asked_or_supposed_gives_no_fact(text: str) -> None:
    plain = text.replace("\n", " ").replace(".", "").replace("!", "").replace("?", "").replace(":", "").replace(";", "")
    (extraction,) = RulesExtractor().extract([heard(f"imagine {plain}")])
    assert all(claim.relation in KIN for one in extraction.extracted for claim in one.claims)


KIN = {"PARTNER_OF", "PARENT_OF", "OWNS", "FRIEND_OF", "MANAGES"}
"""What a phrase says by itself holds in a question too: "what would my wife Anna like?" """
