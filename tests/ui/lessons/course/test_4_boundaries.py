"""What the lessons of the part “Boundaries” say."""

import unicodedata

import bpe
from tests.ui.lessons.lesson_checks import beat, given


def test_why_a_marker() -> None:
    at = beat("why-a-marker", 1)
    assert at.tied == "s + t"
    assert len(at.after(1).trace.uses(at.after(1).symbol("st"), 1)) == 5
    at = beat("why-a-marker", 2)
    assert at.tied == "st + </w>"
    at = beat("why-a-marker", 3)
    assert at.split("start") == "st a r t </w>"
    assert at.split("best") == "b e st</w>"
    at = beat("why-a-marker", 4)
    assert at.tokenizer.decode(at.ids("star widest")) == "star widest"


def test_why_subwords() -> None:
    at = beat("why-subwords", 1)
    assert not {"harder", "hardest"} & {*at.trace.pre_tokens}
    at = beat("why-subwords", 2)
    assert at.tokenizer.unknown not in at.ids("hardest")
    assert len(at.word("smartest").split()) == 9
    at = beat("why-subwords", 3)
    assert at.made == "t</w> er er</w> es est</w>"
    assert len(at.trace.uses(at.symbol("er</w>"), at.step)) == 3
    assert len(at.trace.uses(at.symbol("est</w>"), at.step)) == 3
    at = beat("why-subwords", 5)
    assert len(at.trace.steps) - 5 == 9
    assert at.after(0).merge == "t + </w>"
    at = beat("why-subwords", 6)
    assert {*map(at.symbol, ["old", "high", "er</w>", "est</w>"])} <= at.tokenizer.ids.keys()
    assert not {"holder", "smolder"} & {*at.trace.pre_tokens}
    given("the task's own numbers", 6, 3)
    at = beat("why-subwords", 7)
    assert len(at.trace.variant.split("smartest")) == 1
    assert len(at.ids("smartest")) == 6
    assert len(b"smartest") == 8
    assert len(at.after(0).word("smartest").split()) == 9
    other = at.under(preset="hf-bytelevel", merges=5)
    assert len(other.trace.alphabet) == 256
    other_2 = at.under(sample="story", preset="tiktoken-educational", merges=400)
    assert other_2.trace.tokens_total(0) == 12639
    assert other_2.trace.tokens_total(400) == 4482
    given("Unicode 16.0 has 154,998 characters", 154998, 16)
    assert at.pieces("smartest") == "smartest"
    assert at.word("smartest") == "s m a r t est</w>"
    assert other.after(0).split("smartest") == "s m a r t e s t"
    assert at.after(0).word("smartest") == "s m a r t e s t </w>"


def test_parts_of_a_word() -> None:
    at = beat("parts-of-a-word", 2)
    assert len(at.trace.uses(at.symbol("believ"), at.step)) == 3
    assert at.made == "e</w> be bel beli belie believ le</w>"
    assert at.spelled(left + right for left, right in at.trace.merges[1:6]) == "be bel beli belie believ"
    assert at.tied == "u + n"
    at = beat("parts-of-a-word", 3)
    assert len(at.trace.uses(at.symbol("un"), at.step)) == 4
    assert len(at.trace.uses(at.symbol("believ"), at.step)) == 3
    assert len(at.trace.uses(at.symbol("able</w>"), at.step)) == 3
    at = beat("parts-of-a-word", 4)
    assert not {"unbelievable", "undo", "disbelief"} & {*at.trace.pre_tokens}
    assert at.split("undo") == "un d o </w>"
    assert at.split("disbelief") == "d i s belie f </w>"
    at = beat("parts-of-a-word", 5)
    assert at.split("table") == "t able</w>"
    at = beat("parts-of-a-word", 6)
    assert at.split("believable") == "believ able</w>"


def test_no_spaces() -> None:
    at = beat("no-spaces", 1)
    assert (
        len(
            at.trace.variant.split(
                "In the morning my grandmother opens the window and counts the boats in the harbour."
            )
        )
        == 15
    )
    assert len(at.trace.variant.split("早上，我奶奶打开窗户，数港口里的船。")) == 1
    assert len(at.trace.variant.split("朝、祖母は窓を開けて、港の船を数える。")) == 1
    assert len(at.trace.variant.split("ตอนเช้าคุณยายของฉันเปิดหน้าต่างแล้วนับเรือในท่า")) == 1
    assert [" " in line for line in at.text.splitlines()].count(False) == 3
    assert len(at.text.splitlines()) == 4
    at = beat("no-spaces", 2)
    assert all(b"".join(pair).rstrip(bpe.END_OF_WORD).isascii() for pair in at.trace.merges[:10])
    assert at.tied == "。 + </w>, น + เ, ◌้ + า, ◌่ + า"
    assert at.merge == "。 + </w>"
    assert at.trace.born(at.symbol("。</w>")) + 1 == 11
    at = beat("no-spaces", 3)
    other = at.under(preset="tiktoken-educational", merges=12)
    assert len(other.trace.variant.split("早上，我奶奶打开窗户，数港口里的船。")) == 6
    assert len(other.trace.variant.split("朝、祖母は窓を開けて、港の船を数える。")) == 6
    at = beat("no-spaces", 4)
    other = at.under(preset="tiktoken-educational", merges=12)
    assert len(other.trace.variant.split("ตอนเช้าคุณยายของฉันเปิดหน้าต่างแล้วนับเรือในท่า")) == 21
    other_2 = at.under(preset="minbpe-regex", merges=12)
    assert len(other_2.trace.variant.split("ตอนเช้าคุณยายของฉันเปิดหน้าต่างแล้วนับเรือในท่า")) == 11
    assert sum(unicodedata.category(sign)[0] == "M" for sign in "ตอนเช้าคุณยายของฉันเปิดหน้าต่างแล้วนับเรือในท่า") == 10
    assert len("ตอนเช้าคุณยายของฉันเปิดหน้าต่างแล้วนับเรือในท่า") == 47


def test_special_tokens() -> None:
    at = beat("special-tokens", 1)
    assert at.text.count("<|endoftext|>") == 5
    assert sum(at.trace.frequencies) == 10
    at = beat("special-tokens", 2)
    assert len(at.trace.alphabet) == 256
    assert at.tokenizer.encode("<|endoftext|>", allow_special=True)[0] == 0
    at = beat("special-tokens", 3)
    assert at.made == "ow low ti tid tide ·tide"
    other = at.under(preset="tiktoken-educational", merges=6)
    assert other.made == "<| en end endo endof endoft"
    at = beat("special-tokens", 4)
    assert len(at.ids("<|endoftext|>")) == 13
    assert len(b"<|endoftext|>") == 13
    assert at.tokenizer.encode("<|endoftext|>", allow_special=True)[0] == 0
    at = beat("special-tokens", 6)
    assert len(at.ids("<|endoftext|>")) == 13
    assert at.split("low") == "low"
