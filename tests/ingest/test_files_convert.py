"""What is written in a file comes out as text; what cannot be read is refused with words that help."""

from __future__ import annotations

import logging
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples
from tests.ingest.file_samples import docx, paragraph, pdf, table

from treering.errors import InvalidRequest, LimitExceeded, TreeringError, Unsupported
from treering.ingest.files.convert import Converted, convert
from treering.ingest.files.html import as_markdown
from treering.ingest.files.kinds import FileKind
from treering.ingest.files.pages import unwrapped
from treering.model import limits
from treering.model.source import SourceKind

PAGE = """<!doctype html><html><head><title>Tea &amp; more</title><style>p {color: red}</style></head>
<body><script>alert("no")</script><nav><ul><li><a href="/">Home</a></li></ul></nav>
<h2>Kinds of <em>tea</em></h2><p>White tea
is   mild.<br>Assam is not.</p><ol><li>Boil</li><li>Wait<ul><li>three minutes</li></ul></li></ol>
<table><tr><th>Tea</th><th>Minutes</th></tr><tr><td>White</td><td><p>3</p></td></tr></table>
<pre>x = 1
  y = 2</pre><!-- nothing --><p>Unclosed <b>bold</body></html>"""


def text_of(name: str, data: bytes) -> str:
    return convert(name, data).text


def paths(found: Converted) -> list[str]:
    return [" > ".join(one.path) for one in found.sections]


# Kinds


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.md", b"# A", FileKind.MARKDOWN),
        ("a.txt", b"A", FileKind.TEXT),
        ("A.TXT", b"A", FileKind.TEXT),
        ("file", b"A", FileKind.TEXT),
        ("file", b"<!DOCTYPE html><p>A", FileKind.HTML),
        ("a.htm", b"<p>A", FileKind.HTML),
        ("a.json", b'{"a": 1}', FileKind.JSON),
        ("file", b'{"a": 1}', FileKind.JSON),
        ("file", b'{"a": 1}\n{"a": 2}', FileKind.JSONL),
        ("a.txt", b"{ is a brace", FileKind.TEXT),
        ("a.json", b'{"a": 1}\n{"a": 2}', FileKind.JSONL),
        ("a.ndjson", b'{"a": 1}', FileKind.JSONL),
        ("a.csv", b"a,b\n1,2", FileKind.PLAIN),
        ("a.py", b"# a comment", FileKind.PLAIN),
        ("misnamed.txt", pdf("A"), FileKind.PDF),
        ("misnamed.zip", docx(paragraph("A")), FileKind.DOCX),
    ],
)
def test_the_kind_is_told_by_name_and_bytes(name: str, data: bytes, kind: FileKind) -> None:
    assert convert(name, data).kind is kind


def test_prose_is_a_document_and_data_a_file() -> None:
    assert FileKind.PDF.source_kind is SourceKind.DOCUMENT
    assert FileKind.JSON.source_kind is SourceKind.FILE
    assert FileKind.JSON.media_type == "application/json"


# Letters


def test_text_is_read_in_the_letters_it_was_written_in() -> None:
    said = "Zoë weiß: 漢字, שלום, 👋"
    for codec in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        assert text_of("a.txt", said.encode(codec)) == said
    assert text_of("a.txt", "plain letters".encode("utf-16-le")) == "plain letters"
    assert text_of("a.txt", "plain letters".encode("utf-16-be")) == "plain letters"


def test_old_letters_are_guessed_and_the_guess_is_told() -> None:
    found = convert("old.txt", "Zoë – café €".encode("cp1252"))  # noqa: RUF001
    assert (found.text, found.notes) == ("Zoë – café €", ("old.txt is not UTF-8; it was read as cp1252",))  # noqa: RUF001


def test_a_page_says_itself_which_letters_it_has() -> None:
    page = '<meta charset="iso-8859-5"><p>чай</p>'.encode("iso-8859-5")
    assert text_of("a.html", page) == "чай"


def test_line_ends_are_one_sign() -> None:
    assert text_of("a.txt", b"a\r\nb\rc\nd") == "a\nb\nc\nd"


# HTML


def test_a_page_becomes_markdown_without_its_machinery() -> None:
    assert as_markdown(PAGE) == (
        "# Tea & more\n\n- Home\n\n## Kinds of tea\n\nWhite tea is mild.\nAssam is not.\n\n1. Boil\n2. Wait\n"
        "  - three minutes\n\n| Tea | Minutes |\n| --- | --- |\n| White | 3 |\n\n```\nx = 1\n  y = 2\n```\n\n"
        "Unclosed bold"
    )


