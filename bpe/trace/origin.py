"""Origin: where the merges of a trace come from, and what follows from it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """How many merges were learned from the text, how many a tokenizer brought, and what one may do with them."""

    learned: int  # steps that were learned from the text
    listed: int = 0  # merges of a tokenizer's own list, most of which apply to other texts only
    applied: int = 0  # steps that come from this list
    reached: int = 0  # merges of the list up to the last of these
    # Of these, how many come after a later merge of the list, since they need what it makes
    reordered: int = 0
    is_complete: bool = True  # whether the list has ended
    is_own: bool = True  # whether nothing comes from another tokenizer: neither merges nor ids

    @property
    def breaks_ties(self) -> bool:
        """Whether the rule broke the ties of all steps, so that another of the tied pairs can be picked."""
        return self.is_own

    @property
    def counts(self) -> bool:
        """Whether the counts of the text decide merges. If not, no pair was chosen and no tie was broken."""
        return self.is_own or self.learned > 0

    @property
    def replays(self) -> bool:
        """Whether there are merges that were learned elsewhere."""
        return not self.is_own and (self.listed > 0 or not self.learned)
