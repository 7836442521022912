"""The generated files say what the code says, and everything has words of its own."""

from __future__ import annotations

import ast
import inspect

import pytest
from tools import reference, wordless

from treering import settings
from treering.door import OPERATIONS
from treering.faces.cli.commands import NAMES, command_name
from treering.model.setting import SETTINGS
from treering.operation import Operation


def test_every_generated_file_is_up_to_date() -> None:
    assert reference.out_of_date() == [], "run `make docs`"


def test_everything_has_words_of_its_own() -> None:
    assert wordless.undocumented() == []


def _written(name: str) -> str:
    return (reference.ROOT / "docs" / "reference" / name).read_text("utf-8")


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_described_with_each_parameter(name: str) -> None:
    section = _written("python.md").split(f"\n### {name}\n")[1].split("\n### ")[0]
    assert OPERATIONS[name].description in section
    for parameter in OPERATIONS[name].parameters:
        assert f"| `{parameter.name}` |" in section
        assert parameter.description in section


@pytest.mark.parametrize("command", [*NAMES, "keys identity", "keys list", "demo", "import", "mcp", "mcp install"])
def test_a_command_is_described(command: str) -> None:
    assert f"\n## treering {command}\n\n`treering {command} [OPTIONS]" in _written("cli.md")


def test_settings_are_described() -> None:
    page = _written("settings.md")
    for one in (*settings.VARIABLES, *SETTINGS.values()):
        assert f"| `{one.name}` |" in page
        assert one.help in page


def test_the_stub_has_every_operation_with_its_parameters() -> None:
    text = (reference.ROOT / "src" / "treering" / "faces" / "aio.pyi").read_text("utf-8")
    [stub] = [one for one in ast.parse(text).body if isinstance(one, ast.ClassDef)]
    methods = {one.name: one for one in stub.body if isinstance(one, ast.AsyncFunctionDef)}
    assert OPERATIONS.keys() == methods.keys() - {"close", "__aenter__", "__aexit__"}
    for name, operation in OPERATIONS.items():
        given = methods[name].args
        assert [one.arg for one in (*given.args[1:], *given.kwonlyargs)] == [one.python for one in operation.parameters]
        assert (
            ast.unparse(methods[name].returns or ast.Constant(None))
            == inspect.signature(operation.method).return_annotation
        )


def test_a_parameter_without_a_description_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def whisper(self: object, quietly: int) -> None:
        """Says something."""

    monkeypatch.setitem(OPERATIONS, "whisper", Operation(whisper, OPERATIONS["get"].effect))
    assert "parameter whisper.quietly" in wordless.undocumented()


def test_a_setting_without_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordless, "VARIABLES", (settings.Variable("TREERING_SECRET", "", ""),))
    assert "variable TREERING_SECRET" in wordless.undocumented()


def test_an_operation_that_changes_makes_the_files_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    for last in reversed(list(OPERATIONS)):  # put back in turn, they are the last again
        monkeypatch.delitem(OPERATIONS, last)
        monkeypatch.delitem(NAMES, command_name(last))
        if " " not in command_name(last):  # what is in a group is not in the list of commands
            break
    assert reference.out_of_date() == [
        "src/treering/faces/aio.pyi",
        "src/treering/faces/client/__init__.pyi",
        "src/treering/faces/afar.pyi",
        "src/treering/faces/cli/listed.tsv",
        "docs/reference/python.md",
        "docs/reference/cli.md",
        "docs/reference/rights.md",
    ]


def test_the_check_of_the_tool_says_what_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reference.main(["--check"]) == 0
    monkeypatch.setattr(reference.stub, "aio", lambda: "")
    assert reference.main(["--check"]) == 1
    assert "out of date: src/treering/faces/aio.pyi; run `make docs`" in capsys.readouterr().err
