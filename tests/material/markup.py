"""Texts that Markdown, HTML, TeX or Streamlit would interpret, generated from fragments and where they may be."""

from itertools import product

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
