"""WHAT of a session must a later one know? What the person asked for always, what was decided, which commands work,
what was wrong and how it was mended, what is left open: each a sentence of the session, with its kind.

Only a person's words become instructions and decisions: what a tool prints or a file says never does. Whether a later
sentence takes the place of an earlier one is judged elsewhere (`later`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from enum import StrEnum

from treering.exchange.transcripts import cues
from treering.exchange.transcripts.turn import TranscriptTurn
from treering.values import dataclass


class What(StrEnum):
    INSTRUCTION = "instruction"
    DECISION = "decision"
    COMMAND = "command"
    FIX = "fix"
    OPEN = "open"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Notable:
    """`turn` and `number` say where it stands; `purpose` what a command is for; `everywhere`: it is meant for all
    projects of the person; `told`: somebody said it, where a command might only have been found to work."""

    what: What
    text: str
    turn: str
    number: int
    at: datetime | None = None
    purpose: str | None = None
    everywhere: bool = False
    told: bool = True

    @property
    def key(self) -> str:
        return f"{self.turn}#{self.number}"


_LEAST_WORDS = 2  # that say something: "that's our convention" says nothing by itself


def notables(turns: Sequence[TranscriptTurn]) -> list[Notable]:
    """In order."""
    found: list[Notable] = []
    for turn in turns:
        found += _commands(turn) if turn.role == "tool" else _sayings(turn)
    return found


def _sayings(turn: TranscriptTurn) -> Iterator[Notable]:
    number = 0
    for sentence in _sentences(turn.text):
        what = _of_person(sentence) if turn.role == "user" else _of_agent(sentence)
        everywhere = what is What.INSTRUCTION and bool(cues.EVERYWHERE.search(sentence))
        if what is not None:
            yield Notable(what, sentence, turn.id, number, turn.at, everywhere=everywhere)
            number += 1
        if turn.role == "user" and "?" not in sentence:
            for command in _told_commands(sentence):
                yield Notable(What.COMMAND, command, turn.id, number, turn.at, purpose=purpose_of(command))
                number += 1


def _sentences(text: str) -> Iterator[str]:
    for line in cues.FENCE.sub("\n", text).split("\n"):
        for match in cues.SENTENCE.finditer(cues.LIST.sub("", line)):
            sentence = cues.LEADING.sub("", match[0].strip()).strip(" ,;:-–—")  # noqa: RUF001
            words = (one.strip(".'") for one in re.findall(r"[\w'.+#/-]{2,}", sentence.lower()))
            telling = [one for one in words if one not in cues.COMMON]
            if 12 <= len(sentence) <= cues.LONGEST and len(telling) >= _LEAST_WORDS:
                yield sentence[0].upper() + sentence[1:]


def _of_person(sentence: str) -> What | None:
    if sentence.endswith("?") or cues.UNSURE.search(sentence):
        return None
    if cues.LEFT_OPEN.search(sentence) and not cues.STANDING.search(sentence):
        return What.OPEN
    if cues.ONLY_NOW.search(sentence):
        return None
    if cues.DECIDED.search(sentence):
        return What.DECISION
    if cues.STANDING.search(sentence):
        return What.INSTRUCTION
    return What.DONE if cues.FINISHED.search(sentence) else None


def _of_agent(sentence: str) -> What | None:
    """An agent decides nothing by itself; it tells what was wrong, what is left and what is done."""
    if sentence.endswith("?"):
        return None
    if cues.CAUSE.search(sentence):
        return What.FIX
    if cues.LEFT_OPEN.search(sentence) and not cues.UNSURE.search(sentence):
        return What.OPEN
    return What.DONE if cues.FINISHED.search(sentence) else None


def purpose_of(command: str) -> str | None:
    return next((name for name, pattern in cues.PURPOSE if pattern.search(command)), None)


def _commands(turn: TranscriptTurn) -> Iterator[Notable]:
    """Those that worked, one for each purpose, and as one would run them again."""
    number = 0
    for run in turn.runs:
        if not run.ok or "…" in run.command:
            continue
        for part in cues.APART.split(run.command):
            plain = re.sub(r"\s*(?:2>&1|\|\s*(?:tail|head|grep|cat|tee)\b.*|>\s*\S+)\s*", " ", part).strip()
            purpose = purpose_of(plain)
            if purpose is not None and len(plain) <= 120 and not cues.PARTICULAR.search(plain):
                yield Notable(What.COMMAND, plain, turn.id, number, turn.at, purpose=purpose, told=False)
                number += 1


def _told_commands(sentence: str) -> Iterator[str]:
    for match in cues.TOLD_COMMAND.finditer(sentence):
        command = (match[1] or match[2]).strip()
        if purpose_of(command) and not cues.NOT_THIS.search(sentence[: match.start(match.lastindex or 0)]):
            yield command
