"""The answer on the stage of several lanes: a Components v2 component that draws nothing where it stands.

It is sent when the answer has been measured, and the stage and its lanes are on the page before.
"""

from pathlib import Path
from typing import Any

from ui.components.component import component

_COMPONENT = component("stage_answer", Path(__file__).parent)


def stage_answer(group: str, *, key: str, answer: str, ending: dict[str, Any]) -> None:
    """Give the stage of a group its answer.

    answer: one line above the lanes in the presenter view.
    ending: what the presenter view shows after the last merge, as `split_words.js` reads it.
    """
    _COMPONENT(key=key, data={"group": group, "answer": answer, "ending": ending}, height=1)
