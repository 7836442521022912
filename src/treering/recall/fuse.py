"""How do the signals become one score? A weighted sum of what each has to say, the same weights for every question.

The features are raw, not normalised by question, so that scores compare between questions and a floor can be set. The
weights were learned on development conversations, with cross-validation (`bench/weigh.py`; `dense` and `reply` later,
by decision 17); `bench/finding.py` shows what each is worth.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from functools import partial

import numpy as np

from treering.language.words import spelled, words
from treering.model.memory import View
from treering.model.time import to_micros
from treering.recall import temporal
from treering.recall.cues import Trait
from treering.recall.graph import Reached, Walk
from treering.recall.index.columns import Numbers
from treering.recall.keyword import Keywords
from treering.recall.reply import replies
from treering.recall.search import Search, growing, marked
from treering.recall.semantic import Nearness
from treering.recall.visibility import VisibleMemories
from treering.store.contract import MemoryFilter, Reader
from treering.values import dataclass

WEIGH_ALL_UP_TO = 4_096
NEAREST, IN_WINDOW = (300, 2_000), 200
CONTEXT_OF, CONTEXT_REACH = 40, 2
BEST_SESSIONS, LONG_SESSION = (8, 20), 200
PHRASE_LOOKED_AT, PLAIN_LOOKED_AT = 200, 1_000
NOBODY: Numbers = np.zeros(0, np.int64)
LIST_CONTEXT = 0.5  # for a question that wants a list, company says less about a turn
RECENT_DAYS, LONG_AGO_DAYS, LONG_AGO_SHARE = 60.0, 1_461.0, 0.2
"""It fades by half in two months, but for a share that takes four years: of two old ones the newer is still newer."""
DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Weights:
    dense: float = 4.5
    """Cosine of the question and the turn."""
    late: float = 5.4
    """Cosine of the question and the turn's best sentence."""
    neighbour: float = 2.3
    """The same of the better turn right beside it."""
    reply: float = 2.5
    """How near what was asked of the speaker right before comes to the question."""
    session: float = 5.4
    """The best cosine in the turn's session."""
    own: float = 0.074
    """BM25 over the turn."""
    block: float = 0.19
    """BM25 over the turn and its neighbours."""
    session_words: float = 0.25
    """BM25 over the turn's session."""
    cover: float = 0.7
    """The share of the question's words, by what they tell, that the turn and those beside it hold."""
    phrase: float = 4.0
    """The turn holds the question's quoted words as they stand."""
    names: float = 0.64
    """The share of the speakers named who speak in the session."""
    echo: float = 0.94
    """Rare words shared with the best hits."""
    graph: float = 0.7
    """How strongly the turn is tied to the entities the question leads to. Little, as long as entities are plain names:
    words and meaning say most of it already."""
    asked: float = 1.0
    """The turn states a fact that is asked for."""
    time: float = 4.5
    """Closeness to the time that the question names."""
    border: float = -8.0
    """The turn tells of the very event that the question asks what was before."""
    cue: float = 0.6
    """The turn has the kind of thing that is asked for."""
    assistant: float = -3.1
    """An assistant's turn, where it was not asked for its words."""
    instruction: float = 4.1
    """A standing instruction or preference, where something is requested."""
    recency: float = 0.05
    """How recent it is: hardly more than a tie is broken by, unless the present is asked for."""
    presently: float = 2.8
    """How recent it is, where the present is asked for."""
    importance: float = 0.3
    """How important it was said to be, above or below the usual."""
    confidence: float = 1.0
    """How certain it is."""
    rerank: float = 6.0
    """How far below the best a reranker puts it, where one is set up. As much as usually lies between the first and the
    fortieth: what it holds for the best comes among the first from any place it was read at."""


