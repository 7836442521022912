"""WHAT stands between the two `---` at the top of a note? YAML, as far as it is harmless: small, shallow, without
references. Whatever is broken is told, and the note is read without it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from treering.model.time import to_text

FRONT_BYTES = 32 << 10
DEEPEST = 20
_MARK = "---"


def split(text: str) -> tuple[dict[str, Any], int, str | None]:
    """What it says, where the body begins, and what is wrong with it if something is."""
    end = _end(text)
    if end is None:
        return {}, 0, None
    start, stop, body = end
    try:
        return _read(text[start:stop]), body, None
    except ValueError as error:
        return {}, body, f"its front matter is not read: {error}"


def written(values: Mapping[str, Any]) -> str:
    """Front matter with these values, in this order, both marks included."""
    import yaml  # type: ignore[import-untyped]

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]
        """Times as Obsidian writes them, with a T; and what stands twice is written twice."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    Dumper.add_representer(datetime, lambda to, at: to.represent_scalar("tag:yaml.org,2002:timestamp", to_text(at)))
    text = yaml.dump(
        dict(values), Dumper=Dumper, sort_keys=False, allow_unicode=True, width=10_000, default_flow_style=False
    )
    return f"{_MARK}\n{text}{_MARK}\n"


def _end(text: str) -> tuple[int, int, int] | None:
    first = text.find("\n")
    if first == -1 or text[:first].rstrip() != _MARK:
        return None
    start = place = first + 1
    while place < len(text):
        stop = text.find("\n", place)
        stop = len(text) if stop == -1 else stop
        if text[place:stop].rstrip() in (_MARK, "..."):
            return start, place, min(stop + 1, len(text))
        place = stop + 1
    return None


def _read(text: str) -> dict[str, Any]:
    import yaml

    if len(text) > FRONT_BYTES:
        raise ValueError(f"{len(text):,} characters; at most {FRONT_BYTES:,} are read")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _check_harmless(yaml, text, loader)
        found = yaml.load(text, Loader=loader)  # both loaders are the safe ones
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(getattr(error, "problem", None) or error).split())[:200]) from None
    except (RecursionError, OverflowError) as error:
        raise ValueError(type(error).__name__) from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(f"it is a {type(found).__name__}, not names with values")
    return {str(name): value for name, value in found.items()}


def _check_harmless(yaml: Any, text: str, loader: Any) -> None:
    """References can make a few lines a gigabyte, and depth can overflow a stack."""
    depth = 0
    for event in yaml.parse(text, Loader=loader):
        if isinstance(event, yaml.AliasEvent):
            raise ValueError("it refers to itself with *")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise ValueError("it is nested too deeply")
