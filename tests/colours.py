"""Properties of colours: contrast, and the difference between two colours for every kind of colour vision.

Contrast is WCAG 2's. The difference is CIEDE2000 (Sharma, Wu, Dalal 2005); a just noticeable one is about 1, and
colours with 10 are distinct at a glance. Colour blindness is simulated by the matrices of Machado, Oliveira, Fernandes
(2009), full severity.
"""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

EYES: dict[str, Matrix] = {
    "common": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanope": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranope": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanope": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Vector = (0.95047, 1.0, 1.08883)


def linear(colour: str) -> Vector:
    """Return linear red, green and blue, 0 to 1, of a colour such as "#3b5bdb"."""
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 (the same) to 21 (black on white).

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    darker, lighter = sorted(_times(TO_XYZ, linear(colour))[1] for colour in (one, other))
    return round((lighter + 0.05) / (darker + 0.05), 2)


def difference_for_every_eye(one: str, other: str) -> float:
    """Return the CIEDE2000 difference for the kind of colour vision that distinguishes the two least.

    >>> difference_for_every_eye("#3b5bdb", "#3b5bdb")
    0.0
    """
    return min(
        difference(lab(_times(eye, linear(one))), lab(_times(eye, linear(other)))) for eye in EYES.values()
    )


def lab(rgb: Vector) -> Vector:
    """Return CIE L*a*b* of linear red, green and blue."""
    x, y, z = (_cube_root(value / white) for value, white in zip(_times(TO_XYZ, rgb), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Vector, other: Vector) -> float:
    """Return the CIEDE2000 difference of two colours in L*a*b*.

    >>> round(difference((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485)), 4)  # the paper's first test pair
    2.0425
    """
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    factor = 1.5 - sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7)) / 2
    a1, a2 = a1 * factor, a2 * factor
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = ((h2 - h1 + 180) % 360 - 180) if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    lightness_part = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    chroma_part = (c2 - c1) / (1 + 0.045 * chroma)
    hue_part = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    rotation = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(lightness_part**2 + chroma_part**2 + hue_part**2 + rotation * chroma_part * hue_part)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _cube_root(value: float) -> float:
    return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _times(matrix: Matrix, vector: Vector) -> Vector:
    x, y, z = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, vector, strict=True)))) for row in matrix)
    return x, y, z
