"""`treering mcp install`: shown first, asked for, what is there kept, and nothing touched that cannot be parsed."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.faces.command import Here, clean_environment

from treering.errors import InvalidRequest, Unsupported
from treering.faces.cli.app import run
from treering.faces.mcp.install.clients import CLIENTS, Launch, Places, chosen
from treering.faces.mcp.install.edit import JsonReader, put
from treering.faces.mcp.install.write import this_program

ENTRY = {"command": "/bin/treering", "args": ["mcp"]}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    return home


def _read(text: str) -> Any:
    return JsonReader(text).whole().value


# where


@pytest.mark.parametrize(
    ("platform", "client", "path"),
    [
        ("linux", "claude-desktop", "/home/ann/.config/Claude/claude_desktop_config.json"),
        ("darwin", "claude-desktop", "/home/ann/Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "claude-desktop", "/roaming/Claude/claude_desktop_config.json"),
        ("linux", "claude-code", "/home/ann/.claude.json"),
        ("darwin", "cursor", "/home/ann/.cursor/mcp.json"),
        ("linux", "vscode", "/home/ann/.config/Code/User/mcp.json"),
        ("darwin", "vscode", "/home/ann/Library/Application Support/Code/User/mcp.json"),
        ("win32", "vscode", "/roaming/Code/User/mcp.json"),
        ("win32", "windsurf", "/home/ann/.codeium/windsurf/mcp_config.json"),
        ("darwin", "zed", "/home/ann/.config/zed/settings.json"),
        ("win32", "zed", "/roaming/Zed/settings.json"),
    ],
)
def test_each_client_keeps_its_settings_where_its_system_does(platform: str, client: str, path: str) -> None:
    places = Places.here({"APPDATA": "/roaming"}, platform, Path("/home/ann"))
    assert CLIENTS[client].settings(places) == Path(path)


def test_windows_without_the_variable_has_the_usual_place() -> None:
    places = Places.here({}, "win32", Path("/home/ann"))
    assert PureWindowsPath(places.roaming).parts[-2:] == ("AppData", "Roaming")


def test_without_a_name_those_are_chosen_that_have_a_home_here(home: Path) -> None:
    places = Places.here({}, "linux", home)
    with pytest.raises(InvalidRequest, match=r"none of claude-desktop, .* was found here"):
        chosen((), places)
    (home / ".cursor").mkdir()
    (home / ".claude.json").write_text("{}")
    assert [one.name for one in chosen((), places)] == ["claude-code", "cursor"]


# what


@pytest.mark.parametrize(
    ("client", "entry"),
    [
        ("claude-desktop", {"mcpServers": {"treering": ENTRY}}),
        ("claude-code", {"mcpServers": {"treering": {"type": "stdio", **ENTRY}}}),
        ("cursor", {"mcpServers": {"treering": ENTRY}}),
        ("vscode", {"servers": {"treering": {"type": "stdio", **ENTRY}}}),
        ("windsurf", {"mcpServers": {"treering": ENTRY}}),
        ("zed", {"context_servers": {"treering": {"source": "custom", **ENTRY}}}),
    ],
)
def test_each_client_gets_the_entry_it_understands(client: str, entry: dict[str, Any]) -> None:
    one = CLIENTS[client]
    assert json.loads(put("", one.section, "treering", one.entry(Launch(("/bin/treering", "mcp"))))) == entry


def test_a_server_that_runs_is_named_by_its_address_where_that_can_be() -> None:
    there = this_program(None, "http://127.0.0.1:8322/mcp")
    assert CLIENTS["vscode"].entry(there) == {"type": "http", "url": "http://127.0.0.1:8322/mcp"}
    assert CLIENTS["windsurf"].entry(there) == {"serverUrl": "http://127.0.0.1:8322/mcp"}
    with pytest.raises(Unsupported, match="Claude Desktop starts servers itself"):
        CLIENTS["claude-desktop"].entry(there)


def test_the_program_and_the_store_are_named_by_their_whole_paths(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    command = this_program("full", "work.db").command
    assert Path(command[0]).is_absolute()
    assert command[-5:] == ("mcp", "--url", str(tmp_path / "work.db"), "--tools", "full")
    assert this_program(None, ":memory:").command[-2:] == ("--url", ":memory:")


# how it is put in

COMMENTED = """{
  // the look
  "theme": "One Dark", // dark
  "context_servers": {
    "other": {"command": "x", "args": [1, 2,],}, /* mine */
  },
  "last": null
}
"""


def test_comments_order_and_trailing_commas_stay() -> None:
    after = put(COMMENTED, "context_servers", "treering", ENTRY)
    assert [line for line in COMMENTED.splitlines() if line not in after.splitlines()] == []
    assert after.index("/* mine */") < after.index('"treering"') < after.index('"last"')
    read = _read(after)
    assert read == {**_read(COMMENTED), "context_servers": {**_read(COMMENTED)["context_servers"], "treering": ENTRY}}


def test_the_same_again_changes_nothing() -> None:
    once = put(COMMENTED, "context_servers", "treering", ENTRY)
    assert put(once, "context_servers", "treering", ENTRY) == once


def test_an_entry_that_is_there_keeps_what_a_person_added() -> None:
    mine = {"url": "http://old", "env": {"TREERING_SPACE": "me"}, "disabled": True}
    before = put("", "mcpServers", "treering", mine)
    after = _read(put(before, "mcpServers", "treering", ENTRY))
    assert after["mcpServers"]["treering"] == {"env": {"TREERING_SPACE": "me"}, "disabled": True, **ENTRY}


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{ }",
        "{\n}\n",
        '{"a": 1}',
        '{"a": 1,}',
        '{\r\n\t"a": 1\r\n}\r\n',
        '\ufeff{"a": {}}',
        "{ // nothing yet\n}",
        "",
    ],
)
def test_it_goes_into_settings_of_any_form(text: str) -> None:
    after = put(text, "mcpServers", "treering", ENTRY)
    assert _read(after)["mcpServers"] == {"treering": ENTRY}
    before = _read(text) if text else {}
    assert {name: one for name, one in _read(after).items() if name != "mcpServers"} == before
    assert ("\r\n" in text) == ("\r\n" in after)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(settings=st.dictionaries(st.text(max_size=5), JSON, max_size=4), indent=st.sampled_from([None, 2, "\t"]))
def test_whatever_else_the_settings_hold_is_kept(settings: dict[str, Any], indent: int | str | None) -> None:
    after = json.loads(put(json.dumps(settings, indent=indent), "mcpServers", "treering", ENTRY))
    assert after == {**settings, "mcpServers": {**settings.get("mcpServers", {}), "treering": ENTRY}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1', "line 1, column 8: a comma or } is expected"),
        ('{\n"a" 1}', "line 2, column 5: : is expected"),
        ("[]", "no JSON object"),
        ('{"mcpServers": []}', "mcpServers in the settings is no JSON object"),
        ("{} {}", "something follows the end"),
        ("{'a': 1}", "a value is expected"),
        ('{"a": 01x}', "a value is expected|a comma"),
        ('{"a": ' + "[" * 300, "nested too deeply"),
        ("{1: 2}", "a name is expected"),
    ],
)
def test_settings_that_cannot_be_parsed_are_refused(text: str, told: str) -> None:
    with pytest.raises(InvalidRequest, match=told):
        put(text, "mcpServers", "treering", ENTRY)


# the command


def test_it_shows_what_it_would_write_and_writes_nothing_without_a_yes(cli: Here, home: Path) -> None:
    (home / ".cursor").mkdir()
    dry = cli("mcp", "install", "--dry-run")
    assert (dry.code, dry.err) == (0, "")
    assert '+    "treering": {' in dry.out
    assert "Nothing was written." in dry.out
    unasked = cli("mcp", "install")
    assert unasked.code == 2
    assert "add --yes to write" in unasked.err
    assert list((home / ".cursor").iterdir()) == []


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ("/data/team.db", ["mcp", "--url", "/data/team.db"]),
        ("postgresql://host/team", ["mcp", "--url", "postgresql://host/team"]),
        ("", ["mcp"]),
    ],
)
def test_the_store_that_the_environment_names_is_the_one_the_client_gets(
    said: str, args: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TREERING_URL", said)
    with pytest.raises(SystemExit):
        run(["mcp", "install", "--client", "cursor", "--yes"])
    entry = json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["treering"]
    assert entry["args"][entry["args"].index("mcp") :] == args


def test_it_writes_keeps_the_old_file_and_its_mode(cli: Here, home: Path) -> None:
    settings = home / ".claude.json"
    settings.write_text('{"token": "mine"}')
    settings.chmod(0o600)
    done = cli("mcp", "install", "--client", "claude-code", "--tools", "full", "--yes", "--json").json
    assert [(one["client"], one["written"]) for one in done] == [("claude-code", True)]
    assert json.loads(settings.read_text())["mcpServers"]["treering"]["args"][-2:] == ["--tools", "full"]
    assert json.loads(settings.read_text())["token"] == "mine"
    assert Path(done[0]["backup"]).read_text() == '{"token": "mine"}'
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    again = cli("mcp", "install", "--client", "claude-code", "--tools", "full", "--yes")
    assert "is set up already" in again.out


def test_a_file_that_is_a_link_stays_one(cli: Here, home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "mcp.json").write_text("{}")
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").symlink_to(home / "dotfiles" / "mcp.json")
    assert cli("mcp", "install", "--yes").code == 0
    assert (home / ".cursor" / "mcp.json").is_symlink()
    assert "treering" in (home / "dotfiles" / "mcp.json").read_text()


def test_one_file_that_cannot_be_parsed_stops_them_all(cli: Here, home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".claude.json").write_text("{broken")
    outcome = cli("mcp", "install", "--yes")
    assert outcome.code == 2
    assert f"{home / '.claude.json'} cannot be parsed (line 1, column 2" in outcome.err
    assert list((home / ".cursor").iterdir()) == []


def test_what_is_written_starts_a_server_that_answers(cli: Here, home: Path, store: Path) -> None:
    import asyncio

    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    cli("mcp", "install", "--client", "cursor", "--yes")
    entry = json.loads((home / ".cursor" / "mcp.json").read_text())["mcpServers"]["treering"]
    env = clean_environment(TREERING_EMBEDDER="none", PYTHONPATH=os.pathsep.join(sys.path))

    async def tools() -> list[str]:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123
            return await tools_of(stdio_client(StdioServerParameters(**entry, env=env), errlog=nowhere))

    async def tools_of(server: Any) -> list[str]:
        async with Client(server, mode="legacy") as client:
            await client.call_tool("remember", {"content": "I moved to Oslo", "speaker": "Sam"})
            return [one.name for one in (await client.list_tools()).tools]

    assert "recall" in asyncio.run(tools())
    assert store.exists()