def test_a_page_is_cut_by_its_headings() -> None:
    found = convert("a.html", PAGE.replace("h2>", "h1>").encode())
    assert paths(found) == ["", "Kinds of tea"]
    assert "alert" not in found.text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("</p></p>", ""),
        ("<table><td>a<td>b", "| a | b |\n| --- | --- |"),
        ("<table><tr><td>a<table><tr><td>b</table><td>c", "| a |\n| --- |\n| b |\n| --- |\n| c |"),
        ("<table><tr><td>a<td>b</table>c", "| a | b |\n| --- | --- |\n\nc"),
        ("<li>a", "- a"),
        ("<h1>a<h1>b", "# a\n\n# b"),
        ("<noscript>a</div>b</noscript>c", "c"),
    ],
)
def test_broken_markup_is_read_as_far_as_it_goes(page: str, text: str) -> None:
    assert as_markdown(page) == text


_TAGS = ["p", "div", "h1", "h3", "ul", "ol", "li", "table", "tr", "td", "th", "pre", "br", "b", "a", "dl", "dd", "body"]


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(_TAGS), st.booleans()), max_size=30))
def test_no_word_of_a_page_is_lost_however_its_tags_are_jumbled(tags: list[tuple[str, bool]]) -> None:
    page = "".join(f"<{'/' * ends}{tag}> w{n}w" for n, (tag, ends) in enumerate(tags))
    found = as_markdown(page)
    assert [one for one in range(len(tags)) if f"w{one}w" not in found] == []


# PDF and DOCX


def test_a_pdf_is_read_page_by_page() -> None:
    found = convert("a.pdf", pdf("Ada was born in London.\nShe liked white tea.", "The second page."))
    assert found.text == "Ada was born in London. She liked white tea.\n\nThe second page."
    assert found.kind is FileKind.PDF


def test_a_pdf_is_cut_by_its_numbered_headings() -> None:
    found = convert(
        "a.pdf", pdf("1 Tea\nWhite tea is the mildest that there is.", "1.1 Water\nIt must not boil any more.")
    )
    assert paths(found) == ["1 Tea", "1 Tea > 1.1 Water"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("This is for pa-\npers  with  a  num-\nber of words", "This is for papers with a number of words"),
        ("the line from the North-\nSouth road is known", "the line from the North- South road is known"),
        ("A Title\n\n\nThe words of this\ngo on in the next", "A Title\n\nThe words of this go on in the next"),
        ("Short\nA line much longer than\nthat which goes on", "Short\nA line much longer than that which goes on"),
        ("You will need:\n1. a small cup\n2. water", "You will need:\n1. a small cup\n2. water"),
        ("#\n\n# 7", "\\#\n\n\\# 7"),
        ("| a  | b |\n| c  | d |", "| a  | b |\n| c  | d |"),
        ("2.1 Related Work\nMuch has been written about it.", "## 2.1 Related Work\n\nMuch has been written about it."),
        ("12 people came to the party.", "12 people came to the party."),
        ("", ""),
    ],
)  # fmt: skip
def test_the_lines_of_a_page_become_paragraphs_again(page: str, text: str) -> None:
    assert unwrapped(page) == text


def test_a_docx_keeps_its_headings_and_tables() -> None:
    body = (
        paragraph("Manual", "Heading1"),
        paragraph("Welcome, Zoë."),
        paragraph("Setup", "Heading2"),
        paragraph("Plug it in."),
        table(("Part", "Count"), ("Screw", "4")),
    )
    found = convert("a.docx", docx(*body))
    assert paths(found) == ["Manual", "Manual > Setup"]
    assert "| Screw | 4 |" in found.text
    assert "Welcome, Zoë." in found.text


def test_pictures_of_a_docx_leave_nothing_behind() -> None:
    assert "data:" not in text_of("a.docx", docx(paragraph("Words"), more={"word/media/a.png": b"\x89PNG" * 100}))


def test_reading_leaves_the_log_of_others_as_it_was() -> None:
    before = logging.getLogger("pdfminer").level, logging.getLogger("pdfminer").disabled
    convert("a.pdf", pdf("A"))
    assert (logging.getLogger("pdfminer").level, logging.getLogger("pdfminer").disabled) == before


