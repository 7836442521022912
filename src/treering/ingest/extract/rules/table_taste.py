"""What do people like, avoid, eat, take, speak and know? The table of rules, each with sentences that it must read."""

from __future__ import annotations

from treering.ingest.extract.contract import Cue
from treering.ingest.extract.rules.pattern import SentenceRule, rule
from treering.model.memory import Kind

TASTE: tuple[SentenceRule, ...] = (
    rule(
        "prefers one over another",
        "S (?:would |do )?(?:{prefer}|pick|choose|take) (?:{read.g} |to )?O (?:over|to|rather than|instead of|than) X",
        "S PREFERS O over X",
        kind=Kind.VIEWPOINT,
        examples=(
            ("I'd pick trains over planes", "User PREFERS trains"),
            ("I prefer tea to coffee", "User PREFERS tea"),
        ),
    ),
    rule(
        "prefers",
        "S (?:would |do )?(?:{prefer}|favour|favor) (?:reading |watching |having |using |to \\S+ )?O",
        "S PREFERS O",
        kind=Kind.VIEWPOINT,
        examples=(("I prefer reading transcripts", "User PREFERS transcripts"),),
    ),
    rule(
        "cannot stand",
        "S (?:can|could|do) (?:stand|bear|abide) O",
        "S DISLIKES O",
        denied=True,
        kind=Kind.VIEWPOINT,
        examples=(("can't stand Jira", "User DISLIKES Jira"),),
    ),
    rule(
        "dislikes",
        "S (?:do )?(?:{hate}|{dislike}|{loathe}|{despise}|{detest}|is sick of|is allergic to the idea of) O",
        "S DISLIKES O",
        kind=Kind.VIEWPOINT,
        where={"S": "somebody"},
        examples=(("my wife hates opera", "wife DISLIKES opera"),),
    ),
    rule(
        "does not like",
        "S (?:do |is (?!like))?(?:like|enjoy|love|care for|\\[c\\d+\\] of|into|keen on) O",
        "S DISLIKES O",
        denied=True,
        kind=Kind.VIEWPOINT,
        where={"S": "somebody"},
        examples=(("I don't like olives", "User DISLIKES olives"),),
    ),
    rule(
        "likes",
        "S (?:do |has |is (?!like))?(?:{like.s}|{love.s}|{enjoy.s}|{enjoy.g}|{adore.s}|loving|into|(?:big |huge |dead"
        " )*keen on|fond of|obsessed with|hooked on|crazy about|mad about|(?P<X>\\[c\\d+\\]) of) O+",
        "S LIKES O",
        where={"S": "somebody", "O": "liked", "X": "fan"},
        kind=Kind.VIEWPOINT,
        examples=(("I love strong coffee", "User LIKES strong coffee"), ("lately I'm into amaro", "User LIKES amaro")),
    ),
    rule(
        "gave something up",
        "S (?:has )?(?:{quit.d}|{give.d} up|{cut.d} out|{stop.d} (?:eating|drinking|smoking|taking)) (?:drinking "
        "|eating )?O",
        "S LIKES O ends",
        where={"O": "consumed", "S": "person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I quit coffee", "User LIKES coffee ends"),),
    ),
    rule(
        "is allergic to",
        "S (?:is|has been) (?:\\S+ )?(?:allergic|alergic|allergc) to O+",
        "S ALLERGIC_TO O",
        kind=Kind.SEMANTIC,
        examples=(("I'm allergic to penicillin", "User ALLERGIC_TO penicillin"),),
    ),
    rule(
        "is ill, as an adjective",
        "S (?:is|has been) (?P<O>diabetic|asthmatic|epileptic|coeliac|celiac|dyslexic|autistic|anemic|anaemic"
        "|pregnant|bipolar|deaf|blind"
        "|color blind|colour blind|immunocompromised|hypertensive|narcoleptic|insulin dependent)",
        "S HAS_CONDITION O",
        where={"S": "somebody"},
        kind=Kind.SEMANTIC,
        examples=(("since I'm diabetic, what can I bake?", "User HAS_CONDITION diabetic"),),
    ),
    rule(
        "was diagnosed with",
        "S (?:has )?(?:got |was |been |has been )?diagnosed with O",
        "S HAS_CONDITION O",
        kind=Kind.EPISODE,
        change=True,
        examples=(("I got diagnosed with lupus on Monday", "User HAS_CONDITION lupus"),),
    ),
    rule(
        "has an illness",
        "S (?:has|has had|has got|{suffer.s} from|is living with|developed|is dealing with) O",
        "S HAS_CONDITION O",
        where={"O": "illness"},
        kind=Kind.SEMANTIC,
        examples=(("I have asthma", "User HAS_CONDITION asthma"),),
    ),
    rule(
        "takes a drug",
        "S (?:is |has been |was |got |{start.d} )?(?:{take.s}|{take.g}|on|put on) (?:\\[[qc]\\d+\\] of )?O",
        "S TAKES O",
        where={"O": "drug"},
        kind=Kind.SEMANTIC,
        examples=(
            ("I take 20mg of lisinopril every morning", "User TAKES lisinopril"),
            ("I'm on warfarin", "User TAKES warfarin"),
        ),
    ),
    rule(
        "stopped a drug",
        "S (?:has |is )?(?:went off|came off|gone off|come off|off|{stop.d}(?: taking)?|{quit.d}|tapered off"
        "|{finish.d}) O",
        "S TAKES O ends",
        where={"O": "drug"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("went off lisinopril in March", "User TAKES lisinopril ends"),),
    ),
    rule(
        "follows a diet",
        "S (?:is|has been|{go.d}|has gone|turned|became) (?:\\S+ )?O(?= |$)",
        "S FOLLOWS_DIET O",
        where={"O": "diet", "S": "somebody"},
        kind=Kind.SEMANTIC,
        examples=(("I'm a vegetarian", "User FOLLOWS_DIET vegetarian"),),
    ),
    rule(
        "is vegan",
        "S (?:is|has been|{go.d}|has gone|turned|became) (?:on |a |strictly |\\[c\\d+\\] )?(?P<O>vegan|vegetarian"
        "|pescatarian|keto|paleo|kosher|halal|"
        "gluten - free|gluten free|plant - based|teetotal|flexitarian|veggie|carnivore|pescetarian)",
        "S FOLLOWS_DIET O",
        where={"S": "somebody"},
        kind=Kind.SEMANTIC,
        examples=(
            ("I'm vegan now", "User FOLLOWS_DIET vegan"),
            ("Paulo isn't pescatarian anymore", "Paulo FOLLOWS_DIET pescatarian ends"),
        ),
    ),
    rule(
        "speaks",
        "S (?:do |can |is |could )?(?:{speak.s}|fluent in|speaking|{know.s}|conversational in) (?:some |fluent |a"
        " bit of |a little |\\[c\\d+\\] )?O(?: at \\[c\\d+\\])?(?: and (?P<Q>\\[[nc]\\d+\\]))?",
        "S SPEAKS O",
        "S SPEAKS Q",
        where={"O": "language", "Q": "language"},
        kind=Kind.SEMANTIC,
        examples=(("I speak Tagalog and Malay", "User SPEAKS Tagalog", "User SPEAKS Malay"),),
    ),
    rule(
        "knows a craft",
        "S (?:do )?(?:{know.s}|{do.s}|learned|{learn.d}|mastered|got certified in|is certified in) O+",
        "S KNOWS O",
        where={"O": "a technology", "S": "person"},
        kind=Kind.SEMANTIC,
        examples=(("I know Terraform and Kubernetes", "User KNOWS Terraform", "User KNOWS Kubernetes"),),
    ),
    rule(
        "is a member of",
        "S (?:is|has been|became) (?:\\[c\\d+\\] (?:of|at) |in |part of |on )O",
        "S MEMBER_OF O",
        where={"O": "team", "S": "person"},
        kind=Kind.SEMANTIC,
        examples=(("I'm in a choir", "User MEMBER_OF choir"),),
    ),
    rule(
        "left a club",
        "S (?:has )?(?:{quit.d}|{leave.d}) O",
        "S MEMBER_OF O ends",
        where={"O": "team", "S": "person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("Ziggy quit the cover band", "Ziggy MEMBER_OF cover band ends"),),
    ),
)
