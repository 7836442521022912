"""What does a job of remembering do? The same as `remember`, under a key, so that it may be done again at any point.

If one of several sources cannot be read, the others are: each is then remembered by itself, under the key that it has
as a part of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treering.errors import Conflict, Unavailable
from treering.ingest.jobs import Done, JobWatch, Stopped, error_of
from treering.ingest.receipt import Receipt
from treering.model.job import Job, JobError, Made, Stage

Request = Mapping[str, Any]
Remember = Callable[..., Receipt]
IsKept = Callable[[str], bool]
"""Whether a source has this key."""


def remember_later(job: Job, request: Request, watch: JobWatch, remember: Remember, is_kept: IsKept) -> Done:
    """`remember` is to tell the watch of every source it has read."""
    whole = {**request, "at": request.get("at") or job.created_at, "key": request.get("key") or f"job:{job.id}"}
    try:
        return Done(_made([remember(**whole)]))
    except Stopped:
        raise
    except Exception as error:
        parts = _parts(whole)
        if not all(is_kept(part["key"]) for part in parts):
            raise
        watch.reached(Stage.STORED)
        if len(parts) == 1 or isinstance(error, Conflict | Unavailable):
            raise
    return _one_by_one(parts, watch, remember)


def _one_by_one(parts: list[dict[str, Any]], watch: JobWatch, remember: Remember) -> Done:
    receipts, errors = list[Receipt](), list[JobError]()
    for number, part in enumerate(parts):
        try:
            receipts.append(remember(**part))
        except (Stopped, Unavailable):
            raise
        except Exception as error:
            errors.append(error_of(error, number))
        watch.progress(number + 1, len(parts), Stage.STORED)
    return Done(_made(receipts), tuple(errors), Stage.ENRICHED if receipts else Stage.STORED)


def _parts(request: Request) -> list[dict[str, Any]]:
    """What each source of the request would be by itself."""
    key, messages, drafts = request["key"], request.get("messages"), request.get("drafts")
    if messages:
        return [_part_of(request, key=f"{key}/{n}", messages=None, **_said(one)) for n, one in enumerate(messages)]
    if drafts and request.get("content") is None and len(drafts) > 1:
        return [_part_of(request, key=f"{key}/{n}", drafts=[one]) for n, one in enumerate(drafts)]
    return [dict(request)]


def _part_of(request: Request, **own: Any) -> dict[str, Any]:
    return {**request, **{name: one for name, one in own.items() if one is not None or name == "messages"}}


def _said(message: Mapping[str, Any]) -> dict[str, Any]:
    who = message.get("speaker") or message.get("role")
    return {"content": message["content"], "speaker": who, "at": message.get("at")}


def _made(receipts: list[Receipt]) -> Made:
    return Made(
        seq=max((one.seq for one in receipts), default=0),
        source_ids=tuple(dict.fromkeys(each for one in receipts for each in one.source_ids)),
        memory_ids=tuple(dict.fromkeys(each.id for one in receipts for each in one.memories)),
    )
