"""The private values of a session, besides those of its widgets. All their keys are defined here.

Only the module that owns a row reads and writes it; other modules call that module's functions. The keys of widgets
are public and are defined beside the widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import streamlit as st

if TYPE_CHECKING:  # only for the types: the owners import this module
    from bpe import Trace
    from ui.compare.measures.luck import Draws
    from ui.compare.measures.measuring import Measuring
    from ui.components.grid_memory import GridMemory
    from ui.encode.encoding_run import Begun
    from ui.exercises.progress import Attempt
    from ui.languages.parity import ParityRun
    from ui.lessons.own_settings import OwnSettings
    from ui.sidebar.recipes.picks import Picks
    from ui.sidebar.recipes.recipe import Recipe
    from ui.sidebar.recipes.settings import Value
    from ui.sidebar.sidebar import Choice
    from ui.sidebar.texts.corpus import Corpus
    from ui.sidebar.texts.encodings import Doubt
    from ui.sidebar.tokenizers.expected_tokenizer import ExpectedTokenizer
    from ui.sidebar.tokenizers.tokenizer_files import Files, TokenizerFile
    from ui.trainings.training_watch import Watch

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Slot(Generic[T]):
    """One private value of the session. `begin` makes its first value."""

    key: str
    begin: Callable[[], T]

    def read(self) -> T:
        """Return the value. A dict or list may be changed in place."""
        if self.key not in st.session_state:
            st.session_state[self.key] = self.begin()
        value: T = st.session_state[self.key]
        return value

    def write(self, value: T) -> None:
        """Replace the value."""
        st.session_state[self.key] = value

    def forget(self) -> None:
        """Reset the value to its first value."""
        st.session_state.pop(self.key, None)


def _nothing() -> None:
    return None


# ui/sidebar/sidebar.py: what the controls say, or the sentence why there is no text; None before they are drawn
CHOICE: Slot[Choice | str | None] = Slot("_choice", _nothing)
# ui/sidebar/widgets/recipe_controls.py: preset and number of merges last suggested, to see whether the viewer chose
# others
SUGGESTED: Slot[dict[str, Value]] = Slot("_suggested", dict)
# ui/sidebar/widgets/preset_choice.py: the preset that was switched off; "" for none
PRESET_BEFORE: Slot[str] = Slot("_preset_before", str)
# ui/sidebar/tokenizers/tokenizer_files.py: {id: opened file}, the last used at the end; the id of the sidebar's
# file; what is wrong with the last upload
TOKENIZERS: Slot[dict[str, TokenizerFile]] = Slot("_tokenizers", dict)
TOKENIZER: Slot[str] = Slot("_tokenizer", str)
TOKENIZER_PROBLEM: Slot[str] = Slot("_tokenizer_problem", str)
# ui/sidebar/widgets/tokenizer_controls.py: files to open in this run
TOKENIZER_UPLOAD: Slot[Files] = Slot("_tokenizer_upload", tuple)
# ui/sidebar/tokenizers/expected_tokenizer.py: the tokenizer of the share file that was opened, until it is there
EXPECTED_TOKENIZER: Slot[ExpectedTokenizer | None] = Slot("_expected_tokenizer", _nothing)
# ui/sidebar/links/link.py: the settings that the link names; warnings about it, None before it is read; the link as
# written
LINKED_KEYS: Slot[frozenset[str]] = Slot("_linked_keys", frozenset)
LINK_WARNINGS: Slot[list[str] | None] = Slot("_ignored", _nothing)
LINK: Slot[dict[str, str]] = Slot("_link", dict)
# ui/sidebar/links/start_file.py: whether the session was given the file that the app was started with
STARTED: Slot[bool] = Slot("_started", bool)
# ui/sidebar/recipes/picks.py: {base: picks}; those of a link or a share file, until their base is known
PICKS: Slot[dict[str, Picks]] = Slot("_picks", dict)
OPENED_PICKS: Slot[Picks | None] = Slot("_link_picks", _nothing)
# ui/sidebar/widgets/corpus_controls.py: {source: text}; the source of the text area; the files' corpus, or what is
# wrong
DRAFTS: Slot[dict[str, str]] = Slot("_drafts", dict)
TYPED_SOURCE: Slot[str] = Slot("_typed_source", str)
UPLOADED: Slot[Corpus | str | None] = Slot("_uploaded", _nothing)
# ui/sidebar/widgets/corpus_controls.py: the files if one is not UTF-8, with its likely encodings; the encoding it
# was read in
UPLOAD_DOUBT: Slot[Doubt | None] = Slot("_upload_doubt", _nothing)
UPLOAD_ENCODING: Slot[str] = Slot("_upload_encoding", str)
# ui/sidebar/share_file.py: what is wrong with the file that was opened
SHARE_PROBLEM: Slot[str] = Slot("_share_problem", str)
# ui/visit/page_link.py: pages whose parameters were read; the page on which the session began
PAGES_READ: Slot[set[str]] = Slot("_pages_read", set)
FIRST_PAGE: Slot[str | None] = Slot("_page_linked", _nothing)
# ui/sidebar/links/linked_step.py: the step of the link; the training that the link opened, to which it belongs
LINKED_STEP: Slot[int | None] = Slot("_step", _nothing)
LINKED_TRAINING: Slot[str | None] = Slot("_watch_linked", _nothing)
# ui/sidebar/links/asked.py: the kind of the question that the link or a file asks, "" for none; the training it is
# about
ASKED: Slot[str] = Slot("_asked", str)
ASKED_TRAINING: Slot[str | None] = Slot("_asked_training", _nothing)
# ui/components/grid_memory.py: {key of a grid: its memory}; {group of grids: step of its playhead}
GRIDS: Slot[dict[str, GridMemory]] = Slot("_grids", dict)
GROUP_STEPS: Slot[dict[str, int]] = Slot("_grid_group_steps", dict)
# ui/lessons/choosing.py: the lesson to show at the next run; the beat of the link, from 1; {lesson: beat, from 0}
NEXT_LESSON: Slot[str | None] = Slot("_lesson_asked", _nothing)
LINKED_BEAT: Slot[int | None] = Slot("_lesson_beat", _nothing)
LESSON_BEATS: Slot[dict[str, int]] = Slot("_lesson_beats", dict)
# ui/lessons/glossary_page.py: the text to find at the next run
NEXT_TERM: Slot[str | None] = Slot("_glossary_term", _nothing)
# ui/exercises/progress.py: {name of an exercise: its attempts}
ATTEMPTS: Slot[dict[str, Attempt]] = Slot("_exercise_attempts", dict)
# ui/lessons/choosing.py: lessons whose last step was shown in this visit
LESSONS_DONE: Slot[set[str]] = Slot("_lessons_done", set)
# ui/lessons/to_watch.py: the lesson and the beat, from 0, that opened Watch
LESSON_LEFT: Slot[tuple[str, int] | None] = Slot("_lesson_left", _nothing)
# ui/lessons/own_settings.py: the viewer's text and settings, while those of a lesson are in the sidebar
OWN_SETTINGS: Slot[OwnSettings | None] = Slot("_own_settings", _nothing)
# ui/watch/tale.py: how often the viewer asked for the tale of a sample
TALES_ASKED: Slot[int] = Slot("_tales_asked", int)
# ui/trainings/training.py: {name: trainings on their way or stopped, the oldest first}; those that the viewer has
# stopped since the page was last drawn; whether that was a Stop for all of them; {name: complete traces of the page}
TRAININGS: Slot[dict[str, Watch]] = Slot("_trainings", dict)
JUST_STOPPED: Slot[Sequence[Watch]] = Slot("_just_stopped", tuple)
JUST_STOPPED_ALL: Slot[bool] = Slot("_just_stopped_all", bool)
TRACES: Slot[dict[str, Trace]] = Slot("_traces", dict)
# ui/shell/step_slider.py: the number of merges that the slider ended at when it was last drawn
SLIDER_END: Slot[int | None] = Slot("_at_step_last", _nothing)
# ui/bytes/byte_recipe.py: the recipe from which the viewer switched to bytes
RECIPE_BEFORE_BYTES: Slot[Recipe | None] = Slot("_recipe_before_bytes", _nothing)
# ui/compare/grids/lane_menu.py: the lanes that were suggested last
LANES_SUGGESTED: Slot[list[str] | None] = Slot("_lanes_suggested", _nothing)
# ui/compare/choice/lane_files.py: files to open in this run; what is wrong with the last ones
LANE_UPLOAD: Slot[Files] = Slot("_lane_upload", tuple)
LANE_PROBLEM: Slot[str] = Slot("_lane_problem", str)
# ui/compare/choice/lane_state.py: the corpus and the settings that branches belong to; warnings about the link, and
# about a lane that was dropped; lanes for the next run; {corpus and settings: {lane: name}}
LANES_SCOPE: Slot[tuple[Value, ...]] = Slot("_lanes_scope", tuple)
LANES_WARNINGS: Slot[list[str]] = Slot("_lanes_ignored", list)
NEXT_LANES: Slot[list[str] | None] = Slot("_lanes_next", _nothing)
BRANCH_NAMES: Slot[dict[tuple[Value, ...], dict[str, str]]] = Slot("_branch_names", dict)
# ui/compare/grids/lane_grids.py: the comparison that the link opened; {grid: start of its window} of the last run;
# the start of all windows
LINKED_COMPARISON: Slot[str | None] = Slot("_compare_linked", _nothing)
COMPARED_WINDOWS: Slot[dict[str, int]] = Slot("_compare_windows", dict)
COMPARED_WINDOW: Slot[int] = Slot("_compare_window", int)
# ui/sidebar/texts/held_out_choice.py: the uploaded held-out documents, or what is wrong with them; the files if one
# is not UTF-8; the encoding they were read in; whether a part of the text is set aside: "yes", "no", or "" for the
# default
TEST_FILES: Slot[Corpus | str | None] = Slot("_test_files", _nothing)
TEST_DOUBT: Slot[Doubt | None] = Slot("_test_doubt", _nothing)
TEST_ENCODING: Slot[str] = Slot("_test_encoding", str)
SET_ASIDE: Slot[str] = Slot("_set_aside", str)
# ui/compare/measures/measuring.py: the evidence of the comparison on the page, on its way or done
EVIDENCE: Slot[Measuring | None] = Slot("_evidence", _nothing)
# ui/compare/measures/luck.py: the draws on their way, or done
LUCK: Slot[Draws | None] = Slot("_luck", _nothing)
# ui/languages/parity.py: the parity-aware training on its way, or ended
PARITY: Slot[ParityRun | None] = Slot("_parity", _nothing)
# ui/encode/controls.py: the text last suggested
SUGGESTED_TEXT: Slot[str | None] = Slot("_encode_suggested", _nothing)
# ui/encode/decode_view.py: the ids last suggested
SUGGESTED_IDS: Slot[str | None] = Slot("_encode_ids_suggested", _nothing)
# ui/encode/encoding_run.py: the encoding that was stopped; the last one and how far it has come
STOPPED_ENCODING: Slot[object] = Slot("_encode_stopped", _nothing)
BEGUN_ENCODING: Slot[Begun | None] = Slot("_encode_begun", _nothing)
# ui/vocabulary/token_search.py: the token last suggested
SUGGESTED_TOKEN: Slot[int | None] = Slot("_vocabulary_token_suggested", _nothing)
# ui/streamlit_gaps/kept_text/: keys of the components whose texts the browser has given back
RESTORED_FIELDS: Slot[set[str]] = Slot("_restored_fields", set)
