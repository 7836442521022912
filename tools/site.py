"""Builds the site: the written pages, the generated reference and the decisions, with llms.txt and llms-full.txt for
those who read with a model. Run by `make site`, in an environment of its own; warnings are errors."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
STAGE, SITE = ROOT / "build" / "site-pages", ROOT / "site"
TITLE = "Treering"
ABOUT = "Monotonic, bitemporal knowledge-graph memory for AI agents: one file, no server, no network."
ALONE = {"README.md": "index.md", "ARCHITECTURE.md": "architecture.md", "GLOSSARY.md": "glossary.md",
         "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md",
         "examples/README.md": "examples.md"}  # fmt: skip
_ABOUT_IT = ("architecture.md", "glossary.md", "changelog.md", "contributing.md", "security.md")
SECTIONS = {
    "Start": ("index.md", "guides/tutorial.md", "examples.md"),
    "Guides": ("guides",),
    "Concepts": ("concepts",),
    "Reference": ("reference",),
    "Decisions": ("decisions",),
    "The project": ("figures.md", "campaign.md", *_ABOUT_IT),
}
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


def main() -> int:
    shutil.rmtree(STAGE, ignore_errors=True)
    pages = staged()
    for source, target in pages.items():
        place = STAGE / target
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_with_links(source, target, pages), "utf-8")
    for picture, target in pictures(pages).items():
        place = STAGE / target
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, place)
    listed = navigation(sorted(pages.values()))
    (STAGE / "llms.txt").write_text(short_list(listed), "utf-8")
    (STAGE / "llms-full.txt").write_text(whole_text(listed), "utf-8")
    config = ROOT / "build" / "mkdocs.yml"
    config.write_text(_config(listed), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", str(config)]
    done = subprocess.run(command, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    lost = lost_pictures(SITE)
    for one in lost:
        print(f"no such picture in the site: {one}", file=sys.stderr)
    return done.returncode or bool(lost)


def staged() -> dict[Path, str]:
    """From every page to its place in the site."""
    pages = {ROOT / name: target for name, target in ALONE.items() if (ROOT / name).exists()}
    for path in sorted((ROOT / "docs").rglob("*.md")):
        pages[path] = str(path.relative_to(ROOT / "docs"))
    return pages


def pictures(pages: dict[Path, str]) -> dict[Path, str]:
    """From every picture that a page shows to its place in the site: where the page looks for it."""
    found = {}
    for source, target in pages.items():
        for _, link in _IMAGE.findall(source.read_text("utf-8")):
            if "://" not in link:
                place = os.path.normpath(Path(target).parent / link)
                found[(source.parent / link).resolve()] = place
    return found


def lost_pictures(site: Path) -> list[str]:
    """Those that a built page shows and nobody would see."""
    lost = []
    for page in sorted(site.rglob("*.html")):
        for link in re.findall(r'<img[^>]*\bsrc="([^"]+)"', page.read_text("utf-8")):
            if not link.startswith(("http:", "https:", "data:", "/")) and not (page.parent / link).exists():
                lost.append(f"{page.relative_to(site)}: {link}")
    return lost


def _with_links(source: Path, target: str, pages: dict[Path, str]) -> str:
    """Links among pages lead to where they are in the site; what is no page is named, and not linked."""

    def led(match: re.Match[str]) -> str:
        text, link = match[1], match[2]
        if "://" in link or link.startswith(("#", "mailto:")):
            return match[0]
        name, sign, place = link.partition("#")
        aim = (source.parent / name).resolve()
        if aim not in pages:
            return text
        up = "../" * target.count("/")
        return f"[{text}]({up}{pages[aim]}{sign}{place})"

    text = source.read_text("utf-8")
    parts = re.split(r"(^```.*?^```)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else _IMAGE.sub(_shown, _LINK.sub(led, part)) for part in parts)


def _shown(match: re.Match[str]) -> str:
    return match[0] if "://" not in match[2] else match[1]


def navigation(pages: list[str]) -> dict[str, list[str]]:
    used: set[str] = set()
    listed: dict[str, list[str]] = {}
    for title, names in SECTIONS.items():
        found = [one for name in names for one in pages if one == name or one.startswith(name + "/")]
        listed[title] = [one for one in dict.fromkeys(found) if one not in used]
        used |= set(listed[title])
    missing = [one for one in pages if one not in used]
    if missing:
        listed["The project"] += missing
    return {title: found for title, found in listed.items() if found}


def title_of(page: str) -> str:
    text = (STAGE / page).read_text("utf-8")
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].strip().replace("`", "") if found else page


def _first_sentence(page: str) -> str:
    text = (STAGE / page).read_text("utf-8")
    after = re.sub(r"^# .+$", "", text, count=1, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n", after):
        plain = _LINK.sub(r"\1", " ".join(block.split()))
        if plain and not plain.startswith(("#", "```", "|", "<", "-", "!")):
            return plain[:200]
    return ""


def short_list(listed: dict[str, list[str]]) -> str:
    lines = [f"# {TITLE}", "", f"> {ABOUT}", ""]
    for title, pages in listed.items():
        lines += [f"## {title}", ""]
        lines += [f"- [{title_of(one)}]({one}): {_first_sentence(one)}".rstrip(": ") for one in pages]
        lines.append("")
    return "\n".join(lines)


def whole_text(listed: dict[str, list[str]]) -> str:
    parts = [f"# {TITLE}\n\n> {ABOUT}\n"]
    parts += [(STAGE / one).read_text("utf-8") for pages in listed.values() for one in pages]
    return "\n\n".join(parts)


def _config(listed: dict[str, list[str]]) -> str:
    nav = []
    for title, pages in listed.items():
        nav.append(f"  - {title}:")
        nav += [f'      - "{title_of(one)}": {one}' for one in pages]
    return "\n".join(
        [
            f"site_name: {TITLE}",
            f"site_description: {ABOUT!r}",
            f"docs_dir: {STAGE}",
            f"site_dir: {SITE}",
            "use_directory_urls: true",
            "theme:",
            "  name: material",
            "  font: false",
            "  features: [navigation.tabs, navigation.top, content.code.copy, search.suggest]",
            "  palette:",
            "    - {media: '(prefers-color-scheme: light)', scheme: default, primary: green}",
            "    - {media: '(prefers-color-scheme: dark)', scheme: slate, primary: green}",
            "plugins: [search]",
            "markdown_extensions:",
            "  - tables",
            "  - admonition",
            "  - toc: {permalink: true}",
            "  - pymdownx.highlight",
            "  - pymdownx.superfences",
            "validation:",
            "  anchors: warn",
            "  absolute_links: warn",
            "  unrecognized_links: warn",
            "nav:",
            *nav,
            "",
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
