"""What has been learned, below a new text that is encoded: the merges in order, or the tokens typed by hand.

Each lights up when a step of the encoding uses it. Of many merges only those that the encoding uses are listed, and
each of them stays hidden until its step, so that nothing is given away.
"""

from collections.abc import Mapping
from typing import Any

from bpe.text.display import merge_number
from ui.lessons.beats.beat_content import BeatContent

MOST_LISTED = 12  # merges


def rail_of(content: BeatContent) -> Mapping[str, Any] | None:
    """Return the rail of a beat with a new text; None if nothing has been learned."""
    if content.lesson.vocabulary:
        tokens = map(content.trace.variant.unspelled, content.lesson.vocabulary.split())
        rows = [
            {"parts": [content.chip(token)[:2]], "id": content.ids[token], "name": ""} for token in tokens
        ]
        return _rail("Tokens", rows)
    trace, step = content.trace, content.beat.step
    merges = trace.merges[:step]
    many = len(merges) > MOST_LISTED
    used = {one.token for one in content.tokenizer.encode_steps(content.beat.encode, content.encoder)}
    rows = [
        {
            "parts": [content.chip(left)[:2], content.chip(right)[:2]],
            "id": trace.id_of(left + right),
            "name": merge_number(rank) if many else "",
        }
        for rank, (left, right) in enumerate(merges)
        if not many or left + right in used
    ]
    return _rail(f"Learned: {len(merges):,} merges", rows, hides=True) if many else _rail("Learned", rows)


def _rail(title: str, rows: list[dict[str, Any]], *, hides: bool = False) -> Mapping[str, Any] | None:
    return {"title": title, "rows": rows, "hides": hides} if rows else None
