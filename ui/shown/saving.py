"""Share, the one place to take a page away: link, film, picture, tokenizer and script, in the tabs of one popover."""

from collections.abc import Callable, Mapping
from functools import partial
from weakref import WeakKeyDictionary

import streamlit as st

from bpe import BPEError, Trace
from bpe.formats import FORMATS, Format
from bpe.settings.request import Text
from bpe.text.display import counted
from bpe.text.normalizing import NORMALIZATIONS
from bpe.training.script import MOST_HELD, training_script
from film.html_page import FILE, embeds_of
from film.modules import BROWSER
from ui.view.component import component
from ui.view.downloads import download_button
from ui.view.origin import words_of
from ui.view.text import in_markdown

_REFUSALS: "WeakKeyDictionary[Trace, tuple[int, Mapping[str, str | None]]]" = WeakKeyDictionary()
_SCRIPTS: "WeakKeyDictionary[Trace, str]" = WeakKeyDictionary()
_SCRIPT_FILE, _TEXT_FILE = "script.py", "text.txt"
_MOST_SHOWN = 60_000  # characters of a script on the page

# A picture of the grid, which the viewer's browser makes from the grid's data.
_COMPONENT = component("picture", BROWSER / "picture")


def draw_share(page: str, parts: Mapping[str, Callable[[], object]]) -> None:
    """Draw the popover, with a tab for each part. Nothing is made before its tab is open.

    page: its name. Call it after the page has written all its parameters into its link.
    """
    popover = st.popover("Share", icon=":material/ios_share:", key=f"share_{page}", on_change="rerun")
    if not popover.open:
        return
    with popover:
        if len(parts) == 1:
            (draw_only,) = parts.values()
            draw_only()
            return
        tabs = st.tabs(list(parts), key=f"share_{page}_parts", on_change="rerun")
        for tab, draw in zip(tabs, parts.values(), strict=True):
            if tab.open:
                with tab:
                    draw()


def export_tokenizer(trace: Trace, step: int) -> None:
    """Draw a button for each format."""
    merges = _merges(trace, step)
    # A text needs only some of a file's merges.
    exported = merges if trace.origin.is_own else len(trace.tokenizer(merges).merges)
    st.write(f"The tokenizer after {counted(exported, 'merge')}, as a file.")
    with st.spinner("Trying the formats …"):
        reasons = _refusals(trace, merges)
    for row in FORMATS.values():
        about = f"{row.about}{_left_out(row, trace)}"
        _save_as(row, partial(row.trace_content, trace, merges), reasons[row.slug] or "", about, "export")


def _save_as(row: Format, make: Callable[[], bytes], reason: str, about: str, key: str) -> None:
    """Draw a button that saves a file of this format, and what it is; or the reason why none can be made.

    key: how the button's key begins.
    """
    download_button(
        row.title, make, row.file_name, disabled=bool(reason), key=f"{key}_{row.slug}", width="stretch"
    )
    st.caption(in_markdown(reason or about, most=500))


def save_film(make: Callable[[], str], step: int, last: int) -> None:
    """Draw the button that saves a film, and the code that embeds it elsewhere. A click calls `make`.

    step, last: the step that the page shows and the film's last one, for examples of where a film may begin.
    """
    embeds = embeds_of()
    st.write("One HTML file with this grid and its keys. It opens in any browser, even offline.")
    download_button(f"Save {FILE}", lambda: make().encode(), FILE, mime="text/html", key="save_film")
    st.caption(f"Put the file next to your page or slides. {_example_addresses(step, last)}")
    for tab, embed in zip(st.tabs([embed.name for embed in embeds]), embeds, strict=True):
        tab.caption(embed.how)
        tab.code(embed.code, language=None, wrap_lines=True)


