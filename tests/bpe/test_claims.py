"""What the registries say about papers and libraries, checked."""

from tokenizers.models import WordPiece

import bpe
from bpe import Tokenizer

FIGURE_1 = ["r</w>", "lo", "low", "er</w>"]  # Sennrich, Haddow and Birch, 2016


def tokens_under(tie_break: str) -> list[str]:
    """Return the tokens that the words of Figure 1 give under a rule."""
    words = {"low": 1, "lowest": 1, "newer": 1, "wider": 1}
    trace = bpe.train(words, "char-eow", tie_break, merges=4)
    return [trace.variant.label(left + right) for left, right in trace.merges]


def test_no_rule_without_a_seed_gives_figure_1_of_the_paper() -> None:
    assert "Figure 1 learns r·, lo, low and er·" in bpe.PRESETS["paper"].deviations
    rules = {slug: tokens_under(slug) for slug, rule in bpe.TIE_BREAKS.items() if not rule.seeded}
    assert rules["first"] == ["lo", "low", "er", "er</w>"]
    assert FIGURE_1 not in rules.values()


def test_a_lucky_draw_can_give_figure_1_of_the_paper() -> None:
    words = {"low": 1, "lowest": 1, "newer": 1, "wider": 1}
    for seed in range(500):
        trace = bpe.train(words, "char-eow", "random", merges=4, seed=seed)
        if [trace.variant.label(left + right) for left, right in trace.merges] == FIGURE_1:
            return
    raise AssertionError("no draw gives it")


def test_word_piece_marks_inner_pieces_and_gives_up_a_word_that_it_cannot_spell() -> None:
    pieces = {piece: number for number, piece in enumerate(["[UNK]", "ta", "t", "##est", "##a"])}
    word_piece = WordPiece(pieces, unk_token="[UNK]")
    assert [token.value for token in word_piece.tokenize("taest")] == ["ta", "##est"]
    assert [token.value for token in word_piece.tokenize("tallest")] == ["[UNK]"]
    ours = Tokenizer(bpe.VARIANTS["bytes-whitespace"], [b"ta", b"t", b"est", b"a"], [])
    assert ours.tokens("tallest", "prefix") == [b"ta", b"l", b"l", b"est"]


def test_numbers_are_split_from_the_left_under_the_pattern_of_gpt_4() -> None:
    split = bpe.VARIANTS["bytes-gpt4"].split
    assert split("in 20250304") == ["in", " ", "202", "503", "04"]
    assert bpe.VARIANTS["bytes-gpt2"].split("in 20250304") == ["in", " 20250304"]
