"""How much does Treering weigh when it is installed? `python -m tools.weight [EXTRA …]` (`make weight`)

Makes a virtual environment in a folder of its own, installs this checkout with the locked versions and the extras
named, and counts every byte that came with it, models and compiled files included; the folder is removed again. With
`--keep FOLDER` it stays, to be tried.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_MEGABYTES = 350
"""What the core may weigh."""
MEGABYTE = 1_000_000
_TOOLS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "hatchling", "editables")
"""Come with the virtual environment, or are needed to install only."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("extras", nargs="*")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.keep or Path(folder) / "env"
        installed(home, given.extras)
        sizes = weigh(home)
    told = {name: round(size / MEGABYTE, 1) for name, size in sizes.most_common(12)}
    whole = sizes.total() / MEGABYTE
    print(json.dumps({"extras": given.extras, "megabytes": round(whole, 1), "largest": told}, indent=1))
    return int(not given.extras and whole > MOST_MEGABYTES)


def installed(home: Path, extras: list[str]) -> Path:
    """The environment's Python. Only what pip fetches from the index it is set up for."""
    venv.create(home, with_pip=True, clear=True)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    named = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    locked = [] if extras else ["--constraint", str(_pins(home))]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *locked, named], check=True, stdout=sys.stderr)
    return python


def _pins(home: Path) -> Path:
    """The versions of the lock file, without its hashes: what is built from a checkout has none."""
    lines = (ROOT / "requirements" / "base.lock").read_text("utf-8").splitlines()
    pins = home / "pins.txt"
    pins.write_text("\n".join(line.removesuffix(" \\") for line in lines if line[:1].isalnum()), "utf-8")
    return pins


def weigh(home: Path) -> Counter[str]:
    """Bytes by the name of the folder or file they lie in."""
    packages = next(home.glob("[Ll]ib/**/site-packages"))
    sizes: Counter[str] = Counter()
    for path in packages.rglob("*"):
        first = path.relative_to(packages).parts[0]
        if path.is_file() and not path.is_symlink() and first.split("-")[0] not in _TOOLS:
            sizes[first.split("-")[0]] += path.stat().st_size
    return sizes


if __name__ == "__main__":
    sys.exit(main())
