"""The handout: byte pair encoding on one printed page. Every merge, count and token on it comes from a training."""

import html
from collections.abc import Iterable

import segno

import bpe
from bpe import Pair, Symbol, Trace
from bpe.text.display import merge_number
from film.html_page import SITE_NAME
from gallery.page import LICENSE_ADDRESS, LICENSE_NAME, Addresses, chip, page_html
from ui.lessons.contents import lessons
from ui.lessons.glossary import terms

FILE = "handout.html"
TITLE = "Byte pair encoding on one page"
DESCRIPTION = (
    "A handout to print: the algorithm, a worked example with a tie, encoding a new word, and an exercise."
)
WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
MERGES = 6
NEW_WORD = "lowest"
EXERCISE = "count-merge-repeat"  # the lesson whose merges a reader finds
TERMS = ("token", "pair", "vocabulary", "tie", "pre-token", "marker")


def handout(addresses: Addresses) -> str:
    """Return the page."""
    trace = bpe.train(WORDS, variant="char-eow", merges=MERGES)
    body = f"""<main>
<header><div><h1>{TITLE}</h1><p>{_where(addresses)}</p></div>{_code(addresses)}</header>
<section><h2>The algorithm</h2><ol>
<li>Split the text into words, and spell each word in characters (or bytes). These are the first tokens.</li>
<li>Count every pair of neighbours inside the words. A pair in a word that occurs 5 times is counted 5 times.</li>
<li>Merge the most frequent pair everywhere. It becomes one token, and the vocabulary grows by one.</li>
<li>Repeat from 2 until the vocabulary is large enough. The first tokens and the list of merges are the tokenizer.</li>
</ol></section>
<section><h2>An example</h2><p>{_words(trace, 0)}</p>{_table(trace)}
<p>After {MERGES} merges: {_words(trace, MERGES)}</p></section>
<section><h2>Ties</h2>{_tie(trace)}</section>
<section><h2>A new word</h2>{_new_word(trace)}</section>
<section class="exercise"><h2>Your turn</h2>{_exercise(addresses)}</section>
<section class="terms"><h2>Words to know</h2><dl>{_terms()}</dl></section>
<footer>{SITE_NAME}. {LICENSE_NAME} (CC BY 4.0),
<a rel="license" href="{LICENSE_ADDRESS}">{LICENSE_ADDRESS}</a></footer>
</main>"""
    return page_html(TITLE, DESCRIPTION, body, "handout.css", addresses, FILE)


def _where(addresses: Addresses) -> str:
    """Return where to watch the merges: the address, or without one a sentence."""
    if not addresses.site:
        return 'Watch every merge: open <a href="index.html">the gallery</a>, where this sheet comes from.'
    return f"Watch every merge: {_link(addresses, addresses.site, 'index.html')}"


def _code(addresses: Addresses) -> str:
    """Return the gallery's address as a code for phones; "" without an address."""
    if not addresses.site:
        return ""
    code: str = segno.make(addresses.site, error="m").svg_inline(border=0, svgclass="code", omitsize=True)
    return code


def _link(addresses: Addresses, address: str, file: str) -> str:
    """Return a link that can be used on paper: to the address, or to a file if the gallery has no address."""
    if addresses.site:
        return f'<a href="{html.escape(address)}">{html.escape(address)}</a>'
    return f'<a href="{file}">{file}</a> in the gallery'


def _chips(trace: Trace, word: Iterable[Symbol]) -> str:
    return "".join(chip(trace.variant.label(symbol)) for symbol in word)


def _pair(trace: Trace, pair: Pair) -> str:
    return " + ".join(chip(trace.variant.label(symbol)) for symbol in pair)


def _words(trace: Trace, step: int) -> str:
    return " ".join(
        f'<span class="word">{frequency} × {_chips(trace, word)}</span>'
        for word, frequency in trace.words_at(step)
    )


def _table(trace: Trace) -> str:
    rows = "".join(
        f"<tr><td>{merge_number(rank)}<td>{_pair(trace, step.pair)}<td>{_chips(trace, [step.pair[0] + step.pair[1]])}"
        f"<td>{step.count}<td>{step.tied if step.tied > 1 else '–'}"
        for rank, step in enumerate(trace.steps)
    )
    return f"<table><tr><th>Merge<th>Pair<th>New token<th>Count<th>Pairs that tie{rows}</table>"


def _tie(trace: Trace) -> str:
    rank = next(rank for rank, step in enumerate(trace.steps) if step.tied > 1)
    pairs = ", ".join(_pair(trace, pair) for pair in trace.tied_pairs(rank))
    other = bpe.train(WORDS, variant="char-eow", merges=MERGES, tie_break="pair-max")
    first, last = (f"“{html.escape(one.tie_break.title)}”" for one in (trace, other))
    same = len(
        {left + right for left, right in trace.merges} & {left + right for left, right in other.merges}
    )
    return (
        f"<p>Before merge {merge_number(rank)}, {trace.steps[rank].tied} pairs occur {trace.steps[rank].count} times: "
        f"{pairs}. A rule must decide, and trainers have different rules. {first} picks "
        f"{_pair(trace, trace.steps[rank].pair)}, and {last} picks {_pair(other, other.steps[rank].pair)}. After "
        f"{MERGES} merges the two rules have {same} of {MERGES} tokens in common.</p>"
    )


def _new_word(trace: Trace) -> str:
    tokenizer = trace.tokenizer()
    states = [next(trace.variant.spell(word) for word in trace.variant.split(NEW_WORD))]
    states += [step.segmentation[0] for step in tokenizer.encode_steps(NEW_WORD)]
    shown_states = " → ".join(f'<span class="word">{_chips(trace, state)}</span>' for state in states)
    return (
        f"<p>To encode a new word, nothing is counted: you apply the merges in the order in which they were learned. "
        f"The word “{html.escape(NEW_WORD)}”: {shown_states}</p>"
    )


def _exercise(addresses: Addresses) -> str:
    lesson = lessons()[EXERCISE]
    words = lesson.corpus.frequencies or {}
    listed = ", ".join(f"{frequency} × {html.escape(word)}" for word, frequency in words.items())
    lines = "".join(
        f"<li>{number}. Pair: <i></i> Count: <i></i> New token: <i></i> Ties? <i></i></li>"
        for number in range(1, 5)
    )
    file = f"films/{EXERCISE}.html"
    return (
        f"<p>Five words and how often they occur: {listed}. Find the first four merges. Then compare with the film: "
        f"{_link(addresses, addresses.of(file), file)}</p><ol>{lines}</ol>"
    )


def _terms() -> str:
    return "".join(
        f"<div><dt>{html.escape(terms()[slug].term)}</dt><dd>{html.escape(terms()[slug].means)}</dd></div>"
        for slug in TERMS
    )
