"""The token grid as a widget of a notebook, in which Python and the page share the step."""

from collections.abc import Mapping
from typing import Any

from bpe import Trace
from film.modules import BROWSER, join_scripts, join_styles, without_comments
from film.page import MOST_CHARACTERS, most_frequent
from film.training_feed import Text, training_feed

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "TokenGrid needs the package anywidget: pip install 'merge-by-merge[notebook]'", name=error.name
    ) from error

__all__ = ["TokenGrid"]

_FOLDER = BROWSER / "notebook"


class TokenGrid(anywidget.AnyWidget):
    """A training as a grid of tokens. `step` is the number of merges that are applied: set it, read it, observe it."""

    _esm = without_comments(join_scripts(_FOLDER / "main.js"))
    styles = traitlets.Unicode(join_styles(_FOLDER / "main.css")).tag(sync=True)
    feed = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)

    def __init__(self, trace: Trace, text: Text | None = None, *, step: int = 0) -> None:
        """Show a training, at first after `step` merges.

        text: the text to show, usually the one trained on; at most its first 20,000 characters are shown. Without it
            the grid shows the distinct words that were trained on, the most frequent ones if there are too many.
        """
        shown_text = _words(trace) if text is None else text
        super().__init__(feed=dict(training_feed(trace, shown_text, size=MOST_CHARACTERS)), step=step)

    @traitlets.validate("step")
    def _within_the_training(self, proposal: Mapping[str, Any]) -> int:
        """Return the step, or the nearest one that the training has."""
        return max(0, min(int(proposal["value"]), int(self.feed["last"])))


def _words(trace: Trace) -> Mapping[str, int]:
    return most_frequent(dict(zip(trace.pre_tokens, trace.frequencies, strict=True)), MOST_CHARACTERS)
