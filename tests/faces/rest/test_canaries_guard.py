"""The guard, the door and the type checker: none takes the name of a file from a caller."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mypy import api as mypy
from tests.faces.rest.canaries import THERE, Canaries

from treering.access.keys import ApiKey, Role
from treering.door import OPERATIONS, Treering
from treering.errors import Forbidden
from treering.faces.rest.caller import by_key
from treering.faces.rest.guarded import guarded
from treering.files import Scratch, Sent, scratch

ROOT = Path(__file__).parents[3]


NAMES_A_FILE = [(operation, name) for operation in OPERATIONS.values() for name in sorted(operation.files)]


@pytest.fixture
def canaries(tmp_path: Path) -> Canaries:
    return Canaries.laid(tmp_path / "disk")


@pytest.fixture
def eve(served: Treering) -> Any:
    """A door as an admin of everything may use it from elsewhere."""
    key = ApiKey(id="1", name="eve", role=Role.ADMIN, spaces=("*",), created_at=served.now())
    return guarded(served, by_key(key))


@pytest.mark.parametrize(("operation", "name"), NAMES_A_FILE, ids=lambda one: getattr(one, "name", one))
@pytest.mark.parametrize("kind", [str, Path, str.encode, bytearray])
def test_the_guard_takes_no_name_of_a_file(
    eve: Any, canaries: Canaries, operation: Any, name: str, kind: Callable[[str], Any]
) -> None:
    path = str(canaries.folder / f"{THERE}.md")
    given = bytearray(path.encode()) if kind is bytearray else kind(path)
    with pytest.raises(Forbidden, match=f"{name}: names a file or folder of the server"):
        getattr(eve, operation.name)(**{name: given})
    canaries.are_untouched()


@pytest.mark.parametrize(("operation", "name"), NAMES_A_FILE, ids=lambda one: getattr(one, "name", one))
def test_the_door_itself_takes_none_from_afar(served: Treering, canaries: Canaries, operation: Any, name: str) -> None:
    """Should somebody pass the guard by, there is a second one inside."""
    afar = served.from_afar()
    more = {"target": "obsidian", "id": "x"} if operation.name == "promote" else {}
    for path in (str(canaries.folder / f"{THERE}.md"), str(canaries.folder / THERE)):
        with pytest.raises(Forbidden, match=f"{name}: names a file or folder of the server"):
            getattr(afar, operation.name)(**{name: path, **more})
    canaries.are_untouched()


def test_what_was_sent_is_never_a_place(tmp_path: Path) -> None:
    with pytest.raises(Forbidden):
        Sent("/etc/passwd")  # type: ignore[arg-type]
    assert Sent(b"x", "../../etc/passwd").name == "passwd"
    assert Sent(b"x", r"C:\secrets\keys.txt").name == "keys.txt"
    assert Sent(b"x", "..").name is None
    with pytest.raises(Forbidden):
        Scratch("/etc", "passwd")  # type: ignore[arg-type]
    with scratch("a.txt") as made:
        assert made.path.parent.stat().st_mode & 0o077 == 0
        with pytest.raises(Forbidden):
            Scratch(made.folder, "../a.txt")
    assert not made.path.parent.exists()


CARELESS = """
from treering.faces.afar import Door

def careless(door: Door, said: str) -> None:
    door.add_file(said)
    door.import_journal(said)
    door.export(said)
    door.backup(said)
    door.search_unified("x", vault=said)
    door.promote("x", vault=said)
    door.index_vault(said)
    door.import_vault(said)
"""


def test_the_type_checker_refuses_a_path_where_a_file_is_sent(tmp_path: Path) -> None:
    program = tmp_path / "careless.py"
    program.write_text(CARELESS)
    told, _, code = mypy.run([f"--config-file={ROOT / 'pyproject.toml'}", str(program)])
    refused = {int(one.split(":")[1]) for one in told.splitlines() if ": error:" in one}
    assert (code, refused) == (1, set(range(5, 13))), told
