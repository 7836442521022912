"""Questions that hold a value, and how they are answered: what is asked is no fact, what is answered may be one.

`data/answers.jsonl` was written by authors who saw `briefs/answers.md`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from training.data import Json, lines
from training.examples import NAMES
from training.facts import Names, Told, Value
from training.names import Named

_YOU = re.compile(r"\b(?:you|your|yours|u|ur)\b", re.IGNORECASE)
_SLOT = re.compile(r"\{([vsw])\}")
SORTS = {"ask_you": 4, "ask_other": 2, "no_new": 3, "self": 2, "short": 2}
"""How often each is drawn."""


def drawn(path: Path, names: Names, named: Named, count: int, draw: random.Random) -> Iterator[Told]:
    some = list(lines([path]))
    for _ in range(count):
        one = draw.choice(some)
        made = _made(one, draw.choices(list(SORTS), list(SORTS.values()))[0], names, named, draw)
        if made is not None:
            yield made


def _made(one: Json, sort: str, names: Names, named: Named, draw: random.Random) -> Told | None:
    relation = names.of(one["relation"])
    values = [*one["values"], *draw.sample(named.of(one["relation"]), min(10, len(named.of(one["relation"]))))]
    value, other = draw.sample(values, 2)
    speaker = "User" if draw.random() < 0.7 else draw.choice(NAMES)
    who = draw.choice(one["others"])
    if sort in ("ask_you", "ask_other"):
        text, spans = _filled(draw.choice(one[sort]), v=value, s=who)
        of = spans.get("s") or [found.span() for found in _YOU.finditer(text)]
        return Told("", speaker, text, [Value(spans["v"][0], "question", relation, of=of)], True)
    asked, _ = _filled(draw.choice(one["ask_you"]), v=value)
    before = f"{'Assistant' if speaker == 'User' else 'User'}: {asked}"
    if sort == "short":
        return Told(before, speaker, draw.choice(one[draw.choice(("yes", "no", "unclear"))]), [], True)
    if sort == "no_new":
        text, spans = _filled(draw.choice(one["no_new"]), w=other, v=value)
        found = [Value(spans["w"][0], "became", relation, own=True)] if "w" in spans else []
        found += [Value(span, "ended", relation, own=True) for span in spans.get("v", ())]
        return Told(before, speaker, text, sorted(found, key=lambda each: each.span), True)
    told = draw.choice(one["self"])
    text, spans = _filled(told["text"], v=value, s=who)
    if "v" not in spans or "s" in spans:
        return None
    return Told("", speaker, text, [Value(spans["v"][0], "so" if told["holds"] else "ended", relation, own=True)], True)


def _filled(text: str, **values: str) -> tuple[str, dict[str, list[tuple[int, int]]]]:
    out, at = "", 0
    spans: dict[str, list[tuple[int, int]]] = {}
    for found in _SLOT.finditer(text):
        out += text[at : found.start()]
        said = values.get(found[1], "")
        spans.setdefault(found[1], []).append((len(out), len(out) + len(said)))
        out, at = out + said, found.end()
    return out + text[at:], spans
