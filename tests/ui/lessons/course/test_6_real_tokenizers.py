"""What the lessons of the part “Real tokenizers” say."""

from tests.ui.lessons.lesson_checks import beat, given, ways
from ui.trainings.corpus import from_sample


def test_what_a_size_counts() -> None:
    at = beat("what-a-size-counts", 1)
    assert len(at.trace.alphabet) == 13
    other = at.under(preset="paper", merges=5)
    assert other.trace.vocabulary_size(0) == 12
    at = beat("what-a-size-counts", 2)
    assert (at.trace.stopped, len(at.trace.steps)) == ("vocab_size", 3)
    assert at.trace.vocabulary_size(3) == 17
    other = at.under(preset="paper", merges=100, vocab_size=17)
    assert (other.trace.stopped, len(other.trace.steps)) == ("vocab_size", 5)
    other_2 = at.under(preset="paper", merges=5)
    assert other_2.trace.vocabulary_size(0) == 12
    at = beat("what-a-size-counts", 3)
    assert at.made == "es er</w> est</w>"
    other = at.under(preset="paper", merges=100, vocab_size=17)
    assert (other.trace.stopped, len(other.trace.steps)) == ("vocab_size", 5)
    assert other.trace.words_at(len(other.trace.steps)) == at.trace.words_at(len(at.trace.steps))
    beat("what-a-size-counts", 4)
    given("tokenizers 0.23.3, trained both ways: tests/ui/lessons/test_lesson_libraries.py", "Hello, world!")


def test_does_it_matter() -> None:
    at = beat("does-it-matter", 2)
    assert at.after(4).made == "·t he ·a ·the"
    at = beat("does-it-matter", 3)
    assert sum(step.tied > 1 for step in at.trace.steps) == 334
    assert len(at.trace.steps) == 400
    assert abs(334 / 400 - 5 / 6) < 0.01
    assert max(step.tied for step in at.trace.steps) == 89
    at = beat("does-it-matter", 4)
    assert at.tied == "·i + t, · + l"
    other = at.under(preset="hf-bytelevel", merges=400)
    assert at.trace.merges[:24] == other.trace.merges[:24]
    assert at.trace.merges[24] != other.trace.merges[24]
    at = beat("does-it-matter", 5)
    other = at.under(preset="hf-bytelevel", merges=400)
    assert len(({*at.trace.symbols} & {*other.trace.symbols}) - {*at.trace.alphabet}) == 366
    assert len({*at.trace.symbols} - {*other.trace.symbols}) == 34
    assert len({*other.trace.symbols} - {*at.trace.symbols}) == 34
    assert other.trace.tokens_total(other.step) == 4478
    assert at.trace.tokens_total(400) - other.trace.tokens_total(400) == 4
    one, two, words = at.trace.tokenizer(), other.trace.tokenizer(), at.trace.pre_tokens
    assert sum(one.tokens(word) == two.tokens(word) for word in words) == 633
    assert sum(one.encode(word) == two.encode(word) for word in words) == 33
    assert len(words) == 666
    four = (" it", " of", " change", " water")
    assert [one.tokens(word) == two.tokens(word) for word in four] == [True, True, False, False]
    assert not any(one.encode(word) == two.encode(word) for word in four)
    at = beat("does-it-matter", 6)
    assert (
        "In the book of the Hen, thirty-three was A and I. In the book of the Calf, thirty-three was E and A."
        in str(from_sample("story").training_text)
    )
    assert "I had A and I, side by side, thirty-one times. I had E and A thirty-one times." in str(
        from_sample("story").training_text
    )
    assert at.tied == "E + A, A + I"
    assert at.merge == "E + A"
    assert at.trace.steps[at.step].tied == 2
    other = at.under(preset="hf-bytelevel", merges=400)
    assert other.after(98).tied == "E + A, A + I"
    assert other.after(98).trace.steps[98].count == 18
    assert other.after(98).merge == "A + I"
    given("the sample: thirty-three", 33)
    at = beat("does-it-matter", 7)
    other = at.under(sample="low-lower-newest-widest", preset="paper", merges=12)
    assert ways(other, [1, 3, 3, 1, 2, 1, 3, 3, 1, 1, 3, 3, 1]) == (432, 250)
    other_2 = at.under(preset="hf-bytelevel", merges=400)
    assert len(({*at.trace.symbols} & {*other_2.trace.symbols}) - {*at.trace.alphabet}) == 366
    assert len({*at.trace.symbols} - {*other_2.trace.symbols}) == 34
    assert len({*other_2.trace.symbols} - {*at.trace.symbols}) == 34
