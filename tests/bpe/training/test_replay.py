"""A replay: a tokenizer's merges played over a text. The words end as the tokenizer cuts them."""

import dataclasses
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bpe
from bpe import PRESETS, VARIANTS, BPEError, Pair, Tokenizer, Trace, count_pairs, merge_pair
from bpe.analysis.best_pairs import best_pairs
from bpe.analysis.compression import _ALL_USED, ending
from bpe.analysis.vocabulary import entries
from bpe.text.normalizing import Normalizer
from tests.bpe.text.random_texts import examples
from tests.material import texts

CORPUS = texts.SENTENCES + "\n" + "\n".join(texts.TOYS.values())
LETTERS = [bytes([value]) for value in b"abc "]


def tokenizer_of(merges: list[Pair], variant: str = "bytes-gpt2", **fields: Any) -> Tokenizer:
    """Return a tokenizer with just these merges, and the tokens that they need."""
    tokens = dict.fromkeys(LETTERS)
    for left, right in merges:
        tokens |= dict.fromkeys((left, right, left + right))
    return Tokenizer(VARIANTS[variant], tuple(tokens), tuple(dict.fromkeys(merges)), **fields)


def last_words(trace: Trace) -> list[bytes]:
    return [symbol for word, _ in trace.words_at(len(trace.steps)) for symbol in word]


def tokens_of_words(trace: Trace, tokenizer: Tokenizer) -> list[bytes]:
    return [token for pre_token in trace.pre_tokens for token in tokenizer.word_tokens(pre_token)]


# A tokenizer does not tell how its pairs were counted, so a replay counts those that overlap.
COUNTED_ALIKE = [slug for slug, preset in PRESETS.items() if "overlaps" not in preset.settings]


@pytest.mark.parametrize("slug", COUNTED_ALIKE)
def test_a_tokenizer_replayed_over_its_corpus_repeats_its_training(slug: str) -> None:
    trained = bpe.train(CORPUS, merges=300, **PRESETS[slug].settings)
    documents = list(trained.request.documents(CORPUS))
    frequencies = dict(zip(trained.pre_tokens, trained.frequencies, strict=True))
    assert frequencies
    for corpus in (documents, frequencies):
        replayed = bpe.replay(corpus, trained.tokenizer())
        assert replayed.merges == trained.merges
        for field in ("count", "replaced"):
            assert [getattr(step, field) for step in replayed.steps] == [
                getattr(step, field) for step in trained.steps
            ]
        assert [step.list_rank for step in replayed.steps] == list(range(len(trained.steps)))
        assert replayed.stopped == "end of list"
        assert ending(replayed) == _ALL_USED
    assert ending(bpe.replay("ab", trained.tokenizer())) == "no other merge of the tokenizer fits this text"
    if slug != "sentencepiece":  # whose rule about pieces a replay does not know
        assert [step.tied for step in replayed.steps] == [step.tied for step in trained.steps]


@pytest.mark.parametrize("slug", COUNTED_ALIKE)
def test_every_step_of_a_replay_is_that_of_the_training(slug: str) -> None:
    trained = bpe.train(CORPUS, merges=60, **PRESETS[slug].settings)
    replayed = bpe.replay(
        dict(zip(trained.pre_tokens, trained.frequencies, strict=True)), trained.tokenizer()
    )
    for k in (0, 1, 30, 60):
        for method in ("words_at", "token_counts", "pair_counts", "in_use", "tokens_total"):
            assert getattr(replayed, method)(k) == getattr(trained, method)(k), method
        tokenizer = trained.tokenizer(k)
        assert replayed.segment(CORPUS, k) == [
            symbol
            for pre_token in trained.variant.split(tokenizer.normalise(CORPUS).text)
            for symbol in tokenizer.word_tokens(pre_token)
        ]
    assert [replayed.id_of(symbol) for symbol in trained.symbols] == [
        trained.id_of(symbol) for symbol in trained.symbols if symbol in replayed.tokenizer().ids
    ]


