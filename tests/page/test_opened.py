"""`treering ui` and `treering demo --ui`: a person's way to the page from a terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.faces.command import clean_environment
from tests.page.conftest import Life

PROGRAM = (sys.executable, "-m", "treering.faces.cli")


@contextmanager
def _running(*words: str, **more: str) -> Iterator[str]:
    """The address that the program says the page has; then it is told to stop, and ends well."""
    environment = clean_environment(TREERING_EMBEDDER="none", **more)
    pipes: dict[str, Any] = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    with subprocess.Popen([*PROGRAM, *words], text=True, env=environment, **pipes) as process:
        assert process.stderr is not None
        try:
            address = ""
            for line in process.stderr:
                if found := re.match(r"the page: (\S+)", line):
                    address = found[1]
                if " serves " in line:
                    break
            assert address, "it says where the page is"
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.stderr.read()
    assert process.returncode == 0, rest


def test_ui_serves_the_page_on_this_machine_and_says_where(life: Life) -> None:
    with _running("ui", "--url", str(life.path), "--space", "team", "--port", "0", "--no-open") as address:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#/ask\?space=team", address)
        base = address.split("#", maxsplit=1)[0]
        assert "<title>Treering</title>" in httpx.get(base).text
        assert [one["name"] for one in httpx.get(base + "v1/spaces").json()] == ["team"]


def test_ui_opens_the_browser_of_the_person(life: Life, tmp_path: Path) -> None:
    """A browser of our own, which writes down what it is to open."""
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    with _running("ui", "--url", str(life.path), "--port", "0", BROWSER=f"{browser} %s") as address:
        for _ in range(200):
            if opened.exists() and opened.read_text():
                break
            httpx.get(address)
            os.sched_yield()
        assert opened.read_text().strip() == address


def test_the_demo_shows_its_life_in_the_page(tmp_path: Path) -> None:
    with _running("demo", "--fast", "--ui", "--port", "0", "--no-open", TMPDIR=str(tmp_path)) as address:
        assert address.endswith("/#/graph?space=sam")
        base = address.split("#", maxsplit=1)[0]
        facts = httpx.get(base + "v1/spaces/sam/facts", params={"as_of": "2024-12-24T00:00:00Z"}).json()
        assert ("Sam", "WORKS_FOR", "Google") in {(one["subject"], one["relation"], one["object"]) for one in facts}
    assert list(tmp_path.glob("treering-demo-*")) == [], "the life is gone again"
