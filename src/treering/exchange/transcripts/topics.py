"""WHAT is a sentence about a project about? The things of which a project has one at a time, as data: a name, and the
words by which each value of it is known. Two sentences on one topic compete, and the later one counts.

Only words are compared. Which of two sentences is later, and what becomes of the earlier one, is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from treering.exchange.transcripts.cues import REJECTED
from treering.values import dataclass

_TOPICS = {
    "package manager": "npm pnpm yarn bun pip uv poetry pdm pipenv conda cargo bundler composer",
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb cockroachdb duckdb oracle mssql "
                "cassandra firestore supabase",
    "cache": "redis memcached valkey dragonfly",
    "queue": "celery rq kafka rabbitmq sqs nats dramatiq huey arq sidekiq bullmq pubsub temporal",
    "test runner": "pytest unittest jest vitest mocha ava nose rspec minitest phpunit junit playwright-test",
    "browser tests": "playwright cypress selenium puppeteer",
    "linter": "ruff flake8 pylint eslint biome oxlint golangci-lint clippy rubocop",
    "formatter": "black prettier gofmt rustfmt yapf dprint",
    "type checker": "mypy pyright pyre ty flow",
    "web framework": "fastapi flask django starlette litestar express fastify koa hono nestjs rails sinatra gin actix axum",
    "frontend": "react vue svelte solid angular htmx preact lit",
    "bundler": "webpack vite rollup esbuild parcel turbopack rspack",
    "orm": "sqlalchemy prisma drizzle typeorm sequelize peewee tortoise sqlmodel diesel",
    "migrations": "alembic flyway liquibase goose dbmate atlas",
    "hosting": "heroku fly.io fly render vercel netlify kubernetes k8s ecs lambda cloudrun hetzner digitalocean railway",
    "ci": "github-actions gitlab-ci circleci jenkins buildkite travis drone woodpecker",
    "containers": "docker podman buildah nerdctl",
    "auth": "jwt jwts cookies oauth oauth2 saml passkeys auth0 keycloak clerk",
    "api style": "rest graphql grpc trpc soap json-rpc",
    "logging": "structlog loguru winston pino zap slog logrus",
    "styling": "tailwind bootstrap styled-components css-modules emotion sass",
    "state": "redux zustand mobx recoil jotai pinia",
    "http client": "httpx requests aiohttp axios fetch ky urllib3",
    "search": "elasticsearch opensearch meilisearch typesense algolia solr",
    "object storage": "s3 minio gcs r2 azure-blob",
    "serialisation": "protobuf msgpack avro json yaml toml parquet",
    "payments": "stripe paddle braintree adyen mollie",
    "mail": "sendgrid mailgun postmark ses resend",
    "language": "typescript javascript python rust go golang kotlin java ruby elixir",
    "container base": "alpine debian ubuntu distroless slim",
    "secrets store": "vault doppler sops 1password infisical",
    "feature flags": "launchdarkly unleash flagsmith",
    "monitoring": "sentry datadog grafana newrelic honeycomb",
}  # fmt: skip
_PHRASES = {
    "indentation": r"\b(?:tabs|spaces)\b.{0,30}\bindent|\bindent\w*\b.{0,30}\b(?:tabs?|spaces?)\b|\btabs,? not spaces|"
                   r"\bspaces,? not tabs",
    "quotes": r"\b(?:single|double)[ -]quote",
    "line length": r"\bline (?:length|width)|\bcolumns wide|\bcharacters per line",
    "commit style": r"\bcommit (?:messages?|subjects?|titles?)\b|\bconventional commits\b",
    "merging": r"\b(?:squash|rebase|merge commits?)\b.{0,40}\b(?:merge|merging|pr|prs|pull|branch|main)\b|"
               r"\b(?:merge|merging|prs?|pull requests?)\b.{0,40}\b(?:squash|rebase|merge commits?)\b",
    "branches": r"\b(?:push|commit)(?:ing)?\b.{0,25}\b(?:directly |straight )?to (?:main|master|trunk|develop)\b|"
                r"\bfeature branch|\btrunk[- ]based",
    "port": r"\bports?\b.{0,20}\d{2,5}|:\d{4,5}\b",
    "language version": r"\b(?:python|node|go|java|ruby|rust|php)\s*v?\d+(?:\.\d+)*\b",
    "ids": r"\b(?:uuid\w*|ulids?|auto-?increment(?:ing)?|serial|snowflake) .{0,25}\b(?:ids?|keys?)\b|\bids?\b.{0,30}"
           r"\b(?:uuid\w*|ulids?|integers?|bigints?|snowflake)\b",
    "docstrings": r"\bdocstrings?\b",
    "comments": r"\bcode comments?\b|\bcomments in (?:the )?code\b",
    "coverage": r"\bcoverage\b",
    "release day": r"\b(?:release|deploy|ship)\w*\b.{0,30}\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b",
    "time zone": r"\b(?:time ?zones?|utc|local time)\b",
    "currency": r"\b(?:cents|floats?|decimals?)\b.{0,40}\b(?:money|amounts?|prices?)\b|\b(?:money|amounts?|prices?)\b"
                r".{0,40}\b(?:cents|floats?|decimals?)\b",
    "default branch": r"\bdefault branch\b",
    "rate limit": r"\brate limit",
    "timeout": r"\btime-?outs?\b",
    "retention": r"\b(?:retention|keep (?:logs|backups|data) for)\b",
    "page size": r"\bpage size\b|\bper page\b",
    "changelog": r"\bchangelog\b",
    "tests folder": r"\btests? (?:live|go|belong|are) in\b|\btests? (?:next to|beside)\b",
    "mocks": r"\bmock(?:s|ing|ed)?\b",
    "async": r"\basync(?:io)?\b.{0,30}\b(?:everywhere|handlers?|code|sync)\b",
    "versioning": r"\b(?:semver|calver|semantic version|calendar version)",
    "staging": r"\bstaging\b",
    "names of tables": r"\btable names?\b|\btables? (?:are|is) (?:plural|singular)",
    "error format": r"\berror (?:format|shape|responses?|envelope)\b|\bproblem\+json\b|\brfc ?(?:7807|9457)\b",
    "licence": r"\blicen[cs]e\b",
    "review": r"\breviewers?\b|\bapprovals?\b",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SentenceTopic:
    """`values`: which of its values a sentence names; none where only the topic is named. `chosen`: those of them that it
    does not part from."""

    name: str
    values: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()


_OF_WORD: dict[str, str] = {}
for _name, _words in _TOPICS.items():
    for _one in _words.split():
        _OF_WORD.setdefault(_one, _name)
_NAMED_TOPIC = re.compile(
    r"\b(?:" + "|".join(re.escape(name) for name in sorted(_TOPICS, key=len, reverse=True)) + r")\b"
)
_SAME = {
    "postgresql": "postgres",
    "mongo": "mongodb",
    "k8s": "kubernetes",
    "golang": "go",
    "fly.io": "fly",
    "jwts": "jwt",
}
_WORD = re.compile(r"[a-z0-9][a-z0-9.+#-]*[a-z0-9+#]|[a-z0-9]")
_AMBIGUOUS = frozenset({"go", "render", "solid", "fetch", "requests", "express", "slim", "vault", "flow", "ty", "atlas", "rest", "json",
                        "lit", "gin", "zap", "ses", "drone", "oracle", "black", "java", "emotion", "ava", "temporal",
                        "fly", "lambda", "unleash", "bun", "composer", "yaml", "toml", "cookies", "python", "docker"})  # fmt: skip
"""Words of every day too: a topic only beside a word that says so, or beside another of its values."""
_HINTS = re.compile(
    r"\b(?:use|using|switch\w*|mov\w+|migrat\w+|go(?:ing)? with|back to|instead of|replac\w+|adopt\w*|drop\w*|via|run\w*|"
    r"on|with|from|to|not|prefer|stick\w*|keep\w*|call|write|written|host\w*|deploy\w*)\s+(?:the |our |plain |a )?$"
)


@lru_cache(maxsize=20_000)
def topics_of(sentence: str) -> Mapping[str, SentenceTopic]:
    """By name."""
    lowered = sentence.lower().replace("github actions", "github-actions").replace("gitlab ci", "gitlab-ci")
    lowered = (
        lowered.replace("cloud run", "cloudrun")
        .replace("css modules", "css-modules")
        .replace("distro less", "distroless")
    )
    found: dict[str, set[str]] = {}
    parted: set[str] = set()
    doubtful: list[tuple[str, str]] = []
    for match in _WORD.finditer(lowered):
        word = match[0]
        name = _OF_WORD.get(word)
        if name is None:
            continue
        if REJECTED.search(lowered[: match.start()]):
            parted.add(_SAME.get(word, word))
        if word in _AMBIGUOUS and not _HINTS.search(lowered[: match.start()]):
            doubtful.append((name, word))
        else:
            found.setdefault(name, set()).add(_SAME.get(word, word))
    for name, word in doubtful:
        if name in found:
            found[name].add(_SAME.get(word, word))
    for match in _NAMED_TOPIC.finditer(lowered):
        found.setdefault(match[0], set())
    for name, pattern in _PHRASES.items():
        if re.search(pattern, lowered):
            found.setdefault(name, set())
    return MappingProxyType(
        {name: SentenceTopic(name, frozenset(values), frozenset(values - parted)) for name, values in found.items()}
    )
