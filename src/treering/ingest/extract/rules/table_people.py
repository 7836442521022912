"""Where do people live, come from and travel, and who is whose partner, parent, friend? Rules, each with sentences that
it must read.

What stands inside a phrase ("my daughter Wren", "my boss Henrike") is read by `kinship` and needs no rule here.
"""

from __future__ import annotations

from treering.ingest.extract.contract import Cue
from treering.ingest.extract.rules.pattern import SentenceRule, rule
from treering.ingest.extract.rules.stays import AWAY, LASTING, STILL_SO
from treering.model.memory import Kind

_ONWARD = "(?:(?:up|down|out|back|over|away|house|home|across|here|in|all the way) )*"
_IS_IN = "S is (?:back |stuck |settled |stationed |out |down |up |over |home |staying |all |both |(?:in )?O )*in N"
_FOR_ONCE = r"\b(?:today|tonight|tomorrow|for (?:lunch|dinner|drinks|coffee)|on a date)\b"
_PAIR = "(?P<S>\\[[in]\\d+\\]) and (?P<O>\\[[in]\\d+\\])"

HOMES: tuple[SentenceRule, ...] = (
    rule(
        "lives in",
        "S (?:has been |is )?(?:{live.s}|{live.g}|reside|resides|residing|based|settled) "
        + _ONWARD
        + "(?:(?:with|at|on|near) O )?(?:in|near|outside) (?:O in )?N",
        "S LIVES_IN N",
        where={"N": "place to live"},
        examples=(
            ("I live in Ghent.", "User LIVES_IN Ghent"),
            ("i'm living in Bergen with two housemates", "User LIVES_IN Bergen"),
            ("My aunt lives in Porto", "aunt LIVES_IN Porto"),
            ("we're based in Kyoto", "User LIVES_IN Kyoto"),
        ),
    ),
    rule(
        "lived in",
        "S (?:used to live|lived|was living|was based|resided) " + _ONWARD + "(?:in|near) N",
        "S LIVES_IN N",
        where={"N": "place to live"},
        past=True,
        examples=(
            ("I lived in Split from 2011 to 2013", "User LIVES_IN Split"),
            ("I used to live in Ghent", "User LIVES_IN Ghent ends"),
        ),
    ),
    rule(
        "has lived in",
        "S has lived " + _ONWARD + "(?:in|near) N",
        "S LIVES_IN N",
        where={"N": "place to live", "S": "person"},
        examples=(("I've lived in Ghent all my life", "User LIVES_IN Ghent"),),
    ),
    rule(
        "moved from one place to another",
        "S (?:has )?(?:{move.d}|{relocate.d}|{transfer.d}|got transferred|was transferred) "
        + _ONWARD
        + "from X (?:to|into) "
        + _ONWARD
        + "(?:O in )?N",
        "S LIVES_IN N",
        "S LIVES_IN X ends",
        where={"N": "place to live", "X": "place to live", "S": "person", "O": "no office"},
        kind=Kind.EPISODE,
        state="{S} lives in {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("I moved from Lyon to Nice.", "User LIVES_IN Nice", "User LIVES_IN Lyon ends"),),
    ),
    rule(
        "moved to",
        "S (?:has )?(?:{move.d}|{relocate.d}|{transfer.d}|got transferred|was transferred|settled) "
        + _ONWARD
        + "(?:with O )?(?:in|to|into) (?:(?P<Q>\\[[incpq]\\d+\\]) in )?N(?: from X)?",
        "S LIVES_IN N",
        "S LIVES_IN X ends",
        where={"N": "place to live", "S": "person", "X": "place to live", "Q": "no office"},
        kind=Kind.EPISODE,
        state="{S} lives in {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("I moved to Oslo last month", "User LIVES_IN Oslo"),
            ("My brother relocated to Oslo", "brother LIVES_IN Oslo"),
            ("moved in with my parents in Hull", "User LIVES_IN Hull"),
            ("moved to Nice from Lyon", "User LIVES_IN Nice", "User LIVES_IN Lyon ends"),
        ),
    ),
    rule(
        "is in for good",
        _IS_IN,
        "S LIVES_IN N",
        where={"S": "person", "N": "surely a place"},
        needs=rf"{LASTING}|{STILL_SO}",
        unless=AWAY,
        confidence=0.8,
        examples=(
            ("we're back in Denver as of July", "User LIVES_IN Denver"),
            ("Greta is still in Lille", "Greta LIVES_IN Lille"),
        ),
    ),
    rule(
        "is in",
        _IS_IN,
        "S LIVES_IN N",
        where={"S": "person", "N": "surely a place"},
        unless=AWAY,
        confidence=0.5,
        examples=(("I'm in Graz", "User LIVES_IN Graz"),),
    ),
    rule(
        "is in on a visit",
        _IS_IN,
        "S VISITED N",
        where={"S": "person", "N": "surely a place"},
        needs=AWAY,
        kind=Kind.EPISODE,
        examples=(
            ("we're in Graz for the weekend", "User VISITED Graz"),
            ("I'm in Bergen now, flying home on Friday", "User VISITED Bergen"),
        ),
    ),
    rule(
        "a thing is in a place",
        "S (?:is|stays|stay|sits|sit|remains) (?:headquartered |located |based |situated |hosted |held )?(?:in|at) O",
        "S LOCATED_IN O",
        where={"S": "place-bound", "O": "spot"},
        confidence=0.8,
        examples=(
            ("the new printer sits in room 12", "printer LOCATED_IN room 12"),
            ("Holtz AG is headquartered in Bremen", "Holtz AG LOCATED_IN Bremen"),
        ),
    ),
    rule(
        "was born in",
        "S (?:was )?born (?:and raised |and bred )?in N",
        "S BORN_IN N",
        where={"N": "place"},
        kind=Kind.SEMANTIC,
        examples=(("I was born in Quito", "User BORN_IN Quito"), ("born and raised in Pune", "User BORN_IN Pune")),
    ),
    rule(
        "is from",
        "(?:S (?:is|was|comes|come|hails|hail) )(?:(?!off|back|home|away|laid|out|fired|let)(?:\\S+) (?:,"
        " )?)?(?:all the way )?from N",
        "S FROM N",
        where={"S": "person", "N": "surely a place"},
        kind=Kind.SEMANTIC,
        examples=(("Rune is from Bodø", "Rune FROM Bodø"), ("I come from Bari", "User FROM Bari")),
    ),
    rule(
        "grew up in",
        "S (?:has )?(?:grew|grown) up in N",
        "S FROM N",
        where={"N": "place"},
        kind=Kind.SEMANTIC,
        examples=(("I grew up in Perth", "User FROM Perth"),),
    ),
    rule(
        "visited",
        "S (?:has )?(?:visited|been to|toured|explored|{hike.d}|{walk.d}|saw) (?:all of )?N",
        "S VISITED N",
        where={"N": "surely a place"},
        kind=Kind.EPISODE,
        examples=(("we visited Bath in May", "User VISITED Bath"),),
    ),
    rule(
        "went to",
        "S (?:has )?(?:went|gone|{drive.d}|flew|flown|travelled|traveled|cycled|sailed|rode|hitchhiked|{go.d})"
        " (?:on O )?(?:up |down |over |out |back )?to N",
        "S VISITED N",
        where={"N": "place", "S": "person"},
        kind=Kind.EPISODE,
        examples=(
            ("went to Oaxaca over new year", "User VISITED Oaxaca"),
            ("we drove to Ghent on Sunday", "User VISITED Ghent"),
        ),
    ),
)

