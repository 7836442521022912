"""What does the environment say? The only reader of environment variables; one table of name, default and help."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from treering.access.audit import Level
from treering.access.grants import written_grants
from treering.access.oidc import OidcPolicy
from treering.access.policy import KEYS_ALONE, AccessPolicy
from treering.errors import InvalidRequest
from treering.exchange.backups import BackupPolicy
from treering.keyfile import read_key
from treering.model.identity import Identity
from treering.model.setting import EXTRACTORS, extractor_called
from treering.store import GRAPHS, VECTORS
from treering.values import dataclass

LONGEST_TIMEOUT_SECONDS = 3600.0
MOST_CONNECTIONS = 1_000
MOST_BACKUP_HOURS = 8_760.0
LONGEST_SKEW_SECONDS = 600
LOG_LEVELS = ("warning", "info", "debug")
TOOL_SETS = ("core", "full", "cortexgraph", "ai-memory", "longmem")
"""The sets of tools that agents may be given."""
SECRETS = ("mask", "keep")
"""What becomes of secrets in what is taken in."""


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    default: str
    help: str


VARIABLES = (
    Variable("TREERING_URL", "", "Where the store is, if not given: a file path, :memory: or postgresql://…"),
    Variable("TREERING_CONNECTIONS", "10", "Most operations at once that a process carries to PostgreSQL."),
    Variable("TREERING_VECTORS", "auto", "Who finds what is near in meaning on PostgreSQL: auto, pgvector or local."),
    Variable("TREERING_GRAPH", "auto", "Who walks the graph on PostgreSQL: auto, sql or age (Apache AGE)."),
    Variable("TREERING_REPLICAS", "", "Standbys of a PostgreSQL store to read from: their URLs, apart by blanks."),
    Variable("TREERING_ACTOR", "local", "On whose behalf things are written, if not given."),
    Variable("TREERING_SPACE", "default", "The space, if not given."),
    Variable("TREERING_DURABILITY", "full", "full: on disk when a write returns. normal: a power cut may take some."),
    Variable("TREERING_EMBEDDER", "turnfinder-2", "Reads spaces that chose none: turnfinder-2, static …, or none."),
    Variable("TREERING_OPENAI_MODEL", "", "For the embedder openai: the model at the endpoint."),
    Variable("TREERING_OPENAI_DIMS", "", "For the embedder openai: how many dimensions the model gives."),
    Variable("TREERING_OPENAI_URL", "", "For the embedder openai: the endpoint, if not the provider's own."),
    Variable("TREERING_OPENAI_KEY", "", "For the embedder openai: the key, sent in one header and shown nowhere."),
    Variable("TREERING_OPENAI_TEXT_PREFIX", "", "For the embedder openai: what its model wants before a text."),
    Variable("TREERING_OPENAI_QUESTION_PREFIX", "", "For the embedder openai: what its model wants before a question."),
    Variable("TREERING_EXTRACTOR", "reader", "Who reads spaces that chose nobody: reader, llm, none."),
    Variable("TREERING_LLM", "", "Who reads for the extractor llm: openai (any such endpoint) or anthropic."),
    Variable("TREERING_LLM_MODEL", "", "For the language model: which one to ask for at the endpoint."),
    Variable("TREERING_LLM_URL", "", "For the language model: the endpoint, if not the provider's own."),
    Variable("TREERING_LLM_KEY", "", "For the language model: the key, sent in one header and shown nowhere."),
    Variable("TREERING_LLM_TIMEOUT_SECONDS", "60", "For the language model: how long an answer is waited for."),
    Variable("TREERING_LLM_TOKENS", "0", "For the language model: most tokens a day and space. 0 is no bound."),
    Variable("TREERING_RERANKER", "none", "Who reads the best hits once more: none, turnjudge, endpoint, onnx."),
    Variable(
        "TREERING_JUDGE",
        "turnreader",
        "Who judges what replaces what and what answers a question: turnreader, llm (what is written), none.",
    ),
    Variable("TREERING_RERANKER_MODEL", "", "For the reranker: the model at the endpoint; for onnx the folder."),
    Variable("TREERING_RERANKER_URL", "", "For the reranker endpoint: what stands before /rerank."),
    Variable("TREERING_RERANKER_KEY", "", "For the reranker endpoint: the key, sent in one header and shown nowhere."),
    Variable("TREERING_QUOTA_MEMORIES", "0", "Most memories in a space that has no quota of its own. 0 is no bound."),
    Variable("TREERING_QUOTA_BYTES", "0", "Most bytes of words in such a space. 0 is no bound."),
    Variable("TREERING_OIDC_ISSUER", "", "An OpenID Connect issuer whose tokens a server takes beside its keys."),
    Variable("TREERING_OIDC_AUDIENCE", "", "For whom such tokens must be meant; several apart by blanks."),
    Variable("TREERING_OIDC_NAME_CLAIM", "sub", "The claim that says who it is; they act as user:NAME."),
    Variable("TREERING_OIDC_GROUPS_CLAIM", "groups", "The claim that holds the groups, such as realm_access.roles."),
    Variable("TREERING_OIDC_SKEW_SECONDS", "60", "By how much the issuer's clock may differ: 0 to 600 seconds."),
    Variable("TREERING_OIDC_GRANTS", "", "What groups may do, besides `keys grant`: research=write:acme/research, …"),
    Variable("TREERING_AUDIT", "off", "What a server records of reads, sign-ins and refusals: off, metadata, full."),
    Variable("TREERING_BACKUPS", "", "The folder that backups are kept in: a server makes them by itself."),
    Variable("TREERING_BACKUP_HOURS", "24", "How many hours after one backup the next is made."),
    Variable("TREERING_BACKUP_KEEP", "14", "How many backups are kept; the oldest go when a newer one was verified."),
    Variable("TREERING_BACKUP_PASSPHRASE_FILE", "", "A file with the passphrase that backups are sealed with."),
    Variable("TREERING_VAULT", "", "The folder of an Obsidian vault, to search it and to write promoted memories to."),
    Variable("LTM_VAULT_PATH", "", "As CortexGraph names it: the vault, where TREERING_VAULT names none."),
    Variable("TREERING_TOOLS", "core", "Which tools agents get over MCP: core, full, cortexgraph, ai-memory, longmem."),
    Variable("TREERING_SECRETS", "mask", "Keys and passwords in what is taken in from files and tools: mask or keep."),
    Variable("TREERING_HOOK_TOKENS", "800", "Most tokens that a coding agent is told at the start of a session."),
    Variable("TREERING_HOOK_PROMPT_TOKENS", "400", "Most tokens that it is told at a prompt; 0 is nothing."),
    Variable("TREERING_HOOK_IDLE_SECONDS", "900", "After so long without an event the helper of the hooks ends."),
    Variable("TREERING_LOG", "", "What the program tells on standard error as it works: warning, info or debug."),
    Variable("TREERING_TRACES", "", "A collector to send spans to over OTLP/HTTP, such as http://localhost:4318."),
    Variable("TREERING_IDENTITY", "", "A file with the actor's Ed25519 secret, if not the one `keys identity` made."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    url: str
    actor: str
    space: str
    durability: str
    connections: int = 10
    vectors: str = "auto"
    graph: str = "auto"
    replicas: tuple[str, ...] = ()
    """Of the store at `url`."""
    embedder: str = "turnfinder-2"
    embedders: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)
    """What embedders are opened with, by name."""
    extractor: str = "reader"
    llm: dict[str, Any] = field(default_factory=dict, repr=False)
    """What the language model is opened with, its name included; empty where there is none."""
    llm_tokens: int = 0
    reranker: str = "none"
    judge: str = "turnreader"
    rerankers: dict[str, Any] = field(default_factory=dict, repr=False)
    """What the reranker is opened with."""
    quota: tuple[int | None, int | None] = (None, None)
    """Memories and bytes of a space that has no quota of its own."""
    access: AccessPolicy = KEYS_ALONE
    """Who is let in besides the bearers of keys, and what is recorded of it."""
    backups: BackupPolicy = field(default_factory=BackupPolicy)
    vault: str = ""
    tools: str = "core"
    masks_secrets: bool = True
    """In what is taken in from files and other tools."""
    hook_tokens: int = 800
    hook_prompt_tokens: int = 400
    hook_idle_seconds: int = 900
    log: str = ""
    """From which level on the program tells what it does; empty: warnings, as Python tells them."""
    traces: str = ""
    """Where spans are sent; nowhere if empty."""
    cortexgraph: dict[str, str] = field(default_factory=dict)
    """What CortexGraph's own variables say: its tools follow them."""


