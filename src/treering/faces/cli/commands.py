"""Which commands are there? One for each operation of the door, made when it is asked for.

A command turns words into arguments, has them checked before any store is opened, calls the door and hands the answer
to be drawn. What an operation means is not known here.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import Any

import click

from treering import settings
from treering.door import OPERATIONS, Treering
from treering.door import open as open_door
from treering.door.auditing import Audits
from treering.door.defining import Defines
from treering.door.graph import Relates
from treering.door.housing import Houses
from treering.door.jobs import Promises
from treering.door.looking import Looks
from treering.door.moving_in import MovesIn
from treering.door.notes import Notes
from treering.door.recalling import Recalls
from treering.door.remembering import Remembers
from treering.door.reviewing import Reviews
from treering.door.safekeeping import Safekeeps
from treering.door.serving import Serves
from treering.door.syncing import Syncs
from treering.door.tending import Tends
from treering.door.upkeep import Keeps
from treering.errors import NotFound
from treering.faces.cli.exits import DIFFERENCES, DONE
from treering.faces.cli.listed import AT_ONCE
from treering.faces.cli.piped import is_piped, piped, written_to
from treering.faces.cli.progress import watching
from treering.faces.cli.wishes import TreeringCommand, Wishes, take_wishes
from treering.faces.cli.words import (
    argument_help,
    by_position,
    click_parameter,
    place,
    read_words,
    reads_a_file,
    shapes,
)
from treering.faces.logs import to_stderr
from treering.operation import Operation, table
from treering.store import begun

_OTHER_NAMES = {
    "backup_run": "backups run",
    "backup_list": "backups list",
    "backup_rehearse": "backups rehearse",
    "run_pipeline": "upkeep run",
    "run_agent": "upkeep agent",
    "run_scheduled": "upkeep scheduled",
    "upkeep_status": "upkeep status",
    "review_list": "review list",
    "review_get": "review show",
    "review_create": "review create",
    "review_claim": "review claim",
    "review_apply": "review apply",
    "review_dismiss": "review dismiss",
    "review_close": "review close",
    "review_reopen": "review reopen",
    "audit_search": "audit search",
    "audit_export": "audit export",
    "audit_verify": "audit verify",
}
"""Commands that are not called like their operation; two words are a command of a group."""
ROOMS = {
    "Remember": Remembers,
    "Ask": Recalls,
    "Facts and graph": Relates,
    "Relations": Defines,
    "Both clocks": Looks,
    "What lasts and what fades": Keeps,
    "Upkeep": Tends,
    "Review": Reviews,
    "Notes of a vault": Notes,
    "Jobs": Promises,
    "From another memory": MovesIn,
    "Between two stores": Syncs,
    "Spaces and the store": Houses,
    "Backups, holds and retention": Safekeeps,
    "Keys and webhooks of a server": Serves,
    "Who did what at a server": Audits,
}
"""How the parts of the door are called where commands are listed."""
GROUPS = {
    "upkeep": "Keep a space in order: let the agents run, and see how they do.",
    "backups": "Backups on a schedule: make the next, list them, rehearse a restore, restore one.",
    "review": "What waits for somebody to decide.",
    "audit": "Who read what, signed in or was refused: what a server has recorded (TREERING_AUDIT).",
}
_NEEDS_A_STORE = frozenset(
    {"backup_run", "cluster", "consolidate", "doctor", "reembed", "relate_again", "relation_remove", "release",
     "resume", "retain", "run_agent", "run_jobs", "run_pipeline", "undo"}
)  # fmt: skip
"""Operations that write and yet have nothing to do where nothing is."""


_MAY_BE_IDS = frozenset(
    {"a", "alias", "b", "entity", "entity_id", "entity_ids", "id", "ids", "into", "memory", "memory_id", "memory_ids",
     "node", "object", "source", "start", "subject", "target", "what"}
)  # fmt: skip
"""Parameters that name memories, entities, edges and sources, by id or also by name."""


def command_name(operation: str) -> str:
    return _OTHER_NAMES.get(operation, operation.replace("_", "-"))


RESIDENT: ContextVar[Treering | None] = ContextVar("resident", default=None)
"""The door of a helper that does the command; without one it is opened for it."""
NAMES: dict[str, str] = {command_name(name): name for name in OPERATIONS}
"""From commands to the operations they call."""


def operation_command(name: str) -> TreeringCommand:
    """The command of an operation, by the command's name."""
    operation = OPERATIONS[NAMES[name]]
    how = shapes(operation)
    listed = [(one, how[one.name]) for one in operation.parameters]
    return TreeringCommand(
        name,
        params=[click_parameter(*one) for one in listed],
        arguments=[
            (place(*one), argument_help(*one) + written_to(operation.name, one[0].name))
            for one in listed
            if by_position(one[0])
        ],
        help=_help(operation),
        short_help=operation.summary,
        callback=_callback(operation),
    )


