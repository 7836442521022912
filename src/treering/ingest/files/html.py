"""WHAT does a page of HTML say? Its text as Markdown: headings, paragraphs, lists, tables, code, and links by their
words.

What is not for reading is dropped: scripts, styles, comments, choices of a form. Broken markup is read as far
as it goes.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

_DROPPED = frozenset(("script", "style", "template", "noscript", "svg", "canvas", "select", "datalist"))
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        *_HEADINGS, "p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "ul", "ol", "dl",
        "dt", "dd", "table", "tr", "pre", "blockquote", "figure", "figcaption", "form", "fieldset", "hr", "address",
        "details", "summary", "li", "body", "html", "head", "title",
    )
)  # fmt: skip
_BLANKS = re.compile(r"[ \t\n\r\f]+")
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)


def declared_charset(data: bytes) -> str | None:
    found = _CHARSET.search(data[:4096])
    return found[1].decode("ascii") if found else None


def as_markdown(html: str) -> str:
    page = _Page()
    page.feed(html)
    page.close()
    return page.text()


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks: list[str] = []
        self._line = ""
        self._prefix = ""
        self._title = ""
        self._has_title = False
        self._dropping: list[str] = []
        self._lists: list[int | None] = []
        self._pre = 0
        self._row: list[str] | None = None
        self._in_cell = False
        self._rows = 0

    def text(self) -> str:
        self._end_row()
        self._flush()
        top = [f"# {self._title}"] if self._title and not self._has_title else []
        blocks = [*top, *self._blocks, ""]
        return "".join(one + ("\n" if _goes_on(one, after) else "\n\n") for one, after in pairwise(blocks)).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _DROPPED:
            self._dropping.append(tag)
        if self._dropping:
            return
        if tag in ("table", "tr"):
            self._end_row()
        if tag in _BLOCKS:
            self._flush()
        self._opened(tag)

    def _opened(self, tag: str) -> None:
        match tag:
            case "br":
                self._line += "\n" if self._row is None and not self._prefix.startswith("#") else " "
            case "pre":
                self._pre += 1
            case "ul":
                self._lists.append(None)
            case "ol":
                self._lists.append(0)
            case "table":
                self._rows = 0
            case "tr":
                self._row = []
            case "td" | "th":
                self._begin_cell()
            case "li" if self._row is None:
                self._prefix = self._marker()
            case _ if tag in _HEADINGS and self._row is None:
                self._prefix = _HEADINGS[tag] + " "
                self._has_title = self._has_title or tag == "h1"

    def _marker(self) -> str:
        indent = "  " * (len(self._lists) - 1)
        number = self._lists[-1] if self._lists else None
        if number is None:
            return f"{indent}- "
        self._lists[-1] = number + 1
        return f"{indent}{number + 1}. "

    def handle_endtag(self, tag: str) -> None:
        if tag in self._dropping:
            del self._dropping[self._dropping.index(tag) :]
            return
        if self._dropping:
            return
        if tag == "title" and not self._title and not self._blocks:
            self._title, self._line = _BLANKS.sub(" ", self._line).strip(), ""
        elif tag in ("tr", "table"):
            self._end_row()
        elif tag in ("td", "th"):
            self._end_cell()
        elif tag in _BLOCKS:
            self._flush()
        if tag == "pre":
            self._pre = max(0, self._pre - 1)
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()

    # tables: the ends of cells and rows may be left out, and a table may stand in a cell

    def _begin_cell(self) -> None:
        if self._row is None:
            self._flush()
            self._row = []
        self._end_cell()
        self._in_cell = True

    def _end_cell(self) -> None:
        if self._row is not None and (self._in_cell or self._line.strip()):
            self._row.append(_BLANKS.sub(" ", self._line).strip().replace("|", "\\|"))
            self._line, self._in_cell = "", False

    def _end_row(self) -> None:
        self._end_cell()
        row, self._row = self._row, None
        if row and any(row):
            self._blocks.append("| " + " | ".join(row) + " |")
            if self._rows == 0:
                self._blocks.append("|" + " --- |" * len(row))
            self._rows += 1

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self._line += data if self._pre else _BLANKS.sub(" ", data)

    def _flush(self) -> None:
        """What has been said since the last block began, as a block of its own; inside a cell it stays there."""
        if self._row is not None:
            self._line += " "
            return
        if self._pre and self._line.strip():
            self._blocks.append("```\n" + self._line.strip("\n") + "\n```")
        elif said := "\n".join(line.strip() for line in self._line.split("\n")).strip():
            self._blocks.append(self._prefix + said)
            self._prefix = ""
        self._line = ""


_ITEM = re.compile(r"\s*(?:- |\d+\. )")


def _goes_on(block: str, after: str) -> bool:
    """Rows of one table and items of one list stand without a blank line between."""
    return (block.startswith("|") and after.startswith("|")) or bool(_ITEM.match(block) and _ITEM.match(after))