def test_merges_that_do_not_apply_are_no_steps_but_encode() -> None:
    tokenizer = tokenizer_of([(b"a", b"b"), (b"c", b"c"), (b"ab", b"c"), (b"cc", b"a")])
    trace = bpe.replay("abc abc", tokenizer)
    assert [(step.rank, step.list_rank, step.pair) for step in trace.steps] == [
        (0, 0, (b"a", b"b")),
        (1, 2, (b"ab", b"c")),
    ]
    assert trace.tokenizer() is tokenizer
    assert trace.tokenizer(1).merges == tokenizer.merges[:1]
    assert trace.tokenizer(2).encode("cca") == tokenizer.encode("cca")
    assert trace.segment("cca", 0) == [b"c", b"c", b"a"]
    assert trace.segment("cca", 1) == [b"c", b"c", b"a"]
    assert trace.segment("cca", 2) == [b"cca"]
    assert trace.boundaries("ccab") == [1, -1, 0]
    assert trace.born(b"cca") == 1


def test_a_step_says_whether_the_counts_would_have_chosen_it() -> None:
    tokenizer = tokenizer_of([(b"a", b"b"), (b"b", b"c")])
    trace = bpe.replay({"ab": 1, "bc": 3, "ca": 3}, tokenizer)
    assert [(step.count, step.tied) for step in trace.steps] == [(1, 0), (3, 2)]
    assert set(trace.tied_pairs(0)) == {(b"b", b"c"), (b"c", b"a")}
    assert trace.tied_pairs(2) == ((b"c", b"a"),)


def test_ids_are_those_of_the_tokenizer() -> None:
    trained = bpe.train("low lower lowest", variant="bytes-gpt2", merges=3).tokenizer()
    order = [*reversed(trained.vocabulary)]
    tokenizer = dataclasses.replace(
        trained, vocabulary=[*order, b"<end>"], special_tokens=("<end>",), special_ids=(len(order),)
    )
    trace = bpe.replay("low low", tokenizer)
    assert [trace.id_of(token) for token in order] == list(range(len(order)))
    assert trace.vocabulary(len(trace.steps)) == [*order, b"<end>"]
    assert set(trace.vocabulary(0)) == {*order, b"<end>"} - {left + right for left, right in tokenizer.merges}
    assert trace.tokenizer(1).encode("low") == [
        tokenizer.ids[token] for token in trace.tokenizer(1).tokens("low")
    ]
    assert list(trace.token_counts(2)) == sorted(trace.token_counts(2), key=tokenizer.ids.__getitem__)
    with pytest.raises(BPEError, match="No token has the id 0, at position 1"):
        trace.tokenizer(0).decode([5, 0])


def test_unknown_characters_have_the_id_of_the_unknown_token() -> None:
    trained = bpe.train(
        "ab ab", variant="char-eow", special_tokens=["<unk>"], unknown_token="<unk>", merges=1
    )
    trace = bpe.replay("ab xb", trained.tokenizer())
    assert trace.id_of(b"x") == 0
    assert (b"x", b"b") in trace.pair_counts(0)
    assert bpe.replay("xy", tokenizer_of([])).id_of(b"x") == -1
    with pytest.raises(BPEError, match="does not contain the token 'z'"):
        trace.id_of(b"z")


def test_a_replay_normalises_as_the_tokenizer_does() -> None:
    lower = Normalizer("lower case", lambda text, begins: text.lower())
    tokenizer = tokenizer_of([(b"a", b"b")], normalizer=lower)
    trace = bpe.replay("AB", tokenizer)
    assert trace.segment("AB", 1) == tokenizer.tokens("AB") == [b"ab"]


def test_a_replay_has_the_tokenizers_unknown_token() -> None:
    for special, unknown in (["<unk>"], "<unk>"), ([], None):
        trained = bpe.train("low", merges=1, special_tokens=special, unknown_token=unknown)
        assert bpe.replay("low", trained.tokenizer()).request.unknown_token == unknown


