"""Which phrases name something in a text? Noun phrases, each with its noun, its name and whose it is.

"my boss Henrike" is one phrase: noun boss, name Henrike, of the first person. "a mutt named Gombóc" is one as well.
Times are no phrases here, and what a pronoun means is taken from the reading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from treering.ingest.extract.rules.lexicon import FRIENDS, ILLNESSES, KIN, PETS, TEAMS, words
from treering.ingest.extract.rules.recent import Parsed, ParsedWord
from treering.language.coreference import Meant, Place
from treering.language.english import written
from treering.language.names import Name

FIRST = frozenset(("i", "me", "we", "us", "myself", "ourselves", "mine", "ours", "im", "ive"))
MY = frozenset(("my", "our", "me"))
SECOND = frozenset(("you", "your", "yours", "u"))
NAMING = frozenset(("called", "named", "nicknamed", "titled"))
_NAMED_LATER = re.compile(
    r"(?:(?:it|he|she|they)(?: is|'s| are|'re|s) (?:called|named)|(?:his|her|its|their) names? ?(?:is|'s|are)"
    r"|(?:called|named) (?:it|him|her|them))$"
)
_NEW_ONE = re.compile(r"^(?:someone|somebody|my own|our own|a|an|another|my new|our new|new)\b")
_PLAIN_PRONOUNS = frozenset(("it", "this", "that", "these", "those", "they", "them", "he", "she", "him", "her", "one"))
_INSIDE = frozenset(("NN", "NNS", "NNP", "NNPS", "CD", "JJ", "JJR", "JJS", "FW", "$", "#", "ADD", "XX", "VBN", "VBG"))
_HEADS = frozenset(("NN", "NNS", "NNP", "NNPS", "CD", "FW", "ADD", "XX"))
_OPENERS = frozenset(("DT", "PRP$", "PDT", "WP$"))
_NEVER = words(
    """
    there, here, lol, btw, tbh, imo, fwiw, fyi, haha, pls, plz, etc, hey, ok
    """
)
_NOUNS_TOO = frozenset(("lead", "head", "cook", "coach", "host", "chair", "guide", "intern", "guard", "dev", "flat"))
OWNERS = (
    KIN | FRIENDS | PETS | frozenset(("boss", "manager", "company", "team", "client", "doctor", "teacher", "office"))
)
_PASSING_WORDS = words(
    """
    new, current, former, old, own, little, other, first, main, officially, acting
    """
)
_NOT_LEADING = frozenset(("VBN", "VBG"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """From token `start` to `end`. `sort` is i (who speaks), y (who is spoken to), n (named), c (common noun), q (a
    number), p (a pronoun of unknown meaning). `whose` is what stands before the 's, "" for the first person."""

    start: int
    end: int
    sort: str
    text: str
    noun: str = ""
    name: str | None = None
    kind: str | None = None
    whose: str | None = None
    article: str = ""
    full: str = ""
    several: tuple[str, ...] = ()  # the names that "they" or "both" stands for

    @property
    def label(self) -> str:
        """How a claim calls it: by its name, else by its noun, and whose it is where that is somebody with a name."""
        if self.name is None and self.noun and self.whose and self.whose[:1].isupper():
            return f"{self.whose}'s {self.noun}"
        return self.name or self.noun or self.text


def phrases(
    read: Parsed,
    tags: Sequence[str],
    stand_ins: Mapping[Place, Meant],
    shut: Sequence[bool],
    first_person: str,
) -> tuple[Phrase, ...]:
    """In order. A token that is `shut` (a time, the inside of quotation marks) is in none."""
    return _Chunker(read, tags, stand_ins, shut, first_person).all()


