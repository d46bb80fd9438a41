"""A visit as a state machine: its rules are what a person does, in any order, and after each of them the page is whole.

Whole means: no exception, and the grid of Watch is fed with what the core computes from the same choices.
"""

import json
import time
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import bpe
from tests.app import (
    component_id,
    open_app,
    resting_step,
    run,
    send_event,
    send_state,
    sent,
    take_row,
    type_into,
)
from tests.film.readers import tokens_of, words_of
from ui.choices.share_file import FORMAT
from ui.shown.navigation import PAGES
from ui.trainings.corpus import Corpus, from_sample, samples
from ui.trainings.picks import read_picks
from ui.trainings.settings import PATTERN

TEXTS = [
    "low lower lowest",
    "aaa aa a",
    "ab",
    " ",
    "é 😀\n\tnaïve  ",
    "abcabc " * 30,
    "</w> _ ▁ <b>*x*</b> :smile:",
    "标记 標記",
]
SHORT = [slug for slug in samples() if from_sample(slug).characters < 600]
VARIANTS = [slug for slug, row in bpe.VARIANTS.items() if row.configure is None]
RULES = [slug for slug, row in bpe.TIE_BREAKS.items() if row.menu]
OTHER_PAGES = [page for page in PAGES if page != "watch"]
MERGES = st.integers(0, 30)
LONGEST_WAIT = 60  # seconds until a training of a few words must have ended


def _one(values: str | list[str]) -> str:
    """Return the value of a parameter: AppTest holds a text before the app has written it, and a list afterwards."""
    return values if isinstance(values, str) else values[0]


