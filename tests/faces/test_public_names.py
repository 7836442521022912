"""What `import treering` gives, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import treering
from treering import errors

NAMES = [
    "Client",
    "Conflict",
    "Corrupted",
    "Forbidden",
    "Held",
    "Identity",
    "InvalidRequest",
    "LimitExceeded",
    "NotFound",
    "QuotaExceeded",
    "Treering",
    "TreeringError",
    "Unavailable",
    "Unsupported",
    "__version__",
    "aio",
    "open",
    "restore_backup",
    "when",
]


def test_the_exported_names_are_exactly_these() -> None:
    assert sorted(treering.__all__) == NAMES
    assert sorted(dir(treering)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_exported_name_is_there(name: str) -> None:
    assert getattr(treering, name) is not None


def test_errors_that_a_caller_can_mend_are_exported() -> None:
    assert issubclass(treering.NotFound, errors.CallerError)
    assert treering.NotFound is errors.NotFound


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'treering' has no attribute 'remember_all'"):
        treering.remember_all  # noqa: B018


def _fresh(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout


def test_importing_loads_nothing_heavy() -> None:
    loaded = {name.split(".")[0] for name in _fresh("import treering, sys; print(*sys.modules)").split()}
    assert "treering" in loaded
    assert not loaded & {"pydantic", "sqlite3", "click", "rich", "cryptography", "asyncio"}


def test_importing_takes_less_than_a_fifth_of_a_second() -> None:
    timed = "import time; start = time.process_time(); import treering; print(time.process_time() - start)"
    assert min(float(_fresh(timed)) for _ in range(5)) <= 0.2


def test_importing_does_nothing_to_the_program_around_it() -> None:
    code = (
        "import logging, signal, sys, threading, warnings\n"
        "def around(): return (list(logging.getLogger().handlers), threading.active_count(), list(warnings.filters),"
        " signal.getsignal(signal.SIGINT), sys.excepthook)\n"
        "before = around()\nimport treering\nprint(before == around())"
    )
    assert _fresh(code).strip() == "True"
