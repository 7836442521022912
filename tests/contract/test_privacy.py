"""Rule 7: no read or write crosses a space, or shows a private memory to another, through any answer or error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.conftest import Doors, HandClock
from tests.contract.private import outcome, untimed

from treering.door import OPERATIONS, Treering
from treering.model.identity import Identity
from treering.model.ids import mint

KEY = Identity.generate()


def _signing(door: Treering) -> Treering:
    """The same person with a key."""
    return Treering(door._store, clock=door._clock, actor=door._writer.actor, identity=KEY, space=door._space)


def attempts(door: Treering, own: str) -> dict[str, Callable[[str], Any]]:
    """Every operation of the door that takes an id, on some id."""
    return {
        "beliefs": door.beliefs,
        "source": door.source,
        "entity_gather": door.entity_gather,
        "notes_of": lambda one: door.notes_of([one]),
        "review_reopen": door.review_reopen,
        "get": door.get,
        "get of children": lambda one: door.get(one, children=True),
        "get as of": lambda one: door.get(one, as_of="2020-01-01T00:00:00Z"),
        "history": door.history,
        "recall of": lambda one: untimed(door.recall(one)),
        "recall by entity": lambda one: untimed(door.recall("secret", entities=[one])),
        "recall by session": lambda one: untimed(door.recall("secret", session=one)),
        "context of": door.context,
        "context by entity": lambda one: door.context("secret", entities=[one]),
        "why_not": lambda one: door.why_not("Who has a secret?", one),
        "why_not known": lambda one: door.why_not("Who has a secret?", one, known_at="2020-01-01T00:00:00Z"),
        "why_not by entity": lambda one: door.why_not("Who was here?", own, entities=[one]),
        "list by entity": lambda one: door.list(entities=[one], view="all"),
        "list by session": lambda one: door.list(session=one, view="all"),
        "facts of": lambda one: door.facts(subject=one, include_closed=True),
        "facts to": lambda one: door.facts(object=one, include_closed=True),
        "graph from": door.graph,
        "graph from any": lambda one: door.graph(one, direction="both", depth=8, include_closed=True, children=True),
        "paths from": lambda one: door.paths(one, "Ada"),
        "paths to": lambda one: door.paths("Ada", one, max_depth=7),
        "entity_get": door.entity_get,
        "entities": lambda one: door.entities(kind=one[:50]),
        "entity": door.entity,
        "timeline": door.timeline,
        "timeline of children": lambda one: door.timeline(one, children=True),
        "lineage": door.lineage,
        "compare": lambda one: door.compare(one, own),
        "compare with": lambda one: door.compare(own, one),
        "lineage as of": lambda one: door.lineage(one, as_of="2020-01-01T00:00:00Z"),
        "contradictions": lambda one: door.contradictions(topic=one),
        "entity_merge": lambda one: door.entity_merge(one, "Ada"),
        "entity_merge into": lambda one: door.entity_merge("Ada", one),
        "entity_split": door.entity_split,
        "remember about": lambda one: door.remember(drafts=[{"content": "About something", "entities": [one]}]),
        "remember stating": lambda one: door.remember(
            drafts=[{"content": "It is", "triples": [["Ada", "KNOWS", one]]}]
        ),
        "remember keyed": lambda one: door.remember("Something else", key=one, extractor="none", dry_run=True),
        "undo": door.undo,
        "revise": lambda one: door.revise(one, "Mine now"),
        "revise dry": lambda one: door.revise(one, "Mine now", dry_run=True),
        "touch": door.touch,
        "touch dry": lambda one: door.touch(one, True, dry_run=True),
        "observe alone": lambda one: door.observe([one]),
        "observe": lambda one: door.observe([one, own], ["hush"], dry_run=True),
        "observe by tag": lambda one: door.observe([own], [one], dry_run=True),
        "scores": lambda one: door.scores([one]),
        "promote": lambda one: door.promote(one, force=True),
        "forget by query": lambda one: replace(door.forget(query=one), token=""),
        "forget": door.forget,
        "forget dry": lambda one: door.forget(one, dry_run=True),
        "archive": door.archive,
        "restore": door.restore,
        "purge dry": lambda one: door.purge(one, "because", dry_run=True),
        "purge": lambda one: door.purge(one, "because"),
        "review_get": door.review_get,
        "review_create": lambda one: door.review_create("decay", "forget", memory_ids=[one]),
        "review_create of": lambda one: door.review_create("same_entity", "merge", entity_ids=[one]),
        "review_claim": door.review_claim,
        "review_apply": door.review_apply,
        "review_dismiss": door.review_dismiss,
        "review_close": door.review_close,
        "create_consolidation_issue": lambda one: door.create_consolidation_issue("decay", [one], "reinforce"),
        "claim_issue": door.claim_issue,
        "close_issue": lambda one: door.close_issue(one, "done"),
        "consolidate": lambda one: door.consolidate(one, mode="apply"),
        "profile of": door.profile,
        "search_unified of": door.search_unified,
        "search_unified tagged": lambda one: door.search_unified(tags=[one]),
        "analyze_message": door.analyze_message,
        "analyze_for_recall": door.analyze_for_recall,
        "enqueue about": lambda one: door.enqueue(drafts=[{"content": "It is", "entities": [one]}]),
        "enqueue keyed": lambda one: door.enqueue("Something else", key=one, extractor="none"),
        "job": door.job,
        "cancel_job": door.cancel_job,
        "retry_job": door.retry_job,
        "link from": lambda one: door.link(one, own),
        "link to": lambda one: door.link(own, one, "supersedes"),
        "unlink from": lambda one: door.unlink(one, own),
        "unlink to": lambda one: door.unlink(own, one),
        "invalidate from": lambda one: door.invalidate(one, own, "related_to"),
        "invalidate to": lambda one: door.invalidate("Ada", one, "KNOWS"),
        "reopen from": lambda one: door.reopen(one, own, "related_to"),
        "reopen to": lambda one: door.reopen(own, one, "about_entity"),
        "attest": lambda one: _signing(door).attest(one),
        "assert_fact on": lambda one: door.assert_fact("Ada", "KNOWS", "Bo", memory_id=one),
        "assert_fact of": lambda one: door.assert_fact(one, "KNOWS", "Ada"),
        "assert_facts to": lambda one: door.assert_facts([["Ada", "KNOWS", one]]),
        "add about": lambda one: door.add("About something", entities=[one]),
        "add stating": lambda one: door.add("Stating something", triples=[["Ada", "KNOWS", one]]),
        "add_file of": lambda one: door.add_file(one.encode(), session=one, speaker=one),
        "add_file to": lambda one: door.add_file(
            one.encode(), session=one, speaker=one, visibility="private", visible_to=["eve"]
        ),
        "entity_register": door.entity_register,
        "hold": lambda one: door.hold("case", one),
        "release": lambda one: door.release("case", one),
        "events": lambda one: [event for event in door.events(limit=1000).events if one in event.ids],
        "key_revoke": door.key_revoke,
        "key_rotate": door.key_rotate,
        "audit_search": lambda one: door.audit_search(caller=one, key=one, request=one, operation=one, outcome=one),
        "webhook_remove": door.webhook_remove,
        "webhook_letters": lambda one: door.webhook_letters(webhook=one),
        "webhook_resend": lambda one: door.webhook_resend(webhook=one),
    }


def test_the_attempts_below_try_every_operation_that_can_be_given_an_id(mem: Treering) -> None:
    tried = {name.split()[0] for name in attempts(mem, "x")}
    about_the_store = {
        "add_many",
        "resume",
        "diff",
        "stale",
        "taxonomy",
        "gc",
        "expire",
        "health",
        "jobs",
        "run_jobs",
        "cluster",
        "run_pipeline",
        "relate_again",
        "run_agent",
        "run_scheduled",
        "upkeep_status",
        "review_list",
        "query_consolidation_issues",
        "spaces",
        "status",
        "signers",
        "settings",
        "relations",
        "relation_set",
        "relation_remove",
        "verify",
        "doctor",
        "reembed",
        "export",
        "import_journal",
        "index_vault",
        "import_vault",
        "backup",
        "backup_list",
        "backup_rehearse",
        "backup_run",
        "holds",
        "retain",
        "key_create",
        "grant_add",
        "grant_list",
        "grant_remove",
        "audit_export",
        "audit_verify",
        "describe",
        "about",
        "key_list",
        "webhook_add",
        "webhook_list",
        "auto_recall",
        "facets",
        "import_memories",
        "journal",
        "moments",
        "overview",
        "receive_journal",
        "setting",
        "survey",
        "sync",
        "timings",
        "when",
    }
    assert tried | about_the_store | {"import_journal"} == set(OPERATIONS)


def secrets_of(ann: Treering, clock: HandClock) -> dict[str, str]:
    """Ann's private knowledge, as ids: memories, sources, edges and an entity that nobody else may know of."""
    public = ann.list()[0].id
    receipt = ann.add(
        "Ada has a secret",
        visibility="private",
        title="Whisper",
        tags=["hush"],
        session="night",
        speaker="Ghost",
        key="hidden",
        entities=["Lair"],
        triples=[["Ada", "OWNS", "Lair"]],
    )
    other = ann.add("A second secret", visibility="private", visible_to=["cy"])
    clock.advance(hours=1)
    ids = {
        "memory": receipt.id,
        "source": receipt.source_ids[0],
        "entity": ann.entity_get("Lair").id,
        "link": ann.link(receipt.id, public).edge.id,
        "superseding": ann.link(other.id, public, "supersedes").edge.id,
        "question": ann.review_create("decay", "reinforce", memory_ids=[receipt.id], proposal={"op": "review"}).id,
        "job": ann.enqueue("A secret to come", visibility="private", extractor="none").id,
        "fact on evidence": ann.assert_fact("Ada", "KNOWS", "Lair", memory_id=receipt.id).facts[0].id,
    }
    ids |= {f"edge {n}": edge for n, edge in enumerate(receipt.edges_added)}
    return ids


