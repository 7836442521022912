"""The page of promises is made of the tests, and every test says which promise it holds."""

from __future__ import annotations

from tests.seeds.table import DOCUMENTS, HERE, PAGE, page, promises


def test_the_page_of_promises_is_up_to_date() -> None:
    """docs/promises.md is what `python -m tests.seeds.table` writes."""
    assert PAGE.read_text("utf-8") == page()


def test_every_test_of_a_document_says_what_it_promises() -> None:
    """A test without a docstring would be a row without a promise."""
    files = {one.name for one in HERE.glob("test_*.py")} - {"test_table.py", "test_reading.py"}
    assert files == set(DOCUMENTS)
    for name in DOCUMENTS:
        assert [test for promise, test in promises(HERE / name) if not promise] == []
