"""Makes what travels to the training machine: `python -m training.turnfinder.pack TEXTS WHEEL NAMES OUT`.

TEXTS holds the fetched repositories (`owner+name/repo`), WHEEL is chitchat-dataset 0.9.0, NAMES the sources of the
package `names` (dist.*.first). OUT, which holds the tokenizer of the base, gets `talks_SOURCE.npz`: word pieces of
every turn and question, and which turns answer which question. A fifth argument names the sources to make, with commas.
"""

from __future__ import annotations

import random
import re
import sys
import tarfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from training.turnfinder import own, sources
from training.turnfinder.plain import read_plain
from training.turnfinder.questions import Questions, parsed, tidy, to_listener
from training.turnfinder.talk import MARK, Asked, Talk, Turn, mark
from training.turnfinder.talks import SOURCES

PARTS = ("thread", "stream", "talk", "course", "wish", "store", "slot", "message", "persona", "persona_2", "chitchat",
         "self", "room", "meeting", "page", "passage", "manual")  # fmt: skip
MOST_TURN, MOST_ASKED = 250, 48
SLOT_TALKS, HELD_SLOT_TALKS = 3000, 60
MATCHED, CHITCHAT, SELF = 200, 900, 2500
A_TURN, A_TALK = 4, 30  # most questions of a turn and of a talk
HELD = {"persona": 0.05, "persona_2": 0.05, "chitchat": 0.02, "self": 0.01, "room": 0.1, "meeting": 0.1, "page": 0.1,
        "passage": 0.05, "manual": 0.05}  # fmt: skip
"""The share of talks that is held out, of what others wrote; our own says so itself."""

# verbs that tell the same of somebody, and how it is asked for as a list
LISTS = (
    ("like love enjoy adore", ("What does {n} like?", "What things does {n} enjoy?", "What does {n} love to do?")),
    ("hate dislike avoid fear", ("What does {n} dislike?", "What can't {n} stand?")),
    ("visit travel fly drive move", ("Where has {n} been?", "Which places has {n} gone to?", "Where did {n} travel?")),
    ("buy order purchase own", ("What has {n} bought?", "What does {n} own?", "What did {n} get for money?")),
    ("play practice train", ("What does {n} play?", "Which games, sports or instruments does {n} play?")),
    ("watch see", ("What has {n} watched?", "Which films or shows does {n} know?")),
    ("read write", ("What does {n} read or write?", "Which books does {n} talk about?")),
    ("cook bake eat drink", ("What does {n} eat and drink?", "What kind of food does {n} make or eat?")),
    ("work study teach learn", ("What does {n} work on or study?", "What is {n}'s education and work?")),
    ("want plan hope wish", ("What does {n} want?", "What are {n}'s plans?", "What does {n} hope for?")),
)  # fmt: skip


def read(talks: Iterable[Talk], draw: random.Random) -> Iterator[Talk]:
    """With questions made of what was said; many talks are parsed at once."""
    waiting = iter(talks)
    while some := list(islice(waiting, 50)):
        docs = parsed([turn.text for talk in some for turn in talk.turns])
        for talk in some:
            add_questions(talk, list(islice(docs, len(talk.turns))), draw)
            yield talk


def add_questions(talk: Talk, docs: list[Any], draw: random.Random) -> None:
    made: list[Asked] = []
    for place, (turn, doc) in enumerate(zip(talk.turns, docs, strict=True)):
        if not isinstance(turn.speaker, int):
            continue
        other = next((one.speaker for one in talk.turns if one.speaker != turn.speaker), 1 - min(turn.speaker, 1))
        found = Questions(draw, turn.speaker, other if isinstance(other, int) else 1).of(doc)
        for one in draw.sample(found, min(len(found), A_TURN)):
            made.append(Asked(loosened(tidy(one.question), draw), [place], span=one.span))
        reply = place + 1
        if reply < len(talk.turns) and isinstance(other, int) and talk.turns[reply].speaker == other:
            asked = to_listener(turn.text, other, draw)
            if asked and len(talk.turns[reply].text.split()) > 2:
                made += [Asked(asked, [reply], [place])] * 2
    made = draw.sample(made, min(len(made), A_TALK))
    talk.asked += made + by_words(talk, docs, draw) + by_verbs(talk, docs, draw)


