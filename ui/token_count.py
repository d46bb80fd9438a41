"""How many tokens a finished tokenizer makes of a text: a line, and a button for the counts of all published ones.

Watch shows it of a tokenizer whose merges it replays, and Encode of the one that encodes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bpe.checkpoints import checkpoints
from bpe.encoding.tokenizer import Tokenizer
from bpe.text.display import counted, listed
from published.rows import PUBLISHED
from ui.choices.tokenizer_files import tokenizer_for_now
from ui.components.chip_table import plain_table
from ui.components.component import COMPONENTS, component
from ui.show.text import in_markdown, shortened
from ui.visit import Slot
from ui.work.byte_cache import ByteCache, digest_of
from ui.work.long_work import Says, SharedWork, asked, draw_state
from ui.work.memory_budget import fragment

_MOST_COUNTED = 500_000  # characters of a text that all published tokenizers count: some seconds
_LONGEST_NAME = 40  # characters of a tokenizer's name
_COLUMNS = ("tokenizer", "tokens", "characters per token", "against the cheapest", "used by")

# {place: digest of the texts whose counts under all published tokenizers are shown there}
_OPEN: Slot[dict[str, str]] = Slot("_token_counts_open", dict)

_COMPONENT = component("token_count", COMPONENTS / "token_count")
_COUNTS: ByteCache[dict[str, int]] = ByteCache(1_000_000)


@dataclass(frozen=True, slots=True)
class TokenCount:
    """How many tokens a tokenizer makes of some texts, each on its own."""

    name: str  # of the tokenizer
    tokens: int
    characters: int
    texts: Sequence[str] = ()  # none of a word list: no other tokenizer counts its words as they are
    unknown: int = 0  # tokens of characters that the vocabulary lacks
    published: str = ""  # slug of PUBLISHED; "" for another tokenizer


@fragment
def draw_token_count(count: TokenCount, place: str) -> None:
    """Draw the line with a button that shows what all published tokenizers make of the texts.

    place: names the place on a page, and begins the keys.
    """
    with st.container(horizontal=True, vertical_alignment="center", key=f"token_count_{place}"):
        _COMPONENT(key=f"token_count_line_{place}", data=count_line(count), height="content")
        _draw_button(count, place)
    _draw_opened(count, place)


@fragment
def draw_all_counts(count: TokenCount, place: str) -> None:
    """Draw the button alone: a stage above it shows the line."""
    _draw_button(count, place)
    _draw_opened(count, place)


def count_line(count: TokenCount) -> dict[str, str]:
    """Return the line as ui/components/token_count/line.js writes it."""
    number, noun = counted(count.tokens, "token").split(" ")
    return {"number": number, "noun": noun, "rest": _rest(count)}


def _draw_button(count: TokenCount, place: str) -> None:
    if count.texts:
        every = f"Count with all {len(PUBLISHED)} published tokenizers"
        what = "Hide the other counts" if _is_open(count, place) else every
        st.button(
            what, key=f"token_count_all_{place}", type="tertiary", on_click=_turn, args=(place, count.texts)
        )


def _draw_opened(count: TokenCount, place: str) -> None:
    if count.texts and _is_open(count, place):
        with st.container(key=f"token_counts_{place}"):
            _draw_counts(count, place)


def _is_open(count: TokenCount, place: str) -> bool:
    return _OPEN.read().get(place) == digest_of(*count.texts)


def _turn(place: str, texts: Sequence[str]) -> None:
    """Show the counts of these texts, or hide them. Those of another text take a press of their own."""
    opened, name = _OPEN.read(), digest_of(*texts)
    if opened.get(place) == name:
        del opened[place]
    else:
        opened[place] = name


def _rest(count: TokenCount) -> str:
    """Return what follows the number of tokens.

    >>> _rest(TokenCount("GPT-4o", 2, 7)), _rest(TokenCount("a.json", 1, 1, unknown=1))
    (' · 7 characters · 3.5 characters per token · GPT-4o', ', 1 of them unknown · 1 character · a.json')
    """
    parts = [
        f", {count.unknown:,} of them unknown" if count.unknown else "",
        counted(count.characters, "character"),
        f"{count.characters / count.tokens:.1f} characters per token" if count.tokens > 1 else "",
        shortened(count.name, _LONGEST_NAME),
    ]
    return " · ".join(part for at, part in enumerate(parts) if part or not at)


def _draw_counts(count: TokenCount, place: str) -> None:
    """Draw the table of all published tokenizers, and the tokenizer of the line if it is not one of them."""
    texts = _beginning(count.texts, _MOST_COUNTED)
    work = asked(
        f"counting_{place}", digest_of("token counts", *texts), partial(_count_all, texts), cache=_COUNTS
    )
    counts = work.result or {}
    says = Says(partial(_progress, work.work), "Stopped before all tokenizers had counted.")
    draw_state(f"counting_{place}", work, says)
    if not work.work.is_complete:
        return
    characters = sum(map(len, texts))
    is_whole = characters == count.characters
    own = {count.name: count.tokens} if is_whole and not count.published else {}
    st.caption(in_markdown(fewest_sentence(counts), most=500))
    plain_table(
        _COLUMNS,
        _rows(counts, own, characters),
        key=f"token_counts_table_{place}",
        label="Tokens of this text",
    )
    if not is_whole:
        st.caption(f"The table counts the first {characters:,} of {count.characters:,} characters.")


def _beginning(texts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the texts up to so many characters. The last one ends before a word, if one begins near there.

    >>> _beginning(["low lower", "newest"], 6), _beginning(["low", "newest"], 6)
    (('low',), ('low', 'new'))
    """
    kept: list[str] = []
    for text in texts:
        if len(text) > most:
            cut = text.rfind(" ", most // 2, most + 1)
            kept.append(text[: cut if cut > 0 else most])
            break
        kept.append(text)
        most -= len(text)
    return tuple(filter(None, kept))


def _progress(work: SharedWork[dict[str, int]]) -> str:
    done = len(work.result or {})
    name = list(PUBLISHED.values())[min(done, len(PUBLISHED) - 1)].name
    return f"Opening {name} and counting with it: {done} of {counted(len(PUBLISHED), 'tokenizer')} done."


def _count_all(texts: Sequence[str], work: SharedWork[dict[str, int]]) -> None:
    """Count the tokens of the texts under each published tokenizer, after a stop under those that are missing."""
    counts = dict(work.result or {})
    with checkpoints(work.job.check):
        for slug in [slug for slug in PUBLISHED if slug not in counts]:
            counts |= token_counts(texts, {slug: tokenizer_for_now(slug)})
            work.report(len(counts) / len(PUBLISHED), dict(counts))


def token_counts(texts: Sequence[str], tokenizers: Mapping[str, Tokenizer]) -> dict[str, int]:
    """Return the number of tokens that each tokenizer needs for the texts, each on its own."""
    return {
        slug: sum(len(tokenizer.encode(text)) for text in texts) for slug, tokenizer in tokenizers.items()
    }


def fewest_sentence(tokens: Mapping[str, int]) -> str:
    """Return which published tokenizers need the fewest tokens, and which the most.

    >>> fewest_sentence({"gpt-4o": 12, "qwen": 15, "deepseek": 12})
    'GPT-4o and DeepSeek need the fewest tokens, 12; Qwen needs the most, 15.'
    """
    least, most = min(tokens.values()), max(tokens.values())
    fewest = [PUBLISHED[slug].name for slug, number in tokens.items() if number == least]
    if least == most:
        need = "needs" if len(tokens) == 1 else "all need" if len(tokens) > 2 else "both need"
        return f"{listed(fewest)} {need} {counted(least, 'token')}."
    others = [PUBLISHED[slug].name for slug, number in tokens.items() if number == most]
    needs = [f"{listed(names)} {'needs' if len(names) == 1 else 'need'}" for names in (fewest, others)]
    return f"{needs[0]} the fewest tokens, {least:,}; {needs[1]} the most, {most:,}."


def _rows(
    counts: Mapping[str, int], own: Mapping[str, int], characters: int
) -> list[tuple[str, int, float, str, str]]:
    """Return a row of COLUMNS for each published tokenizer and for those of `own`, by name; the fewest tokens first.

    Those of `own` are not ranked: one that was trained on this very text would always win.

    >>> [row[3] for row in _rows({"gpt-4o": 20, "gpt-2": 30, "qwen": 20}, {"a.json": 15}, 100)]
    ['yours', 'cheapest', 'cheapest', '+50%, dearest']
    """
    named = [(PUBLISHED[slug].name, number, PUBLISHED[slug].models) for slug, number in counts.items()]
    mine = {shortened(name, _LONGEST_NAME): number for name, number in own.items()}
    named += [(name, number, "") for name, number in mine.items()]
    named.sort(key=lambda row: row[1])
    least, most = min(counts.values()), max(counts.values())

    def beside(name: str, number: int) -> str:
        if name in mine:
            return "yours"
        if number == least:
            return "cheapest"
        more = f"+{number / least - 1:.0%}" if least else ""
        return f"{more}, dearest" if number == most else more

    return [
        (name, number, round(characters / number, 2) if number else 0.0, beside(name, number), models)
        for name, number, models in named
    ]