class _Chunker:
    def __init__(
        self,
        read: Parsed,
        tags: Sequence[str],
        stand_ins: Mapping[Place, Meant],
        shut: Sequence[bool],
        first_person: str,
    ) -> None:
        self._words = read.words
        self._text = written(read.doc)
        self._tags = tags
        self._shut = shut
        self._me = first_person
        self._stand_ins = {start: (end, meant) for (start, end), meant in stand_ins.items()}
        self._name_at: dict[int, Name] = {}
        for name in read.names:
            for i in read.tokens(name.start, name.end):
                self._name_at[i] = name

    def all(self) -> tuple[Phrase, ...]:
        found: list[Phrase] = []
        i = 0
        while i < len(self._words):
            phrase = None if self._shut[i] else self._stand_in(i) or self._pronoun(i) or self._chunk(i)
            if phrase is None:
                i += 1
                continue
            if not self._joins_name(found, phrase):
                found.append(phrase)
            i = phrase.end
        return tuple(self._named_later(self._apposed(found)))

    def _stand_in(self, i: int) -> Phrase | None:
        token = self._words[i]
        if token.idx not in self._stand_ins:
            return None
        until, meant = self._stand_ins[token.idx]
        if self._tags[i] == "PRP$" and until <= token.idx + len(token):
            return None
        end = i
        while end < len(self._words) and self._words[end].idx < until:
            end += 1
        kind = meant.names[0].kind if meant.names else None
        name = meant.names[0].text if len(meant.names) == 1 else meant.text
        if meant.text == self._me:
            return Phrase(i, end, "i", meant.text, name=self._me)
        noun = "" if meant.names else _bare(meant.text)
        sort = "n" if meant.names else "c"
        several = tuple(one.text for one in meant.names) if len(meant.names) > 1 else ()
        return Phrase(i, end, sort, meant.text, noun, name if meant.names else None, kind, several=several)

    def _pronoun(self, i: int) -> Phrase | None:
        token = self._words[i]
        low = token.lower_
        if i in self._name_at:
            return None
        if low in FIRST:
            return Phrase(i, i + 1, "i", token.text, name=self._me)
        if self._tags[token.i] == "PRP$" or (low in ("that", "this", "these", "those") and self._tags[token.i] == "DT"):
            return None
        if low in SECOND:
            return Phrase(i, i + 1, "y", token.text, noun="you")
        if low in _PLAIN_PRONOUNS and self._tags[token.i] in ("PRP", "DT", "WDT") and low not in ("that",):
            return Phrase(i, i + 1, "p", token.text, noun=low)
        if self._tags[token.i] == "NN" and low in (
            "someone",
            "somebody",
            "everyone",
            "everybody",
            "nobody",
            "nothing",
            "anything",
        ):
            return Phrase(i, i + 1, "c", token.text, noun=low)
        return None

    def _chunk(self, i: int) -> Phrase | None:
        words = self._words
        end = i
        head = -1
        parts: list[ParsedWord] = []
        while end < len(words) and not self._shut[end]:
            token = words[end]
            named = end in self._name_at
            if end > i and not named and (self._tags[token.i] in _OPENERS or self._tags[token.i] == "PRP"):
                break
            if end > i and named and self._new_name(end) and head >= 0 and self._breaks_before(end, i):
                break
            if not (named or self._goes_inside(token, end, i)):
                break
            if named or self._tags[token.i] in _HEADS or token.lower_ in _NOUNS_TOO:
                head = end
            parts.append(token)
            end += 1
        if head < 0:
            return None
        return self._phrase(i, head + 1)

    def _new_name(self, i: int) -> bool:
        return i == 0 or self._name_at.get(i) is not self._name_at.get(i - 1)

    def _breaks_before(self, i: int, begin: int) -> bool:
        """Two names side by side are two phrases; a noun before a name is part of it: "my boss Henrike"."""
        return (i - 1) in self._name_at and self._tags[i - 1] != "POS"

    def _goes_inside(self, token: ParsedWord, at: int, begin: int) -> bool:
        low = token.lower_
        if self._in_law(at, begin):
            return True
        if low == "of" and at > begin and self._words[at - 1].lower_ == "bit":
            return False
        if low in _NEVER or low == "no" or (low == "more" and at > 0 and self._words[at - 1].lower_ == "no"):
            return False
        if token.is_alpha and self._hyphened(at):
            return True
        if low in _NOUNS_TOO and at > begin and not self._object_follows(at):
            return True
        if self._tags[token.i] in _OPENERS:
            return at == begin
        if self._tags[token.i] == "POS":
            return at > begin
        if self._tags[token.i] in _NOT_LEADING:
            # a participle belongs to a noun phrase only after its article: "a battered tent", but "living in"
            return at > begin and self._tags[at - 1] in ("DT", "PRP$", "JJ") and at + 1 < len(self._words)
        if low in ("-", "/", "&", "+") and at > begin and at + 1 < len(self._words):
            joined = not self._words[at - 1].whitespace_ and not token.whitespace_
            return joined or (low == "&" and at in self._name_at)
        return self._tags[token.i] in _INSIDE

    def _in_law(self, at: int, begin: int) -> bool:
        words = [token.lower_ for token in self._words[at : at + 2]]
        return at > begin and (words == ["in", "law"] or (words[:1] == ["law"] and self._words[at - 1].lower_ == "in"))

    def _hyphened(self, at: int) -> bool:
        """One half of "on-call" or "side-by-side"."""
        words = self._words
        after = at + 1 < len(words) and words[at + 1].text == "-" and not words[at].whitespace_
        before = at > 0 and words[at - 1].text == "-" and not words[at - 1].whitespace_
        return (after and at + 2 < len(words) and not words[at + 1].whitespace_) or before

    def _object_follows(self, at: int) -> bool:
        return at + 1 < len(self._words) and self._tags[at + 1] in ("DT", "PRP", "PRP$", "TO", "NNP")

    def _phrase(self, start: int, end: int) -> Phrase:
        words = self._words
        tokens = list(words[start:end])
        article, whose, body = "", None, tokens
        if self._tags[tokens[0].i] in ("DT", "PDT"):
            article, body = tokens[0].lower_, tokens[1:]
        elif self._tags[tokens[0].i] == "PRP$":
            whose, body = self._possessor(tokens[0]), tokens[1:]
            article = "my"
        for k in range(len(body) - 1, 0, -1):  # before the first there is nobody whose it could be
            if self._tags[body[k].i] == "POS" and k + 1 < len(body):
                whose = self._span_text(body[0].i, body[k].i)
                owner = self._name_at.get(body[k].i - 1)
                if owner is None and whose.lower().split()[-1] not in OWNERS:
                    whose = None
                    break
                whose = owner.text if owner else _without_article(whose)
                body = body[k + 1 :]
                article = "my"
                break
        while body and self._tags[body[-1].i] == "POS":
            body = body[:-1]
        if not body:
            body = [tokens[-1]]
        named = [t for t in body if t.i in self._name_at]
        name = self._name_at[named[-1].i] if named else None
        nouns = [t for t in body if t.i not in self._name_at]
        noun = _noun_text(self._text, nouns)
        text = self._span_text(start, end)
        if name is not None:
            return self._of_name(start, end, text, name, noun, nouns, whose, article)
        if start > 0 and words[start - 1].text == "`" and end < len(words) and words[end].text == "`":
            return Phrase(start, end, "n", text, "", text, "project", whose, article)
        full = _described(self._text, body)
        if full.lower() in ILLNESSES:
            noun = full
        sort = "q" if self._tags[body[-1].i] == "CD" or self._tags[body[0].i] == "$" else "c"
        return Phrase(start, end, sort, text, noun or _bare(text), None, None, whose, article, full)

    def _of_name(
        self,
        start: int,
        end: int,
        text: str,
        name: Name,
        noun: str,
        nouns: list[ParsedWord],
        whose: str | None,
        article: str,
    ) -> Phrase:
        called = name.text
        before = [t for t in nouns if t.idx < name.start]
        after = [t for t in nouns if t.idx >= name.end]
        if after and name.kind == "place" and after[-1].lower_ not in TEAMS:
            # the Stockholm office is a thing of its own; Orchid in "the Orchid migration" is the thing
            tail = self._text[name.start : after[-1].idx + len(after[-1])]
            return Phrase(start, end, "c", text, tail, None, None, whose, article)
        noun = _noun_text(self._text, before) if before else _noun_text(self._text, after)
        return Phrase(start, end, "n", text, noun, called, name.kind, whose, article)

    def _possessor(self, token: ParsedWord) -> str | None:
        if token.lower_ in MY:
            return ""
        if token.idx in self._stand_ins:
            meant = self._stand_ins[token.idx][1]
            return meant.names[0].text if len(meant.names) == 1 else meant.text
        return token.lower_

    def _joins_name(self, found: list[Phrase], phrase: Phrase) -> bool:
        """ "a mutt named Gombóc": the name belongs to the phrase before the naming word."""
        if not found or phrase.sort not in "nc":
            return False
        last = found[-1]
        between = self._words[last.end : phrase.start]
        words = [t.lower_ for t in between]
        if not words or (words[0] == "that" and len(words) < 2):
            return False
        naming = words[0] in NAMING and len(words) == 1
        if not naming or last.sort != "c" or last.end == phrase.start:
            return False
        name = phrase.name or _title(phrase.text)
        found[-1] = replace(
            last, end=phrase.end, sort="n", name=name, kind=phrase.kind if phrase.name else None,
            text=self._span_text(last.start, phrase.end),
        )  # fmt: skip
        return True

    def _apposed(self, found: list[Phrase]) -> list[Phrase]:
        """ "a bakery, De Gouden Krakeling" and "my daughter (Wren)": what is said to be is named right after."""
        joined: list[Phrase] = []
        for phrase in found:
            last = joined[-1] if joined else None
            if last and self._names_the_last(last, phrase):
                joined[-1] = replace(
                    last,
                    end=phrase.end + self._closing_comma(last, phrase),
                    sort="n",
                    name=phrase.name,
                    kind=phrase.kind,
                    text=self._span_text(last.start, phrase.end),
                )
            else:
                joined.append(phrase)
        return joined

    def _closing_comma(self, last: Phrase, phrase: Phrase) -> int:
        """ "Our eldest, Sixten, started": the second comma belongs to the name where the verb comes after it."""
        k = phrase.end
        if k >= len(self._words) or self._words[k].text not in (",", ")"):
            return 0
        if self._words[k].text == ")":
            return 1
        k += 1
        while k < len(self._words) and self._tags[k] == "RB":
            k += 1
        starts = last.start == 0 or self._words[last.start - 1].is_punct
        return int(starts and k < len(self._words) and self._tags[k] in ("VBD", "VBZ", "MD"))

    def _named_later(self, found: list[Phrase]) -> list[Phrase]:
        """ "my own place, it's called Korn" and "a second one! his name is Rex": named in the clause after."""
        for k, phrase in enumerate(found):
            if phrase.sort != "n" or k == 0:
                continue
            lead = " ".join(token.lower_ for token in self._words[max(0, phrase.start - 4) : phrase.start])
            if not _NAMED_LATER.search(lead):
                continue
            for back in range(k - 1, -1, -1):
                other = found[back]
                if other.sort in "cq" and (
                    other.article in ("a", "an", "another") or _NEW_ONE.search(other.text.lower())
                ):
                    found[back] = replace(other, sort="n", name=phrase.name, kind=phrase.kind)
                    break
                if other.sort == "n" and other.name != phrase.name:
                    break
        return found

    def _names_the_last(self, last: Phrase, phrase: Phrase) -> bool:
        described = last.sort == "c" or (last.sort == "n" and last.article in ("a", "an") and not last.noun)
        if not described or phrase.sort != "n" or not (last.article or last.whose is not None):
            return False
        if phrase.noun and phrase.article not in ("a", "an"):
            return False
        between = [
            t.lower_
            for t in self._words[last.end : phrase.start]
            if not self._shut[t.i] and t.lower_ not in ("now", "right")
        ]
        after = self._words[phrase.end].lower_ if phrase.end < len(self._words) else "."
        if between == [","]:
            return after in (".", ",", "!", ";", ")") or phrase.end >= len(self._words)
        return between == ["("] and after == ")"

    def _span_text(self, start: int, end: int) -> str:
        last = self._words[end - 1]
        return self._text[self._words[start].idx : last.idx + len(last)]