_NAMED = re.compile("\x01[0-8]\x02")


def loosened(text: str, draw: random.Random) -> str:
    """Now and then a word less, or the bare words: nobody asks in the words that were used."""
    sort = draw.random()
    words = text.rstrip("?").split()
    if sort < 0.12 and len(words) > 5:
        drop = draw.choice([n for n, word in enumerate(words) if n > 1 and not _NAMED.search(word)] or [len(words) - 1])
        return " ".join(words[:drop] + words[drop + 1 :]) + "?"
    if sort < 0.18:
        return " ".join(words[1:])
    return text


_FORMS = (
    "What did {n} say about {w}?", "What does {n} think about {w}?", "What has {n} told about {w}?", "{n} and {w}",
    "What do we know about {n} and {w}?", "When did {n} talk about {w}?", "How does {n} feel about {w}?",
)  # fmt: skip


def by_words(talk: Talk, docs: list[Any], draw: random.Random) -> list[Asked]:
    """One noun, all turns in which the speaker uses it: one to four pieces of evidence."""
    where: dict[tuple[int, str], list[int]] = defaultdict(list)
    others: dict[str, set[int]] = defaultdict(set)
    for place, (turn, doc) in enumerate(zip(talk.turns, docs, strict=True)):
        for word in {token.lemma_.lower() for token in doc if token.pos_ in ("NOUN", "PROPN") and len(token) > 3}:
            others[word].add(place)
            if isinstance(turn.speaker, int) and not turn.text.endswith("?"):
                where[turn.speaker, word].append(place)
    some = [(key, places) for key, places in where.items() if len(places) <= 4 and len(others[key[1]]) <= 6]
    many = [one for one in some if len(one[1]) > 1]
    chosen = draw.sample(many, min(6, len(many))) + draw.sample(some, min(6, len(some)))
    return [
        Asked(draw.choice(_FORMS).format(n=mark(who), w=word), places, sorted(others[word] - set(places)))
        for (who, word), places in chosen
    ]


def by_verbs(talk: Talk, docs: list[Any], draw: random.Random) -> list[Asked]:
    found = []
    for verbs, forms in LISTS:
        wanted = set(verbs.split())
        where: dict[int, list[int]] = defaultdict(list)
        for place, (turn, doc) in enumerate(zip(talk.turns, docs, strict=True)):
            if isinstance(turn.speaker, int) and any(_own_verb(token, wanted) for token in doc):
                where[turn.speaker].append(place)
        for who, places in where.items():
            if 2 <= len(places) <= 6 and draw.random() < 0.6:
                found.append(Asked(draw.choice(forms).format(n=mark(who)), places))
    return found


def _own_verb(token: Any, wanted: set[str]) -> bool:
    if token.pos_ != "VERB" or token.lemma_ not in wanted:
        return False
    full = any(child.dep_ in ("dobj", "xcomp", "prep") for child in token.children)
    return full and any(child.lower_ in ("i", "we") for child in token.children if child.dep_ == "nsubj")


def persona_talks(texts: Path, draw: random.Random, matched: bool) -> Iterator[Talk]:
    """Every sixth talk is matched with its personas, up to `MATCHED`. A persona says what its talk shows in other
    words: what is asked of it has up to three turns as evidence, those that stock MiniLM finds near."""
    from treering.mind import open_embedder

    stock: Any = open_embedder("minilm", cached_texts=0, lanes=1) if matched else None
    for number, (talk, facts) in enumerate(sources.personas(texts)):
        if (number % 6 == 0) != matched:
            continue
        talk.turns = [greeted(turn, draw) for turn in talk.turns]
        if not matched:
            yield talk
            continue
        for who, lines in enumerate(facts):
            own_turns = [n for n, turn in enumerate(talk.turns) if turn.speaker == who and len(turn.text.split()) > 4]
            if not own_turns or not lines:
                continue
            near = stock.embed(lines) @ stock.embed([MARK.sub("", talk.turns[n].text) for n in own_turns]).T
            for line, doc, row in zip(lines, parsed(lines), near, strict=True):
                best = [own_turns[n] for n in np.argsort(-row)[:3] if row[n] > max(0.5, row.max() - 0.15)]
                beside = [own_turns[n] for n in np.flatnonzero(row > 0.4) if own_turns[n] not in best]
                made = Questions(draw, who, 1 - who).of(doc)
                texts_of = [tidy(one.question) for one in draw.sample(made, min(2, len(made)))]
                texts_of.append(
                    f"{mark(who)}: {line}" if draw.random() < 0.3 else own.by_name(line).replace(mark(0), mark(who))
                )
                talk.asked += [Asked(text, best, beside) for text in texts_of if best]
        yield talk