def test_a_word_that_is_taken_whole_is_never_cut() -> None:
    tokenizer = tokenizer_of([(b"a", b"b"), (b"b", b"c")], whole_words=True)
    tokenizer = dataclasses.replace(tokenizer, vocabulary=[*tokenizer.vocabulary, b"abc"])
    trace = bpe.replay("abc abcc", tokenizer)
    assert tokenizer.tokens("abc abcc") == [b"abc", b" ", b"ab", b"c", b"c"]
    assert [word for word, _ in trace.words_at(0)] == [(b"abc",), (b" ", b"a", b"b", b"c", b"c")]
    assert trace.segment("abc abcc", 1) == tokenizer.tokens("abc abcc")


def test_merges_out_of_order_are_replayed_if_those_that_apply_are_in_order() -> None:
    # As in a list converted from a vocabulary: abc is made of a and bc, but is listed as ab + c too.
    merges = [(b"b", b"c"), (b"a", b"bc"), (b"ab", b"c"), (b"a", b"b")]
    for one_by_one in (False, True):
        tokenizer = tokenizer_of(merges, one_by_one=one_by_one)
        trace = bpe.replay("abc ab", tokenizer)
        assert [step.list_rank for step in trace.steps] == [0, 1, 3]
        assert trace.segment("abc ab", 3) == tokenizer.tokens("abc ab")


def test_merges_out_of_order_are_made_as_soon_as_they_can_and_where_the_tokenizer_makes_them() -> None:
    tokenizer = tokenizer_of([(b"ab", b"a"), (b"a", b"b"), (b"c", b"c")], one_by_one=True)
    assert tokenizer.tokens("abab cc") == [b"aba", b"b", b" ", b"cc"]
    trace = bpe.replay("abab cc", tokenizer)
    assert [(step.list_rank, step.count, step.replaced) for step in trace.steps] == [
        (1, 2, 1),
        (0, 1, 1),
        (2, 1, 1),
    ]
    assert next(word for word, _ in trace.words_at(1)) == (b"ab", b"a", b"b")
    assert trace.counts_changed(1) == {(b"a", b"b"): -1, (b"b", b"a"): -1, (b"ab", b"a"): 1}
    assert trace.segment("abab cc", 3) == tokenizer.tokens("abab cc")
    assert trace.segment("cc abab", 2) == [b"c", b"c", b" ", b"aba", b"b"]
    assert [trace.born(token) for token in (b"aba", b"ab", b"cc")] == [1, 0, 2]
    assert trace.replayed is not None
    assert trace.replayed.reordered == 1
    in_order = bpe.replay("cc", tokenizer)
    assert in_order.replayed is not None
    assert in_order.replayed.reordered == 0
    begun = bpe.replay_steps("abab cc", tokenizer)
    next(begun)
    assert begun.trace().segment("abab", 1) == [b"ab", b"a", b"b"]
    # It knows the merges up to that of its last step.
    assert begun.trace().segment("ab cc", 1) == [b"ab", b" ", b"c", b"c"]


def test_runs_grow_from_the_left_where_longer_runs_have_lower_ranks() -> None:
    """As Gemma's list makes runs of spaces, of tabs and of line ends."""
    run = [b" " * length for length in range(1, 8)]
    splits = [
        (run[left - 1], run[length - left - 1])
        for length in range(7, 1, -1)
        for left in range(length - 1, 0, -1)
    ]
    tokenizer = tokenizer_of([*splits, (b" ", b"a"), (b"a", b"a")], "bytes", one_by_one=True)
    text = "".join(" " * length + "a" * (length % 3) for length in range(30))
    trace = bpe.replay(text, tokenizer)
    assert trace.segment(text, len(trace.steps)) == tokenizer.tokens(text)
    assert [len(left) for left, right in trace.merges if right == b" "] == [1, 2, 3, 4, 5, 6]
    assert trace.segment(" " * 9, 3) == [b"    ", *[b" "] * 3, b"  "]
    check_steps(trace, text)