WEIGHTS = Weights()
_WEIGHED = tuple(one.name for one in fields(Weights))
SIGNALS: dict[str, tuple[str, ...]] = {
    "semantic": ("dense", "late", "neighbour", "reply", "session"),
    "keyword": ("own", "block", "session_words", "cover", "phrase", "names", "echo"),
    "graph": ("graph", "asked"),
    "temporal": ("time",),
}
MODIFIERS = ("border", "cue", "assistant", "instruction", "recency", "presently", "importance", "confidence", "rerank")
USUAL_IMPORTANCE = 0.6


EVIDENCE = (
    "dense",
    "late",
    "neighbour",
    "reply",
    "own",
    "block",
    "cover",
    "phrase",
    "graph",
    "asked",
    "time",
    "instruction",
)
"""What speaks for a memory by itself, and not for its session or its manner."""


@dataclass(frozen=True, slots=True)
class Company:
    """What speaks for each session as a whole."""

    meaning: Numbers | None
    words: Numbers | None

    def score(self, weights: Weights) -> Numbers:
        parts = ((weights.session, self.meaning), (weights.session_words, self.words))
        found: Numbers = np.zeros(1)
        for weight, said in parts:
            found = found if said is None else found + weight * said
        return found


@dataclass(frozen=True, slots=True)
class Fused:
    """The pool, what each feature says of it before it is weighed, and the sum."""

    pool: Numbers
    features: dict[str, Numbers]
    score: Numbers
    relevance: Numbers
    reached: Reached
    read: Numbers
    """Marks those that the embedder has read; the others can only be found by words, graph and time."""

    def evidence(self, weights: Weights) -> Numbers:
        """How much speaks for each by itself."""
        found = np.zeros(len(self.pool))
        for name in EVIDENCE:
            if name in self.features:
                found += getattr(weights, name) * self.features[name]
        return found

    def contribution(self, name: str, place: int, weights: Weights) -> float:
        return float(self.features[name][place] * getattr(weights, name)) if name in self.features else 0.0


def fuse(
    search: Search,
    reader: Reader,
    keywords: Keywords | None,
    walk: Walk | None,
    weights: Weights = WEIGHTS,
    recency_bias: float | None = None,
    also: tuple[str, ...] = (),
) -> Fused:
    """`walk`: begun from what the question names, where the graph is asked. `also`: memories to weigh whether or not a
    signal brings them forward, if they may be answers at all."""
    near = _nearness(search)
    nearest = near.nearest(growing(*NEAREST, search.visible.count)) if near is not None else NOBODY
    reached = walk.run(search.vector, nearest) if walk is not None else Reached()
    company = Company(
        near.sessions() if near is not None else None, keywords.sessions if keywords is not None else None
    )
    pool = _pool(search, keywords, near, nearest, reached, company.score(weights))
    asked = [search.index.number[one] for one in also if one in search.index.number]
    if asked:
        allowed = [one for one in asked if one < search.visible.known and search.allowed[one]]
        pool = np.union1d(pool, allowed).astype(np.int64)
    features: dict[str, Numbers] = {}
    if not len(pool):
        return Fused(pool, features, np.zeros(0), np.zeros(0), reached, np.zeros(0, bool))
    counts = LIST_CONTEXT if search.question.is_list else 1.0
    sessions = search.visible.sessions[pool]
    if near is not None:
        dense = near.of(pool)
        _say(features, {"dense": dense, "session": near.company(pool) * counts})
    if keywords is not None and company.words is not None:
        _say(features, _keyword(search, keywords, pool) | {"session_words": company.words[sessions] * counts})
    _say(features, {"phrase": _phrases(search, reader, keywords, pool)})
    _say(features, _ties(search, reached, pool))
    _say(features, _manner(search, pool))
    _say(features, _modifiers(search, pool, reader.moment.as_of, recency_bias))
    score = _sum(features, weights, len(pool))
    if near is not None:
        late, beside = near.late(pool, score + weights.late * features["dense"])
        _say(features, {"late": late, "neighbour": beside * counts})
        _say(features, {"reply": replies(search, near, keywords, pool) * counts})
        score = _sum(features, weights, len(pool))
    if keywords is not None and weights.echo:
        features["echo"] = keywords.echo(pool, score) * counts
        score = score + weights.echo * features["echo"]
    read = _read(search, pool)
    return Fused(pool, features, score, _relevance(features, read), reached, read)


