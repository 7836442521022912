"""What if the disk fails in the middle of what is kept beside the journal, or of work that takes several writes?

One act is there or not at all; work of several goes on where it was left, and ends as if nothing had happened.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.test_judged import Fixed
from tests.property.drawing import START
from tests.property.faults import WRITES, Trap, outline, whole_of
from tests.recall.hashing import Hashing

from treering.door import OPERATIONS, Treering
from treering.errors import CallerError, Fault, TreeringError, Unavailable
from treering.exchange.webhooks.kept import DeadLetter, bury
from treering.mind.judging import Verdict
from treering.mind.minds import Minds
from treering.model.job import JobError, JobStatus
from treering.store.sqlite import SqliteStore

AT_ONCE = 5
"""So many statements of each are tried at every change, from its first to its last; all of them in the slow group."""
TRIED = [AT_ONCE, pytest.param(None, marks=pytest.mark.slow)]
LATER = timedelta(hours=2)
"""When leases have run out and what failed may be tried again."""

ELSEWHERE = {
    "remember": "test_a_fault_at_any_statement_of_a_remembering_loses_nothing_that_was_kept_and_the_same_key_goes_on",
    "doctor": "test_a_fault_while_repairing_leaves_the_damage_or_the_repair",
}
"""Writing operations that a test of their own tries, in test_faults."""


@dataclass
class Ground:
    """A store with something to do for everybody, and the ids in it."""

    path: Path
    vault: Path
    ids: dict[str, str] = field(default_factory=dict)


def door_of(store: SqliteStore, later: timedelta = timedelta(0)) -> Treering:
    def clock() -> datetime:
        return START + timedelta(days=2) + later

    return Treering(store, clock=clock, actor="ann", space="acme")


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    folder = tmp_path_factory.mktemp("beside")
    made = Ground(folder / "ground.db", folder / "vault")
    made.vault.mkdir()
    for name in ("tea", "bread"):
        (made.vault / f"{name}.md").write_text(f"# {name}\n\nAnn likes {name}.")
    store = SqliteStore(made.path)
    early = Treering(store, clock=lambda: START, actor="ann", space="acme")
    alike = [f"Ann drinks green tea at home every {when} morning" for when in ("early", "late", "cold")]
    first, *_ = [early.add(one, entities=["Ann"], tags=["tea"]).id for one in alike]
    early.add("Ann parks the van", tier="short")
    held = early.add("Ann owes Bo a hat").id
    early.hold("case", held)
    early.settings({"tiers": {"enabled": True}})
    item = early.review_create("decay", "archive", memory_ids=[first], proposal={"op": "archive"})
    issue = early.create_consolidation_issue("merge", [first], "consolidate")
    failed = early.enqueue("Ann failed", extractor="none")
    claimed = store.jobs.claim("w", START, 60)
    assert claimed is not None
    store.jobs.finish(claimed.job, START, JobStatus.FAILED, errors=[JobError(code="fault", message="no")])
    waits = early.enqueue("Ann asked", extractor="none", key="waits")
    hook = early.webhook_add("https://example.org/told", events=["no_such"]).webhook.id
    for name in ("1", "2"):
        bury(store.drawer, DeadLetter(id=name, webhook_id=hook, space="acme", seq=1, at=START, tries=8, error="500"))
    key = early.key_create("Kim", spaces=["*"]).key.id
    early.grant_add("staff", "acme")
    ids = {"first": first, "item": item.id, "issue": issue.id, "failed": failed.id, "waits": waits.id}
    made.ids = {**ids, "held": held, "hook": hook, "key": key}
    store.close()
    return made


def reads(door: Treering) -> Treering:
    """The same, with somebody who reads for meaning and one who judges."""
    judge = Fixed(Verdict.REPLACES, 0.97)
    return Treering(
        door._store, clock=door._clock, actor="ann", space="acme", minds=Minds(Hashing()), judge=lambda _: judge
    )


Act = Callable[[Treering, Ground], object]


def _dismissed(door: Treering, item: str) -> str:
    if door.review_get(item).status != "dismissed":
        door.review_dismiss(item)
    return item


ONE_ACT: dict[str, Act] = {
    "expire": lambda door, on: door.expire(),
    "cluster": lambda door, on: door.cluster(threshold=0.5),
    "review_create": lambda door, on: door.review_create("stale", "forget", memory_ids=[on.ids["first"]]),
    "review_claim": lambda door, on: door.review_claim(on.ids["item"]),
    "review_dismiss": lambda door, on: door.review_dismiss(on.ids["item"], note="no"),
    "review_close": lambda door, on: door.review_close(on.ids["item"], note="done"),
    "create_consolidation_issue": lambda door, on: door.create_consolidation_issue(
        "decay", [on.ids["first"]], "reinforce"
    ),
    "claim_issue": lambda door, on: door.claim_issue(on.ids["issue"]),
    "close_issue": lambda door, on: door.close_issue(on.ids["issue"], "done"),
    "enqueue": lambda door, on: door.enqueue("Ann moved", key="k", extractor="none"),
    "cancel_job": lambda door, on: door.cancel_job(on.ids["waits"]),
    "retry_job": lambda door, on: door.retry_job(on.ids["failed"]),
    "hold": lambda door, on: door.hold("case", on.ids["first"]),
    "release": lambda door, on: door.release("case", on.ids["held"]),
    "key_create": lambda door, on: door.key_create("Bo", spaces=["acme"]),
    "key_revoke": lambda door, on: door.key_revoke(on.ids["key"]),
    "grant_add": lambda door, on: door.grant_add("research", "acme", role="write"),
    "grant_remove": lambda door, on: door.grant_remove("staff", "acme"),
    "webhook_add": lambda door, on: door.webhook_add("https://example.org/more", spaces=["acme"]),
}
SEVERAL: dict[str, Act] = {
    "auto_recall": lambda door, on: door.auto_recall("What did Ann say of the harbour?"),
    "entity_gather": lambda door, on: door.entity_gather("Ann"),
    "review_reopen": lambda door, on: door.review_reopen(_dismissed(door, on.ids["item"])),
    "review_apply": lambda door, on: door.review_apply(on.ids["item"]),
    "consolidate": lambda door, on: door.consolidate(auto=True, mode="apply", cohesion_threshold=0.5),
    "run_agent": lambda door, on: door.run_agent("decay"),
    "run_pipeline": lambda door, on: door.run_pipeline(),
    "run_scheduled": lambda door, on: door.run_scheduled(force=True),
    "run_jobs": lambda door, on: door.run_jobs(),
    "import_vault": lambda door, on: door.import_vault(vault=str(on.vault)),
    "reembed": lambda door, on: reads(door).reembed(),
    "key_rotate": lambda door, on: door.key_rotate(on.ids["key"]),
    "relate_again": lambda door, on: reads(door).relate_again(),
    "webhook_remove": lambda door, on: door.webhook_remove(on.ids["hook"]),
    "retain": lambda door, on: (door.settings({"purging": {"after_days": 1}}), door.retain(dry_run=False)),
    "webhook_resend": lambda door, on: door.webhook_resend(),
}

BACKED_UP = {"backup_run"}
"""It writes a file, and a note of how that went: tests/contract/test_backups.py breaks it off."""
EXCHANGED = {"sync", "receive_journal", "import_memories"}
"""Cut anywhere in tests/property/test_sync.py; and what is taken over is written by `add_many`'s own plan."""