def test_what_is_no_tokenizer_or_no_text_is_refused() -> None:
    wrong: Any = "gpt2"
    with pytest.raises(BPEError, match=r"must be a bpe\.Tokenizer, got str"):
        bpe.replay("a", wrong)
    with pytest.raises(BPEError, match="lone surrogates"):
        bpe.replay("a\ud800", tokenizer_of([]))


def test_a_replay_can_be_stopped_and_gone_on_with() -> None:
    trained = bpe.train(CORPUS, merges=20).tokenizer()
    steps = bpe.replay_steps(CORPUS, trained)
    assert next(steps).list_rank == 0
    begun = steps.trace()
    assert (begun.stopped, len(begun.steps)) == ("cancelled", 1)
    # A stopped replay knows the merges up to its last step, and no others.
    assert begun.tokenizer().merges == trained.merges[:1]
    assert begun.vocabulary_size(1) == len(begun.vocabulary(1)) == begun.vocabulary_size(0) + 1
    assert begun.segment("lower newest", 1) == begun.tokenizer().tokens("lower newest")
    assert len(trained.tokens("lower newest")) < len(begun.segment("lower newest", 1))
    assert len(steps.finish().trace().steps) == 20
    assert len(begun.steps) == 1


def check_steps(trace: Trace, text: str) -> None:
    """Check that the counts of every step are those of its words, and that each step merges its pair."""
    most_frequent = best_pairs(trace)
    assert trace.replayed
    for k, step in enumerate(trace.steps):
        words, after = trace.words_at(k), trace.words_at(k + 1)
        counts = count_pairs(words)
        assert trace.pair_counts(k) == counts
        highest = max(counts.values())
        best = {pair for pair, count in counts.items() if count == highest}
        assert step.count == counts[step.pair]
        assert step.tied == (len(best) if step.pair in best else 0)
        assert set(trace.tied_pairs(k)) == best
        assert most_frequent[k].pair in best
        assert most_frequent[k].count == highest
        changed = count_pairs(after)
        assert trace.counts_changed(k + 1) == {
            pair: change
            for pair in counts | changed
            if (change := changed.get(pair, 0) - counts.get(pair, 0))
        }
        made = sum(word.count(b"".join(step.pair)) * times for word, times in after)
        assert step.replaced == made
        assert trace.tokens_total(k) - trace.tokens_total(k + 1) == made
        everywhere = [(merge_pair(word, step.pair), times) for word, times in words]
        if trace.replayed.reordered:
            assert all(len(made) <= len(word) for (made, _), (word, _) in zip(everywhere, after, strict=True))
        else:
            assert after == everywhere
            assert trace.tokenizer(k).tokens(text) == trace.segment(text, k)
        assert trace.token_counts(k).keys() <= set(trace.vocabulary(k)) | set(trace.alphabet)
    ranks = list(trace.replayed.list_ranks)
    assert len(set(ranks)) == len(ranks)
    assert (ranks == sorted(ranks)) == (trace.replayed.reordered == 0)


@st.composite
def converted(draw: st.DrawFn) -> list[Pair]:
    """Return every way to make some tokens, as in a list that was converted from a vocabulary, in any order."""
    tokens = draw(st.lists(st.text("ab", min_size=2, max_size=5), max_size=5, unique=True))
    known = {"a", "b", *tokens, *("a" * length for length in range(2, draw(st.integers(2, 6))))}
    splits = [
        (token[:end].encode(), token[end:].encode())
        for token in sorted(known)
        for end in range(1, len(token))
        if token[:end] in known and token[end:] in known
    ]
    return draw(st.permutations(splits))


parts = st.text("abc", min_size=1, max_size=3).map(str.encode)
lists = st.lists(st.tuples(parts, parts), max_size=12) | converted()
corpora = st.text("abc ", max_size=24)


