"""trace.json: a whole trace, for programs that want more than the merges. docs/trace-json.md describes the fields."""

import json
from collections.abc import Mapping
from typing import Any

from bpe.trace.trace import Trace

_VERSION = 1


def write_trace(trace: Trace, k: int | None = None) -> str:
    """Return the first `k` steps of a trace as JSON (all of them by default), one field a line."""
    steps = trace.steps[:k]
    tokenizer = trace.tokenizer(len(steps))
    symbol_of = dict(enumerate(tokenizer.vocabulary))
    content = {
        "schema": "merge-by-merge trace",
        "version": _VERSION,
        "settings": {name: _as_json(value) for name, value in trace.settings.items()},
        "stopped": trace.stopped if len(steps) == len(trace.steps) else "cancelled",
        "special_tokens": dict(zip(tokenizer.special_tokens, tokenizer.special_ids, strict=True)),
        "unknown": tokenizer.unknown,
        "symbols": [
            ["", ""] if number in tokenizer.gaps else [symbol.hex(), trace.variant.label(symbol)]
            for number, symbol in symbol_of.items()
        ],
        "words": list(zip(trace.pre_tokens, trace.frequencies, strict=True)),
        "steps": [[*map(trace.id_of, step.pair), step.count, step.tied, step.replaced] for step in steps],
        "made": [trace.id_of(step.pair[0] + step.pair[1]) for step in steps],
        "second_stage": trace.second_stage if len(steps) > (trace.second_stage or 0) else None,
        "list_ranks": [step.list_rank for step in steps] if trace.replayed else None,
    }
    fields = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _as_json(value: object) -> Any:
    """Return a setting as JSON has it: bytes as {"hex": ...}, keys as texts."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, Mapping):
        return {str(key): _as_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(one) for one in value]
    return value
