"""`treering keys`: a key of one's own, in a file nobody else can read, and who signs in a space."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.faces.command import Here

import treering
from treering import settings
from treering.errors import Forbidden, InvalidRequest
from treering.keyfile import key_path, make_key, read_key


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("TREERING_IDENTITY", raising=False)
    return settings.key_folder()


def test_a_key_is_made_once_shown_again_and_is_its_owners_alone(cli: Here, folder: Path) -> None:
    made = cli("keys", "identity", "--actor", "agent:x", "--json").json
    assert (made["actor"], made["created"], made["replaced"]) == ("agent:x", True, None)
    path = Path(made["path"])
    assert path.parent == folder == settings.default_path(os.environ).parent / "keys"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    again = cli("keys", "identity", "--actor", "agent:x", "--json").json
    assert (again["public_key"], again["created"]) == (made["public_key"], False)
    assert cli("keys", "identity", "--json").json["actor"] == "local"


def test_the_secret_is_never_shown(cli: Here, folder: Path) -> None:
    shown = cli("keys", "identity").out + cli("keys", "identity", "--json").out
    assert key_path(folder, "local").read_text().strip() not in shown


def test_a_new_key_keeps_the_old_one_beside_it(cli: Here, folder: Path) -> None:
    old = make_key(folder, "local")
    secret = Path(old.path).read_text()
    for number in (1, 2):
        new = cli("keys", "identity", "--new", "--json").json
        assert new["public_key"] != old.public_key
        assert new["replaced"] == f"{old.path}.{number}"
    assert Path(f"{old.path}.1").read_text() == secret


def test_what_an_actor_with_a_key_writes_is_signed_from_then_on(cli: Here, folder: Path) -> None:
    key = cli("keys", "identity", "--actor", "ann", "--json").json["public_key"]
    cli("--actor", "ann", "assert-fact", "Ada", "KNOWS", "Bo")
    cli("--actor", "bob", "assert-fact", "Ada", "KNOWS", "Cy")
    assert [one["attestation"] for one in cli("facts", "--json").json] == ["self_signed", "unsigned"]
    assert [row[:2] for row in cli("keys", "signers").rows] == [["ann", key]]
    assert cli("keys", "signers", "--json").json == cli("signers", "--json").json
    with treering.open(cli.store, actor="ann") as mem:
        assert mem._writer.identity is not None
        assert mem.verify().signatures["self_signed"] == 1


def test_a_peer_vouches_by_the_command_line_and_verify_counts_it(cli: Here, folder: Path) -> None:
    for actor in ("ann", "bob"):
        cli("keys", "identity", "--actor", actor)
    fact = cli("--actor", "ann", "assert-fact", "Ada", "KNOWS", "Bo", "--json").json["facts"][0]["id"]
    assert cli("attest", fact, "--actor", "bob", "--json").json["attestation"] == "peer_attested"
    assert ["edges", "0 unsigned, 0 self_signed, 1 peer_attested"] in cli("verify").rows
    refused = cli("attest", fact, "--actor", "cy")
    assert (refused.code, "`treering keys identity`" in refused.err) == (2, True)


def test_a_key_that_is_lost_or_replaced_shuts_the_actor_out_and_says_why(cli: Here, folder: Path) -> None:
    cli("keys", "identity")
    cli("add", "signed")
    cli("keys", "identity", "--new")
    refused = cli("add", "with another key")
    assert (refused.code, "signs its writes in space" in refused.err) == (5, True)


def test_a_file_named_by_the_environment_counts_more_than_the_actors_own(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_key(folder, "local")
    other = treering.Identity.generate()
    (tmp_path / "named.key").write_text(other.secret())
    monkeypatch.setenv("TREERING_IDENTITY", str(tmp_path / "named.key"))
    assert settings.identity_of("local") == other
    monkeypatch.delenv("TREERING_IDENTITY")
    assert settings.identity_of("local") == read_key(folder, "local") != other
    assert settings.identity_of("nobody") is None


def test_a_key_that_others_can_read_is_refused_with_what_to_do(folder: Path) -> None:
    path = Path(make_key(folder, "ann").path)
    path.chmod(0o644)
    with pytest.raises(Forbidden, match=r"ann\.key: the key of 'ann' can be read by others; run `chmod 600` on it"):
        read_key(folder, "ann")


def test_a_file_that_holds_no_key_is_refused_by_name(folder: Path) -> None:
    path = Path(make_key(folder, "ann").path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidRequest, match=r"ann\.key: the key of 'ann' cannot be read"):
        read_key(folder, "ann")


def test_every_actor_has_a_file_of_its_own_whatever_its_name(folder: Path) -> None:
    names = ["ann", "Ann", "a/n", "../ann", "a%2fn", "é", ".", "agent:planner", "agent%3aplanner"]
    paths = [key_path(folder, name) for name in names]
    assert len({str(path).casefold() for path in paths}) == len(names)
    assert {path.parent for path in paths} == {folder}
    assert len({make_key(folder, name).public_key for name in names}) == len(names)


def test_keys_alone_shows_what_there_is(cli: Here) -> None:
    outcome = cli("keys")
    assert outcome.code == 0
    assert all(word in outcome.out for word in ("identity", "signers"))
    assert cli("keys", "lend").code == 2
