"""What do people and projects use, own, buy, subscribe to, make? The table, with sentences that it must read."""

from __future__ import annotations

from treering.ingest.extract.contract import Cue
from treering.ingest.extract.rules.pattern import SentenceRule, rule
from treering.model.memory import Kind

_HAS = "(?:has |is )?"

THINGS: tuple[SentenceRule, ...] = (
    rule(
        "switched from one to another",
        "S "
        + _HAS
        + "(?:{switch.d}|switchd|{change.d}|{move.d}|{migrate.d}|{go.d}|gone|{convert.d}) (?:everything |back "
        "|over |away )*from X (?:over )?to O",
        "S USES O",
        "S USES X ends",
        "S PREFERS O over X",
        where={"S": "person", "O": "tool", "X": "tool"},
        kind=Kind.EPISODE,
        state="{S} prefers {O} over {X}",
        state_kind=Kind.VIEWPOINT,
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("I switched from Emacs to Helix.", "User USES Helix", "User USES Emacs ends", "User PREFERS Helix"),
        ),
    ),
    rule(
        "ported something to another",
        "S " + _HAS + "(?:{port.d}|{migrate.d}|{rewrite}|{convert.d}) (?P<Q>\\[[cn]\\d+\\]) (?:over )?(?:to|in) N",
        "Q USES N",
        where={"N": "named tool", "Q": "no person"},
        kind=Kind.EPISODE,
        state="{Q} uses {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("we ported `harbor` to FastAPI", "harbor USES FastAPI"),
            ("I'm rewriting the API in Litestar", "API USES Litestar"),
        ),
    ),
    rule(
        "replaced one with another",
        "S " + _HAS + "(?:{replace.d}|{swap.d}|{trade.d}|{substitute.d}) (?:out )?X (?:with|for|by) O",
        "S USES O over X",
        "S USES X ends",
        where={"X": "tool", "O": "tool"},
        kind=Kind.EPISODE,
        state="{S} uses {O}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("replaced Flask with Litestar", "User USES Litestar", "User USES Flask ends"),),
    ),
    rule(
        "switched to",
        "S "
        + _HAS
        + "(?:{switch.d}|{move.d}|{migrate.d}|{go.d}|gone|upgraded|{convert.d}|works? {move.d}) (?:\\[[ci]\\d+\\]"
        " )?(?:all |back |over |to using )*to O",
        "S USES O",
        where={"O": "named tool", "S": "person"},
        kind=Kind.EPISODE,
        state="{S} uses {O}",
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("I switched to Zed", "User USES Zed"),
            ("moved everything over to Garmin Connect", "User USES Garmin Connect"),
        ),
    ),
    rule(
        "dropped",
        "S "
        + _HAS
        + "(?:{drop}|{dump.d}|{bin.d}|{scrap.d}|{axe.d}|{ditch}|{delete.d}|{uninstall.d}|{abandon.d}|got rid of"
        "|{stop.d} using|{quit.d}"
        " using|{give.d} up|{remove.d}|{retire.d}|ripped out|moves? off|moved off|moving off) (?:using )?N",
        "S USES N ends",
        where={"N": "named tool"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I dumped Notion", "User USES Notion ends"), ("we're dropping MongoDB", "User USES MongoDB ends")),
    ),
    rule(
        "uses",
        "S (?:is |has been )?(?:{use.s}|{use.g}|{go.s} with|{go.g} with|{choose.d}|settled on|rely on|relies on"
        "|{run.s} on|is running on|will run on|is hosted on|is built with|is built on|is built in|is written in"
        "|(?:is )?(?:deployed|hosted) (?:to|on)) O+(?: for \\[c\\d+\\] and (?P<Q>\\[n\\d+\\]))?",
        "S USES O",
        "S USES Q",
        where={"O": "tool", "S": "user of tools"},
        examples=(
            ("I use Sublime Text for everything", "User USES Sublime Text"),
            ("Kestrel uses Postgres", "Kestrel USES Postgres"),
            ("our monorepo is built with Bazel", "monorepo USES Bazel"),
        ),
    ),
    rule(
        "types on",
        "S (?:is )?(?:typing|writing|working|coding|recording|shooting|running|playing) (?:\\[p\\d+\\] |this |from"
        " )?(?:on|with) O",
        "S USES O",
        where={"O": "gadget", "S": "person"},
        examples=(("typing on a Keychron Q1", "User USES Keychron Q1"),),
    ),
    rule(
        "a thing is on a tool",
        "S (?:is|runs|run|stays|will run|goes with|go with|is still|is moving to|is going with|is going all) (?:on"
        " |in )?(?:all )?O",
        "S USES O",
        where={"S": "a system", "O": "named tool"},
        confidence=0.8,
        examples=(("our CI is on Jenkins", "CI USES Jenkins"), ("`lantern` is on Rails", "lantern USES Rails")),
    ),
    rule(
        "a pet in a list",
        "N(?: \\.|$| ,| !)",
        "me OWNS N",
        where={"N": "named pet"},
        examples=(("about me: 29, one greyhound called Pickle", "User OWNS Pickle"),),
    ),
    rule(
        "has a service",
        "S (?:has|has got|got|is on) (?:\\[c\\d+\\] of )?O(?: for \\[[icn]\\d+\\])?(?: (?:,|and|plus|, plus)+"
        " (?P<Q>\\[n\\d+\\]))?",
        "S SUBSCRIBES_TO O",
        "S SUBSCRIBES_TO Q",
        where={"O": "service", "S": "person"},
        examples=(("we have Netflix", "User SUBSCRIBES_TO Netflix"),),
    ),
    rule(
        "a service for somebody, or at a price",
        "N(?: for \\[[icn]\\d+\\]| ,|$)",
        "me SUBSCRIBES_TO N",
        where={"N": "listed service"},
        examples=(
            ("we have Hulu for the kids, plus Mubi for me", "User SUBSCRIBES_TO Hulu", "User SUBSCRIBES_TO Mubi"),
        ),
    ),
    rule(
        "it is gone",
        "S (?:is|has) (?:gone|history|dead|toast)(?: ,| \\.|$)",
        "me USES S ends",
        where={"S": "named tool"},
        cue=Cue.CHANGE,
        change=True,
        kind=Kind.EPISODE,
        examples=(("Lua is gone", "User USES Lua ends"),),
    ),
    rule(
        "bought",
        "S (?:has )?(?:{buy.d}|{purchase.d}|splurged on|treated myself to|{order.d}|picked up|invested in|splashed"
        " out on) O",
        "S PURCHASED O",
        "S OWNS O",
        where={"O": "good", "S": "person"},
        kind=Kind.EPISODE,
        change=True,
        examples=(("bought a Moccamaster this morning", "User PURCHASED Moccamaster", "User OWNS Moccamaster"),),
    ),
    rule(
        "has a thing",
        "S (?:has|has got|{own.s}|{drive.s}|{ride.s}) (?:only )?O+",
        "S OWNS O",
        where={"O": "owned", "S": "person"},
        examples=(
            ("I've got a Pixel 6", "User OWNS Pixel 6"),
            ("I have a greyhound called Pickle", "User OWNS Pickle"),
            ("we own a bell tent", "User OWNS bell tent"),
        ),
    ),
    rule(
        "sold or lost",
        "S (?:has )?(?:{sell.d}|gave away|{donate.d}|{return.d}|{scrap.d}|got rid of|{trade.d} in|{bin.d}) O",
        "S OWNS O ends",
        where={"O": "good", "S": "person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("sold the cello", "User OWNS cello ends"),),
    ),
    rule(
        "was sold",
        "S (?:is|was|got|has been) (?:sold|recycled|scrapped|stolen|donated)",
        "me OWNS S ends",
        where={"S": "good"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        confidence=0.9,
        examples=(("the Nikon's sold", "User OWNS Nikon ends"),),
    ),
    rule(
        "died",
        "S (?:has )?(?:passed away|died|passed|crossed the rainbow bridge|was put down|was put to sleep)",
        "me OWNS S ends",
        where={"S": "maybe a pet"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        confidence=0.9,
        examples=(("Rufus passed away on Sunday", "User OWNS Rufus ends"),),
    ),
    rule(
        "my device is",
        "S (?:is|will be) O",
        "me OWNS O",
        where={"S": "my device", "O": "named thing"},
        examples=(
            ("my car is a Mazda 3", "User OWNS Mazda 3"),
            ("new phone is a Fairphone 5", "User OWNS Fairphone 5"),
        ),
    ),
    rule(
        "a product has an extension",
        "S (?:has|has got|comes with|ships with|includes|supports|offers) (?:also )?N",
        "N PART_OF S",
        where={"S": "a product", "N": "extension"},
        kind=Kind.SEMANTIC,
        examples=(
            ("Redis has the module RediSearch", "RediSearch PART_OF Redis"),
            ("Firefox has an extension called Tridactyl", "Tridactyl PART_OF Firefox"),
        ),
    ),
)
