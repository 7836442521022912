"""An OpenID Connect provider for the tests of one session: npm's oidc-provider, which is certified, on loopback. Its
clients show their secret and get access tokens that it signs.

`npm ci` in tests/engines brings it; `make test` does so where there is npm.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import httpx
import pytest

_FOLDER = Path(__file__).parent / "engines"
_ENDING = ExitStack()
AUDIENCE = "treering"


class Issuer:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["node", "issuer.mjs"], cwd=_FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.url = f"http://127.0.0.1:{self._heard()}"
        self._http = httpx.Client(base_url=self.url, trust_env=False)

    def token(self, name: str = "ann", resource: str = "urn:treering") -> str:
        """One for this client, as a program would fetch it."""
        asked = {"grant_type": "client_credentials", "resource": resource}
        answer = self._http.post("/token", data=asked, auth=(name, name)).raise_for_status()
        return str(answer.json()["access_token"])

    def published(self) -> list[dict[str, str]]:
        return list(self._http.get("/jwks").raise_for_status().json()["keys"])

    def rotate(self) -> None:
        """From now on it signs with other keys, and publishes the old ones no more."""
        self._told("rotate")

    def silence(self) -> None:
        """It hangs up on whoever asks."""
        self._told("silence")

    def speak(self) -> None:
        self._told("speak")

    def _told(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        assert self._heard() == "done"

    def _heard(self) -> str:
        assert self._process.stdout is not None
        said = self._process.stdout.readline().strip()
        if not said:
            raise RuntimeError("the provider did not start; run `npm ci` in tests/engines anew")
        return said

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._http.close()
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


@cache
def issuer() -> Issuer:
    """That of this session; started when first asked for."""
    missing = "there is no node" if shutil.which("node") is None else ""
    if not (_FOLDER / "node_modules" / "oidc-provider").is_dir():
        missing = missing or "run `npm ci` in tests/engines"
    if missing and (os.environ.get("CI") or os.environ.get("TREERING_TEST_ALL")):
        pytest.fail(f"no identity provider to test on: {missing}")
    if missing:
        pytest.skip(f"no identity provider to test on: {missing}")
    made = Issuer()
    _ENDING.callback(made.close)
    return made


def shut_down() -> None:
    _ENDING.close()