def _read(search: Search, pool: Numbers) -> Numbers:
    vectors = search.index.vectors
    if vectors is None or search.vector is None:
        return np.zeros(len(pool), bool)
    return vectors.have_read(pool)


def _nearness(search: Search) -> Nearness | None:
    vectors = search.vectors
    if vectors is None or search.vector is None or not search.runs("semantic"):
        return None
    return Nearness(search, vectors, search.vector)


def _say(features: dict[str, Numbers], more: dict[str, Numbers | None]) -> None:
    features.update({name: said for name, said in more.items() if said is not None})


def _sum(features: dict[str, Numbers], weights: Weights, size: int) -> Numbers:
    score = np.zeros(size, np.float64)
    for name in _WEIGHED:
        if name in features:
            score += getattr(weights, name) * features[name]
    return score


# which memories are worth weighing


def _pool(
    search: Search,
    keywords: Keywords | None,
    near: Nearness | None,
    nearest: Numbers,
    reached: Reached,
    sessions: Numbers,
) -> Numbers:
    """All that may be answers if they are few; else what any signal brings forward, with some of its neighbours and all
    of the best sessions."""
    if np.count_nonzero(search.allowed) <= WEIGH_ALL_UP_TO:
        return np.flatnonzero(search.allowed)
    found = _with_context(search, nearest)
    found[reached.numbers()] = True
    if keywords is not None:
        found[worded(search, keywords)] = True
    wanted = growing(*BEST_SESSIONS, search.visible.count)
    if len(sessions) > wanted:
        short = search.visible.session_turns <= LONG_SESSION
        best = np.argpartition(np.where(short, -sessions, np.inf), wanted)[:wanted]
        found |= marked(len(sessions), best)[search.visible.sessions]
    if search.question.windows and search.runs("temporal"):
        found[_in_window(search, near)] = True
    return np.flatnonzero(found & search.allowed)


def worded(search: Search, keywords: Keywords) -> Numbers:
    """What words bring forward."""
    return np.flatnonzero(_with_context(search, keywords.best) & search.allowed)


def _with_context(search: Search, best: Numbers) -> Numbers:
    """Marks what a signal brings forward, the best first, and the turns around the first of it."""
    found = marked(search.visible.known + 1, best)  # the last is no turn, which is number -1
    for _, beside in search.beside(best[:CONTEXT_OF], CONTEXT_REACH):
        found[beside] = True
    return found[:-1]


def _in_window(search: Search, near: Nearness | None) -> Numbers:
    within = temporal.inside(search) & search.allowed
    return np.flatnonzero(within)[:IN_WINDOW] if near is None else near.among(within, IN_WINDOW)


# what the signals say


def _keyword(search: Search, keywords: Keywords, pool: Numbers) -> dict[str, Numbers | None]:
    return {
        "own": keywords.own(pool),
        "block": keywords.block(pool),
        "cover": keywords.cover(pool),
        "names": _names(search, pool),
    }


def _phrases(search: Search, reader: Reader, keywords: Keywords | None, pool: Numbers) -> Numbers | None:
    """The share of the question's quoted words that each holds as they stand."""
    phrases = search.question.phrases
    if keywords is None or not phrases:
        return None
    share = np.zeros(len(pool), np.float32)
    for phrase in phrases:
        places = _may_hold(phrase, keywords, pool)
        ids = {search.index.ids[int(pool[place])]: int(place) for place in places}
        wanted = " ".join(spelled(phrase))
        for memory in reader.memories(MemoryFilter(view=View.ALL, ids=tuple(ids))) if ids else []:
            if wanted in " ".join(spelled(memory.content)):
                share[ids[memory.id]] += 1 / len(phrases)
    return share


