"""What a user finds remembered of a turn: statements that stand alone, with kinds, times, and the facts they state."""

from __future__ import annotations

import pytest
from tests.ingest.rules_read import contents, day, read

from treering.ingest.extract.contract import Claim, Cue, Stance
from treering.model.memory import Kind


def facts(text: str, *before: tuple[str, str], speaker: str | None = None) -> set[tuple[str, str, str, str]]:
    return {
        (claim.subject, claim.relation, claim.object, claim.stance.value)
        for one in read(text, *before, speaker=speaker)
        for claim in one.claims
    }


# --- a change is its episode and the state it leads to


def test_leaving_one_job_for_another_is_an_episode_and_a_state_with_both_windows() -> None:
    episode, state = read("I left Google last May to join Anthropic.")
    assert (episode.content, episode.kind) == ("User left Google to join Anthropic in May 2025", Kind.EPISODE)
    assert (state.content, state.kind) == ("User works at Anthropic", Kind.SEMANTIC)
    assert episode.event_time == state.event_time == day(2025, 5, 1)
    assert set(state.claims) == {
        Claim(subject="User", relation="WORKS_FOR", object="Anthropic", valid_from=day(2025, 5, 1)),
        Claim(subject="User", relation="WORKS_FOR", object="Google", stance=Stance.ENDS, valid_from=day(2025, 5, 1)),
    }
    assert not episode.claims


def test_switching_tools_is_an_episode_and_a_preference() -> None:
    episode, state = read("I switched from VS Code to Neovim.")
    assert (episode.content, episode.kind) == ("User switched from VS Code to Neovim", Kind.EPISODE)
    assert (state.content, state.kind) == ("User prefers Neovim over VS Code", Kind.VIEWPOINT)
    assert ("User", "USES", "VS Code", "ends") in facts("I switched from VS Code to Neovim.")
    assert [claim.instead_of for claim in state.claims if claim.relation == "PREFERS"] == ["VS Code"]


def test_moving_house_is_an_episode_and_a_state() -> None:
    episode, state = read("I moved from Chicago to Austin.")
    assert [episode.content, state.content] == ["User moved from Chicago to Austin", "User lives in Austin"]
    assert state.cue is Cue.CHANGE
    assert facts("I moved from Chicago to Austin.") == {
        ("User", "LIVES_IN", "Austin", "holds"),
        ("User", "LIVES_IN", "Chicago", "ends"),
    }


def test_a_meeting_that_tells_of_somebodys_job_is_more_than_one_statement() -> None:
    first, second, *_ = read("Had a call with Alex, now a PM at Stripe; he likes mornings.")
    assert first.kind is Kind.EPISODE
    assert "call with Alex" in first.content
    assert second.content == "Alex works at Stripe as a PM"


# --- one statement a turn, and more only where facts could change apart


@pytest.mark.parametrize(
    "text",
    [
        "I work at Lidl on the night shift, four days a week",
        "We went to the zoo on Sunday. The penguins were loud. Everybody got wet.",
        "Had lunch at Roti King with Ada, queue round the block, worth it",
        "The pump in the cellar rattles, it started after the storm",
    ],
)
def test_what_only_elaborates_stays_with_its_fact(text: str) -> None:
    assert len(read(text)) == 1


def test_facts_that_could_change_apart_are_statements_of_their_own() -> None:
    found = contents("I live in Bergen, I have a parrot named Kiki, and I'm allergic to peanuts.")
    assert found == ["User lives in Bergen", "User has a parrot named Kiki", "User is allergic to peanuts"]


def test_a_list_about_oneself_gives_a_statement_a_fact() -> None:
    found = read("about me: 41, live in Ghent, senior nurse at Maria Middelares, one beagle called Wafel")
    assert [len(one.claims) > 0 for one in found].count(True) == 3


def test_each_thing_under_a_heading_is_a_statement() -> None:
    found = read("subscriptions: Netflix, Mubi, Duolingo")
    assert [claim.object for one in found for claim in one.claims] == ["Netflix", "Mubi", "Duolingo"]
    assert len(found) == 3


# --- whose words, whose facts


def test_the_speaker_is_named_where_it_is_not_the_owner() -> None:
    assert contents("I've moved to the data team", speaker="Tobenna")[0] == "Tobenna has moved to the data team"


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("my sister moved to Boston last week", ("sister", "LIVES_IN", "Boston", "holds")),
        ("Anna's husband works at Siemens", ("Anna's husband", "WORKS_FOR", "Siemens", "holds")),
        ("Kestrel uses Postgres", ("Kestrel", "USES", "Postgres", "holds")),
        ("our CI is on Jenkins", ("CI", "USES", "Jenkins", "holds")),
    ],
)
def test_what_is_said_of_others_is_no_fact_about_the_user(text: str, fact: tuple[str, ...]) -> None:
    found = facts(text)
    assert fact in found
    assert not any(subject == "User" for subject, *_ in found)


