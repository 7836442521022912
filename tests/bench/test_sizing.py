"""Is the hardware guide reckoned as it says, and are the queues behind it right where the answer is known?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import factorial, inf
from random import Random

import pytest
from bench.sizing import page, queueing
from bench.sizing.__main__ import main
from bench.sizing.model import Load, needs, walls
from bench.sizing.parts import measured

MEAN = 0.02


def drawing(seconds: Callable[[Random], float]) -> queueing.Draw:
    return lambda chance: queueing.Request("one", [("core", seconds(chance))])


def random_times(chance: Random) -> float:
    return chance.expovariate(1 / MEAN)


def mean_ms(seen: queueing.Seen) -> float:
    return 1000 * sum(seen.times["one"]) / len(seen.times["one"])


def with_so_many(cores: int, busy: float) -> float:
    """Mean milliseconds of a request by Erlang: random arrivals, random times, one queue."""
    offered = busy * cores
    last = offered**cores / factorial(cores) / (1 - busy)
    waits = last / (sum(offered**n / factorial(n) for n in range(cores)) + last)
    return 1000 * MEAN * (1 + waits / (cores * (1 - busy)))


@pytest.mark.parametrize("cores", [1, 2, 4])
@pytest.mark.parametrize("busy", [0.3, 0.6])
def test_random_requests_wait_as_long_as_erlang_says(cores: int, busy: float) -> None:
    seen = queueing.opened({"core": cores}, drawing(random_times), busy * cores / MEAN)
    assert mean_ms(seen) == pytest.approx(with_so_many(cores, busy), rel=0.06)


def test_even_times_halve_the_waiting() -> None:
    seen = queueing.opened({"core": 1}, drawing(lambda chance: MEAN), 0.6 / MEAN)
    waiting_at_random = with_so_many(1, 0.6) - 1000 * MEAN
    assert mean_ms(seen) == pytest.approx(1000 * MEAN + waiting_at_random / 2, rel=0.06)


def test_clients_without_pause_share_what_the_cores_bear() -> None:
    seen = queueing.closed({"core": 2}, drawing(lambda chance: MEAN), clients=16)
    assert seen.per_second("one") == pytest.approx(2 / MEAN, rel=0.01)
    assert seen.ms("one", 0.5) == pytest.approx(16 / 2 * MEAN * 1000, rel=0.01)


def test_a_gate_lets_no_more_in_than_it_says() -> None:
    seen = queueing.closed({"core": inf}, drawing(lambda chance: MEAN), clients=64, gate=10)
    assert seen.per_second("one") == pytest.approx(10 / MEAN, rel=0.01)


def test_what_has_a_later_turn_waits_for_the_others() -> None:
    def draw(chance: Random) -> queueing.Request:
        late = chance.random() < 0.5
        return queueing.Request("late" if late else "soon", [("core", MEAN)], turn=int(late))

    seen = queueing.opened({"core": 1}, draw, 0.9 / MEAN)
    assert seen.ms("late", 0.5) > 2 * seen.ms("soon", 0.5)


def test_more_tenants_never_need_less() -> None:
    parts, before = measured(), None
    for count in (1, 10, 64, 65, 100, 1_000, 3_000, 10_000, 40_000):
        now = needs(Load(count), parts)
        figures = (now.cores, now.servers, now.ram_gb_a_server, now.disk_gb, now.database_writes, now.connections)
        assert before is None or all(more >= less for more, less in zip(figures, before, strict=True))
        before = figures


def test_a_space_is_cold_only_where_there_are_more_than_are_kept() -> None:
    parts = measured()
    kept = parts.spaces_at_hand(Load(1).memories_each)
    assert needs(Load(kept), parts).cold == 0
    assert needs(Load(kept + 1), parts).cold > 0
    assert parts.spaces_at_hand(1_000_000) <= kept < parts.spaces_at_hand(100)
    assert needs(Load(10_000, by_space=True), parts).cold < needs(Load(10_000), parts).cold


def test_a_wall_stands_where_it_is_said_to() -> None:
    parts, load = measured(), Load(1)
    [wall] = [one for one in walls(load, parts) if one.name.startswith("one server")]
    assert wall.tenants is not None
    assert needs(replace(load, tenants=wall.tenants - 1), parts).servers == 1
    assert needs(replace(load, tenants=wall.tenants), parts).servers == 2


def test_what_never_comes_is_no_wall() -> None:
    [writes] = [one for one in walls(Load(1, turns_a_day=0), measured()) if "writes a second" in one.name]
    assert writes.tenants is None


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"tenants": 0}, "tenants: 0"),
        ({"tenants": 1, "memories_each": -5}, "memories_each: -5"),
        ({"tenants": 1, "recalls_a_day": float("nan")}, "recalls_a_day: nan"),
        ({"tenants": 1, "peak": 0.5}, "peak: 0.5"),
    ],
)
def test_a_number_that_cannot_be_is_named(wrong: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=f"{named} is not a number of at least"):
        Load(**wrong)  # type: ignore[arg-type]


def test_the_command_refuses_it_in_words_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--tenants", "0"])
    assert "tenants: 0 is not a number of at least 1" in capsys.readouterr().err


def test_the_command_says_of_ones_own_numbers_what_the_table_says(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--tenants", "1000"])
    said = capsys.readouterr().out
    [row] = [line for line in page.PAGE.read_text("utf-8").splitlines() if line.startswith("| 1,000 |")]
    assert all(f": {cell.strip()}\n" in said for cell in row.split("|")[2:-1])


def test_the_guide_is_what_the_figures_say() -> None:
    """`make sizing` writes it anew."""
    assert page.PAGE.read_text("utf-8") == page.page(measured())
