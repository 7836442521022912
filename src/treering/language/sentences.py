"""WHERE does one sentence end and the next begin? Spans in a text, by rule and in one pass, for any string.

Written for what people say and write to one another in English; full stops of other scripts count as well. Where a rule
is in doubt it does not cut: two sentences in one span do less harm than half a sentence in each of two.
"""

from __future__ import annotations

import re

# One class of signs comes first, because the search for it is fast; looking behind then tells which kind it was. Every
# run of stops is taken, and judged afterwards: a pattern that could refuse a run would look at the rest of it again
# from each of its signs, and a page of dots would take forever.
_ENDS = re.compile(
    r"[.!?…。｡！？؟۔।\n\r\u2028\u2029]"  # noqa: RUF001
    r"(?:(?<=[.!?…])(?P<stop>[.!?…]*+(?:[ ]\.++)*+)(?P<close>[\"'”’»)\]}*_`]*+)"  # noqa: RUF001
    r"|(?<=[。｡！？؟۔।])[。｡！？؟۔।]*+[」』”’）】》〉]*+"  # noqa: RUF001
    r"|)"  # a new line
)
_NUMBERED = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})")
_INITIAL = re.compile(r"[A-HJ-Z]")  # "I" is somebody speaking
_DOTTED = re.compile(r"[A-Za-z](?:\.[A-Za-z]{1,2})+")  # U.S, e.g, p.m, Ph.D
_DIGIT_AHEAD = re.compile(r"\s*[#\d]")
_LONGEST_ABBREVIATION = 12

# fmt: off
_BEFORE_MORE = frozenset((  # never the last word of a sentence
    "mr", "mrs", "ms", "mx", "dr", "prof", "rev", "fr", "hon", "gen", "col", "maj", "capt", "cmdr", "lt", "sgt", "gov",
    "sen", "rep", "pres", "st", "mt", "messrs", "mme", "vs", "cf", "viz", "eg", "ie", "approx", "ca", "fig", "figs",
))
_BEFORE_NUMBERS = frozenset((
    "no", "nos", "nr", "vol", "ch", "sec", "art", "pp", "p", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov", "dec",
))
_PERHAPS_LAST = frozenset(("etc", "jr", "sr", "inc", "ltd", "co", "corp", "bros", "dept", "est", "al", "ave", "blvd"))
_OPENERS = re.compile(
    r"\s+[\"'“‘(\[]?(?:I|I['’]\w+|He|She|It|We|They|You|The|This|That|These|Those|There|Then|But|And|So|My|Our|His|Her|"  # noqa: RUF001
    r"Their|What|When|Where|Why|How|Who|If|Now|Yes|No)\b"
)
# fmt: on


def sentences(text: str) -> list[tuple[int, int]]:
    """Closed-open spans, in order, without blanks at their ends. Together they hold every character but blanks."""
    spans: list[tuple[int, int]] = []
    begin = 0
    for found in _ENDS.finditer(text):
        if found["stop"] is None or _ends_here(text, begin, found):
            _add(spans, text, begin, found.end())
            begin = found.end()
    _add(spans, text, begin, len(text))
    return spans


def _add(spans: list[tuple[int, int]], text: str, begin: int, end: int) -> None:
    piece = text[begin:end]
    begin += len(piece) - len(piece.lstrip())
    end = begin + len(piece.strip())
    if begin < end:
        spans.append((begin, end))


def _ends_here(text: str, begin: int, found: re.Match[str]) -> bool:
    """Whether a run of stops ends the sentence that began at `begin`."""
    end = found.end()
    if end < len(text) and not text[end].isspace():
        return False  # 3.5, example.com, a.m
    stop = text[found.start() : found.end("stop")]
    if (found["close"] or stop[-1] == "…" or stop.endswith("..")) and _lower_ahead(text, end):
        return False  # "Really?" she asked; well... maybe
    if stop != "." or found["close"]:
        return True
    return not _abbreviated(text, begin, found.start(), end)


def _lower_ahead(text: str, end: int) -> bool:
    return text[end : end + 3].lstrip()[:1].islower()


def _abbreviated(text: str, begin: int, stop: int, end: int) -> bool:
    """Whether the full stop at `stop` belongs to the word before it and not to the sentence."""
    if stop - begin <= _LONGEST_ABBREVIATION and _NUMBERED.fullmatch(text[begin:stop].strip()):
        return True
    words = text[max(begin, stop - _LONGEST_ABBREVIATION) : stop].split()
    word = words[-1].lstrip("\"'“‘([") if words and not text[stop - 1].isspace() else ""  # noqa: RUF001
    plain = word.lower()
    if plain in _BEFORE_MORE or _INITIAL.fullmatch(word):
        return True
    if plain in _BEFORE_NUMBERS:
        return _DIGIT_AHEAD.match(text, end) is not None
    if plain in _PERHAPS_LAST or _DOTTED.fullmatch(word):
        return end < len(text) and _OPENERS.match(text, end) is None
    return False
