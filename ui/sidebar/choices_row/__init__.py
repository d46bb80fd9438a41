"""What listens for the row of choices: the field takes the cursor, and what is pasted or dropped on the page is taken.

It draws nothing. It also names the parts of the row, which are Streamlit's own, for tests.
"""

from pathlib import Path

from ui.components.component import component

ROW = "choices"  # key of the container
FIELD = "corpus_text"  # key of the field for one's own text
DROPPED = "dropped_files"  # begins the key of the uploader that takes what is dropped; it is out of sight
BUTTONS = ("text", "tokenizer", "ties", "merges")

_COMPONENT = component("choices_row", Path(__file__).parent)


def button_key(choice: str) -> str:
    """Return the key of a choice's button."""
    return f"choice_{choice}"


def listen(source: str, most: int) -> None:
    """Listen. `source` is that of the text: the cursor goes into the field when it becomes one that is typed.

    most: bytes of all files that may be dropped at once.
    """
    data = {
        "row": ROW,
        "field": FIELD,
        "dropped": DROPPED,
        "buttons": {button_key(name): f"choice-{name}" for name in BUTTONS},
        "typed": source in ("paste", "words"),
        "source": source,
        "most": most,
    }
    _COMPONENT(key="choices_row", data=data)
