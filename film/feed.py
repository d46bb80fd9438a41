"""The contract between Python and the browser: every key of a feed, its meaning, unit and packing.

A feed is JSON from which the browser plays a training or an encoding without asking Python. The key `training`
distinguishes the two kinds, which `film/training_feed.py` and `film/encoding_feed.py` make. The browser's half of the
contract, `film/browser/shared/feed_types.js`, is written by `python -m film`.

Words used here besides the glossary in `bpe/symbols.py`:

window: the part of a long text that a feed holds. Counts and frequencies always describe the whole corpus.
step: one merge of a training, or one step of an encoder, numbered from 0. After k steps, step k comes next.
closing step: the step that joins the tokens on both sides of a boundary. A boundary never opens again, so one number
    per boundary gives the segmentation after any number of steps.
"""

from typing import Literal, NewType, NotRequired, TypedDict

from bpe.symbols import END_OF_WORD

# Rows of a pair table.
PAIR_ROWS = 50
# A token without a vocabulary id has a number from this one on, by its bytes. Ids are smaller.
FIRST_NUMBER = 1 << 20
# So many such numbers there are.
MOST_NUMBERS = 1 << 30
# The byte that marks the end of a word. Any other marker marks the start of one.
END_MARKER = END_OF_WORD[0]

# Whole numbers as `film.packing.packed` writes them: "2:" and two digits of base 91 for each number.
Packed = NewType("Packed", str)
# Numbers of a feed: packed by Python, and as they are where a page has trained.
Column = Packed | list[int]
# Bytes, two hexadecimal digits each: "c3a9" for é.
Hex = NewType("Hex", str)


class Characters(TypedDict):
    """The characters of the feed's tokens that a label does not always show unchanged.

    Python decides, because a browser may know another version of Unicode. The four characters that labels show as a
    glyph (a space as ·, a line feed as ↵, …) are not among them.
    """

    hidden: str  # always shown by their names, as <ZWSP> or <U+0000>
    joining: str  # shown as they are inside a label; as <ZWJ> at its edge or beside a marker
    marks: str  # shown as they are, after ◌ at the start of a label or behind a marker
    selectors: str  # shown as they are; as <VS16> at the start of a label or behind a marker
    names: dict[str, list[str]]  # {invisible character that occurs: [abbreviation, name]}


class Words(TypedDict):
    """The distinct words of the window by first appearance. A long word may be cut at the window's edges."""

    lengths: Column  # initial symbols of each word
    symbols: Column  # the words' initial symbols, word after word, as positions in the feed's symbols
    closes: Column  # for each of them: 1 + closing step of the boundary after it; 0 if no step closes it
    frequencies: Column  # training: in the corpus, 0 for a word that is not in it; encoding: in the window


class RunningText(TypedDict):
    """The running text of the window, and its position. Empty or 0 for a corpus of counted words."""

    words: Column  # the number of each word, in reading order
    # Positions in `words` of those that begin a line, if no word holds the line end before them.
    breaks: Column
    start: int  # first character of the window, from 0
    end: int  # the character after its last one
    total: int  # characters in the whole text


class TrainingText(RunningText):
    """The running text of a training."""

    letters: int  # UTF-8 bytes from `start` to the first word, white space left out; aligns lanes of other variants


class Steps(TypedDict):
    """The steps, one item each in every packed list."""

    left: Column  # vocabulary id of the left token of the merged pair
    right: Column  # vocabulary id of the right one
    count: Column  # training: the count of the pair; encoding: positions in the window


class TrainingSteps(Steps):
    """The merges of a training. Merge k makes the token with the id `first` + k, unless the feed has a `replay`."""

    first: int  # vocabulary id of the token that merge 0 makes
    # Number of pairs that had this count, the merged one included; 0 in a replay if another pair had a higher one.
    tied: Column
    differs: Column  # the merges that replaced fewer occurrences than counted, mostly as they overlapped
    replaced: Column  # occurrences that each of those replaced
    choices: Column  # the merges whose pair overlaps a tied one, a rival: at the others a tie decided the order only
    rivals: Column  # number of rivals at each of those
    # vocabulary ids of the rivals, the one that loses most first: left, right, left, right, …
    rival_ids: Column
    rival_losses: Column  # how many of its places each rival loses by the merge