def test_an_id_private_to_another_is_in_every_operation_as_an_id_that_never_existed(
    doors: Doors, clock: HandClock
) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada is here", entities=["Ada"])
    own = bob.add("Bob was here", entities=["Bo"]).id
    clock.advance(hours=1)
    secrets = secrets_of(ann, clock)
    told = {name: ann.history(one) for name, one in secrets.items() if name not in ("source", "job", "question")}
    job = ann.job(secrets["job"])
    fresh = mint(clock.now)
    nevers = {what: fresh() for what in secrets}
    for name, do in attempts(bob, own).items():
        for what, secret in secrets.items():
            never = nevers[what]
            expected = outcome(lambda: do(never), never)  # noqa: B023
            assert outcome(lambda: do(secret), secret) == expected, f"{name} on {what}"  # noqa: B023
    after = {name: ann.history(one) for name, one in secrets.items() if name not in ("source", "job", "question")}
    assert after == told
    assert ann.job(job.id) == job
    assert ann.get(secrets["memory"]).state == "active"


def test_an_id_of_another_space_is_in_every_operation_as_an_id_that_never_existed(
    doors: Doors, clock: HandClock
) -> None:
    there, here = doors("ann", space="there"), doors("ann", space="here")
    there.add("Ada is there", entities=["Ada"])
    here.add("Ada is here", entities=["Ada", "Bo"])
    own = here.add("I was here").id
    ids = secrets_of(there, clock)
    ids["public memory"] = there.list(view="all")[0].id
    ids["public entity"] = there.entity_get("Ada").id
    fresh = mint(clock.now)
    nevers = {what: fresh() for what in ids}
    for name, do in attempts(here, own).items():
        for what, foreign in ids.items():
            never = nevers[what]
            expected = outcome(lambda: do(never), never)  # noqa: B023
            assert outcome(lambda: do(foreign), foreign) == expected, f"{name} on {what}"  # noqa: B023
    assert there.status(principal="ann").seq == there.status().seq
    assert here.verify().ok
