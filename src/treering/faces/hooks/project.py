"""WHICH project is it? The folder that git keeps, known by where its origin is, so that clones and work trees of one
project share a space; where there is no origin, by its own path. Git itself is not run: its files are read."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from treering.values import dataclass

SPACES = "code"
"""The space above those of projects."""
_ORIGIN = re.compile(r'^\s*\[remote "origin"\]\s*$(?P<body>(?:\n(?!\s*\[).*)*)', re.MULTILINE)
_URL = re.compile(r"^\s*url\s*=\s*(\S+)", re.MULTILINE)
_REMOTE = re.compile(r"(?:\w+://(?:[^@/]*@)?[^/:]+(?::\d+)?/|[^@\s]*@?[^:/\s]+:)(?P<path>.+?)(?:\.git)?/?")
_NOT_OF_A_NAME = re.compile(r"[^a-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Project:
    root: Path
    name: str
    """As people call it."""
    space: str


def project_of(folder: str | Path) -> Project:
    start = Path(folder).expanduser()
    start = start if start.is_dir() else start.parent
    root = next((one for one in (start, *start.parents) if (one / ".git").exists()), None)
    if root is None:
        return _by_path(start)
    origin = _origin(root)
    return _by_path(root) if origin is None else Project(root, origin, f"{SPACES}/{_segments(origin)}")


def _by_path(root: Path) -> Project:
    """The end of its name tells folders of one name apart."""
    own = hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:6]
    name = root.name or "root"
    return Project(root, name, f"{SPACES}/{_segment(name)}-{own}")


def _origin(root: Path) -> str | None:
    config = _git_folder(root) / "config"
    try:
        found = _ORIGIN.search(config.read_text("utf-8", "replace"))
    except OSError:
        return None
    url = _URL.search(found["body"]) if found else None
    path = _REMOTE.fullmatch(url[1]) if url else None
    return None if path is None else "/".join(part for part in path["path"].split("/") if part)[-150:] or None


def _git_folder(root: Path) -> Path:
    """Of a work tree, the folder that all work trees share."""
    git = root / ".git"
    if git.is_dir():
        return git
    try:
        told = git.read_text("utf-8", "replace").partition("gitdir:")[2].strip()
        own = (root / told).resolve()
        shared = own / "commondir"
        return (own / shared.read_text("utf-8").strip()).resolve() if shared.exists() else own
    except OSError:
        return git


def _segments(path: str) -> str:
    return "/".join(_segment(part) for part in path.split("/")[-4:])


def _segment(name: str) -> str:
    return _NOT_OF_A_NAME.sub("-", name.lower()).strip("-") or "project"
