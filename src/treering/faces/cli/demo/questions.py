"""What does the demo ask in plain words? An evening of talk, questions about it and about two years, and their
reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from treering.faces.cli.demo.stage import DemoStage
from treering.faces.cli.render import rendered

if TYPE_CHECKING:
    from treering.faces.cli.demo.demo_store import DemoStore
    from treering.recall.answer import Answer

    Tell = Callable[..., None]

_EMPLOYER = "Who is Sam's employer?"
_EDITOR = "Which text editor does Sam use?"
_CHRISTMAS = "2024-12-24"
_BLOCK_TOKENS = 100


def employer(stage: DemoStage, life: DemoStore) -> None:
    """Asked before the change and after it."""
    _best(stage, stage.call(life.mem.recall, _EMPLOYER, limit=1))


def talk(stage: DemoStage, life: DemoStore, tell: Tell) -> None:
    stage.day("2026-02-10T19:30:00Z")
    stage.say("An evening of talk. Whatever peanuts do to a throat, the words are kept, and can be found.")
    tell(stage, life, "peanuts", "Peanuts make my throat swell up.", session="evening")
    tell(stage, life, "coffee", "I gave up coffee after the doctor's visit last week.", session="evening")
    tell(stage, life, "wedding", "My sister Ruth is getting married in Lisbon in September.", session="evening")


def ask(stage: DemoStage, life: DemoStore) -> None:
    stage.say("Found by meaning: question and answer have no word in common.")
    _best(stage, stage.call(life.mem.recall, "Does Sam have a food allergy?", limit=1))
    stage.say("The same question has another answer today than at Christmas 2024.")
    _best(stage, stage.call(life.mem.recall, _EDITOR, limit=1))
    _best(stage, stage.call(life.mem.recall, _EDITOR, limit=1, as_of=_CHRISTMAS))
    stage.say("What nobody ever spoke of is not answered with the next best thing.")
    stage.show(life.mem.recall, "How tall is the Eiffel Tower?")


def reasons(stage: DemoStage, life: DemoStore) -> None:
    stage.say("Meaning, words, graph and time are weighed in one sum. What did each of them add?")
    stage.show(life.mem.recall, "Why did Sam leave Google in May 2025?", limit=1, explain=True)
    stage.say("And what kept a memory out?")
    told = stage.call(life.mem.why_not, _EDITOR, life.id_of("editor"))
    stage.answer(rendered(told)[: len(told.reasons)])
    stage.say(
        "A block for a prompt: dated, cited, within its budget, and quoted so that it cannot pose as an instruction."
    )
    block = stage.call(life.mem.context, "Which editor did Sam use before?", budget_tokens=_BLOCK_TOKENS)
    for line in block.text.split("\n"):
        stage.answer_text(line or " ", "cyan")
    stage.answer_text(f"about {block.tokens} of {block.budget_tokens} tokens", "dim")


def _best(stage: DemoStage, answer: Answer) -> None:
    """The first hit in a line, and what speaks for it."""
    for hit in answer.hits[:1]:
        stage.answer_text(f"“{hit.memory.content}”   {hit.why}", "cyan")
