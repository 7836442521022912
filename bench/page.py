"""Which figures do we stand by? `make figures` writes docs/figures.md and its plot from bench/results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import (
    as_of,
    blind,
    browsing,
    drawing,
    extraction,
    finding,
    ground,
    hooks,
    looking,
    postgres,
    serve,
    speed_mcp,
    speed_recall,
    speed_remember,
    updates,
    upkeep,
    walk,
)
from bench.record import RESULTS

DOCS = Path(__file__).resolve().parent.parent / "docs"
WIDTH, HEIGHT, EDGE = 560, 220, 48
COLOURS = {"facts_of_a_subject": "#2b6cb0", "get_a_memory": "#b7791f"}
LABELS = {"facts_of_a_subject": "facts of a subject", "get_a_memory": "a memory"}


def load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    return found


def about(name: str, command: str) -> str:
    facts = load(name)["about"]
    told = ", ".join(f"{key} {value}" for key, value in facts.items())
    return f"Measured by `{command}`: {told}.\n"


def the_ground() -> str:
    figures = load("ground")["figures"]
    lines = ["| what | measured | goal | |", "|---|--:|--:|---|"]
    lines += [f"| {' | '.join(row)} |" for row in ground.rows(figures)]
    ratio = figures["single_add_over_bare_row"]
    return "\n".join(lines) + (
        f"\n\nA durable `add` takes {ratio} times as long as one durable row written by SQLite alone in the same run: "
        "it writes the source, the memory, the journal entry with its hashes and the head in one transaction.\n"
        "\n![Time of a read at a moment as histories grow](figures/versions.svg)\n"
        "\nThe plot shows how long a read at a random moment takes when every fact's window was moved, and every "
        "memory revised, 1, 10 and 100 times.\n"
    )


def the_times() -> str:
    figures = load("time_windows")["figures"]
    lines = ["| subset | n | exact | false alarms |", "|---|--:|--:|--:|"]
    for row in figures["scores"]:
        alarms = f"{row['false_alarms']} of {row['negatives']}" if row["negatives"] else ""
        lines.append(f"| {row['subset']} | {row['sentences']} | {row['exact']:.3f} | {alarms} |")
    speed = figures["speed"]
    return "\n".join(lines) + f"\n\nMedian {speed['p50_ms']} ms, p95 {speed['p95_ms']} ms a sentence.\n"


def the_embedders() -> str:
    lines = ["| embedder | sentences/s | a question, p50 | first text |", "|---|--:|--:|--:|"]
    for name, row in load("embedders")["figures"]["embedders"].items():
        question, first = row["question"]["p50_ms"], row["load_seconds"]
        lines.append(f"| {name} | {row['sentences_per_second']:,.0f} | {question:.2f} ms | {first:.2f} s |")
    return "\n".join(lines) + "\n"


def the_finding() -> str:
    told = load("finding")["figures"]
    lines = [
        "Every conversation is told twice: with turns kept as they stand (`add`), and with turns read for what they "
        "say (`remember`).",
        "",
        *_goals(finding.rows(told)),
        "",
        "![Figures against their goals](figures/finding.svg)",
    ]
    for way, found in told["ways"].items():
        lines += ["", f"Told by `{way}`:"]
        for data in found["data"]:
            lines += ["", *finding.by_category(found, data, finding.TURNS)]
            lines += ["", *finding.by_category(found, data, finding.SESSIONS)]
    for way, found in _ablated(told):
        lines += [
            "",
            f"What each signal and each weight is worth: the change when it is left out, told by `{way}`. A difference "
            "of less than about 0.01 says nothing at this many questions.",
            "",
            "![Change of hit@10 when a signal or a weight is left out](figures/ablation.svg)",
            "",
            *finding.ablation_table(found),
        ]
    if "entities" in told:
        lines += [
            "",
            "`add` is given no entities above, so the graph has nothing to say there. With names given as entities, by "
            "a plain rule of the bench:",
            "",
            *finding.entities_table(told),
        ]
    return "\n".join(lines) + "\n"


def _ablated(told: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(way, found) for way, found in told["ways"].items() if "ablation" in found]


def the_extraction() -> str:
    told = load("extraction")["figures"]
    lines = [*_goals(extraction.rows(told)), "", _IN_SIGHT.format("messages"), ""]
    return "\n".join([*lines, *extraction.tag_table(told, LEAST_OF_A_TAG), ""])


def the_agents() -> str:
    told = load("speed_mcp")["figures"]
    return "\n".join([*_goals(speed_mcp.rows(told)), "", *speed_mcp.cost_table(told), ""])


def the_serving() -> str:
    told = load("serve")["figures"]
    kind = (
        f"{told['clients']} clients, {told['memories']:,} memories, {told['seconds']:g} s, nine questions to a write."
    )
    return "\n".join([kind, "", *_goals(serve.rows(told)), "", f"Load of the machine: {told['load_average']}.", ""])


def the_blind() -> str:
    told = load("blind")["figures"]
    kind = (
        f"Set `{told['set']}` of training/blind, by people who knew format and theme only. What it said when it was "
        "asked first, before anybody had seen it, stands in training/blind/LEDGER.md; this table is the last run, and "
        "one on development data as soon as something that reads has changed since. Shares with 95 % intervals."
    )
    return "\n".join([kind, "", *_goals(blind.rows(told)), ""])


def the_updates() -> str:
    told = load("updates")["figures"]
    mixed = f"{told['noise']} neutral turns are mixed into each stream."
    lines = [mixed, "", *_goals(updates.rows(told)), "", _IN_SIGHT.format("streams"), ""]
    return "\n".join([*lines, *updates.tag_table(told, LEAST_OF_A_TAG), ""])


LEAST_OF_A_TAG = 5
_IN_SIGHT = (
    "They are a development set, in sight while the rules were written: expect less elsewhere. By what they test, "
    f"where at least {LEAST_OF_A_TAG} {{}} do:"
)


def the_remembering() -> str:
    told = load("speed_remember")["figures"]
    by_stage = speed_remember.stage_table(told)
    meanwhile = f"Turns: {told['of']}. Load of the machine meanwhile: {told['load_average']}."
    return "\n".join([*_goals(speed_remember.rows(told)), "", *by_stage, "", meanwhile, ""])


def the_upkeep() -> str:
    told = load("upkeep")["figures"]
    meanwhile = f"Load of the machine meanwhile: {told['load_average']}."
    return "\n".join([*_goals(upkeep.rows(told)), "", meanwhile, ""])


def the_recall() -> str:
    told = load("speed_recall")["figures"]
    stages = list(dict.fromkeys(stage for size in told["sizes"].values() for stage in size["stages_p50_ms"]))
    lines = [*_goals(speed_recall.rows(told)), "", "Milliseconds a stage, p50:", ""]
    lines += [f"| memories | {' | '.join(stages)} |", "|--:|" + "--:|" * len(stages)]
    for count, size in told["sizes"].items():
        shown = " | ".join(f"{size['stages_p50_ms'].get(stage, 0):.2f}" for stage in stages)
        lines.append(f"| {int(count):,} | {shown} |")
    lines += ["", "![Time of a question as memories grow](figures/recall.svg)"]
    lines += ["", f"Load of the machine meanwhile: {told['load_average']}."]
    lines += ["", speed_recall.JUDGED.replace("\n", " ")]
    return "\n".join(lines) + "\n"


def the_walks() -> str:
    told = load("walk")["figures"]
    lines = [*_goals(walk.goals(told)), "", *walk.size_table(told), "", walk.EXPLAINED, ""]
    return "\n".join(lines)


def the_moments() -> str:
    told = load("as_of")["figures"]
    done = ", ".join(f"{count:,} {kind}" for kind, count in told["done"].items())
    explained = f"{told['facts']:,} facts. Between the two parts: {done}; told late are 20 facts each."
    return "\n".join([*_goals(as_of.goals(told)), "", explained, ""])


def the_looking() -> str:
    told = load("looking")["figures"]
    return "\n".join([*_goals(looking.rows(told)), "", f"Load of the machine: {told['load_average']}.", ""])


def the_browsing() -> str:
    told = load("browsing")["figures"]
    kind = (
        "Chromium without a graphics card: the processor draws too. The most connected entities are asked for, places "
        "are found in a worker, and from afar 3,000 edges at most are drawn, none while it moves."
    )
    return "\n".join([kind, "", *_goals(browsing.rows(told)), "", f"Load of the machine: {told['load_average']}.", ""])


def the_hooks() -> str:
    told = load("hooks")["figures"]
    speed = told["speed"]
    kind = (
        f"With {speed['memories']:,} memories in the project and the helper there, process and all; {speed['events']} "
        f"events each. Without a helper the first start of a session took {speed['cold_session_start_ms']:,} ms. "
        f"Something was told at {speed['prompts_with_something']:.0%} of the prompts."
    )
    return "\n".join([kind, "", *_goals(hooks.rows(told)), "", f"Load of the machine: {speed['load_average']}.", ""])


def _goals(rows: list[tuple[str, str, str, str]]) -> list[str]:
    return ["| what | measured | goal | |", "|---|--:|--:|---|", *(f"| {' | '.join(row)} |" for row in rows)]


def finding_plot() -> str:
    told = load("finding")["figures"]
    bars = []
    for what, (data, level, category, measure), goal in finding.GOALS:
        for way, found in told["ways"].items():
            row = found["data"][data][level][category]
            low, high = row["intervals"][measure]
            bars.append(drawing.Bar(f"{what}, {way}", row[measure], low, high, goal))
    return drawing.bars(bars, "measured with 95 % interval; the mark is the goal")


def ablation_plot() -> str:
    bars = [
        drawing.Bar(name, middle)
        for _, found in _ablated(load("finding")["figures"])
        for name, _, middle in finding.changes(found)
    ]
    return drawing.bars(bars, "change of hit@10 when left out, mean of the three sets", signed=True)


def recall_plot() -> str:
    sizes = load("speed_recall")["figures"]["sizes"]
    bars = []
    for count, size in sizes.items():
        goals = speed_recall.GOALS.get(int(count), {})
        bars += [
            drawing.Bar(f"{int(count):,}, {share}", size["recall"][f"{share}_ms"], goal=goals.get(share))
            for share in ("p50", "p95")
        ]
    return drawing.bars(bars, "milliseconds a question; the mark is the goal")


def versions_plot() -> str:
    """Milliseconds over versions a fact, both in steps of ten, as a drawing of a few lines."""
    figures = load("ground")["figures"]["versions"]
    most = max(row[key]["p50_ms"] for row in figures.values() for key in COLOURS) * 1.25
    across = {number: EDGE + place * (WIDTH - 2 * EDGE) / 2 for place, number in enumerate(("1", "10", "100"))}

    def height(ms: float) -> float:
        return float(HEIGHT - EDGE - ms / most * (HEIGHT - 2 * EDGE))

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<path d="M{EDGE} {EDGE / 2} V{HEIGHT - EDGE} H{WIDTH - EDGE / 2}" stroke="#718096" fill="none"/>',
        f'<text x="{EDGE}" y="{EDGE / 2 - 6}" fill="#2d3748">p50, ms</text>',
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle" fill="#2d3748">versions a fact</text>',
    ]
    drawn += [
        f'<text x="{x:.0f}" y="{HEIGHT - EDGE + 18}" text-anchor="middle" fill="#2d3748">{number}</text>'
        for number, x in across.items()
    ]
    for place, (key, colour) in enumerate(COLOURS.items()):
        points = [(across[number], height(figures[number][key]["p50_ms"])) for number in across]
        line = " ".join(f"{x:.0f},{y:.1f}" for x, y in points)
        drawn.append(f'<polyline points="{line}" stroke="{colour}" stroke-width="2" fill="none"/>')
        drawn += [f'<circle cx="{x:.0f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        drawn.append(
            f'<text x="{EDGE + 12}" y="{EDGE / 2 + 14 + place * 16}" fill="{colour}">{LABELS[key]}, at a moment</text>'
        )
    return "\n".join([*drawn, "</svg>"]) + "\n"


def the_server() -> str:
    found = load("postgres")["figures"]
    lines = ["| what | measured | goal | |", "|---|--:|--:|---|"]
    lines += [f"| {' | '.join(row)} |" for row in postgres.rows(found)]
    return "\n".join(lines) + (
        f"\n\nServer and clients share the machine, whose load was {found['load_average']}; a writer of many waits for "
        "one of ten connections, and its time is counted from when it asked.\n"
    )


SECTIONS: tuple[tuple[str, str, str, Callable[[], str]], ...] = (
    ("What nobody had seen", "blind", "make bench-blind", the_blind),
    ("The ground", "ground", "make bench-ground", the_ground),
    ("The time reader", "time_windows", "make bench-when", the_times),
    ("The embedders", "embedders", "make bench-embedders", the_embedders),
    ("Walking the graph", "walk", "make bench-walk", the_walks),
    ("What was true then", "as_of", "make bench-as-of", the_moments),
    ("Reading what is said", "extraction", "make bench-extraction", the_extraction),
    ("Keeping up with changes", "updates", "make bench-updates", the_updates),
    ("The speed of remembering", "speed_remember", "make bench-remember", the_remembering),
    ("A graph told, a fact found", "looking", "make bench-looking", the_looking),
    ("The page", "browsing", "make bench-browsing", the_browsing),
    ("Hooks", "hooks", "make bench-hooks", the_hooks),
    ("Agents", "speed_mcp", "make bench-mcp", the_agents),
    ("The server", "serve", "make bench-serve", the_serving),
    ("Finding", "finding", "make bench-finding", the_finding),
    ("The speed of recall", "speed_recall", "make bench-recall", the_recall),
    ("Upkeep", "upkeep", "make bench-upkeep", the_upkeep),
    ("PostgreSQL", "postgres", "make bench-postgres", the_server),
)
PLOTS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("versions", "ground", versions_plot),
    ("finding", "finding", finding_plot),
    ("ablation", "finding", ablation_plot),
    ("recall", "speed_recall", recall_plot),
)


def measured(name: str) -> bool:
    return (RESULTS / f"{name}.json").is_file()


def page() -> str:
    """A section for every bench that was run."""
    lines = [
        "# Figures",
        "",
        "Written by `make figures` from `bench/results`. Absolute times depend on the machine and on who shares "
        "it; compare figures of one run with one another.",
        "",
    ]
    for title, name, command, told in SECTIONS:
        if measured(name):
            lines += [f"## {title}", "", about(name, command), told()]
    return "\n".join(lines)


def main() -> None:
    (DOCS / "figures").mkdir(exist_ok=True)
    for plot, name, drawn in PLOTS:
        if measured(name):
            (DOCS / "figures" / f"{plot}.svg").write_text(drawn(), "utf-8")
    (DOCS / "figures.md").write_text(page(), "utf-8")
    print(f"written: {DOCS / 'figures.md'}")


if __name__ == "__main__":
    main()
