"""Random draws: what trainings with random ties differ by, on the corpus and on a held-out text."""

import bpe
from bpe.comparison.evidence import evidence, with_random_draws
from bpe.comparison.random_draws import FEWEST_DRAWS, enough_draws, groups_of, random_draws
from tests.bpe.comparison.story_evidence import sample

CORPUS = "low low lower lowest slow slower slowest new newer newest wide wider widest"
HELD_OUT = ["the newest towers\nare lower", "than the wide ones"]


def test_every_figure_of_the_draws_is_that_of_trainings_with_their_seeds() -> None:
    *_, luck = random_draws(CORPUS, HELD_OUT, FEWEST_DRAWS, merges=12)
    traces = [bpe.train(CORPUS, tie_break="random", seed=seed, merges=12) for seed in range(FEWEST_DRAWS)]
    texts = [[trace.tokenizer().tokens(document) for document in HELD_OUT] for trace in traces]
    assert luck.tokens == tuple(sum(map(len, tokens)) for tokens in texts)
    words = [
        [tuple(trace.tokenizer().tokens(word)) for text in HELD_OUT for word in text.split()]
        for trace in traces
    ]
    for lanes in (2, 3):
        *_, luck = random_draws(CORPUS, HELD_OUT, FEWEST_DRAWS, lanes=lanes, merges=12)
        for group, apart in zip(groups_of(FEWEST_DRAWS, lanes), luck.apart, strict=True):
            splits = zip(*(words[one] for one in group), strict=True)
            assert apart == sum(len(set(word)) > 1 for word in splits) / len(words[0])
    assert len(set(luck.apart)) > 1


def test_draws_are_compared_when_there_are_enough_and_now_and_then() -> None:
    looked = [luck.draws for luck in random_draws(CORPUS, HELD_OUT, 63, merges=2) if luck.apart]
    assert looked == [40, 60, 63]


def test_the_study_holds_what_all_draws_and_what_some_draws_learn() -> None:
    luck = list(random_draws(CORPUS, HELD_OUT, 5, "bytes", merges=9))
    assert [one.study.draws for one in luck] == [1, 2, 3, 4, 5]
    runs = [bpe.train(CORPUS, "bytes", "random", merges=9, seed=seed) for seed in range(5)]
    learned = [{left + right for left, right in run.merges} for run in runs]
    everywhere = learned[0].intersection(*learned)
    study = luck[-1].study
    assert {token for token, times in study.times.items() if times == study.draws} == everywhere
    assert dict(study.sometimes).keys() == set.union(*learned) - everywhere
    assert study.totals == tuple(run.tokens_by_step()[-1] for run in runs)


def test_draws_are_measured_as_the_lanes_are() -> None:
    """One lane reads lines and splits text in its own way, so all lanes are measured on lines, between spaces."""
    text = sample("story")[:4_000]
    traces = [bpe.train(text, "char-eow", "random", seed=seed, merges=80) for seed in (0, 1)]
    preset = bpe.PRESETS["sentencepiece"]
    traces.append(bpe.train(text, **{**preset.settings, "merges": 80}))
    lanes = evidence(traces, [sample("ties")[:2_000]], text)
    assert lanes.lanes[2].reads_lines
    assert not lanes.words_are_pre_tokens
    *_, drawn = with_random_draws(lanes, text, 2, variant="char-eow", merges=80)
    assert drawn.luck
    assert drawn.luck.tokens == tuple(lane.tokens for lane in lanes.lanes[:2])


def test_enough_draws_are_made_where_the_answer_is_near_and_few_where_it_is_far() -> None:
    text, held_out = sample("ties")[:1_000], [sample("story")[:1_000]]
    traces = {rule: bpe.train(text, "char-eow", rule, seed=99, merges=40) for rule in ("first", "random")}
    short = bpe.train(text[: len(text) // 2], "char-eow", merges=40)
    for one, other, answer, draws in (
        (traces["first"], traces["random"], "luck", FEWEST_DRAWS),
        (traces["first"], short, "yes", enough_draws(2)),
    ):
        measured = evidence([one, other], held_out, text)
        *_, drawn = with_random_draws(measured, text, variant="char-eow", merges=40)
        assert drawn.luck
        assert (drawn.answer, drawn.luck.draws) == (answer, draws)
