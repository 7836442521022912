"""`treering import`: what kind of file is it, and which operation brings it in?

A folder is a vault of notes, unless CortexGraph kept its memories there, and a journal is known by its first line. What
ai-memory exported is known by its records. Everything else is for `add_file`, which knows chat exports, documents, and
what other memories keep.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from treering.errors import InvalidRequest
from treering.faces.cli.wishes import TreeringCommand, take_wishes

_OF_A_JOURNAL = frozenset({"space", "seq", "payload", "payload_hash", "prev_hash", "hash"})
_LONGEST_FIRST_LINE = 1 << 24


def import_command() -> TreeringCommand:
    return TreeringCommand(
        "import",
        params=[
            click.Argument(["file"], metavar="FILE"),
            click.Option(["--space"], metavar="TEXT", help="The space to bring it in to; a journal keeps its own."),
            click.Option(["--dry-run"], is_flag=True, help="Only say what would happen; not for a journal."),
        ],
        arguments=[
            ("FILE", "A journal made by export, an exported chat or memory, a document, or a folder of Markdown notes.")
        ],
        help="Bring in a file; its kind is recognised. A storage folder of CortexGraph and an export or database of "
        "ai-memory are taken over with ids, times, uses, states and links, as import-memories does. A folder of "
        "Markdown notes, such as an Obsidian vault, is taken in note by note, as import-vault does. A journal made by "
        "export is replayed, all or nothing. Exports "
        "of ChatGPT or Claude accounts (conversations.json), other chats, Markdown, text, HTML, PDF, DOCX and JSON are "
        "remembered as add-file does. So is what other memories keep, record by record, with times, tags, entities and "
        "facts: memory.jsonl of the MCP reference server, CortexGraph's memories, mem0's, and JSON Lines or CSV with "
        "a column of words (content, text, memory …). The same file again changes nothing.",
        short_help="Bring in a file of any kind that is known, or a folder of notes.",
        callback=_import,
    )


@click.pass_context
def _import(ctx: click.Context, /, file: str, space: str | None, dry_run: bool, **given: Any) -> int:
    from treering.door import OPERATIONS
    from treering.exchange.others import system_of
    from treering.faces.cli.commands import asked, show

    wishes = take_wishes(ctx, given)
    named: dict[str, Any] = {} if space is None else {"space": space}
    tried = {"dry_run": True} if dry_run else {}
    if system_of(Path(file).expanduser()) is not None:
        operation, arguments = OPERATIONS["import_memories"], {"path": file, **named, **tried}
    elif Path(file).expanduser().is_dir():
        operation, arguments = OPERATIONS["import_vault"], {"vault": file, **named, **tried}
    elif is_journal(file):
        if dry_run:
            raise InvalidRequest("dry_run: a journal is brought in all or nothing; it cannot be tried")
        operation, arguments = OPERATIONS["import_journal"], {"path": file, **named}
    else:
        operation, arguments = OPERATIONS["add_file"], {"file": file, **named, **tried}
    operation.check(arguments)
    return show(asked(operation, arguments, wishes), wishes)


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
