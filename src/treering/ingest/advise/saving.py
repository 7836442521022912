"""Is a message worth remembering? Somebody asks for it, states a preference, a decision or something about themselves.

Doubt speaks against it, a question is none of it, and what is said off the record is let be whatever else it says.
"""

from __future__ import annotations

import re
from datetime import datetime

from treering.ingest.advise.advice import SaveAdvice
from treering.ingest.advise.cues import (
    SURE,
    UNSURE,
    FoundCue,
    MessageCue,
    OwnWords,
    believed,
    cue,
    grounds,
    message,
    named,
    terms,
)
from treering.ingest.strength import strength_of
from treering.language.when import when
from treering.mind.reading import OpensReader

ENTITY_WEIGHT, ENTITIES_COUNTED = 0.15, 4
TIME_WEIGHT = 0.35
ASKED_WEIGHT = -0.8

_KIN = (
    r"wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kids?|child|children|mother|mom|mum"
    r"|father|dad|sister|brother|aunt|uncle|cousin|grandmother|grandfather|grandma|grandpa|gran|niece|nephew|boss"
    r"|manager|dog|cat|doctor|landlord|neighbou?r|team"
)
_OWN_DATA = (
    r"name|birthday|email|phone|number|address|job|employer|timezone|time zone|pronouns|pin|diet|salary|username"
)

WHOSE_IT_IS = (
    r"\s+(?:my|our|his|her|their|the|any|all|\w+'s)\b"
    r"(?:(?!\b(?:is|are|was|were|has|have|will|needs?|wants?)\b)[\w' -]){1,60}(?:, right)?\?"
)
"""After "remember": a thing, and nothing told of it. "Remember my birthday?" asks, "remember my birthday is in May"
tells."""

ASKED_FOR: tuple[MessageCue, ...] = (
    cue(
        "asked to remember",
        0.78,
        r"(?:^|[.!?,;:\n-]\s*|\b(?:please|pls|also|and|so|to|must|should|just) |(?<!\bdo )(?<!\bdid )(?<!n't )\byou )"
        r"remember\b(?!\s+(?:what|when|where|who|how|why|which|if|whether|me\b|us\b|the time|that time|anything))"
        rf"(?!{WHOSE_IT_IS})",
        "Remember: I prefer TypeScript over JavaScript for all new projects",
        "please remember that the gate code is 4471",
        "can you remember I'm vegan?",
    ),
    cue(
        "asked not to forget",
        0.78,
        r"\b(?:don'?t|do not|never|must(?:n't| not)|let'?s not) forget\b(?! about it)",
        "Don't forget the dentist on Tuesday",
    ),
    cue(
        "asked to keep it in mind",
        0.78,
        r"\b(?:keep|bear|have) (?:it |that |this )?in mind\b",
        "keep in mind that Ola is colour blind",
    ),
    cue(
        "asked to note it",
        0.78,
        r"\b(?:(?:make|take) (?:a )?note|note (?:that|down|to self)|(?:write|jot) (?:this|that|it) down|for the record"
        r"|for (?:your|future) reference|commit (?:this|that|it) to memory"
        r"|(?:save|store|log|record|add) (?:this|that|it)(?: (?:to|in) (?:your |my )?(?:memory|notes))?)\b|^note:",
        "make a note: the boiler was serviced in May",
        "for future reference, staging runs on port 8081",
        "save this to memory: the Wi-Fi name is Lighthouse",
    ),
    cue("told to know", 0.5, r"\b(?:fyi|for your information|just so (?:you|u) know)\b", "FYI I'm off on Fridays"),
)