def read(environment: Mapping[str, str] | None = None) -> Settings:
    env = os.environ if environment is None else environment
    value = {one.name: env.get(one.name) or one.default for one in VARIABLES}
    return Settings(
        url=value["TREERING_URL"] or str(default_path(env)),
        actor=value["TREERING_ACTOR"],
        space=value["TREERING_SPACE"],
        durability=value["TREERING_DURABILITY"],
        connections=_connections(value["TREERING_CONNECTIONS"]),
        vectors=_one_of("TREERING_VECTORS", value["TREERING_VECTORS"], VECTORS),
        graph=_one_of("TREERING_GRAPH", value["TREERING_GRAPH"], GRAPHS),
        replicas=tuple(value["TREERING_REPLICAS"].split()),
        embedder=value["TREERING_EMBEDDER"],
        embedders={"openai": _openai(value)},
        extractor=_one_of("TREERING_EXTRACTOR", extractor_called(value["TREERING_EXTRACTOR"]), EXTRACTORS),
        llm=_llm(value),
        llm_tokens=_number("TREERING_LLM_TOKENS", value, "a number of tokens, such as 200000"),
        reranker=value["TREERING_RERANKER"],
        judge=value["TREERING_JUDGE"],
        rerankers=_reranker(value),
        quota=(
            _number("TREERING_QUOTA_MEMORIES", value, "a number of memories, such as 100000") or None,
            _number("TREERING_QUOTA_BYTES", value, "a number of bytes, such as 100000000") or None,
        ),
        access=_access(value),
        backups=_backups(value),
        vault=value["TREERING_VAULT"] or value["LTM_VAULT_PATH"],
        tools=_one_of("TREERING_TOOLS", value["TREERING_TOOLS"], TOOL_SETS),
        masks_secrets=_one_of("TREERING_SECRETS", value["TREERING_SECRETS"], SECRETS) == "mask",
        hook_tokens=_number("TREERING_HOOK_TOKENS", value, "a number of tokens, such as 800"),
        hook_prompt_tokens=_number("TREERING_HOOK_PROMPT_TOKENS", value, "a number of tokens, such as 400"),
        hook_idle_seconds=_number("TREERING_HOOK_IDLE_SECONDS", value, "a number of seconds, such as 900") or 900,
        log=value["TREERING_LOG"] and _one_of("TREERING_LOG", value["TREERING_LOG"].lower(), LOG_LEVELS),
        traces=value["TREERING_TRACES"],
        cortexgraph={name: one for name, one in env.items() if name.startswith("CORTEXGRAPH_") and one},
    )


