"""Which forms has a verb? Enough of English to write a rule with the dictionary form only: {leave.d} is "left"."""

from __future__ import annotations

from treering.ingest.extract.rules.lexicon import words

# fmt: off
_IRREGULAR = {  # past, participle
    "be": ("was", "been"), "become": ("became", "become"), "begin": ("began", "begun"), "break": ("broke", "broken"),
    "bring": ("brought", "brought"), "build": ("built", "built"), "buy": ("bought", "bought"),
    "catch": ("caught", "caught"),
    "choose": ("chose", "chosen"), "come": ("came", "come"), "cut": ("cut", "cut"), "do": ("did", "done"),
    "drink": ("drank", "drunk"), "drive": ("drove", "driven"), "eat": ("ate", "eaten"), "fall": ("fell", "fallen"),
    "feel": ("felt", "felt"), "find": ("found", "found"), "fly": ("flew", "flown"), "get": ("got", "gotten"),
    "give": ("gave", "given"), "go": ("went", "gone"), "grow": ("grew", "grown"), "have": ("had", "had"),
    "hear": ("heard", "heard"), "hold": ("held", "held"), "keep": ("kept", "kept"), "know": ("knew", "known"),
    "lead": ("led", "led"), "leave": ("left", "left"), "lose": ("lost", "lost"), "make": ("made", "made"),
    "meet": ("met", "met"), "pay": ("paid", "paid"), "put": ("put", "put"), "quit": ("quit", "quit"),
    "ride": ("rode", "ridden"), "run": ("ran", "run"), "say": ("said", "said"), "see": ("saw", "seen"),
    "sell": ("sold", "sold"), "send": ("sent", "sent"), "speak": ("spoke", "spoken"), "spend": ("spent", "spent"),
    "split": ("split", "split"), "stand": ("stood", "stood"), "swear": ("swore", "sworn"), "swim": ("swam", "swum"),
    "take": ("took", "taken"), "teach": ("taught", "taught"), "tell": ("told", "told"), "think": ("thought", "thought"),
    "throw": ("threw", "thrown"), "wear": ("wore", "worn"), "write": ("wrote", "written"),
    "rewrite": ("rewrote", "rewritten"),
    "understand": ("understood", "understood"), "bid": ("bid", "bid"), "set": ("set", "set"), "let": ("let", "let"),
    "bend": ("bent", "bent"), "bite": ("bit", "bitten"), "blow": ("blew", "blown"), "cost": ("cost", "cost"),
    "dig": ("dug", "dug"), "draw": ("drew", "drawn"), "feed": ("fed", "fed"), "fight": ("fought", "fought"),
    "forget": ("forgot", "forgotten"), "forgive": ("forgave", "forgiven"), "freeze": ("froze", "frozen"),
    "hang": ("hung", "hung"), "hide": ("hid", "hidden"), "hit": ("hit", "hit"), "hurt": ("hurt", "hurt"),
    "lend": ("lent", "lent"), "mean": ("meant", "meant"), "ring": ("rang", "rung"), "rise": ("rose", "risen"),
    "shake": ("shook", "shaken"), "shoot": ("shot", "shot"), "shut": ("shut", "shut"), "sing": ("sang", "sung"),
    "sit": ("sat", "sat"), "sleep": ("slept", "slept"), "spread": ("spread", "spread"), "steal": ("stole", "stolen"),
    "stick": ("stuck", "stuck"), "sweep": ("swept", "swept"), "tear": ("tore", "torn"), "wake": ("woke", "woken"),
    "win": ("won", "won"),
}
_DOUBLED = words(
    """
    quit, run, swim, get, cut, put, split, forget, hit, shut, sit, dig, win, drop,
    ship, swap, dump, plan, stop, set, let, travel, cancel,
    sub, shop, step, chat, ban, program, rebrand, bin, scrap, jog
    """
)
_NOT_DOUBLED = frozenset(("dump", "travel", "cancel", "rebrand"))
# fmt: on


UNCHANGED = frozenset(verb for verb, (past, _) in _IRREGULAR.items() if verb == past)
"""Verbs that say by themselves neither now nor then: put, cut, hurt."""
_PAST = (frozenset(past for past, _ in _IRREGULAR.values()) - UNCHANGED) | {"quit", "split"}
_LIKE_PAST = (
    "need",
    "feed",
    "speed",
    "embed",
    "indeed",
    "shed",
    "bed",
    "red",
    "seed",
    "weed",
    "proceed",
    "exceed",
    "succeed",
)


def is_past(word: str) -> bool:
    """Whether a word by itself can be a verb in the past: left, quit, moved."""
    return word in _PAST or (len(word) > 4 and word.endswith("ed") and word not in _LIKE_PAST)


def only_past(word: str) -> bool:
    """Whether a word is a verb in the past and nothing else: forgot, went."""
    return word in _PAST and word not in _IRREGULAR


def form(verb: str, which: str) -> str:
    """One form: b (leave), s (leaves), g (leaving), d (left), n (left, the participle)."""
    match which:
        case "b":
            return verb
        case "s":
            return _third(verb)
        case "g":
            return _ing(verb)
        case "d":
            return _IRREGULAR[verb][0] if verb in _IRREGULAR else _ed(verb)
        case _:
            return _IRREGULAR[verb][1] if verb in _IRREGULAR else _ed(verb)


def forms(verb: str, which: str) -> str:
    """Alternatives for a pattern. Of `which`: d is past and participle, s is every present form, "" is all."""
    letters = {"d": "dn", "s": "bs", "": "bsgdn"}.get(which, which)
    found = dict.fromkeys(form(verb, letter) for letter in letters)
    return "(?:" + "|".join(found) + ")" if len(found) > 1 else next(iter(found))


def _doubles(verb: str) -> bool:
    return verb in _DOUBLED and verb not in _NOT_DOUBLED


def _third(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _ing(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return verb[:-1] + "ing"
    return verb + verb[-1] + "ing" if _doubles(verb) else verb + "ing"


def _ed(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + verb[-1] + "ed" if _doubles(verb) else verb + "ed"
