"""What the lessons of the part “Encoding” say."""

from tests.ui.lessons.lesson_checks import beat


def test_the_merges_are_the_model() -> None:
    at = beat("the-merges-are-the-model", 1)
    assert sum(at.trace.frequencies) == 5
    assert at.spelled(at.trace.vocabulary(at.step)) == "l o w e r s t m _"
    at = beat("the-merges-are-the-model", 2)
    assert at.made == "lo low"
    assert at.tied == "low + _, low + e"
    assert at.merge == "low + e"
    at = beat("the-merges-are-the-model", 3)
    assert at.spelled(at.trace.vocabulary(at.step)) == "l o w e r s t m _ lo low lowe"
    assert at.after(0).merge == "l + o"
    assert at.after(1).merge == "lo + w"
    assert at.after(2).merge == "low + e"
    at = beat("the-merges-are-the-model", 4)
    assert at.encoding("lower") == "lo low lowe"
    at = beat("the-merges-are-the-model", 5)
    assert not {"lose"} & {*at.trace.pre_tokens}
    assert at.encoding("lose") == "lo"
    assert at.split("lose") == "lo s e _"
    at = beat("the-merges-are-the-model", 6)
    assert not {*map(at.symbol, ["los", "lose", "lower"])} & {*at.trace.symbols}


def test_lowest_rank_first() -> None:
    at = beat("lowest-rank-first", 1)
    assert at.after(0).merge == "u + g"
    assert at.after(1).merge == "u + n"
    assert at.after(2).merge == "h + ug"
    assert at.made == "ug un hug"
    assert at.encoding("hugbun") == "ug un hug"
    at = beat("lowest-rank-first", 2)
    assert not {"bug"} & {*at.trace.pre_tokens}
    assert at.encoding("bug") == "ug"
    at = beat("lowest-rank-first", 3)
    assert at.encoding("thug") == "ug hug"
    assert at.split("thug") == "t hug"
    assert at.symbol("hu") not in at.trace.symbols
    at = beat("lowest-rank-first", 4)
    assert at.split("hugbun") == "hug b un"
    assert not {"hugbun"} & {*at.trace.pre_tokens}
    at = beat("lowest-rank-first", 5)
    assert not {*map(at.symbol, ["m", "t"])} & {*at.trace.alphabet}
    assert at.ids("mug") == [-1, 7]
    assert at.ids("thug") == [-1, 9]
    other = at.under(preset="hf-bytelevel", merges=3)
    assert len(other.trace.alphabet) == 256


def test_longest_token_first() -> None:
    at = beat("longest-token-first", 1)
    assert len(at.lesson.vocabulary.split()) == 7
    at = beat("longest-token-first", 2)
    assert at.encoding("the highest mountain") == "tain</w> moun est</w> high the</w>"
    assert at.trace.variant.length(at.symbol("</w>")) == 1
    assert at.trace.variant.length(at.symbol("tain</w>")) == 5
    assert at.trace.variant.length(at.symbol("moun")) == 4
    assert at.trace.variant.length(at.symbol("est</w>")) == 4
    assert at.trace.variant.length(at.symbol("high")) == 4
    assert at.trace.variant.length(at.symbol("the</w>")) == 4
    at = beat("longest-token-first", 3)
    assert at.split("the highest mountain") == "the</w> high est</w> moun tain</w>"
    assert at.tokenizer.decode(at.ids("the highest mountain")) == "the highest mountain"
    at = beat("longest-token-first", 4)
    assert at.split("the tallest mountain") == "the</w> t a l l est</w> moun tain</w>"
    assert [one == at.tokenizer.unknown for one in at.ids("the tallest mountain")].count(True) == 4
    at = beat("longest-token-first", 6)
    assert at.split("highland") == "high l a n d </w>"
