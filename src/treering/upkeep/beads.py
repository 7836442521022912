"""How is work for the agents put in an issue tracker? With beads, by its command `bd`, where that is on the PATH; else
the review queue serves. Issues carry the label consolidation:<agent>.

No word of a memory leaves the store: an issue names memories by id. What concerns a private memory is not put into the
tracker, which knows nothing of who may see what.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from treering.errors import Conflict, NotFound, Unavailable
from treering.model.memory import Visibility
from treering.model.review import ReviewItem, ReviewKind, ReviewStatus, Urgency
from treering.model.value import Value
from treering.store.contract import Reader
from treering.store.naming import missing
from treering.upkeep import review
from treering.upkeep.review import Proposed
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

LABEL = "consolidation"
COMMAND = "bd"
TIMEOUT_SECONDS = 30.0
_LOOKED_AT = 1_000
AGENTS = tuple(one.value for one in ReviewKind)[:5]
_PRIORITY = {"high": 1, "medium": 2, "low": 3}
_STATUS = {
    "open": ReviewStatus.OPEN,
    "in_progress": ReviewStatus.CLAIMED,
    "closed": ReviewStatus.CLOSED,
}
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SAID = re.compile(r"^(space|action|urgency|memories|item): (.*)$", re.M)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Issue(Value):
    """`status`: open, in_progress or closed. `tracker`: beads, or review for the built-in queue. `item_id`: the review
    item that an issue of the tracker stands for."""

    id: str
    tracker: str
    status: str
    agent: str
    action: str
    urgency: str
    memory_ids: tuple[str, ...]
    labels: tuple[str, ...]
    worker: str | None = None
    reason: str | None = None
    item_id: str | None = None


def ask(upkeep: UpkeepSpace, proposed: Sequence[Proposed]) -> int:
    """What an agent wants decided: put in the queue, and in the tracker where there is one. Answers how many there was
    room for. A tracker that fails holds up no upkeep, since the queue has it all."""
    count, new = review.ask(upkeep, proposed)
    if new and _is_there():
        with upkeep.reading() as reader:
            open_to_all = [one for one in new if one.kind.value in AGENTS and not _is_private(reader, one.memory_ids)]
        try:
            for one in open_to_all:
                _made(upkeep, one.kind.value, one.memory_ids, one.action, one.urgency.value, one.id)
        except Unavailable as error:
            log.warning("the review queue has what the tracker could not be told: %s", error)
    return count


def ended(upkeep: UpkeepSpace, item: ReviewItem, note: str | None) -> None:
    """Closes the issue that stands for an item which was decided."""
    if item.kind.value not in AGENTS or not _is_there():
        return
    try:
        for issue in _tracked(upkeep, item.kind.value, ("open", "in_progress"), _LOOKED_AT):
            if issue.item_id == item.id:
                _run("close", issue.id, "--reason", note or f"{item.status.value} in Treering")
    except Unavailable as error:
        log.warning("the item is decided, and its issue is still open: %s", error)


def _is_private(reader: Reader, memory_ids: Sequence[str]) -> bool:
    found = (reader.memory(one) for one in memory_ids)
    return any(one is None or one.visibility is Visibility.PRIVATE for one in found)


def create(upkeep: UpkeepSpace, agent: str, memory_ids: tuple[str, ...], action: str, urgency: str) -> Issue:
    with upkeep.reading() as reader:
        private = False
        for one in memory_ids:
            memory = reader.memory(one)
            if memory is None:
                raise missing(reader, one, "memory_ids", "memory")
            private = private or memory.visibility is Visibility.PRIVATE
    if private or not _is_there():
        proposed = Proposed(ReviewKind(agent), Urgency(urgency), memory_ids, action)
        return _of_item(review.create(upkeep, proposed))
    return _made(upkeep, agent, memory_ids, action, urgency)


def _made(
    upkeep: UpkeepSpace, agent: str, memory_ids: tuple[str, ...], action: str, urgency: str, item_id: str | None = None
) -> Issue:
    title = f"{agent}: {action} {len(memory_ids)} {'memory' if len(memory_ids) == 1 else 'memories'}"
    told = {"space": upkeep.space, "action": action, "urgency": urgency, "memories": " ".join(memory_ids)}
    told |= {"item": item_id} if item_id else {}
    body = "\n".join(f"{name}: {value}" for name, value in told.items())
    label = f"{LABEL}:{agent}"
    made = _run("create", title, "--description", body, "--priority", str(_PRIORITY[urgency]), "--labels", label)
    record = next(iter(_records(made)), {})
    issue = _of_record({"labels": [label], "description": body, "status": "open", **record})
    if issue is None:
        raise Unavailable(f"{COMMAND} create: did not answer with an issue's id; run it by hand to see why")
    return issue


def query(upkeep: UpkeepSpace, reader: Reader, agent: str | None, status: str | None, limit: int) -> list[Issue]:
    kinds = [ReviewKind(agent)] if agent else [ReviewKind(one) for one in AGENTS]
    wanted = None if status is None else _STATUS[status]
    states = [wanted] if wanted else list(ReviewStatus)
    if wanted is ReviewStatus.CLOSED:
        states = [ReviewStatus.CLOSED, ReviewStatus.APPLIED, ReviewStatus.DISMISSED]
    items = (
        item for kind in kinds for state in states for item in review.listed(upkeep, reader, kind, state, None, limit)
    )
    found = [_of_item(item) for item in items]
    if _is_there():
        statuses = (status,) if status else tuple(_STATUS)
        tracked = [one for one in _tracked(upkeep, agent, statuses, limit) if _seen(reader, one)]
        twice = {one.item_id for one in tracked}
        found = [one for one in found if one.id not in twice] + tracked
    return found[:limit]


def claim(upkeep: UpkeepSpace, issue_id: str) -> bool:
    if _UUID.fullmatch(issue_id):
        return _claimed(upkeep, issue_id)
    issue = _tracked_issue(upkeep, issue_id)
    if issue.status != "open" or (issue.item_id is not None and not _claimed(upkeep, issue.item_id)):
        return False
    _run("update", issue_id, "--status", "in_progress", "--assignee", upkeep.actor)
    return True


def _claimed(upkeep: UpkeepSpace, item_id: str) -> bool:
    try:
        review.claim(upkeep, item_id)
    except Conflict:
        return False
    return True


def close(upkeep: UpkeepSpace, issue_id: str, reason: str) -> Issue:
    if _UUID.fullmatch(issue_id):
        item = review.close(upkeep, issue_id, ReviewStatus.CLOSED, reason)
        ended(upkeep, item, reason)
        return _of_item(item)
    issue = _tracked_issue(upkeep, issue_id)
    if issue.status == "closed":
        raise Conflict(f"id: issue {issue_id} is closed already")
    _run("close", issue_id, "--reason", reason)
    if issue.item_id is not None:
        with suppress(Conflict, NotFound):  # it was decided in the queue meanwhile
            review.close(upkeep, issue.item_id, ReviewStatus.CLOSED, reason)
    return Issue(**{name: getattr(issue, name) for name in Issue.__dataclass_fields__} | _closed(reason))


def _closed(reason: str) -> dict[str, Any]:
    return {"status": "closed", "reason": reason}


# the tracker


def _is_there() -> bool:
    return shutil.which(COMMAND) is not None


def _tracked(upkeep: UpkeepSpace, agent: str | None, statuses: Sequence[str], limit: int) -> list[Issue]:
    """By each status by itself: unasked, `bd list` leaves out what is closed."""
    found: list[Issue] = []
    for one, status in product([agent] if agent else AGENTS, statuses):
        told = ("--label", f"{LABEL}:{one}", "--limit", str(limit), "--status", status)
        issues = (_of_record(record) for record in _records(_run("list", *told)))
        found += [issue for issue in issues if issue is not None]
    return found


def _tracked_issue(upkeep: UpkeepSpace, issue_id: str) -> Issue:
    if not issue_id.startswith("-") and _is_there():
        for record in _records(_run("show", issue_id, missing_ok=True)):
            issue = _of_record(record)
            with upkeep.reading() as reader:
                if issue is not None and _seen(reader, issue):
                    return issue
    raise NotFound(f"id: there is no issue {issue_id!r} of the agents here; query_consolidation_issues lists them")


def _seen(reader: Reader, issue: Issue) -> bool:
    return all(reader.memory(one) is not None for one in issue.memory_ids)


def _run(*words: str, missing_ok: bool = False) -> str:
    """Runs `bd` with JSON output; never through a shell."""
    command = shutil.which(COMMAND)
    if command is None:
        raise Unavailable(f"{COMMAND}: is not on the PATH any more")
    try:
        done = subprocess.run(
            [command, *words, "--json"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{COMMAND} {words[0]}: {error}") from error
    if done.returncode and not missing_ok:
        told = (done.stderr or done.stdout).strip().splitlines()[:1]
        raise Unavailable(f"{COMMAND} {words[0]}: failed ({''.join(told) or done.returncode}); run `bd doctor`")
    return "" if done.returncode else done.stdout


def _records(text: str) -> Iterable[Mapping[str, Any]]:
    try:
        read = json.loads(text) if text.strip() else []
    except ValueError:
        raise Unavailable(f"{COMMAND}: answered with something else than JSON; update it") from None
    if isinstance(read, dict) and "schema_version" in read and "data" in read:  # from its version 2 on, or where asked
        read = read["data"]
    return [one for one in (read if isinstance(read, list) else [read]) if isinstance(one, dict)]


def _of_record(record: Mapping[str, Any]) -> Issue | None:
    """None for an issue that no agent made."""
    labels = tuple(str(one) for one in record.get("labels") or ())
    agent = next((one.partition(":")[2] for one in labels if one.startswith(f"{LABEL}:")), None)
    if agent is None or not record.get("id"):
        return None
    said = dict(_SAID.findall(str(record.get("description") or "")))
    return Issue(
        id=str(record["id"]),
        tracker="beads",
        status=str(record.get("status") or "open"),
        agent=agent,
        action=said.get("action", ""),
        urgency=said.get("urgency", "medium"),
        memory_ids=tuple(said.get("memories", "").split()),
        labels=labels,
        worker=record.get("assignee") or None,
        reason=record.get("close_reason") or None,
        item_id=said.get("item"),
    )


def _of_item(item: ReviewItem) -> Issue:
    status = "closed" if item.ended else "in_progress" if item.status is ReviewStatus.CLAIMED else "open"
    return Issue(
        id=item.id,
        tracker="review",
        status=status,
        agent=item.kind.value,
        action=item.action,
        urgency=item.urgency.value,
        memory_ids=item.memory_ids,
        labels=(f"{LABEL}:{item.kind.value}",),
        worker=item.worker,
        reason=item.note,
    )
