"""How much of a text occurs word for word in another."""

from bpe.analysis.significance.text_overlap import text_overlap


def test_text_that_is_also_in_the_corpus_is_counted() -> None:
    line = "one two three four five six seven eight nine"
    actual = text_overlap([f"{line}\nten\n", line.replace("nine", "ten")], ["", f"zero  {line} again"])
    assert actual
    assert (actual.lines, actual.lines_in_corpus) == (2, 1)
    assert (actual.sequences, actual.sequences_in_corpus) == (5, 3)
    assert text_overlap([line], {"one": 1}) is None