def test_every_operation_that_writes_is_tried_with_faults() -> None:
    writing = {name for name, one in OPERATIONS.items() if not one.effect.reads_only} - EXCHANGED - BACKED_UP
    assert sorted(writing - {*WRITES, *ONE_ACT, *SEVERAL, *ELSEWHERE}) == []
    assert sorted({*ONE_ACT, *SEVERAL, *ELSEWHERE} - writing) == []


def held(store: SqliteStore) -> list[object]:
    """What there is in the journal and beside it, but for ids and times, which are new at every try."""
    with store._reading() as connection:
        beside = [
            connection.rows("SELECT status, COUNT(*) FROM job GROUP BY status ORDER BY status"),
            connection.rows("SELECT status, kind, COUNT(*) FROM review GROUP BY status, kind ORDER BY status, kind"),
            connection.rows("SELECT COUNT(*) FROM found_cluster"),
            connection.rows("SELECT kind, COUNT(*), SUM(version) FROM drawer GROUP BY kind ORDER BY kind"),
            connection.rows("SELECT COUNT(*) FROM embedding"),
        ]
    return [*outline(whole_of(store)), *beside]


def tries(ground: Ground, act: Act, folder: Path, most: int | None) -> tuple[list[object], list[object], list[int]]:
    """What is held before and after, and which statements are to fail."""
    trap, path = Trap(), folder / "right.db"
    shutil.copy(ground.path, path)
    store = SqliteStore(path, durability="off", factory=trap.connection())
    before = held(store)
    trap.set(0)
    act(door_of(store), ground)
    statements = len(trap.seen)
    after = held(store)
    store.close()
    step = 1 if most is None else max(1, statements // most)
    return before, after, [*range(1, statements, step), statements]


@pytest.mark.parametrize("most", TRIED, ids=["some statements", "every statement"])
@pytest.mark.parametrize("name", [*ONE_ACT, *SEVERAL])
def test_a_fault_at_any_statement_leaves_one_act_whole_or_undone_and_the_rest_is_made_up_for(
    name: str, most: int | None, ground: Ground, tmp_path: Path
) -> None:
    act = ONE_ACT.get(name) or SEVERAL[name]
    before, after, statements = tries(ground, act, tmp_path, most)
    for n in statements:
        trap, path = Trap(), tmp_path / f"{n}.db"
        shutil.copy(ground.path, path)
        store = SqliteStore(path, durability="off", factory=trap.connection())
        trap.set(n)
        told = _told_by(lambda: act(door_of(store), ground))  # noqa: B023
        where = f"after a fault at statement {n}: {trap.fired}"
        assert trap.fired is not None
        assert told is None or isinstance(told, Unavailable | Fault)
        trap.set(0)
        now = held(store)
        assert now in (before, after) or name in SEVERAL, f"half of it {where}"
        if now != after:
            again = _told_by(lambda: act(door_of(store, LATER), ground))  # noqa: B023
            assert again is None, f"{again} {where}"
            assert held(store) == after, f"not made up for {where}"
        found = door_of(store).verify()
        assert found.ok, found.differences
        store.close()


def _told_by(act: Callable[[], Any]) -> TreeringError | None:
    try:
        act()
    except TreeringError as error:
        return error
    return None


def test_who_applies_a_review_item_is_told_what_was_written_when_it_cannot_be_closed(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "applied.db"
    shutil.copy(ground.path, path)
    with door_of(SqliteStore(path)) as door:
        turned = door._store.tending.turn_item

        def once(space: str, item_id: str, step: Any) -> Any:
            monkeypatch.setattr(door._store.tending, "turn_item", broken)
            return turned(space, item_id, step)

        def broken(*_: Any) -> None:
            raise Unavailable("the disk is full; nothing was written")

        monkeypatch.setattr(door._store.tending, "turn_item", once)
        with pytest.raises(
            Unavailable, match=r"is done and written, as entry \d+, .*; apply it again to close it"
        ) as told:
            door.review_apply(ground.ids["item"])
        assert "nothing was written" not in str(told.value)
        assert door.get(ground.ids["first"]).state == "archived"
        monkeypatch.setattr(door._store.tending, "turn_item", turned)
        ended = door.review_apply(ground.ids["item"])
        assert (ended.item.status, ended.changed) == ("applied", False)
        with pytest.raises(CallerError):
            door.review_apply(ground.ids["item"])