STATED: tuple[MessageCue, ...] = (
    cue(
        "a preference",
        0.74,
        r"\bi(?:'d| would| do)?(?: \w+ly| much| definitely| still)? prefer\b|\bi'?d (?:much )?rather\b"
        r"|\bmy (?:\w+ )?(?:preference|favou?rite)s?\b|\bi can'?t (?:stand|bear)\b|\bi (?:always|never|usually) \w+"
        r"|\b(?:please |from now on,? )(?:always|never)\b|\bfrom now on\b|\bi hate\b",
        "I prefer dark mode in all my apps",
        "I'd rather take the train",
        "my favourite editor is Helix",
        "From now on, answer in Dutch",
        "I never eat before noon",
        tag="preference",
    ),
    cue(
        "a taste",
        0.5,
        r"\bi(?:'m| am)? (?:\w+ly |do(?:n'?t| not) |also )?(?:like|love|enjoy|dislike|adore|detest)\b"
        r"|\b(?:not |big |huge )?(?:a )?(?:big |huge )?fan of\b",
        "I really like jazz",
        "not a fan of coriander",
        tag="preference",
    ),
    cue(
        "a decision",
        0.74,
        r"\b(?:i|we|they|team|board)(?:'ve| have| has|'s)?(?: \w+ly| just| all)? (?:decided|chose|chosen|agreed|settled"
        r"|concluded|picked|opted|committed)\b|\b(?:the )?(?:decision|conclusion|verdict) (?:is|was)\b"
        r"|\bit (?:is|was|has been) decided\b|\b(?:let'?s|we'?ll|we will|i'?ll|we're|i'm) (?:go(?:ing)? with|use|stick"
        r"(?:ing)? (?:with|to)|switch(?:ing)? to|migrat(?:e|ing) to|mov(?:e|ing) to)\b",
        "We decided to ship on Monday",
        "let's go with Postgres for the ledger",
        "the decision is to drop IE support",
        tag="decision",
    ),
    cue(
        "about oneself",
        0.74,
        rf"\bmy (?:{_OWN_DATA})(?: is|'s| are| has)\b|\b(?:call me|i'?m called|i go by)\b"
        r"|\bi (?:live|work|study|was born|grew up|teach) (?:in|at|for|as|on|near)\b|\bi(?:'m| am) (?:from|allergic"
        r"|vegan|vegetarian|married|diabetic|retired|based in|(?:an? |the )?(?:\w+ ){0,2}\w+(?:er|or|ist|ian"
        r"|nt) (?:at|in|by))\b"
        r"|\bi(?:'ve)? (?:just )?(?:moved to|joined|left|quit|got (?:married|engaged|divorced|promoted|a new))\b"
        rf"|\b(?:my|our) (?:\w+ )?(?:{_KIN})(?:'s name| is| was| has|'s| lives| works| called| named)\b",
        "my name is Ines",
        "I'm allergic to peanuts",
        "I work at Hollandia as a baker",
        "I just moved to Ghent",
        "our dog is called Bamse",
        tag="personal",
    ),
    cue(
        "an instruction",
        0.5,
        r"^\W*(?:please )?(?:always|never|use|avoid|make sure|ensure)\b.{0,80}\b(?:all|every|each|any|when(?:ever)?"
        r"|unless"
        r"|instead|before|after|for)\b|^\W*(?:please )?(?:always|never) \w+",
        "Use JWT tokens for authentication in all new APIs",
        "always run the linter before pushing",
        tag="instruction",
    ),
    cue(
        "a date to keep",
        0.6,
        r"\b(?:deadline|due (?:date|on|by)|appointment|anniversary|expires?|launch(?:es)? (?:on|in|date)|kick-?off"
        r"|(?:meeting|flight|exam|interview|call|party|wedding|release) (?:is|was moved|moved|starts|leaves))\b",
        "The project deadline is December 15th",
        "the interview is on Thursday at ten",
    ),
    cue(
        "a correction",
        0.5,
        r"^\W*(?:actually|correction|no wait|wait)\b|\bi (?:was wrong|misspoke|meant)\b|\b(?:no longer"
        r"|not any ?more)\b",
        "Actually, the launch moved to May",
        "we no longer use Jenkins",
    ),
    cue(
        "said to matter",
        0.5,
        r"(?<!not )(?<!n't )(?<!\bun)\b(?:(?:very |really )?important(?:ly)?|critical(?:ly)?|crucial(?:ly)?"
        r"|essential|vital"
        r"|urgent(?:ly)?|top priority|key (?:point|fact|requirement)|mandatory|must (?:never|always|not)|asap)\b",
        "This is critical: the backup key lives in the safe",
        "it's really important that Noor gets the report",
        tag="important",
    ),
)

