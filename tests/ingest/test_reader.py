"""The reader that has learned: words stay as they were said, whatever stands in them, and any text can be read."""

from __future__ import annotations

import re
import string
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.conftest import HandClock, examples

import treering
from treering import Treering
from treering.ingest.extract.contract import Heard, Turn
from treering.ingest.extract.reader import ReaderExtractor
from treering.mind.judges import open_reader
from treering.relations.own import TABLE

AT = datetime(2025, 4, 14, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def reader() -> ReaderExtractor:
    return ReaderExtractor(open_reader)


def contents(reader: ReaderExtractor, text: str, speaker: str | None = None) -> list[str]:
    [told] = reader.extract([Heard(text=text, at=AT, speaker=speaker)])
    return [one.content for one in told.extracted]


letters = st.text(string.ascii_letters + string.digits + "_-", min_size=3, max_size=12)
tokens = st.one_of(
    letters.map(lambda one: f"`{one}`"),
    letters.map(lambda one: f"src/{one}/{one}.py"),
    letters.map(lambda one: f"--{one}=7"),
    st.integers(1000, 99999).map(str),
    letters.map(lambda one: f"https://{one}.example/{one}?a=1"),
    letters.map(lambda one: f"/opt/{one}"),
    letters.map(lambda one: f"v{len(one)}.0.7-{one}"),
)


@settings(max_examples=examples(30), deadline=None)
@given(tokens, tokens)
def test_names_paths_code_and_numbers_are_untouched(reader: ReaderExtractor, one: str, other: str) -> None:
    told = contents(reader, f"We moved the job to {one} yesterday, and the old one was {other} until then.")
    assert any(one in text for text in told)
    assert any(other in text for text in told)


PLAIN = ("I use {}", "I work at {}", "I moved to {}", "The api listens on port {}", "My rent is {}", "{} uses Zed")


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(PLAIN), tokens)
@example("I use {}", "`zed-7`")
@example("I use {}", "/opt/zed")
@example("--zed=7 uses {}", "Redis")
def test_so_are_they_where_a_fact_is_told_in_the_sentence_of_its_relation(
    reader: ReaderExtractor, plain: str, token: str
) -> None:
    text = plain.format(token)
    marked = next(one for one in text.split() if any(sign in one for sign in "`/=")) if token == "Redis" else token
    assert any(marked in one for one in contents(reader, text))


SAYABLE = """
I i'm im we my our you she he they it Anna Rome Volvo Zed Django dog wife moved left joined to from in at the a an
and but so if maybe not n't never anymore now last May tomorrow since 2019 until Friday is are was have has been
working live love hate prefer over use using switched called , . ! ? : ; ( ) " ' - … “ ” 42 3pm €5 # @ lol 🙂 é ß
नमस्ते 日本
"""
spoken = st.lists(st.sampled_from([*SAYABLE.split(), "\n", "\n\n", ",", ","]), max_size=30).map(" ".join)
said = st.one_of(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=300), spoken)
"""What a source may hold, and what people say."""


@settings(max_examples=examples(60), deadline=None)
@given(
    said,
    st.sampled_from([None, "User", "Zoe", "assistant"]),
    st.one_of(st.just(""), spoken, spoken.map("{} ok?".format)),
)
@example("", None, "Do you live in Oslo?")
@example(" \n", "Zoe", "Do you live in Oslo?")
def test_any_text_is_read_and_every_stretch_is_accounted_for(
    reader: ReaderExtractor, text: str, speaker: str | None, before: str
) -> None:
    turns = (Turn("Ann", before, AT),) if before else ()
    [told] = reader.extract([Heard(text=text, at=AT, speaker=speaker, before=turns)])
    spans = [one.span for one in (*told.extracted, *told.passed_over)]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    covered = {place for start, end in spans for place in range(start, end)}
    assert [text[place] for place in range(len(text)) if text[place].isalnum() and place not in covered] == []
    assert all(text[slice(*one.span)].strip() and one.content.strip() for one in told.extracted)


@settings(max_examples=examples(30), deadline=None)
@given(said, spoken)
def test_the_same_text_gives_the_same_statements_alone_and_among_others(
    reader: ReaderExtractor, text: str, before: str
) -> None:
    one = Heard(text=text, at=AT, before=(Turn("Ann", before, AT),))
    others = Heard(text="I live in Ghent.", at=AT), Heard(text="thanks!", at=AT)
    assert reader.extract([one]) == reader.extract([others[0], one, others[1]])[1:2]


PLAIN_WORDS = """
I me my we he she they Ilse Ravi kiln is was don't I'm she's he'd we'll it's that's who's the ferry's and but , . Wed
May moved sold likes bought to in the a new old really not no longer yesterday
"""
_BESIDE = re.compile(r" [\[(][^\])]*[\])]")


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from(PLAIN_WORDS.split()), min_size=3, max_size=14).map(" ".join))
def test_whatever_is_said_no_word_is_made_up(reader: ReaderExtractor, text: str) -> None:
    """Who says it leads it, and what explains it stands beside it in brackets: all else are its own words, or the
    sentence of the one fact that it states."""
    [told] = reader.extract([Heard(text=text, at=AT)])
    for one in told.extracted:
        lead, _, words = _BESIDE.sub("", one.content).partition(": ")
        if lead in ("User", "User asked"):
            assert words in text
            assert words.split() == text[slice(*one.span)].strip(" ,").split()
        else:
            assert [one.content] == [TABLE.stated(each.subject, each.relation, each.object) for each in one.claims]


THREE = "My sister Ana lives in Oslo. I am allergic to walnuts. The rent is 900 euros. "


