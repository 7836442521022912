"""Where do people live, come from and travel? The table of rules, each with sentences that it must read."""

from __future__ import annotations

from treering.ingest.extract.contract import Cue
from treering.ingest.extract.rules.pattern import SentenceRule, rule
from treering.ingest.extract.rules.stays import AWAY, FOR_SOMEBODY_ELSE, LASTING, LIVED_THROUGH, STILL_SO
from treering.model.memory import Kind

_ONWARD = "(?:(?:up|down|out|back|over|away|house|home|across|here|in|all the way) )*"
_IS_IN = "S is (?:back |stuck |settled |stationed |out |down |up |over |home |staying |all |both |(?:in )?O )*in N"
_HAS_BEEN_IN = "S has (?:always )?been " + _ONWARD + "(?:in|near) N"

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
        "before that in",
        "before (?:that |this |then )?(?:\\[[cqt]\\d+\\] )*in N",
        "me LIVES_IN N ends",
        where={"N": "surely a place"},
        anywhere=True,
        examples=(("I've been in Turku since 2022, before that three years in Vaasa", "User LIVES_IN Vaasa ends"),),
    ),
    rule(
        "has lived in",
        "S has lived " + _ONWARD + "(?:in|near) N",
        "S LIVES_IN N",
        where={"N": "place to live", "S": "person"},
        examples=(("I've lived in Ghent all my life", "User LIVES_IN Ghent"),),
    ),
    rule(
        "has been in for long",
        _HAS_BEEN_IN,
        "S LIVES_IN N",
        where={"N": "place to live", "S": "person"},
        needs=LIVED_THROUGH,
        unless=AWAY,
        examples=(("we've been in Utrecht since 2019", "User LIVES_IN Utrecht"),),
    ),
    rule(
        "has been in",
        _HAS_BEEN_IN,
        "S VISITED N",
        where={"N": "place to live", "S": "person"},
        kind=Kind.EPISODE,
        examples=(("I've been in Turin twice", "User VISITED Turin"),),
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
        "signed for a home",
        "S (?:has )?(?:{sign.d}|{get.d}|{buy.d}|{rent.d}|{find.d}) O here in N",
        "S LIVES_IN N",
        "S OWNS O",
        where={"O": "dwelling", "N": "place"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("we bought a cottage here in Kendal", "User LIVES_IN Kendal", "User OWNS cottage"),),
    ),
    rule(
        "bought a home",
        "S (?:has )?(?:{buy.d}|closed on|got the keys to|exchanged on) O(?: in N)?",
        "S OWNS O",
        where={"O": "dwelling"},
        kind=Kind.EPISODE,
        state="{S} owns a {O}",
        change=True,
        examples=(("We closed on the house in Dover today", "User OWNS house"),),
    ),
    rule(
        "sold a home",
        "S (?:has )?{sell.d} O(?: in N)?",
        "S OWNS O ends",
        where={"O": "dwelling"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I sold the flat in Dover", "User OWNS flat ends"),),
    ),
    rule(
        "signed a lease",
        "S (?:has )?{sign.d} O (?:in|on|for) N",
        "S LIVES_IN N",
        where={"O": "lease", "N": "place"},
        unless=FOR_SOMEBODY_ELSE,
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I signed a lease in Troyes", "User LIVES_IN Troyes"),),
    ),
    rule(
        "somebody's new place is in",
        "S is (?:in|near) N",
        "whose LIVES_IN N",
        where={"S": "someone's dwelling", "N": "place"},
        cue=Cue.CHANGE,
        examples=(("Omar left the farm. his new place is in Sofia", "Omar LIVES_IN Sofia"),),
    ),
    rule(
        "home is",
        "S is (?:in )?N",
        "whose LIVES_IN N",
        where={"S": "home", "N": "place"},
        examples=(("home is Tromsø", "User LIVES_IN Tromsø"), ("my home base is Cadiz", "User LIVES_IN Cadiz")),
    ),
    rule(
        "own place in",
        "(?:own |our own |my own )?O in N",
        "me LIVES_IN N",
        where={"O": "own dwelling", "N": "place"},
        cue=Cue.CHANGE,
        change=True,
        examples=(("got the keys!! own flat in Ayr, moved yesterday", "User LIVES_IN Ayr"),),
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
        "stays put in",
        "S (?:is )?(?:staying|remaining|stay|remain) (?:put|here) in N",
        "S LIVES_IN N",
        where={"S": "person", "N": "surely a place"},
        unless=AWAY,
        examples=(("I'm staying put in Cork", "User LIVES_IN Cork"),),
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
    rule(
        "was in",
        "S was (?:over |down |up |back )?in N",
        "S VISITED N",
        where={"N": "surely a place", "S": "person"},
        kind=Kind.EPISODE,
        examples=(("I was in Kobe in March 2023", "User VISITED Kobe"),),
    ),
    rule(
        "is back from",
        "(?:S )?(?:is |got |came |{get.d} )?(?:back|home|back home) from (?:O in |O to )?N",
        "me VISITED N",
        where={"N": "place"},
        kind=Kind.EPISODE,
        examples=(("back from Georgia!", "User VISITED Georgia"), ("just got home from Bled", "User VISITED Bled")),
    ),
    rule(
        "had a meal at",
        "S (?:has )?(?:had|ate|{grab.d}|{have.d}) (?:O )?at N",
        "S VISITED N",
        where={"S": "person", "O": "no job"},
        kind=Kind.EPISODE,
        examples=(("had lunch at Café Sperl with Ida", "User VISITED Café Sperl"),),
    ),
)
