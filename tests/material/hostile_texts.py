"""Texts in any shape: characters that are easily lost, drawn or split wrongly, alone and in company."""

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


def texts() -> dict[str, str]:
    """Return {what it is: text}, more than 250 of them."""
    return {
        f"{name} {shape}": form.format(part * 300 if shape == "many" else part)
        for name, part in CHARACTERS.items()
        for shape, form in SHAPES.items()
    }
