"""A machine on which hooks run: a home of one's own, with real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import treering
from treering.faces.hooks.diary import Diary
from treering.faces.hooks.place import HookFolder

RECORDED = Path(__file__).parent / "recorded"
PROGRAM = (sys.executable, "-m", "treering.faces.cli")
SECRETS = ("hunter2" + "hunter", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6", "AKIA" + "IOSFODNN7EXAMPLQ")
SLOW = 60.0


class Machine:
    """A home of one's own, with a project, a store and whatever helper the hooks start."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "work" / "shop"
        (self.project / ".git").mkdir(parents=True)
        origin = f'[remote "origin"]\n\turl = https://me:{SECRETS[1]}@github.com/Acme/Shop.git\n'
        (self.project / ".git" / "config").write_text(origin)
        self.env = {
            "HOME": str(root),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(treering.__file__).parents[1]),  # the sources that the tests themselves stand on
            "TREERING_EMBEDDER": "none",
            "TREERING_HOOK_IDLE_SECONDS": "600",
            "TMPDIR": tempfile.gettempdir(),
        }
        self.place = HookFolder.of(self.env, None)
        self.place.socket.unlink(missing_ok=True)  # of an earlier run in a folder of the same name
        self.diary = Diary(self.place)

    def event(self, client: str, moment: str, transcript: Path | None = None, prompt: str = "") -> dict[str, Any]:
        text = (RECORDED / client / f"{moment}.json").read_text("utf-8")
        told = json.loads(text.replace("{cwd}", str(self.project)).replace("{prompt}", prompt))
        return {**told, "transcript_path": None if transcript is None else str(transcript)}

    def hook(self, client: str, moment: str, event: Any, **env: str) -> subprocess.CompletedProcess[str]:
        given = event if isinstance(event, str) else json.dumps(event)
        words = [*PROGRAM, "hook", moment, "--client", client]
        ran = subprocess.run(
            words, input=given, capture_output=True, text=True, env={**self.env, **env}, timeout=SLOW, check=False
        )
        assert ran.returncode == 0, ran.stderr
        assert ran.stderr == ""
        return ran

    def transcript(self, client: str) -> Path:
        (path,) = (RECORDED / client).glob("transcript.*")
        own = self.root / f"{client}{path.suffix}"
        own.write_text(path.read_text("utf-8").replace("{cwd}", str(self.project)), "utf-8")
        return own

    def until(self, holds: Callable[[], object], what: str) -> None:
        end = time.monotonic() + SLOW
        while not holds():
            assert time.monotonic() < end, f"{what}: {list(self.diary.entries())}"
            time.sleep(0.05)

    def answered(self, client: str, event: Any) -> str:
        """What a prompt is told, once the helper is as quick as it must be: until then it is told nothing."""
        shown: list[str] = []

        def told() -> bool:
            shown.append(self.hook(client, "prompt", event).stdout)
            return bool(shown[-1])

        self.until(told, "nothing was told")
        return shown[-1]

    def taken(self, events: int = 1) -> None:
        def done() -> bool:
            return sum("taken" in one or one.get("event") == "turn-end" for one in self.diary.entries()) >= events

        self.until(done, "the transcript was not taken in")

    def open(self) -> Any:
        return treering.open(self.root / ".local/share/treering/treering.db", embedder="none")

    def helpers(self) -> list[int]:
        found = []
        for one in Path("/proc").glob("[0-9]*"):
            try:
                words = (one / "cmdline").read_bytes().split(b"\0")
                home = f"HOME={self.root}".encode() in (one / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if home and b"treering.faces.hooks.helper" in words:
                found.append(int(one.name))
        return found