def test_verbs_agree_with_the_name_that_took_the_place_of_i() -> None:
    vet, car = contents("I'm a vet and I don't own a car, I've tried, I do miss it")
    assert vet == "User is a vet"
    assert car.startswith("User doesn't own a car")
    assert contents("Kit and I are painters") == ["Kit and User are painters"]


# --- answers and corrections lean on what was said before


@pytest.mark.parametrize(
    ("question", "answer", "content"),
    [
        ("What's the name of the company you're joining?", "Tessellate Bio", "User is joining Tessellate Bio"),
        ("Where do you live these days?", "Tromsø", "User lives in Tromsø"),
        ("Do you have any allergies?", "yeah sesame, pretty badly", "User is allergic to sesame, pretty badly"),
        ("Which editor are you using?", "Helix", "User uses Helix"),
    ],
)
def test_a_short_answer_is_completed_from_its_question(question: str, answer: str, content: str) -> None:
    assert content in contents(answer, ("assistant", question))


@pytest.mark.parametrize(
    ("answer", "made"),
    [
        ("Umm, a plumber", {("User", "HAS_ROLE", "plumber", "holds")}),
        ("Uhm, I'm a plumber", {("User", "HAS_ROLE", "plumber", "holds")}),
        ("Uhh...", set()),
    ],
)
def test_a_sound_is_no_answer(answer: str, made: set[tuple[str, str, str, str]]) -> None:
    assert facts(answer, ("Anna", "So what do you do for a living?")) == made


def test_a_correction_is_put_where_the_wrong_value_stood() -> None:
    (one,) = read("wait, the 15th actually", ("User", "My flight's on the 14th."))
    assert one.content.startswith("User's flight's on the 15th")
    assert one.cue is Cue.CORRECTION
    assert one.event_time == day(2026, 2, 15)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We were in Bergamo, then drove on from there", "drove on from there (Bergamo)"),
        ("Ida is from Bergamo and will move there again", "move there (Bergamo) again"),
    ],
)
def test_there_stays_and_is_told_where_it_is(text: str, told: str) -> None:
    assert told in " ".join(contents(text))


def test_a_pronoun_is_replaced_by_the_name_it_means() -> None:
    before = ("User", "I had coffee with Greta.")
    assert contents("She starts at Nokia in March", before)[0].startswith("Greta starts at Nokia in March")
    assert ("Greta", "WORKS_FOR", "Nokia", "holds") in facts("She starts at Nokia in March", before)


# --- what is had for this and for that


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("we have Hulu for the kids, plus Mubi for me", ["User has Hulu for the kids", "User has Mubi for User"]),
        (
            "I've got a Trek for trains and a Brompton for commuting",
            ["User has got a Trek for trains", "User has got a Brompton for commuting"],
        ),
        (
            "I use Anki for vocabulary, Babbel for grammar, and Quizlet for exams",
            ["User uses Anki for vocabulary", "User uses Babbel for grammar", "User uses Quizlet for exams"],
        ),
        (
            "Ann subscribes to The Economist for work and Monocle for fun",
            ["Ann subscribes to The Economist for work", "Ann subscribes to Monocle for fun"],
        ),
        ("I thank Ann for the book and Bo for the cake", ["User thanks Ann for the book and Bo for the cake"]),
        (
            "if I use Slack for chat and Jira for tickets I go mad",
            ["if User uses Slack for chat and Jira for tickets User goes mad"],
        ),
        ("I'd use Slack for chat and Jira for tickets", ["User would use Slack for chat and Jira for tickets"]),
        ("I use Vim and tmux", ["User uses Vim and tmux"]),
        ("I have no Slack for chat and Jira for tickets", ["User has no Slack for chat and Jira for tickets"]),
    ],
)
def test_of_things_had_for_this_and_for_that_each_is_a_statement(text: str, made: list[str]) -> None:
    assert contents(text) == made


def test_of_things_had_for_this_and_for_that_each_is_a_fact() -> None:
    trek, brompton = read("I've got a Trek for commuting and a Brompton for trains")
    assert [(c.relation, c.object) for one in (trek, brompton) for c in one.claims] == [
        ("OWNS", "Trek"),
        ("OWNS", "Brompton"),
    ]
    assert facts("I don't use Slack for chat and Jira for tickets anymore") == {
        ("User", "USES", "Slack", "ends"),
        ("User", "USES", "Jira", "ends"),
    }


