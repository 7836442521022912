"""What waits for somebody to decide: seen by those who may, decided by one, done in a write that can be undone."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, contents

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, LimitExceeded, NotFound
from treering.model import limits
from treering.model.memory import State
from treering.model.review import ReviewItem

TEA = ("Sam likes green tea", "Sam likes green tea a lot", "Sam really likes green tea")


def asked(mem: Treering, op: str, *memory_ids: str, **more: Any) -> ReviewItem:
    proposal = {"op": op, **more}
    return mem.review_create("merge" if op == "consolidate" else "decay", op, memory_ids=memory_ids, proposal=proposal)


def test_an_item_is_put_listed_and_shown(mem: Treering) -> None:
    one = mem.add(TEA[0]).id
    item = mem.review_create("decay", "reinforce", memory_ids=[one], urgency="high", reason="it fades")
    assert mem.review_list() == [item]
    assert mem.review_get(item.id) == item
    assert (item.status, item.urgency, item.memory_ids, item.made_by) == ("open", "high", (one,), "ann")
    assert mem.review_list("stale") == mem.review_list(urgency="low") == mem.review_list(status="applied") == []
    assert mem.review_create("decay", "reinforce", memory_ids=[one]).id == item.id, "it is not asked twice"


@pytest.mark.parametrize(
    ("op", "state"), [("archive", State.ARCHIVED), ("forget", State.FORGOTTEN), ("promote", State.PROMOTED)]
)
def test_applying_does_what_was_proposed_in_one_write_that_undo_takes_back(
    mem: Treering, op: str, state: State
) -> None:
    one = mem.add(TEA[0]).id
    before = mem.status().seq
    done = mem.review_apply(asked(mem, op, one).id, note="yes")
    assert (done.changed, done.seq, mem.status().seq) == (True, before + 1, before + 1)
    assert (done.item.status, done.item.note, done.item.worker) == ("applied", "yes", "ann")
    assert mem.get(one).state is state
    assert mem.review_list() == []
    mem.undo(str(done.seq))
    assert mem.get(one).state is State.ACTIVE


def test_a_memory_that_was_reviewed_counts_as_used(mem: Treering, clock: HandClock) -> None:
    one = mem.add(TEA[0]).id
    clock.advance(days=9)
    mem.review_apply(asked(mem, "review", one).id)
    assert (mem.get(one).use_count, mem.get(one).review_count) == (1, 1)
    assert mem.get(one).last_used > mem.get(one).recorded_at


def test_a_cluster_in_doubt_is_merged_when_somebody_says_so(mem: Treering) -> None:
    ids = [mem.add(one, strength=1.0).id for one in TEA]
    item = asked(mem, "consolidate", *ids, cohesion=0.8)
    done = mem.review_apply(item.id)
    assert len(mem.list()) == 1
    assert mem.list()[0].strength == pytest.approx(1 + 0.1 * 0.8 * 3)
    mem.undo(str(done.seq))
    assert len(mem.list()) == 3


def test_what_was_done_before_the_item_was_closed_is_not_done_again(mem: Treering) -> None:
    """As if the process had died between the write and the closing."""
    ids = [mem.add(one).id for one in TEA]
    item = asked(mem, "consolidate", *ids)
    mem.consolidate(mem.cluster().clusters[0].id, mode="apply")
    before = mem.status().seq
    done = mem.review_apply(item.id)
    assert (done.changed, done.seq, done.item.status) == (False, None, "applied")
    assert mem.status().seq == before


def test_links_contradictions_and_names_are_settled(mem: Treering) -> None:
    old, new = mem.add("Sam lives in Oslo", entities=["Sam"]).id, mem.add("Sam lives in Rome", entities=["Sam Lee"]).id
    mem.review_apply(asked(mem, "link", new, old, source=new, target=old, strength=0.5).id)
    linked = mem.link(new, old)
    assert (linked.created, linked.edge.strength) == (False, 0.5)
    mem.review_apply(asked(mem, "supersede", new, old, newer=new, older=old).id)
    assert contents(mem.list()) == ["Sam lives in Rome"]
    sam, lee = mem.entity_get("Sam").id, mem.entity_get("Sam Lee").id
    proposal = {"op": "merge_entities", "entity": sam, "into": lee}
    item = mem.review_create("same_entity", "merge", entity_ids=[sam, lee], proposal=proposal)
    mem.review_apply(item.id)
    assert mem.entity_get("Sam").id == lee


def test_a_stale_consolidation_is_taken_apart_and_what_still_holds_comes_back(mem: Treering) -> None:
    ids = [mem.add(one).id for one in TEA]
    new = mem.consolidate(auto=True, mode="apply").new_memory_id or ""
    mem.revise(ids[0], "Sam does not like green tea")
    mem.run_pipeline()
    (item,) = mem.review_list("stale")
    assert item.memory_ids == (new,)
    mem.review_apply(item.id)
    assert mem.get(new).state is State.ARCHIVED
    assert contents(mem.list()) == [TEA[1], TEA[2], "Sam does not like green tea"]


def test_one_worker_at_a_time_decides(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    item = asked(ann, "forget", ann.add(TEA[0]).id)
    assert ann.review_claim(item.id, lease_seconds=60).worker == "ann"
    for attempt in (bob.review_claim, bob.review_apply, bob.review_dismiss, bob.review_close):
        with pytest.raises(Conflict, match="claimed by ann"):
            attempt(item.id)
    assert bob.review_list()[0].status == "claimed"
    assert len(bob.list()) == 1
    clock.advance(seconds=61)
    assert bob.review_claim(item.id).worker == "bob"
    with pytest.raises(Conflict):
        ann.review_close(item.id)
    assert bob.review_dismiss(item.id, note="keep it").status == "dismissed"
    with pytest.raises(Conflict, match="dismissed already"):
        bob.review_apply(item.id)


def test_an_item_about_a_private_memory_is_there_for_nobody_else(doors: Doors) -> None:
    ann, bob, cy = doors("ann", "bob", "cy")
    secret = ann.add("Ada has a secret", visibility="private", visible_to=["cy"]).id
    public = ann.add("Ada is here").id
    item = ann.review_create("relations", "link", memory_ids=[public, secret])
    assert [one.id for one in cy.review_list()] == [item.id]
    assert bob.review_list() == bob.query_consolidation_issues() == []
    assert bob.upkeep_status().waiting == {}
    assert ann.upkeep_status().waiting == {"relations": 1}
    assert ann.review_list(principal="bob") == []
    with pytest.raises(NotFound) as told:
        bob.review_apply(item.id)
    with pytest.raises(NotFound) as never:
        bob.review_apply(secret)
    assert str(told.value).replace(item.id, "ID") == str(never.value).replace(secret, "ID")


def test_a_purge_takes_the_items_about_it(mem: Treering) -> None:
    one, other = mem.add(TEA[0]).id, mem.add("Ben drives a bus").id
    asked(mem, "forget", one, other)
    left = asked(mem, "forget", other)
    mem.purge(one, "asked to")
    assert mem.review_list() == [left]


def test_bad_requests_are_refused_and_say_how_to_mend_them(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    one = mem.add(TEA[0]).id
    with pytest.raises(InvalidRequest, match="memory_ids: name"):
        mem.review_create("decay", "forget")
    with pytest.raises(InvalidRequest, match="one of review, archive"):
        mem.review_create("decay", "forget", memory_ids=[one], proposal={"op": "explode"})
    with pytest.raises(InvalidRequest, match="kind"):
        mem.review_create("gossip", "forget", memory_ids=[one])
    with pytest.raises(NotFound):
        mem.review_create("decay", "forget", memory_ids=["nothing"])
    bare = mem.review_create("decay", "ponder", memory_ids=[one])
    with pytest.raises(InvalidRequest, match="decide it yourself"):
        mem.review_apply(bare.id)
    assert mem.review_close(bare.id, note="pondered").status == "closed"
    monkeypatch.setattr(limits, "REVIEWS_OPEN", 0)
    with pytest.raises(LimitExceeded, match="decide some of them first"):
        asked(mem, "forget", one)


# the issue tracker


def _real_bd() -> str | None:
    """Where beads is, if it is here: there is another `bd`, which goes up in folders."""
    found = shutil.which("bd")
    if found is None:
        return None
    try:
        told = subprocess.run([found, "version", "--json"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found if told.returncode == 0 and "version" in told.stdout else None


REAL = _real_bd()

FAKE = """#!/usr/bin/env python3
import json, os, pathlib, sys
book = pathlib.Path(__file__).with_name("issues.json")
issues = json.loads(book.read_text()) if book.exists() else {}
command, *words = sys.argv[1:]
assert words.pop() == "--json"
options = {words[n]: words[n + 1] for n in range(len(words) - 1) if words[n].startswith("--")}
answer = []
if command == "create":
    key = f"bd-{len(issues) + 1}"
    issues[key] = {"id": key, "title": words[0], "description": options["--description"], "status": "open",
                   "priority": int(options["--priority"]), "labels": [options["--labels"]]}
    answer = issues[key]
