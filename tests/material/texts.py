"""Texts to train on: short ones for one purpose each, and longer ones made here or included in every Python."""

import argparse
import inspect
import random
from functools import cache

from tests import ROOT

TOYS = {
    "highest": "highest higher lower lowest cooler coolest",
    "newest": "low low low low low lower lower widest widest widest newest newest newest newest newest newest",
    "two lines": "low lower lowest\nlow me",
    "sky": "the sky is blue",
    "wikipedia": "aaabdaaabac",
    "runs of a": "aaaa aaaaa aa a",
    "hug": "hug pug pun bun hugs hug pug pun pun bun hugs",
    "blanks": "  two  spaces\n\n\ta tab\r\nand  trailing \n ",
    "numbers": "1 22 333 4444 55555 it's we'll I'D 22,333.44 (x**2)!= 1e-9",
}

# Pangrams and near-pangrams, one a line, with composed and combining marks, joiners and astral characters.
SENTENCES = """\
Byte pair encoding learns tokens from text; the quick brown fox jumps over the lazy dog.
Voix ambiguë d'un cœur qui, au zéphyr, préfère les jattes de kiwis; l'école près de la forêt.
El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío. ¿Cómo se dice «árbol»?
Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, und die Straße ist schön.
Pchnąć w tę łódź jeża lub ośm skrzyń fig. Zażółć gęślą jaźń.
Съешь же ещё этих мягких французских булок, да выпей чаю. Быстрая лиса прыгает.
Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και την ξεσκεπάζω πάλι.
敏捷的棕色狐狸跳过懒狗。敏捷的狐狸很敏捷，懒狗很懒。
いろはにほへと ちりぬるを わかよたれそ つねならむ。今日はコーヒーがいいですね。
다람쥐 헌 쳇바퀴에 타고파. 한국어 문장입니다. 다람쥐가 문장을 읽습니다.
ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश। भाषा मॉडल शब्दों को टुकड़ों में बाँटते हैं।
صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت. اللغة العربية جميلة جدا.
דג סקרן שט בים מאוכזב ולפתע מצא חברה. לשון הקודש היא שפה.
นายสังฆภัณฑ์ เฮงพิทักษ์ฝั่ง ผู้เฒ่าซึ่งมีอาชีพเป็นฅนขายฃวด
e\u0301le\u0300ve nai\u0308ve 👩‍👩‍👧 👍🏽 😀😃😄😀😃 x² + y² = z²; 100 000 € ≠ 3.14 ① ⅷ"""


@cache
def ties(letters: str = "abc ", length: int = 6_000) -> str:
    """Return letters drawn at random: hundreds of pairs tie at every step."""
    return "".join(random.Random(7).choices(letters, k=length))


@cache
def runs() -> str:
    """Return words of runs, whose overlapping pairs have different counts and replacements."""
    draw = random.Random(8)
    words = (
        "".join(letter * draw.randint(1, 9) for letter in draw.choices("ab", k=draw.randint(1, 3)))
        for _ in range(600)
    )
    return " ".join(words)


@cache
def languages() -> str:
    """Return fifteen languages and scripts: the sentences, then their words shuffled into lines."""
    draw = random.Random(9)
    words = SENTENCES.split()
    lines = (" ".join(draw.choices(words, k=12)) for _ in range(150))
    return SENTENCES + "\n" + "\n".join(lines)


@cache
def source() -> str:
    """Return Python source: 60,000 characters of the standard library's argparse, including indentation."""
    return inspect.getsource(argparse)[:60_000]


@cache
def samples() -> dict[str, str]:
    """Return the sample corpora that come with the app, by file name."""
    return {
        path.stem: path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "sample_corpora").glob("*.txt"))
    }


LONGER = {"ties": ties, "runs": runs, "languages": languages, "source": source}

# New texts to encode: seen and unseen words, blanks, runs, unknown characters, markers typed as text.
PROBES = {
    "empty": "",
    "seen": "low lower lowest newest coolest",
    "unseen": "slowest hello world don't stop",
    "run": "a" * 40,
    "abc": "abcabcabacbcab aabbcc",
    "blanks": " leading  and trailing ",
    "lines": "a\nb\n\n c\td\r\n",
    "code": "def f(x): return x**2  # ünïcode",
    "accents": "éa字😀 naïve café e\u0301",
    "chinese": "敏捷的棕色狐狸",
    "markers": "</w> a_b ▁c <unk> <|endoftext|>",
}
