"""What is told apart from its ids and times, so that two tellings can be compared."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treering.errors import TreeringError

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
CITED = re.compile(r"\[[0-9a-f]{8}\]")
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


def outcome(do: Callable[[], Any], thing_id: str) -> str:
    """What came of a call, with ids and times blotted out so that two calls can be compared."""
    try:
        result = do()
        told = json.dumps([one.to_dict() for one in result] if isinstance(result, list) else result.to_dict())
        told = re.sub(r'"milliseconds": {[^}]*}|"entries": \[[^]]*\]', "", told)
    except TreeringError as error:
        told = f"{type(error).__name__}: {error}"
    told = CITED.sub("[ID]", UUID.sub("ID", told.replace(thing_id, "ID")))
    return re.sub(r'"seq": \d+', '"seq": …', TIME.sub("TIME", told))


def untimed(answer: Any) -> Any:
    """Without what differs between any two calls."""
    return replace(answer, milliseconds={})