# --- words that would turn the sense


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Yesterday was my birthday.", "Yesterday (2026-02-09) was User's birthday"),
        ("Today was my last day.", "Today (2026-02-10) was User's last day"),
        ("Last year was hard", "User: Last year (2025) was hard"),
        ("Yesterday was at the dentist", "Yesterday (2026-02-09) User was at the dentist"),
        ("Tomorrow will be my first day", "Tomorrow (2026-02-11) will be User's first day"),
        ("I read Emma last week", "User read Emma last week (2026-02-02)"),
        ("I read poems every day", "User reads poems every day"),
        ("I quit smoking three years ago.", "User quit smoking three years ago (February 2023)"),
        ("I hurt my shoulder", "User hurt User's shoulder"),
        ("we set the alarm yesterday", "User set the alarm yesterday (2026-02-09)"),
        ("I put sugar in my coffee every morning", "User puts sugar in User's coffee every morning"),
        ("I set my own hours, always", "User sets User's own hours, always"),
        ("According to the vet, Momo is fine", "User: According to the vet, Momo is fine"),
    ],
)
def test_a_statement_says_what_was_said(text: str, content: str) -> None:
    assert contents(text) == [content]


def test_what_one_does_besides_is_told_of_oneself_as_well() -> None:
    assert contents("I live in Ghent and work at Nokia") == ["User lives in Ghent", "User works at Nokia"]
    assert ("User", "WORKS_FOR", "Nokia", "holds") in facts("I live in Ghent and work at Nokia")
    assert contents("I have school and work at 8") == ["User has school and work at 8"]


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("I actually like broccoli.", None),
        ("Actually, I also like broccoli", None),
        ("Actually, I live in Bergen.", Cue.CORRECTION),
        ("No, actually I live in Bergen", Cue.CORRECTION),
        ("It's actually at noon", Cue.CORRECTION),
        ("I live in Bergen, actually.", Cue.CORRECTION),
        ("I live in New Orleans", None),
        ("my new car is a Volvo", Cue.CHANGE),
    ],
)
def test_a_filler_takes_nobodys_place(text: str, cue: Cue | None) -> None:
    assert [one.cue for one in read(text)] == [cue]


# --- what the assistant says, and what is asked


def test_an_assistants_turn_is_kept_as_it_stands_without_claims() -> None:
    (one,) = read("You live in Ghent, as you told me.", speaker="assistant")
    assert "You live in Ghent" in one.content
    assert (one.claims, one.importance) == ((), 0.3)


def test_a_long_turn_is_split_at_its_paragraphs() -> None:
    text = "\n\n".join(f"Section {k}. " + "word " * 300 for k in range(8))
    found = read(text, speaker="assistant")
    assert len(found) > 1
    assert all(text[one.span[0] : one.span[1]].startswith("Section") for one in found)


def test_a_question_is_kept_as_it_was_asked() -> None:
    (one,) = read("chili recipe for 6?")
    assert (one.content, one.kind, one.importance) == ("User asked: chili recipe for 6?", Kind.EPISODE, 0.3)


def test_a_fact_inside_a_question_counts() -> None:
    assert ("User", "FOLLOWS_DIET", "vegan", "holds") in facts("since I'm vegan, what can I cook?")


# --- what is no plain talk


@pytest.mark.parametrize(
    "text",
    [
        "I work at Volvo. Here is my code:\n```python\ndef go():\n    return 1\n```",
        "why does this fail?\nimport os\nos.remove(path)\nI use Postgres",
        "<div class='a'>I live in Rome</div>",
    ],
)
def test_a_turn_with_code_is_kept_in_its_own_words_and_claims_nothing(text: str) -> None:
    (one,) = read(text)
    assert text in one.content
    assert one.claims == ()


def test_a_long_turn_is_one_statement_with_what_its_speaker_surely_says() -> None:
    text = "I live in Ghent. " + "The weather was grey and the trams were late again today. " * 12
    (one,) = read(text)
    assert text.strip() in one.content
    assert [(claim.relation, claim.object) for claim in one.claims] == [("LIVES_IN", "Ghent")]


def test_a_request_for_help_changes_nothing() -> None:
    (one,) = read("I'm now trying to set up a new project with Flask, can you help me?")
    assert (one.claims, one.cue) == ((), None)


@pytest.mark.parametrize(
    "text",
    [
        "This film is one of my favourites",
        "our shop is one of many",
        "The Krondell is one of my favourites too",
        "Duolingo is one of my favourites",
        "that photo is from last night - everybody was there",
        "the grand reopening is tomorrow",
        "When we're 50, if neither of us is married, we move in together",
        "I go to Starbucks most mornings",
        "we go to Norway to see my uncle",
        "just got back from the Moomin party",
        "I picked up new habits",
        "I ordered pasta for all of us",
        "we're like sisters",
        "I glued the old robot and named her Trixie",
        "the woman in the photo is Carla Reyes",
        "I use my voice to help others",
        "we've been using that tool",
        "Anna and Ivo are working as a team",
        "I'm on board with it",
        "I'm going to a birthday party",
        "I'll start with Lighthouse and then look at the logs",
    ],
)
def test_what_nobody_could_make_sense_of_later_is_no_fact(text: str) -> None:
    assert {fact for fact in facts(text) if fact[1] != "PLANNED"} == set()


def test_a_value_ends_where_a_dash_begins_something_else() -> None:
    assert facts("the alarm code is 7719 - keep it to yourself") == {("alarm", "CODE", "7719", "holds")}