AGAINST: tuple[MessageCue, ...] = (
    cue(
        "off the record",
        -0.95,
        r"\boff[- ]the[- ]record\b|\b(?:don'?t|do not|never|no need to|needn'?t|please don'?t) (?:you )?(?:save"
        r"|remember"
        r"|store|record|log|keep|memori[sz]e|write (?:this|that|it) down|note)\b|\b(?:just )?between (?:us"
        r"|you and me)\b"
        r"|(?<!n't )(?<!\bnot )(?<!\bdont )(?<!\bnever )\b(?:forget|ignore|delete|scratch|disregard) "
        r"(?:that|this|it|what i (?:just )?said|i said|everything)\b"
        r"|\bnot for the record\b|\b(?:keep|stays?) (?:this|that|it) (?:private|secret|confidential)\b",
        "Off the record, I'm leaving in June",
        "don't save this, but I prefer Vim",
        "this stays between us",
        "forget what I said",
    ),
    cue(
        "in doubt",
        -0.45,
        r"\b(?:maybe|perhaps|possibly|probably|might|not (?:\w+ )?sure|unsure|i think|i guess|i suppose|i believe"
        r"|could be|i don'?t know|no idea|thinking (?:of|about)|considering|undecided|leaning towards?|who knows)\b",
        "Maybe we'll go with Redis",
        "I'm not sure I like it",
        "thinking about moving to Oslo",
    ),
    cue(
        "supposed",
        -0.5,
        r"\b(?:imagine|suppose|pretend|hypothetically|what if|let'?s say|if i (?:were|had)|for (?:example|instance)"
        r"|e\.g\."
        r"|in (?:the|this|my) (?:story|novel|game|film|movie))\b",
        "Imagine I work at NASA",
        "Let's say my name is Bob",
    ),
    cue("a joke", -0.7, r"\b(?:just |only )?kidding\b|\bjk\b|\bjust joking\b|/s\b", "I hate cheese, just kidding"),
)

_HASHTAG = re.compile(r"(?:^|(?<=\s))#([^\W\d][\w/-]{1,49})")


def analyze_message(text: str, now: datetime, opens: OpensReader) -> SaveAdvice:
    said = message(text)
    if said.says_nothing:
        return SaveAdvice(should_save=False, confidence=0.0, decision="leave", reasons=("- nothing is said in it",))
    names = tuple(one.name for one in named(said, opens))
    found = _grounds(said, names, now)
    confidence = believed(found)
    tags = [one.tag for one in found if one.tag] + _HASHTAG.findall(said.text)
    return SaveAdvice(
        should_save=confidence > SURE,
        confidence=confidence,
        decision="save" if confidence > SURE else "ask" if confidence >= UNSURE else "leave",
        entities=tuple(terms(said, names)),
        tags=tuple(dict.fromkeys(one.lower() for one in tags)),
        strength=strength_of(text, len(names)),
        reasons=tuple(one.reason for one in found) or ("- nothing speaks for it",),
    )


def _grounds(said: OwnWords, names: tuple[str, ...], now: datetime) -> list[FoundCue]:
    whole = "\n".join(said.sentences)
    stated = "\n".join(one for one in said.sentences if not one.endswith("?"))
    asked_for = grounds(ASKED_FOR, whole)
    found = asked_for[:1] + grounds(STATED, whole if asked_for else stated)
    if any(one.name == "a preference" for one in found):
        found = [one for one in found if one.name != "a taste"]
    if names:
        weight = 1 - (1 - ENTITY_WEIGHT) ** min(len(names), ENTITIES_COUNTED)
        found.append(FoundCue("names", weight, ", ".join(names[:ENTITIES_COUNTED])))
    if stated and (times := when(stated, now)):
        found.append(FoundCue("a time", TIME_WEIGHT, times[0].text))
    if said.only_asks and not asked_for:
        found.append(FoundCue("only asks", ASKED_WEIGHT))
    return found + grounds(AGAINST, whole)
