"""How is it told? docs/guides/sizing.md: the words stand here, the numbers are reckoned anew each time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.sizing import model
from bench.sizing.foretold import Check, checks, waiting
from bench.sizing.model import Load, Needs, Wall, needs, walls
from bench.sizing.parts import Parts
from treering.recall.index_cache import MEMORIES, SPACES

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "sizing.md"
TENANTS = (10, 100, 1_000, 10_000)
WAITING_CORES = (1, 4)


def page(parts: Parts) -> str:
    typical = Load(TENANTS[0])
    blocks = [
        _BEGINNING,
        _table(("one", "costs", "measured by"), costs(typical, parts)),
        _TYPICAL.format(
            memories=typical.memories_each,
            recalls=typical.recalls_a_day,
            turns=typical.turns_a_day,
            peak=typical.peak,
            busy=model.BUSY,
            sitting=model.SITTING,
            cores=model.SERVER_CORES,
            at_hand=parts.spaces_at_hand(typical.memories_each),
        ),
        _table(("tenants", *COLUMNS), _tenant_rows(parts)),
        _WALLS,
        _table(("at about so many tenants", "what is reached"), [_wall(one) for one in walls(typical, parts)]),
        _DONE.format(
            least=SPACES,
            memories=MEMORIES,
            connections=parts.connections_a_process,
            writes=parts.writes_a_second,
            alone=1000 / parts.one_writer_ms,
            by_one=parts.writes_by_one,
            by_several=parts.writes_by_several,
        ),
        _WAITING.format(cold=parts.cold_ms(typical.memories_each)),
        _table(
            ("cores busy", *(f"{cores} core{'s' * (cores > 1)}: p50, p99" for cores in WAITING_CORES)),
            _waiting_rows(typical, parts),
        ),
        _CHECKED,
        _table(("what", "given", "foretold", "measured", "off"), [check_row(one) for one in checks(parts)]),
        _END,
    ]
    return "\n\n".join(block.strip() for block in blocks) + "\n"


def told(load: Load, parts: Parts) -> str:
    """For one's own numbers, on a terminal."""
    lines = [
        f"{load.tenants:,} tenants of {load.memories_each:,} memories, {load.recalls_a_day:g} recalls and "
        f"{load.turns_a_day:g} turns a day each, {load.peak:g} times as many in the busiest hour",
        *(f"  {name}: {value}" for name, value in zip(COLUMNS, row(needs(load, parts)), strict=True)),
    ]
    for wall in walls(load, parts):
        reached = "reached" if wall.tenants is not None and wall.tenants <= load.tenants else "to come"
        lines.append(f"  {reached}: {_wall(wall)[1]}, at {_wall(wall)[0]} tenants")
    return "\n".join(lines)


COLUMNS = (
    "recalls, turns a second",
    "cold",
    "cores (servers)",
    "RAM a server",
    "disk, and a year more",
    "PostgreSQL: cores, writes/s, connections",
    "enough: one server, one PostgreSQL",
)


def row(needed: Needs) -> tuple[str, ...]:
    return (
        f"{needed.recalls_a_second:.2g}, {needed.turns_a_second:.2g}",
        f"{needed.cold:.0%}",
        f"{needed.cores} ({needed.servers})",
        f"{needed.ram_gb_a_server:.1f} GB",
        f"{needed.disk_gb:,.1f}, {needed.gb_a_year:,.0f} GB",
        f"{needed.database_cores}, {needed.database_writes:.1f}, {needed.connections}",
        f"{_yes(needed.one_server)}, {_yes(needed.one_database)}",
    )


def _tenant_rows(parts: Parts) -> list[tuple[str, ...]]:
    return [
        *((f"{count:,}", *row(needs(Load(count), parts))) for count in TENANTS),
        (f"{TENANTS[-1]:,}, balanced by space", *row(needs(Load(TENANTS[-1], by_space=True), parts))),
    ]


def _yes(one: bool) -> str:
    return "yes" if one else "no"


def costs(load: Load, parts: Parts) -> list[tuple[str, str, str]]:
    size = load.memories_each
    return [
        ("recall, judged", f"{parts.recall_ms(size):.0f} ms of a core", "bench-serve, bench-recall"),
        ("recall, `judge=none`", f"{parts.recall_ms(size, judge=False):.0f} ms", "the same, less the judge"),
        (
            "recall of a space that is not at hand",
            f"{parts.cold_ms(size):.0f} ms more",
            "bench-parts",
        ),
        ("turn told (reader, embedder, judge)", f"{parts.turn_ms:.0f} ms", "bench-remember, one a call"),
        ("plain `add` without an embedder", f"{parts.add_ms:.1f} ms", "bench-parts"),
        (
            "PostgreSQL's own part of a recall, of a turn",
            f"{parts.database_recall_ms(size, 0):.0f} ms, {parts.database_turn_ms:.0f} ms",
            "bench-parts",
        ),
        ("turn, in transactions (savepoints included)", f"{parts.transactions_a_turn:g}", "bench-parts"),
        ("turn, in memories", f"{parts.memories_a_turn:.2f}", "bench-remember"),
        ("memory on disk, in memory", f"{parts.disk_bytes_a_memory:,.0f}, {parts.index_bytes_a_memory:,.0f} bytes",
         "bench-parts, bench-recall"),
        ("process with its models", f"{parts.base_mb:.0f} MB", "bench-recall"),
    ]  # fmt: skip