class EncodingSteps(Steps):
    """The steps of an encoder. A token taken from the vocabulary is both `left` and `right`."""

    ids: Column  # vocabulary id of the token that the step makes or takes
    ranks: Column  # rank of the merge that the step applies; "" if steps take tokens from the vocabulary


class Symbols(TypedDict):
    """The distinct initial symbols that the feed refers to."""

    hex: str  # the Hex of each symbol, with spaces between; those of the window come first
    ids: Column  # vocabulary id + 1 of each symbol; 0 for one that the vocabulary does not hold


class TrainingSymbols(Symbols):
    """The initial symbols of a training."""

    counts: Column  # occurrences of each symbol in the corpus before any merge


class EncodingSymbols(Symbols):
    """The initial symbols of an encoding."""

    others: dict[str, Hex]  # vocabulary id -> bytes, of tokens that steps take from the vocabulary


class Ties(TypedDict):
    """The pairs that tied at the first steps. The browser receives those of a later step when it rests there."""

    steps: int  # number of steps covered, from step 0 on
    sizes: Column  # number of tied pairs at each of them, the merged one included
    ids: Column  # vocabulary ids of these pairs by first occurrence: left, right, left, right, …


class LaterTerms(TypedDict):
    """The merges whose tie was not decided by the first term of the rule's order."""

    until: int  # number of merges that it tells of
    steps: Column
    terms: Column  # position of the term that decided, as in `reasons`
    compared: Column  # how many pairs it compared


class Replay(TypedDict):
    """The part of a feed that only a replay of a tokenizer's merge list has. Its packed lists have an item per step.

    A replay may be the first stage of a training. Then its last steps are learned.
    """

    steps: int  # number of steps that apply the list's merges; the rest is learned from the text
    ids: Column  # vocabulary id of the token that the merge makes
    ranks: Column  # rank of the merge in the tokenizer's list; learned ones follow the list
    merges: int  # number of merges in the list, without the learned ones
    best: Column  # a pair of the highest count before the merge, two ids: left, right, left, right, …
    highest: Column  # that count
    vocabulary: Column  # number of tokens in the vocabulary after 0, 1, 2, … merges: one item more


class Stage(TypedDict):
    """The second stage of a training, which learns superwords or, after a replay, further merges."""

    after: int  # number of merges before it
    superwords: bool  # whether its words are longer: a token may span several words of the first stage
    tokens: int  # of the corpus when it begins
    # Tokens that occur more or less often when it begins, since some of its words are split in other places: their
    # vocabulary ids, and how often they then occur.
    ids: Column
    counts: Column
    # For each initial symbol of the feed's words: 1 if a word of the first stage ends after it, else 0. It is "" if
    # both stages count pairs in the same words.
    ends: Column


class CommonFeed(TypedDict):
    """The keys of every feed."""

    family: str  # names the corpus and the settings: feeds of one family differ only in their window
    cells: str  # names the window's initial symbols: feeds of equal `cells` can be compared cell by cell
    id: str  # names the whole feed
    unit: Literal["bytes", "characters"]  # what an initial symbol is made of
    # The byte that marks the end ("ff") or the start ("fe") of a word; "" in a variant without one.
    marker: Hex
    marker_text: str  # how labels spell the marker: "</w>", "_", "▁"; "" in a variant without one
    characters: Characters
    last: int  # number of steps
    ending: str  # why there is no further step, shown after the last one
    rows: bool  # whether the distinct words can be shown instead of the running text
    words: Words