def shown(phrase: Phrase, me: str) -> str:
    """How a sentence calls it: "User's parents", "the analytics pipeline", "Anna"."""
    if phrase.name or not phrase.noun:
        return phrase.label
    if phrase.whose is not None:
        return f"{phrase.whose or me}'s {phrase.noun}"
    return f"the {phrase.noun}" if phrase.article == "the" else phrase.noun


def _noun_text(text: str, tokens: list[ParsedWord]) -> str:
    """The noun with the nouns before it, without what only describes: "a battered old bell tent" is a bell tent."""
    while tokens and tokens[-1].tag_ == "POS":
        tokens = tokens[:-1]
    first = 0
    while first < len(tokens) - 1 and tokens[first].tag_ in ("JJ", "JJR", "JJS", "CD", "VBN", "VBG", "RB"):
        first += 1
    if not tokens:
        return ""
    last = tokens[-1]
    return text[tokens[first].idx : last.idx + len(last)]


def _described(text: str, tokens: list[ParsedWord]) -> str:
    """Noun and what describes it: "senior backend dev", not "new CTO"."""
    kept = [token for token in tokens if token.lower_ not in _PASSING_WORDS]
    if not kept:
        return ""
    last = kept[-1]
    return text[kept[0].idx : last.idx + len(last)]


def _without_article(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if rest and first.lower() in ("the", "a", "an", "my", "our") else text


def _bare(text: str) -> str:
    return _without_article(text.strip())


def _title(text: str) -> str:
    return text.strip()
