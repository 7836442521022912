"""Which story does the demo tell? Two years of Sam's life, chapter by chapter, through the public door only."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from treering.door import Treering
from treering.door import open as open_door
from treering.errors import NotFound
from treering.faces.cli.blocks import Block, Rows, TableColumn, cell, window_cell
from treering.faces.cli.demo import questions
from treering.faces.cli.demo.demo_store import DemoStore
from treering.faces.cli.demo.proof import flip_a_bit, occurrences
from treering.faces.cli.demo.stage import DemoStage, ShownName
from treering.faces.cli.render import rendered
from treering.graph.facts import Fact
from treering.mind import DEFAULT_EMBEDDER
from treering.model.setting import READER

_FILE = "life.db"
_SECRET = "heron-4711"
_CHANGED = b"I left Google"
_OPENING = (
    "A tree never rewrites its rings: every year adds one, and all earlier ones stay readable. This memory works the "
    "same way. Here are two years of it, on a throw-away file: no server, no network, no language model. Every call "
    "you see is really made."
)


def tell(stage: DemoStage, and_then: Callable[[Path], None] | None = None) -> None:
    """`and_then`: what is done with the file before it goes."""
    stage.open_with("treering", _OPENING)
    with tempfile.TemporaryDirectory(prefix="treering-demo-") as folder:
        with _store(stage, Path(folder)) as mem:
            life = DemoStore(mem, Path(folder))
            for number, (title, chapter) in enumerate(_CHAPTERS.items(), 1):
                stage.chapter(number, title)
                chapter(stage, life)
        if and_then is not None:
            stage.say("Now see it for yourself, and move both clocks; Ctrl-C ends it.")
            and_then(Path(folder) / _FILE)
    stage.say('The file is gone again. Yours begins with: treering remember "…", or in Python: treering.open()')
    if and_then is None:
        stage.say("To see this life in a browser, with both clocks to move: treering demo --ui")
    stage.console.print()


def _store(stage: DemoStage, folder: Path) -> Treering:
    """Who reads is named, so that the story is the same whatever the environment says."""
    return open_door(
        folder / _FILE,
        clock=stage.clock,
        actor="agent:companion",
        space="sam",
        embedder=DEFAULT_EMBEDDER,
        extractor=READER,
    )


def _tell(stage: DemoStage, life: DemoStore, name: str, said: str, **more: object) -> None:
    """Something Sam says, and what was made of it: statements, and what they ended."""
    receipt = life.told[name] = stage.keep(name, life.mem.remember, said, speaker="Sam", **more)
    for skipped in receipt.skipped:
        stage.answer_text(f"{skipped.why}: kept word for word, and no memory", "dim")
    for memory in receipt.memories:
        facts = "; ".join(f"{one.subject} {one.relation} {one.object}" for one in memory.triples)
        stage.answer_text(f"{memory.kind}: {memory.content}" + (f"   [{facts}]" if facts else ""), "dim")
    for edge in receipt.closed:
        never = edge.valid_from == edge.valid_until
        held = "never held" if never else f"held {window_cell(edge.valid_from, edge.valid_until).shown}"
        stage.answer_text(
            f"closed: {edge.source} {edge.relation} {edge.target}, {held}, by the rule {edge.rule!r}", "yellow"
        )


def _ask(stage: DemoStage, life: DemoStore, **question: object) -> None:
    """A question for facts; a single one is told in a line."""
    facts = stage.call(life.mem.facts, **question)
    if len(facts) == 1:
        holds = window_cell(facts[0].valid_from, facts[0].valid_until).shown
        stage.answer_text(f"{facts[0].subject} {facts[0].relation} {facts[0].object}   {holds}", "cyan")
    else:
        stage.answer([_table(facts)])


def _table(facts: Iterable[Fact]) -> Block:
    columns = (
        TableColumn("subject", main=True),
        TableColumn("relation"),
        TableColumn("object", main=True),
        TableColumn("holds"),
    )
    rows = (
        (
            cell(one.subject, "name"),
            cell(one.relation),
            cell(one.object, "name"),
            window_cell(one.valid_from, one.valid_until),
        )
        for one in facts
    )
    return Rows(columns, tuple(rows), "nothing")


# the chapters


def _a_life(stage: DemoStage, life: DemoStore) -> None:
    _first_words(stage, life)
    _news(stage, life)
    _second_thoughts(stage, life)


def _first_words(stage: DemoStage, life: DemoStore) -> None:
    stage.day("2024-03-04T09:00:00Z")
    stage.say("Sam begins to talk to an assistant. What is said is kept word for word, and read for what it says.")
    _tell(stage, life, "job", "Hello! I've worked at Google since September 2021. I live in Chicago.")
    _tell(stage, life, "editor", "I use VS Code for everything.")
    questions.employer(stage, life)
    stage.day("2024-06-20T18:30:00Z")
    stage.say("A friend is mentioned, and something better not kept.")
    _tell(stage, life, "alex", "My friend Alex works at Square.")
    _tell(stage, life, "locker", f"The code of my bike locker is {_SECRET}.")


def _news(stage: DemoStage, life: DemoStore) -> None:
    stage.day("2025-05-12T08:15:00Z")
    stage.say("A new job: what happened, what is so since then, and the end of what was so before.")
    _tell(stage, life, "moved_on", "I left Google on 5 May and joined Anthropic.")
    questions.employer(stage, life)
    stage.day("2025-09-10T20:00:00Z")
    stage.say(
        "News that comes three months late. One lives in one place at a time, so the older fact is closed: in June."
    )
    _tell(stage, life, "austin", "I moved to Austin in June.")


def _second_thoughts(stage: DemoStage, life: DemoStore) -> None:
    stage.day("2025-11-20T10:00:00Z")
    stage.say("A habit changes: the new memory supersedes the old one, and both stay readable.")
    _tell(stage, life, "neovim", "I switched from VS Code to Neovim.")
    stage.day("2026-02-10T09:00:00Z")
    stage.say("And a correction that reaches back: it was Stripe all along, not Square.")
    _tell(stage, life, "stripe", "Actually, Alex is at Stripe, not at Square.")


def _now(stage: DemoStage, life: DemoStore) -> None:
    stage.say("Today is 10 February 2026.")
    _ask(stage, life)


def _then(stage: DemoStage, life: DemoStore) -> None:
    stage.say("Christmas 2024, seen with all that is known today (valid time).")
    _ask(stage, life, as_of="2024-12-24")


def _believed(stage: DemoStage, life: DemoStore) -> None:
    where = {"subject": "Sam", "relation": "LIVES_IN", "as_of": "2025-07-01"}
    stage.say("Where did Sam live on 1 July 2025? In Austin, as we know now …")
    _ask(stage, life, **where)
    stage.say("… but asked in August, before the news came, the assistant would have said (known time):")
    _ask(stage, life, **where, known_at="2025-08-01")
    alex = {"subject": "Alex", "relation": "WORKS_FOR", "as_of": "2024-12-24"}
    stage.say("Alex at Christmas 2024, after the correction and before it:")
    _ask(stage, life, **alex)
    _ask(stage, life, **alex, known_at="2026-01-01")


def _why(stage: DemoStage, life: DemoStore) -> None:
    stage.say("Why does Sam no longer work for Google? Every closing names its rule and its evidence.")
    facts = stage.keep("facts", life.mem.facts, subject="Sam", relation="WORKS_FOR", include_closed=True)
    google = next(one for one in facts if one.object == "Google")
    place = facts.index(google)
    history = stage.show(life.mem.history, ShownName.of(f"facts[{place}].id", google.id))
    evidence = next(event.evidence for event in history.events if event.rule == "ended")
    stage.say("And the evidence:")
    memory = stage.call(life.mem.get, str(evidence))
    stage.answer_text(f"“{memory.content}” ({memory.state}, said {memory.said_at:%Y-%m-%d})", "cyan")
    stage.say("A superseded memory is not gone either:")
    editor = stage.call(life.mem.get, life.id_of("editor"))
    window = window_cell(editor.valid_from, editor.valid_until).shown
    stage.answer_text(f"“{editor.content}” ({editor.state}, held {window})", "cyan")


def _questions(stage: DemoStage, life: DemoStore) -> None:
    questions.talk(stage, life, _tell)
    questions.ask(stage, life)


def _undo(stage: DemoStage, life: DemoStore) -> None:
    stage.say("Something is taken the wrong way.")
    _tell(stage, life, "denver", "I moved to Denver.")
    stage.say("It was a joke. What a write did is undone by its opposite: what it closed is open again.")
    undone = stage.call(life.mem.undo, ShownName.of("str(denver.seq)", str(life.told["denver"].seq)), why="a joke")
    forgotten = [one for one in life.told["denver"].memories if one.id in undone.forgotten]
    what = "memory" if len(forgotten) == 1 else "memories"
    stage.answer_text(f"{len(forgotten)} {what} forgotten, {len(undone.reopened)} fact open again", "green")
    _ask(stage, life, subject="Sam", relation="LIVES_IN")


def _forget(stage: DemoStage, life: DemoStore) -> None:
    stage.say(
        "Forgetting hides a memory and the edges that rest on it; what it corrected holds again. Nothing is removed."
    )
    hidden = stage.call(life.mem.forget, life.id_of("stripe"), why="Alex asked")
    stage.answer_text(f"forgotten, and {len(hidden.edges)} edges went along", "yellow")
    _ask(stage, life, subject="Alex")
    back = stage.call(life.mem.restore, life.id_of("stripe"))
    stage.answer_text(f"restored, and the same {len(back.edges)} edges came back", "green")
    _ask(stage, life, subject="Alex")


def _purge(stage: DemoStage, life: DemoStore) -> None:
    stage.say("Only a purge removes bytes. Where does the locker's code stand on the disk?")
    _search(stage, life)
    report = stage.call(life.mem.purge, life.id_of("locker"), why="a secret should not be kept")
    stage.answer_text(
        f"{report.changes_cut} changes cut out of the journal and all tables, file scrubbed: {report.scrubbed}",
        "yellow",
    )
    _search(stage, life)
    try:
        stage.call(life.mem.get, life.id_of("locker"))
    except NotFound as error:
        stage.answer_text(f"NotFound: {error}", "red")


def _search(stage: DemoStage, life: DemoStore) -> None:
    counts = stage.call(occurrences, life.folder, _SECRET.encode())
    found = [f"{count} times in {file}" for file, count in counts.items() if count]
    stage.answer_text(", ".join(found) or f"nowhere: not in {', '.join(counts)}", "yellow" if found else "green")


def _verified(stage: DemoStage, life: DemoStore) -> None:
    stage.say(
        "The journal is a hash chain, and every table can be made again from it. Does it all hold, purge and all?"
    )
    stage.show(life.mem.verify)
    for in_journal, where in ((False, "a table"), (True, "the journal")):
        stage.say(f"Now one bit is changed behind its back, in {where} of a copy.")
        _tampered(stage, life, in_journal)


def _tampered(stage: DemoStage, life: DemoStore, in_journal: bool) -> None:
    name = "copy-2.db" if in_journal else "copy-1.db"
    copy = life.folder / name
    stage.call(life.mem.backup, ShownName.of(f'"{name}"', str(copy)))
    stage.answer_text(stage.call(flip_a_bit, copy, _CHANGED, in_journal=in_journal), "yellow")
    with open_door(copy, space="sam") as tampered:
        stage.door = "copy"
        stage.answer(rendered(stage.call(tampered.verify))[:2])
        stage.door = "mem"


_CHAPTERS = {
    "A life, as it is told": _a_life,
    "What is true now": _now,
    "What was true then": _then,
    "What was believed then": _believed,
    "Why": _why,
    "Questions in plain words": _questions,
    "What speaks for an answer": questions.reasons,
    "Undo": _undo,
    "Forget, and restore": _forget,
    "Purge: not a byte left": _purge,
    "Can it be trusted?": _verified,
}
