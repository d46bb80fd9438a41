"""Sizes from which a training takes more care. They decide its memory and its speed, never what it learns."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of positions from which a training stores them in another way, or stops for a look between them."""

    # In the layout: from so many on, arrays replace the lists. They take a third of the memory and are a tenth slower.
    large_corpus: int = 1 << 21
    # Of one pair: a list of so many is stored as an array, a quarter of the memory and a little slower to read.
    long_list: int = 64
    # Of one pair, between two checkpoints. So many are merged near the start only, where little is lost by an end.
    between_checkpoints: int = 1 << 20
    # Of one pair, between two looks at the memory: merging them takes 10 MB.
    between_looks: int = 1 << 17


SIZES = Sizes()
