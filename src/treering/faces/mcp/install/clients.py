"""Which clients are there, where does each keep its settings, and what does an entry look like? One table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest, Unsupported
from treering.values import dataclass

NAME = "treering"
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Launch:
    """How a client reaches the server: a command it starts, or the address of one that runs."""

    command: tuple[str, ...] = ()
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Places:
    """Where a user's files are on this machine."""

    platform: str
    home: Path
    roaming: Path
    config: Path

    @classmethod
    def here(cls, env: Mapping[str, str], platform: str = sys.platform, home: Path | None = None) -> Places:
        home = home or Path.home()
        roaming = Path(env["APPDATA"]) if env.get("APPDATA") else home / "AppData" / "Roaming"
        config = Path(env["XDG_CONFIG_HOME"]) if env.get("XDG_CONFIG_HOME") else home / ".config"
        return cls(platform, home, roaming, config)

    @property
    def applications(self) -> Path:
        """Where applications keep their settings: each system has its own."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        return self.roaming if self.platform == "win32" else self.config


@dataclass(frozen=True, slots=True)
class AgentClient:
    """`section` is the key under which servers are listed; `started` and `reached` are what stands there for one."""

    name: str
    title: str
    section: str
    settings: Callable[[Places], Path]
    started: Callable[[Launch], Entry]
    reached: Callable[[str], Entry] | None
    after: str
    """What a person does next."""

    def entry(self, launch: Launch) -> Entry:
        if launch.address is None:
            return self.started(launch)
        if self.reached is None:
            raise Unsupported(
                f"url: {self.title} starts servers itself and takes no address in its settings; leave --url out, or "
                "add the address under its connectors"
            )
        return self.reached(launch.address)


def _command(launch: Launch) -> Entry:
    return {"command": launch.command[0], "args": list(launch.command[1:])}


def _typed_command(launch: Launch) -> Entry:
    return {"type": "stdio", **_command(launch)}


def _typed_address(address: str) -> Entry:
    return {"type": "http", "url": address}


def _zed_settings(places: Places) -> Path:
    folder = places.roaming / "Zed" if places.platform == "win32" else places.config / "zed"
    return folder / "settings.json"


CLIENTS: dict[str, AgentClient] = {
    one.name: one
    for one in (
        AgentClient(
            "claude-desktop",
            "Claude Desktop",
            "mcpServers",
            lambda places: places.applications / "Claude" / "claude_desktop_config.json",
            _command,
            None,
            "Restart Claude Desktop.",
        ),
        AgentClient(
            "claude-code",
            "Claude Code",
            "mcpServers",
            lambda places: places.home / ".claude.json",
            _typed_command,
            _typed_address,
            "Start a new session; /mcp lists the server.",
        ),
        AgentClient(
            "cursor",
            "Cursor",
            "mcpServers",
            lambda places: places.home / ".cursor" / "mcp.json",
            _command,
            lambda address: {"url": address},
            "Look under Settings, MCP.",
        ),
        AgentClient(
            "vscode",
            "VS Code",
            "servers",
            lambda places: places.applications / "Code" / "User" / "mcp.json",
            _typed_command,
            _typed_address,
            "Run the command MCP: List Servers.",
        ),
        AgentClient(
            "windsurf",
            "Windsurf",
            "mcpServers",
            lambda places: places.home / ".codeium" / "windsurf" / "mcp_config.json",
            _command,
            lambda address: {"serverUrl": address},
            "Refresh the servers in Cascade.",
        ),
        AgentClient(
            "zed",
            "Zed",
            "context_servers",
            _zed_settings,
            lambda launch: {"source": "custom", **_command(launch)},
            lambda address: {"url": address},
            "Look in the agent panel's settings.",
        ),
    )
}


def chosen(names: tuple[str, ...], places: Places) -> list[AgentClient]:
    """Those that are named; else those whose settings have a home here."""
    for name in names:
        if name not in CLIENTS:
            raise InvalidRequest(f"client: {name!r} is not one of {', '.join(CLIENTS)}")
    if names:
        return [CLIENTS[name] for name in dict.fromkeys(names)]
    found = [one for one in CLIENTS.values() if _seems_installed(one.settings(places), places)]
    if not found:
        raise InvalidRequest(f"client: none of {', '.join(CLIENTS)} was found here; name one with --client")
    return found


def _seems_installed(settings: Path, places: Places) -> bool:
    """Its settings are there, or a folder that nobody but it would have made."""
    return settings.exists() or (settings.parent != places.home and settings.parent.is_dir())