def greeted(turn: Turn, draw: random.Random) -> Turn:
    """Now and then the listener is named."""
    if isinstance(turn.speaker, int) and turn.speaker < 2 and draw.random() < 0.1:
        name = mark(1 - turn.speaker)
        turn.text = draw.choice((f"Hey {name}! {turn.text}", f"{name}, {turn.text}",
                                 f"{turn.text} What about you, {name}?",
                                 f"Thanks, {name}! {turn.text}"))  # fmt: skip
    return turn


def meeting_talks(texts: Path, draw: random.Random) -> Iterator[Talk]:
    """Of a marked span the turns that share most of the question's words are evidence, the rest stands beside."""
    for talk, asked in sources.meetings(texts):
        for text, places in asked:
            words = set(re.findall(r"[a-z]{4,}", text.lower()))
            scores = {n: _share(words, talk.turns[n].text) for n in places}
            best = sorted(places, key=lambda n: -scores[n])[:2]
            best = [n for n in best if scores[n] > 1.5]
            if best:
                talk.asked.append(Asked(text, best, [n for n in places if n not in best]))
        if talk.asked:
            yield talk


def _share(words: set[str], text: str) -> float:
    found = set(re.findall(r"[a-z]{4,}", text.lower()))
    return len(words & found) + min(len(found), 30) / 30


# packing


class Coder:
    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()

    def ids(self, text: str, most: int) -> list[int]:
        """Marks become the ids 1 to 9, which no text has."""
        found: list[int] = []
        for number, part in enumerate(MARK.split(text)):
            if number % 2:
                found.append(1 + int(part))
            elif part:
                found += self.tokenizer.encode(part, add_special_tokens=False).ids
        return found[:most]

    def lead(self, speaker: int | str | None) -> int:
        if speaker is None:
            return 0
        return 1 + speaker if isinstance(speaker, int) else int(self.tokenizer.token_to_id(speaker))

    def names(self, folder: Path) -> list[int]:
        """First names of one word piece."""
        with tarfile.open(folder) as file:
            lines = [
                line.split()[0].decode().lower()
                for kind in ("male", "female")
                for line in (file.extractfile(f"names-0.3.0/names/dist.{kind}.first") or [])
            ]
        found = {self.tokenizer.token_to_id(name) for name in lines[:700] + lines[1219:2400] if len(name) > 2}
        return sorted(one for one in found if one is not None)


class Packer:
    def __init__(self, coder: Coder) -> None:
        self.coder, self.keys = coder, {"": 0}
        self.rows: dict[str, list[Any]] = defaultdict(list)
        self.count: Counter[str] = Counter()

    def add(self, talk: Talk) -> None:
        kept = [one for one in talk.asked if one.answers and len(one.text.split()) >= 2]
        if not kept or len(talk.turns) < 3:
            return
        rows = self.rows
        starts = []
        for turn in talk.turns:
            ids = self.coder.ids(turn.text, MOST_TURN)
            starts.append(ids)
            rows["turn_ids"] += ids
            rows["turn_len"].append(len(ids))
            rows["turn_lead"].append(self.coder.lead(turn.speaker))
            rows["turn_key"].append(self._key(turn.key))
        for asked in kept:
            ids = self.coder.ids(asked.text, MOST_ASKED)
            rows["asked_ids"] += ids
            rows["asked_len"].append(len(ids))
            rows["asked_key"].append(self._key(asked.key))
            rows["answers"] += asked.answers
            rows["answers_len"].append(len(asked.answers))
            rows["beside"] += asked.beside
            rows["beside_len"].append(len(asked.beside))
            span = self._span(talk.turns[asked.answers[0]].text, asked.span, starts[asked.answers[0]])
            rows["span_from"].append(span[0])
            rows["span_to"].append(span[1])
        rows["talk_turns"].append(len(talk.turns))
        rows["talk_asked"].append(len(kept))
        rows["talk_source"].append(SOURCES.index(talk.source))
        rows["talk_held"].append(talk.held)
        self.count[talk.source] += 1
        self.count[talk.source + " asked"] += len(kept)

    def _key(self, key: str) -> int:
        return self.keys.setdefault(key, len(self.keys))

    def _span(self, text: str, span: str, ids: list[int]) -> tuple[int, int]:
        """Of the turn's word pieces; nothing where it is the whole turn, or lies beyond what is read."""
        place = text.find(span) if span else -1
        if place < 0 or len(span) > 0.9 * len(text):
            return 0, 0
        before = len(self.coder.ids(text[:place], 10_000))
        end = before + len(self.coder.ids(span, 10_000))
        return (before, end) if end <= len(ids) and end > before else (0, 0)

    def save(self, out: Path, names: list[int]) -> None:
        small = {"talk_source": np.uint8, "talk_held": np.bool_, "turn_key": np.int32, "asked_key": np.int32}
        arrays = {name: np.array(some, small.get(name, np.uint16)) for name, some in self.rows.items()}
        np.savez_compressed(out, names=np.array(names, np.uint16), **arrays)