@pytest.mark.parametrize("speaker", [None, "Zoe"])
@pytest.mark.parametrize("times", [1, 3])
def test_sentences_that_state_facts_are_kept_each_by_itself(
    reader: ReaderExtractor, speaker: str | None, times: int
) -> None:
    told = contents(reader, THREE * times, speaker)
    assert len(told) >= 3 * times
    assert not any("Oslo" in one and "walnuts" in one for one in told)


BEN = Turn("Ben", "Mine is a yellow house.", AT)


def spans(reader: ReaderExtractor, **heard: object) -> list[str]:
    [told] = reader.extract([Heard(text=THREE * 3, at=AT, **heard)])  # type: ignore[arg-type]
    return [(THREE * 3)[slice(*one.span)].strip() for one in told.extracted]


@pytest.mark.parametrize("heard", [{"before": (BEN,)}, {"beside": frozenset({"Ben", "Zoe"})}], ids=["before", "beside"])
def test_what_people_say_to_one_another_is_kept_whole(reader: ReaderExtractor, heard: dict[str, object]) -> None:
    assert spans(reader, speaker="Zoe", **heard) == [(THREE * 3).strip()]


@pytest.mark.parametrize(
    "heard",
    [
        {"speaker": "Zoe", "before": (Turn("zoe", "Mine is a yellow house.", AT), Turn("assistant", "I see.", AT))},
        {"speaker": "Zoe", "beside": frozenset({"User", None, "assistant"})},
        {"speaker": "Zoe", "beside": frozenset({"Ben"}), "owner": "Ben"},
        {"speaker": "Zoe", "beside": frozenset({"Ben"}), "owner": "Zoe"},
        {"speaker": "User", "before": (BEN,)},
    ],
    ids=["alone", "with the owner", "with the owner by name", "owner by name", "owner"],
)
def test_what_is_told_to_the_memory_is_cut_whoever_else_is_heard(
    reader: ReaderExtractor, heard: dict[str, object]
) -> None:
    told = spans(reader, **heard)
    assert len(told) >= 9
    assert not any("Oslo" in one and "walnuts" in one for one in told)


def test_facts_of_what_is_kept_whole_are_facts_of_the_graph(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="none", judge="none") as mem:
        mem.remember(BEN.text, speaker="Ben", session="talk")
        [memory] = mem.remember(THREE, speaker="Zoe", session="talk").memories
        assert memory.content == f"Zoe: {THREE.strip()}"
        facts = {(one.subject, one.relation, one.object) for one in mem.facts()}
        assert facts >= {("Ana", "LIVES_IN", "Oslo"), ("Zoe", "ALLERGIC_TO", "walnuts")}


@pytest.mark.parametrize("dry_run", [False, True])
def test_the_first_turn_of_a_talk_is_kept_whole_where_others_follow_in_the_call(
    clock: HandClock, dry_run: bool
) -> None:
    messages = [{"speaker": "Zoe", "content": THREE}, {"speaker": "Ben", "content": BEN.text}]
    with treering.open(":memory:", clock=clock, embedder="none", judge="none") as mem:
        told = mem.remember(messages=messages, session="talk", dry_run=dry_run)
        assert [one.content for one in told.memories] == [f"Zoe: {THREE.strip()}", f"Ben: {BEN.text}"]


def test_what_somebody_tells_before_others_are_heard_or_in_no_session_is_cut(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="none", judge="none") as mem:
        for session in ("talk", None):
            assert len(mem.remember(THREE, speaker="Zoe", session=session).memories) >= 3
            mem.remember(BEN.text, speaker="Ben", session=session)
        assert len(mem.remember("I sail to Ghent. " + THREE, speaker="Zoe").memories) >= 3


def test_talk_that_is_all_small_talk_makes_no_memory(reader: ReaderExtractor) -> None:
    [told] = reader.extract([Heard(text="Thanks a lot! Good night!", at=AT, speaker="Zoe", before=(BEN,))])
    assert told.extracted == ()
    assert told.passed_over


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Where is the kiln? Who has the key?", True),
        ("The kiln is in the shed. Who has the key?", False),
        ("The kiln is in the shed.", False),
    ],
)
def test_a_question_is_asked_where_nothing_is_said_beside_it(reader: ReaderExtractor, text: str, asked: bool) -> None:
    assert contents(reader, text, "Zoe") == [f"Zoe asked: {text}" if asked else f"Zoe: {text}"]


def test_what_states_no_facts_is_kept_whole_where_it_is_short(reader: ReaderExtractor) -> None:
    text = "The wheel squeaks again, whatever we do. It was a long day for everybody."
    [told] = reader.extract([Heard(text=text, at=AT)])
    assert [one.content for one in told.extracted if not one.clause] == [f"User: {text}"]


def test_it_can_be_asked_for_in_one_call(clock: HandClock) -> None:
    mem: Treering = treering.open(":memory:", clock=clock, embedder="none")
    receipt = mem.remember("The api listens on port 8081.", extractor="reader")
    assert receipt.extractor == "reader"
    assert receipt.memories[0].content.startswith("User: The api listens on port 8081")


def test_an_end_before_its_beginning_is_left_out(clock: HandClock) -> None:
    mem: Treering = treering.open(":memory:", clock=clock, embedder="none", extractor="reader")
    clock.now = AT
    told = mem.remember("I'm staying at the Grand Hotel from next Monday, I was at the Plaza until yesterday", at=AT)
    assert told.memories


def test_what_is_told_of_oneself_is_found_from_the_owner_and_what_is_only_told_is_not() -> None:
    with treering.open(":memory:", embedder="none", judge="none", extractor="reader") as mem:
        for text in ("my bike was stolen", "the bus was late", "where do I find a bus?"):
            mem.remember(text)
        mem.remember("my boat was stolen", speaker="Ben")
        assert [one.content for one in mem.entity("User").memories] == ["User: my bike was stolen"]