PEOPLE: tuple[SentenceRule, ...] = (
    rule(
        "two are a couple",
        _PAIR + " (?:is|has been|got) (?:back )?(?:together|dating|(?P<X>\\[c\\d+\\]))",
        "S PARTNER_OF O",
        where={"S": "whom", "O": "whom", "X": "couple"},
        kind=Kind.SEMANTIC,
        examples=(("Luca and I are together", "Luca PARTNER_OF User"),),
    ),
    rule(
        "two married",
        _PAIR + " (?:is|has|got|has got|has gotten)? ?(?:married|hitched|tied the knot)",
        "S MARRIED_TO O",
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("Kit and I got married in May", "Kit MARRIED_TO User"),),
    ),
    rule(
        "married somebody",
        "S (?:has |is |got |was )*married(?: to)? N",
        "S MARRIED_TO N",
        where={"S": "whom", "N": "named person"},
        change=True,
        kind=Kind.EPISODE,
        examples=(("I married Noor in 2019", "User MARRIED_TO Noor"),),
    ),
    rule(
        "two split up",
        _PAIR + " (?:has )?(?:broke up|broken up|split up|split|separated|called it quits|divorced|(?:got|is) divorced"
        "|is over|is done|parted ways)",
        "S PARTNER_OF O ends",
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("Odette and I broke up last week", "Odette PARTNER_OF User ends"),),
    ),
    rule(
        "broke up with",
        "S (?:has )?(?:broke up with|broken up with|split (?:up )?(?:with|from)|dumped|divorced|{leave.d}) N",
        "S PARTNER_OF N ends",
        where={"S": "whom", "N": "known as a person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I broke up with Odette", "User PARTNER_OF Odette ends"),),
    ),
    rule(
        "parted from one's partner",
        "(?:(?P<X>\\[c\\d+\\]) and )?(?P<S>\\[[inc]\\d+\\]) (?:has |got )*(?:broke up|broken up|split up|separated"
        "|called it quits|divorced)(?! with| from| into| \\[n| \\[c)",
        "S PARTNER_OF any ends",
        where={"X": "my partner", "S": "person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("we broke up last week", "User PARTNER_OF whichever it was ends"),
            ("my wife and I got divorced", "User PARTNER_OF whichever it was ends"),
        ),
    ),
    rule(
        "is seeing somebody",
        "S (?:is |has been |started )?(?:dating|going out with|in a relationship with) (?:O , is name is )?N",
        "S PARTNER_OF N",
        where={"S": "person", "N": "date"},
        unless=_FOR_ONCE,
        kind=Kind.SEMANTIC,
        examples=(("I'm dating Luca", "User PARTNER_OF Luca"),),
    ),
    rule(
        "is called",
        "S (?:is|has been|was) (?:called|named|known as|renamed(?: to)?|rebranded (?:to|as)) N",
        "S NAMED N",
        where={"S": "not me"},
        kind=Kind.SEMANTIC,
        cue=Cue.CHANGE,
        examples=(("Acme is called Apex now", "Acme NAMED Apex"),),
    ),
    rule(
        "took another name",
        "S (?:has )?(?:{rebrand.d} (?:to|as)|{rename.d} (?:itself )?(?:to)?|changed (?:its|their|his|her) name to"
        "|goes by|go by|became) N",
        "S NAMED N",
        where={"S": "not me", "N": "named"},
        kind=Kind.SEMANTIC,
        cue=Cue.CHANGE,
        examples=(("Acme rebranded to Apex", "Acme NAMED Apex"), ("Zygmunt goes by Ziggy", "Zygmunt NAMED Ziggy")),
    ),
    rule(
        "says one's name",
        "I is N",
        "I NAMED N",
        where={"I": "I alone", "N": "name to bear"},
        kind=Kind.SEMANTIC,
        examples=(("Hi, I'm Teun", "User NAMED Teun"),),
    ),
    rule(
        "wants to be called",
        "(?:S )?call \\[i\\d+\\] N",
        "me NAMED N",
        where={"S": "no pronoun", "N": "name to go by"},
        kind=Kind.VIEWPOINT,
        examples=(("call me Greta", "User NAMED Greta"),),
    ),
    rule(
        "met somebody",
        "S (?:has )?(?:{meet.d}|got to know) (?:up with )?N",
        "S MET N",
        where={"S": "person", "N": "named person"},
        kind=Kind.EPISODE,
        examples=(("we met Ada in June", "User MET Ada"),),
    ),
)
