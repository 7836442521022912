"""What would a judge make of the hits that the product finds? `DATA/replay.json` holds, for each question of sets that
have been asked, the turns that were found, the likeliest to be read first, and which of them are right or outdated.

What `recall/present.py` does with a judge's word is done here in a few lines, so that nets can be compared where they
are trained; the figures that count are the product's own.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.coding import Coder, padded
from training.coding import arrays as plain_arrays
from training.lists import Listed

READ = (6, 8, 12)
LIFTS, ONCE, LATER, OVER, SURER, ANSWERS, SILENT, STATED = 32.0, 0.2, 2.0, 0.05, 1.3, 0.1, 0.3, 0.9
AT_ONCE = 64


@torch.no_grad()
def parts(net: Any, coder: Coder, asked: list[tuple[str, list[str]]], at_once: int = AT_ONCE) -> list[Any]:
    """For each question, what each of its statements is for it."""
    from training.joint import TOLD, rowed

    found: list[Any] = [None] * len(asked)
    device = next(net.parameters()).device
    order = sorted(range(len(asked)), key=lambda one: sum(map(len, asked[one][1])))
    for start in range(0, len(order), at_once):
        some = order[start : start + at_once]
        if hasattr(net, "kept"):
            texts = [[coder.pieces(asked[one][0], 32), *(coder.pieces(x, 44) for x in asked[one][1])] for one in some]
            rows = tuple(torch.from_numpy(x).to(device) for x in rowed([(t, [TOLD] * (len(t) - 1)) for t in texts]))
            told, _ = net.listed(rows, torch.full_like(rows[0], -1))
        else:
            coded = [coder.listed(Listed(*asked[one], [])) for one in some]
            ids, types = (torch.from_numpy(x).to(device) for x in plain_arrays([one[:2] for one in coded]))
            whose = torch.from_numpy(padded([one[2] for one in coded], -1)).to(device)
            told = net.listed(ids, types, whose)[0]
        scores = torch.softmax(told, -1).cpu().numpy()
        for one, row in zip(some, scores, strict=True):
            found[one] = row[: len(asked[one][1])]
    return found


def first_of(read: list[Any], told: Any) -> tuple[str | None, float]:
    """The key of the first hit, and how sure the surest is."""
    now, over = told[:, 1], told[:, 2]
    strength = now + over
    least = np.array([STATED if one["states"] else 0.0 for one in read])
    score = np.array([one["total"] for one in read]) + LIFTS * np.maximum(now + ONCE * over, least)
    strength = np.maximum(strength, least)
    answers = [place for place in range(len(read)) if strength[place] >= ANSWERS]
    for later, place in enumerate(answers):
        score[place] += LATER * later
    outdated: set[int] = set()
    for at in reversed(range(len(answers))):
        place = answers[at]
        if over[place] >= OVER and any(
            other not in outdated and now[other] >= SURER * now[place] for other in answers[at + 1 :]
        ):
            outdated.add(place)
    holds = [place for place in answers if place not in outdated] or answers
    best = max(holds, key=lambda one: score[one], default=None)
    return (None if best is None else read[best]["key"]), float(strength.max(initial=0.0))


def report(name: str, net: Any, folder: Path) -> None:
    coder = Coder(folder / "tokenizer.json")
    asked = json.loads((folder / "replay.json").read_text())
    asked = [one for one in asked if one["kind"] != "past" and one["cands"]]
    for most in READ:
        lists = []
        for one in asked:
            read = sorted(one["cands"][:most], key=lambda each: each["at"])
            lists.append((one, read))
        told = parts(net, coder, [(one["q"], [each["text"] for each in read]) for one, read in lists])
        count: dict[str, Counter[str]] = defaultdict(Counter)
        for (one, read), scores in zip(lists, told, strict=True):
            key, sure = first_of(read, scores)
            group, lead = one["set"][2:], f"{one['id']}#"
            turn = int(key.removeprefix(lead)) if key and key.startswith(lead) else -1
            silent = sure < SILENT
            if not one["right"]:
                count[group]["unknown"] += 1
                count[group]["silent"] += silent
                continue
            count[group]["n"] += 1
            count[group]["right"] += not silent and turn in one["right"]
            count[group]["nothing"] += silent
            if one["stale"]:
                count[group]["may"] += 1
                count[group]["stale"] += not silent and turn in one["stale"]
            count[group]["there"] += any(each["key"] in {f"{lead}{x}" for x in one["right"]} for each in read)
        shown = {
            group: f"right {c['right'] / c['n']:.3f} (there {c['there'] / c['n']:.3f}) "
            f"stale {c['stale'] / max(1, c['may']):.3f} silent {c['silent'] / max(1, c['unknown']):.3f} "
            f"(though known {c['nothing'] / c['n']:.3f})"
            for group, c in count.items()
        }
        mean = np.mean([c["right"] / c["n"] for c in count.values()])
        print(f"{name} reads {most}: mean right {mean:.4f}", *(f"\n    {g}: {s}" for g, s in shown.items()), flush=True)
    streams = folder / "streams.json"
    if streams.exists():
        for part, cases in json.loads(streams.read_text()).items():
            on_streams(f"{name} {part}", net, coder, cases)


def on_streams(name: str, net: Any, coder: Coder, cases: list[Any]) -> None:
    """All turns of a stream read at once: the one that is likeliest to hold."""
    asked = [(check["ask"], case["turns"][-12:], check) for case in cases for check in case["checks"]]
    told = parts(net, coder, [(question, turns) for question, turns, _ in asked])
    count: Counter[str] = Counter()
    for (_, turns, check), scores in zip(asked, told, strict=True):
        first = turns[int((scores[:, 1]).argmax())]
        good = has(first, check["want"])
        count["n"] += 1
        count["right"] += good
        count["stale"] += bool(check["stale"]) and has(first, check["stale"]) and not good
    n = max(1, count["n"])
    print(f"{name} streams: right {count['right'] / n:.3f} stale {count['stale'] / n:.3f} of {n}", flush=True)


def has(text: str, wanted: list[Any]) -> bool:
    low = text.lower()
    return any(all(w.lower() in low for w in (one if isinstance(one, list) else [one])) for one in wanted)
