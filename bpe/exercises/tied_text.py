"""Build a text whose first merge is a tie of so many pairs. An answer is a text, and the engine trains on it."""

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from bpe.checks import shortened_repr
from bpe.exercises.verdict import Piece, Verdict, listed, pair_pieces, times
from bpe.symbols import BPEError
from bpe.text.display import counted
from bpe.trace.trace import Trace
from bpe.training.trainer import train

MOST_LISTED = 6  # tied pairs that a verdict names
NOT_OF_ONE_MERGE = ("merges", "vocab_size", "picks", "second_pattern", "second_after", "second_words")


@dataclass(frozen=True)
class TiedText:
    """The task to build a text at whose first merge `ways` pairs tie, with the settings of a training."""

    trace: Trace
    ways: int
    example: str  # one text that solves it

    def __post_init__(self) -> None:
        if not self.judge(self.example).right:
            raise BPEError(
                f"At the first merge of the example {self.ways} pairs must tie, got {shortened_repr(self.example)}."
            )

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The settings of the training, but for one merge only."""
        own = self.trace.settings
        return {name: own[name] for name in own if name not in NOT_OF_ONE_MERGE} | {"merges": 1}

    def judge(self, text: str) -> Verdict:
        """Return the verdict on a text. It is trained on, so it should be short."""
        trace = train(text, **self.settings)
        if not trace.steps:
            return Verdict(
                False, ("No two tokens are side by side here, so there is no pair to merge.",), ("no_pair",)
            )
        step = trace.steps[0]
        tied, count = step.tied, step.count
        if tied == self.ways:
            pairs = tuple(islice(trace.tied_pairs(0), MOST_LISTED))
            named = (*listed(pairs), f" tie at {count:,}.") if self.ways <= MOST_LISTED else ()
            return Verdict(True, ("Right! ", *named))
        if tied == 1:
            ahead = (*pair_pieces(step.pair), f" occurs {times(count)}, and no other pair does.")
            return Verdict(False, ("This is no tie: ", *ahead), ("no_tie",))
        more = "too_many" if tied > self.ways else "too_few"
        return Verdict(
            False, (f"Here {counted(tied, 'pair')} tie at {count:,}. It should be {self.ways}.",), (more,)
        )

    def solution(self) -> tuple[Piece, ...]:
        """Return the answer as a sentence."""
        return (f"For example, “{self.example}”.",)