def _access(value: Mapping[str, str]) -> AccessPolicy:
    issuer = value["TREERING_OIDC_ISSUER"]
    level = _one_of("TREERING_AUDIT", value["TREERING_AUDIT"], list(Level))
    return AccessPolicy(
        oidc=_oidc(issuer, value) if issuer else None,
        grants=written_grants(value["TREERING_OIDC_GRANTS"], "TREERING_OIDC_GRANTS"),
        audit=Level(level),
    )


def _oidc(issuer: str, value: Mapping[str, str]) -> OidcPolicy:
    skew = _number("TREERING_OIDC_SKEW_SECONDS", value, "a number of seconds, such as 60")
    if skew > LONGEST_SKEW_SECONDS:
        raise InvalidRequest(f"TREERING_OIDC_SKEW_SECONDS: {skew} is more than {LONGEST_SKEW_SECONDS}; set the clocks")
    return OidcPolicy(
        issuer=issuer,
        audience=tuple(value["TREERING_OIDC_AUDIENCE"].split()),
        name_claim=value["TREERING_OIDC_NAME_CLAIM"],
        groups_claim=value["TREERING_OIDC_GROUPS_CLAIM"],
        skew_seconds=float(skew),
    )


def _backups(value: Mapping[str, str]) -> BackupPolicy:
    hours, keep = (
        value["TREERING_BACKUP_HOURS"],
        _number("TREERING_BACKUP_KEEP", value, "a number of backups, such as 14"),
    )
    try:
        every = float(hours)
    except ValueError:
        every = 0.0
    if not 0 < every <= MOST_BACKUP_HOURS:
        raise InvalidRequest(f"TREERING_BACKUP_HOURS: {hours!r} is not a number of hours, such as 24 or 0.5")
    if not keep:
        raise InvalidRequest("TREERING_BACKUP_KEEP: 0 would keep none; give at least 1")
    return BackupPolicy(value["TREERING_BACKUPS"], every, keep, value["TREERING_BACKUP_PASSPHRASE_FILE"])


