"""What is learned from streams: what one person told over months, with every fact, and questions about what holds.

They become threads (`data.threads`), and turns of which every fact is labelled (`facts`). So do blind sets that have
been asked and read: their checks name the words of an answer, not its turn, so the last turn that holds them is taken.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from training import data
from training.data import Json
from training.examples import stretches
from training.facts import Names, Told, Value, apart, said_of

ENDS = frozenset(("ended", "expired", "cancelled"))


def authored(paths: Iterable[Path]) -> list[Json]:
    """As `briefs/streams.md` tells them; what does not fit is left out."""
    found = []
    for stream in data.lines(paths):
        turns = stream.get("turns") or []
        if not turns or not all(isinstance(turn.get("text"), str) for turn in turns):
            continue
        facts = [one for one in stream.get("facts", ()) if _told(one, turns)]
        matters = _matters(facts)
        questions = [
            {"q": one["ask"], "about": _about(one, matters), "now": one.get("now") or [],
             "outdated": one.get("old") or [], "plays": one.get("plays") or []}
            for one in stream.get("checks", ())
            if _inside(one, len(turns))
        ]  # fmt: skip
        if questions:
            found.append(_thread(stream, turns, matters, questions) | {"facts": facts, "whole": True})
    return found


def asked(folders: Iterable[Path]) -> list[Json]:
    """Streams and stories of blind sets that have been asked."""
    found = []
    for folder in folders:
        for stream in data.lines(folder.glob("streams.jsonl")):
            turns = stream["turns"]
            facts = [one for fact in _facts(stream) if (one := _found(fact, turns)) is not None]
            matters = _matters([one for one in facts if _followed(one, facts)])
            questions = [one for check in stream["checks"] if (one := _asked(check, turns, matters)) is not None]
            if questions:
                found.append(_thread(stream, turns, matters, questions) | {"facts": facts, "whole": False})
        for story in data.lines(folder.glob("stories.jsonl")):
            questions = [
                {"q": one["q"], "about": None, "now": one["right"], "outdated": one["stale"], "plays": []}
                for one in story["questions"]
                if one["kind"] != "past"
            ]
            if questions:
                found.append(_thread(story, story["turns"], [], questions) | {"facts": [], "whole": False})
    return found


def all_of(folder: Path) -> list[Json]:
    """Those of a folder to train from: written for it, and asked before."""
    sets = sorted(one for one in (folder / "asked").glob("*") if one.is_dir())
    return authored((folder / "streams").glob("*.jsonl")) + asked(sets)


def of_stream(stream: Json, names: Names, draw: random.Random) -> Iterator[Told]:
    """Each turn, with the facts that it tells and those that it says are over."""
    turns, plays = stream["turns"], {turn for one in stream["questions"] for turn in one["plays"]}
    for place, turn in enumerate(turns):
        text, speaker = turn["text"], turn.get("speaker") or "User"
        before = " ".join(stream["lines"][max(0, place - 2) : place]) if draw.random() < 0.5 else ""
        values = []
        for fact in stream["facts"]:
            over = fact.get("over") == place
            where = stretches(text, fact["value"]) if fact["turn"] == place or over else None
            if where:
                value = Value(where, "ended" if over else "so", names.of(fact["relation"]))
                values.append(said_of(value, str(fact["subject"]), speaker, text, before))
        if values or stream["whole"]:
            yield Told(before, speaker, text, apart(values), stream["whole"] and place not in plays)


def _thread(stream: Json, turns: list[Json], matters: list[Json], questions: list[Json]) -> Json:
    lines = [f"{turn.get('speaker') or 'User'}: {turn['text']}" for turn in turns]
    return {"id": stream.get("id"), "turns": turns, "lines": lines, "matters": matters, "questions": questions}


def _told(fact: object, turns: list[Json]) -> bool:
    if not isinstance(fact, dict) or not all(isinstance(fact.get(k), str) for k in ("subject", "relation", "value")):
        return False
    turn, over = fact.get("turn"), fact.get("over")
    if not isinstance(turn, int) or not 0 <= turn < len(turns) or not (over is None or isinstance(over, int)):
        return False
    return bool(fact["value"]) and fact["value"] in turns[turn]["text"]


def _inside(check: Json, count: int) -> bool:
    places = [*(check.get("now") or ()), *(check.get("old") or ()), *(check.get("plays") or ())]
    return isinstance(check.get("ask"), str) and all(isinstance(one, int) and 0 <= one < count for one in places)


def _matters(facts: list[Json]) -> list[Json]:
    """Facts of one subject and relation. Where some were replaced and others stand beside them, each is by itself: no
    pair of them is sure."""
    by: dict[tuple[str, str], list[Json]] = {}
    for one in sorted(facts, key=lambda fact: int(fact["turn"])):
        by.setdefault((one["subject"], one["relation"]), []).append(one)
    found = []
    for (subject, relation), some in by.items():
        over = [one.get("over") is not None for one in some]
        mixed = len(some) > 1 and any(over) and not all(over[:-1])
        groups = [[one] for one in some] if mixed else [some]
        card = "one" if len(some) == 1 or all(over[:-1]) else "many"
        for group in groups:
            matter = {"subject": subject, "relation": relation, "cardinality": card, "history": _history(group)}
            found.append(matter)
    return found


def _history(some: list[Json]) -> list[Json]:
    found: list[Json] = []
    for place, one in enumerate(some):
        last = some[place - 1] if place else None
        mended = last is not None and last.get("by") == "corrected" and last.get("over") == one["turn"]
        what = "so" if last is None else "corrected" if mended else "became"
        found.append({"turn": one["turn"], "what": what, "value": one["value"]})
        next_one = some[place + 1] if place + 1 < len(some) else None
        if one.get("over") is not None and one.get("by") in ENDS and next_one is None and one["over"] > one["turn"]:
            found.append({"turn": one["over"], "what": "ended", "value": ""})
    return found


def _about(check: Json, matters: list[Json]) -> int | None:
    """The matter that has a value of the answer."""
    wanted = [str(one).lower() for one in check.get("want") or () if isinstance(one, str)]
    for place, matter in enumerate(matters):
        if any(want in one["value"].lower() or (one["value"] and one["value"].lower() in want)
               for want in wanted for one in matter["history"]):  # fmt: skip
            return place
    return None


def _facts(stream: Json) -> list[Json]:
    now = [{"subject": s, "relation": r, "value": v, "ended": None} for s, r, v, *_ in stream["facts_now"]]
    return now + [{"subject": s, "relation": r, "value": v, "ended": True} for s, r, v, *_ in stream["facts_before"]]


def _found(fact: Json, turns: list[Json]) -> Json | None:
    """With the turn that tells it: the first for what is over, the last for what holds."""
    some = [place for place, turn in enumerate(turns) if fact["value"].lower() in turn["text"].lower()]
    if not some:
        return None
    turn = some[0] if fact["ended"] else some[-1]
    at = turns[turn]["text"].lower().index(fact["value"].lower())
    return {**fact, "turn": turn, "over": None, "value": turns[turn]["text"][at : at + len(fact["value"])]}


def _followed(fact: Json, facts: list[Json]) -> bool:
    """Whether it holds, or is known to be over since a later fact of its kind was told."""
    if not fact["ended"]:
        return True
    later = [one["turn"] for one in facts if _kind(one) == _kind(fact) and one["turn"] > fact["turn"]]
    fact["over"] = min(later, default=None)
    return bool(later)


def _kind(fact: Json) -> tuple[str, str]:
    return fact["subject"], fact["relation"]


def _asked(check: Json, turns: list[Json], matters: list[Json]) -> Json | None:
    if check["as_of"] or check["known_at"] or not check["want"]:
        return None
    groups = check["want"] if isinstance(check["want"][0], list) else [check["want"]]
    said = [place for place, turn in enumerate(turns) if turn["at"] <= check["at"]]
    if len(said) < len(turns):  # what came after must not be read
        return None
    low = [turns[place]["text"].lower() for place in said]
    now: set[int] = set()
    for group in groups:
        for want in group:
            some = [place for place in said if want.lower() in low[place]]
            now |= set(some[-1:])
    old = {place for place in said for value in check["stale"] if value.lower() in low[place]} - now
    if not now:
        return None
    old = {place for place in old if place < max(now)}
    plays = {place for place in said for value in check["stale"] if value.lower() in low[place]} - now - old
    wanted = {"want": [one for group in groups for one in group]}
    return {"q": check["ask"], "about": _about(wanted, matters), "now": sorted(now), "outdated": sorted(old),
            "plays": sorted(plays)}  # fmt: skip
