"""How well does a net do on what it has not seen? Held-out slots and threads; streams of stories, if there are some."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training import data, examples
from training.coding import Coder, coded_readings, padded
from training.examples import ROLES, VERDICTS, Role, Verdict
from training.lists import MOST, PARTS, Listed
from training.threads import thread_given, thread_pair, thread_role


class Asking:
    def __init__(self, net: Any, coder: Coder) -> None:
        self.net, self.coder = net, coder
        self.device = next(net.parameters()).device

    @torch.no_grad()
    def _whole(self, head: str, rows: list[Any]) -> Any:
        found = []
        for start in range(0, len(rows), 256):
            some = rows[start : start + 256]
            ids, types = (torch.from_numpy(padded([row[k] for row in some])).to(self.device) for k in (0, 1))
            found.append(torch.softmax(self.net.whole(head, ids, types), 1).cpu().numpy())
        return np.concatenate(found) if found else np.zeros((0, 5))

    def verdicts(self, some: list[Verdict]) -> Any:
        return self._whole("verdict", [self.coder.verdict(one) for one in some])

    @torch.no_grad()
    def parts(self, question: str, statements: list[str]) -> Any:
        """What each is for the question, all read at once."""
        row = self.coder.listed(Listed(question, statements, []))
        ids, types, whose = (torch.tensor([one], device=self.device) for one in row)
        return torch.softmax(self.net.listed(ids, types, whose)[0][0], 1).cpu().numpy()

    def roles(self, some: list[Role]) -> Any:
        return self._whole("role", [self.coder.role(one) for one in some])


def _table(name: str, told: Any, labels: list[int], classes: tuple[str, ...]) -> None:
    said, right = told.argmax(1), np.array(labels)
    by = {
        cls: (
            round(float((said[right == k] == k).mean()), 3),
            round(float((right[said == k] == k).mean()), 3),
            int((right == k).sum()),
        )
        for k, cls in enumerate(classes)
        if (right == k).any() and (said == k).any()
    }
    print(name, "accuracy", round(float((said == right).mean()), 4), "found/precise/n", by, flush=True)


def _draw(make: Any, count: int) -> list[Any]:
    return [one for one in (make() for _ in range(3 * count)) if one is not None][:count]


def report(net: Any, loaded: dict[str, Any], folder: Path, name: str, steps: int) -> None:
    asking, held = Asking(net, Coder(folder / "tokenizer.json")), loaded["held"]
    print(name, "steps", steps, {k: len(v) for k, v in held.items()}, flush=True)
    maker, streams = examples.Maker(held["slots"], loaded["talk"], 77), folder / "streams.json"
    if "judge" in net.parts:
        some = _draw(maker.pair, 2000)
        _table(
            f"{name} verdicts, unseen slots", asking.verdicts(some), [VERDICTS.index(x.verdict) for x in some], VERDICTS
        )
        for sort, make in (("pairs", thread_pair), ("given a question", thread_given)):
            some = _draw(lambda make=make: make(held["threads"], maker.random), 1500)
            told = asking.verdicts(some)
            _table(
                f"{name} verdicts, unseen threads, {sort}", told, [VERDICTS.index(x.verdict) for x in some], VERDICTS
            )
            over, real = told[:, 1] + told[:, 2], np.array([x.verdict in ("replaces", "ends") for x in some])
            for share in (0.01, 0.02, 0.05):
                bar = float(np.quantile(over[~real], 1 - share))
                print(
                    "   at false alarms",
                    share,
                    "found",
                    round(float((over[real] > bar).mean()), 3),
                    "bar",
                    round(bar, 3),
                )
    if "role" in net.parts:
        some = _draw(maker.role, 2000)
        _table(f"{name} roles, unseen slots", asking.roles(some), [ROLES.index(x.role) for x in some], ROLES)
        some = _draw(lambda: thread_role(held["threads"], maker.random), 1500)
        _table(f"{name} roles, unseen threads", asking.roles(some), [ROLES.index(x.role) for x in some], ROLES)
        answers(asking, held["threads"], f"{name} unseen threads", "judge" in net.parts)
        if streams.exists():
            for part, cases in json.loads(streams.read_text()).items():
                told_streams(asking, cases, f"{name} {part}")
    if "list" in net.parts:
        report_lists(asking, loaded, folder, name)
    if "read" in net.parts:
        readings(net, asking.coder, loaded, maker, name)


def report_lists(asking: Asking, loaded: dict[str, Any], folder: Path, name: str) -> None:
    listed_answers(asking, loaded["held"]["threads"], f"{name} unseen threads")
    streams = folder / "streams.json"
    if streams.exists():
        for part, cases in json.loads(streams.read_text()).items():
            listed_streams(asking, cases, f"{name} {part}")


def answers(asking: Asking, threads: list[Any], name: str, judged: bool) -> None:
    """Each question of a thread, over all its turns: the latest that answers now."""
    count: dict[float, Counter[str]] = {bar: Counter() for bar in (0.3, 0.4, 0.5, 0.6)}
    silent: dict[float, Counter[str]] = {bar: Counter() for bar in (0.3, 0.4, 0.5, 0.6)}
    for thread in threads:
        for asked in thread["questions"]:
            told = asking.roles([Role(asked["q"], line, "none") for line in thread["lines"]])
            now, wanted, old = told[:, 1] + told[:, 2], set(asked.get("now") or ()), set(asked.get("outdated") or ())
            for bar, of in count.items():
                fits = [turn for turn in range(len(now)) if now[turn] > bar]
                if not wanted:
                    silent[bar]["n"] += 1
                    silent[bar]["silent"] += not fits
                    continue
                first = max(fits) if fits else int(now.argmax())
                of["n"] += 1
                of["right"] += first in wanted
                of["stale"] += first in old
    for bar, of in count.items():
        n, s = max(1, of["n"]), max(1, silent[bar]["n"])
        shares = (of["right"] / n, of["stale"] / n, silent[bar]["silent"] / s)
        right, stale, quiet = (round(share, 3) for share in shares)
        print(f"{name} bar {bar} the latest that answers: right {right} stale {stale} silent {quiet}", flush=True)


def listed_answers(asking: Asking, threads: list[Any], name: str) -> None:
    """Each question of a thread, over all its turns read at once: the one that is likeliest to hold."""
    count: Counter[str] = Counter()
    quiet: list[tuple[float, bool]] = []
    for thread in threads:
        for asked in thread["questions"]:
            lines = thread["lines"][-MOST - 2 :]
            skipped = len(thread["lines"]) - len(lines)
            now = asking.parts(asked["q"], lines)[:, PARTS.index("now")]
            wanted, old = set(asked.get("now") or ()), set(asked.get("outdated") or ())
            quiet.append((float(now.max()), bool(wanted)))
            if wanted:
                first = int(now.argmax()) + skipped
                count["n"] += 1
                count["right"] += first in wanted
                count["stale"] += first in old
    n = max(1, count["n"])
    print(f"{name} lists: right {count['right'] / n:.3f} stale {count['stale'] / n:.3f} of {n}", flush=True)
    for bar in (0.2, 0.3, 0.4, 0.5):
        silent = [best < bar for best, known in quiet if not known]
        lost = [best < bar for best, known in quiet if known]
        print(f"   below {bar}: of those with nothing known {np.mean(silent):.3f}, of the others {np.mean(lost):.3f}")


def listed_streams(asking: Asking, cases: list[Any], name: str) -> None:
    count: Counter[str] = Counter()
    for case in cases:
        for check in case["checks"]:
            turns = case["turns"][-MOST - 2 :]
            first = turns[int(asking.parts(check["ask"], turns)[:, PARTS.index("now")].argmax())]
            count["n"] += 1
            count["right"] += _has(first, check["want"])
            count["stale"] += bool(check["stale"]) and _has(first, check["stale"]) and not _has(first, check["want"])
    n = max(1, count["n"])
    print(f"{name} lists: right {count['right'] / n:.3f} stale {count['stale'] / n:.3f} of {n}", flush=True)


def _has(text: str, wanted: list[Any]) -> bool:
    low = text.lower()
    return any(all(w.lower() in low for w in (one if isinstance(one, list) else [one])) for one in wanted)


def told_streams(asking: Asking, cases: list[Any], name: str) -> None:
    for bar in (0.3, 0.5):
        count: Counter[str] = Counter()
        for case in cases:
            for check in case["checks"]:
                told = asking.roles([Role(check["ask"], turn, "none") for turn in case["turns"]])
                now = told[:, 1] + told[:, 2]
                fits = [turn for turn in range(len(now)) if now[turn] > bar]
                first = case["turns"][max(fits) if fits else int(now.argmax())]
                count["n"] += 1
                count["right"] += _has(first, check["want"])
                count["stale"] += (
                    bool(check["stale"]) and _has(first, check["stale"]) and not _has(first, check["want"])
                )
        n = max(1, count["n"])
        print(
            name,
            "bar",
            bar,
            "n",
            n,
            "right",
            round(count["right"] / n, 3),
            "stale",
            round(count["stale"] / n, 3),
            flush=True,
        )


@torch.no_grad()
def readings(net: Any, coder: Coder, loaded: dict[str, Any], maker: Any, name: str) -> None:
    canon, device = data.canonical(), next(net.parameters()).device
    for sort, some in (
        ("unseen slots", _draw(lambda: examples.slot_reading(maker, canon), 600)),
        ("unseen messages", [examples.message_reading(one, canon) for one in loaded["held"]["messages"]]),
    ):
        if not some:
            continue
        count: Counter[str] = Counter()
        for start in range(0, len(some), 64):
            rows = [
                torch.from_numpy(np.asarray(x)).to(device)
                for x in coded_readings(coder, some[start : start + 64], loaded["relations"])
            ]
            ids, types, cuts, tags, _, whose, pieces, _ = rows
            told = net.read(ids, types, whose)
            cut = told["cut"].argmax(-1)
            known = cuts >= 0
            count["cut_gold"] += int((cuts[known] == 1).sum())
            count["cut_said"] += int((cut[known] == 1).sum())
            count["cut_both"] += int(((cut == 1) & (cuts == 1)).sum())
            said = told["tag"].argmax(-1)
            for row in range(len(ids)):
                gold = tags[row]
                if (gold == 1).any():
                    count["values"] += 1
                    mine = ((said[row] == 1) | (said[row] == 2))[gold >= 0]
                    count["value_right"] += bool((mine == ((gold == 1) | (gold == 2))[gold >= 0]).all())
            for place, label in enumerate(("mood", "relation", "kind", "lasts", "importance", "worth")):
                right = pieces[:, : told["mood"].shape[1], place]
                ok = right >= 0
                if label == "importance" or not ok.any():
                    continue
                count[label] += int(ok.sum())
                count[label + "_right"] += int((told[label].argmax(-1)[ok] == right[ok]).sum())
        both = count["cut_both"]
        shown = {
            label: (round(count[label + "_right"] / count[label], 3), count[label])
            for label in ("mood", "relation", "kind", "lasts", "worth")
            if count[label]
        }
        found, precise = both / max(1, count["cut_gold"]), both / max(1, count["cut_said"])
        value = count["value_right"] / max(1, count["values"])
        print(f"{name} {sort} cuts {found:.3f} / {precise:.3f} value {value:.3f} {shown}", flush=True)
