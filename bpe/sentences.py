"""Sentences that both Python and the browser write: `python -m film` gives the browser the same.

A name in braces is a gap.
"""

import re

# Why a tied pair won that somebody has picked
BY_HAND = "picked by hand"
# The tie of a merge that takes nothing from the tied pairs
ORDER_ONLY = "it takes nothing from the {others}, so this only decides the order"
# That of one that does: the rival that loses most
RIVAL_FALLS = "a real choice: {pair} drops from {before} to {after}"
# The same if it loses nothing, in a run of one symbol
RIVAL_STAYS = "a real choice: {pair} shares a token with it"
# How many other rivals there are
MORE_RIVALS = ", and {others} {overlap} it"
# A table of pairs without a row
NO_PAIRS = "No pairs are left: every word is one token."
# Above the code of a training
ABOUT_CODE = "The project’s own textbook code. Point at a line to read what it does."


def filled(template: str, **gaps: object) -> str:
    """Return a template with what belongs in its gaps. Other braces stay.

    >>> filled("{{one}: {x + 1}}", one=1)
    '{1: {x + 1}}'
    """
    return re.sub(r"\{(\w+)\}", lambda gap: str(gaps[gap[1]]), template)