def _wall(wall: Wall) -> tuple[str, str]:
    return ("more than we look for" if wall.tenants is None else f"{wall.tenants:,}", wall.name)


def _waiting_rows(load: Load, parts: Parts) -> list[tuple[str, ...]]:
    columns = [waiting(load, parts, cores) for cores in WAITING_CORES]
    return [
        (f"{line[0][0]:.0%}", *(f"{middle:.0f} ms, {late:.0f} ms" for _, middle, late in line))
        for line in zip(*columns, strict=True)
    ]


def check_row(one: Check) -> tuple[str, ...]:
    return (
        one.what,
        one.given,
        ", ".join(f"{value:,.0f}" for value in one.foretold),
        ", ".join(f"{value:,.0f}" for value in one.measured),
        ", ".join(f"{value:+.0%}" for value in one.off),
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(one)} |" for one in (head, ("---",) * len(head), *rows))


_BEGINNING = """
# How much hardware?

Written by `make sizing` from what was measured (`bench/results`). For numbers of your own:

```sh
python -m bench.sizing --tenants 500 --memories 20000 --recalls 200 --turns 100
```

For a store on PostgreSQL. Measured was on x86_64 with two cores, shared with others; more cores and machines than that
are reckoned, not measured: take this for the order of magnitude, and measure before you buy.

## What one costs
"""

_TYPICAL = """
## What so many tenants need

A tenant is one space of {memories:,} memories, asks {recalls:g} questions and tells {turns:g} turns a day. Assumed:
the busiest hour has {peak:g} times the mean, and cores and PostgreSQL are used to {busy:.0%} then; a tenant makes
{sitting} calls in a row; a server has {cores} cores, as many processes that answer and one for jobs; a call may reach
any of them. Each keeps in memory the {at_hand} spaces that it was asked about last (more where they are smaller):
*cold* is the share of recalls whose space has to be learned first.
"""

_WALLS = """
## Where the walls are
"""

_DONE = """
- **Spaces at hand.** Nothing fails: the first question of a sitting takes longer. Let the balancer send a space to the
  same server each time (hash `/v1/spaces/{{space}}`), or give servers tenants of their own. {least} spaces are kept,
  and more as long as they hold no more than {memories:,} memories together, whatever RAM there is.
- **One server.** Put more behind a balancer, all on one PostgreSQL ([many servers](postgres.md#many-servers)); a file
  is of one machine. Nobody waits while turns are read: `treering worker` does it elsewhere.
- **Connections.** A process holds up to {connections}. Raise `max_connections`, lower `TREERING_CONNECTIONS`, or put
  PgBouncer in front (transaction mode; what planning each statement anew adds was not measured here).
- **Cores.** `TREERING_JUDGE=none` saves what the first table says, and what is over is told apart less well. Many
  turns a call take less than one a call. Learning spaces is often the largest part, and no judge has to do with it.
- **Writes.** {writes:.0f} a second is what 64 writers brought to 1,000 spaces on the two cores that they shared with
  PostgreSQL: a floor of what it bears, not its most. Four processes brought {by_several:.0f} there, where one brought
  {by_one:.0f}: cores were short, not writers. Writers of one space take turns; one writer alone brought {alone:.0f}.
  `TREERING_DURABILITY=normal` waits for no disk.
- **One PostgreSQL.** No statement touches two spaces, so shard by the top of the path: `acme/…` on one database with
  servers of its own, `bolt/…` on another, told apart by the balancer. `treering export` and `import` move a space.
  Keys are each database's own, and what asks below a path (`children`) stays within one. Each shard costs what the
  table says.
- **Citus** (`treering db distribute`) spreads spaces over nodes, each whole on one: more disk, memory and writes for
  many spaces, none for one. The queue of jobs stays with the coordinator. **Not measured**: we have no cluster.
- **Partitions** by `space_id` would give smaller indexes and shorter vacuums on one machine, and no more cores or
  writes. Treering makes none. **Not measured**, as is what standbys add
  ([replicas](postgres.md#replicas-and-failover)): reads alone.
"""

_WAITING = """
## How long one waits

Simulated: recalls and turns in that mix at random times, spaces at hand (one that is not takes {cold:.0f} ms more).
Turns let recalls go first, but are not broken off once begun; a server's are, so its p99 is lower than this.
"""

_CHECKED = """
## How far to believe it

The same simulation beside `make bench-serve` (nine recalls to a write) and PostgreSQL with 64 writers and 1,000
spaces:
"""

_END = """
From one request alone the queue is too hopeful: beside others a request takes more of a core. With that known,
throughput and medians are near, and p95 and p99 still too short, since threads do not go in order: take twice the p99
from here. What a write takes of a core is `bench-parts`' in every row; that run and `bench-serve`'s were on a loaded
machine.

**Your own**: `make bench-serve bench-parts`, then `make sizing`. Of a running server `treering_request_seconds` and
`treering_job_oldest_seconds` ([watching](watching.md)) say when to grow: when p99 doubles, or jobs grow older by the
hour.
"""
