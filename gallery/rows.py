"""The page of the gallery that shows how the published tokenizers read the sample texts: rows made when it is built."""

import html
import json
from collections.abc import Sequence

from film.html_page import SITE_NAME, hash_of
from film.modules import shipped_script
from film.page import _FilmParts
from film.split_rows import SplitRow, split_row
from gallery.page import HERE, Addresses, footer, page_html
from published.packing import open_published
from published.rows import PUBLISHED
from ui.page_parts import tokenizers_page
from ui.trainings.corpus import Sample, from_sample

FILE = "rows.html"
TITLE = "How GPT-4o and others read these texts"
_ABOUT = "The tokens of GPT-4o, Qwen, DeepSeek and others side by side, and how many each of them needs."


def rows_page(samples: Sequence[Sample], addresses: Addresses) -> str:
    """Return the page. It shows one of the texts at a time: the one that the address names, or else the first."""
    rows: dict[str, dict[str, SplitRow]] = {sample.slug: {} for sample in samples}
    for tokenizer_slug in PUBLISHED:  # one at a time: together they take 200 MB
        tokenizer = open_published(tokenizer_slug).tokenizer
        for sample in samples:
            rows[sample.slug][tokenizer_slug] = split_row(_text(sample), tokenizer)
    feeds = {
        sample.slug: tokenizers_page.feed(_text(sample), _text(sample), rows[sample.slug]) | {"learn": ""}
        for sample in samples
    }
    data = json.dumps(feeds).replace("<", "\\u003c")
    script = shipped_script(HERE / "rows.js")
    links = " ".join(
        f'<a href="#{sample.slug}" title="{html.escape(sample.about)}">{html.escape(sample.title)}</a>'
        for sample in samples
    )
    body = f"""<header>
<p class="name">{SITE_NAME}</p>
<h1>{TITLE}</h1>
<p class="lead">{_ABOUT} In the app, the page Tokenizers does this with your own words.</p>
</header>
<nav class="begin" aria-label="Texts">{links}</nav>
<main id="rows-stage"><noscript><p>The rows need JavaScript. They load nothing from the network.</p></noscript></main>
<p class="begin"><a id="rows-film" href="index.html">Watch a tokenizer learn from this text</a> <a
href="index.html">All films</a></p>
{footer(addresses)}"""
    scripts = (
        f'<script type="application/json" id="rows">{data}</script>\n<script type="module">{script}</script>'
    )
    parts = _FilmParts("", scripts, f"'{hash_of(script)}'")
    return page_html(f"{TITLE}: {SITE_NAME}", _ABOUT, body, "index.css", addresses, FILE, film=parts)


def _text(sample: Sample) -> str:
    return from_sample(sample.slug).reading_text