def test_without_the_extra_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [one for one in sys.modules if one.split(".")[0] == "markitdown"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "markitdown", None)
    for name, data in (("a.pdf", pdf("A")), ("a.docx", docx(paragraph("A")))):
        with pytest.raises(Unsupported, match=r"pip install 'treering\[files\]'"):
            convert(name, data)
    assert text_of("a.html", b"<p>A") == "A"


# What is refused

_DOCX = docx(*(paragraph(f"Paragraph {n}") for n in range(200)))
_ENTITY = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">]>'
REFUSED: dict[str, tuple[str, bytes, str]] = {
    "empty": ("a.txt", b"", "is empty"),
    "only blanks": ("a.md", b" \n\t\r\n", "is empty"),
    "only a mark": ("a.md", b"\xef\xbb\xbf", "is empty"),
    "only zeros": ("a.bin", b"\x00" * 100, "is empty"),
    "empty page": ("a.html", b"<script>x</script>", "no text"),
    "binary": ("a.txt", bytes(range(256)) * 4, "is binary"),
    "image": ("a.png", b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, "is an image"),
    "old Word": ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 100, "save it as .docx"),
    "gzip": ("a.gz", b"\x1f\x8b\x08\x00" + b"x" * 50, "unpack it first"),
    "rtf": ("a.rtf", b"{\\rtf1 hello}", "RTF"),
    "broken UTF-16": ("a.txt", b"\xff\xfea\x00\x00\xd8b\x00", "says it is utf-16-le and is not"),
    "no PDF": ("a.pdf", b"hello", "is no PDF"),
    "no DOCX": ("a.docx", b"hello", "is no DOCX"),
    "cut DOCX": ("a.docx", _DOCX[: len(_DOCX) // 2], "damaged or cut short"),
    "bent DOCX": ("a.docx", _DOCX[:900] + b"\xff" * 400 + _DOCX[1300:], "DOCX|damaged"),
    "DOCX of bad XML": ("a.docx", docx("<w:p><w:r>"), "damaged"),
    "DOCX without words": ("a.docx", docx(paragraph("")), "has no text"),
    "DOCX with entities": ("a.docx", docx(paragraph("&a;"), head=_ENTITY), "words of its own"),
    "another archive": ("a.xlsx", docx().replace(b"word/document.xml", b"xl/workbooks.xml1"), "no DOCX"),
    "cut PDF": ("a.pdf", pdf("A page of words.")[:150], "PDF|no text"),
    "PDF of nothing": ("a.pdf", b"%PDF-1.4\n%%EOF", "PDF|no text"),
    "PDF without words": ("a.pdf", pdf(""), "if its pages are pictures"),
    "locked PDF": ("a.pdf", pdf("Secret", encrypted=True), "is encrypted"),
    "bad JSON": ("a.json", b'{"a": 1,}', r"not valid JSON \(.*line 1 column"),
    "deep JSON": ("a.json", b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    "no line of JSON": ("a.jsonl", b"{\n[\n", "line 1 is not valid JSON"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_name_and_why(case: str) -> None:
    name, data, told = REFUSED[case]
    with pytest.raises(InvalidRequest, match=told) as refused:
        convert(name, data)
    assert name in str(refused.value)


def test_a_file_that_is_too_large_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="at most 52,428,800"):
        convert("a.txt", b"a" * (limits.FILE_BYTES + 1))


def test_a_docx_that_unpacks_to_too_much_is_refused_before_it_is_unpacked() -> None:
    bomb = docx(paragraph("A"), more={"word/media/bomb.xml": b"\x00" * (limits.FILE_UNPACKED_BYTES + 1)})
    assert len(bomb) < 200_000
    with pytest.raises(LimitExceeded, match="unpacks to"):
        convert("a.docx", bomb)


@pytest.mark.parametrize("kind", ["pdf", "docx"])
def test_whatever_is_done_to_a_file_it_is_read_or_refused(kind: str) -> None:
    whole = pdf("Ada was here.", "And here.") if kind == "pdf" else _DOCX
    for n in range(0, len(whole), max(1, len(whole) // 25)):
        for bent in (whole[:n], whole[:n] + b"\xff\x00\x7f" + whole[n + 3 :]):
            try:
                convert("a." + kind, bent)
            except TreeringError:
                continue
