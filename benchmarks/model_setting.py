"""Settings of `benchmarks.models`: which tokenizers are trained, and which models on their tokens."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """The shape of a model, and how it is trained."""

    layers: int
    width: int
    heads: int
    context: int  # tokens
    batch: int  # texts of one context in a step
    steps: int
    rate: float  # of AdamW; rises during the warm-up, then falls along a cosine to a tenth
    warmup: int  # steps
    decay: float
    clip: float


@dataclass(frozen=True, slots=True)
class Size:
    """Tokenizers of one size: one of each way to break ties, and some of the first way on other samples."""

    bytes: int  # of the sample of text that a tokenizer is trained on
    merges: int
    seeds: int  # models of each way to break ties
    samples: int  # other samples
    sample_seeds: int  # models of each of them


@dataclass(frozen=True, slots=True)
class Setting:
    """What one study trains."""

    model: Model
    sizes: tuple[Size, ...]
    most_bytes: int  # of the corpus


SETTINGS: Mapping[str, Setting] = {
    "gpu": Setting(  # as docs/ties.md
        Model(6, 384, 6, 256, batch=128, steps=400, rate=1e-3, warmup=60, decay=0.1, clip=1.0),
        (Size(60_000, 2_000, 6, 3, 3), Size(1_000_000, 8_000, 3, 3, 3)),
        most_bytes=100_000_000,
    ),
    "cpu": Setting(  # about two minutes
        Model(2, 64, 2, 64, batch=16, steps=30, rate=1e-3, warmup=5, decay=0.1, clip=1.0),
        (Size(20_000, 300, 2, 3, 2),),
        most_bytes=500_000,
    ),
}
