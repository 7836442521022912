"""The reader and judge that come with the package: a small BERT that has learned how people say things.

It judges what a later statement does to an earlier one, what a statement is for a question, and reads a message into
statements. The card beside this file says what it was trained on, how well it does and where it ends; it reads English.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np

from treering.installed import Once, check_digest
from treering.mind.batches import default_lanes
from treering.mind.judging import AnswerRole, Asking, FoundStatement, Judged, Pair, Roled, Verdict
from treering.mind.model_parts import cut_at
from treering.mind.reading import AssertedFact, FoundFact, Piece, Place, ReadMessage, ReadName, Span
from treering.mind.transformer import open_session
from treering.mind.turnfinder import VOCABULARY
from treering.mind.turnfinder import data_file as finder_file
from treering.mind.turnreader.belief import belief, parts_of
from treering.mind.turnreader.facts import facts_in
from treering.mind.turnreader.pieces import message, part_of
from treering.mind.turnreader.units import NO_WORD, shapes
from treering.one_core import one_core
from treering.values import dataclass

if TYPE_CHECKING:
    from pathlib import Path

MODEL, PIECES, FACTS, FACT_HEADS = "model_int8.onnx", "pieces.npz", "facts_int8.onnx", "facts.npz"
BELIEF = "belief.npz"
MIDDLE, MASK = "/trunk/encoder/layer.1/output/LayerNorm/LayerNormalization_output_0", "/trunk/Where_1_output_0"
"""The states from which facts are read; and what keeps word pieces apart that only fill up a text, which is zeros
where each is read in a run of its own."""
DIGESTS = {
    MODEL: "7ad5d2ba7f5ff4c6e0b1e87d2b71374febc5f8e20b469421ac91aa937f22b603",
    PIECES: "06186b50ff45ee7eb9603b81e1c07d77a45f8c20fd5910e509e193957fbef7bb",
    FACTS: "47cbe3047e8b5cff37e5edb16d60de7701bb228d7a4519e88baebaae6974a310",
    FACT_HEADS: "b6d6eddf3b1655905e04d8b5b29dc1043d00824ad9bc36fc33dfcc550c8fde34",
    BELIEF: "3655c6b1371ecb5b551f985b61aa6e1fcde3db0bccc5cdd4d488d31a54225a47",
}
QUESTION, STATEMENT, BEFORE, MESSAGE, IN_LIST = 32, 64, 32, 160, 44
FACTS_BEFORE, FACTS_MESSAGE = 48, 112
"""The most word pieces of each that are read."""
VERDICTS = (Verdict.NONE, Verdict.REPLACES, Verdict.ENDS, Verdict.SAME, Verdict.ADDS)
ROLES = (AnswerRole.NONE, AnswerRole.NOW, AnswerRole.OVER)
ASKINGS = (Asking.NOW, Asking.PAST, Asking.WHEN, Asking.TALK)
REMEMBERED, READ_LATELY = 1_024, 256
"""Verdicts that are kept in memory: the same are asked for again and again. And questions with the statements that were
read with them, seven kilobytes each: more of them made a server that is asked something new each time grow for long."""
HALF_READ = 8
"""Messages of which the states between the layers are kept: what says where its statements begin is asked first, and
what facts they state right after. Up to half a megabyte each."""
CODED, LONGEST_CODED = 64, 2_048
"""So many texts of so many characters keep their word pieces: a turn is asked about by who reads it, by who reads its
facts and by who judges it."""
THREADS = min(2, default_lanes())
"""Of one run: ten hits read with a question are three hundred word pieces, for which somebody waits."""
DIGITS = 3


class TurnReader:
    """Every pair is read in a run of its own: the graph scales its int8 activations over all it is given at once, so
    that one read in company would depend on the company."""

    name = "turnreader-13"

    def __init__(self, *, lanes: int | None = None) -> None:
        self._model = Once(_load)
        self._lanes = default_lanes() if lanes is None else lanes
        self._threads: ThreadPoolExecutor | None = None
        self._roles = lru_cache(READ_LATELY)(self._roles_of)
        self._verdict = lru_cache(REMEMBERED)(self._verdict_of)
        self._asked = lru_cache(REMEMBERED)(self._asking_of)

    def judge(self, pairs: Sequence[Pair]) -> list[Judged]:
        return self._side_by_side(self._verdict, [(pair,) for pair in pairs])

    def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
        return list(self._roles(question, tuple(statements))) if statements else []

    def asking(self, question: str) -> Asking:
        return self._asked(question)

    def read(self, text: str, speaker: str, before: str = "") -> ReadMessage:
        """A message longer than the model's reach is read by stretches, cut where a sentence ends."""
        loaded, lead = self._model.get(), f"{speaker}: "
        coded = loaded.coded(lead + text)
        at = [(start - len(lead), end - len(lead)) for start, end in coded.offsets]
        own = [place for place, (start, _) in enumerate(at) if start >= 0]
        pieces: list[Piece] = []
        names: list[ReadName] = []
        context, head = loaded.pieces(before, BEFORE), coded.ids[: own[0]] if own else []
        for first, last in _stretches(text, [at[place] for place in own], MESSAGE - len(head)):
            ids = coded.ids[own[0] + first : own[0] + last]
            outputs = loaded.message_outputs(["cut", "tag", "name", "states"], context, [*head, *ids])
            skip = len(context) + 2 + len(head)
            told = {
                name: rows[skip : skip + len(ids)]
                for name, rows in zip(("cut", "tag", "name", "states"), outputs, strict=True)
            }
            found = message(text, [at[own[0] + place] for place in range(first, last)], told, loaded.heads)
            pieces += found.pieces
            names += found.names
        return ReadMessage(tuple(pieces), tuple(names))

    def facts(self, text: str, speaker: str, before: str = "") -> tuple[FoundFact, ...]:
        """A long message by stretches, as in `read`."""
        heads, found = self._model.get().fact_heads, list[FoundFact]()
        for rows, states in self.states(text, speaker, before):
            with one_core:
                found += facts_in(text, rows, states, heads)
        return tuple(found)

    def beliefs(self, text: str, speaker: str, before: str, claims: Sequence[AssertedFact]) -> list[float]:
        heads, read = self._model.get().belief_heads, list(self.states(text, speaker, before)) if claims else []
        found = []
        for claim in claims:
            stands = (parts_of(claim, text, before, speaker, *one) for one in read)
            parts = next((one for one in stands if one is not None), None)
            found.append(0.0 if parts is None else _rounded(belief(claim.relation, parts, heads)))
        return found

    def states(self, text: str, speaker: str, before: str = "") -> Iterator[tuple[list[tuple[Place, Span]], Any]]:
        """What facts are read from: for each stretch, where each state stands, and the states."""
        loaded, lead = self._model.get(), f"{speaker}: "
        coded, earlier = loaded.coded(lead + text), loaded.coded(before)
        at = [(start - len(lead), end - len(lead)) for start, end in coded.offsets]
        own = [place for place, (start, _) in enumerate(at) if start >= 0]
        context = list(zip(earlier.ids, earlier.offsets, strict=True))[-FACTS_BEFORE:]
        head = list(coded.ids[: own[0]] if own else ())[: FACTS_MESSAGE // 2]
        opening = [(Place.NOWHERE, (0, 0)), *((Place.BEFORE, span) for _, span in context), (Place.NOWHERE, (0, 0))]
        opening += [(Place.SPEAKER, (0, 0))] * len(head)
        led = [NO_WORD, *shapes(before, [span for _, span in context]), *([NO_WORD] * (1 + len(head)))]
        written = shapes(text, [at[place] for place in own])
        for first, last in _stretches(text, [at[place] for place in own], FACTS_MESSAGE - len(head)):
            ids = list(coded.ids[own[0] + first : own[0] + last])
            rows = [*opening, *((Place.TURN, at[own[0] + place]) for place in range(first, last))]
            known = tuple(one for one, _ in context), (*head, *ids), (*led, *written[first:last], NO_WORD)
            yield [*rows, (Place.NOWHERE, (0, 0))], loaded.fact_states(*known)

    def _side_by_side(self, ask: Any, given: Sequence[tuple[Any, ...]]) -> list[Any]:
        if len(given) < 2 or self._lanes < 2:
            return [ask(*one) for one in given]
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._lanes, thread_name_prefix="treering-judge")
        return list(self._threads.map(lambda one: ask(*one), given))

    def _verdict_of(self, pair: Pair) -> Judged:
        coder = self._model.get()
        first = [coder.pieces(pair.question, QUESTION), coder.pieces(pair.older, STATEMENT)]
        second = [coder.pieces(pair.newer, STATEMENT), coder.pieces(pair.before, BEFORE)]
        told = coder.run("verdict", first, second)
        best = int(np.argmax(told))
        scores = tuple((one, _rounded(score)) for one, score in zip(VERDICTS, told, strict=True))
        return Judged(VERDICTS[best], _rounded(told[best]), scores)

    def _roles_of(self, question: str, statements: tuple[FoundStatement, ...]) -> tuple[Roled, ...]:
        """One run for all of them; the head is laid over the mean of each one's states, and of each stretch's."""
        coder = self._model.get()
        asked, said = coder.pieces(question, QUESTION), [coder.coded(one.text) for one in statements]
        (states,) = coder.outputs(["states"], [asked], [list(one.ids[:IN_LIST]) for one in said])
        first, found = len(asked) + 2, []
        for statement, coded in zip(statements, said, strict=True):
            at = coded.offsets[:IN_LIST]
            own = states[first : first + len(at) + 1]
            told = part_of(coder.heads, states[0], own.mean(0))
            best = int(np.argmax(told))
            scores = tuple((role, _rounded(score)) for role, score in zip(ROLES, told, strict=True))
            within = tuple(_answers(coder.heads, states[0], own, at, span) for span in statement.stretches)
            found.append(Roled(ROLES[best], _rounded(told[best]), scores, within))
            first += len(own)
        return tuple(found)

    def _asking_of(self, question: str) -> Asking:
        coder = self._model.get()
        told = coder.run("asks", [[]], [coder.pieces(f"User: {question}", MESSAGE)])
        return ASKINGS[int(np.argmax(told))]


