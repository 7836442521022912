"""WHAT did a text say before it was broken into the lines of a page? Lines of one paragraph are joined again, words
that were cut at the end of a line made whole, and numbered headings marked as headings.

Where it is in doubt a line stays as it is: tables, lists and short lines are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")
_GAPS = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_CUT_WORD = re.compile(r"[a-zà-ÿ]-\Z")
_LISTED = re.compile(r"\s*(?:[-*+•·▪|]|\d{1,3}[.)]\s|\([a-z0-9]{1,3}\)\s)")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?=[A-ZÀ-Þ])[^\n]{2,70}(?<![.,;:])\Z")
_NO_HEADING = re.compile(r"\A\s*#")  # on a page it is a sign like any other
_FULL = 0.7  # of the longest line of the paragraph: a shorter one ends where its writer ended it


def unwrapped(text: str) -> str:
    """As paragraphs apart by a blank line, each in one line where it was prose."""
    return "\n\n".join(part for one in _PARAGRAPHS.split(text) for part in _paragraph(one) if part.strip())


def _paragraph(text: str) -> Iterator[str]:
    lines = text.strip("\n").split("\n")
    if any(line.lstrip().startswith("|") for line in lines):
        yield text
        return
    lines = [_NO_HEADING.sub(r"\\#", _GAPS.sub(" ", line)).rstrip() for line in lines]
    found = _NUMBERED.fullmatch(lines[0])
    if found and (len(lines) == 1 or len(lines[0]) < len(lines[1]) or lines[1][:1].isupper()):
        yield "#" * (found[1].count(".") + 1) + " " + lines.pop(0)
    yield _joined(lines)


def _joined(lines: list[str]) -> str:
    longest = max(map(len, lines), default=0)
    said = ""
    for before, line in zip(["", *lines], lines, strict=False):
        if not said:
            said = line
        elif _CUT_WORD.search(before) and line[:1].islower():
            said = said[:-1] + line
        elif len(before) < longest * _FULL or _LISTED.match(line):
            said += "\n" + line
        else:
            said += " " + line.lstrip()
    return said
