"""Which words mean the same, and which small ones decide? The tables that `duplicates` reads by. English."""

from __future__ import annotations

from functools import lru_cache

from treering.language.words import stem


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


FLUFF = frozenset(
    _split(
        "really very currently presently now just also still quite actually basically please well nowadays today's "
        "simply truly indeed rather pretty somewhat already yet ever etc ok okay oh hey yes st nd rd th "
        "as because since so by am is are was were be been being do does did doing have has had having"
    )
)
"""Words that can be left out: what they add is heard elsewhere, or nothing."""

DENIALS = frozenset(
    _split("not no never none nobody nothing nowhere without neither nor hardly cannot lacks lack lacking stopped quit")
)

DECIDING = {
    **{
        word: word
        for word in _split(
            "before after under over off down up above below more less most least only until some any always "
            "sometimes often rarely seldom usually or if unless except against about both either half twice once first "
            "second last next former other another again early late yesterday tomorrow today tonight from"
        )
    },
    **dict.fromkeys(_split("all every each"), "every"),
    "till": "until",
}
"""Small words on which the meaning hangs: the same ones must stand in both."""

PEOPLE = {
    **dict.fromkeys(_split("i me my mine myself we us our ours"), "speaker"),
    **dict.fromkeys(_split("you your yours yourself"), "listener"),
    **dict.fromkeys(_split("he him his himself"), "he"),
    **dict.fromkeys(_split("she her hers herself"), "she"),
    **dict.fromkeys(_split("they them their theirs"), "they"),
}

CERTAINTY = {
    **dict.fromkeys(_split("may might could maybe perhaps possibly probably likely"), "perhaps"),
    **dict.fromkeys(_split("can able"), "can"),
    **dict.fromkeys(_split("must should shall required needs need ought"), "must"),
    **dict.fromkeys(_split("would"), "would"),
    **dict.fromkeys(_split("wants want wishes wish hopes hope plans plan intends intend wanted planned hoped"), "wish"),
    **dict.fromkeys(_split("think thinks thought believe believes guess suppose"), "opinion"),
}

TIMES = {
    **dict.fromkeys(_split("will gonna upcoming"), "to come"),
    **dict.fromkeys(_split("did had ago formerly previously"), "past"),
    "used-to": "used to",
}

BE_NOW, BE_THEN = frozenset(_split("am is are")), frozenset(_split("was were"))
HAVE = frozenset(_split("have has"))
LASTING = frozenset(_split("for since always ever"))
"""With these "has lived" is of the present."""
NOT_PAST = frozenset(
    _split("need bed red speed feed seed indeed breed shed embed hundred sacred naked led weed greed interested based")
)
"""Words that end like a past."""

PHRASES = (
    (("used", "to"), "used-to"),
    (("going", "to"), "will"),
    (("has", "to"), "must"),
    (("have", "to"), "must"),
    (("needs", "to"), "must"),
    (("need", "to"), "must"),
    (("no", "longer"), "not"),
    (("not", "any", "more"), "not"),
    (("a", "lot"), "really"),
    (("lots", "of"), "many"),
    (("such", "as"), "like-this"),
    (("as", "well"), "also"),
    (("as", "of"), "now"),
    (("at", "least"), "at-least"),
    (("at", "most"), "at-most"),
    (("more", "than"), "more"),
    (("up", "to"), "at-most"),
    (("is", "fond", "of"), "likes"),
    (("are", "fond", "of"), "like"),
    (("allergic", "to"), "allergic"),
    (("has", "an", "allergy", "to"), "allergic"),
    (("is", "called"), "name"),
    (("is", "named"), "name"),
    (("is", "employed", "by"), "works"),
    (("is", "employed", "at"), "works"),
    (("in", "order", "to"), "to"),
    (("because", "of"), "because"),
    (("due", "to"), "because"),
    (("prior", "to"), "before"),
    (("right", "now"), "now"),
    (("at", "the", "moment"), "now"),
    (("these", "days"), "now"),
)
"""Several words that mean one, the longer phrase before one that it begins with."""

BASE_FORMS = {
    past: base
    for line in _split(
        "went:go gone:go bought:buy came:come became:become began:begin begun:begin broke:break broken:break "
        "brought:bring built:build caught:catch chose:choose chosen:choose drew:draw drank:drink drove:drive "
        "driven:drive fell:fall felt:feel fought:fight found:find flew:fly forgot:forget gave:give given:give "
        "grew:grow heard:hear held:hold kept:keep knew:know known:know laid:lay left:leave lent:lend lost:lose "
        "made:make meant:mean met:meet paid:pay ran:run rode:ride rose:rise said:say sang:sing sat:sit saw:see "
        "seen:see sent:send shot:shoot slept:sleep sold:sell spoke:speak spent:spend stood:stand stole:steal "
        "swam:swim taught:teach told:tell thought:think threw:throw took:take taken:take understood:understand "
        "woke:wake won:win wore:wear wrote:write written:write ate:eat eaten:eat got:get gotten:get did:do done:do"
    )
    for past, base in [line.split(":")]
}

NUMBERS = {
    **{
        word: str(number)
        for number, word in enumerate(
            _split(
                "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
                "seventeen eighteen nineteen twenty"
            )
        )
    },
    **{word: str(number) for word, number in zip(_split("thirty forty fifty sixty seventy eighty ninety hundred "
                                                        "thousand million dozen"),
                                                 (30, 40, 50, 60, 70, 80, 90, 100, 1000, 1000000, 12), strict=True)},
}  # fmt: skip

_GROUPS = (
    "like enjoy", "live reside", "buy purchase", "begin start commence", "end finish conclude complete", "big large",
    "small little", "job occupation", "film movie", "automobile car", "bike bicycle", "phone telephone",
    "photo photograph picture", "kid child children", "mom mum mother", "dad father", "fix repair mend", "help assist",
    "ask request", "require need", "happy glad", "ill sick", "quick fast rapid", "choose pick select",
    "authentication auth", "authorization authz", "database db", "application app", "configuration config",
    "repository repo", "documentation docs", "meeting meet", "delete remove", "create make", "use utilize utilise",
    "show display", "colour color", "favourite favorite", "euro eur", "dollar usd", "kilometre kilometer km",
    "kilogram kilo kg", "minute min", "hour hr", "second sec", "percent pct", "television tv", "email mail e-mail",
    "doctor physician", "lawyer attorney", "holiday vacation", "flat apartment", "autumn fall", "shop store",
    "talk speak", "reply respond answer", "get receive obtain", "contain include", "attempt try", "leave depart",
    "monday mon", "tuesday tue tues", "wednesday wed", "thursday thu thur thurs", "friday fri", "saturday sat",
    "sunday sun", "january jan", "february feb", "april apr", "august aug", "september sep sept", "october oct",
    "november nov", "december dec", "error mistake", "bug defect", "spouse partner",
)  # fmt: skip


@lru_cache(maxsize=1)
def same() -> dict[str, str]:
    """From each word, and from its stem, to the one that stands for its group. Made when it is first asked for: what
    finds stems takes time to load."""
    groups = [_split(group) for group in _GROUPS]
    return {form: words[0] for words in groups for one in words for form in (one, stem(one))}
