"""Real files made by hand: a PDF, a DOCX, and exports of chats as their makers write them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml"
 ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
</Types>"""
_RELS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Target="word/document.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>
</Relationships>"""
_DOCUMENT_RELS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Target="styles.xml"
 Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"/>
</Relationships>"""
_STYLES = f"""<?xml version="1.0" encoding="UTF-8"?><w:styles xmlns:w="{_W}">
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>
</w:styles>"""


def paragraph(text: str, style: str | None = None) -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{look}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def table(*rows: tuple[str, ...]) -> str:
    lines = ("".join(f"<w:tc>{paragraph(one)}</w:tc>" for one in row) for row in rows)
    return "<w:tbl>" + "".join(f"<w:tr>{line}</w:tr>" for line in lines) + "</w:tbl>"


def docx(*body: str, head: str = "", more: dict[str, bytes] | None = None) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", _TYPES)
        packed.writestr("_rels/.rels", _RELS)
        packed.writestr("word/_rels/document.xml.rels", _DOCUMENT_RELS)
        packed.writestr("word/styles.xml", _STYLES)
        whole = f'<w:document xmlns:w="{_W}"><w:body>{"".join(body)}</w:body></w:document>'
        packed.writestr("word/document.xml", f'<?xml version="1.0" encoding="UTF-8"?>{head}{whole}')
        for name, data in (more or {}).items():
            packed.writestr(name, data)
    return written.getvalue()


def pdf(*pages: str, encrypted: bool = False) -> bytes:
    """One line of text a line, in Helvetica."""
    things: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    kids = []
    for page in pages:
        drawn = "BT /F1 12 Tf 14 TL 72 720 Td " + " ".join(f"({one}) Tj T*" for one in page.split("\n")) + " ET"
        things.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream".encode("latin-1"))
        font = "<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
        things.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(things)} 0 R "
            f"/Resources {font} >>".encode()
        )
        kids.append(f"{len(things)} 0 R")
    things[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    locked = ""
    if encrypted:  # the right shape with a password that nobody knows
        things.append(
            b"<< /Filter /Standard /V 2 /R 3 /Length 128 /P -3904 /O <" + b"ab" * 32 + b"> /U <" + b"cd" * 32 + b"> >>"
        )
        locked = f" /Encrypt {len(things)} 0 R /ID [<{'01' * 16}> <{'01' * 16}>]"
    return _numbered(things, locked)


def pdf_of(content: bytes, filters: str) -> bytes:
    """One page whose content is packed already."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << /Font << /F1 << /Type "
    page += b"/Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
    packed = f"<< /Length {len(content)} /Filter {filters} >>\nstream\n".encode() + content + b"\nendstream"
    pages = b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>"
    return _numbered([b"<< /Type /Catalog /Pages 2 0 R >>", pages, packed, page], "")


def _numbered(things: list[bytes], locked: str) -> bytes:
    written, places = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(things, 1):
        places.append(len(written))
        written += b"%d 0 obj\n" % number + one + b"\nendobj\n"
    start = len(written)
    written += f"xref\n0 {len(things) + 1}\n0000000000 65535 f \n".encode()
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    written += f"trailer\n<< /Size {len(things) + 1} /Root 1 0 R{locked} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(written)


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def chatgpt() -> list[dict[str, Any]]:
    """One conversation whose second question was asked twice; the later branch was shown last."""

    def node(
        key: str, parent: str | None, children: list[str], role: str, text: str, at: float | None
    ) -> dict[str, Any]:
        said = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "create_time": at}
        return {"id": key, "parent": parent, "children": children, "message": said}

    mapping: dict[str, Any] = {
        "root": {"id": "root", "parent": None, "children": ["sys"], "message": None},
        "sys": node("sys", "root", ["q1"], "system", "", None),
        "q1": node("q1", "sys", ["a1"], "user", "Which tea is mild?", 1710234900.5),
        "a1": node("a1", "q1", ["q2", "q2b"], "assistant", "White tea.", 1710234905.0),
        "q2": node("q2", "a1", [], "user", "And the dropped question?", 1710234950.0),
        "q2b": node("q2b", "a1", ["a2"], "user", "And the strongest?", 1710234960.0),
        "a2": node("a2", "q2b", [], "assistant", "Assam.", 1710234965.0),
    }
    return [
        {
            "title": "Tea",
            "conversation_id": "conv-1",
            "create_time": 1710234900.0,
            "mapping": mapping,
            "current_node": "a2",
        }
    ]


def claude() -> list[dict[str, Any]]:
    return [
        {
            "uuid": "c-1",
            "name": "Trip",
            "created_at": "2025-05-01T10:00:00.000000Z",
            "chat_messages": [
                {
                    "uuid": "m1",
                    "sender": "human",
                    "text": "I fly to Porto in June.",
                    "content": [{"type": "text", "text": "I fly to Porto in June."}],
                    "created_at": "2025-05-01T10:00:01.000000Z",
                },
                {
                    "uuid": "m2",
                    "sender": "assistant",
                    "text": "",
                    "content": [{"type": "text", "text": "Lovely."}, {"type": "tool_use", "name": "x", "input": {}}],
                    "created_at": "2025-05-01T10:00:09.000000Z",
                },
            ],
        }
    ]


def telegram() -> dict[str, Any]:
    return {
        "name": "Ana",
        "type": "personal_chat",
        "id": 4711,
        "messages": [
            {
                "id": 1,
                "type": "service",
                "date": "2024-03-12T09:00:00",
                "actor": "Ana",
                "action": "phone_call",
                "text": "",
            },
            {
                "id": 2,
                "type": "message",
                "date": "2024-03-12T10:15:00",
                "date_unixtime": "1710234900",
                "from": "Ana",
                "text": ["see ", {"type": "link", "text": "example.org"}, " for the tickets"],
            },
        ],
    }


WHATSAPP_PHONE = """\u200e[12/03/2024, 09:15:01] Messages and calls are end-to-end encrypted.
[12/03/2024, 09:15:33] Ana: hi
this goes on

and on
[13/03/2024, 10:00:00] Bo Ek: I moved to Porto: finally
\u200e[13/03/2024, 10:01:00] Bo Ek: \u200eimage omitted
"""
WHATSAPP_DESKTOP = """3/12/24, 9:15\u202fAM - Ana: hi
3/12/24, 9:15\u202fPM - Bo: good night
"""
LINES = """2024-03-12 09:15 - Ana: hi
2024-03-12 09:16 - Bo: hello
"""
