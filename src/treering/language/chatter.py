"""Is a word a sound, a nod or a shortening, however large it is written? "Umm", "Congrats" and "Y'know" name nobody.

Sounds are known by their shape, since everybody spells them in another way; the rest stands in lists.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SOUNDS = (
    r"h+[aeiou]+[hy]*",  # ha, heyy
    r"[ha]{3,}",  # ahaha
    r"[a-z]*(?P<letter>[a-z])(?P=letter){2,}[a-z]*",  # sooo, hmmm
    r"[ae]*u+[gh]+m*|[ue]+r*m+|u+h+[mu]+|e+r+m*|m+h*m+|h+m+",  # ugh, umm, erm, hmm
    r"a+w+|a+h+a*|e+h+|o+h+|o+y+|o+w+|o+u*ch+|o+f+|u+f+|e+w+|e+e+k*|w+h?o+a+h*|w+oo*w+|w+h+a+t*|y+a+y+|h+u+h+",
    r"p+f+t*|pi?s+t+|s+h+|t+s+k+|g+r+|b+r+|a*r+g+h+|b[ael]+h+|g[aoe]+h+|p+h+e+w+|w+h+e+[ew]+",  # pfft, psst, grr, bah
    r"y+e+[aehps]*h*|y+[aeu]p+|n+o+p*e*|n+a+h+|lo+l|woo+(?:hoo+)?",  # yee, yep, nope
    r"(?:uh|mm|hm|nuh|ha|ah|eh)(?:-?(?:uh|hu[hm]|mm|hm|ha|ah|eh))+",  # uh-huh
)
_SAID = """
    aha ahem ahoy aloha alas amen anytime argh aye bingo blah blimey boo bravo bro bye cheers ciao congrats congratz
    crikey dammit damn damnit dang darn darnit drat dude duh fam folks gah gee geez goddamn goddamnit golly gosh gotcha
    guys heck hi hiya hola hooray howdy hurrah hurray huzzah ick jeepers jeez ja kudos meh nah oops ouch oui phooey phew
    psst rip salut bonjour sheesh shh shucks shure sorry sup sure ta tada thanks touche touché tsk ugh uh um voila
    voilà welp whatcha whew whoopee whoops woah wowza wowzers yikes yippee yo yuck yum yummy yup zoinks
"""
_TYPED = """
    aaand btw brb cmon dunno edit er fwiw fyi gimme gonna gotta idk imho imo jk kinda lemme lmao lmk lotsa ngl nvm
    ok okay okey omg outta pls plz ps rofl smh sorta tbh tho thx tmrw ttyl update wanna ya yall y'all
"""
_SHORTENED = (
    r"(?:i|you|we|they|he|she|it|that|there|here|what|who|how|where|let|ain|don|can|won|isn|y|c)['’]\w+",  # noqa: RUF001
    r"d['’]you|s['’](?:ok|okay|all|pose)|g['’](?:day|night)",  # noqa: RUF001
    r"[a-z]{2,}in['’]?(?<=in['’])|(?:morn|start|go|look|feel|hop|try|gett|do|noth|someth|anyth)in",  # noqa: RUF001
    r"(?:i|you|we|they|he|she|it)(?:-(?:i|you|we|they|he|she|it))+",  # I-I
)
_CHATTER = re.compile("|".join((*_SOUNDS, *_SHORTENED)), re.IGNORECASE)
_WORDS = frozenset((*_SAID.split(), *_TYPED.split()))


@lru_cache(maxsize=1 << 14)
def is_chatter(word: str) -> bool:
    """Whether the word, in whatever case, is said or typed in passing and names nothing."""
    return word.lower() in _WORDS or _CHATTER.fullmatch(word) is not None
