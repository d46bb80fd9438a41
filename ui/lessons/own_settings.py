"""The viewer's own text and settings: set aside while a lesson's are in the sidebar, and put back afterwards."""

from dataclasses import dataclass

from ui.sidebar import sidebar
from ui.sidebar.recipes.settings import Value
from ui.sidebar.widgets import corpus_controls, recipe_controls
from ui.sidebar.widgets.corpus_controls import Texts
from ui.visit import Slot, nothing


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """What the sidebar held before a lesson, and the corpus and recipe of the lesson."""

    texts: Texts
    values: dict[str, Value]
    suggested: dict[str, Value]
    base: str  # of the lesson's training, as in Choice


# The viewer's text and settings, while those of a lesson are in the sidebar
OWN_SETTINGS: Slot[OwnSettings | None] = Slot("_own_settings", nothing)


def set_aside(base: str) -> None:
    """Store what the sidebar holds, before a lesson's text and settings replace it.

    base: of the lesson's training. If the sidebar still holds another lesson's, the viewer's own stay stored.
    """
    before = OWN_SETTINGS.read()
    if before is not None and _shows(before.base):
        OWN_SETTINGS.write(OwnSettings(before.texts, before.values, before.suggested, base))
    else:
        OWN_SETTINGS.write(OwnSettings(corpus_controls.texts(), *recipe_controls.contents(), base))


def put_back() -> None:
    """Put the viewer's own into the sidebar, unless the viewer has changed text or recipe since. A callback."""
    own = OWN_SETTINGS.read()
    OWN_SETTINGS.forget()
    if own is not None and _shows(own.base):
        corpus_controls.put_back(own.texts)
        recipe_controls.put_back(own.values, own.suggested)


def forget() -> None:
    """Forget the viewer's own: the lesson's stay."""
    OWN_SETTINGS.forget()


def _shows(base: str) -> bool:
    choice = sidebar.last_choice()
    return choice is not None and choice.base == base
