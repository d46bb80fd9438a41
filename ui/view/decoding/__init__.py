"""Decoding: a Components v2 component in which the text appears token by token, forwards and backwards."""

from collections.abc import Sequence
from pathlib import Path

from bpe.analysis.decoding import DecodeStep
from bpe.encoding.tokenizer import UNKNOWN_ID, Tokenizer
from film.feed import ChipLabel
from film.labels import chip_label
from ui.view.component import component

_COMPONENT = component("decoding", Path(__file__).parent)


def decoding(steps: Sequence[DecodeStep], tokenizer: Tokenizer, *, key: str) -> None:
    """Draw the ids, their tokens, and the text up to the current id."""
    _COMPONENT(
        key=key,
        data={
            "steps": [
                [
                    step.given,
                    -1 if step.number is None else step.number,
                    _label(tokenizer, step),
                    step.text,
                    step.pending.hex(" ").upper(),
                    step.problem,
                ]
                for step in steps
            ]
        },
        height="content",
    )


def _label(tokenizer: Tokenizer, step: DecodeStep) -> ChipLabel:
    if step.token is None:
        return ""
    return "<unk>" if step.number == UNKNOWN_ID else chip_label(tokenizer.variant, step.token)
