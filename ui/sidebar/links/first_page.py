"""The page on which the session began: the step of its link applies to this page only."""

from ui.streamlit_gaps.run_context import page_hash
from ui.visit import Slot, nothing

# The hash of that page
FIRST_PAGE: Slot[str | None] = Slot("_page_linked", nothing)


def began_on_this_page() -> bool:
    """Return whether the session began on the page that runs now."""
    if FIRST_PAGE.read() is None:
        FIRST_PAGE.write(page_hash())
    return FIRST_PAGE.read() == page_hash()