def _stretches(text: str, at: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[int, int]]:
    """Of at most so many word pieces each, ending with a sentence where one ends in its second half."""
    first = 0
    while first < len(at):
        last = min(first + most, len(at))
        if last < len(at):
            ends = (place for place in range(last, first + most // 2, -1) if text[at[place - 1][0]] in ".!?\n")
            last = next(ends, last)
        yield first, last
        first = last


def _answers(
    heads: dict[str, Any], opening: Any, own: Any, at: Sequence[tuple[int, int]], span: tuple[int, int]
) -> float:
    """How far a stretch answers, now or once; what lies beyond the reach does not."""
    inside = [place for place, (start, end) in enumerate(at) if start < span[1] and end > span[0]]
    return _rounded(1 - part_of(heads, opening, own[inside].mean(0))[ROLES.index(AnswerRole.NONE)]) if inside else 0.0


def _rounded(score: float) -> float:
    return round(float(score), DIGITS)


@dataclass(frozen=True, slots=True)
class CodedText:
    """The word pieces of a text, and the characters of each."""

    ids: tuple[int, ...]
    offsets: tuple[Span, ...]


class LoadedModel:
    """The session, its tokenizer, and the heads that are laid over pieces of a message."""

    def __init__(
        self, model: Path, vocabulary: Path, pieces: Path, facts: Path, laid_over_facts: Sequence[Path]
    ) -> None:
        from tokenizers import BertWordPieceTokenizer

        self._tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
        self._opening, self._closing = (self._tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]"))
        lower, upper = cut_at(model.read_bytes(), [MIDDLE], zeros=MASK)
        self._lower, self._upper = open_session(lower, THREADS), open_session(upper, THREADS)
        self._facts = open_session(facts, THREADS)
        self._half_read = lru_cache(HALF_READ)(self._lower_of)
        self.fact_states = lru_cache(HALF_READ)(self._fact_states)
        self._coded_lately = lru_cache(CODED)(self._coded_text)
        self.heads = _laid(pieces)
        self.fact_heads, self.belief_heads = (_laid(one) for one in laid_over_facts)

    def pieces(self, text: str, most: int) -> list[int]:
        return list(self.coded(text).ids[:most])

    def coded(self, text: str) -> CodedText:
        return self._coded_lately(text) if len(text) <= LONGEST_CODED else self._coded_text(text)

    def _coded_text(self, text: str) -> CodedText:
        coded = self._tokenizer.encode(text, add_special_tokens=False)
        return CodedText(tuple(coded.ids), tuple(coded.offsets))

    def run(self, output: str, first: Sequence[list[int]], second: Sequence[list[int]]) -> Any:
        return self.outputs([output], first, second)[0]

    def _fact_states(self, before: tuple[int, ...], said: tuple[int, ...], written: tuple[int, ...]) -> Any:
        """`written`: how the word of each piece is written, which the pieces do not tell."""
        middle = self._half_read(*self._coded([before], [said]))
        return self._facts.run(["states"], {"middle": middle + self.fact_heads["shape.weight"][list(written)]})[0][0]

    def outputs(self, names: list[str], first: Sequence[list[int]], second: Sequence[list[int]]) -> list[Any]:
        return self._goes_on(names, self._lower_of(*self._coded(first, second)))

    def message_outputs(self, names: list[str], before: list[int], said: list[int]) -> list[Any]:
        """Of a message, the facts of which are read next."""
        return self._goes_on(names, self._half_read(*self._coded([before], [said])))

    def _coded(self, first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], int]:
        """The word pieces, and how many of them are of the first."""
        opening, rest = ([one for part in parts for one in (*part, self._closing)] for parts in (first, second))
        return (self._opening, *opening, *rest), 1 + len(opening)

    def _lower_of(self, ids: tuple[int, ...], first: int) -> Any:
        types = (np.arange(len(ids)) >= first).astype(np.int64)[None]
        return self._lower.run([MIDDLE], {"input_ids": np.array([ids], np.int64), "token_type_ids": types})[0]

    def _goes_on(self, names: list[str], middle: Any) -> list[Any]:
        given = {MIDDLE: middle, "attention_mask": np.ones(middle.shape[:2], np.int64)}
        return [told[0] for told in self._upper.run(names, given)]


def _laid(path: Path) -> dict[str, Any]:
    with np.load(path) as laid:
        return {name: laid[name].astype(np.float32) if laid[name].dtype == np.float16 else laid[name] for name in laid}


def _load() -> LoadedModel:
    with ExitStack() as stack:
        model, pieces, facts, heads = (_data_file(name, stack) for name in (MODEL, PIECES, FACTS, FACT_HEADS))
        belief = _data_file(BELIEF, stack)
        return LoadedModel(model, finder_file(VOCABULARY, stack), pieces, facts, (heads, belief))


def _data_file(name: str, stack: ExitStack) -> Path:
    path = stack.enter_context(as_file(files(__name__) / name))
    check_digest(path, DIGESTS[name])
    return path