@examples(150)
# Taken whole, though a merge could make it.
@example([(b"a", b"a"), (b"c", b"ccc")], "cccc aa", "", False, True)
@given(merges=lists, text=corpora, other=corpora, one_by_one=st.booleans(), whole_words=st.booleans())
def test_any_merge_list_ends_as_it_encodes_or_is_refused(
    merges: list[Pair], text: str, other: str, one_by_one: bool, whole_words: bool
) -> None:
    tokenizer = tokenizer_of(merges, one_by_one=one_by_one, whole_words=whole_words)
    try:
        trace = bpe.replay(text, tokenizer)
    except BPEError:
        return
    last = len(trace.steps)
    assert trace.segment(text, last) == tokenizer.tokens(text)
    assert last_words(trace) == tokens_of_words(trace, tokenizer)
    if last:
        assert trace.segment(other, last) == tokenizer.tokens(other)
    assert [trace.vocabulary_size(k) for k in range(last + 1)] == [
        len(trace.vocabulary(k)) for k in range(last + 1)
    ]
    check_steps(trace, text)


@examples(80)
@given(text=st.text(max_size=60), other=st.text(max_size=60), variant=st.sampled_from(list(VARIANTS)))
def test_a_trained_tokenizer_replayed_over_another_text_cuts_it_the_same(
    text: str, other: str, variant: str
) -> None:
    tokenizer = bpe.train(text, variant=variant, merges=30).tokenizer()
    trace = bpe.replay(other, tokenizer)
    last = len(trace.steps)
    assert trace.segment(other, last) == tokenizer.tokens(other)
    assert all(
        len(before) <= len(after) for before, after in pairwise(trace.vocabulary(k) for k in range(last + 1))
    )
    for k in range(last):
        assert trace.segment(text, k) == trace.tokenizer(k).tokens(text)


def test_the_vocabulary_of_a_replay_is_listed_with_the_ids_of_the_tokenizer() -> None:
    trained = bpe.train("low lower lowest", variant="bytes-gpt2", merges=3).tokenizer()
    order = [b"<end>", *reversed(trained.vocabulary)]
    tokenizer = dataclasses.replace(trained, vocabulary=order, special_tokens=("<end>",), special_ids=(0,))
    trace = bpe.replay("low", tokenizer)
    listed = entries(trace, 2)
    assert [(entry.id, entry.symbol) for entry in listed] == [
        (number, symbol) for number, symbol in enumerate(order) if symbol in trace.vocabulary(2)
    ]
    by_symbol = {entry.symbol: entry for entry in listed}
    assert (by_symbol[b"low"].pair, by_symbol[b"low"].count) == ((b"lo", b"w"), 1)
    assert by_symbol[b"<end>"].state == "special"


def test_replays_of_a_tokenizer_share_the_entries_of_tokens_that_no_text_has() -> None:
    tokenizer = bpe.train("low lower lowest newest", variant="bytes-gpt2", merges=8).tokenizer()
    traces = [bpe.replay(text, tokenizer) for text in ("low", "low new", "x")]
    alone = [[dataclasses.astuple(entry) for entry in entries(trace, len(trace.steps))] for trace in traces]
    lists = [entries(trace, len(trace.steps)) for trace in traces]
    assert [[dataclasses.astuple(entry) for entry in listed] for listed in lists] == alone
    states = {entry.state for of_token in zip(*lists, strict=True) for entry in set(of_token)}
    assert states == {"in use", "stepping stone", "used up", "never seen"}
    for of_token in zip(*lists, strict=True):
        unseen = [entry for entry in of_token if entry.state == "never seen"]
        assert len(set(map(id, unseen))) <= 1
    before = entries(traces[0], 0)
    assert len(before) < len(lists[0])
    assert {id(entry) for entry in before if entry.state == "never seen"} <= {id(entry) for entry in lists[0]}
