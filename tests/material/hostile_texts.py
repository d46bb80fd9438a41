"""Texts in any shape, and texts that something could interpret: characters easily lost, markup, formulas."""

import random
from collections.abc import Sequence
from itertools import product
from zlib import crc32

from tests.material import texts

CHARACTERS = {
    "letter": "a", "letters": "abc", "accent": "é", "decomposed": "e\u0301", "stack": "z" + "\u0301\u0323\u0489" * 4,
    "capital": "ẞ", "chinese": "标记", "thai": "ภาษาไทย", "hindi": "नमस्ते", "arabic": "سلام", "hebrew": "שלום",
    "hangul": "한\u1112\u1161\u11ab", "emoji": "😀", "family": "👨\u200d👩\u200d👧", "flag": "🇳🇵🇨🇭", "skin": "👍🏽",
    "NUL": "\0", "controls": "\x01\x1b\x7f\x85", "space": " ", "spaces": "\u00a0\u2003\u3000", "tab": "\t", "LF": "\n",
    "CRLF": "\r\n", "CR": "\r", "separators": "\u2028\u2029", "joiners": "\u200b\u200c\u2060", "bidi": "\u202eab\u202c",
    "selector": "☎\ufe0f", "mark": "a\ufeffb", "markers": "</w>▁_Ġ", "unknown": "<unk>\ufffd",
    "private": "\ue000\U0010ffff",
    "markup": "<b>&amp;*x*`$y$", "digits": "12345", "formula": "=1+1",
}  # fmt: skip
SHAPES = {
    "alone": "{}", "twice": "{0}{0}", "in a word": "low{}er", "between words": "low {} lower",
    "at the ends": "{0} low {0}",
    "in lines": "low\n{}\nlow", "many": "{}", "after spaces": "   {}  low",
}  # fmt: skip


def hostile_texts() -> dict[str, str]:
    """Return {what it is: text}, more than 250 of them."""
    return {
        f"{name} {shape}": form.format(part * 300 if shape == "many" else part)
        for name, part in CHARACTERS.items()
        for shape, form in SHAPES.items()
    }


# Texts that Markdown, HTML, TeX or Streamlit would interpret, generated from fragments and where they may be.

# name of what would interpret it -> fragments
FRAGMENTS = {
    "address": [
        "https://example.com/a?b=c", "http://a.b", "www.example.com", "HTTPS://EXAMPLE.COM", "ftp://a.b/c",
        "someone@example.com", "mailto:a@b.cd", "xmpp:a@b.cd/e", "<https://a.b>", "//a.b", "[a](https://a.b)",
        "![a](https://a.b/c.png)", "[a]: https://a.b", "example.com", "a@b.cd@e.fg",
    ],
    "Streamlit": [
        ":smile:", ":red[a]", ":blue-background[a]", ":material/home:", ":rainbow[a]", ":small[a]", ":gray-badge[a]",
        "a -> b", "<- a", "a <-> b", "a -- b", "a => b", "a >= b", ":+1:", ":streamlit:",
    ],
    "TeX": ["$x$", "$$x^2$$", r"\(x\)", r"\[x\]", r"$\href{https://a.b}{c}$", "$5 and $6"],
    "HTML": [
        "<b>a</b>", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<style>*{display:none}</style>",
        "&lt;b&gt;", "&#60;b&#62;", "&copy;", "<!-- a -->", "<a href='javascript:alert(1)'>b</a>", "</w>", "<0xE2>",
        "<![CDATA[a]]>", "<?php a ?>",
    ],
    "Markdown": [
        "**a**", "__a__", "*a*", "_a_", "~~a~~", "`a`", "```a```", "# a", "> a", "- a", "+ a", "* a", "1. a", "1) a",
        "---", "***", "===", "|a|b|", "[^1]", "[x] a", "- [ ] a", r"a\*b", "\\", "a  ", "    a", "~~~", "[[a]]", "^a^",
    ],
}  # fmt: skip
AROUND = ("{}", "low {} 7.")


def payloads() -> list[str]:
    """Return all texts, without repetition."""
    return [around.format(text) for texts in FRAGMENTS.values() for around, text in product(AROUND, texts)]


# Texts that would run or fetch something if a page read them as markup, a formula or a directive.

