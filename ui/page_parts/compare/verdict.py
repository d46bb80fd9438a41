"""The verdict on the page: the answer, the sentences under it, and facts on the corpus. Tables hold every number.

The first line is about the text that the visitor sees, the second about new text. Sentences on the held-out text are
those of `bpe/comparison/verdict.py`, which the command line writes too.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from string import punctuation

from bpe.comparison import verdict
from bpe.comparison.evidence import Evidence, learned_here
from bpe.comparison.held_out import KNOWN
from bpe.comparison.verdict import percent
from bpe.comparison.words import WordUnderTraces, is_word
from bpe.text.display import counted, listed, merge_name
from ui.page_parts.compare.comparison import PageComparison
from ui.trainings.corpus import sample_of
from ui.trainings.settings import FREE

_FEW = 100  # the sentence counts shared tokens of up to so many, and gives a percentage of more
_LONGEST = 12  # characters of a word that is drawn large or named
_MOST_DRAWN = 8  # words drawn large; as many as fit are seen
_DECIDED = ("yes", "luck", "same", "open")  # answers that count words of the held-out text
_MOST_NAMED = 5  # words that the first line names of more than two lanes
_MOST_ALONE = 3  # words that it names instead of counting them, if no others are split differently
_MOST_WORDS = 5_000  # distinct words of a corpus that are compared while the page is drawn
CHANGE = "You can choose another one in the tab “Encode under each”."


def answer(comparison: PageComparison, evidence: Evidence | None) -> str:
    """Return the first line: what the lanes do to the text that they were trained on.

    Of more than two lanes it names words that they split in several ways, those that are drawn below it. Of a text with
    very many words it says what the held-out text tells, once that is measured.
    """
    found = _finding(comparison)
    many, own = len(comparison.lanes) > 2, _differing_corpus_words(comparison)
    if evidence and many and (own or _is_sample_that_tells(comparison, evidence)):
        words = drawn_words(comparison, evidence)[:_MOST_NAMED]
        if words:
            ways = [len(set(word.tokens)) for word in words]
            fewest, most = (_in_words(number) for number in (min(ways), max(ways)))
            splits = f"{fewest} splits" if fewest == most else f"{fewest} to {most} splits"
            lanes = f"{_in_words(len(comparison.lanes))} {_kind_of_lanes(comparison)}"
            of_each = " of each" if len(words) > 1 else ""
            return f"{', '.join(word.word.strip() for word in words)}: {lanes}, {splits}{of_each}."
    if not found:
        return _headline(comparison, evidence) if evidence else ""
    sample = sample_of(comparison.corpus)
    return f"In “{sample.title}”, {found}." if sample else f"Your text: {found}."


def _finding(comparison: PageComparison) -> str:
    """Return what the lanes do to the words of the training text, without its end; "" of a text with very many words.

    It is short enough for the presenter view, and says nothing of a held-out text.
    """
    differing = _differing_corpus_words(comparison)
    if differing is None:
        return ""
    total, lanes = frequency(_words(comparison)), len(comparison.lanes)
    subject = "the only word" if total == 1 else "every word"
    every = f"{'both' if lanes == 2 else f'all {_in_words(lanes)}'} {_kind_of_lanes(comparison)}"
    if not differing:
        return f"{subject} is split the same way under {every}"
    named = list(_examples_of(differing))
    if len(named) == len(differing) <= _MOST_ALONE:
        quoted = listed([f"“{word.word.strip()}”" for word in named])
        return f"{quoted} {'is' if len(named) == 1 else 'are'} split differently"
    number = frequency(differing)
    if number == total:
        return f"{subject} is split differently"
    verb = "is" if number == 1 else "are"
    how = "split differently" if lanes == 2 else f"not split the same way under {every}"
    return f"{number:,} of {counted(total, 'word')} {verb} {how}"


def new_text(comparison: PageComparison, evidence: Evidence) -> str:
    """Return the second line: what the lanes do to new text; "" if the first line says it."""
    headline = _headline(comparison, evidence)
    if headline == answer(comparison, evidence):
        return ""
    if evidence.answer in _DECIDED:
        return f"On new text, {headline[:1].lower()}{headline[1:]}"
    return headline


def _headline(comparison: PageComparison, evidence: Evidence) -> str:
    """Return the answer on new text. For finished tokenizers no text is held out: none of them was trained here."""
    text = "the held-out text" if learned_here(comparison.traces) else comparison.held_out.title
    return verdict.headline(evidence, _names(comparison), text)


def tested_on(comparison: PageComparison, evidence: Evidence | None) -> str:
    """Return what the new text is, and what it means that it is held out."""
    tested = f"Tested on {comparison.held_out.title}."
    if evidence is None or not learned_here(comparison.traces):
        return tested
    return f"{tested} Held out: not used in training."


def drawn_words(comparison: PageComparison, evidence: Evidence) -> list[WordUnderTraces]:
    """Return the words that are drawn large: the most frequent ones that lanes split differently.

    They are words of one's own text. Of a sample that tells what new text would show, or if every word is split the
    same way, they are words of the held-out text, if it is like the training text.
    """
    own = _differing_corpus_words(comparison) or []
    of_test = () if is_unlike(evidence) else evidence.differing
    words = of_test or own if _is_sample_that_tells(comparison, evidence) else own or of_test
    return list(islice(_examples_of(words), _MOST_DRAWN))


def is_unlike(evidence: Evidence) -> bool:
    """Return whether the held-out text has hardly a word of the training text."""
    return evidence.known_words is not None and evidence.known_words < KNOWN


def lanes_drawn(comparison: PageComparison) -> int:
    """Return how many lanes the words below the answer will have, before it is measured; 0 if none are to be expected.

    There are words if some of the training text are split differently, or if the held-out text can tell.
    """
    own = _differing_corpus_words(comparison)
    if own is not None and not own:
        if not comparison.has_files and comparison.divergence is None:
            return 0
        if not learned_here(comparison.traces):
            return len(comparison.lanes)
        known = set(comparison.corpus.reading_text.split())
        held_out = comparison.held_out.text.split()
        if sum(word in known for word in held_out) < KNOWN * len(held_out):
            return 0
    return len(comparison.lanes)


def _is_sample_that_tells(comparison: PageComparison, evidence: Evidence) -> bool:
    """Return whether the lanes were trained on a sample that tells what new text would show."""
    return sample_of(comparison.corpus) is not None and evidence.held_out.has_enough


def _examples_of(words: Iterable[WordUnderTraces]) -> Iterator[WordUnderTraces]:
    """Yield words that can be drawn large and named: short ones without punctuation; in several cases once."""
    seen: set[str] = set()
    for word in words:
        name = word.word.strip().casefold()
        is_bare = name == name.strip(punctuation)
        if is_bare and name.isprintable() and 0 < len(name) <= _LONGEST and name not in seen:
            seen.add(name)
            yield word


def brief(comparison: PageComparison, evidence: Evidence) -> list[str]:
    """Return the line of evidence that continues the answer on new text, and what it was tested on."""
    held_out = "" if evidence.answer == "nothing to merge" else f"Tested on {comparison.held_out.about}."
    return [sentence for sentence in (verdict.evidence_line(evidence), held_out) if sentence]


def rest(comparison: PageComparison, evidence: Evidence) -> list[str]:
    """Return the line of evidence, and what else there is to know of the held-out text and of the corpus."""
    sentences = (verdict.evidence_line(evidence), *verdict.notes(evidence, _names(comparison)))
    return [sentence for sentence in (*sentences, _figures(comparison)) if sentence]


def _names(comparison: PageComparison) -> list[str]:
    return [lane.short for lane in comparison.lanes]


def _figures(comparison: PageComparison) -> str:
    """Return facts on the corpus: where the lanes first differ, the tokens they share, and its length."""
    if comparison.divergence is None:
        return ""
    totals, lanes = [tokens[-1] for tokens in comparison.corpus_tokens], comparison.lanes
    clauses: list[str] = []
    if comparison.has_files:
        pairs = zip(lanes, totals, strict=True)
        lengths = [f"{counted(total, 'token')} under “{lane.short}”" for lane, total in pairs]
        clauses.append(f"the text needs {listed(lengths)}")
    else:
        where = merge_name(comparison.divergence.rank)
        clauses.append(f"the {_kind_of_lanes(comparison)} first differ at {where}")
        shared, longest = sum(token.everywhere for token in comparison.learned_by), comparison.merges
        whose = "the same" if len(lanes) == 2 else f"the same in all {len(lanes)} lanes"
        markers = "" if comparison.same_markers else ", markers included"
        if longest == 1:
            told = f"the learned token is {whose if shared else 'different'}"
        elif longest <= _FEW:
            told = (
                f"in the end, {shared} of {longest} learned tokens {'is' if shared == 1 else 'are'} {whose}"
            )
        else:
            told = f"in the end, {percent(shared / longest)} of the learned tokens are {whose}"
        clauses.append(f"{told}{markers}")
    least, most = min(totals), max(totals)
    if least < most:
        fewest, largest = (lanes[totals.index(total)].short for total in (least, most))
        more = percent((most - least) / least)
        clauses.append(f"the training text needs {more} more tokens under “{largest}” than under “{fewest}”")
    elif not comparison.same_words or _differing_corpus_words(comparison):  # else the words imply it
        clauses.append("the training text needs the same number of tokens in every lane")
    if len(lanes) > 2 and (finding := _finding(comparison)):
        clauses.append(f"in the training text, {finding}")
    return " ".join(f"{clause[:1].upper()}{clause[1:]}." for clause in clauses)


def _differing_corpus_words(comparison: PageComparison) -> list[WordUnderTraces] | None:
    """Return the words of the corpus that lanes split differently, the most frequent first; None for a large corpus."""
    if len(comparison.traces[0].pre_tokens) > _MOST_WORDS:
        return None
    differing = [word for word in _words(comparison) if word.differs]
    return sorted(differing, key=lambda word: -word.frequency)


def _words(comparison: PageComparison) -> list[WordUnderTraces]:
    """Return the words of the corpus that have a letter or a digit."""
    return [word for word in comparison.corpus_words if is_word(word.word)]


def words_for_a_hall(
    comparison: PageComparison, evidence: Evidence, most: int
) -> list[tuple[WordUnderTraces, str]]:
    """Return the first `most` words that are split differently, each with the text that it is from.

    Words of the held-out text come last, but at least one of them is there.
    """
    of_corpus = _differing_corpus_words(comparison) or []
    of_test = evidence.differing
    room = most - 1 if of_test else most
    chosen = [(word, f"{word.frequency:,} × in the text") for word in of_corpus[:room]]
    return chosen + [
        (word, f"{word.frequency:,} × in the held-out text") for word in of_test[: most - len(chosen)]
    ]


def on_stage(comparison: PageComparison) -> str:
    """Return what the presenter view says above the lanes when the last merge is done; "" of a very long text."""
    found = _finding(comparison)
    return f"{found[:1].upper()}{found[1:]}"


def split_words(comparison: PageComparison, evidence: Evidence) -> str:
    """Return how many words of both texts are split differently, in one sentence for a hall."""
    own, number = on_stage(comparison), evidence.differing_words
    verb = "is" if number == 1 else "are"
    of_new = f"{number:,} of {counted(evidence.compared_words, 'word')} of a new text"
    if not number:
        return own or "Every word of a new text is split the same way"
    if not own:
        return f"{of_new} {verb} split differently"
    return f"{own}, {f'and so {verb} {of_new}' if _differing_corpus_words(comparison) else f'but {of_new} {verb} not'}"


def frequency(words: Iterable[WordUnderTraces]) -> int:
    """Return how often these words occur together."""
    return sum(word.frequency for word in words)


def _in_words(number: int) -> str:
    """Return a small number in words.

    >>> _in_words(1), _in_words(8)
    ('one', 'eight')
    """
    return ("one", "two", "three", "four", "five", "six", "seven", "eight")[number - 1]


def _kind_of_lanes(comparison: PageComparison) -> str:
    """Return what the lanes are: "rules", "trainers" if all are real ones, "tokenizers" from files, or "lanes"."""
    if comparison.has_files:
        return "tokenizers"
    trainers = sum(lane.recipe.preset != FREE for lane in comparison.lanes)
    if not trainers:
        return "rules"
    return "trainers" if trainers == len(comparison.lanes) else "lanes"


def how_compared(comparison: PageComparison) -> str:
    """Return how lanes that do not read the text in the same way are compared; "" if all do."""
    if comparison.same_words:
        return ""
    variants = list(dict.fromkeys(trace.variant.title for trace in comparison.traces))
    tokens = (
        ""
        if comparison.same_markers
        else " Tokens are compared as written, with marker or space, so “low</w>”, “▁low” and “·low” are three tokens."
    )
    ways = f"split the text in {len(variants)} ways ({'; '.join(variants)})"
    if len(variants) == 1:
        ways = "normalize or split the text in different ways"
    rule = "We compare words by where their letters are split, and ignore markers and spaces."
    return f"These lanes {ways}. {rule}{tokens}"
