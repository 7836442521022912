"""A question about now is answered with what was said last of the thing; nothing is lost, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from tests.conftest import HandClock
from tests.recall.changes import Story, changes, stays

import treering
from treering.door import Treering
from treering.recall.answer import Answer
from treering.recall.no_news import WAS, WISHED, Manner

TOP = 3
WEEKS = timedelta(days=34)
SOME = 5
"""Every so many stories are told in the fast group, all of them in the slow one."""


@pytest.fixture
def talk(clock: HandClock) -> Iterator[Treering]:
    """With an embedder that reads: likeness of meaning says which statements speak of one thing."""
    with treering.open(":memory:", clock=clock, embedder="turnfinder", extractor="rules") as door:
        yield door


def tell(mem: Treering, clock: HandClock, *told: str, session: str = "s") -> list[str]:
    """Weeks apart, each in a session of its own. Answers the id of the first memory of each."""
    ids = []
    for number, text in enumerate(told):
        ids.append(mem.remember(text, at=clock.now, speaker="User", session=f"{session}{number}").memories[0].id)
        clock.now += WEEKS
    return ids


def contents(answer: Answer) -> list[str]:
    return [hit.memory.content for hit in answer]


def says(answer: Answer, words: str) -> bool:
    """In a hit, or in the words that it rests on."""
    told = (f"{hit.memory.content} {' '.join(one.text or '' for one in hit.sources)}" for hit in answer)
    return any(words.lower() in text.lower() for text in told)


DENTISTS = "my dentist is Dr. Okafor", "found a new dentist, Dr. Lindgren, closer to home"


# what is shown


def test_the_later_value_stands_alone_and_tells_what_it_was_shown_instead_of(talk: Treering, clock: HandClock) -> None:
    old, new = tell(talk, clock, *DENTISTS)
    answer = talk.recall("Who is my dentist?")
    assert [hit.memory.id for hit in answer] == [new]
    (before,) = answer[0].outdates
    assert (before.memory_id, before.why) == (old, "says that it has changed")
    assert "Okafor" in before.content


def test_nothing_is_written_and_every_other_way_of_looking_shows_both(talk: Treering, clock: HandClock) -> None:
    old, new = tell(talk, clock, *DENTISTS)
    talk.recall("Who is my dentist?")
    assert {one.id for one in talk.list()} == {old, new}
    assert talk.get(old).state == "active"
    for question, more in (
        ("Who is my dentist?", {"view": "history"}),
        ("Who is my dentist?", {"as_of": clock.now}),
        ("Who was my dentist before?", {}),
        ("dentist", {}),
    ):
        assert {hit.memory.id for hit in talk.recall(question, **more)} == {old, new}, question


def test_at_an_earlier_moment_the_older_value_is_the_answer(talk: Treering, clock: HandClock) -> None:
    began = clock.now
    old, _ = tell(talk, clock, *DENTISTS)
    for more in ({"as_of": began + WEEKS / 2}, {"known_at": began + WEEKS / 2}):
        assert [hit.memory.id for hit in talk.recall("Who is my dentist?", **more)] == [old]


def test_why_not_says_which_hit_it_was_left_out_for(talk: Treering, clock: HandClock) -> None:
    old, new = tell(talk, clock, *DENTISTS)
    (reason,) = talk.why_not("Who is my dentist?", old).reasons
    assert reason.startswith(f"It was left out for a later hit, {new} (")
    assert reason.endswith("which says that it has changed; the view history shows it.")


def test_a_statement_is_outdated_for_one_question_and_stands_for_another(talk: Treering, clock: HandClock) -> None:
    tell(
        talk,
        clock,
        "the office printer is in room 204 and prints in colour",
        "they moved the office printer to room 310",
    )
    assert not says(talk.recall("Which room is the office printer in?"), "204")
    assert says(talk.recall("Does the office printer print in colour?", limit=1), "colour")


def test_what_is_said_in_one_breath_with_an_ending_is_the_answer(talk: Treering, clock: HandClock) -> None:
    tell(talk, clock, "my therapist is called Ruth", "Ruth retired, so I see Anselm for therapy now")
    assert "Anselm" in contents(talk.recall("Who is my therapist?"))[0]


def test_both_sides_of_a_contradiction_are_shown(talk: Treering, clock: HandClock) -> None:
    old, new = tell(talk, clock, *DENTISTS)
    assert [hit.memory.id for hit in talk.recall("Who is my dentist?")] == [new]
    talk.link(new, old, "contradicts")
    assert {hit.memory.id for hit in talk.recall("Who is my dentist?")} == {old, new}


def test_without_an_embedder_the_words_that_two_statements_share_decide(mem: Treering, clock: HandClock) -> None:
    mem.add("the wedding is in the barn", at=clock.now)
    mem.add("the wedding is on the beach now", at=clock.advance(days=30))
    clock.advance(days=1)
    assert contents(mem.recall("Where is the wedding?")) == ["the wedding is on the beach now"]


def test_it_is_told_on_the_command_line_and_to_agents(talk: Treering, clock: HandClock) -> None:
    from treering.faces.cli.found import answer as on_the_command_line
    from treering.faces.mcp.text import told

    old, _ = tell(talk, clock, *DENTISTS)
    answer = talk.recall("Who is my dentist?")
    assert f"instead of {old}, for it says that it has changed" in str(list(on_the_command_line(answer)))
    assert f"before: User's dentist is Dr. Okafor ({old})" in told(answer)


def test_who_wants_many_hits_gets_what_is_outdated_behind_the_first_that_stand(
    talk: Treering, clock: HandClock
) -> None:
    others = (
        "I love jokes about dentists",
        "our dog barks at every dentist",
        "the film last night had a dentist in it",
        "Ida's neighbour trains to be a dentist",
        "I dreamt of a dentist with a drill",
        "my cousin married a dentist in Cork",
    )
    old, new, *_ = tell(talk, clock, *DENTISTS, *others)
    found = [hit.memory.id for hit in talk.recall("Who is my dentist?", limit=10)]
    assert found.index(new) < 5 <= found.index(old)
    assert old not in [hit.memory.id for hit in talk.recall("Who is my dentist?", limit=5)]


def tell_scouts(mem: Treering, clock: HandClock) -> tuple[str, str]:
    """Who led them said something else; then somebody took over."""
    tell(mem, clock, "Oskar is our scout leader")
    said = mem.remember("anyone got spare tent pegs", at=clock.now, speaker="Oskar", session="pegs")
    clock.now += WEEKS
    (petra,) = tell(mem, clock, "Petra took over as scout leader from Oskar", session="later")
    return said.memories[0].id, petra


def test_what_only_names_who_was_it_before_is_no_hit_beside_who_is_it_now(talk: Treering, clock: HandClock) -> None:
    pegs, petra = tell_scouts(talk, clock)
    (hit,) = talk.recall("Who is our scout leader?")
    assert hit.memory.id == petra
    assert (pegs, "took the place of all that it names") in {(one.memory_id, one.why) for one in hit.outdates}
    (reason,) = talk.why_not("Who is our scout leader?", pegs).reasons
    assert "which took the place of all that it names" in reason


@pytest.mark.parametrize(
    "asked",
    ["Who needs tent pegs?", "What does Oskar need?", "Does Oskar lead the scouts?", "Who was our scout leader?"],
)
def test_who_asks_about_it_gets_what_names_who_was_it_before(talk: Treering, clock: HandClock, asked: str) -> None:
    pegs, _ = tell_scouts(talk, clock)
    assert pegs in [hit.memory.id for hit in talk.recall(asked)]


def test_a_name_that_was_wrong_is_not_told_beside_the_right_one(talk: Treering, clock: HandClock) -> None:
    tell(talk, clock, "the new trainee is called Mareike, she brings her own kettle")
    tell(talk, clock, "I had the trainee's name wrong, it's Marieke", session="later")
    assert not says(talk.recall("What's the trainee's name?", limit=TOP), "Mareike")
    assert says(talk.recall("Who brings her own kettle?"), "kettle")


def test_of_several_said_in_one_breath_each_is_told_before_what_has_little_to_do_with_it(
    talk: Treering, clock: HandClock
) -> None:
    tell(
        talk,
        clock,
        "I've got a Trek for commuting and a Brompton for trains",
        "the elevator music is the same eight bars",
        "somebody on the bus played the flute",
    )
    first, second, *_ = contents(talk.recall("Which bikes do I have?", limit=TOP))
    assert "Trek" in first
    assert "Brompton" in second


@pytest.mark.parametrize(
    ("had", "ended", "asked", "stays"),
    [
        (
            "I take Zyrtec for pollen and Nexium for reflux",
            "stopped taking Nexium",
            "Which medication do I take?",
            "Zyrtec",
        ),
        ("I ride a Vespa for errands and a Ducati for trips", "sold the Ducati", "What do I ride?", "Vespa"),
    ],
)
def test_what_ends_by_its_name_says_nothing_of_another(
    talk: Treering, clock: HandClock, had: str, ended: str, asked: str, stays: str
) -> None:
    tell(talk, clock, had, ended)
    assert any(f" {stays} for" in one for one in contents(talk.recall(asked, limit=TOP)))


def test_of_several_said_in_one_breath_one_goes_and_the_other_stays(talk: Treering, clock: HandClock) -> None:
    tell(talk, clock, "I've got a Trek for commuting and a Brompton for trains", "sold the Trek to a colleague")
    told = contents(talk.recall("Which bikes do I have?", limit=TOP))
    assert any("Brompton" in one for one in told)
    assert not any("got a Trek" in one for one in told)


def test_what_is_told_in_one_conversation_outdates_nothing_of_it(talk: Treering, clock: HandClock) -> None:
    ids = []
    for text in DENTISTS:
        ids.append(talk.remember(text, at=clock.now, speaker="User", session="s").memories[0].id)
        clock.advance(minutes=5)
    assert {hit.memory.id for hit in talk.recall("Who is my dentist?")} == {*ids}


# what takes nothing's place


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("my car is a Clio", "if I won the lottery my car would be a Porsche", "What is my car?"),
        ("my car is a Clio", "is a Tesla a good car now?", "What is my car?"),
        ("my car is a Clio", 'she wrote "my new car is a Tesla"', "What is my car?"),
        ("my car is a Clio", "maybe my next car is a new Tesla", "What is my car?"),
        ("my car is a Clio", "Ida's new car is a Tesla", "What is my car?"),
        ("my car is a Clio", "back in 2010 my new car was a Golf", "What is my car?"),
        (
            "I'm a nurse at Mercy",
            "back in 2019 I worked at Aldi and slept better than now",
            "What's my job these days?",
        ),
        ("I stay at the Hotel Astoria", "I also have a new room at the Hotel Meridian", "Which hotel do I stay at?"),
        ("the kitchen tap drips", "the new tap in the bathroom is gold", "Which tap drips?"),
        ("I love Thai food", "I love Ethiopian food now", "What food do I love?"),
        ("server A is in Rome", "server B is in Rome", "Which server is in Rome?"),
        ("invoice 17 is overdue", "invoice 22 is overdue", "Which invoice is overdue?"),
        ("Mia is in the book club", "Tom is in the book club", "Who is in the book club?"),
        ("we had the meeting in Oslo", "the meeting is in Rome now", "Where did we have the meeting?"),
    ],
)
def test_only_a_later_statement_of_the_same_thing_as_so_now_outdates(
    talk: Treering, clock: HandClock, first: str, second: str, asked: str
) -> None:
    old, _ = tell(talk, clock, first, second)
    assert old in [hit.memory.id for hit in talk.recall(asked)]


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("my manager is Ana", "Tom is no longer my manager", "Who is my manager?"),
        ("I work at Siemens", "I quit Bosch", "Where do I work?"),
        ("I drive a Fiat", "I no longer drive a Volvo", "What car do I drive?"),
        ("I'm married to Priya", "I'm no longer married to Eva", "Who am I married to?"),
        ("I live in Lyon", "I have moved out of Nice", "Where do I live?"),
        ("I'm dating Maya", "I broke up with Lena", "Who am I dating?"),
    ],
)
def test_the_end_of_one_value_takes_nothing_from_another_that_still_holds(
    talk: Treering, clock: HandClock, first: str, second: str, asked: str
) -> None:
    old, _ = tell(talk, clock, first, second)
    assert talk.recall(asked)[0].memory.id == old


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("I live in Ghent", "I lived in Bruges for a year as a student", "Where do I live?"),
        ("I live in Ghent", "my gym relocated to Antwerp", "Where do I live?"),
        ("I work at SAP", "I got a job interview at Oracle", "Where do I work?"),
        ("my budget is 2000 euros", "I want a budget of 3000 euros", "What is my budget?"),
        ("my rent is 1200 euros", "I paid 800 euros rent in my last place", "What is my rent?"),
        ("my therapist is Ruth", "my previous therapist was Anselm", "Who is my therapist?"),
        ("I swim on Tuesdays", "I played water polo with Ola on Saturday", "When do I swim?"),
        ("I play chess on Tuesdays", "I played chess with Ola on Saturday", "When do I play chess?"),
    ],
)
def test_what_was_or_is_wished_for_or_is_of_another_thing_takes_nothing_from_what_holds(
    talk: Treering, clock: HandClock, first: str, second: str, asked: str
) -> None:
    old, _ = tell(talk, clock, first, second)
    assert old in [hit.memory.id for hit in talk.recall(asked)]


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("I live in Boston", "I have moved out of Boston", "Where do I live?"),
        ("I live in Denver", "my company relocated me to Boulder", "Where do I live?"),
        ("my office is in Denver", "my office moved to Boulder", "Where is my office?"),
        ("the team uses Jenkins", "the team left Jenkins for Buildkite", "What does the team use?"),
    ],
)
def test_the_end_or_change_of_the_very_value_takes_its_place(
    talk: Treering, clock: HandClock, first: str, second: str, asked: str
) -> None:
    _, new = tell(talk, clock, first, second)
    assert [hit.memory.id for hit in talk.recall(asked)] == [new]


@pytest.mark.parametrize("manner", [*WAS, *WISHED])
def test_each_way_to_speak_of_what_is_not_so_reads_its_examples_and_leaves_the_others(manner: Manner) -> None:
    assert all(manner.pattern.search(one) for one in manner.reads)
    assert not any(manner.pattern.search(one) for one in manner.leaves)


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("I drive a Golf", "new tyres for the Golf from Michelin", "What car do I drive?"),
        ("my gym is Actic", "Actic has a new sauna, finally", "What gym do I go to?"),
        ("my dentist is Dr. Falk", "Dr. Falk has a new assistant, Britt", "Who is my dentist?"),
        ("my laptop is a ThinkPad", "installed Fedora on the ThinkPad, works now", "What laptop do I have?"),
        ("my blog is called Driftwood", "wrote a new post about Iceland for Driftwood", "What is my blog called?"),
        ("our contractor is Bygg AB", "Bygg AB finished the roof, looks great", "Who is our contractor?"),
        (
            "the meeting room is Saturn",
            "the projector in Saturn got replaced by an Epson",
            "Which room is the meeting in?",
        ),
    ],
)
def test_who_speaks_of_what_is_there_and_of_nothing_in_its_place_confirms_it(
    talk: Treering, clock: HandClock, first: str, second: str, asked: str
) -> None:
    old, _ = tell(talk, clock, first, second)
    assert old in [hit.memory.id for hit in talk.recall(asked)]


@pytest.mark.parametrize(
    ("first", "second", "asked", "why"),
    [
        (
            "the frontend is in Angular",
            "the frontend's all Svelte",
            "What is the frontend written in?",
            "answers the same with another value",
        ),
        (
            "in Kyoto we're staying at the Tawaraya",
            "Tawaraya was overbooked so it's the Hotel Granvia in Kyoto",
            "Where are we staying in Kyoto?",
            "speaks of it and of what is there instead",
        ),
        (
            "pull requests need two approvals on our repo",
            "one approval is enough for a merge",
            "How many approvals does a pull request need?",
            "gives another value",
        ),
        ("my pills are 50 mg", "they upped me to 75 mg", "What is the dose of my pills?", "gives another value"),
        ("Anders has a beard", "Anders shaved his beard off", "Does Anders have a beard?", "says something else of it"),
    ],
)
def test_a_later_answer_takes_an_older_ones_place_although_no_word_says_that_it_is_new(
    talk: Treering, clock: HandClock, first: str, second: str, asked: str, why: str
) -> None:
    old, new = tell(talk, clock, first, second)
    (hit,) = talk.recall(asked)
    assert hit.memory.id == new
    assert [(one.memory_id, one.why) for one in hit.outdates] == [(old, why)]


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [
        ("my desk is by the window", "Pia's desk is next to the kitchen", "Where is my desk?"),
        ("the launch is on October 3", "the launch party is on October 9", "When is the launch?"),
        ("the grant deadline is May 3", "the thesis deadline is May 9", "What is the deadline of the grant?"),
        ("our team has seven people", "the platform team has twelve people", "How many people are in our team?"),
        ("my rent is 900", "parking went up to 80 a month", "How much is my rent?"),
        ("our sprint is two weeks", "their sprints went to three weeks", "How long is our sprint?"),
        ("Elif works at a lab", "Elif's brother works at a bank", "Where does Elif work?"),
        ("we keep flour in the pantry", "we keep the rice in the drawer", "Where do we keep flour?"),
        ("going to Madrid in March", "going to Lisbon in June", "Where am I going this year?"),
    ],
)
def test_what_is_said_of_another_thing_or_of_what_others_own_takes_nothings_place(
    talk: Treering, clock: HandClock, first: str, second: str, asked: str
) -> None:
    old, _ = tell(talk, clock, first, second)
    assert old in [hit.memory.id for hit in talk.recall(asked)]


def test_a_question_with_more_than_one_thing_to_say_to_it_leaves_nothing_out(talk: Treering, clock: HandClock) -> None:
    ids = tell(talk, clock, "Mia paints to relax", "Mia started running to relax, it's great")
    assert {hit.memory.id for hit in talk.recall("What does Mia do to relax?")} == {*ids}


def test_a_question_about_these_days_is_one_about_now(talk: Treering, clock: HandClock) -> None:
    tell(talk, clock, *DENTISTS)
    assert not says(talk.recall("Who is my dentist these days?"), "Okafor")


def test_what_is_to_begin_takes_the_place_only_when_it_begins(talk: Treering, clock: HandClock) -> None:
    tell(talk, clock, "rent is 1150 a month", "letter from the landlord: from July 1 the rent goes to 1240")
    assert says(talk.recall("How much rent do I pay?"), "1150")
    clock.advance(days=200)
    assert not says(talk.recall("How much rent do I pay?"), "1150")


@pytest.mark.parametrize(
    "asked",
    ["What is the deadline of the grant?", "What's the due date of the grant?", "What\u2019s the grant deadline?"],
)
def test_of_two_days_to_come_the_one_told_last_is_the_deadline(talk: Treering, clock: HandClock, asked: str) -> None:
    talk.add("the grant deadline is December 3")
    clock.advance(days=1)
    new = talk.add("the grant deadline is December 9").id
    (hit,) = talk.recall(asked)
    assert hit.memory.id == new
    assert [one.why for one in hit.outdates] == ["gives another date"]


def test_an_hour_without_a_day_is_so_every_day(talk: Treering, clock: HandClock) -> None:
    tell(talk, clock, "the gym closes at 10pm")
    assert says(talk.recall("When does the gym close?"), "10pm")


# in many words


def outcome(mem: Treering, clock: HandClock, story: Story, number: int) -> tuple[bool, bool]:
    """Whether all that is wanted is in the first hits, and whether one of them tells what is true no more."""
    space = mem.space(f"story/{number}")
    tell(space, clock, *story.told)
    answer = space.recall(story.asked, limit=TOP)
    stale = [hit for hit in answer if story.stale and says_it(hit, story.stale) and not says_it(hit, story.wanted[0])]
    return all(says(answer, words) for words in story.wanted), bool(stale)


def says_it(hit: treering.recall.answer.Hit, words: str) -> bool:
    return words.lower() in f"{hit.memory.content} {' '.join(one.text or '' for one in hit.sources)}".lower()


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.slow)])
def test_stories_of_change_are_answered_with_the_last_of_them(talk: Treering, clock: HandClock, every: int) -> None:
    every_one = (*changes(), *changes("changes_unseen.txt"), *changes("changes_implied.txt"))
    stories = [story for story in every_one if not story.is_beyond][::every]
    told = {story: outcome(talk, clock, story, number) for number, story in enumerate(stories)}
    assert not [story for story, (found, is_stale) in told.items() if is_stale or not found]


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.slow)])
def test_stories_that_only_look_like_change_keep_all_that_was_said(
    talk: Treering, clock: HandClock, every: int
) -> None:
    every_one = (*stays(), *stays("stays_unseen.txt"), *stays("stays_alike.txt"))
    stories = [story for story in every_one if not story.is_beyond][::every]
    missed = [story for number, story in enumerate(stories) if not outcome(talk, clock, story, number)[0]]
    assert not missed
