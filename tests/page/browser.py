"""A real Chromium for the tests, driven by playwright-core in a process of Node's: what a person sees and does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import urllib.parse
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MODULES = HERE.parent.parent / "page" / "node_modules"
WAIT_SECONDS = 15.0


def chromium() -> str | None:
    """The browser of this machine, if it has one."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if name and (found := shutil.which(name))), None)


def must_have_a_browser() -> str:
    """Its path; a test without one is passed over, but in CI it fails."""
    browser = chromium()
    lacking = None
    if browser is None:
        lacking = "there is no Chromium (apt-get install chromium)"
    elif shutil.which("node") is None:
        lacking = "there is no Node.js"
    elif not (MODULES / "playwright-core").exists():
        lacking = "`npm ci` was not run in page/"
    if lacking is not None:
        tell = pytest.fail if os.environ.get("TREERING_TEST_ALL") else pytest.skip
        tell(f"the page cannot be looked at: {lacking}")
    assert browser is not None
    return browser


def _processes() -> dict[int, list[int]]:
    """By its number, what the system says of each process after its name: state (as 0), parent and so on."""
    found = {}
    for one in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = one.read_text("utf-8").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        found[int(one.parent.name)] = [0, *(int(word) for word in words[1:15])]
    return found


class Browser:
    """One window at a time."""

    def __init__(self) -> None:
        environment = {**os.environ, "CHROMIUM": must_have_a_browser(), "PAGE_MODULES": str(MODULES)}
        words, pipe = ["node", str(HERE / "driver.mjs")], subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env=environment)
        self.base = ""

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def _ask(self, command: str, **args: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"command": command, **args}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("the browser went away")
        answer = json.loads(line)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["value"]

    # opening

    def fresh(self, base: str, width: int = 1360, height: int = 860, **options: Any) -> Browser:
        """A window of its own, with nothing kept from the one before."""
        self.base = base
        viewport = {"width": width, "height": height}
        self._ask("fresh", base=base, options={"viewport": viewport, "reducedMotion": "reduce", **options})
        return self

    def open(self, view: str, **asked: str) -> Browser:
        """A view by its address, and waits until the page is there."""
        query = urllib.parse.urlencode(asked)
        self._ask("goto", url=f"{self.base}/#/{view}{'?' + query if query else ''}")
        self.sees(f".view-{view} h1")
        return self

    def goto(self, path: str) -> None:
        self._ask("goto", url=self.base + path)

    def reload(self) -> None:
        self._ask("reload")

    # doing

    def click(self, name: str, role: str = "button", inside: str | None = None, exact: bool = True) -> None:
        self._ask("click", at={"role": role, "name": name, "exact": exact, "in": inside})

    def click_on(self, css: str) -> None:
        self._ask("click", at={"css": css})

    def fill(self, label: str, text: str, exact: bool = True) -> None:
        self._ask("fill", at={"label": label, "exact": exact}, text=text)

    def choose(self, label: str, value: str) -> None:
        self._ask("choose", at={"role": "combobox", "name": label}, value=value)

    def check(self, label: str, exact: bool = True) -> None:
        self._ask("check", at={"label": label, "exact": exact})

    def focus(self, name: str, role: str) -> None:
        self._ask("focus", at={"role": role, "name": name})

    def press(self, *keys: str) -> None:
        for key in keys:
            self._ask("press", keys=key)

    def drag(self, name: str, role: str, by: int) -> None:
        self._ask("drag", at={"role": role, "name": name}, by=by)

    def pick(self, label: str, text: str) -> None:
        """Types into a picker and takes the first that is found."""
        self.fill(label, text)
        assert self.until("document.querySelector('.found:not([hidden]) li') !== null"), f"nothing is found for {text}"
        self.press("Enter")

    # seeing

    def until(self, js: str, seconds: float = WAIT_SECONDS) -> Any:
        return self._ask("until", js=js, seconds=seconds)

    def sees(self, css: str, words: str | None = None, seconds: float = WAIT_SECONDS) -> None:
        wanted = json.dumps(words)
        js = f"""[...document.querySelectorAll({json.dumps(css)})]
            .some((one) => {wanted} === null || one.textContent.includes({wanted}))"""
        if not self.until(js, seconds):
            shown = self.evaluate("document.body.innerText.slice(0, 3000)")
            raise AssertionError(f"{css} with {words!r} is not to be seen in:\n{shown}")

    def sees_no(self, css: str, words: str | None = None) -> None:
        wanted = json.dumps(words)
        js = f"""![...document.querySelectorAll({json.dumps(css)})]
            .some((one) => {wanted} === null || one.textContent.includes({wanted}))"""
        assert self.until(js), f"{css} with {words!r} is still to be seen"

    def text(self, css: str) -> str:
        return str(self._ask("text", css=css))

    def texts(self, css: str) -> list[str]:
        return list(self._ask("texts", css=css))

    def count(self, css: str) -> int:
        return int(self._ask("count", css=css))

    def attribute(self, css: str, name: str) -> str | None:
        found: str | None = self._ask("attribute", css=css, name=name)
        return found

    def value(self, label: str) -> str:
        return str(self._ask("value", at={"label": label}))

    def evaluate(self, js: str) -> Any:
        return self._ask("evaluate", js=js)

    def download(self, name: str) -> dict[str, str]:
        return dict(self._ask("download", at={"role": "button", "name": name}))

    def shot(self, path: Path, whole: bool = False) -> None:
        self._ask("shot", path=str(path), whole=whole)

    def axe(self) -> list[dict[str, Any]]:
        return list(self._ask("axe"))

    def metrics(self) -> dict[str, float]:
        """What the page's own thread has done since it was opened, in seconds on the processor."""
        return dict(self._ask("metrics"))

    def processor_seconds(self) -> float:
        """What all processes of the browser have had of the processor since they began, where the system says so."""
        parents = {pid: fields[1] for pid, fields in _processes().items()}
        own, grown = {self._process.pid}, True
        while grown:
            more = {pid for pid, parent in parents.items() if parent in own} - own
            own, grown = own | more, bool(more)
        ticks = sum(sum(fields[11:13]) for pid, fields in _processes().items() if pid in own - {self._process.pid})
        return ticks / os.sysconf("SC_CLK_TCK")

    def noted(self) -> dict[str, Any]:
        return dict(self._ask("noted"))