def hold_some(talks: Iterable[Talk], share: float) -> Iterator[Talk]:
    for number, talk in enumerate(talks):
        talk.held = number % round(1 / share) == 0
        yield talk


def talks_of(name: str, texts: Path, wheel: Path) -> Iterator[Talk]:
    """Each source draws by itself, so that it can be made alone."""
    draw = random.Random(f"23 {name}")
    makers: dict[str, Callable[[], Iterable[Talk]]] = {
        "thread": own.threads,
        "stream": own.told_streams,
        "talk": own.talks,
        "course": own.courses,
        "wish": lambda: own.wishes(draw),
        "store": own.stores,
        "slot": lambda: slot_talks(texts, draw),
        "message": lambda: read(own.messages(draw), draw),
        "persona": lambda: read(islice(persona_talks(texts, draw, matched=True), MATCHED), draw),
        "persona_2": lambda: read_plain(persona_talks(texts, draw, matched=False), draw, A_TURN, A_TALK),
        "chitchat": lambda: read_plain(_cut(sources.chitchat(wheel, CHITCHAT, draw), 60), draw, 3, A_TALK),
        "self": lambda: read_plain(sources.self_dialogues(texts, SELF, draw), draw, 3, A_TALK),
        "room": lambda: sources.rooms(texts),
        "meeting": lambda: meeting_talks(texts, draw),
        "page": lambda: sources.paragraphs(texts),
        "passage": lambda: sources.passages(texts),
        "manual": lambda: sources.manuals(texts, draw),
    }
    made = makers[name]()
    return hold_some(made, HELD[name]) if name in HELD else iter(made)


def slot_talks(texts: Path, draw: random.Random) -> Iterator[Talk]:
    chat = [turn.text for talk, _ in sources.personas(texts) for turn in talk.turns if 8 <= len(turn.text) <= 120]
    learn, held = own.slots()
    for some, count in ((held, HELD_SLOT_TALKS), (learn, SLOT_TALKS)):
        maker = own.Slots(some, chat, draw)
        for _ in range(count):
            talk = maker.talk()
            talk.held = some is held
            yield talk


def main() -> None:
    texts, wheel, names, out = map(Path, sys.argv[1:5])
    coder = Coder(out)
    for name in sys.argv[5].split(",") if len(sys.argv) > 5 else PARTS:
        packer, began = Packer(coder), time.time()
        for number, talk in enumerate(talks_of(name, texts, wheel)):
            packer.add(talk)
            if number % 200 == 199:
                print(name, number, f"{time.time() - began:.0f}s", dict(packer.count), flush=True)
        packer.save(out / f"talks_{name}.npz", coder.names(names))
        print(name, f"{time.time() - began:.0f}s", dict(packer.count), (out / f"talks_{name}.npz").stat().st_size)


def _cut(talks: Iterable[Talk], most: int) -> Iterator[Talk]:
    for talk in talks:
        talk.turns = talk.turns[:most]
        yield talk


if __name__ == "__main__":
    main()
