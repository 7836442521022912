"""What lies in the package is what the sources give, it is small, and it is served as it lies there."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest
from tests.page.conftest import Served

from treering.faces.page import FOLDER, built

SOURCES = Path(__file__).parent.parent.parent / "page"
MOST_BYTES = 600_000


def _npm() -> str:
    npm = shutil.which("npm")
    if npm is None:
        (pytest.fail if os.environ.get("TREERING_TEST_ALL") else pytest.skip)("there is no npm")
    assert npm is not None
    return npm


def _run(*words: str, within: Path) -> None:
    done = subprocess.run(words, cwd=within, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr


def test_a_fresh_build_from_the_locked_packages_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("src", "public", "package.json", "package-lock.json", "build.mjs", "tsconfig.json"):
        here = SOURCES / name
        if here.is_dir():
            shutil.copytree(here, tmp_path / "page" / name)
        else:
            (tmp_path / "page").mkdir(exist_ok=True)
            shutil.copy(here, tmp_path / "page" / name)
    _run(_npm(), "ci", "--silent", "--ignore-scripts", "--prefer-offline", within=tmp_path / "page")
    _run("node", "build.mjs", str(tmp_path / "built"), within=tmp_path / "page")
    fresh = {one.name: one.read_bytes() for one in (tmp_path / "built").iterdir()}
    kept = {name: path.read_bytes() for name, path in built().items()}
    assert sorted(fresh) == sorted(kept)
    assert [name for name in fresh if fresh[name] != kept[name]] == [], "run `make page` and commit what it wrote"


def test_the_sources_pass_the_checks_of_their_types() -> None:
    _npm()
    if not (SOURCES / "node_modules" / "typescript").exists():
        (pytest.fail if os.environ.get("TREERING_TEST_ALL") else pytest.skip)("`npm ci` was not run in page/")
    done = subprocess.run(["npm", "run", "--silent", "check"], cwd=SOURCES, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_is_small_and_calls_nobody() -> None:
    files = {name: path.read_bytes() for name, path in built().items()}
    assert sum(len(gzip.compress(one, 9)) for one in files.values()) <= MOST_BYTES
    document = files["index.html"].decode()
    assert re.findall(r"<script(?![^>]*src=)|<style|\son\w+=|style=", document) == []
    for name, content in files.items():
        named = set(re.findall(r"https?://([\w.-]+)", content.decode()))
        assert named <= {"www.w3.org"}, f"{name} names a host"
    assert "eval(" not in files["app.js"].decode()


def test_every_locked_package_has_its_hash() -> None:
    locked = json.loads((SOURCES / "package-lock.json").read_text("utf-8"))["packages"]
    assert [name for name, one in locked.items() if name and "integrity" not in one] == []


def test_it_is_served_packed_and_not_sent_again_while_it_is_the_same(served: Served) -> None:
    with httpx.Client(base_url=served.url) as http:
        first = http.get("/page/app.js")
        assert first.headers["content-encoding"] == "gzip"
        assert first.content == (FOLDER / "app.js").read_bytes()
        again = http.get("/page/app.js", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert http.get("/").headers["content-type"] == "text/html; charset=utf-8"
        assert http.get("/docs").status_code == 200
