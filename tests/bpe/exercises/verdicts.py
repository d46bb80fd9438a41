"""Verdicts on answers to exercises, as text."""

from bpe.exercises.verdict import Verdict


def sentence_of(verdict: Verdict) -> str:
    """Return the verdict's sentence, with its tokens as text."""
    return "".join(piece if isinstance(piece, str) else piece.decode("latin-1") for piece in verdict.sentence)
