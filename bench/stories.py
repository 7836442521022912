"""Do stories keep their present? Turns are remembered one by one, questions asked at the end.

`python -m bench.stories FILE …`

Takes stories (turns with days; questions with `right` and `stale` turns) and threads (`now`, `outdated`). A hit counts
for the turn that it cites. With --merged all stories are told to one space.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import treering

BEGIN = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
NOT_NOW = ("past",)


def questions(story: dict[str, Any]) -> Iterator[tuple[str, str, set[int], set[int]]]:
    for one in story["questions"]:
        right = set(one.get("right", one.get("now")) or ())
        stale = set(one.get("stale", one.get("outdated")) or ())
        kind = one.get("kind") or ("current" if right else "unknown")
        yield one["q"], kind, right, stale - right


def asked(stories: list[dict[str, Any]], merged: bool, shown: int) -> tuple[Counter[str], list[float]]:
    count: Counter[str] = Counter()
    clock = [BEGIN]
    took: list[float] = []

    def now() -> datetime:
        clock[0] += timedelta(microseconds=1)
        return clock[0]

    memory = treering.open(":memory:", clock=now)

    def tell(story: dict[str, Any], space: str) -> None:
        for number, turn in enumerate(story["turns"]):
            clock[0] = max(clock[0], BEGIN + timedelta(days=turn["day"], minutes=5 * number))
            key, speaker = f"{story['id']}#{number}", turn.get("speaker") or "User"
            memory.remember(
                turn["text"], space=space, at=clock[0], speaker=speaker, session=f"{story['id']}-{turn['day']}", key=key
            )

    def ask(story: dict[str, Any], space: str) -> None:
        clock[0] += timedelta(days=2)
        for text, kind, right, stale in questions(story):
            began = time.perf_counter()
            answer = memory.recall(text, space=space, limit=3)
            took.append(1000 * (time.perf_counter() - began))
            cited = [{source.key for source in hit.sources} for hit in answer.hits]
            turns = [
                {int(key.split("#")[1]) for key in some if key and key.startswith(story["id"] + "#")} for some in cited
            ]
            group = "unknown" if not right else "past" if kind in NOT_NOW else "now"
            count[group] += 1
            if group == "unknown":
                count["silent"] += not turns
                continue
            first = turns[0] if turns else set()
            good = bool(first & right)
            count[f"{group}_first"] += good
            count[f"{group}_three"] += any(some & right for some in turns)
            count[f"{group}_nothing"] += not turns
            if stale and group == "now":
                count["may_be_stale"] += 1
                count["stale_first"] += bool(first & stale) and not good
                count["stale_three"] += any(some & stale and not some & right for some in turns)
            if shown and group == "now" and not good:
                print(
                    story["id"],
                    "|",
                    text,
                    "| wanted",
                    sorted(right),
                    "| got",
                    [sorted(some) for some in turns],
                    [hit.memory.content[:70] for hit in answer.hits],
                )

    if merged:
        for story in stories:
            tell(story, "all")
        for story in stories:
            ask(story, "all")
    else:
        for story in stories:
            clock[0] = BEGIN
            tell(story, f"stories/{story['id'].lower()}")
            ask(story, f"stories/{story['id'].lower()}")
    memory.close()
    return count, took


def told(count: Counter[str]) -> dict[str, float]:
    def share(part: str, of: str) -> float:
        return round(count[part] / count[of], 3) if count[of] else float("nan")

    return {
        "n": count["now"], "right_first": share("now_first", "now"), "right_in_three": share("now_three", "now"),
        "nothing_found": share("now_nothing", "now"), "stale_first": share("stale_first", "may_be_stale"),
        "stale_in_three": share("stale_three", "may_be_stale"), "may_be_stale": count["may_be_stale"],
        "past_n": count["past"], "past_first": share("past_first", "past"),
        "past_in_three": share("past_three", "past"),
        "unknown_n": count["unknown"], "silent": share("silent", "unknown"),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--merged", action="store_true")
    parser.add_argument("--only", help="a text of ids, one a line")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--most", type=int, default=0)
    given = parser.parse_args()
    stories = [
        json.loads(line)
        for path in given.files
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    if given.only:
        wanted = set(Path(given.only).read_text().split())
        stories = [one for one in stories if one["id"] in wanted]
    stories = stories[: given.most] if given.most else stories
    count, took = asked(stories, given.merged, given.show)
    print(json.dumps({"stories": len(stories), **told(count), "recall_p50_ms": round(sorted(took)[len(took) // 2], 1)}))


if __name__ == "__main__":
    main()
