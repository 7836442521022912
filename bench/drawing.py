"""How is a figure drawn? Bars with names, as SVG of a few lines: nothing to install, and readable in a diff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, ROW, NAMES, EDGE = 640, 20, 210, 60
GOOD, BAD, PLAIN, INK, LINE = "#2f855a", "#c05621", "#2b6cb0", "#2d3748", "#718096"


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    value: float
    low: float | None = None
    high: float | None = None
    goal: float | None = None


def bars(given: Sequence[Bar], title: str, signed: bool = False) -> str:
    """One bar a row; an interval as a thin line, a goal as a mark across it. `signed`: from zero to both sides."""
    height = ROW * (len(given) + 2)
    ends = [end for bar in given for end in (bar.value, bar.high, bar.goal, 0.0) if end is not None]
    least, most = min(ends, default=0.0), max(ends, default=0.0)
    scale = (WIDTH - NAMES - EDGE * (2 if least < 0 else 1)) / ((most - least) or 1.0)
    zero = NAMES + (EDGE if least < 0 else 0) - least * scale

    def across(value: float) -> float:
        return zero + value * scale

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif"'
        ' font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="{NAMES}" y="14" fill="{INK}">{escape(title)}</text>',
        f'<path d="M{zero:.1f} {ROW} V{height - ROW / 2:.0f}" stroke="{LINE}"/>',
    ]
    for place, bar in enumerate(given):
        top = ROW * (place + 1) + 3
        left, right = sorted((zero, across(bar.value)))
        drawn.append(f'<text x="{NAMES - 6}" y="{top + 11}" text-anchor="end" fill="{INK}">{escape(bar.name)}</text>')
        size = f'width="{right - left:.1f}" height="{ROW - 6}"'
        drawn.append(f'<rect x="{left:.1f}" y="{top}" {size} fill="{_colour(bar, signed)}"/>')
        end = right
        if bar.low is not None and bar.high is not None:
            middle = top + (ROW - 6) / 2
            drawn.append(f'<path d="M{across(bar.low):.1f} {middle} H{across(bar.high):.1f}" stroke="{INK}"/>')
            end = max(end, across(bar.high))
        if bar.goal is not None:
            goal = across(bar.goal)
            drawn.append(f'<path d="M{goal:.1f} {top - 2} V{top + ROW - 4}" stroke="{INK}" stroke-width="2"/>')
            end = max(end, goal)
        beside = (left - 4, "end") if bar.value < 0 else (end + 4, "start")
        shown = f"{bar.value:+.3f}" if signed else f"{bar.value:.3f}" if most <= 1 else f"{bar.value:.1f}"
        drawn.append(f'<text x="{beside[0]:.1f}" y="{top + 11}" text-anchor="{beside[1]}" fill="{INK}">{shown}</text>')
    return "\n".join([*drawn, "</svg>"]) + "\n"


def _colour(bar: Bar, signed: bool) -> str:
    if signed:
        return GOOD if bar.value < 0 else BAD  # what is missed when it is gone is worth having
    return PLAIN