class Visit(RuleBasedStateMachine):
    """One session, what stands in its field, and the text that it trains on.

    An empty field asks for a text, and the page goes on showing the text before.
    """

    app: AppTest
    typed: str
    shown: Corpus

    @initialize(slug=st.sampled_from(SHORT))
    def open(self, slug: str) -> None:
        self.app, self.typed, self.shown = open_app({"corpus_sample": slug}), "", from_sample(slug)

    @rule(slug=st.sampled_from(SHORT))
    def choose_sample(self, slug: str) -> None:
        self._set(corpus_source="sample", corpus_sample=slug)
        self.shown = from_sample(slug)

    @rule(text=st.sampled_from(TEXTS) | st.text(max_size=40))
    def paste(self, text: str) -> None:
        self._set(corpus_source="paste")
        self._show_typed()
        type_into(self.app, "corpus_text", text)
        self.typed = text
        self._show_typed()

    @rule(preset=st.sampled_from([*bpe.PRESETS, "none"]))
    def choose_preset(self, preset: str) -> None:
        take_row(self.app, "preset", preset)

    @rule(variant=st.sampled_from([*VARIANTS, "custom"]))
    def choose_variant(self, variant: str) -> None:
        self.app.selectbox(key="variant").set_value(variant)
        run(self.app)

    @rule(tie_break=st.sampled_from(RULES))
    def choose_rule(self, tie_break: str) -> None:
        take_row(self.app, "tie_break", tie_break)

    @rule(merges=MERGES)
    def choose_merges(self, merges: int) -> None:
        self.app.number_input(key="merges").set_value(merges)
        run(self.app)

    @precondition(lambda self: self._has_grid())
    @rule(step=MERGES)
    def step(self, step: int) -> None:
        send_state(self.app, "watch", json.dumps({"step": step}))

    @precondition(lambda self: self._has_grid())
    @rule(rank=MERGES, left=st.sampled_from("lowest"), right=st.sampled_from("lowest"))
    def pick(self, rank: int, left: str, right: str) -> None:
        """Pick a pair in the grid or the table. It counts if it ties for that merge."""
        pair = {"left": list(left.encode()), "right": list(right.encode())}
        send_event(self.app, "watch", "pick", json.dumps({"rank": rank, **pair}))

    @precondition(lambda self: self._has_grid() and sent(self.app, "watch")["change"]["picks"])
    @rule(number=st.integers(0, 11))
    def undo(self, number: int) -> None:
        picks = sent(self.app, "watch")["change"]["picks"]
        send_event(self.app, "watch", "undo", json.dumps(picks[number % len(picks)]["rank"]))

    @rule(page=st.sampled_from(OTHER_PAGES))
    def look_at_another_page(self, page: str) -> None:
        for address in (page, "start"):
            self.app._page_hash = calc_hash(address)
            run(self.app)

    @rule()
    def reload(self) -> None:
        """Open the address anew. The browser gives the typed text back."""
        link = {key: _one(values) for key, values in self.app.query_params.items()}
        self.app = open_app(link)
        if self.typed:
            kept = {"number": 1, "kept": {"paste": self.typed}}
            send_event(self.app, "field_corpus_text", "typed", json.dumps(kept))
        if link.get("corpus_source") == "paste":  # without a text, a new visit begins as every visit does
            self.shown = from_sample(next(iter(samples())))
            self._show_typed()

    @rule(
        text=st.sampled_from(TEXTS),
        variant=st.sampled_from(VARIANTS),
        tie_break=st.sampled_from(RULES),
        merges=MERGES,
    )
    def open_share_file(self, text: str, variant: str, tie_break: str, merges: int) -> None:
        recipe = {"preset": "none", "variant": variant, "tie_break": tie_break, "merges": merges}
        file = {"format": FORMAT, "corpus": {"title": "*T*", "documents": [text]}, "recipe": recipe}
        self.app.file_uploader(key="share_file").upload("a.json", json.dumps(file).encode())
        run(self.app)
        if text.strip():
            self.typed = text
            self._show_typed()
        self.app.file_uploader(key="share_file").clear()
        run(self.app)

    @invariant()
    def the_grid_is_fed_with_what_the_core_computes(self) -> None:
        self._wait_for_trainings()
        corpus, trace = self.shown, self._trace(self.shown)
        if not self._has_grid():
            assert not trace.pre_tokens
            return
        feed = self._feed()
        assert feed["last"] == len(trace.steps)
        step = resting_step(self.app, "watch")
        for k in {0, step, len(trace.steps)}:
            if corpus.frequencies is None and feed["text"]["end"] == feed["text"]["total"]:
                assert tokens_of(feed, k) == trace.segment(corpus.reading_text, k)
            else:
                # The grid lists words as they are written; some trainers put frequent ones first.
                assert sorted(words_of(feed, k)) == sorted(list(word) for word, _ in trace.words_at(k))

    def _show_typed(self) -> None:
        """Show the typed text, if there is one."""
        if self.typed.strip():
            self.shown = Corpus("Text", (self.typed,))

    def _wait_for_trainings(self) -> None:
        """Run the page again until it shows no training in progress, as a browser does: a busy machine needs longer."""
        until = time.monotonic() + LONGEST_WAIT
        while self._keys("training_stop"):
            assert time.monotonic() < until, "a training does not end"
            time.sleep(0.02)
            run(self.app)

    def _trace(self, corpus: Corpus) -> bpe.Trace:
        """Train as the controls say."""
        chosen: dict[str, Any] = {
            key: self._value(key) for key in ("preset", "variant", "tie_break", "merges")
        }
        settings: dict[str, Any] = {}
        if chosen["preset"] != "none":
            settings = dict(bpe.PRESETS[chosen["preset"]].settings)
        else:
            settings = {"variant": chosen["variant"], "tie_break": chosen["tie_break"]}
            if chosen["variant"] == "custom":
                settings |= {"pattern": PATTERN, "unit": "bytes"}
        picks = self.app.query_params.get("picks")
        if picks:
            settings["picks"] = dict(read_picks(_one(picks)))
        return bpe.train(corpus.training_text, merges=chosen["merges"], **settings)

    def _value(self, key: str) -> Any:
        return self.app.session_state[key]

    def _set(self, **values: str) -> None:
        for key, value in values.items():
            self.app.session_state[key] = value
        run(self.app)

    def _keys(self, start: str) -> list[str]:
        return [button.key for button in self.app.button if button.key and button.key.startswith(start)]

    def _press(self, start: str, number: int) -> None:
        keys = self._keys(start)
        self.app.button(key=keys[number % len(keys)]).click()
        run(self.app)

    def _has_grid(self) -> bool:
        try:
            return bool(component_id(self.app, "watch"))
        except StopIteration:
            return False

    def _feed(self) -> Any:
        elements = {str(one.proto.id): one.proto for one in self.app.get("bidi_component")}
        return json.loads(elements[component_id(self.app, "watch")].bytes)["feed"]
