"""trace.json: every step of a training, for programs that want more than the merges."""

import json
from collections.abc import Mapping
from typing import Any

from bpe.trace.trace import Trace


def write_trace(trace: Trace) -> str:
    """Return the trace as JSON.

    symbols: [hexadecimal, label] by id
    steps: [left id, right id, count, tied, replaced] by rank
    """
    symbols = [[symbol.hex(), trace.variant.label(symbol)] for symbol in trace.vocabulary(len(trace.steps))]
    steps = [
        [trace.id_of(step.pair[0]), trace.id_of(step.pair[1]), step.count, step.tied, step.replaced]
        for step in trace.steps
    ]
    content = {
        "settings": _with_lists(trace.settings),
        "stopped": trace.stopped,
        "symbols": symbols,
        "steps": steps,
    }
    fields = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in content.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _with_lists(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}