class TrainingFeed(CommonFeed):
    """A training on a window of the corpus."""

    training: Literal[True]
    text: TrainingText
    symbols: TrainingSymbols
    steps: TrainingSteps
    tokens: int  # of the corpus before any merge, each word as often as it occurs
    rule: str  # title of the tie-breaking rule; "" in a mere replay, which needs none
    # Why a pair wins, for each term of the rule's order: (term, words, of_all, of_some), as in
    # bpe/settings/tie_breaking.py; empty in a replay.
    reasons: list[list[str]]
    seed: int  # of a rule that draws
    # {CodeBeat: the lines of Python that stand there in the textbook's code}, of variant, rule and stop rule.
    # If the textbook's code does not tell what was done, "none" has one line: a sentence that says why.
    code: dict[str, list[str]]
    spent: bool  # whether the training ended because no pair was left, or none that occurs often enough
    # None if the feed does not say which pairs tied, or is `whole`, so that the browser can count them
    ties: Ties | None
    picked: list[int]  # the merges that were picked by hand, in order
    picks: bool  # whether the viewer may pick another one of the tied pairs
    overlaps: bool  # whether overlapping occurrences of a pair count
    whole: bool  # whether the feed holds every word of the corpus, uncut: then the browser can count pairs itself
    further: int  # if `whole`: how many of its last words are not in the window
    order: Column  # if `whole`: the numbers of the corpus's words in the trainer's order; "" for 0, 1, 2, …
    # If `whole`: vocabulary ids of the pairs that no merge may merge: left, right, left, right, …
    barred: Column
    later: NotRequired[LaterTerms]  # if the browser cannot count the pairs and would know no reason
    replay: NotRequired[Replay]
    stage: NotRequired[Stage]


class EncodingFeed(CommonFeed):
    """An encoding of a window of a new text."""

    training: Literal[False]
    text: RunningText
    symbols: EncodingSymbols
    steps: EncodingSteps
    taken: bool  # whether the steps take tokens from the vocabulary instead of merging pairs
    # Bytes -> vocabulary id of each token that a step makes or takes; -1 for one without an id.
    names: dict[Hex, int]


Feed = TrainingFeed | EncodingFeed


# A label; if some bytes are no whole character: (text, bytes, text, …), the bytes in hexadecimal ("F0 9F").
ChipLabel = str | tuple[str, ...]


# When a line of code is lit: in a beat of a merge, or at rest, as the line that comes next. The others are never lit:
# what splits and spells the text before the loop, what stops it, and "" for all the rest.
CodeBeat = Literal["rest", "count", "select", "fuse", "settle", "split", "spell", "stop", ""]


class CodeLine(TypedDict):
    """One line of code, as `film.textbook_code` reads it."""

    depth: int  # of its indentation, from 0
    text: str
    beat: CodeBeat
    about: str  # what it does, in a sentence


# How a strand is drawn: one merge; several pairs, merged in any order; many merges that all ways share; more splits
# than can be drawn; the end of what is listed or drawn.
StrandKind = Literal["merge", "lens", "run", "knot", "fray"]


class WayNode(TypedDict):
    """One split of the training text."""

    merges: int
    number: int  # in the tie graph; -1 if it stands for all that is not drawn
    tokens: list[int]  # positions of those that are new since all ways last met
    more: int  # how many more there are
    meeting: bool  # whether all ways pass it
    open: bool  # whether it stands for all that is not drawn
    # words that hold new tokens, each as positions of its tokens; the most frequent first
    words: list[list[int]]


class WayStrand(TypedDict):
    """Merges from one node to another."""

    source: int  # position of a node
    target: int
    kind: StrandKind
    tie: str  # the kind of the tie, as in `bpe.tie_graph`
    merges: int
    tokens: list[int]  # positions of those that the merges make
    more: int  # how many more there are
    splits: int  # in a knot: the largest number of splits after any number of merges


class WayLine(TypedDict):
    """The way of one training."""

    title: str
    strands: list[int]  # positions of the strands, from the first node on
    merges: int  # of the whole training


class EveryWay(TypedDict):
    """The picture of every way to break the ties."""

    sentence: str  # one finding
    note: str  # what to know of it, in a line below; "" if nothing
    more: str  # behind that line; "" if nothing
    until: int  # the number of merges up to which it goes
    tokens: list[ChipLabel]
    nodes: list[WayNode]  # the first one is the untouched text
    strands: list[WayStrand]
    lines: list[WayLine]
    splits: list[list[int]]  # [number of merges, splits then], wherever there are several
