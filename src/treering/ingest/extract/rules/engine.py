"""What does a clause claim? Rules whose words it has are tried on its line; the slots of those that fit are filled."""

from __future__ import annotations

import re
from dataclasses import dataclass

from treering.ingest.extract.contract import WHICHEVER, Claim, Cue, Stance
from treering.ingest.extract.rules.clauses import numbers
from treering.ingest.extract.rules.denials import denies_a_part, denies_now, goes_out, has_ended
from treering.ingest.extract.rules.guards import GUARDS
from treering.ingest.extract.rules.moods import Mood, Spoken
from treering.ingest.extract.rules.pattern import Rulebook, SentenceRule, Slot
from treering.ingest.extract.rules.phrases import Phrase, shown
from treering.ingest.extract.rules.tastes import tastes
from treering.ingest.extract.rules.times import ClauseTimes, times_of, windows_in
from treering.language.sentences import sentences
from treering.model import limits

_TASTES = frozenset(("LIKES", "DISLIKES", "PREFERS"))
_PLAIN_NOT = 0.7
BESIDE_CHARS = 48
"""How far from a clause words still speak of it: "I'm in Oslo now, flying home on Sunday"."""


@dataclass(frozen=True, slots=True)
class Found:
    """A rule that fits, with what it claims. `labels` are the words in its slots."""

    rule: SentenceRule
    claims: tuple[Claim, ...]
    labels: dict[str, str]
    cue: Cue | None


def claims_in(spoken: Spoken, rules: Rulebook) -> list[Found]:
    """Of two rules that say something of the same two things, the earlier in the book is heard."""
    found: list[Found] = []
    if spoken.mood not in (Mood.STATED, Mood.PLANNED):
        return found
    seen: set[tuple[str, str]] = set()
    for rule in rules.speaking_of(frozenset(spoken.clause.full_line.split(" "))):
        match = _match(rule, spoken) if _may_say(rule, spoken) else None
        one = _found(rule, spoken, match) if match else None
        if one and rule.if_known:
            found.append(one)
            continue
        fresh = tuple(c for c in one.claims if (c.subject, c.object) not in seen) if one else ()
        if one and fresh:
            seen.update((c.subject, c.object) for c in fresh)
            found.append(Found(one.rule, fresh, one.labels, one.cue))
    return found


def _may_say(rule: SentenceRule, spoken: Spoken) -> bool:
    """Of what is to come, and of what is denied, not every rule speaks."""
    if spoken.mood is Mood.PLANNED and (not rule.planned or (rule.change and not _is_dated(spoken))):
        return False
    if rule.denied and not spoken.clause.negations:
        return False
    return not rule.needs or re.search(rule.needs, spoken.clause.reading.heard.text, re.I) is not None


def _says_something_else(rule: SentenceRule, spoken: Spoken) -> bool:
    """Whether the clause, or what is said right beside it in its sentence, has words by which the rule is not meant."""
    if not rule.unless:
        return False
    text, (start, end) = spoken.clause.reading.heard.text, spoken.clause.span
    first, last = next(((a, b) for a, b in sentences(text) if a <= start < b), (0, len(text)))
    beside = text[max(first, start - BESIDE_CHARS) : min(max(last, end), end + BESIDE_CHARS)]
    return re.search(rule.unless, beside, re.I) is not None


def _is_dated(spoken: Spoken) -> bool:
    """A change without a day may come at any time, or never."""
    return any(window.start is not None or window.end is not None for window in windows_in([spoken.clause]))


def _found(rule: SentenceRule, spoken: Spoken, match: re.Match[str]) -> Found | None:
    slots = {letter: _phrases(spoken, text) for letter, text in match.groupdict().items() if text}
    if not _allowed(rule, slots) or _says_something_else(rule, spoken):
        return None
    times = times_of(spoken.clause, rule.change, rule.past)
    claims = [claim for slot in rule.claims for claim in _filled(rule, slot, slots, spoken, times, match)]
    if not claims:
        return None
    cue = rule.cue or (Cue.CHANGE if spoken.clause.negations and not rule.denied else None)
    labels = {letter: _joined(phrases, spoken, letter) for letter, phrases in slots.items() if phrases}
    labels.setdefault("I", spoken.clause.reading.me)
    if slots.get("R"):
        labels["R"] = _role(slots["R"], spoken, match)
    return Found(rule, tuple(claims), labels, cue)


def _match(rule: SentenceRule, spoken: Spoken) -> re.Match[str] | None:
    """On the clause as it was said, then without what hangs on its subject: "the clinic on Bay Street is run by"."""
    full, match = spoken.clause.full_line, None
    if spoken.offset == 0:
        match = rule.regex.match(full)
    if match is None and (spoken.offset or spoken.line != full):
        match = rule.regex.match(spoken.line)
    return match


def _joined(phrases: list[Phrase], spoken: Spoken, letter: str) -> str:
    if letter in "ONX":
        return " and ".join(phrase.label for phrase in phrases)
    return " and ".join(shown(phrase, spoken.clause.reading.me) for phrase in phrases)


