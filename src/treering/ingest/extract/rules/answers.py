"""What does a fragment mean after what was said before it? Asked for the company, "Tessellate Bio" is where I go.

Works on text alone, before anything is parsed: it writes the sentence that was meant, in the first person, and the
other rules read that. Where no line of the tables fits, nothing is completed.
"""

from __future__ import annotations

import re

from treering.ingest.extract.contract import Heard, Turn
from treering.language.chatter import is_chatter

_WORDS = re.compile(r"\S+")
LONGEST_ANSWER_WORDS = 14
_YES = re.compile(r"^(?:(?:yes|yeah|yep|yup|sure|well|oh|um|hm+|ok|so|just)\b[\s,.!]*)+", re.I)
_NO = re.compile(r"^(?:no|nope|nah|none|nothing|not really|never|idk|dunno|not sure)\b", re.I)
_SENTENCE = re.compile(
    r"^(?:(?:and|but|so|oh|ok|well|yes|yeah|no|actually|honestly|maybe|i think)[\s,]+)*"
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|he|she|they|it|it's|that|that's|this|there|my|our|his|her|the"
    r" \w+ (?:is|was)|what|who|how|why|"
    r"when|where|which|can|could|do|does|did|is|are|will|would|should|please|thanks|thank|let|hang|one (?:sec"
    r"|moment)|wait)\b",
    re.I,
)
# A question, and what its answer says. {a} is the answer.
ANSWERS: tuple[tuple[str, str], ...] = (
    (r"(?:name of the|which|what) (?:company|firm|startup|place|employer|org\w*|school"
     r"|team)\b.*\bjoin", "I'm joining {a}"),
    (r"(?:where|who|which company|what company) (?:do|are|did) you (?:now )?(?:work|employed|working)|who(?:'s"
     r"| is) your employer", "I work at {a}"),
    (r"where(?:'s| is| are| do| did) (?:you|everyone|everybody|y'all|you all|you guys|folks)\b.*\b(?:based|live"
     r"|living|located|at|now)|which city|what city|where.*\blive\b", "I live in {a}"),
    (r"\ballerg", "I'm allergic to {a}"),
    (r"\b(?:intoleran\w+|dietary|diet)\b", "I'm {a}"),
    (r"(?:which|what) (?:\w+ ){0,4}(?:are you|do you|have you been|y'all|are you all) (?:currently "
     r"|now )?(?:us(?:e|ing)|running|on)\b", "I use {a}"),
    (r"which (?:one |of (?:them|those|the two) )?(?:did|do|would|will) you (?:like|prefer|pick|choose|want"
     r"|go)", "I prefer {a}"),
    (r"what(?:'s| is) your name|who am i (?:talking|speaking) (?:to|with)|what (?:should|do"
     r"|can) i call you", "My name is {a}"),
    (r"how old (?:are you|is)", "I am {a}"),
    (r"what(?:'s| is| do you do| are you) .*\b(?:job|role|title|position|profession|occupation|for a living"
     r"|for work)\b|what do you do\b", "I work as {a}"),
    (r"(?:what|which) languages?\b.*\bspeak", "I speak {a}"),
    (r"where (?:did|do|are) you (?:study|studying|go to (?:school|university|college|uni))|which (?:school"
     r"|university|college)", "I studied at {a}"),
    (r"(?:what|which) (?:\w+ ){0,3}(?:do you (?:have|own|drive|ride)|have you got)", "I have {a}"),
    (r"who(?:'s| is) your (?P<x>boss|manager|supervisor|partner|wife|husband|dentist|doctor|landlord"
     r"|best friend)", "My {x} is {a}"),
    (r"what(?:'s| is| are) (?:the name of )?your (?P<x>\w+(?: \w+)?)(?:'s name| called| name)?\s*\?", "My {x} is {a}"),
    (r"when(?:'s| is| are) (?:your|the) (?P<x>\w+(?: \w+)?)\s*\?", "My {x} is {a}"),
    (r"what (?:medication|meds|medicine)\w*\b.*\b(?:take|taking|on)", "I take {a}"),
    (r"where (?:are|will) you (?:going|travel\w*|head\w*|fly\w*)", "I'm going to {a}"),
    (r"(?:what|which) (?:kind of |type of )?(?P<x>\w+) do you (?:like|enjoy|love)|what do you (?:like"
     r"|enjoy)", "I like {a}"),
)  # fmt: skip
_ANSWERS = tuple((re.compile(asked, re.I), says) for asked, says in ANSWERS)
_MENDS = re.compile(
    r"^(?:(?:oh|hm+|ah|argh|ugh|no)[\s,.]+)*(?:wait|oops|sorry|whoops|correction|actually|i mean|i meant|scratch"
    r" that|make that|typo)\b[\s,.:;!-]*"
    r"(?:no[\s,.]+)?(?:sorry[\s,.]+)?(?:(?:it's|its|that's|make it|i meant|i mean|should be|make"
    r" that)\s+)?(?P<v>[^,.!?;]{1,40}?)"
    r"(?:\s+(?:actually|sorry|not [^,.]+))?(?:[,.!;].*)?$",
    re.I,
)
_SHAPES = (
    re.compile(r"\b\d{1,2}[:.]\d{2}\b"),
    re.compile(r"\b(?:the )?\d{1,2}(?:st|nd|rd|th)\b", re.I),
    re.compile(r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow)\b", re.I),
    re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?\b", re.I),
    re.compile(r"\b\d{1,2} ?[ap]m\b", re.I),
    re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*[A-Za-z%]?\b"),
)


