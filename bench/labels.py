"""When is an answer the one that people wrote down? Texts, names, facts and dates compared, and shares of them counted.

The labelled sets lie where TREERING_BENCH_DATA says; they are never part of the repository. Nothing here knows what is
measured: `bench.extraction` and `bench.updates` do.
"""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

Item = dict[str, Any]
Share = float | None
"""None where there was nothing to have a share of."""
FactKey = tuple[str, str, str]
YEAR, MONTH, DAY = 4, 7, 10
"""How many characters of an ISO date say that much."""


def lines_of(file: str) -> list[str]:
    folder = os.environ.get("TREERING_BENCH_DATA")
    if not folder:
        sys.exit(f"Set TREERING_BENCH_DATA to the folder that holds {file}.")
    path = Path(folder) / file
    if not path.is_file():
        sys.exit(f"No data at {path}. Set TREERING_BENCH_DATA to the folder that holds {file}.")
    return [line for line in path.read_text("utf-8").splitlines() if line.strip()]


def load(file: str, only: Sequence[str] = ()) -> list[Item]:
    every = [json.loads(line) for line in lines_of(file)]
    return [one for one in every if not only or one["id"] in only]


# texts

_SIGNS = {
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u201c\u201d", '"'),
    **dict.fromkeys("\u2013\u2014", "-"),
}
_PLAIN_SIGNS = str.maketrans(_SIGNS)
_SHORT = 3


def plain(text: str) -> str:
    """Without case, with plain quotes and dashes, and one blank between words."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_PLAIN_SIGNS).casefold().split())


def says(text: str, wanted: str) -> bool:
    """Whether the wanted words stand in the text. A number stands there whole (50 is not in 250), and so does a word of
    up to three letters (Go is not in good)."""
    words = plain(wanted)
    if not words:
        return False
    left, right = (_border(words, end) for end in (0, -1))
    return re.search(f"{left and f'(?<!{left})'}{re.escape(words)}{right and f'(?!{right})'}", plain(text)) is not None


def _border(words: str, end: int) -> str:
    """What must not stand next to this end."""
    if words[end].isdigit():
        return r"\d"
    return r"\w" if len(words) <= _SHORT and words[end].isalnum() else ""


# names and facts

_BEFORE_A_NAME = re.compile(r"(?:(?:the|an?|my|our|his|her|their|user's|users')\s+)+(?=.)")
_FIRST_PERSON = frozenset({"i", "me", "myself", "user", "the user"})
_TURNED = {
    "EMPLOYS": "WORKS_FOR",
    "EMPLOYED": "WORKS_FOR",
    "MANAGED_BY": "MANAGES",
    "REPORTS_TO": "MANAGES",
    "CHILD_OF": "PARENT_OF",
    "OWNED_BY": "OWNS",
    "USED_BY": "USES",
    "CREATED_BY": "CREATED",
    "HAS_MEMBER": "MEMBER_OF",
    "HAS_PART": "PART_OF",
}
"""Relations that say another the other way round."""
_CALLED = {"WORKS_AT": "WORKS_FOR", "FRIENDS_WITH": "FRIEND_OF", "LIVES_AT": "LIVES_IN", "STUDIES_AT": "STUDIED_AT"}
_EITHER_WAY = frozenset({"PARTNER_OF", "FRIEND_OF", "MET", "MARRIED_TO", "ENGAGED_TO"})


def name_key(name: str, owner: str | None = None) -> str:
    """A name without what may stand around it; whoever the space belongs to is `user`."""
    key = plain(name).strip(" .,;:!?\"'()")
    if owner is not None:
        if key == plain(owner):
            return "user"
        key = key.removeprefix(f"{plain(owner)}'s ")
    found = _BEFORE_A_NAME.match(key)
    key = key[found.end() :] if found else key
    return "user" if key in _FIRST_PERSON else key


def fact_key(subject: str, relation: str, object_: str, owner: str | None = None) -> FactKey:
    """Equal for facts that say the same: by whatever name of the relation, and in whichever direction."""
    said = re.sub(r"[^A-Z0-9]+", "_", relation.upper()).strip("_")
    said = _CALLED.get(said, said)
    ends = [name_key(subject, owner), name_key(object_, owner)]
    if said in _TURNED:
        said = _TURNED[said]
        ends.reverse()
    if said in _EITHER_WAY:
        ends.sort()
    return ends[0], said, ends[1]


def ends_of(key: FactKey) -> FactKey:
    """The same, whatever the relation."""
    first, second = sorted((key[0], key[2]))
    return first, "", second


# dates


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def same_date(found: datetime | None, wanted: str, finest: int = DAY) -> bool:
    """To the precision that is wanted, and no finer than `finest`."""
    chars = min(len(wanted), finest)
    return found is not None and found.isoformat()[:chars] == wanted[:chars]


# counting


class Tally(Counter[str]):
    """Counts by name, and the shares that follow from them."""

    def share(self, part: str, whole: str) -> Share:
        return round(self[part] / self[whole], 6) if self[whole] else None

    def found(self, what: str) -> dict[str, Share]:
        """Precision, recall and F1 of `what found` among `what given` and `what wanted`."""
        precision = self.share(f"{what} found", f"{what} given")
        recall = self.share(f"{what} found", f"{what} wanted")
        if precision is None and self[f"{what} wanted"]:
            precision = 0.0
        return {"precision": precision, "recall": recall, "f1": f1(precision, recall)}

    def compare(self, what: str, wanted: Iterable[object], given: Iterable[object]) -> None:
        right, told = set(wanted), set(given)
        self.update({f"{what} wanted": len(right), f"{what} given": len(told), f"{what} found": len(right & told)})


def f1(precision: Share, recall: Share) -> Share:
    if precision is None or recall is None:
        return None
    return round(2 * precision * recall / (precision + recall), 6) if precision + recall else 0.0


def shown(share: Share) -> str:
    return "" if share is None else f"{share:.3f}"


def by_tag(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown, a tag a row."""
    return [
        f"| {' | '.join(heads)} |",
        "|---|" + "--:|" * (len(heads) - 1),
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def judged(what: str, share: Share, goal: float, most: bool = False) -> tuple[str, str, str, str]:
    """A row of the table of goals. `most`: the goal is not to be passed."""
    if share is None:
        return what, "nothing to measure", "", ""
    met = share <= goal if most else share >= goal
    return what, f"{share:.3f}", f"{'≤' if most else '≥'} {goal:.2f}", "met" if met else "NOT MET"