def _openai(value: Mapping[str, str]) -> dict[str, Any]:
    """Only what is said: what is missing is asked for when the embedder is opened."""
    given: dict[str, Any] = {
        "model": value["TREERING_OPENAI_MODEL"],
        "base_url": value["TREERING_OPENAI_URL"],
        "api_key": value["TREERING_OPENAI_KEY"],
        "text_prefix": value["TREERING_OPENAI_TEXT_PREFIX"],
        "question_prefix": value["TREERING_OPENAI_QUESTION_PREFIX"],
    }
    dims = value["TREERING_OPENAI_DIMS"]
    if dims:
        if not dims.isdecimal() or int(dims) < 1:
            raise InvalidRequest(f"TREERING_OPENAI_DIMS: {dims!r} is not a number of dimensions, such as 1536")
        given["dims"] = int(dims)
    return {name: one for name, one in given.items() if one}


def _one_of(name: str, given: str, words: Sequence[str]) -> str:
    if given not in words:
        raise InvalidRequest(f"{name}: {given!r} is not one of {', '.join(words)}")
    return given


def _llm(value: Mapping[str, str]) -> dict[str, Any]:
    if not value["TREERING_LLM"]:
        return {}
    given = {
        "name": value["TREERING_LLM"],
        "model": value["TREERING_LLM_MODEL"],
        "base_url": value["TREERING_LLM_URL"],
        "api_key": value["TREERING_LLM_KEY"],
    }
    seconds = _seconds(value["TREERING_LLM_TIMEOUT_SECONDS"])
    return {name: one for name, one in given.items() if one} | {"timeout_seconds": seconds}


def _reranker(value: Mapping[str, str]) -> dict[str, Any]:
    """Only what is said: what is missing is asked for when the reranker is opened."""
    given = {
        "model": value["TREERING_RERANKER_MODEL"],
        "base_url": value["TREERING_RERANKER_URL"],
        "api_key": value["TREERING_RERANKER_KEY"],
    }
    return {name: one for name, one in given.items() if one}


def _seconds(given: str) -> float:
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= LONGEST_TIMEOUT_SECONDS:
        raise InvalidRequest(
            f"TREERING_LLM_TIMEOUT_SECONDS: {given!r} is not a number of seconds from above 0 to "
            f"{LONGEST_TIMEOUT_SECONDS:g}, such as 60"
        )
    return seconds


def _connections(given: str) -> int:
    if not (given.isascii() and given.isdecimal()) or not 1 <= int(given) <= MOST_CONNECTIONS:
        raise InvalidRequest(
            f"TREERING_CONNECTIONS: {given!r} is not a number from 1 to {MOST_CONNECTIONS}, such as 10"
        )
    return int(given)


def _number(name: str, value: Mapping[str, str], what: str) -> int:
    given = value[name]
    if not (given.isascii() and given.isdecimal()):
        raise InvalidRequest(f"{name}: {given!r} is not {what}; 0 is no bound")
    return int(given)


def default_path(env: Mapping[str, str]) -> Path:
    data = env.get("XDG_DATA_HOME") or str(Path(env.get("HOME", "~")).expanduser() / ".local" / "share")
    return Path(data) / "treering" / "treering.db"


def key_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where `keys identity` keeps the keys of actors."""
    return default_path(os.environ if environment is None else environment).parent / "keys"


def identity_of(actor: str, environment: Mapping[str, str] | None = None) -> Identity | None:
    """The key that an actor signs with: from the file TREERING_IDENTITY names, else its own of the key folder."""
    env = os.environ if environment is None else environment
    return _identity(env.get("TREERING_IDENTITY") or "") or read_key(key_folder(env), actor)


def _identity(path: str) -> Identity | None:
    if not path:
        return None
    try:
        return Identity.from_secret(Path(path).expanduser().read_text("ascii"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest(f"TREERING_IDENTITY: {path} cannot be read ({error})") from error
