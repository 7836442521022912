"""How long a key holds: until it expires, until the overlap of a rotation is over; and when it was used last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from tests.conftest import HandClock
from tests.faces.command import Here
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import bearing

from treering.access import keys as keys_room
from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, NotFound

LAB = "/v1/spaces/lab"


@pytest.fixture
def opens(serving: Serving, clock: HandClock) -> Callable[[str], bool]:
    """Whether a key opens a server. What it has just seen it keeps in mind for a second: a server each time."""
    return lambda secret: serving().get(f"{LAB}/status", headers=bearing(secret)).status_code == 200


def test_a_key_opens_until_it_expires(served: Treering, opens: Callable[[str], bool], clock: HandClock) -> None:
    issued = served.key_create("ann", spaces=["lab"], expires_at=clock.now + timedelta(days=30))
    assert issued.key.expires_at == clock.now + timedelta(days=30)
    clock.advance(days=30, seconds=-1)
    assert opens(issued.secret)
    clock.advance(seconds=1)
    assert not opens(issued.secret)


def test_a_key_kept_in_mind_expires_all_the_same(serving: Serving, served: Treering, clock: HandClock) -> None:
    secret = served.key_create("ann", spaces=["lab"], expires_at=clock.now + timedelta(minutes=1)).secret
    http = serving()
    assert http.get(f"{LAB}/status", headers=bearing(secret)).status_code == 200
    clock.advance(minutes=1)
    assert http.get(f"{LAB}/status", headers=bearing(secret)).status_code == 401


def test_a_key_that_expired_before_it_was_made_is_refused(served: Treering, clock: HandClock) -> None:
    for past in (clock.now, clock.now - timedelta(days=1)):
        with pytest.raises(InvalidRequest, match=r"expires_at: .* has passed"):
            served.key_create("ann", spaces=["lab"], expires_at=past)


def test_rotated_both_hold_for_the_overlap_and_then_the_new_one(
    served: Treering, opens: Callable[[str], bool], clock: HandClock
) -> None:
    old = served.key_create("ann", spaces=["lab", "acme/*"], role="write", requests_a_day=9, reports_for_others=True)
    new = served.key_rotate(old.key.id, overlap_seconds=600)
    assert new.secret != old.secret
    for name in ("name", "role", "spaces", "requests_a_minute", "requests_a_day", "reports_for_others", "expires_at"):
        assert getattr(new.key, name) == getattr(old.key, name), name
    kept = {one.id: one for one in served.key_list()}
    assert kept[old.key.id].replaced_by == new.key.id
    assert kept[old.key.id].expires_at == clock.now + timedelta(seconds=600)
    assert (opens(old.secret), opens(new.secret)) == (True, True)
    clock.advance(seconds=600)
    assert (opens(old.secret), opens(new.secret)) == (False, True)


def test_a_new_key_lasts_as_long_as_the_old_was_made_for(served: Treering, clock: HandClock) -> None:
    old = served.key_create("ann", spaces=["lab"], expires_at=clock.now + timedelta(days=90))
    clock.advance(days=89, hours=23)
    new = served.key_rotate(old.key.id)
    assert new.key.expires_at == clock.now + timedelta(days=90)
    kept = next(one for one in served.key_list() if one.id == old.key.id)
    assert kept.expires_at == old.key.expires_at, "an overlap makes no key last longer"
    other = served.key_rotate(new.key.id, expires_at=clock.now + timedelta(days=1))
    assert other.key.expires_at == clock.now + timedelta(days=1)


def test_what_was_replaced_revoked_or_has_expired_is_not_rotated(served: Treering, clock: HandClock) -> None:
    old = served.key_create("ann", spaces=["lab"]).key.id
    new = served.key_rotate(old, overlap_seconds=0).key.id
    with pytest.raises(Conflict, match=f"was replaced by {new}; rotate that one"):
        served.key_rotate(old)
    served.key_revoke(new)
    brief = served.key_create("bo", spaces=["lab"], expires_at=clock.now + timedelta(seconds=5)).key.id
    clock.advance(seconds=5)
    for one in (new, brief):
        with pytest.raises(Conflict, match="does not hold any more"):
            served.key_rotate(one)
    with pytest.raises(NotFound):
        served.key_rotate("nobody")
    assert len(served.key_list()) == 3, "nothing is made by what is refused"


def test_without_an_overlap_the_old_key_ends_at_once(served: Treering, opens: Callable[[str], bool]) -> None:
    old = served.key_create("ann", spaces=["lab"])
    new = served.key_rotate(old.key.id, overlap_seconds=0)
    assert (opens(old.secret), opens(new.secret)) == (False, True)


def test_when_a_key_was_used_last_is_told_to_the_minute(serving: Serving, served: Treering, clock: HandClock) -> None:
    issued = served.key_create("ann", spaces=["lab"])
    assert served.key_list()[0].last_used_at is None
    began = clock.now
    serving().get(f"{LAB}/status", headers=bearing(issued.secret))
    assert served.key_list()[0].last_used_at == began
    clock.advance(seconds=59)
    serving().get(f"{LAB}/status", headers=bearing(issued.secret))
    assert served.key_list()[0].last_used_at == began
    clock.advance(seconds=1)
    serving().get(f"{LAB}/status", headers=bearing(issued.secret))
    assert served.key_list()[0].last_used_at == began + timedelta(minutes=1)
    serving().get(f"{LAB}/status", headers=bearing(issued.secret[:-2] + "xx"))
    assert served.key_list()[0].last_used_at == began + timedelta(minutes=1), "a wrong key is no use of the right one"


def test_a_key_made_by_an_older_treering_still_opens(served: Treering, opens: Callable[[str], bool]) -> None:
    issued = served.key_create("ann", spaces=["lab"])
    paper = served._store.drawer.get(keys_room.KIND, issued.key.id)
    assert paper is not None
    old = {name: value for name, value in paper.value.items() if name not in ("expires_at", "replaced_by")}
    served._store.drawer.put(keys_room.KIND, issued.key.id, old, version=paper.version)
    assert opens(issued.secret)
    assert served.key_list()[0].expires_at is None


def test_the_command_line_keeps_keys_and_grants(cli: Here) -> None:
    made = cli(
        "keys", "create", "--name", "ann", "--space", "lab", "--expires-at", "2099-01-01T00:00:00Z", "--json"
    ).json
    assert made["key"]["expires_at"] == "2099-01-01T00:00:00Z"
    rotated = cli("keys", "rotate", made["key"]["id"], "--overlap-seconds", "60", "--json").json
    assert rotated["key"]["name"] == "ann"
    old = next(one for one in cli("keys", "list", "--json").json if one["id"] == made["key"]["id"])
    assert old["replaced_by"] == rotated["key"]["id"]
    granted = cli("keys", "grant", "research", "acme/research", "--role", "write", "--json").json
    assert (granted["path"], granted["role"]) == ("acme/research/*", "write")
    assert [one["group"] for one in cli("keys", "grants", "--json").json] == ["research"]
    assert cli("keys", "ungrant", "research", "acme/research").code == 0
    assert cli("keys", "grants", "--json").json == []
    refused = cli("keys", "ungrant", "research", "acme/research")
    assert "'research' has no grant on acme/research/*; `keys grants` shows those there are" in refused.err
    assert "is neither a space" in cli("keys", "grant", "research", "Acme!").err
