"""Shades: colours of several lanes, in which a token has the same colour in every lane."""

from collections.abc import Sequence

from bpe import Trace
from bpe.analysis.comparing.comparison import comparison_keys
from film.feed import TrainingFeed
from film.feed_parts.packing import packed
from film.feed_parts.token_numbers import ids_of


class Shades:
    """A colour number for each token of a comparison: its id in the first lane, later lanes' own ones after those."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self._traces = traces
        self.names = comparison_keys(traces)
        self._numbers: dict[bytes, int] = {}
        for trace, name in zip(traces, self.names, strict=True):
            specials = len(trace.special_tokens) if not self._numbers else 0
            for symbol in trace.symbols:
                self._numbers.setdefault(name(symbol), len(self._numbers) + specials)

    def of_name(self, token: bytes) -> int:
        """Return the number of a token, given its name in the comparison; 0 for a token that no lane learned."""
        return self._numbers.get(token, 0)

    def of_lane(self, lane: int) -> list[int]:
        """Return the numbers of a lane's vocabulary, by id; in a replay those of the tokens in `ids_of(trace)`."""
        trace, name = self._traces[lane], self.names[lane]
        numbers = [self._numbers[name(symbol)] for symbol in ids_of(trace)]
        return numbers if trace.replayed else [0] * len(trace.special_tokens) + numbers

    def colour(self, feed: TrainingFeed, lane: int) -> TrainingFeed:
        """Return a lane's feed in the comparison's colours."""
        trace = self._traces[lane]
        coloured: TrainingFeed = {**feed, "shades": packed(self.of_lane(lane))}
        if trace.replayed:
            coloured["shaded"] = packed(list(ids_of(trace).values()))
        return coloured