def save_script(trace: Trace, text: Text) -> None:
    """Draw the training as a Python script, and the buttons that save it and a text that is too long to stand in it."""
    is_long = isinstance(text, str) and len(text) > MOST_HELD
    try:
        script = _script(trace, text, _TEXT_FILE if is_long else "")
    except BPEError as error:
        st.caption(in_markdown(str(error), most=500))
        return
    st.write("This training in plain Python. It learns the same merges without this app.")
    download_button(f"Save {_SCRIPT_FILE}", script.encode, _SCRIPT_FILE, key="save_script")
    if isinstance(text, str) and is_long:
        download_button(f"Save {_TEXT_FILE}", text.encode, _TEXT_FILE, key="save_script_text")
        st.caption(f"The text is long, so the script reads it from {_TEXT_FILE}. Save both in one folder.")
    if len(script) <= _MOST_SHOWN:
        # Without colours, of which Streamlit's are too pale to be read, and without an area that only a mouse scrolls.
        st.code(script, language=None, wrap_lines=True)
    else:
        st.caption("The script holds the whole text, so it is too long to be shown here.")


def save_picture(group: str, footer: str) -> None:
    """Draw what saves a picture of the grids of a group. The footer is a line below the picture."""
    st.write("The grid as it is now, with its headline, for slides and papers.")
    for kind in ("svg", "png", "gif"):
        _COMPONENT(key=f"save_{kind}", data={"kind": kind, "group": group, "footer": footer})


def _script(trace: Trace, text: Text, beside: str) -> str:
    """Return the script of a training. Remembers it while somebody has the trace: the words are counted for it."""
    if trace not in _SCRIPTS:
        _SCRIPTS[trace] = training_script(text, trace.request, beside=beside)
    return _SCRIPTS[trace]


def _merges(trace: Trace, step: int) -> int:
    """Draw the choice between all merges and those of the step in view, and return how many to export.

    All of them come first: on Watch, people often open the popover at step 0, where the tokenizer is still empty.
    """
    last = len(trace.steps)
    if step == last:
        return last
    titles = {
        "all": "The only merge" if last == 1 else f"All {last:,} merges",
        "step": f"The first {step:,} merges" if step > 1 else ("The first merge" if step else "No merge"),
    }
    named = words_of(trace.origin).exported
    titles = {key: name or titles[key] for key, name in zip(titles, named, strict=True)}
    chosen = st.segmented_control(
        "Merges to export",
        tuple(titles),
        key="export_merges",
        format_func=titles.__getitem__,
        default="all",
        required=True,
        help="The second choice exports the tokenizer of the step that the page shows.",
    )
    return step if chosen == "step" else last


def _refusals(trace: Trace, step: int) -> Mapping[str, str | None]:
    """Return why each format cannot hold the trace at a step; None for one that can. Caches the last step's answer.

    Every format writes its file to find out, which takes seconds for 200,000 merges.
    """
    if trace not in _REFUSALS or _REFUSALS[trace][0] != step:
        _REFUSALS[trace] = step, {slug: row.refusal(trace, step) for slug, row in FORMATS.items()}
    return _REFUSALS[trace][1]


def _left_out(row: Format, trace: Trace) -> str:
    """Return a sentence on the normalization that a file does not hold; "" if there is none."""
    form = trace.request.normalization
    if form is None or row.says_normalization:
        return ""
    return f" It does not say that {NORMALIZATIONS[form].name} comes first."


def _example_addresses(step: int, last: int) -> str:
    """Return what to add to a film's address, with a step inside the film: the one on the page, or else its middle.

    >>> _example_addresses(3, 12)
    'Add #step=3 to begin after 3 merges, #play=1 to play, or #from=3&to=12&play=1 to play a part.'
    >>> _example_addresses(1, 1)
    'Add #play=1 to play.'
    """
    inside = step if 0 < step < last else last // 2
    if not inside:
        return "Add #play=1 to play."
    return (
        f"Add #step={inside} to begin after {counted(inside, 'merge')}, #play=1 to play, or "
        f"#from={inside}&to={last}&play=1 to play a part."
    )
