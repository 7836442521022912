"""What real clients sent to hooks and wrote into their transcripts in two sessions of one project (`real/`): it is read
as it was said, what was given to an agent is not taken for what somebody said, and the next session knows the newer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.faces.hooks.machine import Machine

from treering.exchange.transcripts import read_transcript
from treering.exchange.transcripts.notable import What, notables
from treering.faces.hooks.clients import CLIENTS

REAL = Path(__file__).parent / "real"
RECORDED_OF = sorted(one.name for one in REAL.iterdir() if one.is_dir())
FIRST = "Let's use Postgres for the orders service. Always run `make lint` before each commit."
SECOND = "We switched from Postgres to MySQL for the orders service. Build it."
ANSWER = (
    "I set it up. The root cause was a missing index on orders.created_at. Still need to add retries to the uploader."
)


@pytest.mark.parametrize("client", RECORDED_OF)
def test_what_real_clients_wrote_is_read_as_it_was_said(client: str) -> None:
    first, second = (read_transcript(REAL / client / f"{name}.jsonl") for name in ("first", "second"))
    assert first.client == second.client == client
    assert first.left_out == second.left_out == 0
    assert [(one.role, one.text) for one in first.turns] == [
        ("user", FIRST),
        ("tool", "Ran `echo 12 passed` (exit 0)."),
        ("assistant", ANSWER),
    ]
    assert [(one.role, one.text) for one in second.turns] == [
        ("user", SECOND),
        ("tool", "Ran `false` (exit 1)."),
        ("assistant", ANSWER),
    ]


@pytest.mark.parametrize("client", RECORDED_OF)
def test_what_an_agent_was_given_is_not_taken_for_said(client: str) -> None:
    path = REAL / client / "second.jsonl"
    assert "treering-memory" in path.read_text("utf-8"), "the agent was told of the first session"
    noted = notables(read_transcript(path).turns)
    assert [one.text for one in noted if one.what is What.DECISION] == [SECOND.removesuffix(" Build it.")]
    assert [one.text for one in noted if one.what is What.INSTRUCTION] == []


def _put_in(text: str, places: dict[str, str]) -> str:
    for name, place in places.items():
        text = text.replace(name, place)
    return text


def _events(machine: Machine, client: str) -> list[tuple[str, dict[str, Any]]]:
    """As they came, with the transcripts where they are here."""
    places = {"{cwd}": str(machine.project), "{home}": str(machine.root)}
    for name in ("first", "second"):
        own = machine.root / f"{client}-{name}.jsonl"
        text = (REAL / client / f"{name}.jsonl").read_text("utf-8")
        own.write_text(text.replace("{cwd}", str(machine.project)), "utf-8")
        places[f"{{{name}}}"] = str(own)
    found = []
    for line in (REAL / client / "events.jsonl").read_text("utf-8").splitlines():
        one = json.loads(_put_in(line, places))
        if one["moment"] in CLIENTS[client].events:
            found.append((one["moment"], one["payload"]))
    return found


@pytest.mark.parametrize("client", RECORDED_OF)
def test_after_two_real_sessions_the_next_is_told_what_holds(machine: Machine, client: str) -> None:
    events = _events(machine, client)
    taken = 0
    for moment, event in events:
        shown = machine.hook(client, moment, event).stdout
        assert not shown or json.loads(shown)
        if moment not in ("session-start", "prompt"):
            taken += 1
            machine.until(lambda: sum("taken" in one for one in machine.diary.entries()) >= taken, "not taken in")  # noqa: B023
    assert len({moment for moment, _ in events}) >= 2
    start = next(event for moment, event in events if moment == "session-start")
    told = json.loads(machine.hook(client, "session-start", {**start, "session_id": "third"}).stdout)
    text = told["hookSpecificOutput"]["additionalContext"]
    assert "We switched from Postgres to MySQL for the orders service." in text
    assert "Let's use Postgres" not in text
    assert "Always run `make lint` before each commit." in text
    assert text.count("Remembered from earlier sessions") == 1
    took = [one for one in machine.diary.entries() if "taken" in one]
    assert sum(one["taken"] for one in took) == 6, "every turn once"
    assert not any(one.get("trouble") for one in took)
    with machine.open() as door:
        door.run_jobs()
        kept = [one.content for one in door.list(space="code/acme/shop", tags=("coding-turn",), limit=100).memories]
    assert sum("I set it up." in one for one in kept) <= 2, "what the event tells stands in the transcript, too"
    assert not any("treering-memory" in one or "hook_context" in one for one in kept)
