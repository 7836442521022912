"""Which files make the page? Those that lie beside this one, built from `page/` at the top of the project; nothing here
is written by hand. How they are served is `faces/rest/page`."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
INDEX = "index.html"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""The files by their endings, each with its media type."""


def built() -> dict[str, Path]:
    """The built files by name."""
    return {one.name: one for one in sorted(FOLDER.iterdir()) if one.suffix in KINDS}
