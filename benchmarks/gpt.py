"""A small GPT in plain PyTorch: its weights are a dictionary, and functions train it and measure its loss.

It is GPT-2's architecture without biases and dropout: positions are learned, norms come before each part, and the
embedding is also the last layer. `benchmarks.models` trains it on the tokens of many tokenizers.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import cos, log, pi
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.model_setting import Model

Weights = dict[str, Tensor]
Ids = np.ndarray[Any, np.dtype[np.uint16]]  # tokens of a text, and a separator before each document
Starts = np.ndarray[
    Any, np.dtype[np.int64]
]  # where to read: a row for each step, a column for each text of a batch

UNSCORED = -100  # a target that the loss leaves out


@dataclass(frozen=True, slots=True)
class Machine:
    """What a model is trained on: a GPU in bfloat16 with compiled functions, or a CPU as it is."""

    device: str

    @property
    def is_gpu(self) -> bool:
        """Whether this is a GPU."""
        return self.device == "cuda"

    @property
    def name(self) -> str:
        """Name of the device."""
        return torch.cuda.get_device_name() if self.is_gpu else "CPU"

    @property
    def precision(self) -> str:
        """Name of the type in which a model computes."""
        return "bfloat16" if self.is_gpu else "float32"

    def loss(self) -> Callable[..., Tensor]:
        """Return `total_loss`, for a GPU compiled and in bfloat16."""
        if not self.is_gpu:
            return total_loss
        compiled = torch.compile(total_loss)

        def loss(*arguments: object, **options: object) -> Tensor:
            with torch.autocast("cuda", torch.bfloat16):
                return compiled(*arguments, **options)

        return loss


def machine() -> Machine:
    """Return the GPU of this machine if it has one, else its CPU."""
    return Machine("cuda" if torch.cuda.is_available() else "cpu")


def use_one_thread() -> None:
    """Compute in one thread: for a tiny model, threads cost ten times what they save."""
    torch.set_num_threads(1)


def first_weights(model: Model, tokens: int, seed: int, device: str) -> Weights:
    """Return the weights before training. One seed gives the same ones on every device."""
    draw = torch.Generator().manual_seed(seed)

    def normal(*shape: int, scale: float = 1.0) -> Tensor:
        return torch.randn(*shape, generator=draw) * 0.02 * scale

    width, into_stream = model.width, (2 * model.layers) ** -0.5
    weights = {"embedding": normal(tokens, width), "positions": normal(model.context, width)}
    for layer in range(model.layers):
        weights |= {
            f"{layer} norm": torch.ones(width),
            f"{layer} attention": normal(3 * width, width),
            f"{layer} attended": normal(width, width, scale=into_stream),
            f"{layer} second norm": torch.ones(width),
            f"{layer} wider": normal(4 * width, width),
            f"{layer} narrower": normal(width, 4 * width, scale=into_stream),
        }
    weights["last norm"] = torch.ones(width)
    return {name: weight.to(device).requires_grad_() for name, weight in weights.items()}


def logits(weights: Weights, model: Model, ids: Tensor) -> Tensor:
    """Return the scores of every token after every position of a batch of texts."""
    stream = weights["embedding"][ids] + weights["positions"][: ids.shape[1]]
    for layer in range(model.layers):
        stream = stream + attention(weights, model, layer, norm(stream, weights[f"{layer} norm"]))
        wider = norm(stream, weights[f"{layer} second norm"]) @ weights[f"{layer} wider"].T
        stream = stream + functional.gelu(wider) @ weights[f"{layer} narrower"].T
    return norm(stream, weights["last norm"]) @ weights["embedding"].T


def norm(stream: Tensor, gain: Tensor) -> Tensor:
    """Return the stream with mean 0 and variance 1 at each position, times the gain."""
    return functional.layer_norm(stream, gain.shape, gain)


def attention(weights: Weights, model: Model, layer: int, stream: Tensor) -> Tensor:
    """Return what each position gathers from the positions up to it."""
    texts, length, width = stream.shape
    queries, keys, values = (
        part.view(texts, length, model.heads, width // model.heads).transpose(1, 2)
        for part in (stream @ weights[f"{layer} attention"].T).split(width, dim=2)
    )
    gathered = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    return gathered.transpose(1, 2).reshape(texts, length, width) @ weights[f"{layer} attended"].T


def total_loss(weights: Weights, model: Model, ids: Tensor, targets: Tensor) -> Tensor:
    """Return the sum of the losses in nats, without the targets that are UNSCORED."""
    scores = logits(weights, model, ids).flatten(0, 1).float()
    return functional.cross_entropy(scores, targets.flatten(), ignore_index=UNSCORED, reduction="sum")


def train(
    weights: Weights, model: Model, ids: Ids, starts: Starts, loss: Callable[..., Tensor]
) -> Iterator[int]:
    """Train the weights, and yield the number of steps done after each. `ids` has more tokens than a context."""
    device = weights["embedding"].device
    text = torch.from_numpy(ids.astype(np.int64)).to(device)
    window = torch.arange(model.context + 1, device=device)
    matrices = [weight for weight in weights.values() if weight.dim() > 1]
    gains = [weight for weight in weights.values() if weight.dim() == 1]
    groups = [{"params": matrices, "weight_decay": model.decay}, {"params": gains, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=model.rate)
    for step, places in enumerate(starts):
        for group in optimizer.param_groups:
            group["lr"] = model.rate * share_of_rate(model, step)
        batch = text[torch.from_numpy(places).to(device)[:, None] + window]
        mean = loss(weights, model, batch[:, :-1], batch[:, 1:]) / batch[:, 1:].numel()
        optimizer.zero_grad()
        mean.backward()
        torch.nn.utils.clip_grad_norm_(weights.values(), model.clip)
        optimizer.step()
        yield step + 1


def share_of_rate(model: Model, step: int) -> float:
    """Return by what the learning rate is multiplied: it rises, then falls along a cosine to a tenth."""
    if step < model.warmup:
        return (step + 1) / model.warmup
    done = (step - model.warmup) / max(1, model.steps - model.warmup)
    return 0.1 + 0.9 * (1 + cos(pi * done)) / 2


def bits(weights: Weights, model: Model, ids: Ids, separator: int, loss: Callable[..., Tensor]) -> float:
    """Return how many bits the model needs for a text, each token once. Separators are read and cost nothing.

    The first token must be a separator. A window of one context begins where the one before ends.
    """
    device = weights["embedding"].device
    batches = -(-(len(ids) - 1) // (model.context * model.batch))
    rows = batches * model.batch  # whole batches, so that compiled functions see one shape
    padded = np.full(rows * model.context + 1, separator, np.int64)
    padded[: len(ids)] = ids
    inputs = torch.from_numpy(padded[:-1].reshape(rows, -1))
    targets = torch.from_numpy(np.where(padded == separator, UNSCORED, padded)[1:].reshape(rows, -1))
    nats = 0.0
    with torch.no_grad():
        for texts, wanted in zip(inputs.split(model.batch), targets.split(model.batch), strict=True):
            nats += float(loss(weights, model, texts.to(device), wanted.to(device)))
    return nats / log(2)
