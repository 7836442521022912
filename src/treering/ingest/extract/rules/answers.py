"""What does a fragment mean after what was said before it? Asked for the company, "Tessellate Bio" is where I go.

Works on text alone, before anything is parsed: it writes the sentence that was meant, in the first person, and the
other rules read that. The sentence is about whoever was asked about, in the tense of the question. Where no line of the
tables fits, nothing is completed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from treering.ingest.extract.contract import Heard, Turn
from treering.ingest.extract.rules.lexicon import APOSTROPHE, is_role, words
from treering.ingest.extract.rules.nods import nodded
from treering.ingest.extract.rules.slips import mended, mended_within
from treering.ingest.extract.rules.verbs import form
from treering.language.chatter import is_chatter
from treering.language.english import word_classes
from treering.language.gazetteer import gazetteer
from treering.language.sentences import sentences

_WORDS = re.compile(r"\S+")
LONGEST_ANSWER_WORDS = 14
LONGEST_BARE_QUESTION_WORDS = 3
_YES = re.compile(r"^(?:(?:yes|yeah|yep|yup|sure|well|oh|um|hm+|ok|so|just)\b[\s,.!]*)+", re.I)
_NO = re.compile(
    r"^(?:no|nope|nah|none|nothing|not (?:really|sure|that|yet|any ?more|at all)|never|idk|dunno|unsure|depends|varies"
    r"|sometimes|rarely|often|usually)\b",
    re.I,
)
_LED_TO = re.compile(r" (?P<by>in|at|to|from|as) \{a\}")
_OTHERWISE_PLACED = re.compile(
    r"^(?:with|near|not far|close|outside|next|just|between|on|around|by|across|under)\b", re.I
)
_OTHERWISE = re.compile(r"^(?:no|nope|nah)[\s,.]+(?:in |at )?(?P<v>(?-i:[A-Z]).*)$", re.I)
_SENTENCE = re.compile(
    r"^(?:(?:and|but|so|oh|ok|well|yes|yeah|no|actually|honestly|maybe|i think)[\s,]+)*"
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|he|she|they|it|it's|that|that's|this|there|my|our|his|her|the"
    r" \w+ (?:is|was)|what|who|how|why|"
    r"when|where|which|can|could|do|does|did|is|are|will|would|should|please|thanks|thank|let|hang|one (?:sec"
    r"|moment)|wait)\b",
    re.I,
)
_YOU = r"you all|you guys|you|y'all|everyone|everybody|folks"
_PARTS = {
    " DO": r" (?P<does>do|does) WHO",
    " DID": r" did WHO",
    " ARE": r"(?: (?P<does>are|is)|'s|'re) WHO",
    "FIRM": r"(?:company|firm|startup|place|employer|org\w*|team)",
    "SCHOOL": r"(?:school|university|college|uni|high school)",
    "TOWN": r"(?:city|town|country|state|village|part of \w+|place)",
    "DRUG": r"(?:medication|meds|medicine|pills|drug)s?",
    "GOING": r"(?P<v>going|travell?ing|heading|flying|moving|driving|relocating)",
    "WHO": rf"(?P<s>{_YOU}|he|she|they|(?:your|his|her|their|our|the) [\w' -]{{1,40}}?"
    r"|(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)*)"
    r"(?: (?:now|currently|all|both|actually|usually|still|mostly|exactly))*",
}
"""WHO is asked about; DO and ARE say also whether of several."""
# A question, and what its answer says. {a} is the answer, {S} who was asked about, any other word a verb that agrees.
ANSWERS: tuple[tuple[str, str], ...] = (
    (r"(?:name of the|which|what) (?:FIRM|SCHOOL) (?:that |is it )?(?P<s>you)(?:'re| are) joining",
     "{S} {be} joining {a}"),
    (r"(?:which|what) (?:FIRM|SCHOOL) ARE joining", "{S} {be} joining {a}"),
    (r"(?:which|what) FIRM DID join", "{S} joined {a}"),
    (r"(?:where|who|(?:which|what) FIRM) DO work\b", "{S} {work} at {a}"),
    (r"(?:where|who|(?:which|what) FIRM) ARE (?:working|employed)\b", "{S} {work} at {a}"),
    (r"(?:where|who|(?:which|what) FIRM) DID (?:use to )?work\b", "{S} used to work at {a}"),
    (r"who(?:'s| is) your employer", "I work at {a}"),
    (r"(?:where|(?:which|what) TOWN)(?: in \w+)? DO live\b", "{S} {live} in {a}"),
    (r"(?:where|(?:which|what) TOWN)(?: in \w+)? ARE (?:based|living|located)\b", "{S} {live} in {a}"),
    (r"(?:where|(?:which|what) TOWN)(?: in \w+)? DID (?:use to )?live\b", "{S} used to live in {a}"),
    (r"where (?:was|were) WHO born\b", "{S} {was} born in {a}"),
    (r"where ARE from\b", "{S} {be} from {a}"),
    (r"where DID move (?P<v>to|from)\b", "{S} moved {v} {a}"),
    (r"where ARE(?: right)?(?: now| at| at the moment| these days)\s*\?", "{S} {be} in {a}"),
    (r"what ARE allergic to\b", "{S} {be} allergic to {a}"),
    (r"(?P<does>are|is) WHO allergic to\b", "{S} {be} allergic to {a}"),
    (r"(?P<does>do|does) WHO have (?:any |an )?(?:\w+ )?allerg", "{S} {be} allergic to {a}"),
    (r"what are your (?:\w+ )?allergies|^any (?:\w+ )?allergies(?: (?:i|we) should \w+(?: \w+)?)?\s*\?",
     "I'm allergic to {a}"),
    (r"(?P<does>do|does) WHO (?:have|follow) (?:any |a )?(?:\w+ )?(?:intoleran\w+|dietary|diets?)\b", "{S} {be} {a}"),
    (r"what(?:'s| is) your diet|^any (?:\w+ )?(?:intolerances|dietary \w+)(?: (?:i|we) should \w+(?: \w+)?)?\s*\?",
     "I'm {a}"),
    (r"(?:what|which) DRUG ARE (?:taking|on)\b", "{S} {take} {a}"),
    (r"(?:what|which) DRUG DO take\b", "{S} {take} {a}"),
    (r"(?:which|what)(?: \w+){0,4}? ARE (?:using|running)\b", "{S} {use} {a}"),
    (r"(?:which|what)(?: \w+){1,4}? ARE on\s*\?", "{S} {use} {a}"),
    (r"(?:which|what)(?: \w+){0,4}? DO use\b", "{S} {use} {a}"),
    (r"(?:which|what)(?: \w+){0,4}? have you been using\b", "I use {a}"),
    (r"which (?:one |of (?:them|those|the two) )?(?:did|do|would|will) you (?:like|prefer|pick|choose|want|go"
     r" (?:for|with))\b", "I prefer {a}"),
    (r"which(?: one| of (?:them|those|the two))? DO prefer\b", "{S} {prefer} {a}"),
    (r"what(?:'s| is) your name|who am i (?:talking|speaking) (?:to|with)|what (?:should|do"
     r"|can) i call you", "My name is {a}"),
    (r"how old ARE(?: now| these days)?\s*\?", "{S} {be} {a}"),
    (r"what DO (?:do|work as)(?: for (?:a living|work)| professionally| these days)?\s*(?:[?,]|$)",
     "{S} {work} as {a}"),
    (r"what(?:'s| is) your (?:current |new |official )?(?:job|role|title|position|profession|occupation)\b",
     "I work as {a}"),
    (r"what(?:'s| is) WHO's (?:job|role|title|position|profession|occupation)\b", "{S} {work} as {a}"),
    (r"(?:what|which) (?:other )?languages? DO speak\b", "{S} {speak} {a}"),
    (r"(?:where|(?:which|what) SCHOOL) DO (?:study|attend|go to(?: SCHOOL)?)\b", "{S} {go} to {a}"),
    (r"where ARE studying\b", "{S} {go} to {a}"),
    (r"(?:where|(?:which|what) SCHOOL) DID (?:study|attend|graduate from|go to(?: SCHOOL)?)\b", "{S} studied at {a}"),
    (r"(?:what|which) (?:kind of |type of )?\w+(?: \w+)? DO (?:have|own|drive|ride)\s*\?", "{S} {have} {a}"),
    (r"what DO (?:own|drive|ride)\s*\?", "{S} {have} {a}"),
    (r"(?P<does>do|does) WHO have (?:any |a )?(?:pets?|kids|children|siblings|brothers|sisters|dogs?|cats?|animals"
     r"|car|bike)\b",
     "{S} {have} {a}"),
    (r"how many (?P<x>\w+) DO have\s*\?", "{S} {have} {a} {x}"),
    (r"who(?:'s| is) your (?P<x>favou?rite \w+|boss|manager|supervisor|partner|wife|husband|dentist|doctor|landlord"
     r"|best friend)", "My {x} is {a}"),
    (r"what(?:'s| is| are) (?:the name of )?your (?P<x>\w+)(?:'s name| called)?\s*\?", "My {x} is {a}"),
    (r"what(?:'s| is| are) (?:the name of )?your (?P<x>(?:\w+'s )?\w+ \w+(?<!ing))(?:'s name)?\s*\?", "My {x} is {a}"),
    (r"when(?:'s| is| are) your (?P<x>(?:\w+'s )?\w+(?: \w+(?<!ing))?)\s*\?", "My {x} is {a}"),
    (r"when(?:'s| is| are) (?P<x>(?-i:[A-Z])\w+'s \w+)\s*\?", "{x} is {a}"),
    (r"when(?:'s| is| are) the (?P<x>\w+(?: \w+(?<!ing))?)\s*\?", "The {x} is {a}"),
    (r"(?:where|(?:which|what) TOWN) ARE GOING\b", "{S} {be} {v} to {a}"),
    (r"where will you (?:be )?(?:go|travel|head|fly)\w*", "I'm going to {a}"),
    (r"(?:what|which) (?:kind of |type of )?\w+ DO (?:like|enjoy|love)\b", "{S} {like} {a}"),
    (r"what DO (?:like|enjoy)\b", "{S} {like} {a}"),
)  # fmt: skip


def _question_pattern(asked: str) -> re.Pattern[str]:
    for part, written in _PARTS.items():
        asked = asked.replace(part, written)
    return re.compile(asked if asked.startswith("^") else rf"(?:^|(?<=\W)){asked}", re.I)


_ANSWERS = tuple((_question_pattern(asked), says) for asked, says in ANSWERS)


@dataclass(frozen=True, slots=True)
class Completed:
    """`corrects` is whether it takes the place of something said in a turn before."""

    text: str
    corrects: bool = False


def completed(heard: Heard) -> Completed | None:
    """The sentence that a fragment stands for, or None where it stands for itself."""
    text = heard.text.strip()
    within = mended_within(text)
    if within is not None:
        return Completed(within)
    if not text or not heard.before or len(_WORDS.findall(text)) > LONGEST_ANSWER_WORDS:
        return None
    earlier = next((turn for turn in reversed(heard.before[-3:]) if _same_speaker(turn, heard)), None)
    asked = bool(_asked(heard)) and _NO.match(text)
    slip = mended(text, earlier.text) if earlier and not asked else None
    if slip is not None:
        return Completed(slip, corrects=True)
    meant = _answered(heard, text)
    return None if meant is None else Completed(meant)


def _answered(heard: Heard, text: str) -> str | None:
    asked = _asked(heard)
    if not asked or text.endswith("?"):
        return None
    if (nod := nodded(asked[-1], text) or _put_right(asked[-1], text)) is not None:
        return nod
    if _SENTENCE.match(text) or _NO.match(text):
        return None
    answer = _without_chatter(_YES.sub("", text).strip())
    if not answer or _SENTENCE.match(answer):
        return None
    bare = len(_WORDS.findall(asked[-1])) <= LONGEST_BARE_QUESTION_WORDS
    return _said_in_full(asked[-1], answer) or (_said_in_full(asked[-2], answer) if bare and asked[1:] else None)


def _put_right(question: str, text: str) -> str | None:
    """ "No, Bergen" to "Do you live in Oslo?"."""
    other = _OTHERWISE.match(text)
    supposed = nodded(question, "yes") if other else None
    return mended(f"I mean {other['v']}", supposed) if other and supposed else None


def _said_in_full(question: str, answer: str) -> str | None:
    for asked, says in _ANSWERS:
        found = asked.search(question)
        if found:
            return _fitted(says, question, answer, found)
    return None


def _fitted(says: str, question: str, answer: str, found: re.Match[str]) -> str:
    """An answer may bring its own "in", or lie "near" it; of an age it may leave out "old"."""
    led = _LED_TO.search(says)
    if led and _OTHERWISE_PLACED.match(answer):
        says, answer = says.replace(led[0], " {a}"), answer[:1].lower() + answer[1:]
    elif led:
        answer = re.sub(rf"(?i)^(?:{led['by']}|in|at|for)\s+(?=\S)", "", answer)
    if re.match(r"(?i)\W*how old\b", question):
        answer = re.sub(r"(?i)\b((?:year|month|week|day)s?)[.!]*$", r"\1 old", answer)
    return says.format_map(_Slots(found.groupdict(), _written_small(answer)))


class _Slots(dict[str, str]):
    """What stands in a sentence: the answer, who was asked about, words of the question, and verbs that agree."""

    def __init__(self, found: dict[str, str | None], answer: str) -> None:
        said = {name: value for name, value in found.items() if value}
        asked = said.get("s", "you")
        self._mine = re.fullmatch(_YOU, asked, re.I) is not None
        self._several = said.get("does", "").lower() in ("do", "are")
        super().__init__(said, a=answer, S="I" if self._mine else re.sub(r"(?i)^your\b", "My", asked))

    def __missing__(self, verb: str) -> str:
        if verb == "was":
            return "were" if self._several and not self._mine else "was"
        if verb == "be":
            return "am" if self._mine else "are" if self._several else "is"
        return verb if self._mine or self._several else form(verb, "s")


_NO_NAMES = words(
    """
    a, an, the, home, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen,
    fifteen, sixteen, seventeen, eighteen, nineteen, twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety
    """
)


def _written_small(answer: str) -> str:
    """ "Product manager" is what somebody works as, and "Product" is nobody's name; nor is "Six" or "The"."""
    first = answer.split(maxsplit=1)[0].strip(".,!")
    ordinary = first.istitle() and word_classes(first.lower()) and not gazetteer().of(first)
    role = ordinary and is_role(re.split(r"[.,!]| (?:at|for|in|with|on) ", answer, maxsplit=1)[0])
    return answer[:1].lower() + answer[1:] if role or first.lower().partition("-")[0] in _NO_NAMES else answer


def _without_chatter(answer: str) -> str:
    """ "Umm, a plumber" is "a plumber"; of "Uhh" nothing is left."""
    first, _, rest = answer.partition(" ")
    return _without_chatter(rest.strip()) if first and is_chatter(first.strip(",.!?…-")) else answer


def _asked(heard: Heard) -> list[str]:
    """What somebody else asked last, question by question; a word of one's own in between ("hang on, let me check")
    does not matter."""
    for turn in reversed(heard.before[-3:]):
        if _same_speaker(turn, heard):
            if len(_WORDS.findall(turn.text)) > 6:
                return []
            continue
        said = turn.text.replace(APOSTROPHE, "'")
        return [said[a:b] for a, b in sentences(said) if "?" in said[a:b]]
    return []


def _same_speaker(turn: Turn, heard: Heard) -> bool:
    one = (turn.speaker or "user").casefold()
    other = (heard.speaker or "user").casefold()
    return one == other or {one, other} <= {"user", "human"}