RUN = "window.ran=1"
TAGS = (
    "<img data-payload src=x onerror={run}>",
    "<svg data-payload onload={run}></svg>",
    "<script data-payload>{run}</script>",
    "<iframe data-payload srcdoc='<script>parent.{run}</script>'></iframe>",
    "<a data-payload href='javascript:{run}'>x</a>",
    "<details data-payload open ontoggle={run}>x</details>",
    "<input data-payload autofocus onfocus={run}>",
    "<style data-payload>*{{display:none}}</style>",
    "<body data-payload onload={run}>",
    "<math><mi data-payload xlink:href='javascript:{run}'>x</mi></math>",
    "<video data-payload><source onerror={run}></video>",
    "<link data-payload rel=stylesheet href=//evil.example/x.css>",
    "<object data-payload data=//evil.example/x></object>",
    "<template data-payload><img src=x onerror={run}></template>",
)
BEFORE = ("", "</w>", '">', "'>", "</textarea>", "-->")
MARKDOWN = (
    "![x](//evil.example/x.png)",
    "[x](javascript:window.ran=1)",
    "<https://evil.example>",
    "https://evil.example/x",
    "www.evil.example",
    ":red[x] :smile: :material/home:",
    "$\\href{javascript:window.ran=1}{x}$",
    "`x` **x** ~~x~~ # x",
    "{{constructor.constructor('window.ran=1')()}}",
    "${window.ran=1}",
)
FORMULAS = tuple(
    f"{before}{sign}{body}"
    for before in ("", " ", "'", "''")
    for sign in ("=", "+", "-", "@", "\t=", "\r=", "\n=", "\uff1d")
    for body in ("1+1", "cmd|' /C calc'!A0")
)
MARKUP = (*(f"{before}{tag.format(run=RUN)}" for tag in TAGS for before in BEFORE), *MARKDOWN)


# Two hundred strings in many languages, to compare an encoding with that of a library.

_ODD = [
    "",
    " ",
    "   ",
    "\n",
    "\r\n\r\n",
    "\t\tx = 1\n",
    "a  b   c    d",
    " leading",
    "trailing ",
    "don't I'LL we've 'tis O'Neil's",
    "12345678901234567890 3.14159 1,000,000",
    "!!!???...---===>>>",
    "x² + y³ ≠ ½ ⅷ ①",
    "e\u0301le\u0300ve ﬁne Ångström İstanbul ΣΊΣΥΦΟΣ ὈΔΥΣΣΕΎΣ",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇫🇷🇩🇪 😀😃",
    "\u00a0no-break\u00a0spaces\u2009thin\u3000wide",
    "▁typed▁metaspace ▁ ▁▁",
    "typed </w> marker</w> ab</w>",
    "<0x41><0x0A> <unk> <s> </s>",
    "ABC Def gHI jKl MNOp",
    "camelCaseAndPascalCase snake_case_words kebab-case-words",
    "https://example.org/path?q=1&r=two#three",
    "a" * 300,
    "ab" * 200,
    "敏捷的棕色狐狸跳过懒狗" * 5,
    "ſ 'ſ K 'S 'T",
    "\x00\x01\x7f\u200b\ufeff\u2060",
    "tel. +49 (0)30 1234567; 5 € / 3 £",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐍈 𒀀",
]


def _strings() -> list[str]:
    draw = random.Random(12)
    strings = [*_ODD, *texts.TOYS.values(), *texts.PROBES.values(), *texts.SENTENCES.split("\n")]
    words = texts.SENTENCES.split()
    spaces = [" "] * 8 + ["  ", "\n", "\t", "", ", ", "-"]
    while len(strings) < 200:
        count = draw.randint(1, 12)
        strings.append("".join(draw.choice(words) + draw.choice(spaces) for _ in range(count)))
    return strings


def one_in_six(strings: Sequence[str], name: str) -> Sequence[str]:
    """Return every sixth string, others for another name: tests of many files try all of them together."""
    return one_in(6, strings, name)


def one_in(number: int, strings: Sequence[str], name: str) -> Sequence[str]:
    """Return as much as one string of so many, others for another name."""
    return strings[crc32(name.encode()) % number :: number]


STRINGS = _strings()
assert len(STRINGS) == 200