elif command == "list":
    answer = [one for one in issues.values() if options["--label"] in one["labels"]
              and (options.get("--status") or one["status"].replace("closed", "")) == one["status"]]
elif words[0] not in issues:
    sys.exit("no such issue")
elif command == "update":
    issues[words[0]].update(status=options["--status"], assignee=options["--assignee"])
elif command == "close":
    issues[words[0]].update(status="closed", close_reason=options["--reason"])
elif command == "show":
    answer = [issues[words[0]]]
book.write_text(json.dumps(issues))
wrapped = {"schema_version": 1, "data": answer} if os.environ.get("BD_JSON_ENVELOPE") == "1" else answer
print(json.dumps(wrapped if isinstance(wrapped, list) else {"schema_version": 1, **wrapped}))
"""


@pytest.fixture
def bd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the tracker's command, which is another project's program, and is had from its releases alone. It
    takes the flags, and answers in the shapes, of its source at 1.0: unasked it lists nothing that is closed, and
    where BD_JSON_ENVELOPE is set, as in its next version, what it answers is in `data`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "bd"
    program.write_text(FAKE)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "issues.json"


def test_issues_are_review_items_where_there_is_no_tracker(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    ann, bob = doors("ann", "bob")
    one = ann.add(TEA[0]).id
    issue = ann.create_consolidation_issue("decay", [one], "reinforce", "high")
    assert (issue.tracker, issue.status, issue.urgency) == ("review", "open", "high")
    assert issue.labels == ("consolidation:decay",)
    assert ann.query_consolidation_issues("decay") == [issue]
    assert ann.query_consolidation_issues("merge") == []
    assert bob.claim_issue(issue.id) is True
    assert ann.claim_issue(issue.id) is False
    assert ann.query_consolidation_issues(status="in_progress")[0].worker == "bob"
    assert bob.close_issue(issue.id, "Processed").status == "closed"
    assert [one.reason for one in ann.query_consolidation_issues(status="closed")] == ["Processed"]
    with pytest.raises(NotFound):
        ann.claim_issue("bd-1")


def test_issues_go_to_the_tracker_where_there_is_one_and_no_words_with_them(doors: Doors, bd: Path) -> None:
    ann, bob = doors("ann", "bob")
    one, other = ann.add(TEA[0]).id, ann.add(TEA[1]).id
    issue = ann.create_consolidation_issue("merge", [one, other], "consolidate", "low")
    assert (issue.id, issue.tracker, issue.labels) == ("bd-1", "beads", ("consolidation:merge",))
    assert issue.memory_ids == (one, other)
    assert "tea" not in bd.read_text()
    assert bob.query_consolidation_issues("merge") == [issue]
    assert bob.claim_issue("bd-1") is True
    assert ann.claim_issue("bd-1") is False
    assert ann.query_consolidation_issues("merge", "in_progress")[0].worker == "bob"
    assert bob.close_issue("bd-1", "done").reason == "done"
    with pytest.raises(Conflict):
        bob.close_issue("bd-1", "again")
    with pytest.raises(NotFound):
        bob.claim_issue("bd-9")
    assert ann.review_list() == []


@pytest.mark.parametrize("envelope", ["", "1"], ids=["as it is", "in an envelope"])
def test_what_is_closed_is_listed_with_the_rest(
    envelope: str, doors: Doors, bd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BD_JSON_ENVELOPE", envelope)
    ann, _ = doors("ann", "bob")
    one = ann.add(TEA[0]).id
    for _number in range(3):
        ann.create_consolidation_issue("decay", [one], "reinforce")
    ann.close_issue("bd-1", "done")
    assert ann.claim_issue("bd-2") is True
    listed = {issue.id: issue.status for issue in ann.query_consolidation_issues("decay", None)}
    assert listed == {"bd-1": "closed", "bd-2": "in_progress", "bd-3": "open"}


@pytest.mark.skipif(REAL is None, reason="no beads on the PATH: `bd` is had from its project's releases alone")
def test_issues_go_through_the_real_tracker_and_back(
    doors: Doors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run([str(REAL), "init", "--prefix", "tr"], check=True, capture_output=True, timeout=60)
    ann, bob = doors("ann", "bob")
    one = ann.add(TEA[0]).id
    issue = ann.create_consolidation_issue("merge", [one], "merge", "high")
    assert (issue.tracker, issue.status, issue.urgency) == ("beads", "open", "high")
    assert [each.id for each in ann.query_consolidation_issues("merge")] == [issue.id]
    assert ann.query_consolidation_issues("decay") == []
    assert bob.claim_issue(issue.id) is True
    assert ann.claim_issue(issue.id) is False
    assert bob.close_issue(issue.id, "done").reason == "done"
    assert [each.status for each in ann.query_consolidation_issues("merge")] == ["closed"]
    told = subprocess.run([str(REAL), "show", issue.id], check=True, capture_output=True, text=True, timeout=60)
    assert TEA[0] not in told.stdout


def test_what_concerns_a_private_memory_stays_out_of_the_tracker(doors: Doors, bd: Path) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Ada has a secret", visibility="private").id
    issue = ann.create_consolidation_issue("decay", [secret], "reinforce")
    assert issue.tracker == "review"
    assert not bd.exists()
    assert bob.query_consolidation_issues() == []


def test_what_agents_want_decided_goes_to_the_tracker_too(doors: Doors, bd: Path, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    fading = ann.add("Ada keeps bees", strength=1.0).id
    secret = ann.add("Ada has a secret", visibility="private", strength=1.0).id
    clock.advance(days=7)
    ann.run_agent("decay")
    [issue] = [one for one in bob.query_consolidation_issues("decay") if one.tracker == "beads"]
    assert (issue.memory_ids, issue.labels, issue.status) == ((fading,), ("consolidation:decay",), "open")
    assert secret not in bd.read_text()
    [item] = [one for one in ann.review_list("decay") if one.memory_ids == (fading,)]
    assert issue.item_id == item.id
    assert len([one for one in bob.query_consolidation_issues("decay") if one.memory_ids == (fading,)]) == 1
    ann.run_agent("decay")
    assert len([one for one in bob.query_consolidation_issues("decay") if one.tracker == "beads"]) == 1
    assert bob.claim_issue(issue.id) is True
    assert ann.review_get(item.id).worker == "bob"
    assert bob.close_issue(issue.id, "seen").status == "closed"
    assert ann.review_get(item.id).status == "closed"


def test_deciding_an_item_closes_its_issue(doors: Doors, bd: Path, clock: HandClock) -> None:
    ann, _ = doors("ann", "bob")
    ann.add("Ada keeps bees", strength=1.0)
    clock.advance(days=7)
    ann.run_agent("decay")
    [item] = ann.review_list("decay")
    ann.review_dismiss(item.id, note="let it go")
    [issue] = [one for one in ann.query_consolidation_issues("decay", "closed") if one.tracker == "beads"]
    assert (issue.item_id, issue.reason) == (item.id, "let it go")


def test_a_tracker_that_fails_holds_up_no_upkeep(doors: Doors, bd: Path, clock: HandClock) -> None:
    ann, _ = doors("ann", "bob")
    ann.add("Ada keeps bees", strength=1.0)
    clock.advance(days=7)
    bd.with_name("bd").write_text("#!/bin/sh\nexit 3\n")
    ann.run_agent("decay")
    assert len(ann.review_list("decay")) == 1
