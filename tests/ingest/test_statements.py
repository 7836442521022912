"""Where one statement ends and the next begins, as the model sees it and as words join."""

from __future__ import annotations

from tests.ingest.seen import contents, seen

KILN = "The kiln stands in Marrow Lane. Odile services it twice a year."
LATER = " The wheel squeaks all day, whatever Ravi does about it." * 3


def test_what_is_said_in_a_short_turn_stays_together() -> None:
    assert contents(seen(KILN, [(KILN[:31], {}), (KILN[32:], {})])) == [f"User: {KILN}"]


def test_a_clause_of_a_long_turn_is_cut_off_where_the_model_sees_it_begin_and_words_join() -> None:
    text = "my office is on the fourth floor now and I share it with Ravi." + LATER
    cut, end = text.index("and I"), text.index(LATER)
    assert contents(seen(text, [(text[:cut], {}), (text[cut:end], {})]))[:2] == [
        "User: my office is on the fourth floor now",
        "User: and I share it with Ravi.",
    ]


def test_nothing_is_cut_between_words_that_do_not_join() -> None:
    text = "my office is on the fourth floor beside the lift shaft of Ravi." + LATER
    cut, end = text.index("beside"), text.index(LATER)
    assert contents(seen(text, [(text[:cut], {}), (text[cut:end], {})]))[0] == f"User: {text[:end]}"


def test_lines_and_what_is_said_in_a_long_turn_are_statements_each() -> None:
    lines = "kiln: Odile services it on Saturdays\nwheel: squeaks again since Ravi left"
    assert len(contents(seen(lines))) == 2
    long = "The kiln was serviced by Odile. The wheel squeaks all day. " * 4
    assert len(contents(seen(long))) == 8


def test_a_few_words_that_name_nobody_stay_with_what_they_follow() -> None:
    text = "The wheel in the back room squeaks again. Loud as anything."
    assert contents(seen(text)) == [f"User: {text}"]
    lines = "The wheel in the back room squeaks again\nso loud now\nRavi oils it"
    assert len(contents(seen(lines, names={"Ravi": "person"}))) == 2


def test_small_talk_between_statements_is_passed_over_by_name() -> None:
    text = "Hello! The wheel in the back room squeaks. Thanks a lot!"
    told = seen(text)
    assert contents(told) == ["User: The wheel in the back room squeaks."]
    assert [text[slice(*one.span)].strip() for one in told.passed_over] == ["Hello!", "Thanks a lot!"]
    assert all(one.why for one in told.passed_over)
