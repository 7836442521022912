"""Where may a long text be cut? At its headings and paragraphs, in pieces of bounded length."""

from __future__ import annotations

import re

PIECE_CHARS = 4000
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=#{1,6} )")


def sections(text: str) -> list[tuple[int, int]]:
    """Closed-open spans that together hold the text, each up to `PIECE_CHARS` unless a paragraph alone is longer."""
    if len(text) <= PIECE_CHARS:
        return [(0, len(text))]
    cuts = [0, *(found.end() for found in _PARAGRAPH.finditer(text)), len(text)]
    spans: list[tuple[int, int]] = []
    begin = last = 0
    for cut in cuts[1:]:
        if cut - begin > PIECE_CHARS and last > begin:
            spans.append((begin, last))
            begin = last
        while cut - begin > PIECE_CHARS:
            spans.append((begin, begin + PIECE_CHARS))
            begin += PIECE_CHARS
        last = cut
    if begin < len(text):
        spans.append((begin, len(text)))
    return spans