def _may_hold(phrase: str, keywords: Keywords, pool: Numbers) -> Numbers:
    """The places of those that hold the words of a phrase. Words that every text has, as in "The Who", are not kept:
    then all are looked at, if they are few."""
    if not words(phrase):
        return np.arange(len(pool)) if len(pool) <= PLAIN_LOOKED_AT else NOBODY
    return np.flatnonzero(np.isin(pool, keywords.holding(phrase)))[:PHRASE_LOOKED_AT]


def _names(search: Search, pool: Numbers) -> Numbers | None:
    speakers = search.named.speakers
    if not speakers:
        return None
    visible, spoken = search.visible, np.zeros(len(pool), np.float32)
    for numbers in speakers:
        theirs = visible.once(("sessions of", numbers), partial(_sessions_of, search, numbers))
        spoken += marked(len(visible.session_turns), theirs)[visible.sessions[pool]]
    return spoken / len(speakers)


def _sessions_of(search: Search, speakers: tuple[int, ...], visible: VisibleMemories) -> Numbers:
    """Those in which one of them says something that may be seen."""
    bears = marked(len(search.index.speakers) + 1, np.asarray(speakers))  # the last is nobody, who is number -1
    theirs = bears[search.column("speaker")] & visible.seen
    return np.flatnonzero(marked(len(visible.session_turns), visible.sessions[theirs]))


def _ties(search: Search, reached: Reached, pool: Numbers) -> dict[str, Numbers | None]:
    timely = search.question.windows and search.runs("temporal")
    return {
        "graph": reached.feature(pool) if reached.score else None,
        "asked": reached.stating(pool).astype(np.float32) if reached.asked else None,
        "time": _timely(search, reached, pool) if timely else None,
        "border": np.isin(pool, sorted(search.borders)).astype(np.float32) if search.borders else None,
    }


def _timely(search: Search, reached: Reached, pool: Numbers) -> Numbers:
    """What states a fact that held then is of that time, whenever it was said."""
    close = temporal.closeness(search, pool)
    if reached.asked:
        close[reached.stating(pool)] = 1.0
    return close


def _manner(search: Search, pool: Numbers) -> dict[str, Numbers | None]:
    question, flags = search.question, search.column("flags")[pool]

    def has(cue: Trait) -> Numbers:
        found: Numbers = (flags & np.uint16(cue) != 0).astype(np.float32)
        return found

    return {
        "cue": has(question.asks_for) if question.asks_for else None,
        "assistant": None if question.to_assistant else has(Trait.ASSISTANT),
        "instruction": has(Trait.INSTRUCTION) if question.is_request else None,
    }


def _modifiers(search: Search, pool: Numbers, as_of: datetime, recency_bias: float | None) -> dict[str, Numbers | None]:
    age = np.maximum(to_micros(as_of) - search.column("begins")[pool], 0) / DAY
    fresh = (1 - LONG_AGO_SHARE) * np.exp2(-age / RECENT_DAYS) + LONG_AGO_SHARE * np.exp2(-age / LONG_AGO_DAYS)
    present = 1.0 if search.question.about_present else 0.0
    wanted = present if recency_bias is None else recency_bias
    return {
        "recency": fresh,
        "presently": fresh * wanted if wanted else None,
        "importance": search.column("importance")[pool] - USUAL_IMPORTANCE,
        "confidence": search.column("confidence")[pool] - 1.0,
    }


def _relevance(features: dict[str, Numbers], read: Numbers) -> Numbers:
    """How much each has to do with the question at all, comparable between questions: by meaning and words, or by words
    alone where nothing has read it."""
    none = np.zeros(len(read))
    cover, quoted = features.get("cover", none), features.get("phrase", none)
    by_words: Numbers = np.maximum(cover, quoted) * WORDS_ALONE
    if "dense" not in features:
        return by_words
    meant = 3.3 * features["dense"] + 4.6 * features["late"] + 1.1 * cover
    return np.where(read, np.maximum(meant, quoted * WORDS_ALONE), by_words)


WORDS_ALONE = 100.0  # a word in common must do