def _help(operation: Operation) -> str:
    """The docstring without the reference to Python's own spelling."""
    return operation.description.replace("`", "")


def _callback(operation: Operation) -> Callable[..., int]:
    @click.pass_context
    def call(ctx: click.Context, /, **given: Any) -> int:
        wishes = take_wishes(ctx, given)
        arguments = read_words(operation, given)
        operation.check(arguments)
        if is_piped(operation.name, arguments):
            return piped(lambda path: asked(operation, {**arguments, "path": path}, wishes), arguments)
        return show(asked(operation, arguments, wishes), wishes)

    return call


def asked(operation: Operation, arguments: dict[str, Any], wishes: Wishes) -> Any:
    url = _where(operation, arguments, wishes)
    if level := settings.read().log:
        to_stderr(level)
    with _opened(url, wishes.actor) as door, watching(wishes.json, wishes.no_color, operation.name) as watch:
        return getattr(door.watched(watch), operation.name)(**_with_whole_ids(door, arguments))


def _opened(url: str, actor: str | None) -> AbstractContextManager[Treering]:
    kept = RESIDENT.get()
    return open_door(url, actor=actor) if kept is None else nullcontext(kept)


def _with_whole_ids(door: Treering, arguments: dict[str, Any]) -> dict[str, Any]:
    """Where an id is wanted, its end will do: that is what tables and texts show of it."""
    where = {name: arguments[name] for name in ("space", "children") if name in arguments}

    def whole(name: str, said: Any) -> Any:
        if isinstance(said, str):
            return door.whole_id(said, name, **where)
        return [whole(name, one) for one in said] if isinstance(said, list) else said

    return {name: whole(name, said) if name in _MAY_BE_IDS else said for name, said in arguments.items()}


def _where(operation: Operation, arguments: dict[str, Any], wishes: Wishes) -> str:
    """The store to open. Only what writes begins one: a path mistyped for a reading leaves nothing behind."""
    url = wishes.url or settings.read().url
    if begun(url):
        return url
    if arguments.get("dry_run"):
        return ":memory:"
    only_reads = operation.effect.reads_only or (operation.name == "settings" and not arguments)
    if only_reads or operation.name in _NEEDS_A_STORE:
        raise NotFound(
            f"url: there is no store at {url}: nothing is remembered there yet. `treering remember TEXT` begins one; "
            "--url or TREERING_URL names another"
        )
    return url


def show(result: Any, wishes: Wishes) -> int:
    """Draws an answer, and gives the exit code it deserves."""
    from treering.faces.cli.paper import paper
    from treering.faces.cli.render import rendered

    if wishes.json:
        paper(wishes.no_color).json(result)
    else:
        paper(wishes.no_color).draw(rendered(result))
    return DONE if getattr(result, "ok", True) else DIFFERENCES


_LONG = frozenset(
    {"add_many", "cluster", "consolidate", "doctor", "reembed", "relate_again", "resume", "run_agent", "run_jobs",
     "run_pipeline", "run_scheduled", "verify", "webhook_resend"}
)  # fmt: skip
"""Operations of which a person wants to see how far they are, or that read much from standard input."""


def listing() -> str:
    """What `listed.tsv` says: every command, under its title; a group is one line."""
    titled = {command_name(one).split()[0]: title for title, part in ROOMS.items() for one in table(part)}
    lines = ["\t".join(ROOMS)]
    for name in dict.fromkeys(one.split()[0] for one in NAMES):
        operation = OPERATIONS.get(NAMES.get(name, ""))
        summary = GROUPS.get(name) or (operation.summary if operation else "")
        quick = operation is not None and not operation.files and operation.name not in _LONG
        quick = quick and operation is not None and not reads_a_file(operation)
        lines.append("\t".join((titled[name], name, summary, AT_ONCE if quick else "")))
    return "\n".join(lines) + "\n"
