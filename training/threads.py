"""What do threads show a model? Little histories whose every turn has a part: pairs with a verdict, questions with a
role, and turns that are read. Which turns stand together is drawn; what follows is what their author has said of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from training.data import MOOD_OF_THREAD, Json
from training.examples import Piece, Reading, Role, Verdict, stretches

ONCE_SO = {"so", "became", "corrected", "confirmed", "planned_done", "temporary", "happened"}
OVER = {"ended", "retracted", "denied", "cancelled"}


def thread_pair(threads: Sequence[Json], draw: random.Random) -> Verdict | None:
    thread = draw.choice(threads)
    said, matters = thread["lines"], [one for one in thread["matters"] if len(one["history"]) > 1]
    if not matters or draw.random() > 0.75:
        first, second = sorted(draw.sample(range(len(said)), 2))
        if any({first, second} <= {part["turn"] for part in one["history"]} for one in thread["matters"]):
            return None
        return Verdict(
            said[first], said[second], "none", "", said[second - 1] if second and draw.random() < 0.5 else ""
        )
    place = draw.choice(range(len(matters)))
    matter = matters[place]
    one, two = sorted(draw.sample(range(len(matter["history"])), 2))
    old, new = matter["history"][one], matter["history"][two]
    if old["turn"] >= new["turn"]:
        return None
    verdict = _thread_verdict(matter, old, new)
    about = [q["q"] for q in thread["questions"] if q.get("about") == thread["matters"].index(matter) and q.get("now")]
    question = draw.choice(about) if about and draw.random() < 0.4 else ""
    before = said[new["turn"] - 1] if new["turn"] and draw.random() < 0.7 else ""
    return Verdict(said[old["turn"]], said[new["turn"]], verdict, question, before)


def _thread_verdict(matter: Json, old: Json, new: Json) -> str:
    card = matter.get("cardinality", "one")
    same = bool(old.get("value")) and old.get("value") == new.get("value")
    if old["what"] == "plan":
        return {
            "planned_done": "replaces",
            "cancelled": "ends",
            "plan": "replaces" if card == "one" and not same else "none",
        }.get(new["what"], "none")
    if old["what"] not in ONCE_SO or old["what"] == "happened":
        return "none"
    if new["what"] in ("became", "corrected", "planned_done", "so"):
        if same:
            return "same"
        return {"one": "replaces", "many": "adds"}.get(card, "none") if new["what"] != "corrected" else "replaces"
    if new["what"] in OVER - {"cancelled"}:
        return "ends" if card == "one" or not new.get("value") or same else "none"
    return "same" if new["what"] == "confirmed" and (same or card == "one") else "none"


def thread_given(threads: Sequence[Json], draw: random.Random) -> Verdict | None:
    """Of a question: does the later turn take the earlier one's place in its answer?"""
    thread = draw.choice(threads)
    asked = draw.choice(thread["questions"])
    said, now, old = thread["lines"], set(asked.get("now") or ()), set(asked.get("outdated") or ())
    plays = set(asked.get("plays") or ())
    if not all(0 <= turn < len(said) for turn in now | old | plays):
        return None
    yes = [(a, b) for a in old for b in now if a < b]
    no = [(a, b) for a in now for b in range(a + 1, len(said)) if b not in old]
    no += [(a, b) for a in old for b in plays if a < b]
    some = yes if yes and (draw.random() < 0.55 or not no) else no
    if not some:
        return None
    first, second = draw.choice(some)
    verdict = "none"
    if some is yes:
        over = any(p["turn"] == second and p["what"] in OVER for m in thread["matters"] for p in m["history"])
        verdict = "ends" if over else "replaces"
    elif {first, second} <= now:
        verdict = "adds"
    before = said[second - 1] if second and draw.random() < 0.7 else ""
    return Verdict(said[first], said[second], verdict, asked["q"], before)


def store_pair(stores: Sequence[Json], draw: random.Random) -> Verdict | None:
    """A later turn that stands near to what answers and is of another matter leaves it as it is; one of its own takes
    its place in the answer."""
    store = draw.choice(stores)
    asked = draw.choice(store["questions"])
    said, now, old = store["lines"], asked.get("now") or (), asked.get("outdated") or ()
    yes = [(a, b) for a in old for b in now if a < b]
    no = [(a, b) for a in (*now, *old) for b in asked.get("near") or () if a < b and store["matters"]]
    some = yes if yes and (draw.random() < 0.4 or not no) else no
    if not some:
        return None
    first, second = draw.choice(some)
    if some is no and any({first, second} <= {part["turn"] for part in one["history"]} for one in store["matters"]):
        return None
    over = any(p["turn"] == second and p["what"] in OVER for m in store["matters"] for p in m["history"])
    verdict = "none" if some is no else "ends" if over else "replaces"
    question = asked["q"] if some is yes or draw.random() < 0.6 else ""
    before = said[second - 1] if second and draw.random() < 0.7 else ""
    return Verdict(said[first], said[second], verdict, question, before)


def thread_role(threads: Sequence[Json], draw: random.Random) -> Role | None:
    thread = draw.choice(threads)
    asked = draw.choice(thread["questions"])
    said, told = thread["lines"], set(asked.get("now") or ()) | set(asked.get("outdated") or ())
    plays = set(asked.get("plays") or ())
    weight = [3.0 if turn in told else 2.0 if turn in plays else 0.7 for turn in range(len(said))]
    turn = draw.choices(range(len(said)), weight)[0]
    what = {part["what"] for matter in thread["matters"] for part in matter["history"] if part["turn"] == turn}
    role = "none"
    if turn in told:
        over = bool(what) and not what & ONCE_SO and bool(what & OVER)
        role = "ends" if over else "past" if what == {"past"} else "now"
    elif turn in plays:
        role = "plays"
    return Role(asked["q"], said[turn], role)


def thread_reading(threads: Sequence[Json], canon: dict[str, str], draw: random.Random) -> Reading | None:
    """A turn with one part in one matter: what it is, and where its value stands."""
    thread = draw.choice(threads)
    if not thread["matters"]:
        return None
    matter = draw.choice(thread["matters"])
    part = draw.choice(matter["history"])
    mine = [(m, p) for m in thread["matters"] for p in m["history"] if p["turn"] == part["turn"]]
    if len(mine) > 1:
        return None
    turn = thread["turns"][part["turn"]]
    text, tags = turn["text"], []
    where = stretches(text, part.get("value") or "")
    if where:
        tags.append((*where, "old" if part["what"] == "ended" else "v"))
    relation = canon.get(matter.get("relation", ""))
    before = thread["lines"][part["turn"] - 1] if part["turn"] and draw.random() < 0.7 else ""
    mood = MOOD_OF_THREAD.get(part["what"])
    if mood is None:
        return None
    piece = Piece(0, len(text), mood, relation, worth=mood != "question")
    return Reading(before, turn.get("speaker") or "User", text, [piece], tags if where else [], cut=False)
