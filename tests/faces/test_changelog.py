"""Can a person read the changelog? Each section stands once a version, in lines of a bounded length, and what it points
to is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from treering.door import OPERATIONS

ROOT = Path(__file__).parents[2]
SECTIONS = ("In short", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
LONGEST, MOST_LINES = 150, 150


def versions(text: str) -> Iterator[tuple[str, str]]:
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def faults(text: str) -> list[str]:
    """All that is wrong with the shape of a changelog."""
    found = [f"longer than {LONGEST}: {line[:40]}" for line in text.splitlines() if len(line) > LONGEST]
    every = list(versions(text))
    found += ["no version"] * (not every)
    found += [f"twice: {one}" for one in {name for name, _ in every if [n for n, _ in every].count(name) > 1}]
    for version, body in every:
        for level in ("###", "####"):
            heads = re.findall(rf"^{level} (.+)$", body, flags=re.MULTILINE)
            found += [f"{version}: {one} stands twice" for one in {one for one in heads if heads.count(one) > 1}]
        sections = re.findall(r"^### (.+)$", body, flags=re.MULTILINE)
        found += [f"{version}: {one} is no section" for one in sections if one not in SECTIONS]
        if sections != sorted(sections, key=lambda one: SECTIONS.index(one) if one in SECTIONS else -1):
            found.append(f"{version}: sections are not in their order")
        found += [f"{version}: an empty section" for _ in re.findall(r"^#+ .+\n+(?=### |#### .+\n+#|\Z)", body, re.M)]
        lines = [line for line in body.splitlines() if line.strip()]
        found += [f"{version}: {len(lines)} lines"] * (len(lines) > MOST_LINES)
        found += [
            f"{version}: neither item nor heading: {line[:40]}" for line in lines if line[:2] not in ("- ", "  ", "##")
        ]
    return found


def test_the_changelog_can_be_read() -> None:
    assert faults((ROOT / "CHANGELOG.md").read_text("utf-8")) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "## 1\n\n### Added\n- a\n\n### Added\n- b\n",
        "## 1\n\n### Fixed\n- a\n\n### Added\n- b\n",
        "## 1\n\n### News\n- a\n",
        "## 1\n\n### Added\n\n### Fixed\n- a\n",
        "## 1\n\n### Added\n- " + "a" * LONGEST + "\n",
        "## 1\n\n### Added\n- a\n\n## 1\n\n### Added\n- a\n",
        "## 1\n\n### Added\n" + "- a\n" * (MOST_LINES + 1),
        "## 1\n\n### Added\nloose words\n",
        "nothing\n",
    ],
)
def test_a_changelog_that_grew_by_itself_is_noticed(wrong: str) -> None:
    assert faults(wrong)


def test_what_the_changelog_points_to_is_there() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    pages = re.findall(r"\bdocs/[\w/-]+\.md", text)
    assert pages
    assert [one for one in pages if not (ROOT / one).is_file()] == []
    called = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)(?:`|\()", text))
    called -= {"as_of", "known_at", "dry_run", "derived_from", "in_doubt", "touch_on_recall", "restore_backup"}
    assert sorted(called - set(OPERATIONS)) == []