def _phrases(spoken: Spoken, marks: str) -> list[Phrase]:
    return [spoken.clause.phrase(number) for number in numbers(re.sub(r"\[t\d+\]", "", marks))]


def _allowed(rule: SentenceRule, slots: dict[str, list[Phrase]]) -> bool:
    for letter, guard in (rule.where or {}).items():
        asked = slots.get(letter)
        if asked and not GUARDS[guard](asked[0]):
            return False
    claimed = {letter for slot in rule.claims for letter in (slot.subject, slot.object)}
    return not any(phrase.sort == "p" for letter in claimed for phrase in slots.get(letter, ()))


def _filled(
    rule: SentenceRule,
    slot: Slot,
    slots: dict[str, list[Phrase]],
    spoken: Spoken,
    times: ClauseTimes,
    match: re.Match[str],
) -> list[Claim]:
    subjects = _values(slot.subject, slots, spoken, match)
    objects = _values(slot.object, slots, spoken, match)
    if slot.relation in _TASTES and slots.get(slot.object):
        objects = _tasted(slot, slots[slot.object], spoken)
    over = _values(slot.over, slots, spoken, match) if slot.over else []
    stance, confidence = _stance(rule, slot, spoken, times, match)
    if stance is None:
        return []
    made = []
    for subject in subjects:
        for value in objects:
            if subject == value:
                continue
            if not (0 < len(subject) <= limits.NAME_CHARS and 0 < len(value) <= limits.NAME_CHARS):
                continue
            made.append(
                Claim(
                    subject=subject,
                    relation=slot.relation,
                    object=value,
                    stance=stance,
                    valid_from=times.start,
                    valid_until=times.end if stance is Stance.HOLDS else None,
                    instead_of=over[0] if over and over[0] != value else None,
                    confidence=confidence,
                )
            )
    return made


def _stance(
    rule: SentenceRule, slot: Slot, spoken: Spoken, times: ClauseTimes, match: re.Match[str]
) -> tuple[Stance | None, float]:
    clause = spoken.clause
    if clause.negations and denies_a_part(clause, _said(slot.object, match), _rest(slot, match)):
        return None, 0.0
    if not clause.negations or rule.denied:
        if rule.past and slot.stance is Stance.HOLDS and not times.said:
            return Stance.ENDS, rule.confidence
        if slot.stance is Stance.ENDS and goes_out(clause):
            return None, 0.0
        return slot.stance, rule.confidence
    if slot.stance is not Stance.HOLDS or not denies_now(clause):
        return None, 0.0
    if "never" in clause.negations:
        return Stance.NEVER, rule.confidence
    return Stance.ENDS, rule.confidence if has_ended(clause) else min(rule.confidence, _PLAIN_NOT)


def _said(letter: str, match: re.Match[str]) -> str:
    return match.groupdict().get(letter) or ""


def _rest(slot: Slot, match: re.Match[str]) -> str:
    """What is said after the thing that is claimed."""
    return match.string[match.end(slot.object) :] if _said(slot.object, match) else match.string[match.end() :]


def _values(letter: str, slots: dict[str, list[Phrase]], spoken: Spoken, match: re.Match[str]) -> list[str]:
    me = spoken.clause.reading.me
    if letter == "me":
        return [me]
    if letter == "any":
        return [WHICHEVER]
    if letter == "theirs":
        of = slots.get("O")
        return [of[0].whose or me] if of else []
    phrases = slots.get(letter)
    if letter == "R" and phrases:
        return [_role(phrases, spoken, match)]
    if not phrases:
        said = match.groupdict().get(letter)
        return [_plain(said, spoken)] if said else []
    return [name for phrase in phrases for name in (phrase.several or (phrase.label,))]


def _tasted(slot: Slot, phrases: list[Phrase], spoken: Spoken) -> list[str]:
    """What is liked is more than its noun: "spicy food", "dark mode". What is preferred is one of two."""
    if slot.relation == "PREFERS" or slot.stance is Stance.ENDS:
        return [phrase.full if phrase.sort == "c" and phrase.full else phrase.label for phrase in phrases]
    return tastes(phrases, spoken.clause.reading)


def _role(phrases: list[Phrase], spoken: Spoken, match: re.Match[str]) -> str:
    """ "the on-call lead for payments" with its second half; the first phrase without its article."""
    first = phrases[0].full or phrases[0].noun or phrases[0].label
    of = spoken.clause.reading.words[phrases[0].end].lower_ == "of" if len(phrases) > 1 else False
    if len(phrases) < 2 or phrases[1].whose is not None or (phrases[1].article and not of):
        return first
    start, end = phrases[0].start, phrases[1].end
    text = spoken.clause.reading.text(start, end)
    at = text.find(first)
    return text[at:] if at >= 0 else text


def _plain(said: str, spoken: Spoken) -> str:
    return re.sub(r"\[[a-z](\d+)\]", lambda m: spoken.clause.phrase(int(m[1])).label, said).replace(" - ", "-")
