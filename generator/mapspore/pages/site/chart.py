"""Line charts as SVG: named series of numbers go in, the picture comes out as text.

The colours are those of the page that the picture stands in, so it follows light and dark; every number is rounded,
so that the same series give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 40, 44


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    values: tuple[float, ...]


def line_chart(title: str, across: str, series: Sequence[Series]) -> str:
    """All series over their numbers from 1 on. The first is drawn wide and the next ones dashed on top of it, so that
    curves that agree can both be seen."""
    count = max(len(each.values) for each in series)
    values = [value for each in series for value in each.values]
    ticks = _ticks(min(0.0, *values), max(values))
    bottom, top = ticks[0], ticks[-1]

    def x(number: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (number - 1) / max(count - 1, 1)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - bottom) / (top - bottom)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}" '
        f'xmlns="http://www.w3.org/2000/svg">'
    ]
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    between = 5 * ceil(count / 50)
    for number in (1, *range(between, count + 1, between)):
        parts.append(f'<text x="{x(number):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{number}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 6}" text-anchor="end">{escape(across)}</text>')
    legend = LEFT
    for place, each in enumerate(series):
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(each.values, 1))
        parts.append(f'<polyline class="series-{place}" points="{points}"/>')
        parts.append(f'<line class="series-{place}" x1="{legend}" x2="{legend + 28}" y1="18" y2="18"/>')
        parts.append(f'<text x="{legend + 36}" y="22">{escape(each.name)}</text>')
        legend += 60 + 9 * len(each.name)
    return "\n".join([*parts, "</svg>"])


def _ticks(lowest: float, highest: float) -> list[float]:
    """Round numbers from the lowest value, or below it, to above the highest, four to nine of them."""
    step = 10 ** floor(log10((highest - lowest) or 1))
    while (highest - lowest) / step < 4:
        step /= 2
        if highest == lowest:
            break
    return [step * number for number in range(floor(lowest / step), max(ceil(highest / step), 1) + 1)]
