"""Percentages: shares as they are written in sentences."""


def percent(share: float) -> str:
    """Return a share in percent, with one decimal below 10% and above 90%.

    >>> percent(0.914), percent(0.0031), percent(0.00004), percent(0.9997), percent(1), percent(-0.002)
    ('91.4%', '0.3%', 'less than 0.1%', 'more than 99.9%', '100%', '-0.2%')
    """
    if 0 < share < 0.001:
        return "less than 0.1%"
    if 0.999 < share < 1:
        return "more than 99.9%"
    rounded = f"{share:.1%}" if abs(share) < 0.1 or share > 0.9 else f"{share:.0%}"
    return rounded.replace(".0%", "%")


def percent_range(low: float, high: float) -> str:
    """Return two shares in percent, with one decimal.

    >>> percent_range(0.0021, 0.0044), percent_range(0, 0)
    ('0.2 to 0.4%', '0%')
    """
    texts = [f"{share * 100:.1f}".replace("-0.0", "0.0") for share in (low, high)]
    texts = ["0" if text == "0.0" else text for text in texts]
    return f"{texts[0]}%" if texts[0] == texts[1] else f"{texts[0]} to {texts[1]}%"
