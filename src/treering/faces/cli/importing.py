"""`treering import`: what kind of file is it, and which operation brings it in?

A folder is a vault of notes, unless CortexGraph kept its memories there, and a journal is known by its first line. What
ai-memory exported is known by its records. Everything else is for `add_file`, which knows chat exports, documents, and
what other memories keep.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from treering.errors import InvalidRequest
from treering.faces.cli.wishes import TreeringCommand, Wishes, take_wishes

_OF_A_JOURNAL = frozenset({"space", "seq", "payload", "payload_hash", "prev_hash", "hash"})
_LONGEST_FIRST_LINE = 1 << 24


def import_command() -> TreeringCommand:
    return TreeringCommand(
        "import",
        params=[
            click.Argument(["file"], metavar="FILE"),
            click.Option(["--space"], metavar="TEXT", help="The space to bring it in to; a journal keeps its own."),
            click.Option(
                ["--map", "mapping"],
                multiple=True,
                metavar="NAME=FIELD",
                help="Of records of your own: which field holds what, such as --map content=body --map at=when.",
            ),
            click.Option(["--dry-run"], is_flag=True, help="Only say what would happen; not for a journal."),
        ],
        arguments=[
            ("FILE", "A journal, an exported chat or memory (ZIP too), a transcript, a document, or a folder of notes.")
        ],
        help="Bring in a file; its kind is recognised. A storage folder of CortexGraph and an export or database of "
        "ai-memory are taken over with ids, times, uses, states and links, as import-memories does, and so are saved "
        "answers of Crosmos and LongMem. What other stores "
        "keep comes with its times, states and ids: "
        "mem0 (its history database, or what its API lists), Zep and Graphiti, mcp-memory-service (its export or its "
        "database), memory.jsonl of the MCP reference server, Logseq, and with --map records of your own. Transcripts "
        "of coding agents are taken in as the hooks take them, secrets masked; a folder of them, too. A folder of "
        "Markdown notes, such as an Obsidian vault, is taken "
        "in note by note, as import-vault does. A journal made by export is replayed, all or nothing. Exports "
        "of ChatGPT or Claude accounts (conversations.json), other chats, Markdown, text, HTML, PDF, DOCX and JSON are "
        "remembered as add-file does, and so are CortexGraph's memories, and JSON Lines or CSV with a column of words "
        "(content, text, memory …). The same file again changes nothing.",
        short_help="Bring in a file of any kind that is known, or a folder of notes.",
        callback=_import,
    )


@click.pass_context
def _import(
    ctx: click.Context, /, file: str, space: str | None, mapping: tuple[str, ...], dry_run: bool, **given: Any
) -> int:
    from treering.door import OPERATIONS
    from treering.exchange.importers.accounts import conversations_in
    from treering.exchange.others import system_of
    from treering.faces.cli.commands import asked, show

    wishes = take_wishes(ctx, given)
    path = Path(file).expanduser()
    parts = conversations_in(path) if path.is_file() and not mapping else []
    moved = (
        _from_elsewhere(path, space, mapping, dry_run, wishes)
        if mapping or not (parts or (path.is_file() and is_journal(file)))
        else None
    )
    if moved is not None:
        return show(moved, wishes)
    named: dict[str, Any] = {} if space is None else {"space": space}
    tried = {"dry_run": True} if dry_run else {}
    if not parts and system_of(path) is not None:
        operation, arguments = OPERATIONS["import_memories"], {"path": file, **named, **tried}
    elif path.is_dir():
        operation, arguments = OPERATIONS["import_vault"], {"vault": file, **named, **tried}
    elif not parts and is_journal(file):
        if dry_run:
            raise InvalidRequest("dry_run: a journal is brought in all or nothing; it cannot be tried")
        operation, arguments = OPERATIONS["import_journal"], {"path": file, **named}
    else:
        operation, arguments = OPERATIONS["add_file"], {"file": file, **named, **tried}
        if len(parts) > 1:
            return show(_taken(parts, {**named, **tried}, wishes), wishes)
        arguments |= {"file": parts[0][1], "name": parts[0][0]} if parts else {}
    operation.check(arguments)
    return show(asked(operation, arguments, wishes), wishes)


def _taken(parts: list[tuple[str, bytes]], given: dict[str, Any], wishes: Wishes) -> Any:
    """One after the other: broken off, what was taken is known the next time."""
    from treering.door import OPERATIONS
    from treering.faces.cli.commands import asked
    from treering.faces.moving import ConversationsTaken

    operation, done = OPERATIONS["add_file"], ConversationsTaken(parts=0)
    while parts:
        name, data = parts.pop(0)
        arguments = {"file": data, "name": name, **given}
        operation.check(arguments)
        done = done.and_one(asked(operation, arguments, wishes))
    return done


def _from_elsewhere(path: Path, space: str | None, mapping: tuple[str, ...], dry_run: bool, wishes: Wishes) -> Any:
    """What another memory or a coding agent kept; None if it is neither."""
    from treering import settings
    from treering.exchange.importers import read_export
    from treering.exchange.transcripts import transcript_of
    from treering.language.masking import Masking

    if not path.exists():
        raise InvalidRequest(f"file: {path} cannot be read (No such file or directory); give the path of a file")
    masking = Masking(settings.read().masks_secrets)
    taken = read_export(path, mapping, masking)
    listed = (
        sorted(one for one in path.rglob("*.json*") if one.suffix in (".json", ".jsonl")) if path.is_dir() else [path]
    )
    transcripts = [] if taken or mapping or (path.is_dir() and any(path.rglob("*.md"))) else [
        one for one in listed if transcript_of(one.read_bytes()) is not None
    ]  # fmt: skip
    if taken is None and not transcripts:
        return None
    from treering.door import open as open_door
    from treering.faces.cli.progress import watching
    from treering.faces.moving import do_steps, take_transcripts

    url = ":memory:" if dry_run else wishes.url
    with open_door(url, actor=wishes.actor) as door, watching(wishes.json, wishes.no_color, "import") as watch:
        if taken is not None:
            done = do_steps(door, taken, space or settings.read().space, dry_run=dry_run, progress=watch)
            return replace(done, masked=dict(masking.found))
        return take_transcripts(door, transcripts, space, settings.read().space, dry_run=dry_run, progress=watch)


def is_journal(path: str) -> bool:
    """Whether the first line that says something is an entry of a journal."""
    try:
        with Path(path).expanduser().open("rb") as file:
            first = next((line for line in iter(lambda: file.readline(_LONGEST_FIRST_LINE), b"") if line.strip()), b"")
    except OSError as error:
        raise InvalidRequest(f"file: {path} cannot be read ({error.strerror}); give the path of a file") from None
    try:
        entry = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(entry, dict) and entry.keys() >= _OF_A_JOURNAL
