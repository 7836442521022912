"""What does "no" mean? After "Do you smoke?" it says that I do not. After a question to nobody it says nothing.

Only questions to "you" that yes or no answers, about whoever is asked: an offer of help, or whether somebody is ready
or has understood, is answered without a word being worth keeping.
"""

from __future__ import annotations

import re

from treering.ingest.extract.rules.verbs import form

_ASKED = re.compile(
    r"(?:^|[,;:\u2013\u2014-] ?|\b(?:and|but|so|then) )(?P<helper>do|did|are|were|have) you(?: (?:guys|all))?"
    r" (?P<rest>[^?]+)\?",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:what|where|who|whom|whose|which|why|how|or|i|me|my|we|us|you|it|that|this|them|they|he|she)\b", re.I
)
"""What yes and no leave open, or what the words of the asker would be wrong for."""
_MANNERS = re.compile(
    r"(?:(?:still|just|also|really|ever) )?(?:sure|ready|there|ok|okay|alright|serious|kidding|joking|asking|saying"
    r"|referring|talking|wondering|looking for|done|finished|mean|think|know|see|understand|agree|remember|recall|want"
    r"|wanna|need|mind|care|hear|get|got|say|aware|familiar|able|curious|interested|any|anything else"
    r"|have (?:any |a |an |some )?(?:other |more |further |specific |particular )*(?:questions?|time|ideas?"
    r"|preferences?|thoughts|details|examples?|plans?|minute|moment|sec))\b",
    re.I,
)
"""Questions of manners and of the talk itself."""
_ANSWERED = {
    "yes": r"(?:(?:yes|yeah|yep|yup|indeed|correct|definitely|absolutely|of course|certainly|totally)"
    r"(?:,? (?:i (?:do|am|did|have|was)|indeed|definitely|of course|absolutely))?|i (?:sure )?(?:do|am|did|have|was))",
    "no": r"(?:(?:no|nope|nah)(?:,? (?:i (?:don't|do not|am not|didn't|haven't|have not|wasn't)|i'm not|not really"
    r"|not at all))?|i (?:don't|do not|am not|didn't|did not|haven't|have not|wasn't|was not)|i'm not|not really"
    r"|not at all)",
    "no longer": r"(?:no,? )?(?:not any ?more|no longer|i used to)",
    "never": r"(?:no,? )?(?:never(?: have| did)?|i never (?:do|did|have))",
    "not yet": r"(?:no,? )?not yet",
}
_ANSWERS = {
    sense: re.compile(rf"(?:oh|um+|uh+|well|hm+)?[\s,]*{said}[\s.!]*", re.I) for sense, said in _ANSWERED.items()
}
_I = {"do": "I do", "did": "I did", "are": "I am", "were": "I was", "have": "I have"}
_SOME = {"anything": "something", "anyone": "someone", "anybody": "somebody", "anywhere": "somewhere"}


def nodded(question: str, answer: str) -> str | None:
    """The sentence that a yes or a no stands for."""
    sense = next((sense for sense, said in _ANSWERS.items() if said.fullmatch(answer.strip())), None)
    found = _ASKED.search(question)
    if sense is None or found is None or _OPEN.search(question[: found.start()]):
        return None
    rest = found["rest"].strip()
    if _OPEN.search(rest) or _MANNERS.match(rest):
        return None
    mine = re.sub(r"\byourself\b", "myself", re.sub(r"\byour\b", "my", rest))
    return _said(_I[found["helper"].lower()], sense, mine)


def _said(lead: str, sense: str, rest: str) -> str:
    """ "still" and "ever" are of the question; so is "any", where the answer is yes."""
    kept, still = re.sub(r"^(?:still|ever|currently)\b ?", "", rest), rest.startswith("still ")
    if sense == "yes":
        kept = re.sub(r"\bany(?:thing|one|body|where)\b", lambda word: _SOME[word[0]], kept)
        kept = re.sub(r"\b(?:any|ever) | yet$", "", kept)
        if lead == "I did":
            verb, _, after = kept.partition(" ")
            return f"I {form(verb, 'd')} {after}".rstrip()
        return f"{'I' if lead == 'I do' else lead} {'still ' if still else ''}{kept}"
    if sense == "no longer" or (sense == "no" and still):
        return f"{lead} not {kept} anymore"
    if sense == "never" or re.search(r"\bever\b", rest):
        kept = re.sub(r"\bever ", "", kept)
        return f"I never {kept}" if lead == "I do" else f"{lead} never {kept}"
    return f"{lead} not {kept.removesuffix(' yet')}{' yet' if sense == 'not yet' or rest.endswith(' yet') else ''}"
