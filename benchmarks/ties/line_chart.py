"""A line chart of shares as an SVG file, readable on white and on black."""

from collections.abc import Mapping, Sequence
from html import escape
from math import log10

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 44, 52
LEGEND_ROW = 20
LONG_NAME = 30  # letters: the legend has three columns of shorter ones, two of longer ones
# (on white, on black, dashes); colours and dashes repeat at different lengths, so that no two lines are the same
COLOURS = (("#2a52be", "#8aa8ff"), ("#b5460f", "#ffae70"), ("#16735a", "#6fd3b0"), ("#8a2fa0", "#dd9bf0"))
DASHES = ("", "7 4", "2 3")

Line = Sequence[tuple[float, float]]  # (x, share from 0 to 1), by x


def line_chart(title: str, x_title: str, lines: Mapping[str, Line]) -> str:
    """Return a chart of shares over a logarithmic axis, with a line for each name."""
    xs = [x for line in lines.values() for x, _ in line]
    low, high = log10(min(xs, default=1)), log10(max(xs, default=10))
    columns = 2 if max(map(len, lines), default=0) > LONG_NAME else 3
    height = HEIGHT + LEGEND_ROW * -(-len(lines) // columns)

    def across(x: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (log10(x) - low) / ((high - low) or 1)

    def down(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="13">',
        _style(len(lines)),
        f'<rect class="back" width="{WIDTH}" height="{height}"/>',
        f'<text class="ink" x="{LEFT}" y="24" font-size="16" font-weight="600">{escape(title)}</text>',
    ]
    for tenth in range(0, 11, 2):
        y = down(tenth / 10)
        parts.append(f'<path class="rule" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        parts.append(
            f'<text class="soft" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tenth * 10}%</text>'
        )
    parts += [
        f'<text class="soft" x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{x:,}</text>'
        for x in _ticks(xs)
    ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text class="soft" x="{middle:.0f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_title)}</text>'
    )
    for number, (name, line) in enumerate(lines.items()):
        points = " ".join(f"{across(x):.1f},{down(share):.1f}" for x, share in line)
        column, row = number % columns, number // columns
        x, y = LEFT + column * (WIDTH - LEFT) / columns, HEIGHT + 8 + row * LEGEND_ROW
        parts += [
            f'<polyline class="line l{number}" points="{points}"/>',
            f'<path class="line l{number}" d="M{x:.0f} {y}h28"/>',
            f'<text class="ink" x="{x + 34:.0f}" y="{y + 4}" font-size="12">{escape(name)}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def _ticks(xs: Sequence[float]) -> list[int]:
    """Return 1, 3, 10, 30, … within the range."""
    ticks = [digit * 10**power for power in range(8) for digit in (1, 3)]
    return [tick for tick in ticks if xs and min(xs) <= tick <= max(xs)]


def _style(lines: int) -> str:
    rules = [
        ".back{fill:#fff}.ink{fill:#14161c}.soft{fill:#4d5362}.rule{stroke:#d9dce5}.line{fill:none;stroke-width:2}"
    ]
    dark = [".back{fill:#14161c}.ink{fill:#f2f3f7}.soft{fill:#b3bacb}.rule{stroke:#3a3f4d}"]
    for number in range(lines):
        light_colour, dark_colour = COLOURS[number % len(COLOURS)]
        dashes = DASHES[number // len(COLOURS) % len(DASHES)]
        rules.append(f".l{number}{{stroke:{light_colour};stroke-dasharray:{dashes or 'none'}}}")
        dark.append(f".l{number}{{stroke:{dark_colour}}}")
    return f"<style>{''.join(rules)}@media (prefers-color-scheme: dark){{{''.join(dark)}}}</style>"
