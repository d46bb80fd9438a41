"""Reading a request: the settings of a training with their defaults and meanings, written down once, and their checks.

`train`, `train_steps` and `read_request` take the same settings: `with_settings` gives them the same signature.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, getdoc, signature
from typing import Any, ParamSpec, Protocol, TypeVar

from bpe.checks import at_least, look_up, shortened_repr, whole_number
from bpe.settings.piece_rules import MergeFilter, any_piece, both, shorter_than
from bpe.settings.request import Alphabet, Lines, Picks, Text, TrainingRequest, WordOrder
from bpe.settings.setting_readers import (
    read_alphabet,
    read_coverage,
    read_limit,
    read_normalization,
    read_picks,
    read_pieces,
    read_special_tokens,
    read_unknown_token,
)
from bpe.settings.tie_breaking import TIE_BREAKS, TieBreak
from bpe.symbols import BPEError
from bpe.text.before_splitting.normalizations import Normalization
from bpe.text.superwords import superword_variant, words_limit
from bpe.text.variants import VARIANTS, Unit, Variant


def _by_frequency(item: tuple[str, int]) -> tuple[int, bytes]:
    return -item[1], item[0].encode()  # SentencePiece: count down, then bytes


WORD_ORDERS: Mapping[str, WordOrder | None] = {
    "appearance": None,
    "frequency": _by_frequency,
}
# slug -> whether overlapping occurrences of a pair count
OVERLAPS: Mapping[str, bool] = {"count": True, "skip": False}
# What `lines` may be -> how a text is read: as one document, or each line as one, with or without its end.
LINES: Mapping[bool | str, Lines] = {False: "", "whole": "", True: "bare", "bare": "bare", "ended": "ended"}


def read_request(
    variant: str | Variant = "char-eow",
    tie_break: str | TieBreak = "first",
    *,
    merges: int | None = None,
    vocab_size: int | None = None,
    min_count: int = 1,
    special_tokens: Sequence[str] = (),
    unknown_token: str | None = None,
    cut_special_tokens: bool = False,
    lines: bool | str = False,
    alphabet: Alphabet | None = None,
    normalization: Normalization | None = None,
    pieces: str = "any",
    word_order: str = "appearance",
    seed: int = 0,
    picks: Picks | None = None,
    pattern: str | None = None,
    unit: Unit | None = None,
    second_pattern: str | None = None,
    second_after: int | None = None,
    second_words: int | None = None,
    overlaps: str = "count",
    max_token_length: int | None = None,
    limit_alphabet: int | None = None,
    character_coverage: float = 1.0,
) -> TrainingRequest:
    """Check the settings of a training. Raises BPEError, with the name of the setting, for an invalid one.

    Settings:
        variant: how text becomes words of symbols; a slug of VARIANTS, or a Variant.
        tie_break: which of the pairs with the highest count is merged; a slug of TIE_BREAKS, or a TieBreak.
        merges: stop after so many merges.
        vocab_size: stop at this vocabulary size; special tokens and alphabet count.
        min_count: stop when the highest count is below this.
        special_tokens: texts that take the first ids and are never merged.
        unknown_token: the special token that stands for unknown characters when encoding.
        cut_special_tokens: split the text at its special tokens before training, as CS336 does.
        lines: every line is a document. "ended": with its end, as Hugging Face's trainers read files; "bare" or True:
            without, as SentencePiece does; "whole" or False: the text is one document.
        alphabet: order of the initial ids; a slug of ALPHABETS, or the symbols. None: the variant's own order.
        normalization: how text between special tokens is changed: a Unicode form or "lower"; a slug of NORMALIZATIONS.
        pieces: which symbols may be made: "any" or "sentencepiece".
        word_order: order in which words are searched for the first occurrence: "appearance" or "frequency".
        seed: seed of the rule "random".
        picks: {rank: pair or number} decided by hand; numbers count the tied pairs from 0 by first occurrence.
        pattern: pattern of the variant "custom", in the syntax of the package regex.
        unit: unit of the variant "custom", "bytes" or "characters". None: bytes.
        second_pattern: a looser pattern for a second stage, which learns superwords as SuperBPE does; a slug of
            SECOND_PATTERNS, or a pattern that splits the text into its matches and what is between them.
        second_after: number of merges after which the second stage begins.
        second_words: most words in a token of the second stage; SuperBPE's trainer allows four. A word is what is
            between spaces. None: any number.
        overlaps: whether occurrences of a pair that overlap count: "count", so that aaaa holds (a, a) three times, or
            "skip", twice, which is how often it can be merged.
        max_token_length: tokens must be shorter than this, in initial symbols; two of them may always be merged. So
            does Hugging Face's trainer. None: any length.
        limit_alphabet: the most characters that initial symbols may have. Rarer ones are taken out of the words, as
            Hugging Face's trainer does; the library chooses at random among equally rare ones, we take out those with
            the greatest code points. None: all.
        character_coverage: the share of the text that initial symbols must cover. Rarer characters split words, as in
            SentencePiece: nothing is merged across them. At most one of this and `limit_alphabet`.

    The first of the stop rules `merges`, `vocab_size` and `min_count` that holds ends the training.
    """
    given = locals().copy()
    variant = _read_variant(variant, pattern, unit)
    tie_break = look_up("tie_break", TIE_BREAKS, tie_break)
    special_tokens = read_special_tokens(special_tokens)
    second, after = _read_second(variant, second_pattern, second_after)
    return TrainingRequest(
        variant=variant,
        tie_break=tie_break,
        merges=None if merges is None else at_least(0, "merges", merges),
        vocab_size=None if vocab_size is None else at_least(0, "vocab_size", vocab_size),
        min_count=at_least(1, "min_count", min_count),
        special_tokens=special_tokens,
        unknown_token=read_unknown_token(unknown_token, special_tokens),
        cut_special_tokens=bool(cut_special_tokens),
        lines=_read_lines(lines),
        alphabet=read_alphabet(alphabet),
        normalization=read_normalization(normalization),
        may_merge=both(read_pieces(pieces, variant).may_merge, read_length(variant, max_token_length)),
        word_order=look_up("word_order", WORD_ORDERS, word_order),
        seed=whole_number("seed", seed),
        picks=read_picks({} if picks is None else picks),
        given=_differing(given, variant, tie_break),
        second=second,
        second_after=after,
        second_limit=read_second_words(second or variant, second_pattern, second_words),
        overlaps=look_up("overlaps", OVERLAPS, overlaps),
        limit_alphabet=read_limit(limit_alphabet, variant, character_coverage),
        character_coverage=read_coverage(character_coverage, variant),
    )


def _differing(given: Mapping[str, Any], variant: Variant, tie_break: TieBreak) -> dict[str, Any]:
    """Return variant and tie_break as slugs, then the settings that differ from their defaults."""
    own = {"pattern": variant.pattern, "unit": variant.unit} if variant.configure else {}
    settings = {
        name: given[name]
        for name, parameter in signature(read_request).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY and given[name] != parameter.default
    }
    return {"variant": variant.slug, **own, "tie_break": tie_break.slug, **settings}


def _read_variant(variant: str | Variant, pattern: str | None, unit: Unit | None) -> Variant:
    row = look_up("variant", VARIANTS, variant)
    if pattern is None and unit is None:
        return row
    if row.configure is None:
        raise BPEError(f"Only the variant 'custom' has a pattern and a unit, got the variant {row.slug!r}.")
    return row.configure(row.pattern if pattern is None else pattern, "bytes" if unit is None else unit)


def _read_second(
    variant: Variant, second_pattern: str | None, second_after: int | None
) -> tuple[Variant | None, int]:
    """Return the variant of the second stage, and the number of merges before it; None and 0 if there is none."""
    if second_pattern is None and second_after is None:
        return None, 0
    if second_pattern is None or second_after is None:
        raise BPEError("A second stage needs both settings, second_pattern and second_after.")
    return superword_variant(variant, second_pattern), at_least(0, "second_after", second_after)


def read_length(variant: Variant, max_token_length: int | None) -> MergeFilter:
    """Return which merges make tokens that are short enough."""
    if max_token_length is None:
        return any_piece
    return shorter_than(at_least(1, "max_token_length", max_token_length), variant)


def read_second_words(variant: Variant, second_pattern: str | None, second_words: int | None) -> MergeFilter:
    """Return which merges a second stage allows. Raises BPEError if there is no such stage."""
    if second_words is None:
        return any_piece
    if second_pattern is None:
        raise BPEError("second_words limits the words of a second stage, which needs second_pattern.")
    return words_limit(variant, at_least(1, "second_words", second_words))


def _read_lines(lines: object) -> Lines:
    if not isinstance(lines, bool | str) or lines not in LINES:
        raise BPEError(f"lines must be True, False, 'whole', 'ended' or 'bare', got {shortened_repr(lines)}.")
    return LINES[lines]


def read_settings(settings: Mapping[str, Any]) -> TrainingRequest:
    """Check settings given by name, as `read_request` does. Raises BPEError for a name that is no setting, too."""
    _check_names(settings.keys())
    return read_request(**settings)


def _check_names(given: Iterable[str]) -> None:
    settings = signature(read_request).parameters
    unknown = set(given) - settings.keys()
    if unknown:
        names = [name for name in settings if settings[name].kind is Parameter.KEYWORD_ONLY]
        raise BPEError(
            f"There is no setting {shortened_repr(min(unknown))}; settings are {', '.join(names)}."
        )


Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Returned = TypeVar("Returned", covariant=True)


class TakesSettings(Protocol[Parameters, Returned]):
    """A function of a text and of the settings of a training."""

    def __call__(self, text: Text, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned: ...


def _settings_of(
    read: Callable[Parameters, TrainingRequest],
) -> Callable[[Callable[[Text, TrainingRequest], Result]], TakesSettings[Parameters, Result]]:
    settings = signature(read).parameters
    meanings = (getdoc(read) or "").partition("Settings:")[2]

    def decorate(
        function: Callable[[Text, TrainingRequest], Result],
    ) -> TakesSettings[Parameters, Result]:
        @wraps(function)
        def with_request(text: Text, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
            _check_names(kwargs.keys())
            return function(text, read(*args, **kwargs))

        own = signature(function)
        public = Signature(
            [own.parameters["text"], *settings.values()], return_annotation=own.return_annotation
        )
        vars(with_request)["__signature__"] = public
        with_request.__doc__ = f"{getdoc(function) or ''}\n\nSettings:{meanings}"
        return with_request

    return decorate


# Turns a function of (text, request) into one of (text, variant, tie_break, *, merges, …), with the settings explained
# in its help. Unknown settings raise BPEError.
with_settings = _settings_of(read_request)