def completed(heard: Heard) -> str | None:
    """The sentence that a fragment stands for, or None where it stands for itself."""
    text = heard.text.strip()
    if not text or not heard.before or len(_WORDS.findall(text)) > LONGEST_ANSWER_WORDS:
        return None
    return _mended(heard, text) or _answered(heard, text)


def _answered(heard: Heard, text: str) -> str | None:
    question = _question(heard)
    if question is None or _SENTENCE.match(text) or _NO.match(text) or text.endswith("?"):
        return None
    answer = _without_chatter(_YES.sub("", text).strip())
    if not answer or _SENTENCE.match(answer):
        return None
    for asked, says in _ANSWERS:
        found = asked.search(question)
        if found:
            slots = {"a": answer, **{k: v for k, v in found.groupdict().items() if v}}
            return says.format_map({"x": "", **slots})
    return None


def _without_chatter(answer: str) -> str:
    """ "Umm, a plumber" is "a plumber"; of "Uhh" nothing is left."""
    first, _, rest = answer.partition(" ")
    return _without_chatter(rest.strip()) if first and is_chatter(first.strip(",.!?…-")) else answer


def _question(heard: Heard) -> str | None:
    """What somebody else asked last; a word of one's own in between ("hang on, let me check") does not matter."""
    for turn in reversed(heard.before[-3:]):
        if _same_speaker(turn, heard):
            if len(_WORDS.findall(turn.text)) > 6:
                return None
            continue
        return turn.text if "?" in turn.text else None
    return None


def _mended(heard: Heard, text: str) -> str | None:
    """ "oops, 842" after "Elodie's number ends in 482" is "Elodie's number ends in 842"."""
    found = _MENDS.match(text)
    earlier = next((turn for turn in reversed(heard.before[-3:]) if _same_speaker(turn, heard)), None)
    if found is None or earlier is None or len(earlier.text) > 200:
        return None
    value = found["v"].strip()
    for shape in _SHAPES:
        new = shape.search(value)
        old = list(shape.finditer(earlier.text))
        if new and old and len(_WORDS.findall(value)) <= 4:
            start, end = old[-1].span()
            return earlier.text[:start] + new[0] + earlier.text[end:]
    return None


def _same_speaker(turn: Turn, heard: Heard) -> bool:
    one = (turn.speaker or "user").casefold()
    other = (heard.speaker or "user").casefold()
    return one == other or {one, other} <= {"user", "human"}
