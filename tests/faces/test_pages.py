"""What the pages show is what happens: their examples are run, and print what the page says they print."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from treering.faces.cli.app import program

ROOT = Path(__file__).parents[2]
_WRITTEN = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md")), ROOT / "examples" / "README.md"]
PAGES = [str(one.relative_to(ROOT)) for one in _WRITTEN if "\n```python\n" in one.read_text("utf-8")]
"""Those that have examples; no example is left out."""
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SHOWN = "# >"
_SHELL = re.compile(r"^```(?:sh|bash|console)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"\s*(?:\$ )?(?:[A-Z_]+=\S+ )*treering(?P<words> .*)?$")
_FIGURE = re.compile(r"\d\.\d+")
"""Cosines differ in their last digit between machines."""


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_print_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TREERING_EMBEDDER", "turnfinder")
    monkeypatch.setenv("TREERING_JUDGE", "turnreader")
    blocks = list(_run(page))
    assert blocks
    for block, printed in blocks:
        shown = [line.removeprefix(_SHOWN)[1:] for line in block.splitlines() if line.startswith(_SHOWN)]
        assert _evened(printed.splitlines()) == _evened(shown)


def test_what_a_page_sets_up_of_the_log_ends_with_it() -> None:
    assert list(_run("docs/guides/logging.md"))
    assert not {"treering", "treering.recall"} & _levels().keys()


def _run(page: str) -> Iterator[tuple[str, str]]:
    """Each example of the page, and what it prints."""
    names: dict[str, object] = {}
    with _levels_kept():
        for block in _BLOCK.findall((ROOT / page).read_text("utf-8")):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block, page, "exec"), names)
            yield block, printed.getvalue()


@contextlib.contextmanager
def _levels_kept() -> Iterator[None]:
    """A page sets up the log of a program of its own; here it would be that of every test that comes after."""
    before = _levels()
    try:
        yield
    finally:
        for name in before | _levels():
            logging.getLogger(name).setLevel(before.get(name, logging.NOTSET))


def _levels() -> dict[str, int]:
    """Of our loggers, those that have one of their own."""
    loggers = logging.Logger.manager.loggerDict.items()
    ours = {name: one for name, one in loggers if name.split(".")[0] == "treering" and isinstance(one, logging.Logger)}
    return {name: one.level for name, one in ours.items() if one.level != logging.NOTSET}


def _evened(lines: list[str]) -> list[str]:
    return [_FIGURE.sub("0.00", line) for line in lines]


@pytest.mark.parametrize("page", _WRITTEN, ids=lambda page: page.name)
def test_every_command_of_a_page_can_be_given(page: Path) -> None:
    refused = [f"{one}: {why}" for one in _commands(page.read_text("utf-8")) if (why := refusal_of(one))]
    assert refused == []


def test_a_command_that_nobody_has_isrefused() -> None:
    [command] = _commands("```sh\nTREERING_SPACE=me treering recall --nothing 'where?' | head  # told\n```\n")
    assert "--nothing" in (refusal_of(command) or "")
    assert refusal_of("treering recal where") is not None


def _commands(text: str) -> list[str]:
    """Lines of shell examples, cut where one command feeds another."""
    lines = [line for block in _SHELL.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    return [one.strip() for line in lines for one in re.split(r"\s(?:\||&&)\s", line) if _COMMAND.match(one)]


def refusal_of(command: str) -> str | None:
    """What the program would say against it; it is read and not run."""
    found = _COMMAND.match(command)
    words = shlex.split((found and found["words"]) or "", comments=True)
    context, group = click.Context(program(), info_name="treering"), program()
    try:
        context = group.make_context("treering", words)
        while isinstance(context.command, click.Group) and (rest := [*context._protected_args, *context.args]):
            name, inner, left = context.command.resolve_command(context, rest)
            assert inner is not None
            context = inner.make_context(name, left, parent=context)
    except click.exceptions.Exit:
        return None
    except click.ClickException as refusal:
        return refusal.format_message()
    return None


def test_every_page_that_is_linked_to_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert broken == []
